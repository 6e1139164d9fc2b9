"""What stands between this till and the platform for one product: changes that wait, were refused,
or were made on both sides. Source: look.md (Components, Table; Screens, 6).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.edit_panel import EditPanel, TwoSides
from pos_app.cashier.ui.notice import NoticeKind
from pos_app.cashier.ui.widget import clear_layout
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

SIDES = (EditSide.OURS, EditSide.THEIRS)
"""As their keys stand, from the left."""


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
        clear_layout(self._column)
        edits = () if self._model.is_new else self._model.open_edits()
        for edit in edits:
            panel = self._panel(edit)
            self._column.addWidget(panel)
            panel.show()
        self.setVisible(bool(edits))

    def _panel(self, edit: CatalogueEdit) -> EditPanel:
        kind, icon = _look(edit)
        head, words = self._words(edit)
        return EditPanel(
            self._ui.theme, kind, head, words, icon=icon, acts=self._acts(edit),
            fields=[self._sides(edit, one) for one in edit.conflicts],
        )  # fmt: skip

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

    def _acts(self, edit: CatalogueEdit) -> list[Button]:
        theme, texts, acts = self._ui.theme, self._ui.texts, list[Button]()
        if edit.state is EditState.REFUSED:
            again = Button(theme, texts("cat.edit.again"), icon="refresh-cw")
            again.clicked.connect(partial(self._send_again, edit))
            acts.append(again)
        if edit.state in (EditState.REFUSED, EditState.WAITING) and edit.kind is not EditKind.ADD:
            back = Button(theme, texts("cat.edit.withdraw"), icon="undo-2")
            back.clicked.connect(partial(self._withdraw, edit))
            acts.append(back)
        return acts

    def _send_again(self, edit: CatalogueEdit, _: bool = False) -> None:
        self._model.send_again(edit)

    def _withdraw(self, edit: CatalogueEdit, _: bool = False) -> None:
        self._model.withdraw(edit)

    def _sides(self, edit: CatalogueEdit, conflict: FieldConflict) -> TwoSides:
        texts, names = self._ui.texts, self._model.names()
        places = (
            (ours_words(edit, texts), conflict.ours),
            (theirs_words(self._model.changed_there, texts), conflict.theirs),
        )
        sides = [
            (place, value_words(conflict.field, value, texts, names)) for place, value in places
        ]
        name = field_name(conflict.field, texts)
        return TwoSides(
            self._ui.theme, name, sides,
            lambda number: self._model.decide(edit, conflict.field, SIDES[number]),
        )  # fmt: skip


def _look(edit: CatalogueEdit) -> tuple[NoticeKind, str]:
    match edit.state:
        case EditState.CONFLICT:
            return NoticeKind.WARN, "git-compare"
        case EditState.REFUSED:
            return NoticeKind.DANGER, "circle-alert"
        case _:
            return NoticeKind.INFO, "clock"


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
