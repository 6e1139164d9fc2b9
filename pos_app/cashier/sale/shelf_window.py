"""The picker's rows, a window at a time: 100,000 articles cost what is on the screen.

Source: till.md ("Sale", search), targets.md (search ≤ 10 ms a key stroke, nothing loaded that
is not shown).
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from pos_app.selling.catalogue import Catalogue, ShelfRow

PAGE = 60
KEPT_PAGES = 12

FAVOURITES = ""
"""Key of the first chip; categories have their id."""
ALL = "*"
"""Key of the chip of everything."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the picker shows: a chip, and what is searched within it."""

    chip: str = FAVOURITES
    query: str = ""

    @property
    def category_id(self) -> str | None:
        """The category that is chosen, None for all."""
        return None if self.chip in (FAVOURITES, ALL) else self.chip


class ShelfWindow:
    """Rows of one choice, fetched by pages when they are asked for."""

    def __init__(self, shelf: Catalogue) -> None:
        self._shelf = shelf
        self._pages: OrderedDict[int, tuple[ShelfRow, ...]] = OrderedDict()
        self._generation = -1
        self.choice = Choice()
        self.count = 0
        self.fetched = 0
        """Pages read so far, for the tests of laziness."""
        self.show(Choice())

    def show(self, choice: Choice) -> None:
        """Show another choice; its first page is read with it."""
        self.choice = choice
        self._generation = self._shelf.generation()
        self._pages.clear()
        if self._is_favourites:
            self._pages[0] = self._shelf.favourites()
            self.count = len(self._pages[0])
        else:
            self.count = self._shelf.count(choice.query, category_id=choice.category_id)

    def is_outdated(self) -> bool:
        """Whether the catalogue was changed since, so that the rows should be asked anew."""
        return self._shelf.generation() != self._generation

    def row(self, number: int) -> ShelfRow | None:
        """A row by its number; None beyond the end, also when the catalogue shrank meanwhile."""
        if not 0 <= number < self.count:
            return None
        if self._is_favourites:
            return self._pages[0][number]
        page = self._page(number // PAGE)
        place = number % PAGE
        return page[place] if place < len(page) else None

    @property
    def _is_favourites(self) -> bool:
        return self.choice.chip == FAVOURITES and not self.choice.query

    def _page(self, number: int) -> tuple[ShelfRow, ...]:
        if number in self._pages:
            self._pages.move_to_end(number)
            return self._pages[number]
        choice = self.choice
        rows = self._shelf.page(
            choice.query, category_id=choice.category_id, offset=number * PAGE, limit=PAGE
        )
        self.fetched += 1
        self._pages[number] = rows
        if len(self._pages) > KEPT_PAGES:
            self._pages.popitem(last=False)
        return rows
