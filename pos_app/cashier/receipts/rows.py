"""The rows of the list, painted as they come into sight, and the head over them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting, views
from pos_app.cashier.ui.column_head import ColumnHead, HeadCell
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.lazy_dataclass import dataclass

WIDEST_AMOUNT = "−000.000,00"
ICON = 18
DIGITS = "00000"
"""A number has room for at least so many digits."""


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """A receipt as one row, ready to be painted. short_kind is used where the kind leaves too
    little room for the detail. mark: the name of another program, or that goods were exchanged."""

    time: str
    number: str
    kind: str
    short_kind: str
    detail: str
    mark: str
    payment: str
    amount: str
    icon: str
    ink: Token
    state: str

    @property
    def accessible_text(self) -> str:
        parts = (self.time, self.number, self.kind, self.detail, self.mark, self.payment)
        return ", ".join(one for one in (*parts, self.amount, self.state) if one and one != "–")


@dataclass(frozen=True, slots=True)
class Widest:
    """The longest texts of the columns, which show them whole; those of `small` in small
    letters."""

    states: tuple[str, ...]
    payments: tuple[str, ...]
    small: tuple[str, ...] = ()
    number: str = DIGITS
    time: str = "00:00"
    number_head: str = ""


class ReceiptColumns:
    """The positions of a row's columns; a narrow row hides payment and the words of the state."""

    def __init__(self, rect: QRect, theme: Theme, own: QFont, widest: Widest) -> None:
        metrics = theme.metrics
        base = theme.fonts.resized(own, TypeStep.BASE, Weight.BOLD)
        gap, edge = metrics.s3, metrics.s4
        numbers = (painting.width_of(base, one) for one in (DIGITS, widest.number))
        bold = theme.fonts.text_metrics(own, TypeStep.SMALL, Weight.SEMIBOLD)
        number = max(*numbers, bold.label_width(widest.number_head))
        time, amount = (painting.width_of(base, one) for one in (widest.time, WIDEST_AMOUNT))
        figures = time, number, amount
        state = (
            metrics.icon(ICON)
            + metrics.s2
            + max(painting.width_of(base, one) for one in widest.states)
        )
        small = theme.fonts.text_metrics(own, TypeStep.SMALL)
        payment = max(
            *(painting.width_of(base, one) for one in widest.payments),
            *(math.ceil(small.length(one)) for one in widest.small),
        )
        fixed = 2 * edge + sum(figures) + 4 * gap
        least = 5 * metrics.touch
        room = rect.width() - fixed - least
        self.has_state = room >= state + metrics.icon(ICON)
        room -= state if self.has_state else metrics.icon(ICON)
        self.has_payment = room >= payment + gap
        left, top, height = rect.left() + edge, rect.top(), rect.height()

        def rect_at(x: int, width: int) -> QRect:
            return QRect(x, top, width, height)

        self.time = rect_at(left, figures[0])
        self.number = rect_at(self.time.right() + gap, figures[1])
        right = rect.right() - edge
        wide = state if self.has_state else metrics.icon(ICON)
        self.state = rect_at(right - wide, wide)
        self.amount = rect_at(self.state.left() - gap - figures[2], figures[2])
        before = self.amount.left() - gap
        self.payment = rect_at(before - payment, payment if self.has_payment else 0)
        end = self.payment.left() - gap if self.has_payment else before
        begin = self.number.right() + gap
        self.kind = rect_at(begin, end - begin)


