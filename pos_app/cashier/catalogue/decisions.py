"""A manager's decisions about this till's changes that the platform refused or made too, and about
products that vanished from its list. Source: till.md (Catalogue)."""

from __future__ import annotations

from collections.abc import Sequence

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.reading import read_or
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.selling.catalogue import editing
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark, FoundArticle
from pos_app.selling.synchronisation.catalogue_edits import (
    CatalogueEdit,
    EditKind,
    EditSide,
    EditState,
)
from pos_app.selling.synchronisation.name_edits import NameEdit
from pos_app.selling.synchronisation.store_edits import StoreEdit

EVERY_FIELD = ""
"""Stands for all fields that differ in a change."""


def undecided(model: CatalogueModel) -> tuple[editing.Undecided, ...]:
    """The changes that wait for a manager, the oldest first: made on both sides, or refused."""
    services = model.services
    none: tuple[editing.Undecided, ...] = ()
    return read_or(services, none, lambda: editing.undecided(services.catalogue, services.editor))


def open_edits(model: CatalogueModel) -> tuple[CatalogueEdit, ...]:
    """This till's changes of the edited product that the platform does not have yet."""
    product_id = model.current_id
    none: tuple[CatalogueEdit, ...] = ()
    edits = read_or(model.services, none, lambda: model.services.editor.open_edits(product_id))
    return tuple(
        one for one in edits if model.services.has_platform or one.state is not EditState.WAITING
    )


def mark_of(model: CatalogueModel, row: CatalogueRow) -> EditMark:
    waits_for_nobody = row.edits is EditMark.WAITING and not model.services.has_platform
    return EditMark.NONE if waits_for_nobody else row.edits


def other_with(model: CatalogueModel, code: str, product_id: str) -> str:
    """The name of another product's article with this code, or "" if there is none."""
    none: tuple[FoundArticle, ...] = ()
    having = read_or(
        model.services, none, lambda: model.services.catalogue.by_code(ArticleCode(code))
    )
    names = (one.article.name for one in having if one.article.product_id != product_id)
    return next(names, "")


def decide(model: CatalogueModel, edit: CatalogueEdit, field: str, side: EditSide) -> None:
    """Decide whose value of a field counts, or of all fields for EVERY_FIELD. Where others changed
    the values since they were shown, they are shown instead."""
    waiting = [one.edit for one in undecided(model)]
    if is_as_shown(model, [edit], [one for one in waiting if one.id == edit.id]):
        decide_many(model, (edit,), field, side)


def sides_of_all(edit: CatalogueEdit) -> tuple[EditSide, ...]:
    """The sides that may be taken at once, for all that differs; none where that is one field."""
    if edit.kind is EditKind.ADD or len(edit.fields_apart) > 1:
        return tuple(EditSide) if edit.state is EditState.CONFLICT else ()
    return ()


def decide_many(
    model: CatalogueModel, edits: Sequence[CatalogueEdit], field: str, side: EditSide
) -> None:
    """Decide in one commit whose values count in these changes. field: one field, or
    EVERY_FIELD."""
    at, editor = model.services.till.clock.now(), model.services.editor

    def act() -> None:
        became = {}
        with editor.together():
            for edit in edits:
                names = [one.field for one in edit.conflicts if field in (EVERY_FIELD, one.field)]
                sides = dict.fromkeys(names, side)
                became[edit.product_id] = editor.decide(edit.id, sides, at=at)
        model.follow(became)

    model.settle(act)


def lost_beside(model: CatalogueModel) -> list[StoreEdit | NameEdit]:
    """The changes of stores, units and categories that a platform lacks since it was put back."""
    services, editor = model.services, model.services.editor
    none: list[StoreEdit | NameEdit] = []

    def lost() -> list[StoreEdit | NameEdit]:
        stores = [editor.store_edit(one.id) for one in services.catalogue.stores()]
        return [one for one in (*stores, *editor.name_edits()) if one and one.was_lost]

    return read_or(services, none, lost) if model.listed.facts().lost else none


def decide_beside(
    model: CatalogueModel, lost: Sequence[StoreEdit | NameEdit], side: EditSide
) -> None:
    by, at, editor = model.services.cashier, model.services.till.clock.now(), model.services.editor

    def act() -> None:
        with editor.together():
            for one in lost:
                if isinstance(one, NameEdit):
                    editor.decide_name(one, side, by=by, at=at)
                else:
                    sides = dict.fromkeys((x.field for x in one.conflicts), side)
                    editor.decide_store(one.ours.id, sides)

    model.settle(act)


def is_as_shown(
    model: CatalogueModel, shown_edits: Sequence[CatalogueEdit], now: Sequence[CatalogueEdit]
) -> bool:
    """Whether these changes wait with the values that a person sees; else they are read anew."""
    if list(shown_edits) == list(now):
        return True
    model.services.tones.play("no")
    model.reload_all()
    return False


def send_again(model: CatalogueModel, edit: CatalogueEdit) -> None:
    at = model.services.till.clock.now()
    model.settle(lambda: model.services.editor.move(edit.id, EditState.WAITING, at=at))


def withdraw(model: CatalogueModel, edit: CatalogueEdit) -> None:
    """Take a change back, so that the platform's values count."""
    by, at = model.services.cashier, model.services.till.clock.now()
    model.settle(lambda: model.services.editor.withdraw(edit.id, by=by, at=at))


def gone(model: CatalogueModel, *, limit: int) -> tuple[str, ...]:
    """The names of the first vanished products. So many vanished from the list that none was
    removed."""
    none: tuple[str, ...] = ()
    return read_or(model.services, none, lambda: model.services.editor.gone(limit=limit))


def accept_gone(model: CatalogueModel, *, at_most: int) -> None:
    by, at = model.services.cashier, model.services.till.clock.now()
    model.settle(lambda: model.services.editor.accept_gone(by=by, at=at, at_most=at_most))
