"""Serbian local time: receipts show it, and answers carry its offset."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

BELGRADE = ZoneInfo("Europe/Belgrade")


def iso(at: datetime) -> str:
    """Write an instant in ISO 8601 with milliseconds and the offset of Belgrade:
    2026-01-05T09:07:03.125+01:00."""
    return at.astimezone(BELGRADE).isoformat(timespec="milliseconds")
