"""Instants are UTC; days and clock times that people see are Europe/Belgrade."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from pos_app.errors import Invalid

BELGRADE = ZoneInfo("Europe/Belgrade")


def from_text(text: str) -> datetime:
    """An ISO date-time as UTC; without an offset it is Belgrade time (contract 2.15).

    Up to 7 fraction digits, as processors write them, are accepted and cut to microseconds.
    """
    try:
        moment = datetime.fromisoformat(_at_most_microseconds(text.strip()))
    except ValueError as error:
        raise Invalid("must be a valid ISO 8601 date and time", kind="date") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=BELGRADE)
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise Invalid("must be a valid ISO 8601 date and time", kind="date") from error


def _at_most_microseconds(text: str) -> str:
    head, dot, tail = text.partition(".")
    if not dot:
        return text
    digits = len(tail) - len(tail.lstrip("0123456789"))
    return f"{head}.{tail[:digits][:6]}{tail[digits:]}"


def in_belgrade(moment: datetime) -> datetime:
    """The instant on a Belgrade clock."""
    return moment.astimezone(BELGRADE)


def day_of(moment: datetime) -> date:
    """The shop's calendar day of an instant."""
    return in_belgrade(moment).date()
