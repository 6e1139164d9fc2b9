"""An advance: further payments, closing, the rows below the closing receipt (fiscal.md 6.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel, TaxRates
from pos_app.domain.receipt.esir_part import LoweredLine
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.operations import AdvancePayment, Closing, Operation
from pos_app.domain.receipt.receipt import SignedReceipt, TaxItem
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.advance_tax import taxes_of
from pos_app.fiscalization.plans.planned import AdvanceOrder, PlannedReceipt
from pos_app.fiscalization.refusals import NotSigned, WrongReceipt
from tests.sweep import each
from tests.unit.fiscalization.plans import book
from tests.unit.fiscalization.plans.book import (
    BASIS,
    BUYER,
    NOON,
    PDF,
    SELLER,
    Book,
    advance,
    closed,
    closing,
    known,
    line,
    number_of,
    paid_on,
    payments,
    reference,
    unknown,
)

TABLE = line("Сто/ком", "Ђ", "1", "12000.00", sku=7)
BOOK = line("Књига/ком", "Е", "1", "6000.00", sku=8)
DJ_PART = line("10: Аванс", "Ђ", "1", "4000.00")
E_PART = line("11: Аванс", "Е", "1", "2000.00")


def begun(order: AdvanceOrder, **paid: str) -> Book:
    return Book(advance(order, DJ_PART, E_PART, **(paid or {"card": "6000.00"})))


def paying(specification: dict[TaxLabel, Money] | None = None, **paid: str) -> AdvancePayment:
    return AdvancePayment(
        payments=payments(**paid), delivery=PDF, specification=specification or {}
    )


# --- further payments --------------------------------------------------------------------------


def test_a_further_payment_refers_to_the_last_advance_and_is_split_in_proportion() -> None:
    book = begun(known(TABLE, BOOK))
    book.add(paid_on(book, paying(card="100.00")), operation=Operation.ADVANCE)
    planned = paid_on(book, paying(wiretransfer="50.00"))
    assert planned.document.referent_number == number_of(2)
    assert planned.document.referent_time == reference(2).time
    seen = [(one.name, str(one.total)) for one in planned.document.lines]
    assert seen == [("10: Аванс", "33.33"), ("11: Аванс", "16.67")]
    assert planned.document.total == Money(50)


def test_what_is_left_of_an_advance_was_paid_on_all_its_receipts() -> None:
    book = begun(known(TABLE, BOOK))
    book.add(paid_on(book, paying(cash="50.00")), operation=Operation.ADVANCE)
    left = {PaymentMethod.CARD: Money(6000), PaymentMethod.CASH: Money(50)}
    assert [dict(book.chain.left_by_method(one)) for one in book.links] == [left, left]


@each(
    ("order", "request_", "field"),
    [
        (known(TABLE, BOOK), paying(card="12000.01"), "payments"),
        (known(TABLE, BOOK), paying(), "payments"),
        (known(TABLE, BOOK), paying({TaxLabel.E: Money("4000.01")}, card="4000.01"),
         "advanceSpecification.Е"),
        (unknown(TABLE, BOOK), paying(card="10.00"), "advanceSpecification"),
        (unknown(TABLE, BOOK), paying({TaxLabel.E: Money(9)}, card="10.00"),
         "advanceSpecification"),
        (unknown(TABLE, BOOK), paying({TaxLabel.A: Money(10)}, card="10.00"),
         "advanceSpecification.А"),
        (known(TABLE, BOOK), replace(paying(card="10.00"), pos_time=NOON - timedelta(days=1)),
         "posTime"),
        (known(TABLE, BOOK),
         replace(paying(wiretransfer="10.00"), pos_time=NOON + timedelta(days=1)), "posTime"),
    ],
)  # fmt: skip
def test_a_payment_that_does_not_fit_names_its_field(
    order: AdvanceOrder, request_: AdvancePayment, field: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        paid_on(begun(order), request_)
    assert refusal.value.field == field


@each("state", [RequestState.QUEUED, RequestState.SENDING, RequestState.NEEDS_HUMAN])
def test_payments_of_one_advance_go_one_after_the_other(state: RequestState) -> None:
    book = begun(known(TABLE, BOOK))
    book.add(paid_on(book, paying(card="1.00")), operation=Operation.ADVANCE, states=(state,))
    with pytest.raises(NotSigned) as refusal:
        paid_on(book, paying(card="1.00"))
    assert refusal.value.answer_class is AnswerClass.WAIT


@given(parts=st.lists(st.integers(1, 300_00), min_size=1, max_size=8), data=st.data())
def test_payments_fill_an_order_to_the_last_para_in_each_label(
    parts: list[int], data: st.DataObject
) -> None:
    total = sum(parts) + 2
    dj = data.draw(st.integers(1, total - 1))
    order = known(
        line("Сто", "Ђ", "1", str(Money(dj).amount / 100)),
        line("Књига", "Е", "1", str(Money(total - dj).amount / 100)),
    )
    book = Book()
    first = line("10: Аванс", "Ђ", "1", "0.01"), line("11: Аванс", "Е", "1", "0.01")
    book.add(advance(order, *first, card="0.02"))
    for part in parts:
        amount = str(Money(part).amount / 100)
        book.add(paid_on(book, paying(card=amount)), operation=Operation.ADVANCE)
    labels = {one.label: one.total for one in order.lines}
    assert book.chain.paid_by_label == labels


# --- closing -----------------------------------------------------------------------------------


def test_a_closing_refunds_all_advances_and_sells_the_items_at_full_price() -> None:
    book = begun(known(TABLE, BOOK), card="5000.00", cash="1000.00")
    book.add(paid_on(book, paying(wiretransfer="3000.00")), operation=Operation.ADVANCE)
    refund, sold = closed(book, closing(card="9000.00"))

    assert refund.document.invoice_type is InvoiceType.ADVANCE
    assert refund.document.transaction_type is TransactionType.REFUND
    assert refund.document.referent_number == number_of(2)
    assert refund.document.total == Money(9000)
    assert dict(refund.document.payments) == {
        PaymentMethod.CARD: Money(5000),
        PaymentMethod.CASH: Money(1000),
        PaymentMethod.WIRE_TRANSFER: Money(3000),
    }
    assert refund.document.buyer == str(SELLER)
    assert not refund.delivery.pdf

    assert sold.follows == 0
    assert sold.document.invoice_type is InvoiceType.NORMAL
    assert sold.document.lines == (TABLE, BOOK)
    assert sold.document.payments == ((PaymentMethod.CARD, Money(9000)),)
    assert sold.delivery.pdf
    assert sold.esir.last_advance == reference(2)
    figures = sold.esir.advance
    assert figures is not None
    assert (figures.paid, figures.remaining) == (Money(9000), Money(9000))
    assert figures.vat == Money("1272.73")  # 6000 × 20/120 + 3000 × 10/110
    furniture, books = (
        line("10: Аванс", "Ђ", "1", "643.95"),
        line("11: Аванс", "Е", "1", "113.36"),
    )
    other = Book(advance(unknown(TABLE, BOOK), furniture, books, card="757.31"))
    assert other.chain.vat_in_advance(()) == Money("117.64"), "107.33 + 10.31, line by line"


CHEAP = LoweredLine("Сто/ком", Money("13333.33"), Money("12000.00"), Percent(Decimal(10)))


def test_one_item_of_unknown_amount_keeps_its_quantity() -> None:
    """(Σ advances + payments) / quantity; the line total is exact (fiscal.md 6.2). A price that is
    worked out from what is paid is no discount."""
    book = Book()
    work = line("Радови/сат", "Ђ", "3", "1.00", sku=9)
    order = replace(unknown(work), lowered=(CHEAP,))
    book.add(advance(order, line("10: Аванс", "Ђ", "1", "100.00"), card="100.00"))
    _, sold = closed(book, closing(card="100.00"))
    (only,) = sold.document.lines
    assert (only.quantity, only.unit_price) == (work.quantity, Money("66.67"))
    assert (only.total, sold.esir.lowered) == (Money(200), ())


@each(
    ("order", "items", "request_", "field"),
    [
        (known(TABLE, BOOK), (), closing(card="11999.99"), "payments"),
        (known(TABLE, BOOK), (), closing(card="12000.01"), "payments"),
        (known(TABLE, BOOK), (), closing(), "payments"),
        (known(TABLE, BOOK), (TABLE,), closing(card="12000.00"), "items"),
        (unknown(TABLE, BOOK), (DJ_PART,), closing(), "items"),
        (unknown(TABLE, BOOK), (TABLE,), closing(card="5999.00"), "payments"),
    ],
)
def test_a_closing_that_does_not_fit_names_its_field(
    order: AdvanceOrder, items: tuple[FiscalLine, ...], request_: Closing, field: str
) -> None:
    with pytest.raises(Invalid) as refusal:
        closed(begun(order), request_, *items)
    assert refusal.value.field == field


@each(
    ("given_buyer", "of_advance", "expected"),
    [
        (BUYER, "11:0101990710006", str(BUYER)),
        (None, "11:0101990710006", "11:0101990710006"),
        (None, None, str(SELLER)),
    ],
)
def test_the_refund_of_a_closing_names_a_buyer(
    given_buyer: object, of_advance: str | None, expected: str
) -> None:
    book = Book(advance(known(TABLE), DJ_PART, buyer=of_advance, card="4000.00"))
    buyer = BUYER if given_buyer is BUYER else None
    request = replace(closing(card="8000.00"), buyer=buyer)
    refund, _ = closed(book, request)
    assert refund.document.buyer == expected
    nobody = replace(BASIS, seller=None)
    with pytest.raises(Invalid) as refusal:
        closed(begun(known(TABLE, BOOK)), closing(card="12000.00"), basis=nobody)
    assert refusal.value.field == "buyerId", "without any buyer it asks for one"


# --- the tax in an advance -----------------------------------------------------------------------

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
    """Rates in force so many minutes after noon; the receipt is signed a minute after noon."""
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
    with pytest.raises(NotSigned) as waits:
        taxes_of(receipt, planned.document, None)
    assert waits.value.answer_class is AnswerClass.WAIT, "rates that are not told yet"


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
