"""What of a store waits to be sent to its platform, was refused by it, or waits for a manager to
choose between the till's value and the platform's. Source: platform-contract.md 6."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.settings.store_model import PRINT_METHODS, StoreModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.edit_panel import EditPanel, TwoSides
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.widget import clear_layout
from pos_app.domain.instant import in_belgrade
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.store import PickerType, PrintMethod, ReceiptLanguage
from pos_app.selling.synchronisation.catalogue_edits import EditSide, FieldConflict
from pos_app.selling.synchronisation.store_edits import StoreEdit

_NAMES = {
    "print_method": "set.store.print_methods",
    "payment_methods_order": "set.store.order",
    "product_picker_type": "set.store.picker",
}
"""Fields whose words have another key."""


SIDES = (EditSide.OURS, EditSide.THEIRS)
"""As their keys stand, from the left."""


class StoreEditPanel(QWidget):
    """Hidden while nothing waits."""

    def __init__(self, model: StoreModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._ui = model, ui
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shown: StoreEdit | None = None
        self.setVisible(False)

    def show_model(self) -> None:
        edit = self._model.edit
        if edit == self._shown:
            return
        self._shown = edit
        clear_layout(self._column)
        if edit is not None:
            self._column.addWidget(self._panel(edit))
        self.setVisible(edit is not None)

    # --- parts -----------------------------------------------------------------------------------

    def _panel(self, edit: StoreEdit) -> EditPanel:
        kind, icon = _look(edit)
        head, words = self._words(edit)
        return EditPanel(
            self._ui.theme, kind, head, words, icon=icon, acts=self._acts(edit),
            fields=[self._sides(edit, one) for one in edit.conflicts],
        )  # fmt: skip

    def _words(self, edit: StoreEdit) -> tuple[str, str]:
        texts = self._ui.texts
        fields = ", ".join(field_name(name, texts) for name in edit.changed)
        when = in_belgrade(edit.at).strftime("%d.%m. %H:%M")
        who = texts("cat.edit.by", when=when, by=edit.by)
        if edit.conflicts:
            return texts("cat.edit.conflict"), texts("set.store.conflict_words")
        if edit.error:
            return texts("cat.edit.refused"), f"{edit.error} · {fields} · {who}"
        return texts("cat.edit.waiting", fields=fields), f"{texts('set.store.waits')} {who}"

    def _acts(self, edit: StoreEdit) -> list[Button]:
        theme, texts, model, acts = self._ui.theme, self._ui.texts, self._model, list[Button]()
        if edit.error and not edit.conflicts:
            again = Button(theme, texts("cat.edit.again"), icon="refresh-cw")
            again.clicked.connect(model.send_again)
            acts.append(again)
        back = Button(theme, texts("cat.edit.withdraw"), icon="undo-2")
        back.clicked.connect(model.withdraw)
        return [*acts, back]

    def _sides(self, edit: StoreEdit, conflict: FieldConflict) -> TwoSides:
        texts = self._ui.texts
        when = in_belgrade(edit.at).strftime("%d.%m. %H:%M")
        sides = [
            (texts("cat.edit.ours", when=when), value_words(conflict.ours, texts)),
            (texts("cat.edit.theirs"), value_words(conflict.theirs, texts)),
        ]
        name = field_name(conflict.field, texts)
        return TwoSides(
            self._ui.theme, name, sides,
            lambda number: self._model.decide(conflict.field, SIDES[number]),
        )  # fmt: skip


def _look(edit: StoreEdit) -> tuple[NoticeKind, str]:
    if edit.conflicts:
        return NoticeKind.WARN, "git-compare"
    return (NoticeKind.DANGER, "circle-alert") if edit.error else (NoticeKind.INFO, "clock")


def field_name(field: str, texts: Texts) -> str:
    """A field as its page calls it."""
    return texts(_NAMES.get(field, f"set.store.{field}"))


def value_words(value: Any, texts: Texts) -> str:
    """A value of a field of the store, short enough for a key."""
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
    """A method of a payment order; a platform may know others."""
    is_known = str(name) in tuple(PaymentMethod)
    return texts(f"pay.line.{name}") if is_known else str(name)
