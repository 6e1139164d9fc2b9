"""The state of the manager's catalogue: the rows, the edited product, what was typed. Typed text of
a product is kept until a button saves or discards it, whatever is opened or left meanwhile.
Sources: till.md (Catalogue), look.md (Screens, 6)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from pos_app import log
from pos_app.cashier.catalogue.many import ManyArticles
from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.services.storage_faults import Where
from pos_app.cashier.services.till_services import TillServices
from pos_app.characters import is_blank
from pos_app.domain.article.article import Article
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.product import Unit
from pos_app.domain.money.tax import usual_label
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid, MachineError, NotFound, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue import bulk_change, editing, product_draft
from pos_app.selling.catalogue.bulk_act import ActKind
from pos_app.selling.catalogue.bulk_change import BulkChange, BulkLine
from pos_app.selling.catalogue.catalogue import (
    CatalogueRow,
    CatalogueStatus,
    CategoryCount,
    EditMark,
    FoundArticle,
)
from pos_app.selling.catalogue.editing import Edited, Undecided
from pos_app.selling.catalogue.made_ids import id_of_category
from pos_app.selling.catalogue.table import TableChoice, TableOrder
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act
from pos_app.selling.synchronisation import catalogue_edits

PAGE = 40
KEPT_PAGES = 50
_READS = "catalogue table"
_NO_ROWS: tuple[CatalogueRow, ...] = ()
OF_PRODUCT = frozenset(
    {
        product_draft.DraftField.NAME,
        product_draft.DraftField.SUBTITLE,
        product_draft.DraftField.CATEGORIES,
    }
)
"""The fields of a product itself; its row shows them for all its variants."""
_CHOSEN = (
    product_draft.DraftField.UNIT,
    product_draft.DraftField.BASE_UNIT,
    product_draft.DraftField.CATEGORIES,
)
"""The fields whose values are ids that the catalogue may lose."""
EVERY_FIELD = ""
"""Stands for all fields that differ in a change."""
T = TypeVar("T")

_log = log.get(__name__)


def owner_id_of(row: CatalogueRow, field: product_draft.DraftField) -> str:
    """The id of the field's owner: the product, or the one article that it is sold as."""
    return row.product_id if field in OF_PRODUCT else row.article_id or row.product_id


@dataclass(frozen=True, slots=True)
class CellUndo:
    """The last change in the table: the field's value before it and since."""

    product_id: str
    owner_id: str
    field: product_draft.DraftField
    before: str
    after: str


class CataloguePart(Enum):
    """The parts of the model that listeners show anew."""

    ROWS = auto()
    CURRENT = auto()
    TYPED = auto()
    TICKS = auto()
    LOCK = auto()
    PAGE = auto()
    NEWS = auto()


