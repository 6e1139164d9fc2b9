"""The products that the manager's table lists: searched, filtered, sorted, and some of them ticked.
Sources: till.md (Catalogue), look.md (Screens, 6)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Set
from dataclasses import replace

from pos_app.cashier.catalogue.reading import read_or
from pos_app.cashier.services.till_services import TillServices
from pos_app.selling.catalogue.catalogue import (
    CatalogueRow,
    CatalogueStatus,
    CategoryCount,
    EditMark,
)
from pos_app.selling.catalogue.table import TableChoice, TableOrder

PAGE = 40
KEPT_PAGES = 50
_NO_ROWS: tuple[CatalogueRow, ...] = ()
_NO_IDS: tuple[str, ...] = ()


class ListedProducts:
    """Its rows are read page by page, when they are asked for. on_choice: other products are
    listed. on_ticks: others are ticked."""

    def __init__(
        self, services: TillServices, *, on_choice: Callable[[], None], on_ticks: Callable[[], None]
    ) -> None:
        self._services = services
        self._on_choice, self._on_ticks = on_choice, on_ticks
        self.choice = TableChoice()
        self.scrolled = 0
        self._pages: OrderedDict[int, tuple[CatalogueRow, ...]] = OrderedDict()
        self._count: int | None = None
        self._ids: frozenset[str] | None = None
        """The products that the table lists, or None where nobody has asked for them since."""
        self._ticks: set[str] = set()
        self._facts: tuple[int, CatalogueStatus, tuple[CategoryCount, ...]] | None = None

    def forget_rows(self) -> None:
        """Forget the rows, because the catalogue or the choice is another one."""
        self._pages.clear()
        self._count = self._ids = None

    # --- rows ------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        if self._count is None:
            self._count = self._count_of(self.choice, 0)
        return self._count

    @property
    def is_empty(self) -> bool:
        """Whether there is no article at all, whatever is searched for."""
        return not self.count and not self._count_of(TableChoice(), 1)

    def _count_of(self, choice: TableChoice, instead: int) -> int:
        return read_or(self._services, instead, lambda: self._services.table.count(choice))

    def row(self, number: int) -> CatalogueRow | None:
        page, index = divmod(number, PAGE)
        if number < 0:
            return None
        rows = self._page(page)
        return rows[index] if index < len(rows) else None

    def _page(self, number: int) -> tuple[CatalogueRow, ...]:
        if number in self._pages:
            self._pages.move_to_end(number)
            return self._pages[number]
        table, choice = self._services.table, self.choice
        rows = read_or(
            self._services, _NO_ROWS, lambda: table.page(choice, offset=number * PAGE, limit=PAGE)
        )
        self._pages[number] = rows
        if len(self._pages) > KEPT_PAGES:
            self._pages.popitem(last=False)
        return rows

    def index_of(self, product_id: str) -> int | None:
        table, choice = self._services.table, self.choice
        return read_or(self._services, None, lambda: table.index(choice, product_id))

    def number_of(self, row: CatalogueRow, *, near: int) -> int | None:
        """The number that a row has by now, which is mostly `near`; None if it left the list."""
        there = self.row(near)
        if there is not None and there.product_id == row.product_id:
            return near
        return self.index_of(row.product_id)

    # --- which products --------------------------------------------------------------------------

    def choose(self, choice: TableChoice) -> None:
        if choice != self.choice:
            self.choice = choice
            self.scrolled = 0
            self._on_choice()

    def search(self, query: str) -> None:
        self.choose(replace(self.choice, query=query, order=TableOrder.BEST, descending=False))

    def sort(self, order: TableOrder) -> None:
        """Sort by a column, or turn its order round."""
        now = self.choice
        same = now.order is order or (
            now.order is TableOrder.BEST and order is TableOrder.NAME and not now.query
        )
        turned = same and not now.descending
        self.choose(replace(now, order=order, descending=turned))

    def filter(self, *, category_id: str | None = None, edits: EditMark = EditMark.NONE) -> None:
        """Show the products of a category, or those whose changes are in the state `edits`; without
        either, all."""
        self.choose(replace(self.choice, category_id=category_id, edits=edits))

    def categories(self) -> tuple[CategoryCount, ...]:
        return self._counted()[2]

    def facts(self) -> CatalogueStatus:
        """The numbers of waiting changes, by their reason."""
        return self._counted()[1]

    def _counted(self) -> tuple[int, CatalogueStatus, tuple[CategoryCount, ...]]:
        """The counts, which are taken again only after somebody wrote: with 100,000 articles it
        takes 10 ms."""
        catalogue = self._services.catalogue
        generation = catalogue.generation()
        if self._facts is None or self._facts[0] != generation:
            self._facts = (generation, catalogue.facts(), catalogue.categories())
        return self._facts

    # --- ticks -----------------------------------------------------------------------------------

    @property
    def ticked(self) -> set[str]:
        """The ticked products that the table lists. Acts on all ticked ones are for these; the tick
        of another one waits until it is listed again."""
        if not self._ticks or self.choice == TableChoice():
            return set(self._ticks)
        return self._ticks & self._listed()

    def ticked_in_order(self) -> list[str]:
        """The ticked products in the table's order."""
        return [product_id for product_id in self._in_order() if product_id in self._ticks]

    def _listed(self) -> frozenset[str]:
        if self._ids is None:
            self._ids = frozenset(self._in_order())
        return self._ids

    def _in_order(self) -> tuple[str, ...]:
        table, choice = self._services.table, self.choice
        return read_or(self._services, _NO_IDS, lambda: table.products(choice))

    def is_ticked(self, product_id: str) -> bool:
        return product_id in self._ticks

    def tick(self, product_id: str) -> None:
        self._ticks ^= {product_id}
        self._on_ticks()

    @property
    def all_ticked(self) -> bool:
        ticked = len(self.ticked)
        return ticked > 0 and ticked >= self.count

    def tick_all(self) -> None:
        if self.all_ticked:
            self.untick()
            return
        self._ticks |= self._listed()
        self._on_ticks()

    def untick(self) -> None:
        self.forget_ticks(self.ticked)
        self._on_ticks()

    def forget_ticks(self, products: Set[str]) -> None:
        self._ticks -= products

    def forget_all_ticks(self) -> None:
        self._ticks.clear()
