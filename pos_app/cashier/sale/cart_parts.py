"""The fixed parts of the cart column: the strip of the last receipt, and the total."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from pos_app.cashier.ui import painting
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme, ThemedButton, ThemedWidget
from pos_app.cashier.ui.tokens import Token


class LastReceiptStrip(ThemedButton):
    """The last receipt: number, state and change. Signal: `clicked`. If the receipt calls for a
    person, the background has the colour of the state, the words are bold, and the button `solve`
    is shown."""

    has_ring = False

    def __init__(self, theme: Theme, *, name: str, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self._name = name
        self._kind = StateKind.DONE
        self._shown_texts = ("", "", "", "")
        self._short = ""
        self._forms: tuple[str, ...] = ("",)
        self.solve = Button(theme, name=name, parent=self)
        self.solve.hide()
        self._row = QHBoxLayout(self)
        self._row.setSpacing(0)
        self._row.addStretch(1)
        self._row.addWidget(self.solve)
        self._set_sides()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def kind(self) -> StateKind:
        return self._kind

    @property
    def calls(self) -> bool:
        return not self.solve.isHidden()

    def set_receipt(
        self,
        number: str,
        words: str,
        *,
        short: Sequence[str] = (),
        label: str,
        amount: str,
        kind: StateKind = StateKind.DONE,
    ) -> None:
        """Show the number and the state of the last receipt, and at the right a label ("Кусур")
        above an amount. short: the words in forms for less room, the longest first."""
        self._show((number, words, label, amount), kind)
        self._forms = (words, *short)
        self.solve.hide()

    def set_call(
        self, number: str, words: str, *, short: str, label: str, amount: str, kind: StateKind
    ) -> None:
        """Show a receipt that calls for a person. short: replaces words that are too long."""
        self._show((number, words, label, amount), kind)
        self._short = short
        self.solve.show()

    def sizeHint(self) -> QSize:
        return QSize(6 * self.theme.metrics.touch, self.theme.metrics.bar)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme, whole = self.theme, self.rect()
        ground: Token = STATES[self._kind].ground if self.calls else "sunken"
        painter.fillRect(whole, theme.colour("line" if self.isDown() else ground))
        painting.rule(painter, whole, theme)
        metrics = theme.metrics
        icon, ink = STATES[self._kind].icon, STATES[self._kind].icon_ink
        size = metrics.icon(22)
        theme.draw_icon(painter, icon, ink, 22, QPoint(self._side + size // 2, whole.center().y()))
        left = self._side + size + (metrics.s2 if metrics.narrow else metrics.s3)
        if self.calls:
            self._paint_call(painter, *self._lines(left, self.solve.x() - metrics.s3))
        else:
            self._paint_usual(painter, *self._lines(left, whole.width() - self._side))
        if self.hasFocus():
            bar = QRect(0, 0, metrics.s1, whole.height())
            painter.fillRect(bar, theme.colour("focus"))

    def _paint_usual(self, painter: QPainter, upper: QRect, lower: QRect) -> None:
        number = self._shown_texts[0]
        taken = self._paint_amount(painter, upper, lower)
        ink, mono = self.theme.colour("ink"), self.theme.font(TypeStep.SMALL, mono=True)
        small, quiet = (
            self.theme.fonts.resized(self.font(), TypeStep.SMALL),
            self.theme.colour("ink_2"),
        )
        room = upper.adjusted(0, 0, -taken, 0)
        number = painting.elided_at_start(mono, number, room.width())
        painting.put(painter, room, number, ink, mono, align=painting.LEFT)
        lower = lower.adjusted(0, 0, -taken, 0)
        fitting = (one for one in self._forms if painting.width_of(small, one) <= lower.width())
        words = next(fitting, self._forms[-1])
        painting.put(painter, lower, words, quiet, small, align=painting.LEFT, elide=True)

    def _paint_call(self, painter: QPainter, upper: QRect, lower: QRect) -> None:
        """Paint the state above the number. No word and no amount is cut: in tight room the shorter
        words are painted, and if even these do not fit, the amount is left out."""
        number, words, _, _ = self._shown_texts
        theme, own = self.theme, self.font()
        bold = theme.fonts.resized(own, TypeStep.SMALL, Weight.BOLD)
        small = theme.fonts.resized(own, TypeStep.SMALL)
        taken = self._amount_width()
        if painting.width_of(bold, self._short) > upper.width() - taken:
            taken = 0
        if taken:
            self._paint_amount(painter, upper, lower)
        upper, lower = upper.adjusted(0, 0, -taken, 0), lower.adjusted(0, 0, -taken, 0)
        width = words if painting.width_of(bold, words) <= upper.width() else self._short
        painting.put(
            painter,
            upper,
            width,
            theme.colour(STATES[self._kind].ink),
            bold,
            align=painting.LEFT,
            elide=True,
        )
        if painting.width_of(small, number) > lower.width():
            number = number.rsplit(" ", 1)[-1]  # an amount without the word before it
        number = painting.elided_at_start(small, number, lower.width())
        painting.put(painter, lower, number, theme.colour("ink"), small, align=painting.LEFT)

    def _paint_amount(self, painter: QPainter, upper: QRect, lower: QRect) -> int:
        """Paint the amount at the right; return the width that it takes."""
        _, _, label, amount = self._shown_texts
        theme, fonts = self.theme, self.theme.fonts
        small = fonts.resized(self.font(), TypeStep.SMALL)
        strong = fonts.resized(self.font(), TypeStep.STRONG, Weight.BOLD)
        painting.put(
            painter,
            upper.translated(0, -1),
            label,
            theme.colour("ink_2"),
            small,
            align=painting.RIGHT,
        )
        painting.put(
            painter,
            lower.translated(0, -1),
            amount,
            theme.colour("ink"),
            strong,
            align=painting.RIGHT,
        )
        return self._amount_width()

    def _amount_width(self) -> int:
        _, _, label, amount = self._shown_texts
        small = self.theme.fonts.resized(self.font(), TypeStep.SMALL)
        strong = self.theme.fonts.resized(self.font(), TypeStep.STRONG, Weight.BOLD)
        return (
            max(painting.width_of(small, label), painting.width_of(strong, amount))
            + self.theme.metrics.s2
        )

    def _show(self, texts: tuple[str, str, str, str], kind: StateKind) -> None:
        number, words, label, amount = texts
        self._shown_texts, self._kind = texts, kind
        self.setAccessibleName(f"{self._name} {number}")
        self.setAccessibleDescription(f"{words}. {label} {amount}")
        self.update()

    @property
    def _side(self) -> int:
        metrics = self.theme.metrics
        return metrics.s3 if metrics.narrow else metrics.s4

    def _lines(self, left_edge: int, right: int) -> tuple[QRect, QRect]:
        line_height = self.theme.metrics.line(TypeStep.SMALL) + 1
        top = (self.height() - 2 * line_height) // 2
        upper = QRect(left_edge, top, right - left_edge, line_height)
        return upper, upper.translated(0, line_height)

    def _set_sides(self) -> None:
        self._row.setContentsMargins(0, 0, self._side, 0)


class CartTotal(ThemedWidget):
    """Facts such as the number of items, discount and tax in one row, and the total below. Where a
    part is paid by a credit, its sums stand between them, and the total is what is left to pay."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._facts: tuple[tuple[str, str], ...] = ()
        self._sums: tuple[tuple[str, str], ...] = ()
        self._shown_texts = ("", "", "")
        self._is_painted = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def paint_now(self) -> None:
        """Paint at once, unless it was already painted with another part of the window."""
        if not self._is_painted:
            self.repaint()

    def set_total(
        self,
        facts: Sequence[tuple[str, str]],
        *,
        label: str,
        currency: str,
        total: str,
        sums: Sequence[tuple[str, str]] = (),
    ) -> None:
        """facts, sums: pairs of label and value."""
        self._facts = tuple(facts)
        if len(sums) != len(self._sums):
            self.updateGeometry()
        self._sums = tuple(sums)
        self._shown_texts = (label, currency, total)
        text = ", ".join(f"{name} {value}" for name, value in (*self._facts, *self._sums))
        self.setAccessibleName(f"{label} {total} {currency}")
        self.setAccessibleDescription(text)
        self._is_painted = False
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        tall = (
            metrics.line(TypeStep.SMALL)
            + len(self._sums) * metrics.line(TypeStep.STRONG)
            + metrics.line(TypeStep.TOTAL)
            + 8 * metrics.s1
            + 2 * metrics.edge
        )
        return QSize(6 * metrics.touch, tall)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        self._is_painted = True
        painter = QPainter(self)
        theme, metrics, fonts = self.theme, self.theme.metrics, self.theme.fonts
        painter.fillRect(QRect(0, 0, self.width(), metrics.edge), theme.colour("ink"))
        side = metrics.s3 if metrics.narrow else metrics.s4
        top = metrics.edge + metrics.s3
        self._paint_facts(
            painter, QRect(side, top, self.width() - 2 * side, metrics.line(TypeStep.SMALL))
        )
        self._paint_sums(painter, side, top + metrics.line(TypeStep.SMALL) + metrics.s1)
        tall = metrics.line(TypeStep.TOTAL)
        bottom = self.height() - metrics.s3 - 2
        room = QRect(side, bottom - tall, self.width() - 2 * side, tall)
        label, currency, total = self._shown_texts
        title = fonts.resized(self.font(), TypeStep.TITLE, Weight.SEMIBOLD)
        base = fonts.resized(self.font(), TypeStep.BASE)
        beside = painting.width_of(title, label) + metrics.s1 + painting.width_of(base, currency)
        least = painting.width_of(title, total) + 2 * metrics.s2
        if room.width() - beside < least:  # the figure comes before the words beside it
            beside, currency = beside - painting.width_of(base, currency), ""
        if room.width() - beside < least:
            beside, title = painting.width_of(base, label) + metrics.s1, base
        font = painting.fitted(
            theme,
            self.font(),
            total,
            step=TypeStep.TOTAL,
            weight=Weight.BOLD,
            free_width=room.width() - beside - 2 * metrics.s2,
        )
        painting.put(painter, room, total, theme.colour("ink"), font, align=painting.RIGHT)
        words = room.translated(0, _drop(font) - _drop(title))  # on one base line
        took = painting.write(painter, words, label, theme.colour("ink"), title)
        words = room.translated(took + metrics.s1, _drop(font) - _drop(base))
        painting.write(painter, words, currency, theme.colour("ink_2"), base)

    def _paint_sums(self, painter: QPainter, side: int, top: int) -> None:
        theme, height = self.theme, self.theme.metrics.line(TypeStep.STRONG)
        plain = theme.fonts.resized(self.font(), TypeStep.STRONG)
        bold = theme.fonts.resized(self.font(), TypeStep.STRONG, Weight.BOLD)
        for number, (name, value) in enumerate(self._sums):
            row = QRect(side, top + number * height, self.width() - 2 * side, height)
            ink = theme.colour(painting.amount_ink(value))
            painting.write(painter, row, value, ink, bold, align=painting.RIGHT)
            row.setRight(row.right() - painting.width_of(bold, value) - theme.metrics.s2)
            painting.write(painter, row, name, theme.colour("ink_2"), plain, align=painting.LEFT)

    def _paint_facts(self, painter: QPainter, rect: QRect) -> None:
        theme, metrics = self.theme, self.theme.metrics
        small = theme.fonts.resized(self.font(), TypeStep.SMALL)
        bold = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        for name, value in self._facts:
            took = painting.write(
                painter, rect, name, theme.colour("ink_2"), small, align=painting.LEFT
            )
            rect.setLeft(rect.left() + took + metrics.s1)
            ink = theme.colour(painting.amount_ink(value))
            took = painting.write(painter, rect, value, ink, bold, align=painting.LEFT)
            rect.setLeft(rect.left() + took + (metrics.s3 if metrics.narrow else metrics.s6))


def _drop(font: QFont) -> int:
    """Return the distance from the middle of a line of text to its base."""
    metrics = QFontMetrics(font)
    return metrics.ascent() - metrics.height() // 2