class CatalogueModel(ManagerLock):
    """The state of the screen; it outlives the widgets that show it."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(
            services, act=Act.CATALOGUE, on_lifted=lambda: self.announce(CataloguePart.LOCK)
        )
        self.choice = TableChoice()
        self.current: Edited | None = None
        self.shows_form = False
        """Whether the form is shown; a cell of the table can be typed in without it."""
        self.is_new = False
        """Whether the edited article was never saved."""
        self.typed_texts: dict[str, dict[str, str]] = {}
        """By article: the fields that differ from the saved ones, as typed."""
        self._shown_texts: dict[str, dict[str, str]] = {}
        """By article: what each of these fields showed before it was typed in."""
        self._typed_over: dict[str, Edited] = {}
        """By article: its state when it was typed in; a new article has none."""
        self._new: dict[str, Edited] = {}
        """The articles that were added and not saved yet, by id."""
        self.is_gone = False
        """Whether the edited article was deleted meanwhile."""
        self.edited_cell: tuple[CatalogueRow, product_draft.DraftField] | None = None
        """The cell of the table that is open."""
        self._begun: tuple[Edited, product_draft.DraftField, str] | None = None
        """The cell that is typed in: article, field, and what it showed."""
        self.faults: Mapping[str, Invalid] = {}
        """The faults of the edited article's fields, found by saving."""
        self._ticks: set[str] = set()
        self._listed: frozenset[str] | None = None
        """The products that the table lists, or None where nobody has asked for them since."""
        self.scrolled = 0
        self.failure: PosError | None = None
        """The error of the last act, where no field is to blame."""
        self.many = ManyArticles(services)
        self.saved = ""
        self.is_deciding = False
        self.undoable: CellUndo | None = None
        self.columns = "main"
        self.new_categories: dict[str, str] = {}
        """The names of typed categories by their ids; each is made with the first article in it."""
        self._saved: dict[str, dict[str, str]] = {}
        """By article: its saved fields, as long as the rows stay."""
        self._pages: OrderedDict[int, tuple[CatalogueRow, ...]] = OrderedDict()
        self._count: int | None = None
        self._facts: tuple[int, CatalogueStatus, tuple[CategoryCount, ...]] | None = None
        self._generation = -1
        self.is_ours = False
        """Whether the rows were read anew because this manager has written."""
        self._listeners: list[Callable[[frozenset[CataloguePart]], None]] = []

    def listen(self, listener: Callable[[frozenset[CataloguePart]], None]) -> None:
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        self._listeners.clear()

    def announce(self, *changes: CataloguePart) -> None:
        for listener in tuple(self._listeners):
            listener(frozenset(changes))

    def leave(self) -> None:
        """Lock, so that the next visit asks for the PIN. What was typed is kept; ticks are not, so
        that no change of many reaches what was ticked hours ago."""
        self.lock()
        self._ticks.clear()
        self.is_deciding = False
        self.edited_cell = None
        self.failure, self.saved = None, ""

    # --- rows ------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        if self._count is None:
            self._count = self._read(lambda: self.services.table.count(self.choice), 0)
        return self._count

    @property
    def is_empty(self) -> bool:
        """Whether there is no article at all, whatever is searched for."""
        every = TableChoice()
        return not self.count and not self._read(lambda: self.services.table.count(every), 1)

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
        table, choice = self.services.table, self.choice
        rows = self._read(lambda: table.page(choice, offset=number * PAGE, limit=PAGE), _NO_ROWS)
        self._pages[number] = rows
        if len(self._pages) > KEPT_PAGES:
            self._pages.popitem(last=False)
        return rows

    def _read(self, read: Callable[[], T], otherwise: T) -> T:
        faults = self.services.faults
        try:
            result = read()
        except MachineError as error:
            now = self.services.till.clock.now()
            faults.report(Where.CATALOGUE, error, by=_READS, at=now)
            return otherwise
        faults.clear(Where.CATALOGUE, by=_READS)
        return result

    def index_of(self, product_id: str) -> int | None:
        table, choice = self.services.table, self.choice
        return self._read(lambda: table.index(choice, product_id), None)

    def number_of(self, row: CatalogueRow, *, near: int) -> int | None:
        """The number that a row has by now, which is mostly `near`; None if it left the list."""
        there = self.row(near)
        if there is not None and there.product_id == row.product_id:
            return near
        return self.index_of(row.product_id)

    def reload(self) -> None:
        self._forget_rows()
        self.announce(CataloguePart.ROWS)

    def _forget_rows(self, *, is_ours: bool = False) -> None:
        self.is_ours = is_ours
        self._generation = self.services.catalogue.generation()
        self._pages.clear()
        self._saved.clear()
        self._count = self._listed = None

    def _reload_all(self, *, is_ours: bool = False) -> None:
        """Read the rows and the edited article anew. The edited article is read first, so that the
        form stays open even if its row went. is_ours: this manager has written, so the edited
        article may have gone on purpose."""
        self._forget_rows(is_ours=is_ours)
        self._renew_current(is_ours=is_ours)
        self.announce(CataloguePart.ROWS, CataloguePart.CURRENT)

    def reload_if_outdated(self) -> bool:
        """Read anew if this or another program has written, and tell whether it had."""
        if self.services.catalogue.generation() == self._generation:
            return False
        self._reload_all()
        return True

    def show_written(self) -> None:
        """Show the articles that a file act of this screen has written."""
        self.reload_if_outdated()
        self.announce(CataloguePart.NEWS)

    def choose(self, choice: TableChoice) -> None:
        if choice != self.choice:
            self.choice = choice
            self.scrolled = 0
            if not self.reload_if_outdated():
                self.reload()
            if self.current is not None and not self._keeps_current and not self.count:
                self._show(None)

    @property
    def _keeps_current(self) -> bool:
        """Whether the form has something that would be lost; else it closes with the last row."""
        return self.is_new or self.is_gone or self.is_changed

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

    def category_names(self) -> dict[str, str]:
        """All categories that an article can be in, by their ids; also those not saved yet."""
        known = {one.category.id: one.category.name for one in self.categories()}
        return known | {one: name for one, name in self.new_categories.items() if one not in known}

    def category_named(self, name: str) -> str:
        """The id of the category of this name, in either script; a new name gets a new one. Returns
        "" for text that is no name."""
        word = "" if is_blank(name) else fold(name)
        if not word:
            return ""
        known = self.category_names().items()
        found = next((one for one, known_name in known if fold(known_name) == word), None)
        if found is None:
            found = id_of_category(name)
            self.new_categories[found] = name.strip()
        return found

    def facts(self) -> CatalogueStatus:
        """The numbers of waiting changes, by their reason."""
        return self._counted()[1]

    def _counted(self) -> tuple[int, CatalogueStatus, tuple[CategoryCount, ...]]:
        """The counts, which are taken again only after somebody wrote: with 100,000 articles it
        takes 10 ms."""
        catalogue = self.services.catalogue
        generation = catalogue.generation()
        if self._facts is None or self._facts[0] != generation:
            self._facts = (generation, catalogue.facts(), catalogue.categories())
        return self._facts

    @property
    def has_platform(self) -> bool:
        return self.services.has_platform

    def units(self) -> tuple[Unit, ...]:
        return self.services.catalogue.units()

    def names(self) -> dict[str, str]:
        """The names of categories and the symbols of units, by their ids."""
        return self.category_names() | {one.id: one.symbol for one in self.units()}

    @property
    def changed_there(self) -> datetime | None:
        """The time when the platform last changed the edited product, or None if it does not
        say."""
        return None if self.current is None else self.current.product.updated_at

    def variants(self) -> tuple[Article, ...]:
        product_id = self.current_id
        none: tuple[Article, ...] = ()
        return self._read(lambda: self.services.catalogue.variants(product_id), none)

    # --- edits that wait for an answer -----------------------------------------------------------

    def show_undecided(self) -> None:
        """Open the page of undecided changes when the screen is seen next."""
        self.is_deciding = True
        self.announce(CataloguePart.PAGE)

    def undecided(self) -> tuple[Undecided, ...]:
        """The changes that wait for a manager, the oldest first: made on both sides, or refused."""
        services = self.services
        none: tuple[Undecided, ...] = ()
        return self._read(lambda: editing.undecided(services.catalogue, services.editor), none)

    def other_with(self, code: str, product_id: str) -> str:
        """The name of another product's article with this code, or "" if there is none."""
        none: tuple[FoundArticle, ...] = ()
        found = self._read(lambda: self.services.catalogue.by_code(ArticleCode(code)), none)
        names = (one.article.name for one in found if one.article.product_id != product_id)
        return next(names, "")

    def gone(self, *, limit: int) -> tuple[str, ...]:
        """The names of the first vanished products. So many vanished from the list that none was
        removed."""
        none: tuple[str, ...] = ()
        return self._read(lambda: self.services.editor.gone(limit=limit), none)

    def accept_gone(self, *, at_most: int) -> None:
        by, at = self.services.cashier, self.services.till.clock.now()
        self._settle(lambda: self.services.editor.accept_gone(by=by, at=at, at_most=at_most))

    def decide_all(
        self, edit: catalogue_edits.CatalogueEdit, side: catalogue_edits.EditSide
    ) -> None:
        self.decide(edit, EVERY_FIELD, side)

    def decide_many(
        self,
        edits: Sequence[catalogue_edits.CatalogueEdit],
        field: str,
        side: catalogue_edits.EditSide,
    ) -> None:
        """Decide in one commit whose values count in these changes. field: one field, or
        EVERY_FIELD."""
        at, editor = self.services.till.clock.now(), self.services.editor

        def act() -> None:
            with editor.together():
                for edit in edits:
                    names = [
                        one.field for one in edit.conflicts if field in (EVERY_FIELD, one.field)
                    ]
                    editor.decide(edit.id, dict.fromkeys(names, side), at=at)

        self._settle(act)

    def mark_of(self, row: CatalogueRow) -> EditMark:
        waits_for_nobody = row.edits is EditMark.WAITING and not self.has_platform
        return EditMark.NONE if waits_for_nobody else row.edits

    def open_edits(self) -> tuple[catalogue_edits.CatalogueEdit, ...]:
        """This till's changes of the edited product that the platform does not have yet."""
        product_id = self.current_id
        none: tuple[catalogue_edits.CatalogueEdit, ...] = ()
        edits = self._read(lambda: self.services.editor.open_edits(product_id), none)
        return tuple(
            one
            for one in edits
            if self.has_platform or one.state is not catalogue_edits.EditState.WAITING
        )

    def decide(
        self, edit: catalogue_edits.CatalogueEdit, field: str, side: catalogue_edits.EditSide
    ) -> None:
        """Decide whose value of a field counts, or of all fields for EVERY_FIELD. Where others
        changed the values since they were shown, they are shown instead."""
        waiting = [one.edit for one in self.undecided()]
        if self.is_as_shown([edit], [one for one in waiting if one.id == edit.id]):
            self.decide_many((edit,), field, side)

    def is_as_shown(
        self,
        shown_edits: Sequence[catalogue_edits.CatalogueEdit],
        now: Sequence[catalogue_edits.CatalogueEdit],
    ) -> bool:
        """Whether these changes wait with the values that a person sees; else they are read
        anew."""
        if list(shown_edits) == list(now):
            return True
        self.services.tones.play("no")
        self._reload_all()
        return False

    def send_again(self, edit: catalogue_edits.CatalogueEdit) -> None:
        self._move(edit, catalogue_edits.EditState.WAITING)

    def withdraw(self, edit: catalogue_edits.CatalogueEdit) -> None:
        """Take a change back, so that the platform's values count."""
        self._move(edit, catalogue_edits.EditState.DROPPED)

    def _move(self, edit: catalogue_edits.CatalogueEdit, state: catalogue_edits.EditState) -> None:
        at = self.services.till.clock.now()
        self._settle(lambda: self.services.editor.move(edit.id, state, at=at))

    def _settle(self, act: Callable[[], object]) -> None:
        self.failure, self.saved = None, ""
        current = self.current
        try:
            act()
        except PosError as error:
            self.failure = error
        else:
            self._note(current.owner.name if current is not None else "")
        self._reload_all(is_ours=True)
        self.announce(CataloguePart.NEWS)

    # --- ticks -----------------------------------------------------------------------------------

    @property
    def ticked(self) -> set[str]:
        """The ticked products that the table lists. Acts on all ticked ones are for these; the tick
        of another one waits until it is listed again."""
        if not self._ticks or self.choice == TableChoice():
            return set(self._ticks)
        return self._ticks & self._listed_products()

    def _listed_products(self) -> frozenset[str]:
        if self._listed is None:
            none: tuple[str, ...] = ()
            choice = self.choice
            self._listed = frozenset(self._read(lambda: self.services.table.products(choice), none))
        return self._listed

    def is_ticked(self, product_id: str) -> bool:
        return product_id in self._ticks

    def tick(self, product_id: str) -> None:
        self._ticks ^= {product_id}
        self.announce(CataloguePart.TICKS)

    @property
    def all_ticked(self) -> bool:
        ticked = len(self.ticked)
        return ticked > 0 and ticked >= self.count

    def tick_all(self) -> None:
        if self.all_ticked:
            self._ticks -= self.ticked
        else:
            self._ticks |= self._listed_products()
        self.announce(CataloguePart.TICKS)

    def untick(self) -> None:
        self._ticks -= self.ticked
        self.announce(CataloguePart.TICKS)

    # --- what is edited --------------------------------------------------------------------------

    @property
    def current_id(self) -> str:
        return self.current.product.id if self.current is not None else ""

    def open(self, product_id: str, article_id: str = "", *, with_form: bool = True) -> None:
        """Show the fields of a product, or of one of its variants, unless something is typed for an
        article that is gone. If the wanted article is gone, `failure` says so. with_form: False
        leaves the form open or closed as it is."""
        now = self.current
        wanted = article_id or product_id
        if with_form and self.must_decide:
            return
        is_shown = self.shows_form
        self.shows_form = is_shown or with_form
        if now is None or self.is_new or now.owner.id != wanted:
            self._show(self._edited(product_id, wanted))
            if self.current is None and self._went(product_id, wanted):
                self.failure = editing.gone(wanted)
        elif self.shows_form != is_shown:
            self.announce(CataloguePart.CURRENT)

    def _edited(self, product_id: str, article_id: str) -> Edited | None:
        services = self.services
        return self._read(
            lambda: editing.open_for_edit(
                services.catalogue, services.editor, product_id, article_id
            ),
            None,
        )

    def _went(self, product_id: str, article_id: str) -> bool:
        """Whether an article is surely no longer in the catalogue."""
        services, ids = self.services, (product_id, article_id)
        return self._read(
            lambda: editing.open_for_edit(services.catalogue, services.editor, *ids) is None, False
        )

    def _show(self, edited: Edited | None, *, is_new: bool = False, is_gone: bool = False) -> None:
        if is_new and edited is not None:
            self._new[edited.owner.id] = edited
        self.current, self.is_new, self.is_gone = edited, is_new, is_gone
        self.faults, self.failure, self.saved = {}, None, ""
        self._drop_gone_choices()
        self.announce(CataloguePart.CURRENT)

    def _renew_current(self, *, is_ours: bool) -> None:
        now = self.current
        if now is not None and not self.is_new:
            ids = now.product.id, now.owner.id
            self.is_gone = self._went(*ids)
            self.current = now if self.is_gone else self._edited(*ids) or now
            if self.is_gone and not self.is_changed and (is_ours or not self.shows_form):
                self.current, self.is_gone = None, False
            self.shows_form = self.shows_form or self.must_decide
        self._drop_gone_choices()
        if self.current is None:
            self._show_lost()

    @property
    def must_decide(self) -> bool:
        """Whether text is typed for an article that is gone; it stays visible until a manager
        decides."""
        return self.is_gone and self.is_changed

    def _show_lost(self) -> None:
        """Show the fields of an article that is gone and was typed in on an earlier visit."""
        for edited in self._typed_over.values():
            if self._went(edited.product.id, edited.owner.id):
                self.shows_form = True
                self._show(edited, is_gone=True)
                return

    def close(self) -> None:
        """Show no product, unless text is typed for one that is gone. Typed text is kept."""
        if not self.must_decide:
            self.shows_form = False
            self._show(None)
            self._show_lost()

    def can_add_again(self) -> bool:
        """Whether an edited article that is gone can be added anew; a variant only if its product
        exists."""
        current = self.current
        if current is None or not self.is_gone:
            return False
        return not current.is_variant or not self._went(current.product.id, current.product.id)

    def add_again(self) -> None:
        """Make a new, unsaved article from the form of one that is gone."""
        gone = self.current
        if gone is None or not self.can_add_again():
            return
        ids = gone.product.id, gone.product.id
        product = self._edited(*ids) if gone.is_variant else None
        blank = editing.blank_again(gone.product if product is None else product.product, gone)
        stands = {
            field: self.value(product_draft.DraftField(field)) for field in blank.typed_fields
        }
        self._forget_typed(gone.owner.id)
        self.typed_texts[blank.owner.id] = {
            field: text
            for field, text in stands.items()
            if field == product_draft.DraftField.NAME or text != blank.typed_fields[field]
        }
        self._show(blank, is_new=True)

    @property
    def is_new_typed(self) -> bool:
        return self.is_new and self.current is not None and self._is_typed(self.current)

    def _is_typed(self, new: Edited) -> bool:
        names = (
            product_draft.DraftField.NAME,
            product_draft.DraftField.VARIANT_NAME,
        )  # a new article has no names
        return any(
            text != ("" if field in names else new.typed_fields[field])
            for field, text in self.typed_texts.get(new.owner.id, {}).items()
        )

    def _show_unsaved(self, *, variant_of: str = "") -> bool:
        """Show the unsaved new product, or new variant of one, if something was typed for it;
        returns whether there is one."""
        for new in self._new.values():
            of = new.product.id if new.is_variant else ""
            if of == variant_of and self._is_typed(new):
                self.shows_form = True
                self._show(new, is_new=True)
                return True
        return False

    def add(self) -> None:
        """Show a new product, or the one that was not saved yet."""
        if self._show_unsaved():
            return
        unit = next((one.id for one in self.units() if one.is_piece), None)
        label = usual_label(in_vat=self.services.in_vat)
        blank = editing.blank_product(str(uuid4()), label=label, unit_id=unit, sku=None)
        self.typed_texts[blank.owner.id] = {product_draft.DraftField.NAME.value: ""}
        self.shows_form = True
        self._show(blank, is_new=True)

    def photos(self) -> list[tuple[str, Path | None]]:
        """The photos of the edited product, the main one first, with their files on this machine;
        the file is None while only the platform has it."""
        if self.current is None or self.is_new:
            return []
        catalogue = self.services.catalogue
        ids = catalogue_edits.photos_of(self.current.product)
        return self._read(lambda: [(one, catalogue.picture(one)) for one in ids], [])

    def order_photos(self, file_ids: Sequence[str]) -> None:
        """Keep the product's photos in this order, and remove all that are not listed."""
        current = self.current
        if current is None or self.is_new:
            return
        by, at = self.services.cashier, self.services.till.clock.now()
        self._settle(
            lambda: editing.order_photos(
                self.services.editor, current.product, file_ids, by=by, at=at
            )
        )

    def add_variant(self) -> None:
        """Show a new variant of the edited product, or the one that was not saved yet."""
        if self.current is None or self.is_new:
            return
        if not self._show_unsaved(variant_of=self.current_id):
            blank = editing.blank_variant(self.current.product, str(uuid4()))
            self.typed_texts[blank.owner.id] = {product_draft.DraftField.VARIANT_NAME.value: ""}
            self._show(blank, is_new=True)

    # --- what was typed --------------------------------------------------------------------------

    def value(self, field: product_draft.DraftField) -> str:
        assert self.current is not None
        typed = self.typed_texts.get(self.current.owner.id, {})
        return typed[field] if field in typed else self.current.typed_fields[field]

    def put(
        self, field: product_draft.DraftField, text: str, *, shown_text: str | None = None
    ) -> None:
        """Keep the text of a field. shown_text: what the field showed before, or None if that was
        the saved text."""
        assert self.current is not None
        owner_id, now = self.current.owner.id, self.current.typed_fields[field]
        typed = self.typed_texts.setdefault(owner_id, {})
        if text == now and not self.is_new:
            self._untype(owner_id, field)
        else:
            if field not in typed:
                was = self._shown_texts.setdefault(owner_id, {})
                was[field] = now if shown_text is None else shown_text
            if not self.is_new:
                self._typed_over[owner_id] = self.current
            typed[field] = text
        if field in self.faults:
            self.faults = {name: one for name, one in self.faults.items() if name != field}
        self.failure, self.saved = None, ""
        self.announce(CataloguePart.TYPED)

    def _untype(self, owner_id: str, field: product_draft.DraftField) -> None:
        for kept in (self.typed_texts, self._shown_texts):
            fields = kept.get(owner_id, {})
            fields.pop(field, None)
            if not fields:
                kept.pop(owner_id, None)
        if owner_id not in self.typed_texts:
            self._typed_over.pop(owner_id, None)

    def _drop_gone_choices(self) -> bool:
        """Take units and categories that are gone off what was typed for the edited article, and
        keep that as `failure`; tells whether there were any. What is saved stays: other tills and
        the platform may still know it."""
        current = self.current
        if current is None or self.is_gone or current.owner.id not in self.typed_texts:
            return False
        owner_id, is_any = current.owner.id, False
        units, categories = {one.id for one in self.units()}, self.category_names().keys()
        for field in _CHOSEN:
            known = categories if field is product_draft.DraftField.CATEGORIES else units
            saved = [] if self.is_new else current.typed_fields[field].split("\n")
            text = self.value(field)
            kept = "\n".join(one for one in text.split("\n") if one in {*known, *saved})
            if kept == text:
                continue
            is_any = True
            is_unit = field is not product_draft.DraftField.CATEGORIES
            if not self.is_new and (is_unit or kept == current.typed_fields[field]):
                self._untype(owner_id, field)
            else:
                self.typed_texts[owner_id][field] = kept
        if is_any:
            self.failure = NotFound("choice")
        return is_any

    def _forget_typed(self, article_id: str) -> None:
        for kept in (self.typed_texts, self._shown_texts, self._typed_over, self._new):
            kept.pop(article_id, None)

    @property
    def meanwhile(self) -> Mapping[product_draft.DraftField, str]:
        """The new values of fields that somebody else changed after text was typed in them. A
        manager decides about them before anything is saved."""
        current = self.current
        if current is None or self.is_new or self.is_gone:
            return {}
        owner_id = current.owner.id
        typed, shown = self.typed_texts.get(owner_id, {}), self._shown_texts.get(owner_id, {})
        return product_draft.changed_meanwhile(typed, shown, current.typed_fields)

    def settle_meanwhile(self, field: str, side: catalogue_edits.EditSide) -> None:
        """Decide whether the typed value of a field counts, or the one that somebody else gave
        it."""
        current, name = self.current, product_draft.DraftField(field)
        if current is None or name not in self.meanwhile:
            return
        if side is catalogue_edits.EditSide.OURS:
            self._shown_texts[current.owner.id][name] = current.typed_fields[name]
        else:
            self._untype(current.owner.id, name)
        self.faults = {one: fault for one, fault in self.faults.items() if one != name}
        self.announce(CataloguePart.CURRENT, CataloguePart.ROWS)

    def doubts(self) -> Mapping[product_draft.DraftField, Invalid]:
        if self.current is None:
            return {}
        return product_draft.doubts(
            {**self.current.typed_fields, **self.typed_texts.get(self.current.owner.id, {})},
            self.services.weight_rules(),
        )

    @property
    def is_changed(self) -> bool:
        return self.current is not None and self.current.owner.id in self.typed_texts

    def is_unsaved(self, row: CatalogueRow) -> bool:
        return row.product_id in self.typed_texts or (row.article_id or "") in self.typed_texts

    def typed_in_row(self, row: CatalogueRow, field: product_draft.DraftField) -> str | None:
        return self.typed_texts.get(owner_id_of(row, field), {}).get(field)

    def has_one_owner(self, row: CatalogueRow, field: product_draft.DraftField) -> bool:
        """Whether a field of a row belongs to one article, or to the product itself."""
        return field in OF_PRODUCT or row.articles <= 1

    def stands(self, row: CatalogueRow, field: product_draft.DraftField) -> str:
        """The text of a row's field: the unsaved one, else the saved one."""
        typed = self.typed_in_row(row, field)
        if typed is not None:
            return typed
        owner_id = owner_id_of(row, field)
        if owner_id not in self._saved:
            edited = self._edited(row.product_id, owner_id)
            self._saved[owner_id] = {} if edited is None else edited.typed_fields
        return self._saved[owner_id].get(field, "")

    def drop_typed(self) -> None:
        if self.current is None:
            return
        self._forget_typed(self.current.owner.id)
        current = self.current
        if self.is_gone:
            self.close()
        elif self.is_new and current.is_variant:
            self._show(self._edited(current.product.id, current.product.id))
        else:
            self._show(None if self.is_new else current)
        self.announce(CataloguePart.ROWS)

    def save(self) -> bool:
        """Save the edited article; returns False where that is impossible, with the reason in
        `faults` or `failure`."""
        current = self.current
        if current is None:
            return False
        if self.is_gone:
            return self._refuse_gone()
        if self._drop_gone_choices():
            self.reload_if_outdated()
            self.services.tones.play("no")
            self.announce(CataloguePart.CURRENT, CataloguePart.NEWS)
            return False
        typed = self.typed_texts.get(current.owner.id, {})
        by, at = self.services.cashier, self.services.till.clock.now()
        self.faults, self.failure = {}, None
        try:
            made = self._made_categories(typed.get(product_draft.DraftField.CATEGORIES, ""))
            self._store_typed(current, typed)(by=by, at=at, categories=made)
        except product_draft.DraftFaults as error:
            self.faults = error.by_field
            self.reload_if_outdated()  # changes by others are shown beside the typed text
        except PosError as error:
            self.failure = error
            self.reload_if_outdated()
        if self.must_decide:
            return self._refuse_gone()
        if self.faults or self.failure is not None:
            self.services.tones.play("no")
            self.announce(CataloguePart.TYPED, CataloguePart.NEWS)
            return False
        self._forget_typed(current.owner.id)
        self.is_new = False
        self.current = self._edited(current.product.id, current.owner.id)
        self.saved = self.current.owner.name if self.current is not None else ""
        self._note(self.saved)
        self.reload()
        self.announce(CataloguePart.CURRENT, CataloguePart.NEWS)
        return True

    def _note(self, subject: str) -> None:
        """Note the change among the acts; each edit also has its person and time."""
        try:
            self.services.note(NotedAct.CATALOGUE, subject, lifted_by=self.lifted_by)
        except MachineError as error:
            _log.warning("that the catalogue was changed can't be kept: %s", error.what)

    def _refuse_gone(self) -> bool:
        """Save nothing, and show in the form that its article is gone."""
        self.faults, self.failure, self.shows_form = {}, None, True
        self.services.tones.play("no")
        self.announce(CataloguePart.CURRENT)
        return False

    def _store_typed(
        self, current: Edited, typed_fields: Mapping[str, str]
    ) -> Callable[..., object]:
        """Return the function that saves the text; it is called with the person and the time."""
        editor, ids = self.services.editor, (current.product.id, current.owner.id)
        if not self.is_new:
            was = self._shown_texts.get(current.owner.id, {})
            return partial(editing.save_typed, editor, *ids, typed_fields, shown_fields=was)
        add = editing.add_variant_typed if current.is_variant else editing.add_typed
        return partial(add, editor, current, typed_fields)

    def _made_categories(self, named: str) -> dict[str, str]:
        """The new categories among those of an article, by id. named: their ids, each on a line of
        its own."""
        return {
            one: self.new_categories[one]
            for one in named.splitlines()
            if one in self.new_categories
        }

    def save_cell(self, row: CatalogueRow, field: product_draft.DraftField, text: str) -> bool:
        before = self._open_cell(row, field)
        if self.current is None or before is None:
            return False
        owner_id, shown = self.current.owner.id, self._shown_in_cell(row, field)
        if text == shown:
            self._untype(owner_id, field)
        else:
            self.put(field, text, shown_text=shown)
        if not self.is_changed:
            return True
        if not self._save_or_ask():
            return False
        edited = self._edited(row.product_id, owner_id)
        after = before if edited is None else edited.typed_fields[field]
        self.undoable = CellUndo(row.product_id, owner_id, field, before, after)
        return True

    def _save_or_ask(self) -> bool:
        """Save what was typed in the table; if somebody else changed it meanwhile, open the form to
        decide."""
        is_saved = self.save()
        if self.meanwhile:
            self.shows_form = True
            self.announce(CataloguePart.CURRENT)
        return is_saved

    def begin_cell(self, row: CatalogueRow, field: product_draft.DraftField) -> str:
        """Note that a cell is opened to be typed in; returns its text."""
        stands, owner_id = self.stands(row, field), owner_id_of(row, field)
        shown = self._shown_texts.get(owner_id, {}).get(field, stands)
        edited = self._edited(row.product_id, owner_id)
        self._begun = None if edited is None else (edited, field, shown)
        return stands

    def _shown_in_cell(self, row: CatalogueRow, field: product_draft.DraftField) -> str | None:
        """The text that a cell showed before anything was typed in it."""
        owner_id = owner_id_of(row, field)
        if field in self._shown_texts.get(owner_id, {}):
            return self._shown_texts[owner_id][field]
        begun = self._begun_in(row, field)
        return None if begun is None else begun[2]

    def _begun_in(
        self, row: CatalogueRow, field: product_draft.DraftField
    ) -> tuple[Edited, product_draft.DraftField, str] | None:
        """The record of the cell that is typed in, if it is this one."""
        begun = self._begun
        if begun is None or (begun[0].owner.id, begun[1]) != (owner_id_of(row, field), field):
            return None
        return begun

    def put_cell(self, row: CatalogueRow, field: product_draft.DraftField, text: str) -> None:
        if self._open_cell(row, field) is not None:
            self.put(field, text, shown_text=self._shown_in_cell(row, field))

    def _open_cell(self, row: CatalogueRow, field: product_draft.DraftField) -> str | None:
        """Edit the article of a row's field; returns the field's saved text."""
        self.open(row.product_id, owner_id_of(row, field), with_form=False)
        begun = self._begun_in(row, field)
        if self.current is None and begun is not None:
            self._show(begun[0], is_gone=self.failure is not None)
        return None if self.current is None else self.current.typed_fields[field]

    def drop_cell(self, row: CatalogueRow, field: product_draft.DraftField) -> bool:
        """Discard what was typed for a field of a row; returns False if there was nothing."""
        if self.typed_in_row(row, field) is None:
            return False
        before = self._open_cell(row, field)
        if before is not None:
            self.put(field, before)
            self.announce(CataloguePart.CURRENT)
        return True

    def undo(self) -> str:
        """Take back the last change that was saved in the table; returns the id of its product, or
        "". Raises NotFound where its article is gone."""
        last, self.undoable = self.undoable, None
        if last is None:
            return ""
        self.reload_if_outdated()
        if self._went(last.product_id, last.owner_id):
            raise editing.gone(last.owner_id)
        self.open(last.product_id, last.owner_id, with_form=False)
        if self.current is None:
            return ""
        self.put(last.field, last.before, shown_text=last.after)
        return last.product_id if not self.is_changed or self._save_or_ask() else ""

    # --- all ticked rows -------------------------------------------------------------------------

    def preview(self, change: BulkChange, product_ids: list[str]) -> Iterator[BulkLine]:
        return bulk_change.preview(self.services.catalogue, product_ids, change)

    def ticked_in_order(self) -> list[str]:
        """The ticked products in the table's order."""
        choice = self.choice
        none: tuple[str, ...] = ()
        listed = self._read(lambda: self.services.table.products(choice), none)
        return [one for one in listed if one in self._ticks]

    def _forget_product(self, product_id: str) -> None:
        """Forget what was typed for a product that was deleted here, and close its form."""
        for edited in tuple(self._typed_over.values()):
            if edited.product.id == product_id:
                self._forget_typed(edited.owner.id)
        if self.current_id == product_id and not self.is_new:
            self._show(None)

    def delete_shown(self, edited: Edited) -> None:
        """Stop selling a product, or a variant, whose product is shown then. It stays where
        something else has changed it since it was shown."""
        by, at = self.services.cashier, self.services.till.clock.now()

        def act() -> None:
            editing.delete_as_shown(self.services.editor, edited, by=by, at=at)
            if not edited.is_variant:
                self._forget_product(edited.product.id)
                return
            self._forget_typed(edited.owner.id)
            self.current = self._edited(edited.product.id, edited.product.id)

        self._settle(act)

    def end_act(self, products: Sequence[str], result: object, *, is_stopped: bool) -> None:
        """Take the result of an act on these products, in its order; those that it did not reach or
        change stay ticked."""
        done = self.many.end(result, is_stopped=is_stopped)
        if done.act is not None:
            reached = set(products[: done.act.reached]).difference(done.kept)
            self._ticks -= reached
            if done.act.kind is ActKind.DELETE:
                for product_id in reached:
                    self._forget_product(product_id)
        self.note_many(done.act.done if done.act is not None else 0)
        self._reload_all(is_ours=True)
        self.announce(CataloguePart.TICKS, CataloguePart.NEWS)

    def note_many(self, count: int) -> None:
        """Note a change of many articles, after which the last change of a cell can't be undone."""
        self.undoable = None
        self._note(f"many {count}")
