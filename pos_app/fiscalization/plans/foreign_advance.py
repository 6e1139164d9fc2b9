"""An advance of another system is finished by a sale that refers to its refund, which was issued by
hand.

The caller closes such an advance by two requests, because the journal does not hold the advance.
Source: fiscal.md 6.2 (closing), 6.3 (closing sale → Аванс-Рефундација), 6.6.
"""

from __future__ import annotations

from dataclasses import replace

from pos_app.domain.money.tax import printed_total
from pos_app.domain.receipt.esir_part import AdvanceFigures, ReceiptReference
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.advance_tax import GivenRates
from pos_app.fiscalization.plans.chain import Chain, ChainReceipt
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.refusals import HALF_DONE, NotSigned, WrongReceipt

FINISHES: tuple[ReceiptKind, ReceiptKind] = (
    ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
    ReceiptKind(InvoiceType.ADVANCE, TransactionType.REFUND),
)
"""The kinds of the sale, and of the refund that it refers to. The sale joins the refund's chain."""
_REFERENT = "referentDocumentNumber"


def refund_to_finish(
    kind: ReceiptKind, referent: ChainReceipt | None, chain: Chain
) -> ChainReceipt | None:
    """The refund that a receipt of that kind finishes, or None.

    Each refund has only one sale. Raises Invalid on the reference if that sale is signed already,
    if the refund was undone, or if the advance is in this journal; NotSigned (wait) while another
    sale for the refund, or the refund's copy, is open.
    """
    if referent is None or (kind, referent.kind) != FINISHES:
        return None
    if referent.command_id in chain.reversed_commands:
        raise Invalid("refund_undone", field=_REFERENT)
    if chain.advances:
        raise Invalid("own_advance", field=_REFERENT)
    if chain.half_done:
        raise NotSigned("copy_unsigned", answer_class=AnswerClass.WAIT, reason=HALF_DONE)
    for sale in chain.links:
        if sale.kind == kind and sale.holds:
            _refuse(sale)
    return referent


def _refuse(sale: ChainReceipt) -> None:
    if sale.receipt is None:
        raise NotSigned("sale_under_way", answer_class=AnswerClass.WAIT)
    raise Invalid("already_sold", field=_REFERENT, number=sale.receipt.invoice_number)


def with_figures(
    sale: PlannedReceipt, refund: ChainReceipt, *, rates: GivenRates
) -> PlannedReceipt:
    """Add the figures of the advance. Raises Invalid on the reference where the refund's tax is
    unknown, NotSigned (wait)."""
    refunded = refund.planned.document
    assert refunded.referent_number is not None
    assert refunded.referent_time is not None
    try:
        vat = printed_total(refund.taxes(rates).values())
    except WrongReceipt as error:
        raise Invalid("wrong_referent", field=_REFERENT, why=error.what) from error
    figures = AdvanceFigures(refunded.total, vat, sale.document.total - refunded.total)
    last = ReceiptReference(refunded.referent_number, refunded.referent_time)
    return replace(sale, esir=replace(sale.esir, advance=figures, last_advance=last))
