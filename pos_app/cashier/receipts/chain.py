"""The chain of a receipt as a path to press: what was sold, what came back of it, the copies."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMargins, QPoint, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pos_app.cashier.receipts.words import is_given_back, kind_words, short, signed_amount
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ButtonKind, FacedButton
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.painting import LEFT, put, width_of
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.widget import ThemedWidget
from pos_app.domain.receipt_overview import ChainMember
from pos_app.domain.request import ReceiptKind


class ChainKey(FacedButton):
    """One receipt of a chain: what it is and its number, and below that its amount."""

    def __init__(self, theme: Theme, words: str, amount: str, *, is_back: bool) -> None:
        super().__init__(theme, f"{words}, {amount}")
        self.setCheckable(True)
        self._words, self._amount, self._is_back = words, amount, is_back

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        small = self.theme.fonts.resized(self.font(), TypeStep.SMALL)
        bold = self.theme.fonts.resized(self.font(), TypeStep.BASE, Weight.BOLD)
        words = max(width_of(small, self._words), width_of(bold, self._amount))
        height = metrics.line(TypeStep.SMALL) + metrics.line(TypeStep.BASE) + 2 * metrics.s2
        return QSize(words + 2 * metrics.s3, max(metrics.touch, height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics = self.theme, self.theme.metrics
        self.paint_ground(painter, ButtonKind.CHOSEN if self.isChecked() else ButtonKind.PLAIN)
        inside = self.rect().marginsRemoved(
            QMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        )
        small = theme.fonts.resized(self.font(), TypeStep.SMALL)
        bold = theme.fonts.resized(self.font(), TypeStep.BASE, Weight.BOLD)
        half = (
            metrics.line(TypeStep.SMALL)
            * inside.height()
            // (metrics.line(TypeStep.SMALL) + metrics.line(TypeStep.BASE))
        )
        upper = inside.adjusted(0, 0, 0, half - inside.height())
        lower = inside.adjusted(0, half, 0, 0)
        put(painter, upper, self._words, theme.colour("ink"), small, align=LEFT)
        ink = theme.colour("danger" if self._is_back else "ink")
        put(painter, lower, self._amount, ink, bold, align=LEFT)


class Arrow(ThemedWidget):
    """From one receipt to what came of it."""

    def sizeHint(self) -> QSize:
        side = self.theme.metrics.icon(16)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        middle = QPoint(self.width() // 2, self.height() // 2)
        self.theme.draw_icon(QPainter(self), "chevron-right", "ink_3", 16, middle)


class ChainPath(ThemedWidget):
    """The receipts of a chain in the order in which they were issued. Those that have no room give
    way to their neighbours: the one that is open and the last ones stay.

    Signal: `chosen(str)`, the id of a receipt.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts = texts
        self._keys: list[tuple[ChainKey, str]] = []
        self._current = ""
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.metrics.s2)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_chain(self, members: Sequence[ChainMember], current: str) -> None:
        """current: the id of the receipt that is open."""
        self._current = current
        for key, _ in self._keys:
            key.hide()
            key.deleteLater()
        self._keys = []
        for member in members:
            if member.number is not None:
                self._keys.append((self._make(member), member.receipt_id))
        self.setVisible(len(self._keys) > 1)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def _make(self, member: ChainMember) -> ChainKey:
        kind = ReceiptKind(member.invoice_type, member.transaction_type)
        words = f"{kind_words(kind, self._texts)} {short(member.number or '')}"
        key = ChainKey(
            self.theme, words, signed_amount(kind, member.total), is_back=is_given_back(kind)
        )
        key.setChecked(member.receipt_id == self._current)
        key.clicked.connect(lambda _=False, one=member.receipt_id: self.chosen.emit(one))
        key.setParent(self)
        return key

    def _arrange(self) -> None:
        clear_arrows(self._row)
        arrow = self.theme.metrics.icon(16) + 2 * self.theme.metrics.s2
        room, kept = self.width(), list[ChainKey]()
        order = sorted(
            range(len(self._keys)),
            key=lambda place: (self._keys[place][1] != self._current, -place),
        )
        for place in order:
            needed = self._keys[place][0].sizeHint().width() + (arrow if kept else 0)
            if kept and needed > room:
                break
            room -= needed
            kept.append(self._keys[place][0])
        for key, receipt_id in self._keys:
            is_kept = key in kept
            key.setVisible(is_kept)
            key.setChecked(receipt_id == self._current)
            if is_kept:
                if self._row.count():
                    self._row.addWidget(Arrow(self.theme))
                self._row.addWidget(key)
        self._row.addStretch(1)


def clear_arrows(row: QHBoxLayout) -> None:
    """Nothing is in the row any more; the keys live on, the arrows go."""
    while (item := row.takeAt(0)) is not None:
        widget: QWidget | None = item.widget()
        if isinstance(widget, Arrow):
            widget.hide()
            widget.deleteLater()