class ReceiptDelegate(views.ThemedDelegate):
    def __init__(self, theme: Theme, widest: Widest) -> None:
        super().__init__(theme)
        self.widest = widest

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: views.Index) -> None:
        row: ReceiptRow | None = index.data(views.ROW)
        if row is None:
            return
        state = views.row_state(option, pressed=self.is_pressed(index))

        def draw(on: QPainter, rect: QRect) -> None:
            if state.current or state.pressed:
                on.fillRect(rect, self.theme.colour("tint" if state.current else "line"))
            if state.current:
                bar = QRect(rect.left(), rect.top(), self.theme.metrics.s1, rect.height())
                on.fillRect(bar, self.theme.colour("accent"))
            painting.rule(on, rect, self.theme)
            self._write(on, rect, row)
            if state.focus and state.current:
                painting.ring_inside(on, rect, self.theme)

        painter.save()
        painter.setFont(option.font)
        self.kept.paint(painter, option.rect, (row, state, self.widest), draw)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: views.Index) -> QSize:
        return QSize(option.rect.width(), self.theme.metrics.touch)

    def _write(self, painter: QPainter, rect: QRect, row: ReceiptRow) -> None:
        theme, own = self.theme, painter.font()
        at = ReceiptColumns(rect, theme, own, self.widest)
        base = theme.fonts.resized(own, TypeStep.BASE)
        bold = theme.fonts.resized(own, TypeStep.BASE, Weight.BOLD)
        strong = theme.fonts.resized(own, TypeStep.STRONG, Weight.BOLD)
        quiet, ink = theme.colour("ink_2"), theme.colour("ink")
        painting.put(painter, at.time, row.time, quiet, base, align=painting.LEFT)
        painting.put(painter, at.number, row.number, ink, bold, align=painting.LEFT)
        self._write_kind(painter, at.kind, row)
        if at.has_payment:
            meter = painting.fitting_words(
                theme,
                own,
                row.payment,
                step=TypeStep.BASE,
                weight=Weight.MEDIUM,
                free_width=at.payment.width(),
            )
            painting.put_line(painter, at.payment, row.payment, meter, ink=quiet)
        amount = strong if painting.width_of(strong, row.amount) <= at.amount.width() else bold
        colour = theme.colour(painting.amount_ink(row.amount))
        painting.put(painter, at.amount, row.amount, colour, amount, align=painting.RIGHT)
        size = theme.metrics.icon(ICON)
        middle = QPoint(at.state.left() + size // 2, rect.center().y() + 1)
        if row.icon:
            theme.draw_icon(painter, row.icon, row.ink, ICON, middle)
        if at.has_state:
            words = at.state.adjusted(size + theme.metrics.s2, 0, 0, 0)
            calls = row.ink in ("danger", "warn", "info")
            font = bold if calls else base
            colour = theme.colour(row.ink) if calls else quiet
            painting.put(painter, words, row.state, colour, font, align=painting.LEFT, elide=True)

    def _write_kind(self, painter: QPainter, area: QRect, row: ReceiptRow) -> None:
        """Write the kind, the mark and the detail, each whole or not at all: the opened receipt has
        them all."""
        theme, own, gap = self.theme, painter.font(), self.theme.metrics.s2
        base = theme.fonts.text_metrics(own, TypeStep.BASE)
        small = theme.fonts.text_metrics(own, TypeStep.SMALL)
        bold = theme.fonts.text_metrics(own, TypeStep.SMALL, Weight.SEMIBOLD)
        chip = bold.length(row.mark) + 3 * gap if row.mark else 0

        def needed(kind: str, mark: float, detail: str, meter: Meter) -> float:
            beside = meter.length(detail) + gap if detail else 0
            return base.length(kind) + mark + beside

        figures = row.detail.rpartition(" ")[2]
        forms = (
            (row.kind, chip, row.detail, base),
            (row.kind, chip, row.detail, small),
            (row.short_kind, chip, row.detail, small),
            (row.short_kind, chip, figures, small),
            (row.kind, chip, "", small),
            (row.short_kind, chip, "", small),
        )
        nothing = row.short_kind, 0, "", small
        kind, mark, detail, meter = next(
            (form for form in forms if needed(*form) <= area.width()), nothing
        )
        width = area.width()
        painting.put_line(painter, area, base.elided(kind, width), base, ink=theme.colour("ink"))
        left = area.left() + round(base.length(kind)) + gap
        if mark:
            wide, high = round(mark) - gap, theme.metrics.line(TypeStep.SMALL) + theme.metrics.s1
            rect = QRect(left, area.center().y() - high // 2, wide, high)
            self._paint_mark(painter, rect, row.mark, bold)
            left += wide + gap
        rect = QRect(left, area.top(), area.right() - left, area.height())
        painting.put_line(painter, rect, detail, meter, ink=theme.colour("ink_3"))
        painter.setFont(own)

    def _paint_mark(self, painter: QPainter, rect: QRect, words: str, meter: Meter) -> None:
        theme = self.theme
        painting.box(
            painter,
            rect,
            radius=theme.metrics.radius_cap,
            fill=theme.colour("sunken"),
            edge=theme.colour("line"),
            width=theme.metrics.hair,
        )
        painting.put_middle(painter, rect, words, meter, ink=theme.colour("ink_2"))


class ReceiptListHead(ColumnHead):
    def __init__(self, theme: Theme, texts: Texts, widest: Widest) -> None:
        super().__init__(theme)
        self.widest = widest
        self._texts = texts

    def cells(self) -> Iterable[HeadCell]:
        at = ReceiptColumns(self.rect(), self.theme, self.font(), self.widest)
        for rect, text_id, align in (
            (at.time, "time", painting.LEFT),
            (at.number, "number", painting.LEFT),
            (at.kind, "kind", painting.LEFT),
            (at.amount, "amount", painting.RIGHT),
            (at.has_payment and at.payment, "payment", painting.LEFT),
            (at.has_state and at.state, "state", painting.LEFT),
        ):
            if rect:
                yield HeadCell(rect, self._texts(f"receipts.head.{text_id}"), align, elide=True)
