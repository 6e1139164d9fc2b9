"""Undoing a refund issued by mistake: a sale of the same lines that refers to it.

Source: fiscal.md 6.6 (an error is corrected by its opposite over the whole receipt, with the
seller's own PIB and a reference);
docs/decisions/0049-refund-undone-by-a-sale.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.esir_part import EsirPart
from pos_app.domain.receipt.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.receipt.receipt_overview import WhyNot
from pos_app.domain.receipt.request import (
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    ReceiptKind,
    TransactionType,
)
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import Invalid, NotAllowed
from pos_app.fiscalization.plans.basis import Basis, text_of
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.refusals import HALF_DONE, NotSigned


def plan_reversal(
    *, refund: PlannedReceipt, refused: PlannedReceipt, basis: Basis
) -> PlannedReceipt:
    """[Аванс-Продаја or Промет-Продаја] with the lines and payments of a signed refund.

    refused: the receipt that should have followed. The reversal stays in the shop: it is printed
    where `refused` would have been, and has no mail and no PDF link. Raises NotAllowed while the
    shop's own PIB is unknown.
    """
    if basis.seller is None:
        raise NotAllowed("own_pib_unknown")
    document = _opposite(refund.document, basis)
    paper = ReceiptDelivery(thermal=refused.delivery.thermal, a4=refused.delivery.a4)
    esir = EsirPart(is_reversal=True)
    return PlannedReceipt(document=document, esir=esir, delivery=paper, follows=0, is_reversal=True)


UNDOES = (
    ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
    ReceiptKind(InvoiceType.NORMAL, TransactionType.REFUND),
)
"""The kind of the undoing sale, and the kind of the undone refund. The sale refers to the refund,
and joins the chain."""
_REFERENT = "referentDocumentNumber"


def plan_undoing(
    *,
    request: IssueRequest,
    lines: Sequence[FiscalLine],
    refund: ChainReceipt,
    chain: Chain,
    basis: Basis,
) -> PlannedReceipt:
    """Plan a sale that refers to a signed refund and is its exact opposite, on the shop's own PIB.

    lines: the lines of the request. Raises Invalid where a member differs from the refund's, or the
    refund can't be undone; NotSigned (wait) while its pair is half-done or another undoing is under
    way.
    """
    if (why := undoing_obstacle(refund, chain)) is not None:
        _refuse(why)
    if basis.seller is None or request.buyer != basis.seller:
        raise Invalid("own_buyer", field=_REFERENT)
    document = _opposite(refund.planned.document, basis)
    if [_sold(line) for line in lines] != [_sold(line) for line in document.lines]:
        raise Invalid("items_of_refund", field="items")
    if basis.rules.recorded(request.payments.by_method) != document.payments:
        raise Invalid("items_of_refund", field="payments")
    reference = refund.reference
    return PlannedReceipt(
        document=replace(document, referent_number=reference.number, referent_time=reference.time),
        esir=EsirPart(additional_text=request.additional_text, is_reversal=True),
        delivery=ReceiptDelivery(thermal=request.delivery.thermal, a4=request.delivery.a4),
        is_reversal=True,
    )


def undoing_obstacle(refund: ChainReceipt, chain: Chain) -> WhyNot | None:
    """The reason why a receipt is no refund that can be undone now, or None."""
    invoice_type, transaction = refund.kind
    if transaction is not TransactionType.REFUND:
        return WhyNot.NOT_A_REFUND
    if refund.kind != UNDOES[1]:
        return WhyNot.IS_COPY if invoice_type is InvoiceType.COPY else WhyNot.IS_REFUND
    if refund.command_id in chain.reversed_commands:
        return WhyNot.UNDONE
    if any(link.command_id == refund.command_id for link in chain.half_done):
        return WhyNot.HALF_DONE
    if any(link.holds and chain.undoes(link, refund) for link in chain.links):
        return WhyNot.UNDER_WAY
    return None


def _refuse(why: WhyNot) -> None:
    match why:
        case WhyNot.HALF_DONE:
            raise NotSigned("copy_unsigned", answer_class=AnswerClass.WAIT, reason=HALF_DONE)
        case WhyNot.UNDER_WAY:
            raise NotSigned("reversal_under_way", answer_class=AnswerClass.WAIT)
        case _:
            raise Invalid("refund_undone", field=_REFERENT)


def _opposite(refund: FiscalDocument, basis: Basis) -> FiscalDocument:
    """The sale of the same lines and payments, on the shop's own PIB."""
    return replace(
        refund,
        transaction_type=TransactionType.SALE,
        lines=tuple(replace(line, origin=None) for line in refund.lines),
        cashier=basis.cashier,
        esir_number=basis.esir_number,
        buyer=text_of(basis.seller),
        cost_centre=None,
        referent_number=None,
        referent_time=None,
        pos_time=None,
    )


def _sold(line: FiscalLine) -> tuple[str, TaxLabel, Quantity, Money]:
    return line.name, line.label, line.quantity, line.total
