"""The bar below a form: what stands with its changes, and the keys that discard and save them."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import SAVE, letter_key
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme

SAVE_WIDTH = 240
"""The least width of the key that saves, in pixels at 96 dpi."""


class SaveButton(Button):
    """The filled key at the right end of a form's bar. It is as wide on every screen, so that the
    hand learns one place."""

    def __init__(self, theme: Theme, words: str, *, key: str, icon: str = "check") -> None:
        super().__init__(theme, words, icon=icon, key=key, kind=ButtonKind.FILLED)
        self.let_fold()

    def sizeHint(self) -> QSize:
        usual = super().sizeHint()
        return QSize(max(usual.width(), self.theme.metrics.px(SAVE_WIDTH)), usual.height())


class SaveBar(QWidget):
    """The state of the changes at the left, further acts in `more`, then the key that discards, and
    at the right edge the key that saves, which Ctrl+S presses wherever the focus is while the bar
    is visible."""

    def __init__(self, theme: Theme, texts: Texts, *, is_stacked: bool = False) -> None:
        """is_stacked: the state stands above the keys, because the form is narrow."""
        super().__init__()
        self._icon = Icon(theme, "circle-check", colour="ok")
        self._icon.hide()
        self._words = Label(theme, colour="ink_2", wrap=True)
        self.drop = Button(theme, texts("save.drop"))
        self.save = SaveButton(theme, texts("save"), key=SAVE)
        self.more, acts, state = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        state.addWidget(self._icon)
        state.addWidget(self._words, 1)
        acts.addLayout(self.more)
        if is_stacked:
            acts.addStretch(1)
        acts.addWidget(self.drop)
        acts.addWidget(self.save)
        whole: QBoxLayout = QVBoxLayout(self) if is_stacked else QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        for layout in (whole, self.more, acts, state):
            layout.setSpacing(theme.metrics.s2)
        whole.addLayout(state, 0 if is_stacked else 1)
        whole.addLayout(acts)
        saves = QShortcut(QKeySequence(), self)
        saves.setKeys(letter_key(SAVE))
        saves.activated.connect(self.save.click)

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
