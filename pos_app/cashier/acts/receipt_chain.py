"""The chain of a receipt as buttons: the sale, its refunds, the copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QMargins, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button, FacedButton
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import LEFT, amount_ink, put, width_of
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.words import receipt_words
from pos_app.domain.receipt.receipt_overview import ChainMember
from pos_app.domain.receipt.request import ReceiptKind

ARROW = 16


class ChainButton(FacedButton):
    """One receipt of a chain: its kind and number, and its amount below."""

    def __init__(self, theme: Theme, words: str, amount: str) -> None:
        super().__init__(theme, f"{words}, {amount}")
        self.setCheckable(True)
        self._words, self._amount = words, amount

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        small = self.theme.fonts.resized(self.font(), TypeStep.SMALL)
        bold = self.theme.fonts.resized(self.font(), TypeStep.BASE, Weight.BOLD)
        words = max(width_of(small, self._words), width_of(bold, self._amount))
        height = metrics.line(TypeStep.SMALL) + metrics.line(TypeStep.BASE) + 2 * metrics.s2
        return QSize(words + 2 * metrics.s3, max(metrics.touch, height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def nextCheckState(self) -> None:
        """Stay as it is: the button is checked once its receipt is open, not by the press."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, metrics = self.theme, self.theme.metrics
        self.paint_ground(painter, ButtonKind.CHOSEN if self.isChecked() else ButtonKind.PLAIN)
        inside = self.rect().marginsRemoved(
            QMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        )
        small = theme.fonts.resized(self.font(), TypeStep.SMALL)
        bold = theme.fonts.resized(self.font(), TypeStep.BASE, Weight.BOLD)
        above, below = metrics.line(TypeStep.SMALL), metrics.line(TypeStep.BASE)
        half = above * inside.height() // (above + below)
        upper = inside.adjusted(0, 0, 0, half - inside.height())
        lower = inside.adjusted(0, half, 0, 0)
        put(painter, upper, self._words, theme.colour("ink"), small, align=LEFT)
        ink = theme.colour(amount_ink(self._amount))
        put(painter, lower, self._amount, ink, bold, align=LEFT)


class Arrow(ThemedWidget):
    def sizeHint(self) -> QSize:
        side = self.theme.metrics.icon(ARROW)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        middle = QPoint(self.width() // 2, self.height() // 2)
        self.theme.draw_icon(QPainter(self), "chevron-right", "ink_3", ARROW, middle)


class ChainPath(ThemedWidget):
    """The receipts of a chain in the order of their issue: the open one, and as many beside it as
    fit. A button at each end says how many more there are, and opens the next.

    Signal: `chosen(str)`, the id of a receipt.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts = texts
        self._members: tuple[ChainMember, ...] = ()
        self._current = ""
        self._buttons: list[ChainButton] = []
        self._before, self._after = self._more(), self._more()
        self._before.clicked.connect(lambda _=False: self._open_beside(-1))
        self._after.clicked.connect(lambda _=False: self._open_beside(1))
        self._visible_range = range(0)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(theme.metrics.s2)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_chain(self, members: Sequence[ChainMember], current: str) -> None:
        signed = tuple(one for one in members if one.number is not None)
        if (signed, current) == (self._members, self._current):
            return
        self._members, self._current = signed, current
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = [self._make(one) for one in signed]
        self.setVisible(len(signed) > 1)
        self._arrange()

    def sizeHint(self) -> QSize:
        return QSize(0, max((button.sizeHint().height() for button in self._buttons), default=0))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    # --- parts -----------------------------------------------------------------------------------

    def _more(self) -> Button:
        button = Button(self.theme, name=" ", narrow=True, parent=self)
        button.hide()
        return button

    def _make(self, member: ChainMember) -> ChainButton:
        kind = ReceiptKind(member.invoice_type, member.transaction_type)
        number = receipt_words.short_number(member.number or "")
        words = f"{receipt_words.link_words(kind, self._texts)} {number}"
        amount = receipt_words.signed_amount(kind, member.total)
        button = ChainButton(self.theme, words, amount)
        button.setChecked(member.receipt_id == self._current)
        button.clicked.connect(
            lambda _=False, receipt_id=member.receipt_id: self.chosen.emit(receipt_id)
        )
        button.setParent(self)
        return button

    def _open_beside(self, step: int) -> None:
        index = self._visible_range[0] - 1 if step < 0 else self._visible_range[-1] + 1
        self.chosen.emit(self._members[index].receipt_id)

    def _arrange(self) -> None:
        if not self._buttons:
            return
        self._visible_range = self._fitting()
        while (item := self._row.takeAt(0)) is not None:
            widget: QWidget | None = item.widget()
            if isinstance(widget, Arrow):
                widget.hide()
                widget.deleteLater()
        for index, button in enumerate(self._buttons):
            button.setVisible(index in self._visible_range)
        for widget in self._in_order():
            self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row.addStretch(1)
        before, after = self._visible_range[0], len(self._buttons) - 1 - self._visible_range[-1]
        self._tell_more(self._before, f"‹ {before}", before)
        self._tell_more(self._after, f"{after} ›", after)

    def _in_order(self) -> Iterator[QWidget]:
        yield self._before
        for index in self._visible_range:
            if index > self._visible_range[0]:
                yield Arrow(self.theme)
            yield self._buttons[index]
        yield self._after

    def _tell_more(self, button: Button, words: str, many: int) -> None:
        button.set_words(words)
        button.setAccessibleName(self._texts.count("receipts.chain.more", many))
        button.setVisible(many > 0)

    def _fitting(self) -> range:
        """The indexes that are shown: around the open one, later ones first."""
        gap = self.theme.metrics.s2
        arrow = self.theme.metrics.icon(ARROW) + 2 * gap
        widths = [button.sizeHint().width() for button in self._buttons]
        more = self._before.sizeHint().width() + gap
        ids = [one.receipt_id for one in self._members]
        first = ids.index(self._current) if self._current in ids else len(ids) - 1
        last = first

        def needed(first: int, last: int) -> int:
            inside = sum(widths[first : last + 1]) + arrow * (last - first)
            return inside + more * ((first > 0) + (last < len(widths) - 1))

        while True:
            if last + 1 < len(widths) and needed(first, last + 1) <= self.width():
                last += 1
            elif first > 0 and needed(first - 1, last) <= self.width():
                first -= 1
            elif (
                first > 0
                and last + 1 < len(widths)
                and (needed(first - 1, last + 1) <= self.width())
            ):
                first, last = first - 1, last + 1
            else:
                return range(first, last + 1)
