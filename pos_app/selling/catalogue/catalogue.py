"""The catalogue as the till's screens see it: look-ups by code, windows of rows, edits.

Nothing is loaded that is not shown: each read is one indexed look-up or one window.
Sources: till.md (Cart, Sale, Catalogue), targets.md (Speed), platform-contract.md 2 and 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from pos_app.domain.article import Article, Marks
from pos_app.domain.barcodes import ArticleCode, PriceCode, WeightCode
from pos_app.domain.money import Money, Quantity
from pos_app.domain.product import Category, Product, Unit
from pos_app.domain.store import Store
from pos_app.domain.tax import TaxLabel
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.last_change import ChangeKind, ChangeLog, LastChange
from pos_app.selling.catalogue.planned_prices import PricePlans
from pos_app.selling.synchronisation.catalogue_edits import (
    CatalogueEdit,
    EditSide,
    EditState,
    NewEdit,
)
from pos_app.selling.synchronisation.joining import (
    NOTHING_SAID,
    Joining,
    JoiningAnswer,
    JoiningQuestion,
)
from pos_app.selling.synchronisation.store_edits import StoreEdit

FAVOURITES = 60
"""So many rows are favourites at most: a screen and a half of the grid."""
FAVOURITE_DAYS = 30
"""Best sellers are those of so many days."""
USUAL_FROM_LINES = 10
"""From so many lines on it is known how much of an article is usual."""


@dataclass(frozen=True, slots=True)
class FoundArticle:
    """An article by its code. quantity: of a further barcode, else one."""

    article: Article
    quantity: Quantity = Quantity.ONE


class EditMark(StrEnum):
    """What a row says about this till's own changes of it."""

    NONE = ""
    WAITING = "waiting"
    CONFLICT = "conflict"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueRow:
    """One row of the picker or of the catalogue: a product, with its variants in one.

    article_id: what a tap sells; None where a chooser must open (articles > 1) or nothing can
    be sold (articles = 0). ean: of the only article. sku, label, price, unit, by_weight: all of
    the cheapest variant; highest: price of the dearest. asks_price: of any variant. unit: symbol.
    picture: a file that is there, or None; picture_id: the platform's file of it, None for none.
    """

    product_id: str
    article_id: str | None
    articles: int
    sku: int | None
    ean: str | None
    name: str
    subtitle: str
    label: TaxLabel
    price: Money | None
    highest: Money | None
    unit: str
    by_weight: bool
    asks_price: bool
    pinned: bool
    category_ids: tuple[str, ...]
    picture: Path | None
    edits: EditMark
    picture_id: str | None = None


class SortOrder(StrEnum):
    """How a catalogue is sorted while nothing is searched."""

    NAME = "name"
    CODE = "code"
    PRICE = "price"


@dataclass(frozen=True, slots=True)
class CategoryCount:
    """A category and how many rows it has."""

    category: Category
    rows: int


@dataclass(frozen=True, slots=True)
class CatalogueStatus:
    """The state of the catalogue, for the bottom line and Attention. Instants are UTC.

    waiting: edits to be sent. conflicts: edits that a person decides. gone: products that
    vanished from the platform's list and wait for a manager. away_since: since when the platform
    can't be asked, None while it can; fault: the code of the error that says why.

    stores_waiting: stores with changes to be sent. stores_to_decide: those that both sides changed,
    or whose change was refused. joining: whether what this shop has from elsewhere is sent there.
    """

    synced_at: datetime | None
    waiting: int
    conflicts: int
    refused: int
    gone: int
    away_since: datetime | None = None
    fault: str = ""
    stores_waiting: int = 0
    stores_to_decide: int = 0
    joining: Joining = NOTHING_SAID

    @property
    def asked_to_join(self) -> JoiningQuestion | None:
        """What a person is asked before anything goes to the platform; None once they said."""
        return self.joining.question if self.joining.answer is None else None

    @property
    def to_decide(self) -> int:
        """All that a person decides: changes of articles and stores, whether products that
        vanished together go, which is one question, and whether this shop joins its platform."""
        edits = self.conflicts + self.refused + self.stores_to_decide
        return edits + bool(self.gone) + (self.asked_to_join is not None)

    @property
    def to_send(self) -> int:
        """All changes, of articles and stores, that wait to be sent."""
        return self.waiting + self.stores_waiting


