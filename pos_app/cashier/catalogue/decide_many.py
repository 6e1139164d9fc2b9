"""Decides many waiting changes at once, in every field or in one.

The panel says with numbers what would happen before it is done; the work is done a few changes at a
time, so that the window stays responsive. Source: till.md (Catalogue).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue import decisions
from pos_app.cashier.catalogue.decisions import EVERY_FIELD
from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.product_edit_words import field_name, side_words
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import DropDown, Option
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import bounded
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.selling.catalogue.editing import Undecided
from pos_app.selling.synchronisation.catalogue_edits import CatalogueEdit, EditKind, EditSide
from pos_app.selling.synchronisation.name_edits import NameEdit
from pos_app.selling.synchronisation.store_edits import StoreEdit

AT_ONCE = 20
"""The number of changes that are decided in one step of some 50 ms."""


def fields_of(edit: CatalogueEdit) -> list[str]:
    """The fields that are decided one by one. There are none where two articles have one code: then
    the articles are decided as a whole."""
    return [] if edit.kind is EditKind.ADD else [one.field for one in edit.fields_apart]


def to_decide(all_undecided: Sequence[Undecided], field: str) -> list[CatalogueEdit]:
    """The changes that a decision about a field, or about EVERY_FIELD, applies to."""
    edits = [one.edit for one in all_undecided if one.edit.conflicts]
    return [one for one in edits if field == EVERY_FIELD or field in fields_of(one)]


@dataclass
class ManyChoice:
    """The choice so far. side is None until a side is chosen; then the question is asked."""

    field: str = EVERY_FIELD
    side: EditSide | None = None
    is_running: bool = False


class DecideMany(QObject):
    """The panel above the changes; it is made anew with them. Signal: `changed()`: the panel must
    be shown anew."""

    changed = Signal()

    def __init__(self, model: CatalogueModel, ui: UiContext, parent: QObject) -> None:
        super().__init__(parent)
        self._model, self._ui = model, ui
        self._choice = ManyChoice()
        self._beside: Sequence[StoreEdit | NameEdit] = ()
        """What is decided besides articles."""

    def panel(
        self, all_undecided: Sequence[Undecided]
    ) -> tuple[Panel, list[QAbstractButton]] | None:
        """The panel and its buttons from left to right, or None for fewer than two changes."""
        fields = Counter(field for one in all_undecided for field in fields_of(one.edit))
        beside = decisions.lost_beside(self._model)
        most = len(to_decide(all_undecided, EVERY_FIELD)) + len(beside)
        if most < 2:
            self._choice = ManyChoice()
            return None
        if self._choice.field not in {EVERY_FIELD, *fields}:
            self._choice.field = EVERY_FIELD
        theme, texts, metrics = self._ui.theme, self._ui.texts, self._ui.theme.metrics
        panel = Panel(theme)
        panel.setAccessibleName(texts("cat.many.title"))
        whole = QVBoxLayout(panel)
        whole.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        whole.setSpacing(metrics.s2)
        row = QHBoxLayout()
        row.setSpacing(metrics.s2)
        row.addWidget(Label(theme, texts("cat.many.title"), weight=Weight.SEMIBOLD))
        row.addWidget(bounded(theme, self._fields(most, fields)), 1)
        row.addStretch(0)
        buttons = self._sides()
        for button in buttons:
            row.addWidget(button)
        whole.addLayout(row)
        if self._choice.side is not None:
            preview, more = self._asked(all_undecided, beside, self._choice.side)
            whole.addWidget(preview)
            buttons = [*buttons, *more]
        return panel, buttons

    def _fields(self, most: int, fields: Counter[str]) -> DropDown:
        texts = self._ui.texts
        drop = DropDown(self._ui.theme, name=texts("cat.many.field"))
        every = texts("cat.many.every", n=most)
        options = [Option(EVERY_FIELD, every)]
        for name, many in fields.most_common():
            options.append(Option(name, f"{field_name(name, texts)} ({many})"))
        drop.set_options(options)
        drop.set_current(self._choice.field)
        drop.chosen.connect(self._choose)
        return drop

    def _sides(self) -> list[QAbstractButton]:
        buttons: list[QAbstractButton] = []
        for side in EditSide:
            button = Button(self._ui.theme, side_words(side, self._model, self._ui.texts))
            button.clicked.connect(lambda _=False, side=side: self._choose_side(side))
            if self._choice.is_running:
                button.refuse(self._ui.texts("cat.many.running"))
            buttons.append(button)
        return buttons

    def _asked(
        self,
        all_undecided: Sequence[Undecided],
        beside: Sequence[StoreEdit | NameEdit],
        side: EditSide,
    ) -> tuple[QWidget, list[QAbstractButton]]:
        """Return the question, which shows the effect of the choice in numbers, and its buttons."""
        theme, texts, choice = self._ui.theme, self._ui.texts, self._choice
        edits = to_decide(all_undecided, choice.field)
        beside = beside if choice.field == EVERY_FIELD else ()
        added = [one for one in edits if one.kind is EditKind.ADD]
        # If theirs is chosen, the platform's value replaces ours, whichever article it is.
        joined = sum(one.is_of_ean for one in added) if side is EditSide.OURS else 0
        counts = {"": len(edits) - len(added), "added_": len(added) - joined, "joined_": joined}
        ids = {name: f"cat.many.{name}{side}" for name in counts}
        counts["beside"], ids["beside"] = len(beside), "cat.many.beside"
        if not self._model.services.has_platform:  # only a platform has articles of the others
            ids[""] = f"cat.many.{side}.list"
        parts = [texts.count(ids[name], n) for name, n in counts.items() if n]
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s2)
        row.addWidget(Label(theme, " ".join(parts), wrap=True), 1)
        no = Button(theme, texts("cat.many.no"), icon="x")
        no.clicked.connect(self._leave)
        yes = Button(theme, texts("cat.many.yes", n=len(edits) + len(beside)), icon="check")
        yes.clicked.connect(lambda: self._begin(edits, beside))
        if choice.is_running:
            yes.refuse(texts("cat.many.running"))
        for button in (no, yes):
            row.addWidget(button)
        return box, [no, yes]

    # --- acts ------------------------------------------------------------------------------------

    def _choose(self, field: str) -> None:
        self._choice = ManyChoice(field)
        self.changed.emit()

    def _choose_side(self, side: EditSide) -> None:
        self._choice.side = side
        self.changed.emit()

    def _leave(self) -> None:
        self._choice = ManyChoice(self._choice.field)
        self.changed.emit()

    def _begin(
        self, shown_edits: Sequence[CatalogueEdit], beside: Sequence[StoreEdit | NameEdit]
    ) -> None:
        """Begin unless other changes wait now than those that were shown with their number."""
        now = to_decide(decisions.undecided(self._model), self._choice.field)
        if not self._choice.is_running and decisions.is_as_shown(self._model, shown_edits, now):
            self._choice.is_running, self._beside = True, beside
            QTimer.singleShot(0, self, self._some)

    def _some(self) -> None:
        choice, model = self._choice, self._model
        if not choice.is_running or choice.side is None:
            return
        edits = to_decide(decisions.undecided(model), choice.field)
        decisions.decide_many(model, edits[:AT_ONCE], choice.field, choice.side)
        if model.failure is None and len(edits) > AT_ONCE:
            QTimer.singleShot(0, self, self._some)
            return
        if model.failure is None and self._beside:
            decisions.decide_beside(model, self._beside, choice.side)
        self._choice = ManyChoice()
        self.changed.emit()
