"""What the list and the receipt say, in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from pos_app.cashier.receipt_words import is_given_back, kind_words, short, signed_amount
from pos_app.cashier.receipts.rows import ReceiptRow
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.tokens import Token
from pos_app.domain.instant import day_of, in_belgrade
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.receipt_list import HandOver, ListedReceipt

TILL = "till:"
"""Begins the origin of what this shop's till asked for."""
_STATES: Mapping[HandOver, tuple[str, Token]] = MappingProxyType(
    {
        HandOver.NOT_PRINTED: ("printer-x", "danger"),
        HandOver.PRINT_UNPROVEN: ("printer-x", "warn"),
        HandOver.MAIL_FAILED: ("mail", "danger"),
        HandOver.MAIL_UNPROVEN: ("mail", "warn"),
        HandOver.WAITING: ("clock", "info"),
        HandOver.MAIL_WAITS: ("clock", "info"),
        HandOver.DONE: ("check", "ok"),
        HandOver.DROPPED: ("x", "ink_3"),
        HandOver.STAYS_HERE: ("", "ink_3"),
        HandOver.NONE: ("", "ink_3"),
        HandOver.UNKNOWN: ("", "ink_3"),
    }
)


def payment_words(payments: tuple[PaymentMethod, ...], texts: Texts) -> str:
    """One by name, several as such; "–" where nothing was paid."""
    if not payments:
        return "–"
    if len(payments) > 1:
        return texts("receipts.several")
    return texts(f"pay.method.{payments[0]}")


def row_of(receipt: ListedReceipt, texts: Texts, *, now: datetime) -> ReceiptRow:
    """A row of the list. now: an hour of today is told without its day."""
    local, is_today = in_belgrade(receipt.at), day_of(receipt.at) == day_of(now)
    kind, handed_over = receipt.kind, receipt.handed_over
    icon, ink = _STATES[handed_over]
    is_turnover = kind.invoice_type.is_fiscal
    return ReceiptRow(
        time=local.strftime("%H:%M") if is_today else f"{local.day}.{local.month}.",
        number=short(receipt.number),
        kind=kind_words(kind, texts),
        detail=_detail(receipt, texts),
        mark="" if receipt.program.startswith(TILL) else receipt.program,
        payment=payment_words(receipt.payments if is_turnover else (), texts),
        amount=signed_amount(kind, receipt.total),
        is_given_back=is_given_back(kind),
        icon=icon,
        ink=ink,
        state=texts(f"receipts.state.{handed_over}"),
    )


def _detail(receipt: ListedReceipt, texts: Texts) -> str:
    """The receipt that it refers to, else its buyer."""
    if receipt.referent:
        return texts("receipts.refers", number=short(receipt.referent))
    if receipt.buyer:
        code, _, number = receipt.buyer.partition(":")
        is_firm = code in ("10", "12") and number
        return texts("receipts.tin", number=number) if is_firm else texts("receipts.has_buyer")
    return ""
