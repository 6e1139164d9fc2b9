"""Packed contents of the journal come back as they were, and damage to them is reported."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_app.adapters.sqlite.journal import packing
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.journal.packing import planned_from_json, planned_to_json
from pos_app.adapters.sqlite.journal.rows import receipt_of
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import LARGEST_AMOUNT, LARGEST_QUANTITY, Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.esir_part import AdvanceFigures, EsirPart, LoweredLine, ReceiptReference
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery, TransactionType
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from tests.integration.journal.test_journal import NOW, command, receipt, request
from tests.sweep import each, examples

FROZEN = {1: "6c058f08f54851d560e45cc62de2b0df2cbc9a214c2827804416255355152583"}


def written(sealed: bytes) -> str:
    return quote(base64.b64encode(sealed), safe="")


def test_a_text_that_contents_were_packed_with_never_changes() -> None:
    found = {version: hashlib.sha256(text).hexdigest() for version, text in packing.TEXTS.items()}
    assert found == FROZEN


@settings(max_examples=examples(60))
@given(st.text(), st.binary(max_size=400), st.binary(max_size=400))
def test_any_answer_comes_back(text: str, sealed: bytes, internal: bytes) -> None:
    words = text.encode("utf-8", "ignore").decode()
    for address in (words, f"{words}?vl={written(sealed)}", f"?vl={words}"):
        told = replace(
            receipt(),
            verification_url=address,
            journal=words,
            messages=None,
            encrypted_internal_data=base64.b64encode(internal).decode(),
            signature=words or None,
        )
        assert packing.answer_of(packing.answer_packed(told)) == told


def sealed_by(number: int, content: bytes) -> bytes:
    head = bytes((number,))
    return head + zlib.crc32(content, number).to_bytes(4, "big") + content


@each(
    ("content", "words"),
    [
        (b"", "it is damaged"),
        (b"\x01", "it is damaged"),
        (packing.packed(b"{}")[:-1], "it is damaged"),
        (packing.packed(b"{}") + b"y", "it is damaged"),
        (sealed_by(2, packing.packed(b"{}")[5:]), r"by a later version \(text 2\)"),
        (sealed_by(1, b"no stream"), "can't be read"),
    ],
)
def test_what_can_not_be_unpacked_is_damage_in_words(content: bytes, words: str) -> None:
    with pytest.raises(DatabaseDamaged, match=words) as caught:
        receipt_of(content)
    assert "call support" in caught.value.do


# --- rows of existing journals --------------------------------------------------------------------
GOLDEN = Path(__file__).with_name("golden")
PLANS = sorted(path.stem for path in GOLDEN.glob("plan_*.json"))


def test_every_operation_has_a_plan_here() -> None:
    for name in ("issue", "advance", "close_refund", "close_sale", "copy", "refund", "refund_copy"):
        assert f"plan_{name}" in PLANS


# --- every plan that can be made ---
def whole_or_not(largest: Decimal, places: int) -> st.SearchStrategy[Decimal]:
    """Generate numbers of at most so many decimals; half of them are whole, as in practice."""
    unit = Decimal(1).scaleb(-places)
    whole = st.integers(0, int(largest)).map(Decimal)
    return whole | st.integers(0, int(largest / unit)).map(lambda count: count * unit)


texts = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20)
some_text = texts | st.none()
money = whole_or_not(LARGEST_AMOUNT / 10_000, 2).map(Money)
quantities = whole_or_not(LARGEST_QUANTITY, 3).filter(bool).map(Quantity)
percents = whole_or_not(Decimal(100), 4).filter(bool).map(Percent)
moments = st.integers(0, 2**48).map(lambda micro: NOW - timedelta(microseconds=micro))
places = st.integers(0, 499) | st.none()
lines = st.lists(
    st.builds(
        FiscalLine,
        name=texts,
        label=st.sampled_from(TaxLabel),
        quantity=quantities,
        unit_price=money,
        total=money,
        gtin=st.from_regex(r"[0-9]{8,14}", fullmatch=True) | st.none(),
        sku=st.integers(1, 10**16 - 1) | st.none(),
        origin=places,
    ),
    min_size=1,
    max_size=3,
).map(tuple)
documents = st.builds(
    FiscalDocument,
    invoice_type=st.sampled_from(InvoiceType),
    transaction_type=st.sampled_from(TransactionType),
    lines=lines,
    payments=st.lists(st.tuples(st.sampled_from(PaymentMethod), money), max_size=3).map(tuple),
    cashier=texts,
    esir_number=some_text,
    buyer=some_text,
    cost_centre=some_text,
    referent_number=some_text,
    referent_time=moments | st.none(),
    pos_time=moments | st.none(),
)
added = st.builds(
    EsirPart,
    lowered=st.lists(
        st.builds(LoweredLine, texts, money, money, percents | st.none()), max_size=3
    ).map(tuple),
    additional_text=texts,
    advance=st.builds(AdvanceFigures, money, money, money) | st.none(),
    last_advance=st.builds(ReceiptReference, texts, moments) | st.none(),
    is_unchecked=st.booleans(),
    is_reversal=st.booleans(),
)
plans = st.builds(
    PlannedReceipt,
    document=documents,
    esir=added,
    delivery=st.builds(
        ReceiptDelivery, *(st.booleans(), st.booleans(), some_text, st.booleans(), st.booleans())
    ),
    order=st.builds(AdvanceOrder, lines, st.booleans()) | st.none(),
    follows=places,
)


@settings(max_examples=examples(100))
@given(planned=plans)
def test_a_plan_is_read_as_it_was_written(planned: PlannedReceipt) -> None:
    assert planned_from_json(planned_to_json(planned)) == planned


@pytest.fixture
def journal(folder: Path) -> Iterator[SqliteJournal]:
    opened = SqliteJournal(folder / "journal.db")
    yield opened
    opened.close()


def test_a_plan_that_could_not_be_read_back_is_not_stored(journal: SqliteJournal) -> None:
    """Otherwise its key would be bound to it for ever."""
    asked = request()
    document = replace(asked.document, referent_time=NOW.replace(tzinfo=None))
    planned = replace(asked.planned, document=document)
    with pytest.raises(ValueError, match="is not read back as it was written"):
        journal.add_command(command(), [replace(asked, planned=planned)])
    assert journal.restores.tip.rows == 0
    journal.add_command(command(), [asked])
