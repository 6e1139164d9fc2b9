"""Rows of the catalogue for the picker. They are read by pages, so that of 100,000 articles only
the shown ones cost time.

Source: till.md ("Sale", search), targets.md (Speed; "nothing is loaded that is not shown").
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import date

from pos_app.clock import Clock
from pos_app.domain.text.instant import day_of
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import FAVOURITES, Catalogue, CatalogueRow


class FavouritesOfTheDay:
    """The favourites, in the order of the day's first reading; each sale counts for the next day's
    order. New favourites follow at the end; a product that is no longer among the first 2 ×
    FAVOURITES leaves."""

    def __init__(self, catalogue: Catalogue, clock: Clock) -> None:
        self._catalogue = catalogue
        self._clock = clock
        self._day: date | None = None
        self._order: tuple[str, ...] = ()
        """Ids of products, in their order."""

    def rows(self) -> tuple[CatalogueRow, ...]:
        """Return the favourites with their present facts, in the order of the day."""
        today = day_of(self._clock.now())
        if today != self._day:
            self._day, self._order = today, ()
        # Twice as many are read, to find those that others have overtaken since the first reading.
        found = {row.product_id: row for row in self._catalogue.favourites(limit=2 * FAVOURITES)}
        standing = [product for product in self._order if product in found]
        later = [product for product in found if product not in self._order]
        shown = (*standing, *later)[:FAVOURITES]
        if found:
            self._order = shown
        return tuple(found[product] for product in shown)


ENOUGH_FAVOURITES = 12
"""With this many best sellers the picker begins with favourites; fewer would hide what a cashier
needs."""
PAGE = 20
"""A usual window shows so many tiles, or half as many rows of the list."""
KEPT_PAGES = 24

FAVOURITES_CHIP = ""
"""The id of the first chip; a category's chip has the category's id."""
ALL_CHIP = "*"


@dataclass(frozen=True, slots=True)
class Choice:
    """The picker's choice: a chip, and the text searched within it."""

    chip: str = FAVOURITES_CHIP
    query: str = ""

    @property
    def category_id(self) -> str | None:
        return None if self.chip in (FAVOURITES_CHIP, ALL_CHIP) else self.chip


class RowWindow:
    """The rows of one choice, fetched by pages when they are asked for."""

    def __init__(self, catalogue: Catalogue, clock: Clock) -> None:
        self._catalogue = catalogue
        self._favourites = FavouritesOfTheDay(catalogue, clock)
        self._pages: OrderedDict[int, tuple[CatalogueRow, ...]] = OrderedDict()
        self._generation = -1
        self._counted: int | None = None
        self._surely = 0
        self.choice = Choice()
        self.fetched = 0
        """The number of pages read so far; tests see by this that reading is lazy."""
        self.show(Choice())

    @property
    def count(self) -> int:
        """The number of rows. For many hits the first count takes 2 ms."""
        if self._counted is None:
            choice = self.choice
            self._counted = self._catalogue.count(choice.query, category_id=choice.category_id)
        return self._counted

    def at_most(self, rows: int) -> int:
        """Return the number of rows, at most `rows`. This is cheaper than `count`."""
        if self._counted is None and rows > self._surely:
            self._count_first_page()
        if self._counted is None and rows > self._surely:
            choice = self.choice
            found = self._catalogue.count(choice.query, category_id=choice.category_id, most=rows)
            if found < rows:
                self._counted = found
            self._surely = found
        return rows if self._counted is None else min(rows, self._counted)

    def _count_first_page(self) -> None:
        """Count by the first page, which is shown anyway."""
        found = len(self._page(0))
        if found < PAGE:
            self._counted = found
        self._surely = found

    def show(self, choice: Choice) -> None:
        self.choice = choice
        self._generation = self._catalogue.generation()
        self._pages.clear()
        self._counted, self._surely = None, 0
        if self._is_favourites:
            self._pages[0] = self._favourites.rows()
            self._counted = len(self._pages[0])

    def is_outdated(self) -> bool:
        """Tell whether the catalogue has changed since, so that the rows must be read anew."""
        return self._catalogue.generation() != self._generation

    def row(self, number: int) -> CatalogueRow | None:
        """Return a row by its number, or None beyond the end, also when the catalogue has
        shrunk."""
        if number < 0:
            return None
        if self._is_favourites:
            favourites = self._pages[0]
            return favourites[number] if number < len(favourites) else None
        page = self._page(number // PAGE)
        index = number % PAGE
        return page[index] if index < len(page) else None

    @property
    def has_enough(self) -> bool:
        """Whether the picker may begin with the favourites: a manager pinned some, or the best
        sellers fill a few rows of tiles."""
        favourites = self._pages[0] if self._is_favourites else ()
        return len(favourites) >= ENOUGH_FAVOURITES or any(one.pinned for one in favourites)

    @property
    def _is_favourites(self) -> bool:
        return self.choice.chip == FAVOURITES_CHIP and not self.choice.query

    def _page(self, number: int) -> tuple[CatalogueRow, ...]:
        if number in self._pages:
            self._pages.move_to_end(number)
            return self._pages[number]
        choice = self.choice
        rows = self._catalogue.page(
            choice.query, category_id=choice.category_id, offset=number * PAGE, limit=PAGE
        )
        self.fetched += 1
        self._pages[number] = rows
        if len(self._pages) > KEPT_PAGES:
            self._pages.popitem(last=False)
        return rows
