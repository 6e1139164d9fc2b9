"""The till's files that can't be read or written now, as far as a part of the till has noticed.

Each part reports here when a fault begins and ends, so that the status line and Attention say the
same. Source: till.md (Promise 5: the bottom line says what works now).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from pos_app.clock import Clock
from pos_app.errors import MachineError
from pos_app.lazy_dataclass import dataclass

RETRY = 5_000
"""Milliseconds after which a failed read is tried again by itself."""
ACTS = "acts"
"""The name under which the cashier's acts report faults."""
_CATALOGUE_FILE = "catalogue.db"
T = TypeVar("T")


class Where(StrEnum):
    """The files of a till."""

    TILL = "till"
    """Carts and sales: nothing can be entered or confirmed."""
    CATALOGUE = "catalogue"
    """Articles: what is in the cart can still be paid."""


@dataclass(frozen=True, slots=True)
class StorageFault:
    """One fault that still holds. since: UTC."""

    where: Where
    fault: MachineError
    since: datetime


def where_of(fault: MachineError) -> Where:
    """The file of a fault; the till's if the fault names none."""
    return Where.CATALOGUE if fault.file == _CATALOGUE_FILE else Where.TILL


class StorageFaults:
    """The faults that hold now, by file and by the act that met them."""

    def __init__(self) -> None:
        self._met: dict[tuple[Where, str], StorageFault] = {}
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Call back when a result of `fault_of` may have changed."""
        self._listeners.append(listener)

    def fault_of(self, where: Where) -> StorageFault | None:
        """The first fault of a file that still holds, or None."""
        met = (trouble for (met_in, _), trouble in self._met.items() if met_in is where)
        return min(met, key=lambda trouble: trouble.since, default=None)

    def report(self, where: Where, fault: MachineError, *, by: str, at: datetime) -> None:
        """Note that the act named `by` could not read or write the file."""
        before = self._met.get((where, by))
        if before is not None and type(before.fault) is type(fault):
            return
        self._met[where, by] = StorageFault(where, fault, before.since if before else at)
        self._tell()

    def report_from_act(self, fault: MachineError, *, at: datetime) -> None:
        """Note a fault that the cashier's act met. A fault of the catalogue is not noted while one
        is known."""
        where = where_of(fault)
        if where is Where.TILL or self.fault_of(where) is None:
            self.report(where, fault, by=ACTS, at=at)

    def clear(self, where: Where, *, by: str) -> None:
        """Note that the act named `by` could read or write the file again."""
        if self._met.pop((where, by), None) is not None:
            self._tell()

    def read_or(
        self, where: Where, instead: T, read: Callable[[], T], *, by: str, at: datetime
    ) -> T:
        """Return what `read` returns, or `instead` where it can't read the file; note which."""
        try:
            result = read()
        except MachineError as error:
            self.report(where, error, by=by, at=at)
            return instead
        self.clear(where, by=by)
        return result

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


class Retrial:
    """Decides when a failed file is read again: `RETRY` ms after it was last in order, then every
    `RETRY` ms."""

    def __init__(self, faults: StorageFaults, where: Where, clock: Clock) -> None:
        self._faults = faults
        self._where = where
        self._clock = clock
        self._since = clock.ticks()

    def is_due(self) -> bool:
        """Whether the file is to be read again now. Call it about once a second."""
        now = self._clock.ticks()
        fails = self._faults.fault_of(self._where) is not None
        is_due = fails and now - self._since >= RETRY
        if is_due or not fails:
            self._since = now
        return is_due
