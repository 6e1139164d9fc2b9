"""The article that a manager edits, in the form or in a cell of the table. Typed text is kept until
a button saves or discards it, whatever is opened or left meanwhile.
Sources: till.md (Catalogue), look.md (Screens, 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial
from pathlib import Path
from uuid import uuid4

from pos_app import log
from pos_app.cashier.catalogue.listed_products import ListedProducts
from pos_app.cashier.catalogue.many import ManyArticles
from pos_app.cashier.catalogue.reading import read_or
from pos_app.cashier.catalogue.typed_texts import TypedTexts
from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.services.till_services import TillServices
from pos_app.characters import is_blank
from pos_app.domain.article.article import Article
from pos_app.domain.article.product import Unit
from pos_app.domain.money.tax import usual_label
from pos_app.domain.text.instant import day_of
from pos_app.domain.text.search_text import fold
from pos_app.errors import Invalid, MachineError, NotAllowed, NotFound, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue import editing, product_draft
from pos_app.selling.catalogue.bulk_act import ActKind
from pos_app.selling.catalogue.catalogue import CatalogueRow
from pos_app.selling.catalogue.editing import Edited
from pos_app.selling.catalogue.made_ids import id_of_category
from pos_app.selling.catalogue.other_measure import OtherMeasure, other_measure
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act
from pos_app.selling.synchronisation import catalogue_edits

OF_PRODUCT = frozenset({DraftField.NAME, DraftField.SUBTITLE, DraftField.CATEGORIES})
"""The fields of a product itself; its row shows them for all its variants."""
_CHOSEN = (DraftField.UNIT, DraftField.BASE_UNIT, DraftField.CATEGORIES)
"""The fields whose values are ids that the catalogue may lose."""
_log = log.get(__name__)


def owner_id_of(row: CatalogueRow, field: DraftField) -> str:
    """The id of the field's owner: the product, or the one article that it is sold as."""
    return row.product_id if field in OF_PRODUCT else row.article_id or row.product_id


