"""The catalogue as the till's screens see it: look-ups by code, windows of rows, edits.

Only what is shown is loaded: each read is one indexed look-up or one window.
Sources: till.md (Cart, Sale, Catalogue), targets.md (Speed), platform-contract.md 2 and 6.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from pos_app.domain.article.article import Article, Marks
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.product import Category, Product, Unit
from pos_app.domain.article.scale_labels import PriceCode, ScaleRules, WeightCode
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.bulk_act import BulkAct
from pos_app.selling.catalogue.last_change import ChangeKind, ChangeLog, LastChange
from pos_app.selling.catalogue.names import NameCount
from pos_app.selling.catalogue.planned_prices import ComingPrice, EndedPlan, PricePlans
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.joining import (
    NOTHING_SAID,
    Joining,
    JoiningAnswer,
    JoiningQuestion,
)
from pos_app.selling.synchronisation.name_edits import NameEdit
from pos_app.selling.synchronisation.own_names import Named, NameKind
from pos_app.selling.synchronisation.store_edits import StoreEdit

FAVOURITES = 60
"""The most favourites: a screen and a half of the grid."""
FAVOURITE_DAYS = 30
"""The days whose sales make the best sellers."""
USUAL_FROM_LINES = 10
"""The usual amount of an article is known from this many lines on."""


@dataclass(frozen=True, slots=True)
class FoundArticle:
    """An article found by its code, with what one scan of that code stands for.

    quantity: that of a further barcode or a scale's label, else one. total: what the label says
    that the pack costs, or None. is_pack: a label states the quantity or the total of this pack.
    good_until: the last day that is printed on it, or None. asks_price: its price is typed,
    whatever the catalogue says. refusal: why the pack is not sold by its label, or None.
    """

    article: Article
    quantity: Quantity = Quantity.ONE
    total: Money | None = None
    is_pack: bool = False
    good_until: date | None = None
    asks_price: bool = False
    refusal: Invalid | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the code names the article alone."""
        return not self.is_pack and self.quantity == Quantity.ONE

    @property
    def stated_quantity(self) -> Quantity | None:
        """The quantity that the code states, or None where it names the article or a total."""
        return None if self.is_plain or self.total is not None else self.quantity

    def is_past(self, today: date) -> bool:
        """Whether the last day of the pack is over."""
        return self.good_until is not None and self.good_until < today

    def times(self, count: Quantity) -> FoundArticle:
        """So many of what the code stands for. Raises Invalid."""
        total = None if self.total is None else self.total.times(count)
        quantity = Quantity(self.quantity.amount * count.amount)
        return replace(self, quantity=quantity, total=total)


class EditMark(StrEnum):
    """The state of this till's own changes of a row."""

    NONE = ""
    WAITING = "waiting"
    CONFLICT = "conflict"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueRow:
    """One row of the picker or of the catalogue: a product together with all its variants.

    article_id: the article that a tap sells, or None where a chooser must open (articles > 1) or
    nothing can be sold (articles = 0). ean: the EAN of the only article. sku, label, price, unit
    (its symbol), by_weight: the values of the cheapest variant; highest: the price of the dearest.
    asks_price: whether any variant's price is asked. picture: a file on this machine, or None;
    picture_id: the platform's id of the file, or None.
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
    """The order of a catalogue while nothing is searched."""

    NAME = "name"
    CODE = "code"
    PRICE = "price"


@dataclass(frozen=True, slots=True)
class CategoryCount:
    category: Category
    rows: int


@dataclass(frozen=True, slots=True)
class CatalogueStatus:
    """The state of the catalogue, for the footer and Attention. Instants are UTC.

    waiting: edits to be sent. conflicts: edits that a person decides; lost: those of them that the
    platform had, until it was put back from an older copy. gone: products that vanished
    from the platform's list and wait for a manager. away_since: the instant since when the platform
    can't be reached, None while it can; fault: the code of the error.

    stores_waiting: stores with changes to be sent. stores_to_decide: stores that both sides
    changed, or whose change was refused. names_waiting, names_to_decide: the same of units and
    categories. joining: whether articles that this shop has from
    elsewhere are sent to the platform. bulk_act: the change of many articles that is under way.
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
    names_waiting: int = 0
    names_to_decide: int = 0
    lost: int = 0
    plans_ended: tuple[EndedPlan, ...] = ()
    """Planned prices that a list's other measure took off, until a person has seen it."""
    joining: Joining = NOTHING_SAID
    bulk_act: BulkAct | None = None

    @property
    def asked_to_join(self) -> JoiningQuestion | None:
        """The open question before anything is sent to the platform, or None once answered."""
        return self.joining.question if self.joining.answer is None else None

    @property
    def to_decide(self) -> int:
        """The number of questions for a person: changes of articles and stores, whether the
        products that vanished from the list are removed (one question for all), and whether this
        shop joins its platform."""
        edits = self.conflicts + self.refused + self.stores_to_decide + self.names_to_decide
        return edits + bool(self.gone) + (self.asked_to_join is not None)

    @property
    def to_send(self) -> int:
        return self.waiting + self.stores_waiting + self.names_waiting


