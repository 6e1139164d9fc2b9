"""Payment methods and codes of the processor have their words, and a row in each table by them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pos_app.cashier.payment.payment_texts import ICONS
from pos_app.cashier.texts.lookup import LANGUAGES, Language, Texts
from pos_app.documents import receipt_journal, shift_papers
from pos_app.domain import processor
from pos_app.domain.payment import PaymentMethod
from pos_app.pfr_emulator.invoice import PaymentType
from pos_app.pfr_emulator.journal import PAYMENTS
from pos_app.selling.receipts import export
from pos_app.wire.pfr import PAYMENT_TYPES

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("where", "methods"),
    [
        ("pos_app/wire/pfr.py: PAYMENT_TYPES", PAYMENT_TYPES),
        ("pos_app/documents/receipt_journal.py: METHODS", receipt_journal.METHODS.values()),
        ("pos_app/documents/shift_papers.py: METHODS", map(PaymentMethod, shift_papers.METHODS)),
        ("pos_app/selling/receipts/export.py: METHODS", export.METHODS),
        ("pos_app/cashier/payment/payment_texts.py: ICONS", ICONS),
    ],
)
def test_it_has_each_method(where: str, methods: Iterable[PaymentMethod]) -> None:
    assert sorted(methods) == sorted(PaymentMethod), where


def test_the_development_processor_has_each_number_and_its_words() -> None:
    assert sorted(PAYMENT_TYPES.values()) == sorted(PaymentType), "pos_app/pfr_emulator/invoice.py"
    assert sorted(PAYMENTS) == sorted(PaymentType), "pos_app/pfr_emulator/journal.py: PAYMENTS"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_method_has_its_texts(language: Language) -> None:
    """The check of all texts passes without them: it takes a member of an enumeration for one that
    the code may have excluded."""
    keys = (f"pay.{of}.{method}" for of in ("method", "line", "hint") for method in PaymentMethod)
    assert [key for key in keys if not Texts(language).has(key)] == []


def test_each_code_that_decides_something_has_its_meaning() -> None:
    """An answer calls a code without one an unknown code."""
    decided = processor.CURABLE | processor.WRONG_DOCUMENT | {*processor.WARNINGS}
    assert decided | {*processor.PIN_RESULTS} <= processor.CODES.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_code_of_a_refusal_has_its_text(language: Language) -> None:
    refusals = sorted(processor.CURABLE | processor.WRONG_DOCUMENT)
    assert [one for one in refusals if not Texts(language).has(f"att.pfr.{one}")] == []


def test_each_code_stands_in_the_reference() -> None:
    page = (ROOT / "docs/reference/fiscal.md").read_text("utf-8")
    table = page.partition("| code | meaning |")[2].partition("\n\n")[0]
    assert set(re.findall(r"[0-9]{4}", table)) == processor.CODES.keys()
