"""The table of `taxes_of`, and rates of other times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from pos_app.domain.money.tax import TaxLabel, TaxRates
from pos_app.domain.receipt.receipt import SignedReceipt, TaxItem
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import AnswerClass
from pos_app.fiscalization.plans.advance_tax import taxes_of
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.refusals import NotSigned, WrongReceipt
from tests.sweep import each
from tests.unit.fiscalization.plans import book

NONE: Mapping[str, str] = {}
JOURNAL = (
    "========================================\r\n"
    "Ознака       Име      Стопа        Порез\r\n"
    "{}\r\n"
    "----------------------------------------\r\n"
    "Укупан износ пореза:               10,31\r\n"
    "========================================\r\n"
)
ROW = "Е           П-ПДВ   10,00%{:>14}"


def told(
    amounts: Mapping[str, str], items: Mapping[str, str] = NONE, journal: str | None = None
) -> tuple[SignedReceipt, PlannedReceipt]:
    """An advance with these amounts by label, and its signed answer."""
    lines = tuple(book.line("Аванс", label, "1", gross) for label, gross in amounts.items())
    planned = book.sale(*lines, kind=InvoiceType.ADVANCE)
    taxes = tuple(TaxItem(0, "", label, Decimal(0), Decimal(tax)) for label, tax in items.items())
    return replace(book.signed(planned, 1), tax_items=taxes or None, journal=journal), planned


def rates(percent: Mapping[str, str], *, minutes: int = -1) -> TaxRates:
    """Rates in force from that many minutes after noon on; the receipt is signed a minute after
    noon."""
    valid_from = book.NOON + timedelta(minutes=minutes)
    return TaxRates(valid_from, {label: Decimal(rate) for label, rate in percent.items()})


BOTH, GENERAL = {"Ђ": "60.00", "Е": "60.00"}, {"Ђ": "120.00"}
REDUCED, PRINTED = {"Е": "113.36"}, JOURNAL.format(ROW.format("10,31"))
USUAL = {"Ђ": "20", "Е": "10"}


@each(
    ("amounts", "items", "journal", "percent", "tax"),
    [
        (GENERAL, {"Ђ": "20.0000"}, None, NONE, {"Ђ": "20.0000"}),
        (GENERAL, {"Ж": "19.1597"}, None, {"Ђ": "19"}, {"Ж": "19.1597"}),
        (BOTH, NONE, None, USUAL, {"Ђ": "10.0000", "Е": "5.4545"}),
        (BOTH, {"Ђ": "10.0000"}, None, USUAL, {"Ђ": "10.0000", "Е": "5.4545"}),
        (REDUCED, NONE, PRINTED, NONE, {"Е": "10.3055"}),
        (REDUCED, NONE, PRINTED, {"Е": "12"}, {"Е": "10.3055"}),
        (REDUCED, NONE, JOURNAL.format(ROW.format("9,99")), NONE, {"Е": "9.99"}),
        ({"А": "50.00"}, NONE, None, {"А": "0"}, {"А": "0.0000"}),
        (REDUCED, NONE, "нечитко", {"Е": "10"}, {"Е": "10.3055"}),
    ],
)
def test_it_is_the_answer_s_or_the_journal_s_or_that_of_the_rates_then(
    amounts: Mapping[str, str],
    items: Mapping[str, str],
    journal: str | None,
    percent: Mapping[str, str],
    tax: Mapping[str, str],
) -> None:
    receipt, planned = told(amounts, items, journal)
    found = taxes_of(receipt, planned.document, [rates(percent)] if percent else [])
    assert found == {label: Decimal(amount) for label, amount in tax.items()}


@each("known", [(), (rates({"Е": "10"}),), (rates(USUAL, minutes=2),)])
def test_without_a_rate_it_is_refused(known: tuple[TaxRates, ...]) -> None:
    receipt, planned = told(GENERAL)
    with pytest.raises(WrongReceipt) as refusal:
        taxes_of(receipt, planned.document, known)
    assert refusal.value.what.startswith(f"{book.number_of(1)} ")
    assert '"Ђ" for 2026-11-20' in refusal.value.what


def test_rates_that_are_not_told_yet_are_waited_for() -> None:
    receipt, planned = told(GENERAL)
    with pytest.raises(NotSigned) as refusal:
        taxes_of(receipt, planned.document, None)
    assert refusal.value.answer_class is AnswerClass.WAIT


def test_a_refund_has_the_rates_of_what_it_refers_to() -> None:
    receipt, planned = told(GENERAL)
    groups = (rates({"Ђ": "20"}, minutes=-600), rates({"Ђ": "22"}))
    refund = replace(
        planned.document,
        transaction_type=TransactionType.REFUND,
        referent_number=book.number_of(7),
        referent_time=book.NOON - timedelta(minutes=60),
    )
    assert taxes_of(receipt, refund, groups) == {TaxLabel.DJ: Decimal(20)}
    assert taxes_of(receipt, planned.document, groups) == {TaxLabel.DJ: Decimal("21.6393")}
