"""The page of units and categories: its two lists, and what is typed for one of them. It outlives
the widgets that show it. Source: till.md (Catalogue: units and categories)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from pos_app.cashier.catalogue.model import CatalogueModel, CataloguePart
from pos_app.cashier.catalogue.reading import read_or
from pos_app.domain.article.product import Unit
from pos_app.errors import Invalid, NotAllowed, PosError
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.catalogue.catalogue import CatalogueEditor
from pos_app.selling.catalogue.names import NameCount, check_name, new_name
from pos_app.selling.synchronisation.catalogue_edits import EditSide
from pos_app.selling.synchronisation.name_edits import NameEdit
from pos_app.selling.synchronisation.own_names import Named, NameKind

MISSING = ("name_missing", "symbol_missing")
NEW = ""
"""The id of the entry that is being added."""


@dataclass(frozen=True, slots=True)
class NameRow:
    """A unit or category of the list. rows: the number of rows of the table that have it. edit: its
    change that the platform does not have yet, or None. is_deleted: it is deleted here, and a
    person decides whether it is there, too."""

    named: Named
    rows: int
    edit: NameEdit | None = None
    is_deleted: bool = False

    @property
    def needs_person(self) -> bool:
        return self.edit is not None and self.edit.needs_person


@dataclass(frozen=True, slots=True)
class NameDraft:
    """What is typed for a unit or category. named: as it was shown when the typing began, None for
    a new one."""

    named: Named | None
    name: str = ""
    symbol: str = ""

    @classmethod
    def of(cls, named: Named | None) -> NameDraft:
        if named is None:
            return cls(None)
        return cls(named, named.name, named.symbol if isinstance(named, Unit) else "")

    @property
    def is_changed(self) -> bool:
        return self != NameDraft.of(self.named)


class NamesModel:
    """current: the id of the entry in the form, `NEW` for a new one, or None."""

    def __init__(self, model: CatalogueModel) -> None:
        self._model = model
        self.kind = NameKind.UNIT
        self.current: str | None = None
        self.faults: Mapping[str, Invalid] = {}
        self.failure: PosError | None = None
        self._drafts: dict[tuple[NameKind, str], NameDraft] = {}
        self._read: tuple[object, tuple[NameRow, ...]] = (None, ())

    # --- what is shown ---------------------------------------------------------------------------

    def rows(self) -> tuple[NameRow, ...]:
        """The entries in their order, behind them those deleted here that a person decides. They
        are counted once, until something is written."""
        now = (
            self.kind,
            read_or(self._model.services, -1, self._model.services.catalogue.generation),
        )
        if now != self._read[0]:
            self._read = (now, self._rows())
        return self._read[1]

    def _rows(self) -> tuple[NameRow, ...]:
        services, kind = self._model.services, self.kind
        none: tuple[NameCount, ...] = ()
        counted = read_or(services, none, lambda: services.catalogue.counted_names(kind))
        edits = {one.id: one for one in self._edits()}
        here = [NameRow(one.named, one.rows, edits.pop(one.named.id, None)) for one in counted]
        gone = [
            NameRow(edit.base, 0, edit, is_deleted=True)
            for edit in edits.values()
            if edit.needs_person and edit.base is not None
        ]
        return (*here, *gone)

    def _edits(self) -> tuple[NameEdit, ...]:
        services = self._model.services
        none: tuple[NameEdit, ...] = ()
        edits = read_or(services, none, services.editor.name_edits)
        is_told = self.has_platform
        return tuple(
            one for one in edits if one.kind is self.kind and (is_told or one.needs_person)
        )

    @property
    def has_platform(self) -> bool:
        return self._model.services.has_platform

    def row(self) -> NameRow | None:
        """The row of the entry in the form; None for a new one, or one that is gone."""
        return next((one for one in self.rows() if one.named.id == self.current), None)

    def others(self) -> tuple[Named, ...]:
        """The entries that can take the place of the one in the form."""
        rows = self.rows()
        return tuple(
            one.named for one in rows if one.named.id != self.current and not one.is_deleted
        )

    def choose_kind(self, kind: NameKind) -> None:
        if kind is not self.kind:
            self.kind = kind
            self.open(None)

    def open(self, name_id: str | None) -> None:
        """Show an entry in the form. What was typed for another one is kept."""
        self.current = name_id
        self.faults, self.failure = {}, None
        self._model.announce(CataloguePart.PAGE)

    # --- what is typed ---------------------------------------------------------------------------

    @property
    def draft(self) -> NameDraft | None:
        if self.current is None:
            return None
        typed = self._drafts.get((self.kind, self.current))
        if typed is not None:
            return typed
        row = self.row()
        if row is None and self.current != NEW:
            return None
        return NameDraft.of(None if row is None else row.named)

    @property
    def has_typed(self) -> bool:
        draft = self.draft
        return draft is not None and draft.is_changed

    @property
    def has_unsaved(self) -> bool:
        """Whether something is typed for any entry of both lists."""
        return bool(self._drafts)

    def is_typed(self, name_id: str) -> bool:
        return (self.kind, name_id) in self._drafts

    def type(self, *, name: str | None = None, symbol: str | None = None) -> None:
        draft = self.draft
        if draft is None or self.current is None:
            return
        new = replace(
            draft,
            name=draft.name if name is None else name,
            symbol=draft.symbol if symbol is None else symbol,
        )
        self._drafts[self.kind, self.current] = new
        if not new.is_changed:
            del self._drafts[self.kind, self.current]
        fault = self.lacks()
        is_empty = fault is None or fault.kind in MISSING
        self.faults = {} if fault is None or is_empty else {fault.field: fault}
        self.failure = None

    def drop_typed(self) -> None:
        if self.current is not None:
            self._drafts.pop((self.kind, self.current), None)
        self.open(None if self.current == NEW else self.current)

    def lacks(self) -> Invalid | None:
        """The first fault of what is typed, as far as it is known before saving."""
        draft, row = self.draft, self.row()
        if draft is None:
            return None
        others = [one for one in self.others() if draft.named is None or one.id != draft.named.id]
        has_articles = row is not None and row.rows > 0
        try:
            check_name(self._as_named(draft), others, old=draft.named, has_articles=has_articles)
        except Invalid as error:
            return error
        return None

    def _as_named(self, draft: NameDraft) -> Named:
        new = new_name(self.kind, draft.name, draft.symbol, position=self._last_position())
        old = draft.named
        return new if old is None else replace(new, id=old.id, position=old.position)

    def save(self) -> bool:
        """Save what was typed; returns False where that is impossible, with the reason in `faults`
        or `failure`."""
        draft, old_id = self.draft, self.current
        if draft is None or old_id is None:
            return False
        new, old = self._as_named(draft), draft.named
        if old is None:
            is_saved = self._do(lambda editor, by, at: editor.add_name(new, by=by, at=at), new.name)
        else:
            is_saved = self._do(
                lambda editor, by, at: editor.change_name(old, new, by=by, at=at), new.name
            )
        if is_saved:
            self._drafts.pop((self.kind, old_id), None)
            self.current = new.id
        elif isinstance(self.failure, NotAllowed) and (row := self.row()) is not None:
            self._drafts[self.kind, old_id] = replace(draft, named=row.named)  # it is seen now
        self._model.announce(CataloguePart.PAGE)
        return is_saved

    def _last_position(self) -> int:
        """The position of a new entry: the end of a list that has an order."""
        positions = [one.named.position for one in self.rows()]
        last = max(positions, default=0)
        return last + 1 if last or self.kind is NameKind.CATEGORY else 0

    # --- other acts ------------------------------------------------------------------------------

    def can_move(self, by: int) -> bool:
        ids = [one.named.id for one in self.rows() if not one.is_deleted]
        return self.current in ids and 0 <= ids.index(self.current) + by < len(ids)

    def move(self, by: int) -> None:
        """Move the entry in the form up (-1) or down (1)."""
        if not self.can_move(by):
            return
        ordered = [one.named for one in self.rows() if not one.is_deleted]
        at = next(n for n, one in enumerate(ordered) if one.id == self.current)
        ordered[at], ordered[at + by] = ordered[at + by], ordered[at]
        self._do(
            lambda editor, by, at: editor.order_names(ordered, by=by, at=at), ordered[at + by].name
        )
        self._model.announce(CataloguePart.PAGE)

    def delete(self, named: Named) -> bool:
        """Delete an entry that no article has."""
        is_gone = self._do(
            lambda editor, by, at: editor.delete_name(named, by=by, at=at), named.name
        )
        if is_gone:
            self.forget(named)
        self._model.announce(CataloguePart.PAGE)
        return is_gone

    def forget(self, named: Named) -> None:
        """Close the form of an entry that goes, with what was typed in it."""
        self._drafts.pop((self.kind, named.id), None)
        if self.current == named.id:
            self.current = None

    def decide(self, edit: NameEdit, side: EditSide) -> None:
        self._do(lambda editor, by, at: editor.decide_name(edit, side, by=by, at=at), "")
        self._model.announce(CataloguePart.PAGE)

    def _do(self, act: Callable[[CatalogueEditor, str, datetime], object], subject: str) -> bool:
        """Do a manager's act, note it, and read anew; where it fails, `faults` or `failure` says
        why."""
        services = self._model.services
        self.faults, self.failure = {}, None
        try:
            act(services.editor, services.cashier, services.till.clock.now())
        except Invalid as error:
            self.faults = {error.field: error}
        except PosError as error:
            self.failure = error
        else:
            self._model.note(subject)
        if self.faults or self.failure is not None:
            services.tones.play("no")
        self._model.reload_all(is_ours=True)
        self._model.announce(CataloguePart.NEWS)
        return not self.faults and self.failure is None
