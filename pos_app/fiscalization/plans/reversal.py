"""Undoing a refund issued by mistake: a sale of the same lines that refers to it.

Source: fiscal.md 6.6 (an error is corrected by its opposite over the whole receipt, with the
seller's own PIB and a reference);
docs/decisions/0049-refund-undone-by-a-sale.md.
"""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.esir_part import EsirPart
from pos_app.domain.request import ReceiptDelivery, TransactionType
from pos_app.errors import NotAllowed
from pos_app.fiscalization.plans.basis import Basis, text_of
from pos_app.fiscalization.plans.planned import PlannedReceipt


def plan_reversal(
    *, refund: PlannedReceipt, refused: PlannedReceipt, basis: Basis
) -> PlannedReceipt:
    """[Аванс-Продаја or Промет-Продаја] with the lines and payments of a signed refund.

    refused: the receipt that should have followed; the reversal is printed where that would have
    been, but neither mailed nor linked, because it stays in the shop. Raises NotAllowed while the
    shop's own PIB is not known.
    """
    if basis.seller is None:
        raise NotAllowed(
            "A reversal names the shop's own PIB as its buyer, and that is not known.",
            safe="Nothing was changed.",
            do='Set "esir.seller_pib" and try again.',
        )
    document = replace(
        refund.document,
        transaction_type=TransactionType.SALE,
        lines=tuple(replace(line, origin=None) for line in refund.document.lines),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=text_of(basis.seller),
        cost_centre=None,
        referent_number=None,
        referent_time=None,
        pos_time=None,
    )
    paper = ReceiptDelivery(thermal=refused.delivery.thermal, a4=refused.delivery.a4)
    esir = EsirPart(is_reversal=True)
    return PlannedReceipt(document=document, esir=esir, delivery=paper, follows=0, is_reversal=True)
