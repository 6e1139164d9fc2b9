"""Makes the goods of a refund's draft the returned goods of an exchange.

Source: till.md ("Receipts").
"""

from __future__ import annotations

from enum import StrEnum

from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.errors import NotAllowed
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.ticket import NOTHING_ADDED, TypedDetails


class ExchangeFault(StrEnum):
    """The reason why refundable goods can't be exchanged for others."""

    ADVANCE = "advance"
    PROFORMA = "proforma"
    TRAINING = "training"
    BY_HAND = "by_hand"
    """The journal does not hold the receipt."""
    PART_BY_CARD = "part_by_card"
    """A corporate card paid a part of the receipt. One new receipt can't be paid both by voucher
    alone, as the card requires, and by money (fiscal.md 6.7)."""


_FAULTS = {
    InvoiceType.ADVANCE: ExchangeFault.ADVANCE,
    InvoiceType.PROFORMA: ExchangeFault.PROFORMA,
    InvoiceType.TRAINING: ExchangeFault.TRAINING,
}


def exchange_fault(overview: ReceiptOverview) -> ExchangeFault | None:
    by_card = ExchangeFault.PART_BY_CARD if overview.most_in_money else None
    return _FAULTS.get(overview.invoice_type, by_card)


def goods_back(
    draft: RefundDraft, buyer: BuyerId, *, reason: str = "", lifted_by: str = ""
) -> GoodsBack:
    """The goods that come back. reason, lifted_by: as in `NewSale`. Raises NotAllowed if the
    receipt is no sale of goods, Invalid if no line is taken or the money can't go back that way."""
    overview = draft.overview
    if (
        exchange_fault(overview) is not None
        or overview.transaction_type is not TransactionType.SALE
    ):
        raise NotAllowed("not_exchangeable")
    draft.items()  # it raises Invalid where no line is taken
    way = draft.possible_way()
    return GoodsBack(
        receipt_id=overview.receipt_id,
        number=overview.number,
        taken={index: quantity for index, quantity in draft.taken.items() if quantity},
        is_whole=draft.is_whole,
        total=draft.total,
        payments=way.payments,
        given_away=draft.given_away,
        buyer_code=buyer.code,
        buyer_value=buyer.value,
        reason=reason,
        lifted_by=lifted_by,
    )


def card_of(overview: ReceiptOverview) -> TypedDetails:
    """The buyer who paid with a corporate card, or nothing. An exchange keeps the buyer, so that it
    does not turn the card's payment into money (fiscal.md 6.7)."""
    code, _, value = (overview.buyer or "").partition(":")
    centre_code, _, centre_value = (overview.cost_centre or "").partition(":")
    if overview.most_in_money is None or not centre_value:
        return NOTHING_ADDED
    return TypedDetails(
        buyer_code=code,
        buyer_value=value,
        buyer_sure=True,
        centre_code=centre_code,
        centre_value=centre_value,
    )
