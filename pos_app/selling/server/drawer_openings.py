"""Openings of the drawer by hand, without a sale, are kept for the shop's owner, with the cashier.

An opening for a cash sale belongs to that sale and is not kept here.
Source: till.md ("Keys": F10; "Reports": drawer openings without a sale).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pos_app import errors, log
from pos_app.clock import Clock
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.server.ports import ServerReceiptPrinter

_log = log.get(__name__)


class OpeningOutcome(StrEnum):
    ASKED = "asked"
    """The opening is under way, or the till ended meanwhile: it may have opened."""
    OPENED = "opened"
    SHUT = "shut"
    """The drawer surely did not open."""
    UNKNOWN = "unknown"
    """The drawer may have opened."""


@dataclass(frozen=True, slots=True)
class DrawerOpening:
    """One opening by hand. at: UTC."""

    id: int
    at: datetime
    cashier: str
    outcome: OpeningOutcome


@dataclass(frozen=True, slots=True)
class DrawerShut:
    """The drawer did not open with a sale. since: UTC."""

    why: errors.RemoteError
    since: datetime


class DrawerLog(Protocol):
    """Openings by hand. Each is kept before the drawer is asked; none is ever removed.

    Raises DiskFull, DatabaseBusy, DatabaseDamaged.
    """

    def begin_opening(self, *, by: str, at: datetime) -> int:
        """Keep that a cashier opens the drawer, and return the opening's id. Survives a power
        cut."""

    def end_opening(self, opening_id: int, outcome: OpeningOutcome) -> None:
        """Keep the outcome, once. Raises NotAllowed when it is known already."""

    def openings(self, *, since: datetime) -> Sequence[DrawerOpening]:
        """The openings since then, the oldest first."""


async def open_by_hand(
    *, papers: ServerReceiptPrinter, openings: DrawerLog, clock: Clock, key: str, by: str
) -> None:
    """Open the drawer without a sale. key: minted for this act.

    Raises Refused and NotDelivered when the drawer surely stayed shut, OutcomeUnknown; a
    MachineError when the opening could not be kept: then the drawer was not asked. The outcome is
    reported also where it can't be kept.
    """
    opening_id = openings.begin_opening(by=by, at=clock.now())
    try:
        await papers.open_drawer(key=key, by=by)
    except errors.RemoteError as error:
        is_shut = isinstance(error, (errors.Refused, errors.NotDelivered))
        _save_outcome(
            openings, opening_id, OpeningOutcome.SHUT if is_shut else OpeningOutcome.UNKNOWN
        )
        raise
    _save_outcome(openings, opening_id, OpeningOutcome.OPENED)


def _save_outcome(openings: DrawerLog, opening_id: int, outcome: OpeningOutcome) -> None:
    """Keep the outcome. A failure is only logged, because a person would repeat a failed act, and
    the kept ASKED already says that the drawer may have opened."""
    try:
        openings.end_opening(opening_id, outcome)
    except errors.MachineError as error:
        _log.error(
            "opening %d of the drawer: %s, which is not kept: %s", opening_id, outcome, error
        )
