"""Words for the differences between this till and the platform in one product: changes that wait,
were refused, or were made on both sides. Source: look.md (Components, Table; Screens, 6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pos_app.cashier.catalogue import decisions
from pos_app.cashier.catalogue.model import CatalogueModel, EditUndo
from pos_app.cashier.services.open_edits import OpenEdit, OpenEditAct, TwoValues, meanwhile
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words.moments import moment_text
from pos_app.cashier.words.platform_faults import field_fault_words
from pos_app.domain.article.product import File, Variant
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.catalogue.editing import Edited
from pos_app.selling.catalogue.other_measure import OtherMeasure
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.synchronisation import catalogue_edits, variant_lists

_TAKEN = re.compile(r'"(?:\S+\.)?(?P<field>sku|ean)" (?P<code>\S+) already exists')
"""The platform's message that another article has a code. Source: platform-api.md."""


def opened(model: CatalogueModel, texts: Texts) -> list[OpenEdit]:
    """Return the changes of the edited product that are undecided or wait: first what others
    changed while a person typed, then this till's changes that the platform does not have yet. If
    the product was deleted meanwhile, only that is returned."""
    if model.is_new:
        return []
    if model.is_gone:
        return [_gone(model, texts)]
    return [
        *_changed_meanwhile(model, texts),
        *(_opened(one, model, texts) for one in decisions.open_edits(model)),
    ]


def measure_question(
    asked: OtherMeasure, texts: Texts, *, correct: Callable[[], None], keep: Callable[[], None]
) -> OpenEdit:
    """Whether the prices are meant for the unit that was chosen, because they were those of another
    measure before."""
    sentences = [
        texts(text_id if asked.symbol else f"{text_id}_piece", price=price, unit=asked.symbol)
        for text_id, price in (
            ("cat.measure.asked", asked.price),
            ("cat.measure.asked_planned", asked.planned),
        )
        if price is not None
    ]
    return OpenEdit(
        catalogue_edits.EditState.CONFLICT,
        " ".join(sentences),
        texts("cat.measure.words"),
        (),
        decide=lambda *_: None,
        send_again=None,
        withdraw=None,
        more=(
            OpenEditAct(texts("cat.measure.correct"), "pencil", correct),
            OpenEditAct(texts("cat.measure.keep"), "check", keep),
        ),
    )


def _gone(model: CatalogueModel, texts: Texts) -> OpenEdit:
    return OpenEdit(
        catalogue_edits.EditState.REFUSED,
        texts("cat.went"),
        texts("cat.went.words"),
        (),
        decide=model.settle_meanwhile,
        send_again=None,
        withdraw=None,
        add_again=model.add_again if model.can_add_again() else None,
    )


def _changed_meanwhile(model: CatalogueModel, texts: Texts) -> list[OpenEdit]:
    fields = [
        TwoValues(
            field,
            field_name(field, texts),
            (texts("cat.meanwhile.typed"), typed_words(field, model.value(field), model, texts)),
            (texts("cat.meanwhile.now"), typed_words(field, now, model, texts)),
        )
        for field, now in model.meanwhile.items()
    ]
    return [meanwhile(fields, model.settle_meanwhile, texts)] if fields else []


def undone_words(undone: EditUndo, model: CatalogueModel, texts: Texts) -> str:
    """Words for a change of an article's fields that was taken back."""
    fields = (
        f"{field_name(field, texts)}: {typed_words(field, after, model, texts)}"
        f" → {typed_words(field, before, model, texts)}"
        for field, (before, after) in undone.texts.items()
    )
    return texts("cat.undone", name=undone.name, fields=", ".join(fields))


def deleted_name(deleted: Edited) -> str:
    """The name by which a deleted product or variant is told."""
    variant_name = deleted.owner.variant_name if deleted.is_variant else None
    return variant_name or deleted.owner.name


def became_words(field: DraftField, model: CatalogueModel, texts: Texts) -> str:
    """Words for the value that somebody else gave a field while it was typed in."""
    now = model.meanwhile[field]
    return texts("cat.meanwhile.became", value=typed_words(field, now, model, texts))


def typed_words(field: DraftField, typed_text: str, model: CatalogueModel, texts: Texts) -> str:
    """The text of a field, short enough for a button."""
    if field in (DraftField.OPEN_PRICE, DraftField.PINNED):
        return texts("cat.yes" if typed_text else "cat.no")
    names = model.names()
    return ", ".join(names.get(one, one) for one in typed_text.split("\n")) or texts("cat.none")


def _opened(edit: catalogue_edits.CatalogueEdit, model: CatalogueModel, texts: Texts) -> OpenEdit:
    head, words = edit_words(edit, model, texts)
    is_refused = edit.state is catalogue_edits.EditState.REFUSED
    return OpenEdit(
        edit.state,
        head,
        words,
        [two_values(edit, one, model, texts) for one in edit.fields_apart],
        decide=partial(decisions.decide, model, edit),
        send_again=partial(decisions.send_again, model, edit) if is_refused else None,
        withdraw=partial(decisions.withdraw, model, edit) if edit.can_go_back else None,
        said=edit.error if is_refused else "",
        more=[
            OpenEditAct(
                side_words(side, model, texts),
                "",
                partial(decisions.decide, model, edit, decisions.EVERY_FIELD, side),
            )
            for side in decisions.sides_of_all(edit)
        ],
    )


