"""What stands on the left of Attention: one row for each thing that waits or is solved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from pos_app.cashier.storage_faults import StorageFault, StorageFaults, Where
from pos_app.domain.instant import day_of
from pos_app.domain.money import Money
from pos_app.domain.server_status import (
    Alarm,
    DeliveryJob,
    JournalRestored,
    OfferedElement,
    OpenReceipt,
    ReceiptInDoubt,
    RefusedCaller,
)
from pos_app.domain.states import AlarmKind
from pos_app.errors import OutcomeUnknown, RemoteError
from pos_app.selling.attention import NEEDS_YOU, OF_ALARM, OF_JOB, AttentionItem, AttentionKind
from pos_app.selling.drawer import DrawerShut
from pos_app.selling.pair_decisions import PairDecision
from pos_app.selling.sale import Sale, SoldUnknown
from pos_app.selling.sale_state import SaleState
from pos_app.selling.server_watch import ServerView
from pos_app.selling.ticket import Ticket

CORRECTION = "correction"
"""Reason of a sale that is cancelled to be corrected; its lines wait to be taken back."""


_OF_STORAGE = {
    Where.TILL: AttentionKind.STORAGE_FAILS,
    Where.CATALOGUE: AttentionKind.CATALOGUE_FAILS,
}

SERVER = "server"
"""Id of the row about the server itself."""
DRAWER = "drawer"
"""Id of the row about the drawer."""
_MORE = "more jobs"


class Group(StrEnum):
    """Who must act."""

    NEEDS_YOU = "needs_you"
    GOES_ON = "goes_on"
    FOR_KNOWING = "for_knowing"
    """Nobody need act."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing on the left. since: UTC.

    id: key of the sale, else id of the receipt, or one of our own that stays while it is shown.

    sale: None for what another program asked for. item: what the core says of it.
    """

    id: str
    what: AttentionKind
    total: Money | None
    since: datetime
    sale: Sale | None = None
    item: AttentionItem | None = None
    doubt: ReceiptInDoubt | None = None
    receipt_id: str | None = None
    alarm: Alarm | None = None
    callers: tuple[RefusedCaller, ...] = ()
    """Those that were refused alike, the newest first."""
    to_complete: tuple[SoldUnknown, ...] = ()
    job: DeliveryJob | None = None
    left_off: int = 0
    """How many there are beside those that have rows."""
    trouble: StorageFault | None = None
    decision: PairDecision | None = None
    restored: JournalRestored | None = None
    offered: OfferedElement | None = None
    carts: tuple[Ticket, ...] = ()
    drawer: RemoteError | None = None
    """Why it did not open."""

    @property
    def group(self) -> Group:
        """Who must act."""
        if self.what in (
            AttentionKind.MORE_UNDELIVERED,
            AttentionKind.REFUSED_CALLER,
            AttentionKind.TO_COMPLETE,
        ):
            return Group.FOR_KNOWING
        return Group.NEEDS_YOU if self.what in NEEDS_YOU else Group.GOES_ON


def waits_for_taking_back(sale: Sale) -> bool:
    """Whether it was cancelled to be corrected, and its lines are not yet in a cart."""
    cancelled = sale.state is SaleState.CANCELLED and sale.drop_reason == CORRECTION
    return cancelled and not sale.shown


def correction_is_over(sale: Sale) -> bool:
    """Whether a correction came to its end: taken back, or signed after all."""
    return sale.shown or sale.state is SaleState.DONE


def to_take_back(sale: Sale) -> Row:
    """The row of a sale that can be corrected now."""
    return Row(sale.key, AttentionKind.TAKE_BACK, sale.total, sale.frozen_at, sale)


def server_row(view: ServerView) -> Row | None:
    """The row of a server that does not come by itself; None while all is well with it."""
    if not view.is_troubled or view.troubled_since is None:
        return None
    return Row(SERVER, AttentionKind.SERVER_FAILS, None, view.troubled_since)


def storage_rows(faults: StorageFaults) -> list[Row]:
    """A row for each file of this till that can't be read or written."""
    troubles = ((what, faults.of(where)) for where, what in _OF_STORAGE.items())
    return [
        Row(f"storage {what}", what, None, trouble.since, trouble=trouble)
        for what, trouble in troubles
        if trouble is not None
    ]


