"""Corporate cards (cost centre 50) are paid and refunded by voucher only.

The law prescribes the payment (voucher) and the cost centre, but nothing about refunds; refunding
money for a card payment would turn the card into money. Source: fiscal.md 5 and 6.7.
"""

from __future__ import annotations

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import CostCentre
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.operations import Refunding
from pos_app.domain.receipt.request import InvoiceType
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt


def centre_of_refund(sold: ChainReceipt, request: Refunding) -> CostCentre | None:
    """The cost centre of a refund: the requested one, else the card by which its buyer paid."""
    if request.cost_centre is not None:
        return request.cost_centre
    centre, buyer = _centre(sold.planned.document), sold.planned.document.buyer
    by_voucher = request.payments.total == request.payments.amount(PaymentMethod.VOUCHER)
    if centre is None or not centre.is_corporate_card or not by_voucher:
        return None
    return centre if buyer == str(request.buyer) else None


def check_given_back(refund: FiscalDocument, sold: ChainReceipt, chain: Chain) -> None:
    """Check that no more money is refunded than was paid in money. sold: a sale, or any of its
    advances.

    | sold                                 | given back before | now      |          |
    | 300 on a card                        | –                 | cash 1   | refused  |
    | 100 in cash, 200 on a card (advance) | –                 | cash 100 | fits     |
    | 200 in cash, after 100 on a card     | cash 100          | cash 101 | refused  |
    | 300 on a card, a refund reversed     | –                 | cash 1   | refused  |

    Raises Invalid on "payments".
    """
    most = most_in_money(sold, chain)
    if most is not None and _in_money(refund) > most:
        on_card = Money.total(_on_card(link.planned.document) for link in _sales(sold, chain))
        raise Invalid("voucher", field="payments", on_card=on_card)


def most_in_money(sold: ChainReceipt, chain: Chain) -> Money | None:
    """The part of a sale or an advance that may still be refunded in money. It is None, for all of
    it, if no corporate card paid."""
    sales = _sales(sold, chain)
    on_card = Money.total(_on_card(link.planned.document) for link in sales)
    if not on_card:
        return None
    total = sold.planned.document.total
    if sold.kind[0] is InvoiceType.ADVANCE:
        total = Money.total(link.planned.document.total for link in sales)
    before = Money.total(_in_money(link.planned.document) for link in chain.refunds_of(sold))
    return total - on_card - before


def _sales(sold: ChainReceipt, chain: Chain) -> tuple[ChainReceipt, ...]:
    if sold.kind[0] is InvoiceType.ADVANCE:
        return chain.paid_advances
    return (sold, *chain.paid_advances) if sold in chain.closing else (sold,)


def _on_card(document: FiscalDocument) -> Money:
    centre = _centre(document)
    is_card = centre is not None and centre.is_corporate_card
    return document.paid_by(PaymentMethod.VOUCHER) if is_card else Money.ZERO


def _in_money(document: FiscalDocument) -> Money:
    return document.paid - document.paid_by(PaymentMethod.VOUCHER)


def _centre(document: FiscalDocument) -> CostCentre | None:
    return None if document.cost_centre is None else CostCentre.parse(document.cost_centre)
