"""One advance: what remains, its receipts, what was ordered, and what closing it issues.

Source: look.md; mock-15.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.advances.words import day_text, ordered_text, paid_text
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import GROUNDS, NoticeKind
from pos_app.cashier.ui.panel import Divider, Panel
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.words.buyer_words import buyer_words
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.number_text import amount_text, quantity_text
from pos_app.domain.receipt import receipt_overview
from pos_app.domain.receipt.open_advances import OpenAdvance
from pos_app.domain.receipt.request import InvoiceType, TransactionType, name_and_unit
from pos_app.domain.receipt.states import RequestState


def is_tight(theme: Theme) -> bool:
    return theme.metrics.narrow and theme.metrics.large


class AdvancePath(ThemedWidget):
    """Draws the receipts of an advance in order: the opened one is marked, the next one is dashed.
    A sign replaces the first receipts where not all fit."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._steps: tuple[tuple[str, str], ...] = ()
        self._current = -1
        self._is_open = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_steps(
        self, steps: tuple[tuple[str, str], ...], *, current: int, is_open: bool
    ) -> None:
        """steps: the words and amount of each step. is_open: the last step is not issued yet."""
        self._steps, self._current, self._is_open = steps, current, is_open
        self.setAccessibleName(" › ".join(f"{words} {amount}".strip() for words, amount in steps))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = self.theme.metrics
        tall = metrics.line(TypeStep.SMALL) + metrics.line(TypeStep.BASE) + 3 * metrics.s1
        return QSize(6 * metrics.touch, tall)

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * self.theme.metrics.touch, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        metrics, painter = self.theme.metrics, QPainter(self)
        gap, widths = metrics.s6, [self._width(*step) for step in self._steps]
        first = self._first(widths, gap)
        left = gap if first else 0
        if first:
            area = QRect(0, 0, left, self.height())
            painting.put(painter, area, "…", self.theme.colour("ink_2"), self._font(TypeStep.BASE))
        shown = len(widths) - first
        spare = self.width() - left - sum(widths[first:]) - max(0, shown - 1) * gap
        for number in range(first, len(widths)):
            usual = max(widths[number], 4 * metrics.touch)
            wide = min(widths[number] + max(0, spare) // shown, usual)
            self._paint_step(painter, QRect(left, 0, wide, self.height()), number)
            left += wide
            if number + 1 < len(widths):
                middle = QRect(left, 0, gap, self.height()).center()
                self.theme.draw_icon(painter, "chevron-right", "ink_2", 18, middle)
            left += gap

    def _width(self, words: str, amount: str) -> int:
        """Return the width that a step needs."""
        small, bold = self._font(TypeStep.SMALL), self._font(TypeStep.BASE, Weight.BOLD)
        wide = max(painting.width_of(small, words), painting.width_of(bold, amount))
        return wide + 2 * self.theme.metrics.s2 + 2

    def _first(self, widths: Sequence[int], gap: int) -> int:
        """Return the number of the first step that has room; all after it are shown."""
        for first in range(len(widths)):
            lead = gap if first else 0
            if lead + sum(widths[first:]) + (len(widths) - first - 1) * gap <= self.width():
                return first
        return max(0, len(widths) - 1)

    def _paint_step(self, painter: QPainter, rect: QRect, at: int) -> None:
        theme, metrics = self.theme, self.theme.metrics
        words, amount = self._steps[at]
        is_next = self._is_open and at == len(self._steps) - 1
        is_current = at == self._current
        fill: Token = "tint" if is_current else "sunken" if is_next else "surface"
        edge: Token = "accent" if is_current else "line_strong"
        width = metrics.edge if is_current else metrics.hair
        painting.box(
            painter,
            rect,
            radius=metrics.radius_field,
            fill=theme.colour(fill),
            edge=None if is_next else theme.colour(edge),
            width=width,
        )
        if is_next:
            painter.setPen(QPen(theme.colour(edge), metrics.hair, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            corner = metrics.radius_field
            painter.drawRoundedRect(rect.adjusted(0, 0, -1, -1), corner, corner)
        inside = rect.adjusted(metrics.s2 + 1, metrics.s1, -metrics.s2, -metrics.s1)
        tall = metrics.line(TypeStep.SMALL)
        upper = QRect(inside.left(), inside.top(), inside.width(), tall)
        lower = QRect(inside.left(), upper.bottom() + 1, inside.width(), inside.height() - tall)
        small, bold = self._font(TypeStep.SMALL), self._font(TypeStep.BASE, Weight.BOLD)
        painting.put(
            painter,
            upper,
            painting.elided(small, words, inside.width()),
            theme.colour("ink"),
            small,
        )
        painting.put(painter, lower, amount, theme.colour(painting.amount_ink(amount)), bold)

    def _font(self, step: TypeStep, weight: int = Weight.MEDIUM) -> QFont:
        return self.theme.fonts.resized(self.font(), step, weight)


class AdvanceView(Panel):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts = texts
        metrics = theme.metrics
        self._title = ElidedLabel(theme, step=TypeStep.TITLE, weight=Weight.BOLD)
        self._words = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._remaining_words = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._remaining = AmountLabel(theme, step=TypeStep.TOTAL)
        self._remaining.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._parts_row, self._sum = QHBoxLayout(), QVBoxLayout()
        self.path = AdvancePath(theme)
        self._shown_state: object = None
        self._area = ScrolledColumn(theme, name=texts("adv.ordered"))
        self.column = column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s3)
        column.addLayout(self._head())
        column.addWidget(self.path)
        column.addWidget(self._area, 1)

    def show_advance(
        self,
        row: OpenAdvance | None,
        overview: receipt_overview.ReceiptOverview | None,
        now: datetime,
        *,
        under_way: bool,
    ) -> None:
        """overview is None until the server has sent it; then only the row is known. under_way: an
        act on it has not ended, so that no sum is to be paid."""
        shown = (row, overview, under_way)
        if shown == self._shown_state:
            return
        self._shown_state = shown
        advance = None if overview is None else overview.advance
        self._show_head(row, advance, under_way=under_way)
        self._show_path(overview, advance, now, under_way=under_way)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self.theme.metrics.s1)
        if advance is not None:
            self._fill(column, advance, under_way=under_way)
        column.addStretch(1)
        self._area.show_inside(inside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fold()
        super().resizeEvent(event)

    def _fold(self) -> None:
        """Draw the remaining sum smaller in a narrow panel; below the names where it would leave
        them less than half."""
        is_narrow = self.width() < 12 * self.theme.metrics.touch
        self._remaining.set_step(TypeStep.AMOUNT if is_narrow else TypeStep.TOTAL)
        is_below = is_narrow or 2 * self._remaining.sizeHint().width() > self.width()
        ways = QBoxLayout.Direction
        self._parts_row.setDirection(ways.TopToBottom if is_below else ways.LeftToRight)
        self._sum.setDirection(ways.LeftToRight if is_below else ways.TopToBottom)

    # --- parts -----------------------------------------------------------------------------------

    def _head(self) -> QBoxLayout:
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addStretch(1)
        names.addWidget(self._title)
        names.addWidget(self._words)
        names.addStretch(1)
        self._sum.setSpacing(self.theme.metrics.s1)
        self._sum.addWidget(self._remaining_words, 0, Qt.AlignmentFlag.AlignRight)
        self._sum.addWidget(self._remaining, 0, Qt.AlignmentFlag.AlignRight)
        self._parts_row.addLayout(names, 1)
        self._parts_row.addLayout(self._sum)
        return self._parts_row

    def _show_head(
        self,
        row: OpenAdvance | None,
        advance: receipt_overview.AdvanceOverview | None,
        *,
        under_way: bool,
    ) -> None:
        texts = self._texts
        buyer = advance.buyer if advance is not None else row.buyer if row is not None else None
        ordered = "" if row is None else ordered_text(row, texts)
        if advance is not None and not ordered:
            ordered = name_and_unit(advance.lines[0].name)[0]
        named, advance_or_row = buyer_words(buyer or "", texts), advance or row
        self._title.setText(named or ordered)
        self._words.setText(ordered if named else texts("adv.no_buyer") if advance_or_row else "")
        if advance_or_row is None:
            words, amount = "", ""
        elif advance is not None and advance.is_closed:
            words, amount = texts("adv.closed"), ""
        elif under_way:
            words, amount = texts("adv.paid"), amount_text(advance_or_row.paid)
        elif advance_or_row.remaining is None:
            text_id = "adv.paid" if is_tight(self.theme) else "adv.paid_not_known"
            words, amount = texts(text_id), amount_text(advance_or_row.paid)
        else:
            words, amount = texts("adv.to_pay"), amount_text(advance_or_row.remaining)
        self._remaining_words.setText(words)
        self._remaining.setText(amount)
        self._fold()

    def _show_path(
        self,
        overview: receipt_overview.ReceiptOverview | None,
        advance: receipt_overview.AdvanceOverview | None,
        now: datetime,
        *,
        under_way: bool,
    ) -> None:
        if overview is None or advance is None:
            self.path.show_steps((), current=-1, is_open=False)
            return
        texts = self._texts
        members = [one for one in overview.chain if _is_step(one)]
        steps = [(_step_words(one, texts, now), amount_text(_signed(one))) for one in members]
        current = next(
            (at for at, one in enumerate(members) if one.receipt_id == overview.receipt_id), -1
        )
        if not advance.is_closed:
            rest = None if under_way else advance.remaining
            steps.append((texts("adv.closing"), "" if rest is None else amount_text(rest)))
        self.path.show_steps(tuple(steps), current=current, is_open=not advance.is_closed)

    def _fill(
        self, inside: QVBoxLayout, advance: receipt_overview.AdvanceOverview, *, under_way: bool
    ) -> None:
        texts, theme = self._texts, self.theme
        below = is_tight(theme)
        small = Label(
            theme, texts("adv.ordered"), step=TypeStep.SMALL, weight=Weight.SEMIBOLD, colour="ink_2"
        )
        inside.addWidget(small)
        for line in advance.lines:
            inside.addWidget(Divider(theme))
            inside.addLayout(_ordered_row(theme, line, below=below))
        inside.addWidget(Divider(theme, colour="line_strong"))
        if advance.total is not None:
            inside.addLayout(sum_row(theme, texts("adv.known_total"), advance.total, below=below))
        if advance.paid:
            paid = texts("adv.paid_by", ways=paid_text(advance.by_method, texts))
            inside.addLayout(sum_row(theme, paid, -advance.paid, below=below))
        if not advance.is_closed and not under_way:
            inside.addSpacing(theme.metrics.s2)
            inside.addWidget(ClosingWords(theme, texts, advance))


class ClosingWords(Panel):
    """Lists the receipts that closing issues, with their sums, before anything is pressed."""

    def __init__(
        self, theme: Theme, texts: Texts, advance: receipt_overview.AdvanceOverview
    ) -> None:
        ground, _, ink, icon = GROUNDS[NoticeKind.INFO]
        super().__init__(theme, colour=ground)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics, below = theme.metrics, is_tight(theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        row.setSpacing(metrics.s3)
        mark = Icon(theme, icon, colour=ink, size=22)
        row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(metrics.s2)
        row.addLayout(column, 1)
        head = Label(theme, texts("adv.two_receipts"), weight=Weight.SEMIBOLD, wrap=True)
        column.addWidget(head)
        stays = sum_row(theme, texts("adv.refund_stays"), -advance.paid, below=below)
        column.addLayout(stays)
        vat = "" if advance.vat is None else texts("adv.vat", vat=advance.vat)
        sale = " ".join(filter(None, (texts("adv.sale"), vat)))
        if advance.total is None or advance.remaining is None:
            column.addWidget(Label(theme, sale, colour="ink_2", wrap=True))
            column.addWidget(Label(theme, texts("adv.unknown_words"), colour="ink_2", wrap=True))
        else:
            column.addLayout(sum_row(theme, sale, advance.total, below=below))
            now = sum_row(theme, texts("adv.pays_now"), advance.remaining, below=below)
            column.addLayout(now)


def sum_row(theme: Theme, words: str, amount: Money, *, below: bool = False) -> QLayout:
    """below puts the amount under its words instead of beside them."""
    row = QVBoxLayout() if below else QHBoxLayout()
    row.setSpacing(0 if below else theme.metrics.s2)
    row.addWidget(Label(theme, words, colour="ink_2", wrap=True), 1)
    label = AmountLabel(
        theme, amount_text(amount), name=words, step=TypeStep.STRONG, weight=Weight.SEMIBOLD
    )
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    row.addWidget(label)
    return row


def _ordered_row(theme: Theme, line: receipt_overview.OrderedLine, *, below: bool) -> QLayout:
    """below: as in `sum_row`."""
    row = QHBoxLayout()
    row.setSpacing(theme.metrics.s2)
    many = quantity_text(Quantity(line.quantity))
    row.addWidget(Label(theme, f"{many} ×", weight=Weight.SEMIBOLD))
    named = QVBoxLayout()
    named.setSpacing(0)
    named.addWidget(ElidedLabel(theme, name_and_unit(line.name)[0]))
    if line.quantity != 1:
        each = amount_text(line.unit_price)
        named.addWidget(Label(theme, each, step=TypeStep.SMALL, colour="ink_2"))
    row.addLayout(named, 1)
    total = AmountLabel(
        theme, amount_text(line.total), name=line.name, step=TypeStep.STRONG, weight=Weight.SEMIBOLD
    )
    total.setMinimumWidth(
        painting.width_of(theme.font(TypeStep.STRONG, Weight.SEMIBOLD), "999.999,99")
    )
    total.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    if below:
        named.addWidget(total, 0, Qt.AlignmentFlag.AlignRight)
    else:
        row.addWidget(total)
    return row


def _is_step(member: receipt_overview.ChainMember) -> bool:
    """Whether the receipt moved money; a copy moves none, and an undone receipt does not count."""
    return (
        member.state is RequestState.SIGNED
        and member.invoice_type is not InvoiceType.COPY
        and not member.is_undone
    )


def _signed(member: receipt_overview.ChainMember) -> Money:
    return -member.total if member.transaction_type is TransactionType.REFUND else member.total


def _step_words(member: receipt_overview.ChainMember, texts: Texts, now: datetime) -> str:
    number = short_number(member.number or "")
    day = "" if member.time is None else day_text(member.time, now)
    if member.transaction_type is TransactionType.REFUND:
        return texts("adv.step.refund", number=number, day=day)
    if member.invoice_type is InvoiceType.ADVANCE:
        return texts("adv.step.advance", number=number, day=day)
    return texts("adv.step.sale", number=number, day=day)
