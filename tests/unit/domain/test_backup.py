"""The sets that are kept, and the time when the next one is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from pos_app.domain.setup import backup
from tests.sweep import each

MONDAY = datetime(2026, 11, 23, 18, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def each_day(count: int, step: timedelta, *, until: datetime = MONDAY) -> list[datetime]:
    return [until - step * number for number in reversed(range(count))]


@each(
    ("made", "kept"),
    [
        ([], []),
        (each_day(7, DAY), [0, 1, 2, 3, 4, 5, 6]),
        # Monday back to the Tuesday before; the Monday of that week goes, its Sunday is newer.
        (each_day(8, DAY), [0, 1, 2, 3, 4, 5, 6]),
        # The Sunday before that is kept: it is the last of its week.
        (each_day(9, DAY), [0, 1, 2, 3, 4, 5, 6, 8]),
        (each_day(9, timedelta(minutes=5)), [0, 1, 2, 3, 4, 5, 6]),
        (each_day(10, timedelta(days=30)), [0, 1, 2, 3, 4, 5, 6, 7]),
        # Each second day: seven sets span 13 days; then the last of each further week.
        (each_day(40, 2 * DAY), [0, 1, 2, 3, 4, 5, 6, 8, 11, 15, 18, 22]),
    ],
)
def test_the_newest_and_one_of_each_week_are_kept(made: list[datetime], kept: list[int]) -> None:
    newest_first = sorted(made, reverse=True)
    assert backup.to_keep(made) == {newest_first[place] for place in kept}


def test_over_a_year_of_days_each_day_has_what_it_should() -> None:
    """Each day adds one set, and a set that is not kept is gone for good."""
    here: set[datetime] = set()
    for day in range(400):
        here.add(MONDAY + day * DAY)
        here = set(backup.to_keep(here))
    now = max(here)
    newest = {now - number * DAY for number in range(backup.NEWEST)}
    assert newest <= here
    weeks = {one.isocalendar()[:2] for one in here}
    assert len(weeks) == backup.WEEKS
    assert min(here) >= now - timedelta(weeks=backup.WEEKS)
    assert len(here) <= backup.NEWEST + backup.WEEKS - 1
    ends = sorted(here - newest)
    assert all(one.isoweekday() == 7 for one in ends)


def test_a_week_ends_at_midnight_in_belgrade() -> None:
    sunday = datetime(2026, 11, 22, 22, 59, tzinfo=UTC)
    monday = datetime(2026, 11, 22, 23, 1, tzinfo=UTC)
    later = each_day(backup.NEWEST, timedelta(minutes=1), until=MONDAY)
    assert sunday in backup.to_keep([sunday, monday, *later])
    assert monday not in backup.to_keep([sunday, monday, *later])


@each(
    ("last", "still", "due"),
    [
        (MONDAY, 60.0, False), (MONDAY - DAY, 2.0, False), (MONDAY - DAY, 5.0, True),
        (None, 5.0, True), (None, 4.9, False), (MONDAY - 2 * DAY, 0.0, True),
    ],
)  # fmt: skip
def test_one_is_due_each_day_once_nobody_is_there(
    last: datetime | None, still: float, due: bool
) -> None:
    assert backup.is_due(last, MONDAY, still_seconds=still * 60) is due