def alarm_row(alarm: Alarm) -> Row:
    """The row of what a manager has to see; what is alike is one."""
    late = alarm.what is AlarmKind.LATE_RECEIPT
    return Row(
        id=f"alarm {alarm.id}" if late else " ".join(("alarm", alarm.what, *alarm.differs)),
        what=OF_ALARM[alarm.what],
        total=alarm.total,
        since=alarm.at,
        receipt_id=alarm.receipt_id,
        alarm=alarm,
    )


def job_row_id(job: DeliveryJob) -> str:
    """The id of its row."""
    return f"job {job.id}"


def job_row(job: DeliveryJob) -> Row:
    """The row of what was tried and is not printed or sent."""
    what = OF_JOB[job.state]
    return Row(id=job_row_id(job), what=what, total=job.total, since=job.since, job=job)


def repeated_row(job: DeliveryJob) -> Row:
    """The row of what a person wanted once more, until it is known how it ended."""
    return replace(job_row(job), what=AttentionKind.DELIVERY_REPEATED)


def drawer_row(shut: DrawerShut) -> Row:
    """The row of a drawer that did not open with the last sale."""
    is_unknown = isinstance(shut.why, OutcomeUnknown)
    what = AttentionKind.DRAWER_UNKNOWN if is_unknown else AttentionKind.DRAWER_SHUT
    return Row(DRAWER, what, None, shut.since, drawer=shut.why)


def more_undelivered_row(jobs: Sequence[DeliveryJob], left_off: int) -> Row | None:
    """The row of those that the server only counted, as old as the oldest it told."""
    if not left_off or not jobs:
        return None
    since = min(job.since for job in jobs)
    return Row(_MORE, AttentionKind.MORE_UNDELIVERED, None, since, left_off=left_off)


def more_sales_row(what: AttentionKind, shown: Sequence[Sale], left_off: int) -> Row | None:
    """The row of sales that are only counted, as old as the last that has a row."""
    if left_off <= 0 or not shown:
        return None
    return Row(what, what, None, shown[-1].frozen_at, left_off=left_off)


def caller_rows(callers: Iterable[RefusedCaller], *, now: datetime) -> list[Row]:
    """Callers that the server refused today, a row for each who came the same way."""
    today = day_of(now)
    alike: dict[tuple[str, str], list[RefusedCaller]] = {}
    for one in callers:
        if day_of(one.at) == today:
            alike.setdefault((one.reason, one.origin or one.host), []).append(one)
    return [
        Row(
            f"caller {reason} {who}",
            AttentionKind.REFUSED_CALLER,
            None,
            same[0].at,
            callers=tuple(same),
        )
        for (reason, who), same in alike.items()
    ]


def foreign_row(receipt: OpenReceipt, doubt: ReceiptInDoubt | None) -> Row:
    """The row of what another program asked for: a doubt, or a pair that is half done."""
    return Row(
        id=receipt.receipt_id,
        what=AttentionKind.HALF_DONE if receipt.half_done else AttentionKind.FOREIGN_DOUBT,
        total=receipt.total,
        since=receipt.since,
        doubt=doubt,
        receipt_id=receipt.receipt_id,
    )


def decided_row(decision: PairDecision) -> Row:
    """The row of a pair that a manager ended."""
    return Row(
        id=decision.receipt_id,
        what=AttentionKind.SOLVED,
        total=decision.total,
        since=decision.at,
        receipt_id=decision.receipt_id,
        decision=decision,
    )


def is_of(doubt: ReceiptInDoubt, item: AttentionItem) -> bool:
    """Whether a doubt of the server is about this sale."""
    by_id = item.receipt_id is not None and doubt.receipt_id == item.receipt_id
    return by_id or doubt.key == item.key
