"""Fake settings of the cashiers, kept in memory."""

from __future__ import annotations

from pos_app.errors import PosError
from pos_app.selling.sale.cashier_setup import CashierSetup


class CashierSettingsInMemory:
    """kept: every setup that was kept. given: the settings that the environment gives. refuses: the
    error that keeping one raises."""

    def __init__(self) -> None:
        self.kept: list[CashierSetup] = []
        self.given: tuple[str, ...] = ()
        self.refuses: PosError | None = None

    def given_elsewhere(self) -> tuple[str, ...]:
        return self.given

    def save(self, setup: CashierSetup) -> None:
        if self.refuses is not None:
            raise self.refuses
        self.kept.append(setup)
