"""Words for a unit or category whose change waits to be sent to the platform, was refused by it, or
was made on both sides. Source: look.md (Components, Table; Screens, 6)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pos_app.cashier.catalogue.names_model import NamesModel
from pos_app.cashier.services.open_edits import OpenEdit, OpenEditAct, TwoValues
from pos_app.cashier.texts.lookup import Texts, sentence
from pos_app.cashier.words.moments import moment_text
from pos_app.cashier.words.platform_faults import field_fault_words
from pos_app.domain.article.product import Unit
from pos_app.selling.synchronisation.catalogue_edits import EditSide, EditState
from pos_app.selling.synchronisation.name_edits import IN_USE, NameEdit
from pos_app.selling.synchronisation.own_names import Named


def opened(edit: NameEdit, names: NamesModel, texts: Texts) -> list[OpenEdit]:
    """The change in words, with its acts; none where the platform has no such list."""
    if edit.stays:
        return []
    when = moment_text(edit.at)
    who = texts("cat.edit.by", when=when, by=edit.by)
    if edit.has_conflict and not edit.error:
        happened = "cat.edit.conflict" if names.has_platform else "cat.edit.conflict.list"
        theirs = "cat.edit.theirs" if names.has_platform else "cat.edit.theirs.list"
        sides = TwoValues(
            "",
            texts("cat.names.which"),
            (texts("cat.edit.ours", when=when), _value(edit.ours, texts)),
            (texts(theirs), _value(edit.theirs, texts)),
        )
        words = (texts(happened), texts("cat.edit.conflict_words"))
        if edit.was_lost:
            words = (texts("cat.lost"), texts("cat.lost.words"))
        return [_open_edit(edit, names, EditState.CONFLICT, words, [sides])]
    if edit.error == IN_USE:
        words = (texts("cat.names.not_deleted"), texts("cat.names.not_deleted_words"))
        keep = OpenEditAct(
            texts("cat.names.keep"), "undo-2", partial(names.decide, edit, EditSide.THEIRS)
        )
        shown = _open_edit(edit, names, EditState.REFUSED, words, [])
        return [replace(shown, send_again=None, withdraw=None, said="", more=(keep,))]
    if edit.error:
        why = field_fault_words(edit.error, texts)
        head = texts("cat.edit.refused")
        return [_open_edit(edit, names, EditState.REFUSED, (head, f"{sentence(why)} {who}"), [])]
    return [_open_edit(edit, names, EditState.WAITING, (texts("cat.names.waits"), who), [])]


def _open_edit(
    edit: NameEdit,
    names: NamesModel,
    state: EditState,
    words: tuple[str, str],
    sides: list[TwoValues],
) -> OpenEdit:
    is_refused = state is EditState.REFUSED
    return OpenEdit(
        state,
        *words,
        sides,
        decide=lambda _field, side: names.decide(edit, side),
        send_again=partial(names.decide, edit, EditSide.OURS) if is_refused else None,
        withdraw=None
        if edit.theirs is None or state is EditState.CONFLICT
        else partial(names.decide, edit, EditSide.THEIRS),
        said=edit.error,
    )


def _value(named: Named | None, texts: Texts) -> str:
    if named is None:
        return texts("cat.edit.deleted")
    return f"{named.name} · {named.symbol}" if isinstance(named, Unit) else named.name
