"""The bar on top of every screen: shop or way back at the left, lock and clock at the right."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import box
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedWidget

SHOP_MARK = "store"


class ShopMark(ThemedWidget):
    """An icon on the accent colour in a square of 32 px."""

    def __init__(
        self, theme: Theme, *, icon: str = SHOP_MARK, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._icon = icon
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def wanted(self) -> QSize:
        size = self.theme.metrics.icon(32)
        return QSize(size, size)

    def minimumSizeHint(self) -> QSize:
        return self.wanted()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        accent = self.theme.colour("accent")
        box(painter, self.rect(), radius=self.theme.metrics.radius_field, fill=accent)
        middle = QPoint(self.width() // 2, self.height() // 2)
        self.theme.draw_icon(painter, self._icon, "on_accent", 22, middle)


class ShopHead(ThemedWidget):
    """Mark, name and address of the shop. The address folds when the bar gets tight."""

    def __init__(
        self, theme: Theme, *, icon: str = SHOP_MARK, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.mark = ShopMark(theme, icon=icon)
        self._name = ElidedLabel(theme, step=Step.NAME, weight=Weight.SEMIBOLD)
        self._address = ElidedLabel(theme, step=Step.SMALL, colour="ink_2")
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.metrics.s4, 0, 0, 0)
        row.setSpacing(theme.metrics.s3 if theme.metrics.narrow else theme.metrics.s4)
        row.addWidget(self.mark)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self._name)
        words.addWidget(self._address)
        words.addStretch(1)
        row.addLayout(words, 1)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()

    def set_shop(self, name: str, address: str) -> None:
        """Name and address of the shop."""
        self._name.setText(name)
        self._address.setText(address)
        self.updateGeometry()

    def fold(self, folded: bool) -> None:
        """Hide the address, or show it again."""
        self._address.setVisible(not folded and bool(self._address.text()))


class ScreenHead(ThemedWidget):
    """The way back, the title of a screen, and a quiet word beside it. Signal: `back()`."""

    back = Signal()

    def __init__(
        self, theme: Theme, *, back: str, key: str = "Esc", title: str, words: str = "",
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, parent)
        self.button = Button(theme, back, icon="arrow-left", key=key)
        self.button.clicked.connect(self.back)
        self._title = ElidedLabel(theme, title, step=Step.TITLE, weight=Weight.BOLD)
        self._words = ElidedLabel(theme, words, colour="ink_2")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s3)
        row.addWidget(self.button)
        row.addWidget(self._title)
        row.addWidget(self._words)
        row.addStretch(1)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        assert layout is not None
        return layout.sizeHint()

    def set_title(self, title: str, words: str = "") -> None:
        """Another title and quiet word."""
        self._title.setText(title)
        self._words.setText(words)


class TopBar(Ground):
    """The bar itself: `head` at the left, `middle` (the segment) between, lock and clock.

    Signal: `lock_pressed()`. The head's address folds when the window is narrow.
    """

    lock_pressed = Signal()

    def __init__(
        self,
        theme: Theme,
        head: ShopHead | ScreenHead,
        *,
        middle: QWidget | None = None,
        lock_key: str = "F11",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, side=Qt.Edge.BottomEdge, parent=parent)
        self.head = head
        self.middle = middle
        self.lock = Button(theme, "", icon="lock", key=lock_key)
        self.lock.clicked.connect(self.lock_pressed)
        self._clock = Label(theme, step=Step.TITLE, weight=Weight.SEMIBOLD)
        self.extra = QHBoxLayout()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.addWidget(head, 0 if middle else 1)
        row.addStretch(1 if middle else 0)
        if middle is not None:
            row.addWidget(middle)
            row.addStretch(1)
        row.addLayout(self.extra)
        row.addWidget(self.lock)
        row.addSpacing(theme.metrics.s2 - 1)
        row.addWidget(self._clock)
        self.relook()

    def set_lock(self, words: str) -> None:
        """Words on the lock button: the till and the cashier."""
        self.lock.set_words(words)

    def set_clock(self, words: str) -> None:
        """The time of day, as words."""
        self._clock.setText(words)

    def sizeHint(self) -> QSize:
        return QSize(10 * self.theme.metrics.touch, self.theme.metrics.bar)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def relook(self) -> None:
        layout, metrics = self.layout(), self.theme.metrics
        if layout is not None:
            left = 0 if isinstance(self.head, ShopHead) else metrics.s2
            layout.setContentsMargins(left, metrics.hair, metrics.s3, metrics.hair)
            layout.setSpacing(metrics.s2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if isinstance(self.head, ShopHead):
            middle = self.middle.sizeHint().width() if self.middle else 0
            sides = self.lock.sizeHint().width() + self._clock.sizeHint().width()
            room = self.width() - middle - sides - 8 * self.theme.metrics.s2
            self.head.fold(self.head.sizeHint().width() > room)