@dataclass(frozen=True, slots=True)
class EditUndo:
    """The last change that was saved in the table or the form: the texts of its fields before it
    and since. plan: what else its planned price was. replaced: the plans of variants that went with
    it."""

    product_id: str
    owner_id: str
    name: str
    texts: Mapping[DraftField, tuple[str, str]]
    plan: Mapping[str, str]
    replaced: Sequence[PlannedPrice] = ()


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
    """The state of the screen; it outlives the widgets that show it. listed: the table's rows.
    typed_texts: what is not saved yet. many: acts on many articles."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(
            services, act=Act.CATALOGUE, on_lifted=lambda: self.announce(CataloguePart.LOCK)
        )
        self.listed = ListedProducts(
            services,
            on_choice=self._follow_choice,
            on_ticks=lambda: self.announce(CataloguePart.TICKS),
        )
        self.current: Edited | None = None
        self.shows_form = False
        """Whether the form is shown; a cell of the table can be typed in without it."""
        self.typed_texts = TypedTexts()
        self.is_gone = False
        """Whether the edited article was deleted meanwhile."""
        self.edited_cell: tuple[CatalogueRow, DraftField] | None = None
        """The cell of the table that is open."""
        self._begun: tuple[Edited, DraftField, str] | None = None
        """The cell that is typed in: article, field, and what it showed."""
        self.faults: Mapping[str, Invalid] = {}
        """The faults of the edited article's fields, found by saving."""
        self.failure: PosError | None = None
        """The error of the last act, where no field is to blame."""
        self.many = ManyArticles(services)
        self.saved = ""
        self.is_deciding = False
        self.is_naming = False
        """Whether the page of units and categories is shown."""
        self.wants_labels = False
        """Whether the labels of tomorrow's prices shall be shown once the catalogue is open."""
        self._measure_asked: OtherMeasure | None = None
        self._measure_meant: OtherMeasure | None = None
        self._undoables: list[EditUndo] = []
        self.deleted: Edited | None = None
        """The product or variant that the last act deleted, as it was before."""
        self.is_settled = False
        """Whether the last act was one that nothing takes back, such as a decision."""
        self.columns = "main"
        self.new_categories: dict[str, str] = {}
        """The names of typed categories by their ids; each is made with the first article in it."""
        self._saved: dict[str, dict[str, str]] = {}
        """By article: its saved fields, as long as the rows stay."""
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
        self.listed.forget_all_ticks()
        self.is_deciding = self.is_naming = self.wants_labels = False
        self.edited_cell = None
        del self._undoables[:-1]
        self.failure, self.saved = None, ""

    # --- what is read anew -----------------------------------------------------------------------

    def reload(self) -> None:
        self._forget_rows()
        self.announce(CataloguePart.ROWS)

    def _forget_rows(self, *, is_ours: bool = False) -> None:
        self.is_ours = is_ours
        self._generation = self.services.catalogue.generation()
        self._saved.clear()
        self.listed.forget_rows()

    def reload_all(self, *, is_ours: bool = False) -> None:
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
        self.reload_all()
        return True

    def show_written(self) -> None:
        """Show the articles that a file act of this screen has written."""
        self.reload_if_outdated()
        self.announce(CataloguePart.NEWS)

    def _follow_choice(self) -> None:
        """Show the rows of another choice; the form closes where they are none."""
        if not self.reload_if_outdated():
            self.reload()
        if self.current is not None and not self._keeps_current and not self.listed.count:
            self._show(None)

    @property
    def _keeps_current(self) -> bool:
        """Whether the form has something that would be lost; else it closes with the last row."""
        return self.is_gone or self.is_changed

    def category_names(self) -> dict[str, str]:
        """All categories that an article can be in, by their ids; also those not saved yet."""
        known = {one.category.id: one.category.name for one in self.listed.categories()}
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

    def units(self) -> tuple[Unit, ...]:
        return self.services.catalogue.units()

    def names(self) -> dict[str, str]:
        """The names of categories and the symbols of units, by their ids."""
        return self.category_names() | {one.id: one.symbol for one in self.units()}

    def variants(self) -> tuple[Article, ...]:
        product_id = self.current_id
        none: tuple[Article, ...] = ()
        return read_or(self.services, none, lambda: self.services.catalogue.variants(product_id))

    def show_undecided(self) -> None:
        """Open the page of undecided changes when the screen is seen next."""
        self.is_deciding = True
        self.announce(CataloguePart.PAGE)

    def show_names(self) -> None:
        """Open the page of units and categories when the screen is seen next."""
        self.is_naming = True
        self.announce(CataloguePart.PAGE)

    def settle(self, act: Callable[[], object]) -> None:
        """Do a manager's act, note it, and read anew; where it fails, `failure` says why."""
        self.failure, self.saved = None, ""
        current = self.current
        try:
            act()
        except PosError as error:
            self.failure = error
        else:
            self._forget_undoables()
            self.is_settled = True
            self.note(current.owner.name if current is not None else "")
        self.reload_all(is_ours=True)
        self.announce(CataloguePart.NEWS)

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
        catalogue, editor = self.services.catalogue, self.services.editor
        ids = product_id, article_id
        return read_or(self.services, None, lambda: editing.open_for_edit(catalogue, editor, *ids))

    def _went(self, product_id: str, article_id: str) -> bool:
        """Whether an article is surely no longer in the catalogue."""
        catalogue, editor = self.services.catalogue, self.services.editor
        ids = product_id, article_id
        return read_or(
            self.services, False, lambda: editing.open_for_edit(catalogue, editor, *ids) is None
        )

    def _show(self, edited: Edited | None, *, is_gone: bool = False) -> None:
        self.current, self.is_gone = edited, is_gone
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

    def follow(self, became: Mapping[str, str]) -> None:
        """Edit the article that the edited one became, unless something is typed for that. became:
        ids of products by those that they had."""
        wanted = became.get(self.current_id, self.current_id)
        if wanted != self.current_id and not self.is_new and not self.is_changed:
            self.current = self._edited(wanted, wanted)

    @property
    def must_decide(self) -> bool:
        """Whether text is typed for an article that is gone; it stays visible until a manager
        decides."""
        return self.is_gone and self.is_changed

    def _show_lost(self) -> None:
        """Show the fields of an article that is gone and was typed in on an earlier visit."""
        for edited in self.typed_texts.saved_articles():
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
        texts = {
            field: text
            for field, usual in blank.typed_fields.items()
            if (text := self.value(DraftField(field))) != usual or field == DraftField.NAME
        }
        self.typed_texts.forget(gone.owner.id)
        self._add(blank, texts)

    @property
    def is_new(self) -> bool:
        """Whether the edited article was never saved."""
        return self.typed_texts.is_new(self.current)

    @property
    def is_new_typed(self) -> bool:
        current = self.current
        return self.is_new and current is not None and self.typed_texts[current.owner.id].is_touched

    def _show_unsaved(self, *, variant_of: str = "") -> bool:
        """Show the unsaved new product, or new variant of one, if something was typed for it;
        returns whether there is one."""
        new = self.typed_texts.new_article(variant_of=variant_of)
        if new is not None:
            self.shows_form = True
            self._show(new)
        return new is not None

    def _add(self, blank: Edited, texts: dict[str, str]) -> None:
        """Show a new article. texts: what is typed for it already."""
        self.typed_texts.add(blank, texts)
        self.shows_form = True
        self._show(blank)

    def add(self) -> None:
        """Show a new product, or the one that was not saved yet."""
        if self._show_unsaved():
            return
        unit = next((one.id for one in self.units() if one.is_piece), None)
        label = usual_label(in_vat=self.services.in_vat)
        blank = editing.blank_product(str(uuid4()), label=label, unit_id=unit, sku=None)
        self._add(blank, {DraftField.NAME: ""})

    def photos(self) -> list[tuple[str, Path | None]]:
        """The photos of the edited product, the main one first, with their files on this machine;
        the file is None while only the platform has it."""
        if self.current is None or self.is_new:
            return []
        catalogue = self.services.catalogue
        ids = catalogue_edits.photos_of(self.current.product)
        return read_or(self.services, [], lambda: [(one, catalogue.picture(one)) for one in ids])

    def order_photos(self, file_ids: Sequence[str]) -> None:
        """Keep the product's photos in this order, and remove all that are not listed."""
        current = self.current
        if current is None or self.is_new:
            return
        by, at = self.services.cashier, self.services.till.clock.now()
        self.settle(
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
            self._add(blank, {DraftField.VARIANT_NAME: ""})

    # --- what was typed --------------------------------------------------------------------------

    def value(self, field: DraftField) -> str:
        assert self.current is not None
        typed = self.typed_texts.of(self.current.owner.id).get(field)
        return self.current.typed_fields[field] if typed is None else typed

    def put(self, field: DraftField, text: str, *, shown_text: str | None = None) -> None:
        """Keep the text of a field of the edited article."""
        assert self.current is not None
        self.typed_texts.put(self.current, field, text, shown_text=shown_text)
        self._drop_fault(field)
        self.failure, self.saved = None, ""
        self.announce(CataloguePart.TYPED)

    def _drop_fault(self, field: DraftField) -> None:
        self.faults = {name: fault for name, fault in self.faults.items() if name != field}

    def _drop_gone_choices(self) -> bool:
        """Take units and categories that are gone off what was typed for the edited article, and
        keep that as `failure`; tells whether there were any. What is saved stays: other tills and
        the platform may still know it."""
        current = self.current
        if current is None or self.is_gone or current.owner.id not in self.typed_texts:
            return False
        is_any = False
        units, categories = {one.id for one in self.units()}, self.category_names().keys()
        for field in _CHOSEN:
            known = categories if field is DraftField.CATEGORIES else units
            saved = [] if self.is_new else current.typed_fields[field].split("\n")
            text = self.value(field)
            kept = "\n".join(one for one in text.split("\n") if one in {*known, *saved})
            if kept == text:
                continue
            is_any = True
            is_saved_again = not self.is_new and field is not DraftField.CATEGORIES
            new_text = current.typed_fields[field] if is_saved_again else kept
            self.typed_texts.put(current, field, new_text)
        if is_any:
            self.failure = NotFound("choice")
        return is_any

    @property
    def meanwhile(self) -> Mapping[DraftField, str]:
        """The new values of fields that somebody else changed after text was typed in them. A
        manager decides about them before anything is saved."""
        current = self.current
        if current is None or self.is_new or self.is_gone:
            return {}
        owner_id = current.owner.id
        typed, shown = self.typed_texts.of(owner_id), self.typed_texts.shown_before(owner_id)
        today = day_of(self.services.till.clock.now())
        return product_draft.changed_meanwhile(typed, shown, current.typed_fields, today=today)

    def settle_meanwhile(self, field: str, side: catalogue_edits.EditSide) -> None:
        """Decide whether the typed value of a field counts, or the one that somebody else gave
        it."""
        current, name = self.current, DraftField(field)
        if current is None or name not in self.meanwhile:
            return
        if side is catalogue_edits.EditSide.OURS:
            self.typed_texts[current.owner.id].shown_texts[name] = current.typed_fields[name]
        else:
            self.typed_texts.untype(current.owner.id, name)
        self._drop_fault(name)
        self.announce(CataloguePart.CURRENT, CataloguePart.ROWS)

    @property
    def lacks(self) -> Mapping[str, Invalid]:
        """The faults of the typed texts by field, as far as they are known before saving."""
        current = self.current
        if current is None or self.is_gone:
            return {}
        typed = self.typed_texts.of(current.owner.id)
        before, marks, owner_id = current.typed_fields, current.marks, current.owner.id
        now = self.services.till.clock.now()
        try:
            if self.is_new:
                editing.read_new(current, typed, at=now)
            else:
                product_draft.read_draft(typed, before, marks, article_id=owner_id, at=now)
        except product_draft.DraftFaults as error:
            return error.by_field
        return {}

    def doubts(self) -> Mapping[DraftField, Invalid]:
        if self.current is None:
            return {}
        return product_draft.doubts(
            {**self.current.typed_fields, **self.typed_texts.of(self.current.owner.id)},
            self.services.code_rules(),
        )

    @property
    def is_changed(self) -> bool:
        return self.current is not None and self.current.owner.id in self.typed_texts

    def is_typed(self, field: DraftField) -> bool:
        """Whether the edited article has an unsaved text of that field."""
        return self.current is not None and field in self.typed_texts.of(self.current.owner.id)

    def unsaved_in(self, row: CatalogueRow) -> str:
        """The id of the article or the product of a row that has unsaved text; "" for none."""
        owners = row.article_id or "", row.product_id
        return next((one for one in owners if one in self.typed_texts), "")

    def typed_in_row(self, row: CatalogueRow, field: DraftField) -> str | None:
        return self.typed_texts.of(owner_id_of(row, field)).get(field)

    def has_one_owner(self, row: CatalogueRow, field: DraftField) -> bool:
        """Whether a field of a row belongs to one article, or to the product itself."""
        return field in OF_PRODUCT or row.articles <= 1

    def stands(self, row: CatalogueRow, field: DraftField) -> str:
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
        current, is_new = self.current, self.is_new
        self.typed_texts.forget(current.owner.id)
        if self.is_gone:
            self.close()
        elif is_new and current.is_variant:
            self._show(self._edited(current.product.id, current.product.id))
        else:
            self._show(None if is_new else current)
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
        if self._asks_measure():
            return False
        by, at = self.services.cashier, self.services.till.clock.now()
        typed, replaced = self._given(current), self.plans_replaced()
        self.faults, self.failure = {}, None
        try:
            made = self._made_categories(typed.get(DraftField.CATEGORIES, ""))
            self._store_typed(current, typed, replaced)(by=by, at=at, categories=made)
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
        is_new, changed = self.is_new, [DraftField(one) for one in typed]
        self.typed_texts.forget(current.owner.id)
        self._measure_meant = None
        self.current = self._edited(current.product.id, current.owner.id)
        self.deleted = None
        if is_new:
            self._undoables.clear()
        else:
            self._undoables += self._undo_of(current, self.current, changed, replaced)
        self.is_settled = self.undoable is None
        self._show_saved()
        return True

    def _show_saved(self) -> None:
        """Note what was saved of the edited article, and show that and its row."""
        self.saved = self.current.owner.name if self.current is not None else ""
        self.note(self.saved)
        self.reload()
        self.announce(CataloguePart.CURRENT, CataloguePart.NEWS)

    @staticmethod
    def _undo_of(
        before: Edited,
        after: Edited | None,
        changed: Iterable[DraftField],
        replaced: Sequence[PlannedPrice],
    ) -> list[EditUndo]:
        if after is None:
            return []
        was, now = before.typed_fields, after.typed_fields
        fields = map(DraftField, product_draft.with_plan(changed))
        texts = {one: (was[one], now[one]) for one in fields}
        plan = product_draft.more_of_plan(before.plan)
        ids = before.product.id, before.owner.id
        if DraftField.PRICE not in texts:
            replaced = ()
        return [EditUndo(*ids, after.owner.name, texts, plan, replaced)]

    @property
    def undoable(self) -> EditUndo | None:
        """The last change that was saved here and not taken back."""
        return self._undoables[-1] if self._undoables else None

    @property
    def measure_asked(self) -> OtherMeasure | None:
        """What the prices would be of; a manager is asked before that is saved."""
        asked = self._measure_asked
        return asked if asked is not None and asked == self._other_measure() else None

    def keep_price(self) -> None:
        """The prices are meant as they were asked about."""
        self._measure_meant = self.measure_asked

    def _asks_measure(self) -> bool:
        """Ask about prices that would be those of something else; returns whether it is to be
        answered first."""
        self._measure_asked = self._other_measure()
        if self._measure_asked is None or self._measure_asked == self._measure_meant:
            self._measure_asked = None
            return False
        self.shows_form = True
        self.services.tones.play("no")
        self.announce(CataloguePart.CURRENT)
        return True

    def _other_measure(self) -> OtherMeasure | None:
        current = self.current
        if current is None or self.is_new or self.is_gone:
            return None
        typed, symbols = self._given(current), {one.id: one.symbol for one in self.units()}
        plans = self.services.editor
        return read_or(self.services, None, lambda: other_measure(current, typed, symbols, plans))

    def _given(self, current: Edited) -> Mapping[str, str]:
        """What was typed for an article, with the end of the plan that a typed price replaces."""
        typed = self.typed_texts.of(current.owner.id)
        return editing.with_plan_off(current, typed, at=self.services.till.clock.now())

    def plans_replaced(self) -> list[PlannedPrice]:
        """The plans of variants that a new price of the edited product takes the place of."""
        current, services = self.current, self.services
        none: list[PlannedPrice] = []
        if current is None or self.is_new:
            return none
        at = services.till.clock.now()
        return read_or(
            services, none, lambda: editing.plans_of_variants(current, services.editor, at=at)
        )

    def note(self, subject: str) -> None:
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
        self, current: Edited, typed_fields: Mapping[str, str], replaced: Sequence[PlannedPrice]
    ) -> Callable[..., object]:
        """Return the function that saves the text; it is called with the person and the time."""
        editor, ids = self.services.editor, (current.product.id, current.owner.id)
        if not self.is_new:
            was = {name: current.typed_fields[DraftField(name)] for name in typed_fields}
            was |= self.typed_texts.shown_before(current.owner.id)
            save = partial(editing.save_typed, shown_fields=was, plans_are_meant=True)
            return partial(save, editor, *ids, typed_fields, replaced=replaced)
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

    def save_cell(self, row: CatalogueRow, field: DraftField, text: str) -> bool:
        before = self._open_cell(row, field)
        if self.current is None or before is None:
            return False
        owner_id, shown = self.current.owner.id, self._shown_in_cell(row, field)
        if text == shown:
            self.typed_texts.untype(owner_id, field)
        else:
            self.put(field, text, shown_text=shown)
        if not self.is_changed:
            return True
        return self._save_or_ask()

    def _save_or_ask(self) -> bool:
        """Save what was typed in the table; if somebody else changed it meanwhile, open the form to
        decide."""
        is_saved = self.save()
        if self.meanwhile:
            self.shows_form = True
            self.announce(CataloguePart.CURRENT)
        return is_saved

    def begin_cell(self, row: CatalogueRow, field: DraftField) -> str:
        """Note that a cell is opened to be typed in; returns its text."""
        stands, owner_id = self.stands(row, field), owner_id_of(row, field)
        shown = self.typed_texts.shown_before(owner_id).get(field, stands)
        edited = self._edited(row.product_id, owner_id)
        self._begun = None if edited is None else (edited, field, shown)
        return stands

    def _shown_in_cell(self, row: CatalogueRow, field: DraftField) -> str | None:
        """The text that a cell showed before anything was typed in it."""
        begun = self._begun_in(row, field)
        shown_before = self.typed_texts.shown_before(owner_id_of(row, field))
        return shown_before.get(field, None if begun is None else begun[2])

    def _begun_in(
        self, row: CatalogueRow, field: DraftField
    ) -> tuple[Edited, DraftField, str] | None:
        """The record of the cell that is typed in, if it is this one."""
        begun = self._begun
        if begun is None or (begun[0].owner.id, begun[1]) != (owner_id_of(row, field), field):
            return None
        return begun

    def put_cell(self, row: CatalogueRow, field: DraftField, text: str) -> None:
        if self._open_cell(row, field) is not None:
            self.put(field, text, shown_text=self._shown_in_cell(row, field))

    def _open_cell(self, row: CatalogueRow, field: DraftField) -> str | None:
        """Edit the article of a row's field; returns the field's saved text."""
        self.open(row.product_id, owner_id_of(row, field), with_form=False)
        begun = self._begun_in(row, field)
        if self.current is None and begun is not None:
            self._show(begun[0], is_gone=self.failure is not None)
        return None if self.current is None else self.current.typed_fields[field]

    def drop_cell(self, row: CatalogueRow, field: DraftField) -> bool:
        """Discard what was typed for a field of a row; returns False if there was nothing."""
        if self.typed_in_row(row, field) is None:
            return False
        before = self._open_cell(row, field)
        if before is not None:
            self.put(field, before)
            self.announce(CataloguePart.CURRENT)
        return True

    def undo(self) -> EditUndo | None:
        """Take back the last change that was saved in the table or the form; returns it, or None
        where the form asks about it first. Only its own fields are saved. A planned price of
        another measure than the article's by now is not put back.

        Raises NotFound where its article is gone, NotAllowed where the fields were changed since or
        other text of the article is not saved, and what saving raises.
        """
        last = self.undoable
        if last is None:
            return None
        self.reload_if_outdated()
        ids = last.product_id, last.owner_id
        if self._went(*ids):
            self._undoables.pop()
            raise editing.gone(last.owner_id)
        if last.owner_id in self.typed_texts:
            raise NotAllowed("unsaved_text", name=last.name)
        now = self._edited(*ids)
        if now is None:
            return None
        if any(now.typed_fields[field] != after for field, (_, after) in last.texts.items()):
            self._undoables.pop()
            raise NotAllowed("changed_since")
        self.open(*ids, with_form=False)
        if self._asks_about_variants(last):
            return None
        self._put_back(last)
        self._undoables.pop()
        self.faults, self.failure = {}, None
        self.current = now = self._edited(*ids)
        self._show_saved()
        return self._undone(last, now)

    def _asks_about_variants(self, last: EditUndo) -> bool:
        """Ask in the form about prices of a product's variants that would be of another measure;
        the change does not tell whether they are those that they had before it."""
        current = self.current
        if DraftField.UNIT not in last.texts or current is None or current.is_variant:
            return False
        if not current.product.variants:
            return False
        for field, (before, after) in last.texts.items():
            self.put(field, before, shown_text=after)
        if self._asks_measure():
            return True
        self.typed_texts.forget(last.owner_id)
        return False

    def _put_back(self, last: EditUndo) -> None:
        """Save the texts that the fields of a change had before it. Raises as `undo`."""
        by, at, editor = self.services.cashier, self.services.till.clock.now(), self.services.editor
        changed = {field: both for field, both in last.texts.items() if both[0] != both[1]}
        texts = {str(field): before for field, (before, _) in changed.items()}
        if not texts:
            return
        made = self._made_categories(texts.get(DraftField.CATEGORIES, ""))
        try:
            with editor.together():
                editing.save_typed(
                    editor,
                    last.product_id,
                    last.owner_id,
                    {**texts, **last.plan},
                    by=by,
                    at=at,
                    shown_fields={field: after for field, (_, after) in changed.items()},
                    categories=made,
                    plans_are_meant=True,
                )
                editing.put_back_plans(editor, last.product_id, last.replaced, by=by, at=at)
        except product_draft.DraftFaults as error:
            if error.kind != "changed_meanwhile":
                raise
            if error.field in _CHOSEN:
                raise NotFound("choice") from error
            raise NotAllowed("changed_since") from error

    def _undone(self, last: EditUndo, after: Edited | None) -> EditUndo:
        now = {} if after is None else after.typed_fields
        texts = {
            field: both
            for field, both in last.texts.items()
            if field not in product_draft.OF_PLAN or now.get(field) == both[0]
        }
        if not texts:
            raise NotAllowed("changed_since")
        return replace(last, texts=texts)

    # --- products that go, and many at once ------------------------------------------------------

    def _forget_product(self, product_id: str) -> None:
        """Forget what was typed for a product that was deleted here, and close its form."""
        for edited in self.typed_texts.saved_articles():
            if edited.product.id == product_id:
                self.typed_texts.forget(edited.owner.id)
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
            self.typed_texts.forget(edited.owner.id)
            self.current = self._edited(edited.product.id, edited.product.id)

        self.settle(act)
        if self.failure is None:
            self.deleted, self.is_settled = edited, False

    def bring_back(self) -> Edited | None:
        """Take the deletion back that was the last act; return what was deleted. Raises NotAllowed
        where something came after it, or its outcome is open, and what saving raises."""
        deleted, by, at = self.deleted, self.services.cashier, self.services.till.clock.now()
        if deleted is None:
            return None
        try:
            editing.bring_back(self.services.editor, deleted, by=by, at=at)
        except (NotAllowed, NotFound) as error:
            if error.kind != "deletion_on_its_way":
                self.deleted, self.is_settled = None, True
            raise
        self.deleted, self.is_settled = None, True
        self.note(deleted.owner.name)
        self.reload_all(is_ours=True)
        self.announce(CataloguePart.NEWS)
        return deleted

    def end_act(self, products: Sequence[str], result: object, *, is_stopped: bool) -> None:
        """Take the result of an act on these products, in its order; those that it did not reach or
        change stay ticked."""
        done = self.many.end(result, is_stopped=is_stopped)
        if done.act is not None:
            reached = set(products[: done.act.reached]).difference(done.kept)
            self.listed.forget_ticks(reached)
            if done.act.kind is ActKind.DELETE:
                for product_id in reached:
                    self._forget_product(product_id)
        self.note_many(done.act.done if done.act is not None else 0)
        self.reload_all(is_ours=True)
        self.announce(CataloguePart.TICKS, CataloguePart.NEWS)

    def note_many(self, count: int) -> None:
        """Note a change of many articles, after which the last change of one can't be undone."""
        self._forget_undoables()
        self.is_settled = False
        self.note(f"many {count}")

    def _forget_undoables(self) -> None:
        self._undoables.clear()
        self.deleted = None