class PriceCause(StrEnum):
    """Why a price changed."""

    EDIT = "edit"
    BULK = "bulk"
    IMPORT = "import"
    TAKEN_BACK = "taken_back"
    PLAN = "plan"
    """A planned price began to hold."""
    PLAN_END = "plan_end"
    """A planned price ended, or was taken off while it held."""
    PLATFORM = "platform"


FROM_FILE = "file"
"""The origin of products that came from a file, and who changed what its list changed. A file's
list never tells that products of a platform's account are gone."""


@dataclass(frozen=True, slots=True)
class PriceReason:
    """percent: of a change of many articles by a percentage, or of a plan that it made."""

    cause: PriceCause
    percent: Decimal | None = None


@dataclass(frozen=True, slots=True)
class PriceChange:
    """A price that changed: what the article costs, so that each change goes on from the one
    before. by: a person, or the source it came from. at: UTC. number: the number of its row,
    ascending. percent: as `PriceReason` has it. label, unit: those that the article had then."""

    article_id: str
    sku: int | None
    name: str
    old: Money | None
    new: Money | None
    at: datetime
    by: str
    number: int
    cause: PriceCause
    percent: Decimal | None
    label: TaxLabel
    unit: str


CodesOfArticles = tuple[tuple[str, str], ...]
"""Codes, each with the name of its article."""


