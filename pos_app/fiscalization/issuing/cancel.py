"""Cancels a key: the server confirms that nothing was signed for the key, and nothing will be.

Source: exactly-once.md, "States of a request on the server".
"""

from __future__ import annotations

from datetime import datetime

from pos_app.domain.receipt import states
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.errors import NotAllowed
from pos_app.fiscalization import ports
from pos_app.fiscalization.issuing.after_restore import not_deniable
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.refusals import NotSigned
from pos_app.fiscalization.service import FiscalService

_CANCELLABLE = frozenset(
    {states.RequestState.QUEUED, states.RequestState.RELEASED, states.RequestState.REJECTED}
)


def cancel(
    *, service: FiscalService, origin: str, key: str, cashier: str, epoch: str | None = None
) -> states.RequestState:
    """Cancel a key that surely has no receipt; a key never seen becomes a tombstone.

    epoch: the last restore before the key was made. Raises NotAllowed for a key in another state,
    with this `state`, which the caller must accept; NotSigned (wait) while the state is unknown.
    Only the state decides, so the content of the command need not be readable.
    """
    journal, now = service.journal, service.clock.now()
    command_id = receipt_id(origin=origin, key=key)
    found = journal.statuses_of(command_id)
    reason = ports.StateReason(states.AnswerClass.FIX, "cancelled", "The till cancelled this sale.")
    why_not = not_deniable(service, found, is_till=True, epoch=epoch)
    if why_not == states.RESTORED and journal.restores.restored() is not None:
        raise NotAllowed("restored", state=states.RESTORED)
    if why_not is not None:
        raise NotSigned(
            "perhaps_signed", answer_class=states.AnswerClass.WAIT, reason=states.NOT_COMPARED
        )
    if not found:
        command = _tombstone(origin, key, cashier, now)
        journal.add_command(command, [_cancelled_request(command, reason)])
        return states.RequestState.CANCELLED
    waiting = [status for status in found if status.state is not states.RequestState.CANCELLED]
    if ports.is_undone(waiting):
        raise NotAllowed("undone", state=states.REVERSED)
    for status in waiting:
        if status.state not in _CANCELLABLE:
            raise NotAllowed("not_cancellable", state=status.state)
    journal.cancel(command_id, reason=reason, now=now)
    for status in waiting:
        service.lane.changes.announce(status.id)
    return states.RequestState.CANCELLED


def _tombstone(origin: str, key: str, cashier: str, now: datetime) -> ports.Command:
    return ports.Command(
        id=receipt_id(origin=origin, key=key),
        origin=origin,
        key=key,
        keyless=False,
        operation=Operation.ISSUE,
        cashier=cashier,
        body=b"",
        body_hash=b"",
        facts=(),
        accepted_at=now,
    )


def _cancelled_request(command: ports.Command, reason: ports.StateReason) -> ports.Request:
    nothing = FiscalDocument(
        InvoiceType.NORMAL, TransactionType.SALE, lines=(), payments=(), cashier=command.cashier
    )
    return ports.Request(
        id=command.id,
        command_id=command.id,
        child=0,
        lane="",
        state=states.RequestState.CANCELLED,
        pfr_request_id="",
        planned=PlannedReceipt(document=nothing),
        chain=command.id,
        attempt=0,
        changed_at=command.accepted_at,
        reason=reason,
    )
