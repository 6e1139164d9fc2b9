"""The bar below a form: what stands with what was typed, and the keys that discard and save it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from pos_app.cashier.commands import SAVE, letter_key
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import content_width
from pos_app.cashier.ui.buttons import Button, SaveButton
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme

LEAST_WORDS = 14
"""The least width of the words beside the keys, in heights of the usual type."""


class FormBar(QWidget):
    """The state of what was typed at the left, further acts, then the key that leaves it out, and
    at the right edge the key that takes it. Where the form is narrow the state stands above the
    keys."""

    def __init__(self, theme: Theme, drop: Button, save: SaveButton) -> None:
        super().__init__()
        self._theme = theme
        self.drop, self.save = drop, save
        self._icon = Icon(theme, "circle-check", colour="ok")
        self._icon.hide()
        self._words = Label(theme, colour="ink_2", wrap=True)
        least = content_width(theme, drop.font(), drop.spec) + 2 * theme.metrics.s2
        self.drop.setMinimumWidth(max(least, theme.metrics.touch))
        self._more, self._acts, state = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        state.addWidget(self._icon)
        state.addWidget(self._words, 1)
        self._acts.addLayout(self._more)
        self._acts.addStretch(1)
        self._acts.addWidget(self.drop)
        self._acts.addWidget(self.save)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        for layout in (self._whole, self._more, self._acts, state):
            layout.setSpacing(theme.metrics.s2)
        self._whole.addLayout(state, 1)
        self._whole.addLayout(self._acts)

    def add_act(self, button: Button) -> None:
        """Add a further act, left of the key that discards."""
        button.let_fold()
        self._more.addWidget(button)

    def add_yes(self, button: SaveButton) -> None:
        """Add a key that stands where the other one stands, for another step of the page."""
        self._acts.addWidget(button)

    def minimumSizeHint(self) -> QSize:
        """Ask for no width, so that the form may decide."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stack()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:
            self._stack()
        return super().event(event)

    def _stack(self) -> None:
        """Put the state above the keys where it would get less than LEAST_WORDS beside them."""
        least = LEAST_WORDS * self._theme.metrics.type_px(TypeStep.BASE)
        is_narrow = self._acts.sizeHint().width() + least > self.contentsRect().width()
        directions = QBoxLayout.Direction
        wanted = directions.TopToBottom if is_narrow else directions.LeftToRight
        if wanted is not self._whole.direction():
            self._whole.setDirection(wanted)

    @property
    def words(self) -> str:
        return self._words.text()

    def tell(self, kind: StateKind | None, words: str) -> None:
        """Show the state, or nothing for None."""
        self._icon.setVisible(kind is not None)
        if kind is not None:
            self._icon.set_icon(STATES[kind].icon, STATES[kind].icon_ink)
        self._words.set_colour("danger" if kind is StateKind.FAILED else "ink_2")
        self._words.setText(words)
        self._words.setVisible(bool(words))


class SaveBar(FormBar):
    """The bar of a form whose changes are kept; Ctrl+S presses its key wherever the focus is while
    the bar is visible."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        save = SaveButton(theme, texts("save"), key=SAVE)
        super().__init__(theme, Button(theme, texts("save.drop")), save)
        saves = QShortcut(QKeySequence(), self)
        saves.setKeys(letter_key(SAVE))
        saves.activated.connect(self.save.click)
