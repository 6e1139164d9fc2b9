"""The catalogue for the screens, which show less and sell on while it can't be read.

A read that only fills the screen then returns nothing, or the last result. A read that the cashier
asked for raises the error. Both report to `StorageFaults`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pos_app import log
from pos_app.cashier.services import storage_faults
from pos_app.clock import Clock
from pos_app.domain.article.article import Article, Marks
from pos_app.domain.article.barcodes import ArticleCode, PriceCode, WeightCode, WeightCodeRules
from pos_app.domain.article.product import Category, Product, Unit
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Quantity
from pos_app.errors import MachineError
from pos_app.selling.catalogue.catalogue import (
    FAVOURITES,
    Catalogue,
    CatalogueRow,
    CatalogueStatus,
    CategoryCount,
    CodesOfArticles,
    FoundArticle,
    PriceChange,
    SortOrder,
)

NOTHING_KNOWN = CatalogueStatus(None, 0, 0, 0, 0)

T = TypeVar("T")
_log = log.get(__name__)


class TolerantCatalogue:
    """Implements the port Catalogue over another one."""

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
        self._store: Store | None = None
        self._facts = NOTHING_KNOWN
        self._categories: tuple[CategoryCount, ...] = ()
        self._in_use: tuple[Category, ...] = ()
        self._generation = 0

    # --- what is shown ---------------------------------------------------------------------------

    def count(
        self, query: str = "", *, category_id: str | None = None, most: int | None = None
    ) -> int:
        def read() -> int:
            return self._catalogue.count(query, category_id=category_id, most=most)

        return self._shown("count", read, 0)

    def page(
        self,
        query: str = "",
        *,
        category_id: str | None = None,
        order: SortOrder = SortOrder.NAME,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[CatalogueRow, ...]:
        def read() -> tuple[CatalogueRow, ...]:
            return self._catalogue.page(
                query, category_id=category_id, order=order, offset=offset, limit=limit
            )

        return self._shown("page", read, ())

    def favourites(self, *, limit: int = FAVOURITES) -> tuple[CatalogueRow, ...]:
        return self._shown("favourites", lambda: self._catalogue.favourites(limit=limit), ())

    def categories(self) -> tuple[CategoryCount, ...]:
        self._categories = self._shown("categories", self._catalogue.categories, self._categories)
        return self._categories

    def categories_in_use(self) -> tuple[Category, ...]:
        self._in_use = self._shown(
            "categories_in_use", self._catalogue.categories_in_use, self._in_use
        )
        return self._in_use

    def units(self) -> tuple[Unit, ...]:
        return self._shown("units", self._catalogue.units, ())

    def stores(self) -> tuple[Store, ...]:
        return self._shown("stores", self._catalogue.stores, ())

    def store(self, store_id: str | None = None) -> Store | None:
        self._store = self._shown("store", lambda: self._catalogue.store(store_id), self._store)
        return self._store

    def facts(self) -> CatalogueStatus:
        self._facts = self._shown("facts", self._catalogue.facts, self._facts)
        return self._facts

    def generation(self) -> int:
        """The catalogue's own number; it changes at each `RETRY` while a fault is known.

        Failed reads are then repeated, so that no past fault is shown; screens that compare the
        number read their content again too.
        """
        self._generation = self._shown("generation", self._catalogue.generation, self._generation)
        if self._retrial.is_due():
            self._retried += 1
            self._read_again()
        return self._generation + (self._retried << 32)

    # --- what was asked for ----------------------------------------------------------------------

    def by_code(self, code: ArticleCode) -> tuple[FoundArticle, ...]:
        return self._asked("by_code", lambda: self._catalogue.by_code(code))

    def by_scale(self, code: WeightCode | PriceCode) -> tuple[Article, ...]:
        return self._asked("by_scale", lambda: self._catalogue.by_scale(code))

    def codes_of_labels(self, rules: WeightCodeRules, *, limit: int) -> tuple[int, CodesOfArticles]:
        return self._asked(
            "codes_of_labels", lambda: self._catalogue.codes_of_labels(rules, limit=limit)
        )

    def article(self, article_id: str) -> Article | None:
        return self._asked("article", lambda: self._catalogue.article(article_id))

    def usual_amount(self, article_id: str) -> Quantity | None:
        return self._asked("usual_amount", lambda: self._catalogue.usual_amount(article_id))

    def variants(self, product_id: str) -> tuple[Article, ...]:
        return self._asked("variants", lambda: self._catalogue.variants(product_id))

    def open_price_articles(self) -> tuple[Article, ...]:
        return self._asked("open_price_articles", self._catalogue.open_price_articles)

    def product(self, product_id: str) -> Product | None:
        return self._asked("product", lambda: self._catalogue.product(product_id))

    def marks(self, article_id: str) -> Marks:
        return self._asked("marks", lambda: self._catalogue.marks(article_id))

    def picture(self, file_id: str) -> Path | None:
        return self._asked("picture", lambda: self._catalogue.picture(file_id))

    def price_changes(
        self,
        *,
        since: datetime,
        until: datetime | None = None,
        after: PriceChange | None = None,
        limit: int = 1000,
    ) -> tuple[PriceChange, ...]:
        def read() -> tuple[PriceChange, ...]:
            return self._catalogue.price_changes(since=since, until=until, after=after, limit=limit)

        return self._asked("price_changes", read)

    def category_of_articles(
        self, *, after: int = 0, limit: int = 2000
    ) -> tuple[Mapping[str, str], int | None]:
        def read() -> tuple[Mapping[str, str], int | None]:
            return self._catalogue.category_of_articles(after=after, limit=limit)

        return self._asked("category_of_articles", read)

    # --- parts -----------------------------------------------------------------------------------

    def _shown(self, what: str, read: Callable[[], T], otherwise: T) -> T:
        try:
            return self._asked(what, read)
        except MachineError:
            return otherwise

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
