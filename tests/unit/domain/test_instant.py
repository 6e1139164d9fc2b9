"""Instants that people write, the clocks that show them, and the zone of the shop anywhere."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.text.instant import as_utc, day_of, day_typed, from_text, in_belgrade
from pos_app.errors import Invalid
from tests.sweep import each


@each(
    "text",
    [
        "9999-12-31T23:30:00Z", "9999-12-31T23:59:59", "9999-12-31T00:00:00-14:00",
        "0001-01-01T00:00:00Z", "0001-01-01T00:00:00", "0001-01-01T00:00:00+14:00",
    ],
)  # fmt: skip
def test_an_instant_that_no_clock_can_show_is_no_instant(text: str) -> None:
    with pytest.raises(Invalid) as refusal:
        from_text(text)
    assert refusal.value.kind == "date"


@given(moment=st.datetimes(timezones=st.timezones()))
def test_what_is_an_instant_has_a_day_and_neighbours(moment: datetime) -> None:
    try:
        instant = as_utc(moment)
    except Invalid:
        return
    assert in_belgrade(instant).astimezone(UTC) == instant == moment.astimezone(UTC)
    for near in (timedelta(hours=12), timedelta(hours=-12)):
        assert day_of(instant + near) is not None


def test_a_day_is_belgrades() -> None:
    assert day_of(datetime(2026, 11, 19, 23, 30, tzinfo=UTC)).isoformat() == "2026-11-20"
    assert from_text("2026-11-20T00:30:00") == datetime(2026, 11, 19, 23, 30, tzinfo=UTC)


@each(
    ("text", "was", "comes"),
    [
        ("20.11.", date(2026, 11, 20), date(2026, 11, 20)),
        ("21.11.", date(2025, 11, 21), date(2026, 11, 21)),
        ("30.11", date(2025, 11, 30), date(2026, 11, 30)),
        ("1.1.", date(2026, 1, 1), date(2027, 1, 1)),
        ("29.2.", date(2024, 2, 29), date(2028, 2, 29)),
        *(
            (text, date(2026, 12, 1), date(2026, 12, 1))
            for text in ("1.12.26", "1.12.26.", "1.12.2026", "1.12.2026.", "1. 12. 2026", "1/12/26")
        ),
        *((text, None, None) for text in ("20.13.", "30.2.", "31.11.26", "1.12.126", "1", "")),
    ],
)  # fmt: skip
def test_a_day_is_read_as_people_type_it(text: str, was: date | None, comes: date | None) -> None:
    today = date(2026, 11, 20)
    assert day_typed(text, today=today) == was
    assert day_typed(text, today=today, is_ahead=True) == comes
    has_year = was is not None and was == comes and text != "20.11."
    assert day_typed(text, today=None) == (was if has_year else None)


def test_belgrade_is_known_without_the_system() -> None:
    try:
        zoneinfo.reset_tzpath(to=())
        assert zoneinfo.ZoneInfo.no_cache("Europe/Belgrade").key == "Europe/Belgrade"
    finally:
        zoneinfo.reset_tzpath()
