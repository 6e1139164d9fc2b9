"""Fake settings of the customer display, kept in memory, and monitors that a test names."""

from __future__ import annotations

from pos_app.cashier.services.display_setup import DisplaySetup, Monitor
from tests.fakes.cashier_settings import SettingsInMemory

DisplaySettingsInMemory = SettingsInMemory[DisplaySetup]


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
