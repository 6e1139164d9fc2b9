"""Rows of the catalogue for the picker, read by pages: 100,000 articles cost what is on the screen.

Source: till.md ("Sale", search), targets.md (Speed; "nothing is loaded that is not shown").
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import date

from pos_app.clock import Clock
from pos_app.domain.instant import day_of
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import FAVOURITES, Catalogue, CatalogueRow


class FavouritesOfTheDay:
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


ENOUGH_FAVOURITES = 12
"""Best sellers from which on a sale begins with them: fewer would hide what a cashier looks for."""
PAGE = 20
"""As many tiles as a usual window shows, and twice the rows of its list."""
KEPT_PAGES = 24

FAVOURITES_CHIP = ""
"""Key of the first chip; categories have their id."""
ALL_CHIP = "*"
"""Key of the chip of everything."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the picker shows: a chip, and what is searched within it."""

    chip: str = FAVOURITES_CHIP
    query: str = ""

    @property
    def category_id(self) -> str | None:
        """The category that is chosen, None for all."""
        return None if self.chip in (FAVOURITES_CHIP, ALL_CHIP) else self.chip


class RowWindow:
    """Rows of one choice, fetched by pages when they are asked for."""

    def __init__(self, catalogue: Catalogue, clock: Clock) -> None:
        self._catalogue = catalogue
        self._favourites = FavouritesOfTheDay(catalogue, clock)
        self._pages: OrderedDict[int, tuple[CatalogueRow, ...]] = OrderedDict()
        self._generation = -1
        self._counted: int | None = None
        self._surely = 0
        self.choice = Choice()
        self.fetched = 0
        """Pages read so far, for the tests of laziness."""
        self.show(Choice())

    @property
    def count(self) -> int:
        """How many rows there are; of many hits it takes 2 ms to know it, the first time."""
        if self._counted is None:
            choice = self.choice
            self._counted = self._catalogue.count(choice.query, category_id=choice.category_id)
        return self._counted

    def at_most(self, rows: int) -> int:
        """How many rows there are, no more than `rows`: what a view needs to know."""
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
        """It is shown anyway, and tells of itself whether there may be more."""
        found = len(self._page(0))
        if found < PAGE:
            self._counted = found
        self._surely = found

    def show(self, choice: Choice) -> None:
        """Show another choice; the favourites are read with it."""
        self.choice = choice
        self._generation = self._catalogue.generation()
        self._pages.clear()
        self._counted, self._surely = None, 0
        if self._is_favourites:
            self._pages[0] = self._favourites.rows()
            self._counted = len(self._pages[0])

    def is_outdated(self) -> bool:
        """Whether the catalogue was changed since, so that the rows should be asked anew."""
        return self._catalogue.generation() != self._generation

    def row(self, number: int) -> CatalogueRow | None:
        """A row by its number; None beyond the end, also when the catalogue shrank meanwhile."""
        if number < 0:
            return None
        if self._is_favourites:
            favourites = self._pages[0]
            return favourites[number] if number < len(favourites) else None
        page = self._page(number // PAGE)
        place = number % PAGE
        return page[place] if place < len(page) else None

    @property
    def has_enough(self) -> bool:
        """Whether the favourites that are shown are worth beginning with: a manager pinned some, or
        the best sellers fill a few rows of tiles."""
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
