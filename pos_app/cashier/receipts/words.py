"""The words of a row of the list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType

from pos_app.cashier.receipts.model import Row
from pos_app.cashier.receipts.rows import ReceiptRow
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.words import receipt_words
from pos_app.cashier.words.buyer_words import buyer_words
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receipt_list import TILL_PROGRAM, HandOver, ListedReceipt
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.text.instant import day_of, in_belgrade
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.receipts.own_sales import OwnSale
from pos_app.selling.sale.state import SaleState

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
_OWN_STATES: Mapping[SaleState, tuple[str, Token]] = MappingProxyType(
    {
        SaleState.FROZEN: ("clock", "info"),
        SaleState.SENDING: ("clock", "info"),
        SaleState.CANCELLING: ("clock", "info"),
        SaleState.DONE: ("check", "ok"),
        SaleState.DOUBT: ("circle-question-mark", "warn"),
        SaleState.REFUSED: ("circle-alert", "danger"),
        SaleState.CANCELLED: ("x", "ink_3"),
    }
)
_COPY = ReceiptKind(InvoiceType.COPY, TransactionType.SALE)


@dataclass(frozen=True, slots=True)
class ReceiptRowWords:
    """Puts rows into words. now: times of its day are written without a date. one_day: all rows are
    of one day, shown elsewhere. is_exchange: a request belongs to an exchange."""

    texts: Texts
    now: datetime
    one_day: bool
    is_exchange: Callable[[str], bool]

    def row(self, row: Row) -> ReceiptRow:
        return self._own(row) if isinstance(row, OwnSale) else self._listed(row)

    def _listed(self, receipt: ListedReceipt) -> ReceiptRow:
        kind, handed_over = receipt.kind, receipt.handed_over
        icon, ink = _STATES[handed_over]
        is_turnover = kind.invoice_type.is_fiscal
        return ReceiptRow(
            time=self._time(receipt.at, one_day=self.one_day),
            number=receipt_words.short_number(receipt.number),
            kind=receipt_words.kind_words(kind, self.texts),
            short_kind=receipt_words.link_words(kind, self.texts),
            detail=_detail(receipt, self.texts),
            mark=self._mark(receipt),
            payment=payment_words(receipt.payments if is_turnover else (), self.texts),
            amount=receipt_words.signed_amount(kind, receipt.total),
            icon=icon,
            ink=ink,
            state=self.texts(f"receipts.state.{handed_over}"),
        )

    def _mark(self, receipt: ListedReceipt) -> str:
        """The name of another program, or that the receipt belongs to an exchange of this till."""
        if not receipt.program.startswith(TILL_PROGRAM):
            return receipt_words.program_words(receipt.program, self.texts)
        return self._exchange(receipt.request_id)

    def _exchange(self, request_id: str | None) -> str:
        is_half = request_id is not None and self.is_exchange(request_id)
        return self.texts("receipts.exchange") if is_half else ""

    def _own(self, sale: OwnSale) -> ReceiptRow:
        icon, ink = _OWN_STATES[sale.state]
        kind = sale.kind
        return ReceiptRow(
            time=self._time(sale.at, one_day=False),
            number=receipt_words.short_number(sale.number or "–"),
            kind=own_kind_words(sale, self.texts),
            short_kind=receipt_words.link_words(kind or _COPY, self.texts),
            detail="",
            mark=self._exchange(sale.request_id),
            payment=payment_words(sale.payments, self.texts),
            amount=amount_text(sale.total)
            if kind is None
            else receipt_words.signed_amount(kind, sale.total),
            icon=icon,
            ink=ink,
            state=self.texts(f"receipts.own.{sale.state}"),
        )

    def _time(self, at: datetime, *, one_day: bool) -> str:
        """The time of day where the day is known, else the day; of another year with that year."""
        local, today = in_belgrade(at), in_belgrade(self.now)
        if one_day or day_of(at) == day_of(self.now):
            return local.strftime("%H:%M")
        day = f"{local.day}.{local.month}."
        return day if local.year == today.year else f"{day}{local.year % 100:02}."


def widest_time(times: Iterable[datetime], *, now: datetime, one_day: bool) -> str:
    """The form of the widest time that rows with these times show."""
    if one_day:
        return "00:00"
    year = in_belgrade(now).year
    return "00.00." if all(in_belgrade(at).year == year for at in times) else "00.00.00."


def payment_words(payments: tuple[PaymentMethod, ...], texts: Texts) -> str:
    """The name of the only method, a word for several, or "–" where nothing was paid."""
    if not payments:
        return "–"
    if len(payments) > 1:
        return texts("receipts.several")
    return texts(f"pay.method.{payments[0]}")


def own_kind_words(sale: OwnSale, texts: Texts) -> str:
    """The kind of the receipt. The till does not know the kind of a copy's original."""
    return (
        receipt_words.link_words(_COPY, texts)
        if sale.kind is None
        else receipt_words.kind_words(sale.kind, texts)
    )


def _detail(receipt: ListedReceipt, texts: Texts) -> str:
    if receipt.referent:
        return texts("receipts.refers", number=receipt_words.short_number(receipt.referent))
    return buyer_words(receipt.buyer or "", texts)
