"""Which advances are open, each told from its chain in the journal.

Source: fiscal.md 6.2; till.md ("Advances").
"""

from __future__ import annotations

import asyncio

from pos_app import log
from pos_app.domain.open_advances import OpenAdvance, OpenAdvances
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.lifecycle import LifecycleStage, lifecycle_stage_of
from pos_app.fiscalization.ports import Journal
from pos_app.fiscalization.receipt_search import ReceiptSearch

_log = log.get(__name__)


async def open_advances(journal: Journal, search: ReceiptSearch) -> OpenAdvances:
    """The list says where money is left; what it is paid for is the journal's, so that what is told
    here and what an operation on it is refused for never differ. Raises MachineError."""
    paid = await search.paid_advances()
    found, is_whole = list[OpenAdvance](), paid.state.is_whole and not paid.state.left_out
    for chain_id in paid.chains:
        try:
            chain = journal.chain(chain_id)
            told = open_advance(chain)
        except DatabaseDamaged as error:
            _log.error("%s It is left out of the open advances (%s).", error.what, chain_id)
            is_whole = False
            continue
        if told is not None and _lacks_receipts(chain):
            is_whole = False
        elif told is not None:
            found.append(told)
        await asyncio.sleep(0)  # receipts are signed between two chains
    found.sort(key=lambda one: (one.touched, one.number), reverse=True)
    return OpenAdvances(tuple(found), is_whole)


def open_advance(chain: Chain) -> OpenAdvance | None:
    """None for a chain that no further payment can be made on, nor a closing."""
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
    )


def _lacks_receipts(chain: Chain) -> bool:
    """Whether a receipt was found after a restore whose lines nobody knows: how much of the advance
    is left is then not known either, and nothing can be done with it."""
    return any(link.is_signed and not link.planned.document.is_known for link in chain.links)