@dataclass(frozen=True, slots=True)
class PriceChange:
    """A price that changed. by: a person, or the place it came from. at: UTC. number: of its row;
    a later row has a higher one."""

    article_id: str
    sku: int | None
    name: str
    old: Money | None
    new: Money | None
    at: datetime
    by: str
    number: int


class Catalogue(Protocol):
    """Reads of the till: indexed, windowed, never blocked by a synchronisation."""

    def by_code(self, code: ArticleCode) -> tuple[FoundArticle, ...]:
        """Articles by EAN or further barcode, else by article code, else by the maker's code.

        Usually one; several when the catalogue has a code twice: let the cashier choose.
        """

    def by_scale(self, code: WeightCode | PriceCode) -> tuple[Article, ...]:
        """Articles by a scale's code: held as prefix and digits, else by article code."""

    def article(self, article_id: str) -> Article | None: ...

    def usual_amount(self, article_id: str) -> Quantity | None:
        """How much of it this till sells in a line: the mean of the last some hundred lines; None
        while they are fewer than USUAL_FROM_LINES."""

    def variants(self, product_id: str) -> tuple[Article, ...]:
        """All that is sold of a product, in its own order."""

    def count(
        self, query: str = "", *, category_id: str | None = None, most: int | None = None
    ) -> int:
        """How many rows a search has; an empty query has all.

        most: no more than so many are counted. Whoever shows a screen of them need not know the
        rest, and to count 60,000 hits takes longer than to read the first of them.
        """

    def page(
        self,
        query: str = "",
        *,
        category_id: str | None = None,
        order: SortOrder = SortOrder.NAME,
        offset: int = 0,
        limit: int = 50,
    ) -> tuple[CatalogueRow, ...]:
        """A window of the rows whose words begin with each word of `query`, in either script.

        First what has exactly that code, then names that begin so, then the others; `order`
        holds while nothing is searched.
        """

    def favourites(self, *, limit: int = FAVOURITES) -> tuple[CatalogueRow, ...]:
        """What the manager pinned, then the best sellers of 30 days."""

    def open_price_articles(self) -> tuple[Article, ...]:
        """The manager's named articles whose price is typed, for what the catalogue lacks."""

    def categories(self) -> tuple[CategoryCount, ...]:
        """The chips in their order; empty ones too."""

    def categories_in_use(self) -> tuple[Category, ...]:
        """Those of them that have rows, in their order, without counting these."""

    def units(self) -> tuple[Unit, ...]: ...

    def stores(self) -> tuple[Store, ...]:
        """The account's stores, in the order listed."""

    def store(self, store_id: str | None = None) -> Store | None:
        """The store of that id, or the first one; None before the first synchronisation."""

    def product(self, product_id: str) -> Product | None:
        """All fields of a product, with this till's changes in it."""

    def marks(self, article_id: str) -> Marks:
        """What the shop notes of an article itself."""

    def picture(self, file_id: str) -> Path | None:
        """Where the picture lies on this machine; None while it is not here."""

    def facts(self) -> CatalogueStatus: ...

    def price_changes(
        self, *, since: datetime, until: datetime | None = None,
        after: PriceChange | None = None, limit: int = 1000,
    ) -> tuple[PriceChange, ...]:  # fmt: skip
        """So many prices that changed, the latest first. until: not included. after: what a call
        before this one ended with."""

    def category_of_articles(
        self, *, after: int = 0, limit: int = 2000
    ) -> tuple[Mapping[str, str], int | None]:
        """The name of the first category of so many articles, by their `article_key`; those
        without one are left out. And what to go on after; None at the end."""

    def generation(self) -> int:
        """A number that differs once another program has written: windows are asked anew."""


class ProductReader(Protocol):
    """Products with this till's changes in them, and what the shop notes of each."""

    def product(self, product_id: str) -> Product | None: ...

    def marks(self, article_id: str) -> Marks: ...


