"""Moments in words: by the clock today, else by day and clock, in Belgrade."""

from __future__ import annotations

from datetime import datetime

from pos_app.cashier.texts.lookup import Texts
from pos_app.domain.instant import day_of, in_belgrade


def when(moment: datetime, texts: Texts, *, now: datetime) -> str:
    """Today by the clock, earlier by day and clock, in Belgrade."""
    local = in_belgrade(moment)
    time = local.strftime("%H:%M")
    if day_of(moment) == day_of(now):
        return texts("att.at_today", time=time)
    return texts("att.at_day", day=local.strftime("%d.%m."), time=time)
