"""What of a store waits to be sent to its platform, was refused by it, or waits for a manager to
choose between the till's value and the platform's. Source: platform-contract.md 6."""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.settings.store_model import PRINT_METHODS, StoreModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import GROUNDS, NoticeKind
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.side_key import SideKey
from pos_app.cashier.ui.state import Icon
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


class StoreEditPanel(QWidget):
    """Hidden while nothing waits."""

    def __init__(self, model: StoreModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._ui = model, ui
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._shown: StoreEdit | None = None
        self.sides: dict[tuple[str, EditSide], SideKey] = {}
        """The keys of each field in conflict."""
        self.setVisible(False)

    def show_model(self) -> None:
        edit = self._model.edit
        if edit == self._shown:
            return
        self._shown = edit
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.sides.clear()
        if edit is not None:
            self._column.addWidget(self._notice(edit))
        self.setVisible(edit is not None)

    # --- parts -----------------------------------------------------------------------------------

    def _notice(self, edit: StoreEdit) -> Panel:
        theme, metrics = self._ui.theme, self._ui.theme.metrics
        kind, icon = _look(edit)
        ground, _, ink, _ = GROUNDS[kind]
        panel = Panel(theme, colour=ground)
        row = QHBoxLayout(panel)
        row.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        row.setSpacing(metrics.s3)
        row.addWidget(Icon(theme, icon, colour=ink, size=24), 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(metrics.s1)
        head, words = self._words(edit)
        panel.setAccessibleName(f"{head} {words}")
        column.addWidget(Label(theme, head, weight=Weight.SEMIBOLD, wrap=True))
        column.addWidget(Label(theme, words, step=TypeStep.SMALL, wrap=True))
        for conflict in edit.conflicts:
            column.addWidget(self._choice(edit, conflict))
        column.addLayout(self._acts(edit))
        row.addLayout(column, 1)
        return panel

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

    def _acts(self, edit: StoreEdit) -> QHBoxLayout:
        theme, texts, model = self._ui.theme, self._ui.texts, self._model
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        if edit.error and not edit.conflicts:
            again = Button(theme, texts("cat.edit.again"), icon="refresh-cw")
            again.clicked.connect(model.send_again)
            row.addWidget(again)
        back = Button(theme, texts("cat.edit.withdraw"), icon="undo-2")
        back.clicked.connect(model.withdraw)
        row.addWidget(back)
        row.addStretch(1)
        return row

    def _choice(self, edit: StoreEdit, conflict: FieldConflict) -> QWidget:
        """The two values of a field as two keys."""
        theme, texts = self._ui.theme, self._ui.texts
        block = QWidget()
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s1)
        name = field_name(conflict.field, texts)
        column.addWidget(Label(theme, name, step=TypeStep.SMALL, weight=Weight.SEMIBOLD))
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        when = in_belgrade(edit.at).strftime("%d.%m. %H:%M")
        for side, value, place in (
            (EditSide.OURS, conflict.ours, texts("cat.edit.ours", when=when)),
            (EditSide.THEIRS, conflict.theirs, texts("cat.edit.theirs")),
        ):
            words = value_words(value, texts)
            key = SideKey(theme, place, words, name=f"{name}, {place}: {words}")
            key.clicked.connect(partial(self._decide, conflict.field, side))
            self.sides[conflict.field, side] = key
            row.addWidget(key, 1)
        column.addLayout(row)
        return block

    def _decide(self, field: str, side: EditSide, _: bool = False) -> None:
        self._model.decide(field, side)


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