class Catalogue(Protocol):
    """Reads of the till. Each is indexed and windowed; a synchronisation never blocks one."""

    def by_code(self, code: ArticleCode) -> tuple[FoundArticle, ...]:
        """Articles by EAN or further barcode, else by article code, else by the maker's code.

        Where several articles have the code, the cashier has to choose.
        """

    def by_scale(self, code: WeightCode | PriceCode) -> tuple[Article, ...]:
        """Articles by a scale's code: first those whose stored code is the scale's prefix and
        digits, else those with the article code."""

    def codes_of_labels(self, rules: ScaleRules, *, limit: int) -> tuple[int, CodesOfArticles]:
        """The number of stored codes that the rules would read as a scale's label, and the first of
        them, each with its article's name."""

    def article(self, article_id: str) -> Article | None: ...

    def usual_amount(self, article_id: str) -> Quantity | None:
        """The usual amount of an article in a line of this till: the mean of its last few hundred
        lines. It is None while there are fewer than USUAL_FROM_LINES."""

    def variants(self, product_id: str) -> tuple[Article, ...]:
        """All articles of a product, in its own order."""

    def count(
        self, query: str = "", *, category_id: str | None = None, most: int | None = None
    ) -> int:
        """Count the rows that a search finds; an empty query finds all.

        most: the count stops there. A screen of rows need not know the rest, and to count 60,000
        hits takes longer than to read the first of them.
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
        """A window of the rows that have, for each word of `query`, a word that begins with it, in
        either script.

        Rows whose code is exactly the query come first, then those whose name begins with it, then
        the others; `order` holds while nothing is searched.
        """

    def favourites(self, *, limit: int = FAVOURITES) -> tuple[CatalogueRow, ...]:
        """The articles that the manager pinned, then the best sellers of 30 days."""

    def open_price_articles(self) -> tuple[Article, ...]:
        """The manager's named articles whose price is typed, for goods that the catalogue lacks."""

    def categories(self) -> tuple[CategoryCount, ...]:
        """The categories of the chips, in their order; empty ones, too."""

    def categories_in_use(self) -> tuple[Category, ...]:
        """The categories that have rows, in their order, without counting the rows."""

    def units(self) -> tuple[Unit, ...]: ...

    def counted_names(self, kind: NameKind) -> tuple[NameCount, ...]:
        """The units or categories, in their order, with the rows that have each."""

    def products_having(self, kind: NameKind, name_id: str) -> tuple[str, ...]:
        """The products that have a unit, for sale or as their base, or a category."""

    def stores(self) -> tuple[Store, ...]:
        """The account's stores, in the order listed."""

    def store(self, store_id: str | None = None) -> Store | None:
        """The store of that id, or the first one. It is None before the first synchronisation."""

    def product(self, product_id: str) -> Product | None:
        """All fields of a product, with this till's changes in it."""

    def marks(self, article_id: str) -> Marks:
        """The shop's own notes about an article."""

    def picture(self, file_id: str) -> Path | None:
        """The picture's file on this machine, or None while it is not here."""

    def facts(self) -> CatalogueStatus: ...

    def price_changes(
        self,
        *,
        since: datetime,
        until: datetime | None = None,
        after: PriceChange | None = None,
        limit: int = 1000,
    ) -> tuple[PriceChange, ...]:
        """Changed prices, at most `limit`, the latest first. until: not included. after: the last
        row of the call before."""

    def coming_prices(
        self, *, since: datetime, until: datetime, now: datetime
    ) -> tuple[ComingPrice, ...]:
        """What articles come to cost by planned prices that begin or end in that time, in the order
        of their names. until: not included. now: as of `ComingPrice`."""

    def labels_missing(
        self, *, since: datetime, until: datetime, now: datetime, only_labelled: bool = False
    ) -> int:
        """How many of these `coming_prices` lack their label. only_labelled: those of articles that
        have a label at all."""

    def coming_price_moments(self, *, since: datetime) -> tuple[datetime, ...]:
        """The moments from then on at which planned prices begin or end, the first one first."""

    def category_of_articles(
        self, *, after: int = 0, limit: int = 2000
    ) -> tuple[Mapping[str, str], int | None]:
        """The name of the first category of at most `limit` articles, by their `article_key` (those
        without one are left out), and where the next call continues, None at the end."""

    def generation(self) -> int:
        """A number that changes once another program has written, so that windows are read anew."""


class ProductReader(Protocol):
    """Products with this till's changes in them, and what the shop notes of each."""

    def product(self, product_id: str) -> Product | None: ...

    def marks(self, article_id: str) -> Marks: ...


@dataclass(frozen=True, slots=True)
class PrintedLabel:
    """The label of an article that was printed last. words: `PriceLabel.all_words`. at: the moment
    from which it holds, or when it was printed; UTC. price: None where it says none."""

    words: str
    at: datetime
    price: Money | None


