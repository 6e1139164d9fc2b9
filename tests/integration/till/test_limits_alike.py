"""What the till takes at entry, the server's API and the processor take after the payment, and what
the API refuses the till refuses while it is typed: names, units, codes, prices, quantities, buyers,
free texts and cashiers. Each limit is one rule of the domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import quote

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from starlette.datastructures import Headers

from pos_app.characters import has_controls, without_controls
from pos_app.domain.article.article import Marks
from pos_app.domain.receipt.request import (
    LONGEST_ADDITIONAL_TEXT,
    LONGEST_CASHIER,
    LONGEST_NAME,
    LONGEST_UNIT,
    cashier_fault,
)
from pos_app.errors import Invalid
from pos_app.local_api.access_middleware import AdmittedCaller
from pos_app.local_api.access_rules import AccessLevel
from pos_app.local_api.headers import cashier_of
from pos_app.selling.catalogue import product_draft
from pos_app.selling.people.people import check_name
from pos_app.selling.sale import receipt_drafts
from pos_app.wire.fiscal import ArticleShape, FreeText
from pos_app.wire.reading import read
from tests.fakes.till import BREAD
from tests.sweep import examples

AWKWARD = (
    "\u00a0\u00ad\u200b\u200e\ufeff\u3164\u2800\t\n\r\x00\x07\x0b\x1b\u2028\u2029 '\"/\\ЂШжč€²😀"
)
"""Blanks, signs without ink, controls, and a sign of two units in UTF-16."""


def texts(longest: int) -> st.SearchStrategy[str]:
    signs = st.one_of(st.sampled_from(AWKWARD), st.characters(codec="utf-8"))
    short = st.text(signs, max_size=12)
    at_limit = st.builds(
        lambda text, more: (text + "м" * longest)[: longest + more], short, st.integers(-1, 2)
    )
    return st.one_of(short, short.map(lambda text: f"Мира{text}Илић"), at_limit)


def takes(read_it: Callable[[], object]) -> bool:
    try:
        read_it()
    except (Invalid, ValueError):
        return False
    return True


TILL = AdmittedCaller(AccessLevel.TILL, "http://127.0.0.1:1")


def api_cashier(name: str) -> str:
    return cashier_of(Headers({"X-Cashier": quote(name, safe="")}), TILL, otherwise="")


@given(texts(LONGEST_CASHIER))
@settings(max_examples=examples(2000, share=10))
def test_a_cashiers_name_that_is_typed_is_one_that_the_server_takes(name: str) -> None:
    assert (cashier_fault(name) == "") is takes(lambda: api_cashier(name))
    if takes(lambda: check_name(name)):
        assert api_cashier(check_name(name)) == check_name(name)
    tidy = takes(lambda: api_cashier(" ".join(name.split())))
    assert takes(lambda: check_name(name)) is (tidy and not has_controls(name))


@given(texts(LONGEST_ADDITIONAL_TEXT))
@settings(
    max_examples=examples(1000, share=10), suppress_health_check=[HealthCheck.large_base_example]
)
def test_a_free_text_that_is_typed_is_one_that_the_server_takes(text: str) -> None:
    typed = receipt_drafts.text_fault(text) is None
    assert typed is takes(lambda: TypeAdapter(FreeText).validate_python(text))


def drafted(**fields: str) -> dict[str, object]:
    before = {field.value: "" for field in product_draft.DraftField}
    marks = Marks()
    made = product_draft.read_draft(fields, before, marks, article_id="a")
    return dict(made.changes)


@given(texts(LONGEST_NAME), texts(LONGEST_UNIT))
@settings(
    max_examples=examples(1000, share=10), suppress_health_check=[HealthCheck.large_base_example]
)
def test_an_articles_name_and_unit_are_ones_that_the_server_takes(name: str, unit: str) -> None:
    typed = takes(lambda: drafted(name=name)) and bool(name)
    is_one_line = len(name.strip().splitlines()) == 1
    read = takes(lambda: article_of_api(without_controls(name.strip()), ""))
    assert typed is (read and is_one_line)
    if typed:
        sold = replace(BREAD, name=str(drafted(name=name)["name"]), unit=unit).frozen
        article_of_api(sold.name, sold.unit)
        assert len(sold.printed_name) <= 2048


def article_of_api(name: str, unit: str, gtin: str | None = None) -> object:
    members = {"name": name, "taxRateLabel": "А", "unit": unit}
    return read(ArticleShape, members | ({} if gtin is None else {"gtin": gtin}))
