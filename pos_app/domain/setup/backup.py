"""Backups: the content of a set of copies, the sets that are kept, the next due time, and the data
that would be missing after a set was put back.

Source: exactly-once.md ("Restores").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass

NEWEST = 7
WEEKS = 8
STILL_SECONDS = 300
"""The copy of a day is made once nobody has used the till or asked the server for this time."""
OVERDUE = timedelta(days=2)
"""Without a copy for this time, one is made at a busy till too."""


class BackupWhy(StrEnum):
    HAND = "hand"
    DAILY = "daily"
    UPGRADE = "upgrade"


@dataclass(frozen=True, slots=True)
class SetHolds:
    """The content of a set's databases. last_receipt: when the last receipt was signed, UTC."""

    receipts: int = 0
    last_receipt: datetime | None = None
    sales: int = 0
    last_sale: int = 0
    waiting: int = 0
    articles: int = 0


@dataclass(frozen=True, slots=True)
class BackupSet:
    """name, folder: the name and the path of its folder. made_at: UTC. size: bytes of all files.

    holds is None where another version made one of its databases. is_second: the set is in the
    second folder.
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
    """The sets made by hand or daily that are kept: the newest seven, and the last one of each of
    the eight newest weeks that have any. A week begins on Monday in Belgrade.

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
    """Whether the copy of the day is to be made now. last: the time of the newest set that is not
    later than now.

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
    """The present data that would be missing after a set was put back.

    receipts: signed ones, with the times of the first and the last. doubts: requests with unknown
    outcome. sales: the sales confirmed at this till, with the first and the last number; waiting:
    the number of these sales without a receipt; unsent: the sum of those. taken_along: the sales
    without a receipt that are kept. carts: open or suspended carts. shifts: shifts opened, counted
    or closed since. unread: unreadable databases, whose content can't be counted. The counts from
    buyers on are entries of registers that were added, changed or deleted since: firms of the
    buyers' book; units and categories; planned prices; stores; printed price labels; people;
    rights; a manager's decisions.
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
    collected: int = 0
    acts: int = 0
    unread: tuple[str, ...] = ()
    unsent: Money = Money.ZERO
    buyers: int = 0
    names: int = 0
    planned_prices: int = 0
    stores: int = 0
    labels: int = 0
    people: int = 0
    rights: int = 0
    decisions: int = 0

    @property
    def is_nothing(self) -> bool:
        return replace(self, taken_along=0) == Lacking()

    @property
    def is_owed(self) -> bool:
        """Whether a paid sale among these data may have no receipt."""
        return bool(self.waiting or self.doubts or self.unread)


@dataclass(frozen=True, slots=True)
class Outlook:
    """The effect of putting a set back. seals_secrets: the sealed secrets of the set can't be
    opened here, so a person has to type them anew. keeps_settings: the settings that stand here
    stay, and those of the set are others."""

    lacking: Lacking
    seals_secrets: bool = False
    keeps_settings: bool = False


@dataclass(frozen=True, slots=True)
class LastTry:
    """The end of the last attempt. second_words: why the set is not in the second folder; "" if the
    set is there, or no second folder is set."""

    at: datetime
    error: MachineError | None = None
    second_words: str = ""
