"""Makes the daily backup in a server without a till: a service, or one that a person started."""

from __future__ import annotations

from pathlib import Path

from pos_app.fiscalization.orphan_server import IdleTime
from pos_app.keep_running import keep_running


async def back_up_each_day(data: Path, silence: IdleTime) -> None:
    """Run for ever; backups are made while nobody asks the server anything."""
    from pos_app.adapters.backup.process import DailyBackup  # a till's server never needs it

    daily = DailyBackup(data)
    await keep_running(lambda: daily.keep(lambda: silence.seconds), "the daily backup")
