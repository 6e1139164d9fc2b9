"""Fake settings of the customer display, kept in memory, and monitors that a test names."""

from __future__ import annotations

from pos_app.cashier.services.display_setup import DisplaySetup, Monitor
from pos_app.errors import PosError


class DisplaySettingsInMemory:
    """kept: every setup that was kept. given: the settings that the environment gives. refuses: the
    error that keeping one raises."""

    def __init__(self) -> None:
        self.kept: list[DisplaySetup] = []
        self.given: tuple[str, ...] = ()
        self.refuses: PosError | None = None

    def given_elsewhere(self) -> tuple[str, ...]:
        return self.given

    def save(self, setup: DisplaySetup) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.kept.append(setup)


class DisplayOfMonitors:
    """The port DisplayControl, which notes what was asked of it."""

    def __init__(self, *monitors: Monitor) -> None:
        self.connected = monitors
        self.tried: list[DisplaySetup] = []
        self.followed = 0

    def monitors(self) -> tuple[Monitor, ...]:
        return self.connected

    def try_out(self, setup: DisplaySetup) -> None:
        self.tried.append(setup)

    def follow_setup(self) -> None:
        self.followed += 1
