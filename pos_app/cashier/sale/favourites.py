"""The order of the favourites: it stands for the day, so that no tile moves under a finger."""

from __future__ import annotations

from datetime import date

from pos_app.clock import Clock
from pos_app.domain.instant import day_of
from pos_app.selling.catalogue import FAVOURITES, Catalogue, CatalogueRow


class StandingFavourites:
    """As they were first read on a day of the shop; each sale counts for the next day's order.

    What becomes a favourite meanwhile comes after them, what is sold no more goes.
    """

    def __init__(self, catalogue: Catalogue, clock: Clock) -> None:
        self._catalogue = catalogue
        self._clock = clock
        self._day: date | None = None
        self._order: tuple[str, ...] = ()
        """Products, in their places."""

    def rows(self) -> tuple[CatalogueRow, ...]:
        """The favourites with their facts of now, in the order of the day."""
        today = day_of(self._clock.now())
        if today != self._day:
            self._day, self._order = today, ()
        # What others have overtaken since is looked for among twice as many.
        found = {row.product_id: row for row in self._catalogue.favourites(limit=2 * FAVOURITES)}
        standing = [product for product in self._order if product in found]
        later = [product for product in found if product not in self._order]
        shown = (*standing, *later)[:FAVOURITES]
        if found:
            self._order = shown
        return tuple(found[product] for product in shown)
