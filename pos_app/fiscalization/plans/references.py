"""The kinds of receipts to which another may refer by hand. Source: fiscal.md 6.3,
platform-contract.md 2.15."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from pos_app.domain.receipt.receipt_number import FiscalNumber
from pos_app.domain.receipt.request import InvoiceType, IssueRequest, ReceiptKind, TransactionType
from pos_app.domain.text.instant import day_of
from pos_app.errors import Invalid

_SALE, _REFUND = TransactionType.SALE, TransactionType.REFUND
_NUMBER, _TIME = "referentDocumentNumber", "referentDocumentDT"

MAY_REFER_TO: Mapping[ReceiptKind, frozenset[ReceiptKind]] = {
    ReceiptKind(InvoiceType.NORMAL, _SALE): frozenset(
        {
            ReceiptKind(InvoiceType.PROFORMA, _SALE),
            ReceiptKind(InvoiceType.ADVANCE, _REFUND),
            ReceiptKind(InvoiceType.NORMAL, _REFUND),  # to undo it (fiscal.md 6.6)
        }
    ),
    ReceiptKind(InvoiceType.ADVANCE, _SALE): frozenset({ReceiptKind(InvoiceType.ADVANCE, _SALE)}),
    ReceiptKind(InvoiceType.PROFORMA, _SALE): frozenset(),
    ReceiptKind(InvoiceType.TRAINING, _SALE): frozenset(),
    ReceiptKind(InvoiceType.NORMAL, _REFUND): frozenset({ReceiptKind(InvoiceType.NORMAL, _SALE)}),
    ReceiptKind(InvoiceType.ADVANCE, _REFUND): frozenset({ReceiptKind(InvoiceType.ADVANCE, _SALE)}),
    ReceiptKind(InvoiceType.PROFORMA, _REFUND): frozenset(
        {ReceiptKind(InvoiceType.PROFORMA, _SALE)}
    ),
    ReceiptKind(InvoiceType.TRAINING, _REFUND): frozenset(
        {ReceiptKind(InvoiceType.TRAINING, _SALE)}
    ),
}
"""Kind of a receipt -> the kinds that it may refer to; a refund always refers to one."""


def check_reference(
    request: IssueRequest, *, referent_kind: ReceiptKind | None, now: datetime
) -> None:
    """Check a reference. referent_kind: the kind of the receipt referred to, None where this
    journal lacks it. In that case little more than its time can be checked. Raises Invalid naming
    the field."""
    if request.referent_time is not None and request.referent_number is None:
        raise Invalid("time_alone", field=_TIME)
    kind = request.kind
    if request.referent_number is None:
        if request.transaction_type is _REFUND:
            raise Invalid("referent_required", field=_NUMBER)
        return
    if not MAY_REFER_TO[kind]:
        words = f'"{_NUMBER}" is not allowed on a {request.invoice_type} sale'
        raise Invalid("refund_only", field=_NUMBER, words=words)
    if referent_kind is not None and referent_kind not in MAY_REFER_TO[kind]:
        allowed = " or ".join(sorted(f"{each[0]} {each[1]}" for each in MAY_REFER_TO[kind]))
        raise Invalid(
            "other_kind",
            field=_NUMBER,
            named_type=referent_kind[0],
            named_kind=referent_kind[1],
            own_type=kind[0],
            own_kind=kind[1],
            allowed=allowed,
        )
    if request.referent_time is None:
        raise Invalid("time_required", field=_TIME)
    if referent_kind is None:
        _check_time(request.referent_number, request.referent_time, now)


def _check_time(number: str, time: datetime, now: datetime) -> None:
    """Check that a receipt was possible at that time, because a refund is taxed by its rates.
    Receipts of this journal are not checked, because their time is the processor's own."""
    if time > now:
        raise Invalid("time_future", field=_TIME)
    parsed = FiscalNumber.parse(number)
    if time < parsed.earliest:
        began = "VAT" if parsed.is_before_efiscalization else "e-fiscalization"
        raise Invalid("time_before", field=_TIME, began=began, day=day_of(parsed.earliest))
