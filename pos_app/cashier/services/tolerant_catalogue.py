"""The catalogue for the screens, which show less and sell on while it can't be read.

A read that only fills the screen then returns nothing, or the last result. A read that the cashier
asked for raises the error. Both report to `StorageFaults`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar, cast

from pos_app import log
from pos_app.cashier.services import storage_faults
from pos_app.clock import Clock
from pos_app.errors import MachineError
from pos_app.selling.catalogue.catalogue import Catalogue, CatalogueStatus

NOTHING_KNOWN = CatalogueStatus(None, 0, 0, 0, 0)
_NOTHING = {
    "count": 0,
    "page": (),
    "favourites": (),
    "units": (),
    "stores": (),
    "coming_prices": (),
    "coming_price_moments": (),
    "labels_missing": 0,
}
"""The reads that fill the screen, each with what it returns instead."""
_AT_FIRST = {"categories": (), "categories_in_use": (), "store": None, "facts": NOTHING_KNOWN}
"""The reads that fill the screen and return their last result, each with what it returns before it
has one."""

T = TypeVar("T")
_log = log.get(__name__)


def tolerant_catalogue(
    catalogue: Catalogue, *, faults: storage_faults.StorageFaults, clock: Clock
) -> Catalogue:
    return cast("Catalogue", TolerantCatalogue(catalogue, faults=faults, clock=clock))


class TolerantCatalogue:
    """Has each read of the port Catalogue, as another catalogue does it."""

    def __init__(
        self, catalogue: Catalogue, *, faults: storage_faults.StorageFaults, clock: Clock
    ) -> None:
        self._catalogue = catalogue
        self._faults = faults
        self._clock = clock
        self._failed: dict[str, Callable[[], object]] = {}
        """The failed reads by name, to be tried again."""
        self._retrial = storage_faults.Retrial(faults, storage_faults.Where.CATALOGUE, clock)
        self._retried = 0
        self._instead: dict[str, object] = {**_NOTHING, **_AT_FIRST}
        self._generation = 0

    def __getattr__(self, name: str) -> Callable[..., object]:
        read = partial(self._read_or_instead if name in self._instead else self._asked, name)

        def reading(*arguments: object, **named: object) -> object:
            return read(partial(getattr(self._catalogue, name), *arguments, **named))

        setattr(self, name, reading)  # the next read finds it without this method
        return reading

    def generation(self) -> int:
        """The catalogue's own number; it changes at each `RETRY` while a fault is known.

        Failed reads are then repeated, so that no past fault is shown; screens that compare the
        number read their content again too.
        """
        with suppress(MachineError):  # the last number stays
            self._generation = self._asked("generation", self._catalogue.generation)
        if self._retrial.is_due():
            self._retried += 1
            self._read_again()
        return self._generation + (self._retried << 32)

    # --- parts -----------------------------------------------------------------------------------

    def _read_or_instead(self, what: str, read: Callable[[], object]) -> object:
        try:
            result = self._asked(what, read)
        except MachineError:
            return self._instead[what]
        if what in _AT_FIRST:
            self._instead[what] = result
        return result

    def _asked(self, what: str, read: Callable[[], T]) -> T:
        try:
            result = read()
        except MachineError as error:
            self._fail(what, read, error)
            raise
        self._failed.pop(what, None)
        self._faults.clear(storage_faults.Where.CATALOGUE, by=what)
        return result

    def _read_again(self) -> None:
        """Repeat the failed reads up to the first that fails again, because each of them waits
        while another program holds the file. Once all can be read, faults of acts that could not
        write are forgotten too."""
        for what, read in tuple(self._failed.items()):
            try:
                self._asked(what, read)
            except MachineError:
                return
        self._faults.clear(storage_faults.Where.CATALOGUE, by=storage_faults.ACTS)

    def _fail(self, what: str, read: Callable[[], object], error: MachineError) -> None:
        if not self._failed:
            _log.error("the catalogue can't be read (%s): %s", what, error.what)
        self._failed[what] = read
        self._faults.report(storage_faults.Where.CATALOGUE, error, by=what, at=self._clock.now())
