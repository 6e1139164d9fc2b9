"""Backups: what a set of copies is, which of them are kept, when the next one is due, and what
would be missing after one was put back.

Sources: architecture.md ("Programs and files"), exactly-once.md ("Restores").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from pos_app.domain.instant import in_belgrade
from pos_app.domain.money import Money
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass

NEWEST = 7
WEEKS = 8
STILL_SECONDS = 300
"""For so long nobody touches the till, or asks the server, before the copy of a day is made."""
OVERDUE = timedelta(days=2)
"""Then a copy is made at a busy till too."""


class BackupWhy(StrEnum):
    """What a set was made for."""

    HAND = "hand"
    DAILY = "daily"
    UPGRADE = "upgrade"


@dataclass(frozen=True, slots=True)
class SetHolds:
    """What was in the databases. last_receipt: when it was signed, UTC; None: there is none."""

    receipts: int = 0
    last_receipt: datetime | None = None
    sales: int = 0
    last_sale: int = 0
    waiting: int = 0
    articles: int = 0


@dataclass(frozen=True, slots=True)
class BackupSet:
    """name: of its folder. folder: where that is. made_at: UTC. size: bytes of all its files.

    holds: None where an earlier version's files did not tell. is_second: in the second place.
    """

    name: str
    folder: str
    made_at: datetime
    why: BackupWhy
    version: str
    size: int
    holds: SetHolds | None = None
    is_second: bool = False


def to_keep(made: Iterable[datetime]) -> frozenset[datetime]:
    """Of sets by hand and of a day: the newest seven, and the last one of each of the eight newest
    weeks that have any. A week begins on Monday in Belgrade.

    | sets                                  | kept                                             |
    | one a day, for 8 days                 | the last 7, and the one before if a week ended then |
    | one a day, for 100 days               | the last 7, and the last of each of 8 weeks      |
    | 9 on one day                          | the last 7                                       |
    | one a month                           | the last 8: each has a week of its own           |
    """
    newest_first = sorted(made, reverse=True)
    weeks: dict[tuple[int, int], datetime] = {}
    for one in newest_first:
        year, week, _ = in_belgrade(one).isocalendar()
        weeks.setdefault((year, week), one)
    return frozenset([*newest_first[:NEWEST], *list(weeks.values())[:WEEKS]])


def is_due(last: datetime | None, now: datetime, *, still_seconds: float) -> bool:
    """Whether the copy of the day is to be made now. last: when the newest set was made, as far as
    that is not later than now.

    | newest set   | nobody is there for | due |
    | today        | an hour             | no  |
    | yesterday    | 2 minutes           | no  |
    | yesterday    | 5 minutes           | yes |
    | none         | 5 minutes           | yes |
    | 2 days ago   | 0 minutes           | yes |
    """
    if last is not None and in_belgrade(last).date() == in_belgrade(now).date():
        return False
    if still_seconds >= STILL_SECONDS:
        return True
    return last is not None and now - last >= OVERDUE


@dataclass(frozen=True, slots=True)
class Lacking:
    """What is here now and would be missing with the files of a set in its place.

    receipts: signed, first and last when. doubts: requests whose outcome is not known. sales:
    confirmed at this till, from which number to which; waiting: those of them without a receipt,
    unsent: their sum. taken_along: those without a receipt that will not be missing.
    carts: open or suspended now. edits: of articles. shifts: opened or closed since. cash_moves: in
    shifts. acts: rows of what an owner asks about. unread: databases that can't be read, so that
    nobody can count what is in them.
    """

    receipts: int = 0
    first_receipt: datetime | None = None
    last_receipt: datetime | None = None
    doubts: int = 0
    sales: int = 0
    first_sale: int = 0
    last_sale: int = 0
    waiting: int = 0
    taken_along: int = 0
    carts: int = 0
    edits: int = 0
    shifts: int = 0
    cash_moves: int = 0
    acts: int = 0
    unread: tuple[str, ...] = ()
    unsent: Money = Money.ZERO

    @property
    def is_nothing(self) -> bool:
        return replace(self, taken_along=0) == Lacking()

    @property
    def is_owed(self) -> bool:
        """Whether something of it was paid and may have no receipt, or nobody can tell."""
        return bool(self.waiting or self.doubts or self.unread)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What putting a set back would do. seals_secrets: whether its sealed secrets can't be opened
    here, so that they have to be typed anew."""

    lacking: Lacking
    seals_secrets: bool = False


@dataclass(frozen=True, slots=True)
class LastTry:
    """How the last attempt ended. error: why it came to nothing; None: it did not. second_words:
    why the set is not in the second place, "" where it is, or there is none."""

    at: datetime
    error: MachineError | None = None
    second_words: str = ""
