"""An open advance is read from its chain, by the rules that refuse an operation on it.

Source: fiscal.md 6.2; till.md ("Advances").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pos_app.domain.receipt.open_advances import OpenAdvance, OpenAdvances, in_order, proforma_named
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.lifecycle import LifecycleStage, lifecycle_stage_of
from pos_app.fiscalization.ports import Journal


def open_advance(chain: Chain) -> OpenAdvance | None:
    """The open advance of a chain, or None where neither a further payment nor a closing is
    possible. Only its signed receipts count, so it changes only when one more is signed. It stays
    open while only the refund of its closing is signed."""
    numbers = tuple(link.receipt.invoice_number for link in chain.links if link.receipt)
    chain = chain.before_half_closing
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
        numbers=numbers,
        buyer=chain.buyer,
        total=order.total if order.is_known else None,
        proforma=proforma_named(first.planned.esir.additional_text),
    )


def lacks_receipts(chain: Chain) -> bool:
    """Whether a receipt with unknown lines was found after a restore: then the rest of the advance
    is unknown too, and no operation on it is possible."""
    return any(link.is_signed and not link.planned.document.is_known for link in chain.links)


def with_acts(listed: OpenAdvances, journal: Journal) -> OpenAdvances:
    """Say of each advance whether an act on it is under way. An advance whose closing is half-done
    is added, because the list counts its signed refund. Raises MachineError."""
    rows = {row.numbers[0]: row for row in listed.advances}
    for chain in _chains_under_way(journal):
        row = open_advance(chain)
        if row is not None:
            rows[row.numbers[0]] = replace(row, under_way=True)
    return replace(listed, advances=in_order(rows.values()))


def _chains_under_way(journal: Journal) -> Iterator[Chain]:
    waiting = [one for command in journal.half_done() for one in journal.requests_of(command)]
    requests = (*journal.open_requests(), *waiting)
    for name in {one.chain for one in requests if one.chain != one.id}:
        try:
            chain = journal.chain(name)
        except DatabaseDamaged:
            continue
        if chain.began_here and not lacks_receipts(chain):
            yield chain
