"""An open advance is read from its chain, by the rules that refuse an operation on it.

Source: fiscal.md 6.2; till.md ("Advances").
"""

from __future__ import annotations

from pos_app.domain.receipt.open_advances import OpenAdvance, proforma_named
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.lifecycle import LifecycleStage, lifecycle_stage_of


def open_advance(chain: Chain) -> OpenAdvance | None:
    """The open advance of a chain, or None where neither a further payment nor a closing is
    possible. Only its signed receipts count, so it changes only when one more is signed."""
    payments = chain.paid_advances
    if not payments or lifecycle_stage_of(payments[0], chain) is not LifecycleStage.OPEN:
        return None
    first, last, order = payments[0], payments[-1], chain.order
    moved = [link.reference.time for link in (*payments, *chain.given_back)]
    return OpenAdvance(
        receipt_id=last.id,
        number=last.reference.number,
        time=last.reference.time,
        since=first.reference.time,
        touched=max(moved),
        paid=chain.paid_in_advance,
        ordered=order.lines[0].name,
        lines=len(order.lines),
        numbers=tuple(link.receipt.invoice_number for link in chain.links if link.receipt),
        buyer=chain.buyer,
        total=order.total if order.is_known else None,
        proforma=proforma_named(first.planned.esir.additional_text),
    )


def lacks_receipts(chain: Chain) -> bool:
    """Whether a receipt with unknown lines was found after a restore: then the rest of the advance
    is unknown too, and no operation on it is possible."""
    return any(link.is_signed and not link.planned.document.is_known for link in chain.links)
