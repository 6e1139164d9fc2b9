"""Instants on the wire: read in any ISO form, written in UTC. Source: platform-contract.md 2.15."""

from __future__ import annotations

from datetime import UTC, datetime

from pos_app.domain.text.instant import from_text
from pos_app.wire.reading import at


def moment(field: str, text: str | None) -> datetime | None:
    """The instant in `text`, UTC, or None where that is empty. Raises Invalid naming `field`."""
    return at(field, from_text, text) if text else None


def instant_text(instant: datetime | None) -> str | None:
    """UTC with milliseconds: "2026-09-01T05:30:00.000Z"."""
    if instant is None:
        return None
    text = instant.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")
