"""Finds what stands when a till is closed: paid sales without a receipt, an open shift, work
under way.

Source: till.md ("Closing the till").
"""

from __future__ import annotations

from pos_app.cashier.window.frame import Busy, Frame
from pos_app.domain.money.money import Money
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.bulk_act import ActState, BulkAct
from pos_app.selling.sale.state import SaleState
from pos_app.selling.shift.shift import Shift


@dataclass(frozen=True, slots=True)
class WhatStands:
    """waiting, doubtful, refused: paid sales without a receipt: those that are sent by themselves,
    those whose receipt may exist, and those that a person decides on. received: the money received
    for carts and an advance that are not confirmed. shift: the open one. outgoing: receipts and
    papers that are neither printed nor sent yet. is_unread: the till's file can't be read, so the
    numbers and the shift are unknown. works: the work under way; act: how far the change of many
    articles among it is."""

    waiting: int = 0
    doubtful: int = 0
    refused: int = 0
    is_unread: bool = False
    received: Money = Money.ZERO
    shift: Shift | None = None
    outgoing: int = 0
    works: tuple[Busy, ...] = ()
    act: BulkAct | None = None

    @property
    def is_nothing(self) -> bool:
        return self == WhatStands()


def what_stands(frame: Frame) -> WhatStands:
    services = frame.services
    works, act = _with_act(frame)
    if services.sync is not None and services.sync.progress is not None:
        works = (*works, Busy.SYNC)
    if services.updates is not None and services.updates.fetched is not None:
        works = (*works, Busy.DOWNLOAD)
    status = services.server.status
    jobs = len(status.jobs) if status is not None else 0
    try:
        counts = services.sales.counts()
        return WhatStands(
            waiting=counts[SaleState.FROZEN] + counts[SaleState.SENDING],
            doubtful=counts[SaleState.DOUBT],
            refused=counts[SaleState.REFUSED],
            received=frame.received,
            shift=services.shifts.open_shift(),
            outgoing=jobs + len(services.shifts.owed()),
            works=works,
            act=act,
        )
    except MachineError:
        return WhatStands(is_unread=True, outgoing=jobs, works=works, act=act)


def _with_act(frame: Frame) -> tuple[tuple[Busy, ...], BulkAct | None]:
    """Return the work under way, and the change of many articles. One that does not run is carried
    on by itself (a moment after the opening, or at the next one), unless somebody stopped it: that
    one waits in Attention."""
    works = frame.busy_with
    try:
        act = frame.services.catalogue.facts().bulk_act
    except MachineError:  # Attention tells of it
        act = None
    if Busy.ACT in works:
        planned = tuple(Busy.PLAN if one is Busy.ACT else one for one in works)
        return (planned if act is None else works), act
    if act is None or act.state is ActState.STOPPED:
        return works, None
    return (*works, Busy.ACT), act
