"""The days of a report, and the earlier days that it is compared with.

Source: till.md ("Reports").
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from enum import StrEnum

from pos_app.lazy_dataclass import dataclass

_DAY = timedelta(days=1)
_WEEK = 7
MOST_DAYS = 62
"""A longer period is shown month by month."""


class Preset(StrEnum):
    """The choices of a person; all but `DAYS` end today."""

    TODAY = "today"
    WEEK = "week"
    TWO_WEEKS = "two_weeks"
    MONTH = "month"
    """The present month, from its first day."""
    DAYS = "days"
    """From a first day to a last one."""


@dataclass(frozen=True, slots=True)
class Period:
    """A period of days, both ends included."""

    first: date
    last: date

    @classmethod
    def of(cls, preset: Preset, today: date) -> Period:
        """The period of a preset other than `DAYS`."""
        if preset is Preset.MONTH:
            return cls(today.replace(day=1), today)
        back = {Preset.WEEK: _WEEK, Preset.TWO_WEEKS: 2 * _WEEK}.get(preset, 1)
        return cls(today - (back - 1) * _DAY, today)

    @property
    def length(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def days(self) -> Iterator[date]:
        return (self.first + index * _DAY for index in range(self.length))

    @property
    def months(self) -> list[str]:
        return list(dict.fromkeys(f"{day:%Y-%m}" for day in self.days))

    def before(self, preset: Preset = Preset.DAYS) -> Period:
        """The period to compare with: the same days of the month before, or of the weeks before.

        | period                 | before                                    |
        | 20.11., a Friday       | 13.11., a Friday                          |
        | 7.11. to 20.11.        | 24.10. to 6.11.                           |
        | 11.11. to 20.11.       | 28.10. to 6.11., the same days of the week |
        | 1.11. to 20.11., month | 1.10. to 20.10.                           |
        | 1.3. to 30.3., month   | 1.2. to 28.2.                             |
        | 1.11. to 30.11.        | 1.10. to 31.10.                           |
        | 1.1. to 31.12.         | 1.1. to 31.12. of the year before         |
        """
        is_whole = self.first.day == 1 and (self.last + _DAY).day == 1
        if is_whole:
            first = _months_back(self.first, len(self.months))
            return Period(first, self.first - _DAY)
        if preset is Preset.MONTH:
            first = _months_back(self.first, 1)
            return Period(first, min(first + (self.length - 1) * _DAY, self.first - _DAY))
        back = -(-self.length // _WEEK) * _WEEK * _DAY
        return Period(self.first - back, self.last - back)


def _months_back(first: date, many: int) -> date:
    months = first.year * 12 + first.month - 1 - many
    return date(months // 12, months % 12 + 1, 1)
