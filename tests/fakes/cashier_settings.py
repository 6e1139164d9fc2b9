"""Fake settings of the cashiers and others, kept in memory."""

from __future__ import annotations

from typing import Generic, TypeVar

from pos_app.errors import PosError
from pos_app.selling.sale.cashier_setup import CashierSetup

Setup = TypeVar("Setup")


class SettingsInMemory(Generic[Setup]):
    """kept: every setup that was kept. given: the settings that the environment gives. refuses: the
    error that keeping one raises."""

    def __init__(self) -> None:
        self.kept: list[Setup] = []
        self.given: tuple[str, ...] = ()
        self.refuses: PosError | None = None

    def given_elsewhere(self) -> tuple[str, ...]:
        return self.given

    def save(self, setup: Setup) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.kept.append(setup)


CashierSettingsInMemory = SettingsInMemory[CashierSetup]
