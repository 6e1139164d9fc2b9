"""The first question of a new till: the demo, or a shop of one's own."""

from __future__ import annotations

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.choices import CardButton
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.first_start import FirstStep

_FORWARD = (Qt.Key.Key_Right, Qt.Key.Key_Down)
_BACKWARD = (Qt.Key.Key_Left, Qt.Key.Key_Up)


class ChoiceCard(CardButton):
    """A large button with an icon, its name, and its effect in as many text lines as needed."""

    def __init__(self, theme: Theme, *, icon: str, title: str, words: str) -> None:
        super().__init__(theme, title, words, least=5, usual=8)
        metrics = theme.metrics
        parts = (
            Icon(theme, icon, colour="accent", size=44),
            Label(theme, title, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True),
            Label(theme, words, colour="ink_2", wrap=True),
        )
        edge = metrics.s4
        self.put(parts, QMargins(edge, edge, edge, edge), metrics.s2)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paint_ground(QPainter(self), ButtonKind.PLAIN)


class ChoicePage(QWidget):
    """Signals: `demo()`; `shop()`."""

    demo = Signal()
    shop = Signal()

    def __init__(self, ui: UiContext) -> None:
        super().__init__()
        texts, theme = ui.texts, ui.theme
        metrics = theme.metrics
        self.demo_card = ChoiceCard(
            theme, icon="graduation-cap", title=texts("first.demo"), words=texts("first.demo_words")
        )
        steps = texts.count("first.shop_words", len(FirstStep))
        self.shop_card = ChoiceCard(theme, icon="store", title=texts("first.shop"), words=steps)
        self._chosen: ChoiceCard | None = None
        self._title = Label(theme, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        self._words = Label(theme, colour="ink_2", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s3)
        column.addStretch(1)
        column.addWidget(self._title)
        column.addWidget(self._words)
        column.addSpacing(metrics.s2)
        self._cards = QHBoxLayout()
        self._cards.setSpacing(metrics.s4)
        self._cards.setDirection(QBoxLayout.Direction.LeftToRight)
        for card in (self.demo_card, self.shop_card):
            self._cards.addWidget(card, 1)
        column.addLayout(self._cards)
        column.addStretch(2)
        self.demo_card.clicked.connect(self.demo)
        self.shop_card.clicked.connect(self.shop)
        self.tell(texts("first.title"), texts("first.words"))

    def tell(self, title: str, words: str, *, is_well: bool = True) -> None:
        self._title.setText(title)
        self._title.set_colour("ink" if is_well else "danger")
        self._words.setText(words)

    def set_running(self, running: bool) -> None:
        """Disable the cards while the chosen one is carried out; afterwards it gets the focus
        back."""
        cards = (self.demo_card, self.shop_card)
        if running and self._chosen is None:
            self._chosen = next((card for card in cards if card.hasFocus()), None)
        for card in cards:
            card.setEnabled(not running)
        if not running and self._chosen is not None:
            self._chosen.setFocus(Qt.FocusReason.OtherFocusReason)
            self._chosen = None

    def focus_first(self) -> None:
        self.shop_card.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (*_FORWARD, *_BACKWARD):
            card = self.shop_card if event.key() in _FORWARD else self.demo_card
            card.setFocus(Qt.FocusReason.TabFocusReason)
            return
        super().keyPressEvent(event)
