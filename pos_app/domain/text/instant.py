"""Instants are UTC; days and clock times that people see are Europe/Belgrade."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pos_app.errors import Invalid

BELGRADE = ZoneInfo("Europe/Belgrade")
E_FISCALIZATION_BEGAN = datetime(2021, 11, 1, tzinfo=BELGRADE)
"""No secure element signed an earlier receipt."""
VAT_BEGAN = datetime(2005, 1, 1, tzinfo=BELGRADE)
"""No earlier receipt has a tax that ours could give back."""
_DAY = re.compile(r"(\d{1,2})[., /]\s*(\d{1,2})(?:[., /]\s*(\d{4}|\d{2}))?[.,]?", re.ASCII)
_CENTURY = 2000
"""What a year of two digits is counted from."""
_LEAP_YEARS = 9
"""The most years without a 29 February, and one."""
_CLOCK = re.compile(r"([01]?[0-9]|2[0-3])[:.,]?([0-5][0-9])")
_ROOM = timedelta(days=2)
_FIRST = datetime.min.replace(tzinfo=UTC) + _ROOM
_LAST = datetime.max.replace(tzinfo=UTC) - _ROOM
"""Each instant between these limits has a Belgrade time, and so have the hours around it."""


def from_text(text: str) -> datetime:
    """An ISO date-time as UTC; without an offset it is Belgrade time (platform-contract.md 2.15).

    Up to 7 fraction digits, as processors write them, are accepted and cut to microseconds.
    Raises Invalid, also for the first and last days of the calendar, which have no Belgrade time.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise Invalid("date.iso") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=BELGRADE)
    return as_utc(moment)


def nearest_from_text(text: str) -> datetime:
    """`from_text` for comparisons: a time outside the limits becomes the first or last instant.
    Raises Invalid where the text is no date-time."""
    try:
        return from_text(text)
    except Invalid:
        try:
            moment = datetime.fromisoformat(text.strip())
        except ValueError:
            moment = None
        if moment is None:
            raise
        return _FIRST if moment.year < _LAST.year else _LAST


def as_utc(moment: datetime) -> datetime:
    """An instant of any zone as UTC. Raises Invalid where it has no Belgrade time."""
    try:
        instant = moment.astimezone(UTC)
    except OverflowError as error:
        raise Invalid("date.iso") from error
    if not _FIRST <= instant <= _LAST:
        raise Invalid("date.iso")
    return instant


def in_belgrade(moment: datetime) -> datetime:
    return moment.astimezone(BELGRADE)


def is_shown_twice(moment: datetime) -> bool:
    """Whether Belgrade's clock shows that time twice, which happens when clocks go back in autumn.
    Written without an offset, such a time may mean the instant an hour before or after."""
    local = in_belgrade(moment)
    return local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()


def day_of(moment: datetime) -> date:
    return in_belgrade(moment).date()


def beginning_of(day: date) -> datetime:
    """The instant at which a day begins. A day lasts 23 or 25 hours when the clocks change."""
    return datetime.combine(day, time(), BELGRADE).astimezone(UTC)


def clock_typed(text: str) -> time | None:
    """A time of day as people type it, 11:42, 11.42 or 1142, or None for any other text."""
    typed = _CLOCK.fullmatch(text)
    return None if typed is None else time(int(typed[1]), int(typed[2]))


def day_typed(text: str, *, today: date | None, is_ahead: bool = False) -> date | None:
    """A day as people type it, or None for any other text, and for a day that no month has.

    | typed                            | on 20.11.2026 | is_ahead   |
    | 30.11.2026. 30.11.26, 30/11/2026 | 30.11.2026    | the same   |
    | 20.11. 20.11                     | 20.11.2026    | the same   |
    | 30.11. 30.11                     | 30.11.2025    | 30.11.2026 |

    Without a year it is the last such day up to today, or the next one from today on if
    `is_ahead`. today: None where a day needs its year."""
    typed = _DAY.fullmatch(text.strip())
    if typed is None:
        return None
    day, month, year = typed.groups()
    if year is not None:
        return _date(int(year) + _CENTURY * (len(year) == 2), month, day)
    if today is None:
        return None
    step = 1 if is_ahead else -1
    near = (_date(today.year + step * years, month, day) for years in range(_LEAP_YEARS))
    return next((one for one in near if one and (one - today).days * step >= 0), None)


def is_day_written(text: str) -> bool:
    """Whether a text is written as a day, also where no month has it."""
    return _DAY.fullmatch(text.strip()) is not None


def _date(year: int, month: str, day: str) -> date | None:
    with suppress(ValueError):
        return date(year, int(month), int(day))
    return None


def minute_of(day: date, clock: time) -> tuple[datetime, datetime]:
    """The instants at which a minute of Belgrade's clock begins and ends on a day.

    When the clocks change, a minute may be shown twice: then it lasts to the end of the second.
    A minute that is left out is empty.
    """
    local = datetime.combine(day, clock, BELGRADE)
    begins, again = local.astimezone(UTC), local.replace(fold=1).astimezone(UTC)
    if in_belgrade(begins).replace(tzinfo=None) != local.replace(tzinfo=None):
        return begins, begins
    return begins, again + timedelta(minutes=1)