class CatalogueEditor(PricePlans, ProductReader, Protocol):
    """A manager's changes: each one short transaction, visible at once, queued for sending. What it
    reads has also what was written and is not committed yet.

    Acts raise NotFound for an unknown product, NotAllowed for a move that life does not have,
    DiskFull.
    """

    def together(self) -> AbstractContextManager[None]:
        """What is written within is one transaction, committed at the end: all or none of it; one
        of these within another is undone alone. Other programs can't write meanwhile: keep it
        short."""

    def record(self, edit: NewEdit) -> CatalogueEdit:
        """Carry out and queue an edit."""

    def keep_store(self, store: Store) -> None:
        """Make this the account's store of its id: as a platform told it, or as a manager wants it
        where there is none. Raises NotFound where there is no such store."""

    def queue_store(self, before: Store, after: Store, *, by: str, at: datetime) -> None:
        """Change a store of a platform that can't be asked now: the till uses it at once, and it
        is sent when the line returns. Raises NotFound where there is no such store."""

    def store_edit(self, store_id: str) -> StoreEdit | None:
        """What was changed of a store and waits to be sent, its conflicts and its refusal; None
        where nothing does."""

    def decide_store(self, store_id: str, sides: Mapping[str, EditSide]) -> None:
        """A person's answers about fields of a store that both sides changed.

        Raises NotFound where nothing waits, Invalid for a field that is not in conflict."""

    def drop_store_edit(self, store_id: str) -> None:
        """Take back what waits to be sent: the store is as its platform told it last."""

    def answer_joining(
        self, answer: JoiningAnswer, asked: JoiningQuestion, *, by: str, at: datetime
    ) -> None:
        """A manager's word about sending what this shop has from elsewhere to its platform.

        Raises NotAllowed where the platform in use is not the one that was `asked` about."""

    def ask_joining_anew(self, *, after_read: bool) -> None:
        """The next synchronisation asks an open question anew. after_read: also where a manager
        said that nothing is sent."""

    def open_store(self, store: Store) -> None:
        """The store of a shop without a platform, with the usual units where there are none.

        Raises NotAllowed where there is a store already."""

    def add_usual_units(self) -> None:
        """Units for a catalogue that has none: that of a shop without a platform."""

    def add_categories(self, names: Mapping[str, str]) -> None:
        """Categories made here, by id, behind the others. They are sent with the first article that
        names them."""

    def note(self, article_id: str, marks: Marks, *, by: str, at: datetime) -> CatalogueEdit:
        """Change what only this shop notes of an article (pin, open price, barcodes)."""

    def pin(self, article_ids: tuple[str, ...], *, by: str, at: datetime) -> None:
        """Make exactly these the pinned favourites, in this order."""

    def open_edits(self, product_id: str) -> tuple[CatalogueEdit, ...]:
        """The edits that the till shows a product with, the oldest first."""

    def edits(self, states: frozenset[EditState]) -> tuple[CatalogueEdit, ...]:
        """Edits in these states, the oldest first."""

    def move(
        self, edit_id: int, state: EditState, *, at: datetime, error: str = ""
    ) -> CatalogueEdit:
        """Bring an edit into a state, with the reason of a refusal."""

    def decide(self, edit_id: int, sides: Mapping[str, EditSide], *, at: datetime) -> CatalogueEdit:
        """A person's answer to a conflict, per field; fields left out stay open."""

    def gone(self, *, limit: int) -> tuple[str, ...]:
        """Names of products that vanished from the list and wait for a manager, in their order."""

    def accept_gone(self, *, by: str, at: datetime, at_most: int | None = None) -> int:
        """Remove the products that vanished from the platform's list, or the first of them; how
        many these were."""

    def change_log(self, kind: ChangeKind, *, name: str, by: str, at: datetime) -> ChangeLog:
        """Where a change of many articles that begins now is kept, in place of the last one. name:
        of the imported file."""

    def last_change(self) -> LastChange | None:
        """The change of many articles that can be taken back; None where there is none."""

    def count_sold(self, lines: Iterable[tuple[str, Quantity]], *, on: date) -> None:
        """Count what a sale's lines (article id, quantity) sold on a shop's day: toward the best
        sellers, and how much of an article is usual."""


def create_for_code(
    editor: CatalogueEditor,
    *,
    product_id: str,
    name: str,
    label: TaxLabel,
    price: Money | None,
    code: str | None = None,
    unit_id: str | None = None,
    category_ids: tuple[str, ...] = (),
    by: str,
    at: datetime,
) -> CatalogueEdit:
    """Add an article on the spot, with the unknown code as its EAN. product_id: a new uuid.

    Raises Invalid for an empty name or a negative price.
    """
    product = Product(
        id=product_id,
        name=name.strip(),
        tax_label=label,
        price=price,
        ean=code or None,
        sale_unit_id=unit_id,
        categories=category_ids,
    )
    return editor.record(NewEdit.adding(product, by=by, at=at))


def delete_product(
    editor: CatalogueEditor, product_id: str, *, by: str, at: datetime
) -> CatalogueEdit:
    """Sell it no more; its article codes stay taken."""
    return editor.record(NewEdit.deleting(product_id, by=by, at=at))