def edit_words(
    edit: catalogue_edits.CatalogueEdit, model: CatalogueModel, texts: Texts
) -> tuple[str, str]:
    """What an edit waits for, and what a person should know of it."""
    when = moment_text(edit.at)
    if edit.state is catalogue_edits.EditState.CONFLICT and (
        edit.kind is catalogue_edits.EditKind.ADD or edit.is_of_two
    ):
        return _two_articles_words(edit, model, texts)
    if edit.state is catalogue_edits.EditState.CONFLICT and edit.was_lost:
        return texts("cat.lost"), texts("cat.lost.words")
    if edit.state is catalogue_edits.EditState.CONFLICT:
        happened = "cat.edit.conflict" if model.services.has_platform else "cat.edit.conflict.list"
        return texts(happened), texts("cat.edit.conflict_words")
    if edit.state is catalogue_edits.EditState.REFUSED:
        return texts("cat.edit.refused"), refusal_words(edit, model, texts)
    if edit.kind is catalogue_edits.EditKind.ADD:
        return texts("cat.edit.added", when=when, by=edit.by), ""
    fields = ", ".join(field_name(name, texts) for name in edit.changes)
    return texts("cat.edit.waiting", fields=fields), texts("cat.edit.by", when=when, by=edit.by)


def _two_articles_words(
    edit: catalogue_edits.CatalogueEdit, model: CatalogueModel, texts: Texts
) -> tuple[str, str]:
    """Words for an article made here whose code or EAN another one has: what happened, and what
    comes of each answer. What differs is told where it is not decided field by field."""
    if edit.is_of_two:
        return texts("cat.conflicts.one_ean"), texts("cat.conflicts.one_ean.words")
    lines = [texts("cat.conflicts.one_code.words")]
    for one in edit.conflicts:
        if one.field not in catalogue_edits.CODES and not one.is_one_sided:
            field = two_values(edit, one, model, texts)
            sides = (": ".join(side) for side in (field.ours, field.theirs))
            lines.append(f"{field.name}: {' · '.join(sides)}")
    return texts("cat.conflicts.one_code"), "\n".join(lines)


def refusal_words(edit: catalogue_edits.CatalogueEdit, model: CatalogueModel, texts: Texts) -> str:
    """Words for the platform's reason; its own line stands apart."""
    taken = _TAKEN.search(edit.error)
    if taken is None:
        return field_fault_words(edit.error, texts)
    other = decisions.other_with(model, taken["code"], edit.product_id) or texts(
        "cat.edit.taken.unlisted"
    )
    return texts(f"cat.edit.taken.{taken['field']}", code=taken["code"], other=other)


def two_values(
    edit: catalogue_edits.CatalogueEdit,
    conflict: catalogue_edits.FieldConflict,
    model: CatalogueModel,
    texts: Texts,
) -> TwoValues:
    """A field with the value of this till, and when it was given here, and that of the other
    side. Nothing tells when the other side gave its value."""
    field, names = conflict.field, model.names()
    theirs = "cat.edit.theirs" if model.services.has_platform else "cat.edit.theirs.list"
    if field == catalogue_edits.VARIANTS:
        values = _variants_words(conflict, texts, names)
    else:
        sides = (conflict.ours, conflict.theirs)
        values = [value_words(field, side, texts, names) for side in sides]
    return TwoValues(
        field,
        field_name(field, texts),
        (texts("cat.edit.ours", when=moment_text(edit.at)), values[0]),
        (texts(theirs), values[1]),
    )


def _variants_words(
    conflict: catalogue_edits.FieldConflict, texts: Texts, names: Mapping[str, str]
) -> list[str]:
    """Our and their words for the variants that both sides changed, each with what differs."""
    asked = variant_lists.conflicts_in(conflict.base or (), conflict.ours, conflict.theirs)
    sides: tuple[list[str], list[str]] = ([], [])
    for one in asked:
        name = one.variant.variant_name or one.variant.name
        for words, values in zip(sides, (one.ours, one.theirs), strict=True):
            if values is None:
                words.append(f"{name}: {texts('cat.edit.no_variant')}")
                continue
            fields = (
                f"{field_name(field, texts)} {value_words(field, value, texts, names)}"
                for field, value in values.items()
            )
            words.append(f"{name}: {', '.join(fields)}")
    return ["; ".join(words) for words in sides]


def side_words(side: catalogue_edits.EditSide, model: CatalogueModel, texts: Texts) -> str:
    """The words of a button that takes all values of a side. In a shop without a platform the other
    side is the list of articles that is read from a file."""
    if side is catalogue_edits.EditSide.OURS:
        return texts("cat.conflicts.all_ours")
    return texts(
        "cat.conflicts.all_theirs"
        if model.services.has_platform
        else "cat.conflicts.all_theirs.list"
    )


def field_name(field: str, texts: Texts) -> str:
    return (
        texts("cat.edit.is_deleted")
        if field == catalogue_edits.DELETED
        else texts(f"cat.field.{field}")
    )


def value_words(field: str, value: Any, texts: Texts, names: Mapping[str, str]) -> str:
    """A value of a field, short enough for a button."""
    if field == catalogue_edits.DELETED:
        return texts("cat.edit.deleted" if value else "cat.edit.kept")
    if field == catalogue_edits.IMAGES and value:
        return texts.count("cat.photos.many", len(value))
    match value:
        case None | "" | ():
            return texts("cat.none")
        case Money():
            return amount_text(value)
        case tuple():
            return ", ".join(
                one.variant_name or one.name if isinstance(one, Variant) else names.get(one, one)
                for one in value
            )
        case File():
            return value.filename
        case _:
            text = str(value)
            return names.get(text, text)
