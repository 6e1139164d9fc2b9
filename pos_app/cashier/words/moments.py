"""Moments as people in Serbia write them, by Belgrade's clock."""

from __future__ import annotations

from datetime import date, datetime

from pos_app.domain.text.instant import in_belgrade


def date_text(day: date) -> str:
    """Return a day as it is printed on goods: 29.11.2026."""
    return f"{day:%d.%m.%Y.}"


def moment_text(moment: datetime) -> str:
    """Return a moment as people in Serbia write it: 20.11.2026. 14:32."""
    return in_belgrade(moment).strftime("%d.%m.%Y. %H:%M")


def clock_text(moment: datetime) -> str:
    """Return the time of day in Belgrade: 14:32."""
    return in_belgrade(moment).strftime("%H:%M")


def clock_of(moment: datetime, now: datetime) -> str:
    """Return the time of day, and before it the day where that is not today."""
    is_today = in_belgrade(moment).date() == in_belgrade(now).date()
    return clock_text(moment) if is_today else moment_text(moment)
