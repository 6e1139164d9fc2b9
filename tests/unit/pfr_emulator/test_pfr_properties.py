"""Properties that hold for every request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.codes import Code, Refusal
from pos_app.pfr_emulator.processor import Processor
from tests.sweep import examples

cents = st.integers(0, 10**14 - 1).map(lambda n: Decimal(n) / 100)
thousandths = st.integers(1, 10**9).map(lambda n: Decimal(n) / 1000)
texts = st.text(min_size=1, max_size=90)
items = st.fixed_dictionaries(
    {
        "name": texts,
        "quantity": thousandths,
        "unitPrice": cents,
        "totalAmount": cents,
        "labels": st.sampled_from(["Ђ", "Е", "Г", "А"]).map(lambda label: [label]),
    }
)
requests = st.fixed_dictionaries(
    {
        "invoiceType": st.sampled_from([0, 1, 3, 4]),
        "transactionType": st.just(0),
        "cashier": st.text(min_size=1, max_size=50),
        "payment": st.lists(
            st.fixed_dictionaries({"amount": cents, "paymentType": st.integers(0, 6)}),
            min_size=1,
            max_size=4,
        ),
        "items": st.lists(items, min_size=1, max_size=5),
        "options": st.just({"omitQRCodeGen": "1"}),
    }
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=60),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "labels", "amount", "quantity"]), inner)
    ),
    max_leaves=6,
)
MEMBERS = [
    "invoiceType",
    "transactionType",
    "cashier",
    "buyerId",
    "payment",
    "items",
    "options",
    "referentDocumentNumber",
    "referentDocumentDT",
    "dateAndTimeOfIssue",
]
many = settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processor]:
    folder: Path = tmp_path_factory.mktemp("pfr")
    processor = Processor.open(folder=folder)
    yield processor
    processor.close()


def codes_of(processor: Processor, body: bytes) -> set[str] | None:
    """The codes of a refusal, or None where the request was signed."""
    try:
        processor.sign(body)
    except Refusal as refusal:
        return {problem.code for problem in refusal.problems}
    return None


@many
@given(request=requests)
def test_a_good_request_is_signed_as_it_is(shared: Processor, request: dict[str, Any]) -> None:
    answer: Any = json_text.decode(shared.sign(json_text.encode(request).encode()).encode())
    total = sum(item["totalAmount"] for item in request["items"])
    assert answer["totalAmount"] == total
    assert all(0 <= tax["amount"] <= total for tax in answer["taxItems"])
    lines = answer["journal"].split("\r\n")
    assert {len(line) <= 40 for line in lines} == {True}
    assert all(line.isprintable() for line in lines)


@many
@given(request=requests, member=st.sampled_from(MEMBERS), value=junk)
def test_a_bad_request_is_refused_with_codes_and_never_crashes(
    shared: Processor, request: dict[str, Any], member: str, value: object
) -> None:
    body = json.dumps({**request, member: value}, default=float).encode()
    codes = codes_of(shared, body)
    assert codes is None or set() < codes <= set(Code)


@many
@given(body=st.binary(max_size=200))
def test_bytes_are_refused_and_never_crash(shared: Processor, body: bytes) -> None:
    with pytest.raises(Refusal):
        shared.sign(body)
