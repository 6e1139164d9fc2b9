"""The page of everything that waits for a manager: products that vanished together; changes made
here and on the platform, each field with both values; and what the platform refused.

On the keyboard, the arrows go through the choices and Enter takes one. Sources: till.md
(Catalogue), platform-contract.md 6.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue import decisions, product_edit_words
from pos_app.cashier.catalogue.decide_many import DecideMany
from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.services.open_edits import SIDES
from pos_app.cashier.ui.answers import answers_in_row
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.details import Details
from pos_app.cashier.ui.edit_panel import SideButton
from pos_app.cashier.ui.labels import ElidedLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import EmptyState, Panel
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.words.moments import moment_text
from pos_app.selling.catalogue.editing import Undecided
from pos_app.selling.synchronisation.catalogue_edits import (
    CatalogueEdit,
    EditKind,
    EditState,
    FieldConflict,
)

SHOWN = 50
"""The most changes that are shown at once; the others follow as these are decided."""
_AT_ONCE = 200
"""The number of products that are removed in one step of some 50 ms."""
_NAMES = 3
_ARROWS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}


class ConflictsPage(QWidget):
    """Signals: `opened(str, str)`: the fields of an article shall be shown; `put_off()`: everything
    stays as it is, and the page is left."""

    opened = Signal(str, str)
    put_off = Signal()

    def __init__(self, model: CatalogueModel, ui: UiContext) -> None:
        super().__init__()
        self._model = model
        self._ui = ui
        self._rows: list[list[QAbstractButton]] = []
        self._keys: list[tuple[str, ...]] = []
        """What each row of choices decides, and for which change."""
        self._names: dict[int, str] = {}
        """The names under which the changes are asked about, until all of each is decided."""
        self._is_removing = False
        self._many = DecideMany(model, ui, self)
        self._many.changed.connect(lambda: self.show_changes(is_ours=True))
        theme, texts, metrics = ui.theme, ui.texts, ui.theme.metrics
        self.setAccessibleName(texts("cat.conflicts"))
        self._title = ElidedLabel(theme, step=TypeStep.TITLE, weight=Weight.BOLD)
        self._wrong = Label(theme, weight=Weight.SEMIBOLD, colour="danger", wrap=True)
        self._area = Scrolled(theme, name=texts("cat.conflicts"))
        column = QVBoxLayout(self)
        column.setContentsMargins(*(metrics.s3,) * 4)
        column.setSpacing(metrics.s2)
        column.addWidget(self._title)
        self._hint = Label(theme, texts("cat.conflicts.words"), colour="ink_2", wrap=True)
        column.addWidget(self._hint)
        column.addWidget(self._wrong)
        column.addWidget(self._area, 1)

    # --- for the screen --------------------------------------------------------------------------

    def show_changes(self, *, is_ours: bool = False) -> None:
        """Read the changes anew. The focus stays on its choice. Where this manager decided it, the
        focus goes to the next one; where another program did, no choice has it. is_ours: this
        manager has pressed something."""
        at = self._focused_choice()
        key = None if at is None else self._keys[at[0]]
        found = decisions.undecided(self._model)
        texts, theme, metrics = self._ui.texts, self._ui.theme, self._ui.theme.metrics
        self._rows, self._keys = [], []
        self._names = {x.edit.id: self._names.get(x.edit.id, self._name(x)) for x in found}
        title = texts.count("cat.conflicts.title", len(found)) if found else texts("cat.conflicts")
        self._title.setText(title)
        self._hint.setVisible(bool(found))
        failure = self._model.failure
        self._wrong.setText("" if failure is None else texts.error(failure).happened)
        self._wrong.setVisible(failure is not None)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        gone = self._model.listed.facts().gone
        if gone:
            column.addWidget(self._gone(gone))
        if (many := self._many.panel(found)) is not None:
            panel, buttons = many
            column.addWidget(panel)
            self._take_in(buttons)
        for one in found[:SHOWN]:
            column.addWidget(self._change(one))
        if len(found) > SHOWN:
            more = texts("cat.conflicts.more", n=len(found) - SHOWN)
            column.addWidget(Label(theme, more, colour="ink_2"))
        if not found and not gone:
            column.addWidget(
                EmptyState(
                    theme,
                    title=texts("cat.conflicts.none"),
                    words=texts("cat.conflicts.none_words"),
                ),
                1,
            )
        else:
            column.addStretch(1)
        self._area.show_inside(inside)
        if at is not None:
            self._keep_focus(at, key, is_ours=is_ours)

    def _keep_focus(self, at: tuple[int, int], key: object, *, is_ours: bool) -> None:
        if key in self._keys:
            self._go_to(self._keys.index(key), at[1])
        elif is_ours or self._model.is_ours:
            self._go_to(*at)
        else:
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_first(self) -> None:
        self._go_to(0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the first choice by an arrow while none has the focus."""
        if event.key() in _ARROWS:
            self.focus_first()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrows go from choice to choice; a button would take them for itself."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        by = _ARROWS.get(Qt.Key(event.key()))
        at = self._focused_choice()
        if by is None or at is None:
            return False
        self._go_to(at[0] + by[0], at[1] + by[1])
        return True

    # --- parts -----------------------------------------------------------------------------------

    def _focused_choice(self) -> tuple[int, int] | None:
        for number, row in enumerate(self._rows):
            for index, button in enumerate(row):
                if button.hasFocus():
                    return number, index
        return None

    def _go_to(self, row: int, index: int) -> None:
        if not self._rows:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        buttons = self._rows[min(max(row, 0), len(self._rows) - 1)]
        button = buttons[min(max(index, 0), len(buttons) - 1)]
        button.setFocus(Qt.FocusReason.TabFocusReason)
        self._area.ensureWidgetVisible(button, 0, self._ui.theme.metrics.touch)

    def _gone(self, many: int) -> Panel:
        """The panel that says how many products vanished, names the first, and offers to remove
        them."""
        theme, texts, metrics = self._ui.theme, self._ui.texts, self._ui.theme.metrics
        panel = Panel(theme)
        row = QHBoxLayout(panel)
        row.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        row.setSpacing(metrics.s2)
        row.addWidget(Icon(theme, "git-compare", colour="warn", size=24))
        words = QVBoxLayout()
        words.setSpacing(0)
        title = texts.count("cat.gone", many)
        panel.setAccessibleName(title)
        words.addWidget(ElidedLabel(theme, title, step=TypeStep.NAME, weight=Weight.SEMIBOLD))
        named = decisions.gone(self._model, limit=_NAMES)
        names = ", ".join(named)
        if many > len(named):
            names = texts("cat.gone.more", names=names, n=many - len(named))
        words.addWidget(ElidedLabel(theme, names, step=TypeStep.SMALL, colour="ink_2"))
        words.addWidget(Label(theme, texts("cat.gone.words"), colour="ink_2", wrap=True))
        row.addLayout(words, 1)
        keep = Button(theme, texts("cat.keep"))
        keep.clicked.connect(self.put_off)
        remove = Button(
            theme, texts.count("cat.gone.remove", many), icon="trash-2", kind=ButtonKind.DANGER
        )
        remove.clicked.connect(lambda: self._remove(many))
        if self._is_removing:
            remove.refuse(texts("cat.gone.removing"))
        row.addLayout(answers_in_row(theme, [keep, remove]))
        self._take_in([keep, remove])
        return panel

    def _remove(self, shown_number: int) -> None:
        """Remove the vanished products in steps, so that the window stays responsive. Leaving the
        page ends the removal. Where others vanished since their number was shown, they are shown
        first."""
        if self._model.listed.facts().gone != shown_number:
            self._model.reload_if_outdated()
        elif not self._is_removing:
            self._is_removing = True
            QTimer.singleShot(0, self, self._remove_some)

    def _remove_some(self) -> None:
        decisions.accept_gone(self._model, at_most=_AT_ONCE)  # the page shows how many are left
        model = self._model
        if self.isVisible() and model.failure is None and model.listed.facts().gone:
            QTimer.singleShot(0, self, self._remove_some)
            return
        self._is_removing = False
        self.show_changes(is_ours=True)

    def _change(self, undecided: Undecided) -> Panel:
        theme, metrics, edit = self._ui.theme, self._ui.theme.metrics, undecided.edit
        panel = Panel(theme)
        whole = QVBoxLayout(panel)
        whole.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        whole.setSpacing(metrics.s2)
        head = QHBoxLayout()
        head.setSpacing(metrics.s2)
        refused = edit.state is EditState.REFUSED
        mark = (
            Icon(theme, "circle-alert", colour="danger", size=24)
            if refused
            else Icon(theme, "git-compare", colour="warn", size=24)
        )
        head.addWidget(mark)
        words = QVBoxLayout()
        words.setSpacing(0)
        name, text = self._words(undecided)
        panel.setAccessibleName(f"{name} {text}")
        words.addWidget(ElidedLabel(theme, name, step=TypeStep.NAME, weight=Weight.SEMIBOLD))
        words.addWidget(ElidedLabel(theme, text, step=TypeStep.SMALL, colour="ink_2"))
        head.addLayout(words, 1)
        acts = self._acts(undecided)
        for button in acts:
            head.addWidget(button)
        self._take_in(acts, of=edit.id)
        whole.addLayout(head)
        if refused:
            why = product_edit_words.refusal_words(edit, self._model, self._ui.texts)
            whole.addWidget(Label(theme, why, colour="danger", wrap=True))
            details = Details(theme, self._ui.texts("details"), edit.error)
            self._take_in([details.button], of=edit.id)
            whole.addWidget(details)
        elif edit.kind is EditKind.ADD or edit.was_lost or edit.is_of_two:
            about = "\n".join(product_edit_words.edit_words(edit, self._model, self._ui.texts))
            whole.addWidget(Label(theme, about, colour="ink_2", wrap=True))
        for conflict in edit.fields_apart:
            whole.addLayout(self._field(edit, conflict))
        return panel

    def _words(self, undecided: Undecided) -> tuple[str, str]:
        texts, edit = self._ui.texts, undecided.edit
        owner = undecided.owner or undecided.product
        code = "" if owner is None or owner.sku is None else str(owner.sku)
        when = moment_text(edit.at)
        parts = [texts("cat.code", code=code)] if code else []
        if edit.state is EditState.REFUSED:
            parts.append(texts("cat.edit.refused"))
        parts.append(texts("cat.edit.by", when=when, by=edit.by))
        return self._names[edit.id], " · ".join(parts)

    def _name(self, undecided: Undecided) -> str:
        name = undecided.name or self._ui.texts("cat.conflicts.gone")
        if undecided.owner is not None and undecided.owner.variant_name:
            name = f"{name} · {undecided.owner.variant_name}"
        return name

    def _acts(self, undecided: Undecided) -> list[QAbstractButton]:
        theme, texts, edit = self._ui.theme, self._ui.texts, undecided.edit
        buttons: list[QAbstractButton] = []
        if edit.state is EditState.REFUSED:
            again = Button(theme, texts("cat.edit.again"), icon="refresh-cw")
            again.clicked.connect(lambda: decisions.send_again(self._model, edit))
            buttons.append(again)
            if edit.kind is not EditKind.ADD:
                back = Button(theme, texts("cat.edit.withdraw"), icon="undo-2")
                back.clicked.connect(lambda: decisions.withdraw(self._model, edit))
                buttons.append(back)
        for side in decisions.sides_of_all(edit):
            every = Button(theme, product_edit_words.side_words(side, self._model, texts))
            every.clicked.connect(
                lambda _=False, side=side: decisions.decide(
                    self._model, edit, decisions.EVERY_FIELD, side
                )
            )
            buttons.append(every)
        if undecided.product is not None:
            fields = Button(
                theme,
                texts("cat.conflicts.open"),
                icon="chevron-right",
                icon_last=True,
                kind=ButtonKind.QUIET,
                name=f"{texts('cat.conflicts.open')}: {undecided.name}",
            )
            fields.clicked.connect(lambda: self.opened.emit(edit.product_id, edit.article_id))
            buttons.append(fields)
        return buttons

    def _field(self, edit: CatalogueEdit, conflict: FieldConflict) -> QHBoxLayout:
        theme = self._ui.theme
        row = QHBoxLayout()
        row.setSpacing(theme.metrics.s2)
        field = product_edit_words.two_values(edit, conflict, self._model, self._ui.texts)
        row.addWidget(ElidedLabel(theme, field.name, weight=Weight.SEMIBOLD), 1)
        buttons: list[QAbstractButton] = []
        for side, (whose, words) in zip(SIDES, (field.ours, field.theirs), strict=True):
            button = SideButton(theme, whose, words, name=f"{field.name}, {whose}: {words}")
            button.clicked.connect(
                lambda _=False, side=side: decisions.decide(self._model, edit, field.field, side)
            )
            row.addWidget(button, 2)
            buttons.append(button)
        self._take_in(buttons, of=edit.id)
        return row

    def _take_in(self, buttons: list[QAbstractButton], *, of: object = "") -> None:
        """Add a row of choices that the arrows reach. of: the id of their change."""
        if buttons:
            self._rows.append(buttons)
            self._keys.append((str(of), *(one.accessibleName() for one in buttons)))
        for button in buttons:
            button.installEventFilter(self)
