"""Words for a store's fields that wait to be sent to its platform, were refused by it, or wait for
a manager to choose between the till's value and the platform's. Source: platform-contract.md 6."""

from __future__ import annotations

from typing import Any

from pos_app.cashier.services.open_edits import OpenEdit, TwoValues, meanwhile
from pos_app.cashier.settings.store_model import PRINT_METHODS, StoreModel, StoreText
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.words.moments import moment_text
from pos_app.cashier.words.platform_faults import field_fault_words
from pos_app.domain.article.store import PickerType, PrintMethod, ReceiptLanguage
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.synchronisation.catalogue_edits import EditState, FieldConflict
from pos_app.selling.synchronisation.store_edits import StoreEdit

_NAMES = {
    "print_method": "set.store.print_methods",
    "payment_methods_order": "set.store.order",
    "product_picker_type": "set.store.picker",
}
"""The ids of words that are not made of the field's name."""


def opened(model: StoreModel, texts: Texts) -> list[OpenEdit]:
    """Return what somebody else changed while a manager typed, then what the store's platform does
    not have yet."""
    edit, asked = model.edit, list[OpenEdit]()
    if model.meanwhile:
        fields = [_typed_over(one, texts) for one in model.meanwhile]
        asked.append(meanwhile(fields, model.settle_meanwhile, texts))
    if edit is None:
        return asked
    state = _state(edit)
    head, words = _words(edit, state, texts)
    return [
        *asked,
        OpenEdit(
            state,
            head,
            words,
            [_two_values(edit, one, texts) for one in edit.conflicts],
            decide=model.decide,
            send_again=model.send_again if state is EditState.REFUSED else None,
            withdraw=model.withdraw,
            said=edit.error if state is EditState.REFUSED else "",
        ),
    ]


def _state(edit: StoreEdit) -> EditState:
    if edit.conflicts:
        return EditState.CONFLICT
    return EditState.REFUSED if edit.error else EditState.WAITING


def _words(edit: StoreEdit, state: EditState, texts: Texts) -> tuple[str, str]:
    fields = ", ".join(field_name(name, texts) for name in edit.waiting)
    when = moment_text(edit.at)
    who = texts("cat.edit.by", when=when, by=edit.by)
    if state is EditState.CONFLICT and edit.was_lost:
        return texts("cat.lost"), texts("cat.lost.words")
    if state is EditState.CONFLICT:
        return texts("cat.edit.conflict"), texts("set.store.conflict_words")
    if state is EditState.REFUSED:
        is_at_field = edit.error_field in set(StoreText)
        why = "" if is_at_field else f": {field_fault_words(edit.error, texts)}"
        return texts("cat.edit.refused"), f"{fields}{why}. {who}"
    return texts("cat.edit.waiting", fields=fields), f"{texts('set.store.waits')} {who}"


def _two_values(edit: StoreEdit, conflict: FieldConflict, texts: Texts) -> TwoValues:
    when = moment_text(edit.at)
    return TwoValues(
        conflict.field,
        field_name(conflict.field, texts),
        (texts("cat.edit.ours", when=when), value_words(conflict.ours, texts)),
        (texts("cat.edit.theirs"), value_words(conflict.theirs, texts)),
    )


def _typed_over(conflict: FieldConflict, texts: Texts) -> TwoValues:
    return TwoValues(
        conflict.field,
        field_name(conflict.field, texts),
        (texts("cat.meanwhile.typed"), value_words(conflict.ours, texts)),
        (texts("cat.meanwhile.now"), value_words(conflict.theirs, texts)),
    )


def field_name(field: str, texts: Texts) -> str:
    return texts(_NAMES.get(field, f"set.store.{field}"))


def value_words(value: Any, texts: Texts) -> str:
    """Return a value of a store's field, short enough for a button."""
    match value:
        case None | "" | ():
            return texts("cat.none")
        case bool():
            return texts("set.store.on" if value else "set.store.off")
        case ReceiptLanguage():
            return texts(f"set.store.language.{value}")
        case PickerType():
            return texts(f"set.store.picker.{value}")
        case PrintMethod():
            ways = [texts(f"set.store.{one}") for one in PRINT_METHODS if getattr(value, one)]
            return ", ".join(ways) or texts("cat.none")
        case tuple():
            return " / ".join(", ".join(_method(name, texts) for name in row) for row in value)
        case _:
            return str(value)


def _method(name: object, texts: Texts) -> str:
    """Return the name of a method of a payment order; a platform may know others."""
    is_known = str(name) in tuple(PaymentMethod)
    return texts(f"pay.line.{name}") if is_known else str(name)
