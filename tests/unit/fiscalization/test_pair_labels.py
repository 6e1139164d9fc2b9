"""The labels of a pair are checked before its first receipt is sent (exactly-once.md step 9)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from pos_app.domain.money.tax import TaxRates
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup.processor import PfrStatus
from pos_app.fiscalization.lane.sending import label_fault
from tests.sweep import each
from tests.unit.fiscalization.plans.book import line, sale

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
BOTH = {"Ђ": Decimal(20), "Е": Decimal(10)}
ONE = {"Ђ": Decimal(20)}
ENDED = (TaxRates(NOON - 48 * HOUR, BOTH), TaxRates(NOON - HOUR, ONE))
TO_END = (TaxRates(NOON - 48 * HOUR, BOTH), TaxRates(NOON + HOUR, ONE))
TO_BEGIN = (TaxRates(NOON - 48 * HOUR, ONE), TaxRates(NOON + HOUR, BOTH))
SOLD = sale(line("Хлеб", "Ђ", "1", "10"), line("Сир", "Е", "1", "10"), card="20.00").document
BEFORE_ALL = (TaxRates(NOON + HOUR, ONE),)


def back(then: timedelta | None, *, kind: InvoiceType = InvoiceType.NORMAL) -> FiscalDocument:
    """A refund of something sold that long ago, or (None) of what is signed just before it."""
    return replace(
        SOLD,
        invoice_type=kind,
        transaction_type=TransactionType.REFUND,
        referent_time=None if then is None else NOON - then,
    )


OLD, NEW = back(24 * HOUR), back(timedelta(0))
COPY_TO_COME = back(None, kind=InvoiceType.COPY)
LONG_AGO = replace(SOLD, invoice_type=InvoiceType.COPY, referent_time=NOON - 24 * HOUR)


@each(
    ("rates", "documents", "fits"),
    [
        (TO_END, (OLD, SOLD), True),
        (ENDED, (OLD, SOLD), False),  # the advance was paid before the change, the sale is after it
        (ENDED, (OLD, COPY_TO_COME), False),
        (ENDED, (OLD, LONG_AGO), True),
        (ENDED, (NEW, LONG_AGO), False),
        (TO_BEGIN, (SOLD, LONG_AGO), False),
        ((), (OLD, SOLD), True),  # without rates the processor decides
        (BEFORE_ALL, (OLD, SOLD), True),
        ((TaxRates(NOON - HOUR, {}),), (SOLD,), True),
    ],
)
def test_a_label_without_a_rate_at_its_time_is_named(
    rates: tuple[TaxRates, ...], documents: tuple[FiscalDocument, ...], fits: bool
) -> None:
    status = PfrStatus("ABCD1234", NOON, 1, pin_required=False, rates=rates)
    fault = label_fault(documents, status, now=NOON + 24 * HOUR)
    if fits:
        assert fault is None
        return
    assert fault is not None
    assert (fault.answer_class, fault.pfr_code) == (AnswerClass.FIX, "2310")
    assert '"Е"' in fault.words


@each(("ours", "fits"), [(NOON - 2 * HOUR, True), (NOON, False)])
def test_a_processor_without_a_clock_is_asked_by_ours(ours: datetime, fits: bool) -> None:
    status = PfrStatus("ABCD1234", None, 1, pin_required=False, rates=ENDED)
    assert (label_fault((SOLD, SOLD), status, now=ours) is None) == fits
