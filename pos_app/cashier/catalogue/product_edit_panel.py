"""What stands between this till and the platform for one product: changes that wait, were refused,
or were made on both sides. Source: look.md (Components, Table; Screens, 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.model import CatalogueModel
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
from pos_app.domain.money import Money
from pos_app.domain.number_text import amount_text
from pos_app.domain.product import File, Variant
from pos_app.selling.synchronisation.catalogue_edits import (
    DELETED,
    IMAGES,
    CatalogueEdit,
    EditKind,
    EditSide,
    EditState,
    FieldConflict,
)


class ProductEditPanel(QWidget):
    """A notice for each open edit of the product that is edited; nothing where there is none."""

    def __init__(self, model: CatalogueModel, ui: UiContext) -> None:
        super().__init__()
        self._model = model
        self._ui = ui
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(ui.theme.metrics.s2)

    def show_edits(self) -> None:
        """Read them anew."""
        while (item := self._column.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        edits = () if self._model.is_new else self._model.open_edits()
        for edit in edits:
            notice = self._notice(edit)
            self._column.addWidget(notice)
            notice.show()
        self.setVisible(bool(edits))

    def _notice(self, edit: CatalogueEdit) -> QWidget:
        kind = {
            EditState.CONFLICT: NoticeKind.WARN,
            EditState.REFUSED: NoticeKind.DANGER,
        }.get(edit.state, NoticeKind.INFO)
        theme, metrics = self._ui.theme, self._ui.theme.metrics
        ground, _, ink, icon = GROUNDS[kind]
        icon = {NoticeKind.WARN: "git-compare", NoticeKind.INFO: "clock"}.get(kind, icon)
        panel = Panel(theme, colour=ground)
        row = QHBoxLayout(panel)
        row.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        row.setSpacing(metrics.s3)
        mark = Icon(theme, icon, colour=ink, size=24)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(metrics.s1)
        head, words = self._words(edit)
        panel.setAccessibleName(f"{head} {words}".strip())
        column.addWidget(Label(theme, head, weight=Weight.SEMIBOLD, wrap=True))
        if words:
            column.addWidget(Label(theme, words, step=TypeStep.SMALL, wrap=True))
        for conflict in edit.conflicts:
            column.addWidget(self._choice(edit, conflict))
        if edit.state in (EditState.REFUSED, EditState.WAITING):
            column.addLayout(self._acts(edit))
        row.addLayout(column, 1)
        return panel

    def _words(self, edit: CatalogueEdit) -> tuple[str, str]:
        texts = self._ui.texts
        when = in_belgrade(edit.at).strftime("%d.%m. %H:%M")
        if edit.state is EditState.CONFLICT:
            return texts("cat.edit.conflict"), texts("cat.edit.conflict_words")
        if edit.state is EditState.REFUSED:
            return texts("cat.edit.refused"), edit.error
        if edit.kind is EditKind.ADD:
            return texts("cat.edit.added", when=when, by=edit.by), ""
        fields = ", ".join(field_name(name, texts) for name in edit.changes)
        return texts("cat.edit.waiting", fields=fields), texts("cat.edit.by", when=when, by=edit.by)

    def _acts(self, edit: CatalogueEdit) -> QHBoxLayout:
        theme, texts = self._ui.theme, self._ui.texts
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        if edit.state is EditState.REFUSED:
            again = Button(theme, texts("cat.edit.again"), icon="refresh-cw")
            again.clicked.connect(partial(self._send_again, edit))
            row.addWidget(again)
        if edit.kind is not EditKind.ADD:
            back = Button(theme, texts("cat.edit.withdraw"), icon="undo-2")
            back.clicked.connect(partial(self._withdraw, edit))
            row.addWidget(back)
        row.addStretch(1)
        return row

    def _send_again(self, edit: CatalogueEdit, _: bool = False) -> None:
        self._model.send_again(edit)

    def _withdraw(self, edit: CatalogueEdit, _: bool = False) -> None:
        self._model.withdraw(edit)

    def _choice(self, edit: CatalogueEdit, conflict: FieldConflict) -> QWidget:
        """The two values of a field as two big choices."""
        theme, texts = self._ui.theme, self._ui.texts
        block = QWidget()
        column = QVBoxLayout(block)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s1)
        name = field_name(conflict.field, texts)
        column.addWidget(Label(theme, name, step=TypeStep.SMALL, weight=Weight.SEMIBOLD))
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        names = self._model.names()
        for side, value, place in (
            (EditSide.OURS, conflict.ours, ours_words(edit, texts)),
            (EditSide.THEIRS, conflict.theirs, theirs_words(self._model.changed_there, texts)),
        ):
            words = value_words(conflict.field, value, texts, names)
            key = SideKey(theme, place, words, name=f"{name}, {place}: {words}")
            key.clicked.connect(partial(self._decide, edit, conflict.field, side))
            row.addWidget(key, 1)
        column.addLayout(row)
        return block

    def _decide(self, edit: CatalogueEdit, field: str, side: EditSide, _: bool = False) -> None:
        self._model.decide(edit, field, side)


def ours_words(edit: CatalogueEdit, texts: Texts) -> str:
    """Where and when this till's value is from."""
    return texts("cat.edit.ours", when=in_belgrade(edit.at).strftime("%d.%m. %H:%M"))


def theirs_words(changed_at: datetime | None, texts: Texts) -> str:
    """The same of the platform's; when the product was changed there, where it says so."""
    if changed_at is None:
        return texts("cat.edit.theirs")
    return texts("cat.edit.theirs_at", when=in_belgrade(changed_at).strftime("%d.%m. %H:%M"))


def field_name(field: str, texts: Texts) -> str:
    """A field as its form calls it."""
    return texts("cat.edit.is_deleted") if field == DELETED else texts(f"cat.field.{field}")


def value_words(field: str, value: Any, texts: Texts, names: Mapping[str, str]) -> str:
    """A value of a field, short enough for a key."""
    if field == DELETED:
        return texts("cat.edit.deleted" if value else "cat.edit.kept")
    if field == IMAGES and value:
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
