"""Checks that the tax labels of a pair are in force, before its first receipt is sent.

With a label that has ended, the processor would sign the first receipt and refuse the second, and a
person would have to undo the first. A single receipt is left to the processor's own check.
Source: exactly-once.md step 9; fiscal.md 2 (refunds and copies have the rates of their referent).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.processor import PfrStatus
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.states import AnswerClass
from pos_app.domain.tax import TaxLabel, rates_at
from pos_app.fiscalization.ports import StateReason

INVALID_LABELS = "2310"


def label_fault(
    documents: Sequence[FiscalDocument], status: PfrStatus, *, now: datetime
) -> StateReason | None:
    """Why a pair can't be signed completely; None where it can, or no rates are known.

    documents: of the pair, in order. now: our clock, where the processor does not show its own.
    """
    for document in documents:
        label = _ended_label(document, status, now)
        if label is not None:
            message = f'"{label}" is not among the tax labels that the processor has for that time'
            return StateReason(AnswerClass.FIX, "label", f"{message}.", INVALID_LABELS)
    return None


def _ended_label(document: FiscalDocument, status: PfrStatus, now: datetime) -> TaxLabel | None:
    rates = rates_at(status.rates, _moment(document) or status.clock or now)
    if rates is None or not rates.percent:
        return None
    return next((label for label in document.by_label if label not in rates.percent), None)


def _moment(document: FiscalDocument) -> datetime | None:
    """The time whose rates apply; None: now, also where the referent is yet to be signed."""
    goes_back = (
        document.transaction_type is TransactionType.REFUND
        or document.invoice_type is InvoiceType.COPY
    )
    return document.referent_time if goes_back else None