class CatalogueEditor(PricePlans, ProductReader, Protocol):
    """A manager's changes: each is one short transaction, visible at once, queued for sending. Its
    reads include what is written but not committed.

    Acts raise NotFound for an unknown product, NotAllowed for a move that the table of states
    lacks, DiskFull.
    """

    def together(self) -> AbstractContextManager[None]:
        """Write everything inside in one transaction, which is committed at the end or not at all.
        An inner one can be undone alone. Keep it short, because other programs can't write
        meanwhile."""

    def record(
        self, edit: catalogue_edits.NewEdit, *, plans_are_meant: bool = False
    ) -> catalogue_edits.CatalogueEdit:
        """Carry out and queue an edit. plans_are_meant: where it changes a unit to one that
        measures otherwise, a person said that planned prices are those of the new one; else they
        are taken off."""

    def bring_back(self, product_id: str, *, by: str, at: datetime) -> None:
        """Take the last deletion of a product back, with all that it was and had here. Where the
        platform has the deletion, it is asked to bring the product back.

        Raises NotFound where nothing deleted it, NotAllowed where something came after that, or
        while the platform's answer to the deletion is open, Invalid where another article has a
        code of it by now."""

    def keep_store(self, store: Store) -> None:
        """Put this in place of the account's store with the same id. It comes from a platform, or
        from a manager where there is no platform. Raises NotFound where there is no such store."""

    def queue_store(
        self, before: Store, after: Store, *, by: str, at: datetime, was_sent: bool = False
    ) -> None:
        """Change a store of a platform that can't be reached now: the till uses it at once, and
        sends it when the connection returns. was_sent: the platform was asked for the change, and
        may have made it. Raises NotFound where there is no such store."""

    def store_edit(self, store_id: str) -> StoreEdit | None:
        """The change of a store that waits to be sent, its conflicts and its refusal, or None."""

    def decide_store(self, store_id: str, sides: Mapping[str, catalogue_edits.EditSide]) -> None:
        """A person's answers about fields of a store that both sides changed.

        Raises NotFound where nothing waits, Invalid for a field that is not in conflict."""

    def drop_store_edit(self, store_id: str) -> None:
        """Drop the change that waits to be sent: the store is as its platform sent it last."""

    def answer_joining(
        self, answer: JoiningAnswer, asked: JoiningQuestion, *, by: str, at: datetime
    ) -> None:
        """Keep a manager's answer whether this shop's articles from elsewhere are sent to its
        platform.

        Raises NotAllowed where the platform in use is not the one that was `asked` about.
        """

    def ask_joining_anew(self, *, after_read: bool) -> None:
        """Let the next synchronisation ask an open question anew. after_read: also one that a
        manager answered with "only read"."""

    def open_store(self, store: Store) -> None:
        """Add the store of a shop without a platform, with the usual units where there are none.

        Raises NotAllowed where there is a store already.
        """

    def add_usual_units(self) -> None:
        """Add units to the empty list of a shop without a platform."""

    def add_categories(self, names: Mapping[str, str]) -> None:
        """Add categories of this till, by id, behind the others. They are sent with the first
        article that has them."""

    def add_units(self, units: Iterable[Unit]) -> None:
        """Add units of this till, behind the others. They are sent with the first article that has
        them. Those that are there already stay as they are."""

    def add_name(self, named: Named, *, by: str, at: datetime) -> None:
        """Add a unit or category, and queue it. Raises Invalid, with the field."""

    def change_name(self, old: Named, new: Named, *, by: str, at: datetime) -> None:
        """Give a unit or category, as it was shown, other words, and queue that. What was sold
        stays as it was. Raises Invalid, NotFound, NotAllowed where something else has changed
        it."""

    def order_names(self, ordered: Collection[Named], *, by: str, at: datetime) -> None:
        """Put units or categories in this order, and queue that."""

    def delete_name(self, named: Named, *, by: str, at: datetime) -> None:
        """Delete a unit or category, and queue that. Raises NotAllowed where an article has it."""

    def name_edits(self) -> tuple[NameEdit, ...]:
        """The changes of units and categories that the platform does not have yet."""

    def decide_name(
        self, edit: NameEdit, side: catalogue_edits.EditSide, *, by: str, at: datetime
    ) -> None:
        """A person's answer about a change that was refused, or that both sides made: ours is sent
        again, theirs takes its place. Raises NotFound where it is not as it was shown."""

    def lacking(self, ids: Collection[str]) -> frozenset[str]:
        """The ids among these of which there is neither a category nor a unit."""

    def note(
        self, article_id: str, marks: Marks, *, by: str, at: datetime
    ) -> catalogue_edits.CatalogueEdit:
        """Change what only this shop notes of an article (pin, open price, barcodes)."""

    def pin(self, article_ids: tuple[str, ...], *, by: str, at: datetime) -> None:
        """Make exactly these the pinned favourites, in this order."""

    def open_edits(self, product_id: str) -> tuple[catalogue_edits.CatalogueEdit, ...]:
        """The changes that the till shows in a product, the oldest first."""

    def edits(
        self, states: frozenset[catalogue_edits.EditState]
    ) -> tuple[catalogue_edits.CatalogueEdit, ...]:
        """Edits in these states, the oldest first."""

    def move(
        self, edit_id: int, state: catalogue_edits.EditState, *, at: datetime, error: str = ""
    ) -> catalogue_edits.CatalogueEdit:
        """Bring an edit into a state, with the reason of a refusal."""

    def withdraw(self, edit_id: int, *, by: str, at: datetime) -> None:
        """Take an edit back, so that the platform's values count. Where the platform may have it,
        its earlier values are sent. A planned price that was taken off for its price is told as
        ended. Raises NotAllowed where it is settled by now."""

    def decide(
        self, edit_id: int, sides: Mapping[str, catalogue_edits.EditSide], *, at: datetime
    ) -> str:
        """A person's answer to a conflict, per field; fields left out stay open. A price that is
        decided takes the place of a planned one that has begun and has no end. Return the id that
        the edited product has from then on: the platform's, where the two become one."""

    def gone(self, *, limit: int) -> tuple[str, ...]:
        """Names of products that vanished from the list and wait for a manager, in their order."""

    def accept_gone(self, *, by: str, at: datetime, at_most: int | None = None) -> int:
        """Remove all or the first products that vanished from the list, and return their number."""

    def bulk_act(self) -> BulkAct | None:
        """Return the change of many articles that is under way, or was cut or stopped."""

    def note_begun(self, act: BulkAct | None) -> None:
        """Note that a person began this change, before anything of it is written; None once they
        were told what became of it."""

    def settle_begun(self) -> None:
        """Let the change that was noted and never told be told, as one that is over: the till ended
        before its first write, or after its last one. One that is under way is carried on."""

    def stop_act(self) -> BulkAct | None:
        """Note that a person stopped that change, and return it."""

    def end_act(self) -> None:
        """End that change: what was changed stays, what was not is forgotten."""

    def note_planned_prices(self, *, at: datetime) -> None:
        """Note planned prices that have begun or ended until then among the price changes."""

    def labels_printed(self, article_ids: Iterable[str]) -> Mapping[str, PrintedLabel]:
        """The labels of these articles that were printed last."""

    def note_labels(self, labels: Mapping[str, PrintedLabel]) -> None:
        """Remember the labels that were printed, by article."""

    def change_log(self, kind: ChangeKind, *, name: str, by: str, at: datetime) -> ChangeLog:
        """Begin to keep a change of many articles; it takes the place of the last one. name: the
        name of the imported file."""

    def last_change(self) -> LastChange | None:
        """The change of many articles that can be taken back, or None."""

    def count_sold(self, lines: Iterable[tuple[str, Quantity]], *, on: date) -> None:
        """Count what a sale's lines (article id, quantity) sold on a shop's day, for the best
        sellers and the usual amounts."""


def categories_in_turn(catalogue: Catalogue) -> Iterator[Mapping[str, str]]:
    """The names of the first categories of all articles, by their `article_key`, some at a time,
    so that a window can take its turn in between."""
    after: int | None = 0
    while after is not None:
        some, after = catalogue.category_of_articles(after=after)
        yield some


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
) -> catalogue_edits.CatalogueEdit:
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
    return editor.record(catalogue_edits.NewEdit.adding(product, by=by, at=at))


def delete_product(
    editor: CatalogueEditor, product_id: str, *, by: str, at: datetime
) -> catalogue_edits.CatalogueEdit:
    """Delete a product; its article codes stay taken."""
    return editor.record(catalogue_edits.NewEdit.deleting(product_id, by=by, at=at))
