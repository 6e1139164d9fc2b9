"""The shop's zone comes from a package where the system has no zones, as on Windows."""

from __future__ import annotations

import zoneinfo


def test_belgrade_is_known_without_the_system() -> None:
    try:
        zoneinfo.reset_tzpath(to=())
        assert zoneinfo.ZoneInfo.no_cache("Europe/Belgrade").key == "Europe/Belgrade"
    finally:
        zoneinfo.reset_tzpath()
