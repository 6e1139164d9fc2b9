"""The till's own confirmed sales: as rows of the list of receipts while the server is away, and as
acts under way on a receipt, of which the server may not know yet.

Receipts of other programs of the shop are missing then, and so is all that only the journal knows.
Source: till.md ("Receipts").
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_overview import ReceiptAct, ReceiptOverview, WhyNot
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.ports import SaleRepository
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState


@dataclass(frozen=True, slots=True)
class OwnSale:
    """A row of the list. at: the processor's time if it is known, else the time of the
    confirmation.

    number and request_id are None while the till knows of no receipt. kind is None for a copy,
    because the till does not know whether it copies a refund. total: positive, on a refund too.
    """

    key: str
    at: datetime
    number: str | None
    request_id: str | None
    kind: ReceiptKind | None
    total: Money
    payments: tuple[PaymentMethod, ...]
    cashier: str
    state: SaleState


@dataclass(frozen=True, slots=True)
class OwnSales:
    """Sales, the newest first. go_on: `after` for the next page, None at the end of the list."""

    rows: tuple[OwnSale, ...]
    go_on: int | None


def own_sales(sales: SaleRepository, *, after: int | None = None, most: int = 50) -> OwnSales:
    """Return at most `most` of the till's sales behind `after`, or from the newest on if `after` is
    None.

    Raises MachineError.
    """
    found = sales.last(most + 1, before=after)
    shown = found[:most]
    go_on = shown[-1].sequence if len(found) > most else None
    return OwnSales(tuple(map(_row, shown)), go_on)


def _row(sale: Sale) -> OwnSale:
    receipt = sale.receipt
    return OwnSale(
        key=sale.key,
        at=receipt.signed_at if receipt and receipt.signed_at else sale.frozen_at,
        number=receipt.fiscal_number if receipt else None,
        request_id=sale.receipt_id,
        kind=_kind_of(sale),
        total=sale.total,
        payments=tuple(method for method, _ in sale.money_taken.on_receipt.by_method),
        cashier=sale.cashier,
        state=sale.state,
    )


def _kind_of(sale: Sale) -> ReceiptKind | None:
    match sale.operation:
        case Operation.COPY:
            return None
        case Operation.REFUND:
            return ReceiptKind(sale.kind.invoice_type, TransactionType.REFUND)
        case Operation.ADVANCE:
            return ReceiptKind(InvoiceType.ADVANCE, TransactionType.SALE)
        case Operation.CLOSE:
            return ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE)
        case Operation.ISSUE:
            return ReceiptKind(sale.kind.invoice_type, TransactionType.SALE)


_HELD = frozenset({ReceiptAct.REFUND, ReceiptAct.ADVANCE, ReceiptAct.CLOSE})


def act_on(sales: SaleRepository, overview: ReceiptOverview) -> Sale | None:
    """The till's act on a receipt, or for an advance on its chain, whose outcome is not known yet.
    Raises MachineError."""
    is_advance = overview.invoice_type is InvoiceType.ADVANCE
    chain = (one.receipt_id for one in overview.chain) if is_advance else ()
    return next(iter(sales.under_way_on({overview.receipt_id, *chain})), None)


def held_by_own_act(sales: SaleRepository, overview: ReceiptOverview) -> ReceiptOverview:
    """The receipt without the acts that would come beside the till's own one on it, whose outcome
    is not known yet. Raises MachineError."""
    if act_on(sales, overview) is None:
        return overview
    acts = (
        replace(one, why_not=one.why_not or WhyNot.UNDER_WAY) if one.act in _HELD else one
        for one in overview.acts
    )
    return replace(overview, acts=tuple(acts))
