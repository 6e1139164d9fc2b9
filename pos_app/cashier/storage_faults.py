"""What of the till's storage can't be read or written now, as far as any screen has met it.

Whoever meets a fault tells it here, and that it is over: the bottom line and Attention say the
same then, whoever met it. Source: till.md (Promise 5: the bottom line says what works now).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pos_app.errors import MachineError


class Where(StrEnum):
    """Which of the files it is."""

    TILL = "till"
    """Carts and sales: nothing can be entered or confirmed."""
    CATALOGUE = "catalogue"
    """Articles: what is in the cart can still be paid."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """One fault that still holds. since: UTC."""

    where: Where
    fault: MachineError
    since: datetime


class StorageFaults:
    """The faults that hold now, by file and by the act that met them."""

    def __init__(self) -> None:
        self._met: dict[tuple[Where, str], Trouble] = {}
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Call back when what `of` tells has changed."""
        self._listeners.append(listener)

    def of(self, where: Where) -> Trouble | None:
        """What is the matter with a file, the fault that was met first; None while all is well."""
        met = (trouble for (place, _), trouble in self._met.items() if place is where)
        return min(met, key=lambda trouble: trouble.since, default=None)

    def met(self, where: Where, fault: MachineError, *, by: str, at: datetime) -> None:
        """An act could not read or write."""
        before = self._met.get((where, by))
        if before is not None and type(before.fault) is type(fault):
            return
        self._met[where, by] = Trouble(where, fault, before.since if before else at)
        self._tell()

    def over(self, where: Where, *, by: str) -> None:
        """The same act could."""
        if self._met.pop((where, by), None) is not None:
            self._tell()

    def knows(self, fault: MachineError) -> bool:
        """Whether this very fault was told already."""
        return any(trouble.fault is fault for trouble in self._met.values())

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()
