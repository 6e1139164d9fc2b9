"""The list of open advances: the search, how many they are and what is paid, and their rows.

Rows are made only when they come into sight. Source: look.md; mock-15.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStyleOptionViewItem, QVBoxLayout, QWidget

from pos_app.cashier.advances.advance_view import is_tight
from pos_app.cashier.advances.model import AdvancesModel
from pos_app.cashier.advances.words import AdvanceRow, row_of
from pos_app.cashier.commands import TillCommand, cap_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting, views
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.column_head import ColumnHead, HeadCell
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Label
from pos_app.cashier.ui.list_rows import ListRows
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import EmptyState, Panel
from pos_app.cashier.ui.rows import RowState
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.open_advances import OpenAdvance
from pos_app.errors import PosError

_OWN_KEYS = (
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_PageUp,
    Qt.Key.Key_PageDown,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
)

LEAST_NAME = 26
"""The fewest characters of a name beside the sums paid, and beside the totals; a list that is too
narrow for them without both breaks a name into two lines, or into three where there is room for
fewer than half of them."""


class AdvanceColumns:
    """The positions of the columns in a row and in the head. A narrow list leaves the total out,
    which is the sum of its neighbours; a very narrow one also leaves out what is paid, which the
    opened advance shows. since: the longest words below a number."""

    def __init__(self, rect: QRect, theme: Theme, *, since: str) -> None:
        metrics = theme.metrics
        base = QFontMetrics(theme.font(TypeStep.BASE))
        strong = QFontMetrics(theme.font(TypeStep.STRONG, Weight.BOLD))
        gap = metrics.s3
        right = rect.right() + 1 - metrics.s3
        small = QFontMetrics(theme.font(TypeStep.SMALL))
        number = max(
            base.horizontalAdvance("00.00.0000.") + 3 * metrics.s2,
            small.horizontalAdvance(since) + metrics.s1,
        )
        self.number = QRect(right - number, rect.top(), number, rect.height())
        right = self.number.left() - gap
        remaining = strong.horizontalAdvance("999.999,99") + metrics.s2
        self.remaining = QRect(right - remaining, rect.top(), remaining, rect.height())
        right = self.remaining.left() - gap
        amount = base.horizontalAdvance("999.999,99")
        left = rect.left() + metrics.s4
        least = LEAST_NAME * base.horizontalAdvance("0")
        self.has_total = right - 2 * (amount + gap) - left >= least
        self.has_paid = right - amount - gap - left >= least
        self.total = QRect(right - amount, rect.top(), amount, rect.height())
        if self.has_total:
            right = self.total.left() - gap
        self.paid = QRect(right - amount, rect.top(), amount, rect.height())
        if self.has_paid:
            right = self.paid.left() - gap
        self.title = QRect(left, rect.top(), right - left, rect.height())
        self.lines = 1 if right - left >= least else 2 if 2 * (right - left) >= least else 3


def row_height(theme: Theme, width: int, *, since: str) -> int:
    """Return the height of all rows, which have as many lines as a narrow name may need."""
    metrics = theme.metrics
    lines = AdvanceColumns(QRect(0, 0, width, 0), theme, since=since).lines
    words = metrics.line(TypeStep.NAME) + metrics.line(TypeStep.SMALL)
    return max(metrics.cart_row, lines * words)


def longest_since(texts: Texts) -> str:
    return texts("adv.since", day="00.00.0000.")


def paint_row(
    painter: QPainter, rect: QRect, theme: Theme, row: AdvanceRow, *, state: RowState, since: str
) -> None:
    metrics = theme.metrics
    if state.current or state.pressed:
        painter.fillRect(rect, theme.colour("line" if state.pressed else "tint"))
    elif row.quiet:
        painter.fillRect(rect, theme.colour("sunken"))
    painting.rule(painter, rect, theme)
    if state.current:
        bar = QRect(rect.left(), rect.top(), metrics.s1, rect.height())
        painter.fillRect(bar, theme.colour("accent"))
    own, columns = painter.font(), AdvanceColumns(rect, theme, since=since)
    name = theme.fonts.resized(own, TypeStep.NAME, Weight.SEMIBOLD)
    small = theme.fonts.resized(own, TypeStep.SMALL, Weight.MEDIUM)
    ink, quiet = theme.colour("ink"), theme.colour("ink_2")
    _paint_title(painter, columns, theme, row)
    if columns.has_paid:
        _paint_amount(painter, columns.paid, theme, row.paid)
    if columns.has_total:
        _paint_amount(painter, columns.total, theme, row.total)
    _paint_remaining(painter, columns.remaining, theme, row)
    upper, lower = _lines(columns.number, theme)
    painting.put(painter, upper, row.number, quiet if row.quiet else ink, name)
    painting.put(painter, lower, row.since, quiet, small)
    if state.focus:
        painting.ring_inside(painter, rect, theme)


def _paint_title(painter: QPainter, columns: AdvanceColumns, theme: Theme, row: AdvanceRow) -> None:
    metrics, own = theme.metrics, painter.font()
    ink, quiet = theme.colour("ink"), theme.colour("ink_2")
    size = metrics.icon(16) + metrics.s1 if row.quiet else 0
    room, lines = columns.title.width(), columns.lines
    step, weight = TypeStep.NAME, Weight.SEMIBOLD
    name, above = painting.broken(
        theme, own, row.title, room, step=step, weight=weight, lines=lines
    )
    small = theme.fonts.text_metrics(own, TypeStep.SMALL)
    below = small.broken(row.quiet or row.words, room - size, lines=lines)
    high = metrics.line(TypeStep.NAME), metrics.line(TypeStep.SMALL)
    whole = len(above) * high[0] + len(below) * high[1]
    top = columns.title.top() + (columns.title.height() - whole) // 2
    upper = QRect(columns.title.left(), top, room, high[0])
    top += painting.put_lines(painter, upper, above, name, ink=quiet if row.quiet else ink)
    lower = QRect(columns.title.left(), top, room, high[1])
    if row.quiet:
        middle = QRect(lower.left(), top, metrics.icon(16), high[1]).center()
        theme.draw_icon(painter, "clock", "ink_2", 16, middle)
    painting.put_lines(painter, lower.adjusted(size, 0, 0, 0), below, small, ink=quiet)
    painter.setFont(own)


def _paint_amount(painter: QPainter, rect: QRect, theme: Theme, amount: str) -> None:
    meter = painting.fitting(
        theme,
        painter.font(),
        amount,
        step=TypeStep.BASE,
        weight=Weight.MEDIUM,
        free_width=rect.width(),
    )
    painting.put(painter, rect, amount, theme.colour("ink_2"), meter.font, align=painting.RIGHT)


def _lines(rect: QRect, theme: Theme) -> tuple[QRect, QRect]:
    upper, lower = theme.metrics.line(TypeStep.NAME), theme.metrics.line(TypeStep.SMALL)
    top = rect.top() + (rect.height() - upper - lower) // 2
    return (
        QRect(rect.left(), top, rect.width(), upper),
        QRect(rect.left(), top + upper, rect.width(), lower),
    )


def _paint_remaining(painter: QPainter, rect: QRect, theme: Theme, row: AdvanceRow) -> None:
    own, room = painter.font(), rect.width()
    if row.is_amount:
        step, weight, ink = TypeStep.STRONG, Weight.BOLD, theme.colour("ink")
    elif row.icon:
        step, weight, ink = TypeStep.NAME, Weight.SEMIBOLD, theme.colour("ok")
        room -= theme.metrics.icon(18) + theme.metrics.s1
    else:
        step, weight, ink = TypeStep.NAME, Weight.MEDIUM, theme.colour("ink_2")
    meter = painting.fitting(theme, own, row.remaining, step=step, weight=weight, free_width=room)
    painting.put(painter, rect, row.remaining, ink, meter.font, align=painting.RIGHT)
    if row.icon:
        wide, size = round(meter.width(row.remaining)), theme.metrics.icon(18)
        left = rect.right() + 1 - wide - theme.metrics.s1 - size
        middle = QRect(left, rect.top(), size, rect.height()).center()
        theme.draw_icon(painter, row.icon, "ok", 18, middle)


class AdvanceDelegate(views.ThemedDelegate):
    def __init__(self, theme: Theme, *, since: str) -> None:
        super().__init__(theme)
        self._since = since

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row: AdvanceRow | None = index.data(views.ROW)
        if row is None:
            return
        state = views.row_state(option, pressed=self.is_pressed(index))

        def draw(on: QPainter, rect: QRect) -> None:
            paint_row(on, rect, self.theme, row, state=state, since=self._since)

        painter.save()
        painter.setFont(option.font)
        self.kept.paint(painter, option.rect, (row, state), draw)
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        width = option.rect.width()
        return QSize(width, row_height(self.theme, width, since=self._since))


class AdvanceTable(views.RowView):
    """The table of rows; keys that do not move within it go to the screen."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OWN_KEYS and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().keyPressEvent(event)
        else:
            event.ignore()


class AdvanceTableHead(ColumnHead):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts = texts

    def cells(self) -> Iterable[HeadCell]:
        texts, theme = self._texts, self.theme
        columns = AdvanceColumns(self.rect(), theme, since=longest_since(texts))
        yield HeadCell(columns.title, texts("adv.buyer"), elide=True)
        if columns.has_paid:
            yield HeadCell(columns.paid, texts("adv.paid"), painting.RIGHT)
        if columns.has_total:
            yield HeadCell(columns.total, texts("adv.total"), painting.RIGHT)
        yield HeadCell(columns.remaining, texts("adv.remaining"), painting.RIGHT)
        font = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        is_long = painting.width_of(font, texts("adv.last")) > columns.number.width()
        yield HeadCell(columns.number, texts("adv.last.short" if is_long else "adv.last"))


class AdvanceList(QWidget):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._theme, self._texts = theme, texts
        metrics = theme.metrics
        self.search = SearchField(
            theme,
            name=texts("adv.search_name"),
            placeholder=texts("adv.search"),
            clear_name=texts("search.clear"),
            key=cap_of(TillCommand.SEARCH),
        )
        self.rows = ListRows[OpenAdvance](lambda row: row.spoken)
        self.table = AdvanceTable(
            theme, AdvanceDelegate(theme, since=longest_since(texts)), name=texts("adv.title")
        )
        self.table.setModel(self.rows)
        self._count = Label(theme, step=TypeStep.NAME, weight=Weight.SEMIBOLD)
        self._untouched = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._sum_words = Label(theme, texts("adv.paid"), step=TypeStep.SMALL, colour="ink_2")
        self._sum = AmountLabel(theme, name=texts("adv.paid"), step=TypeStep.AMOUNT)
        self._panel = Panel(theme)
        self._notice_layout = QVBoxLayout()
        self._rest = QWidget()
        self._notice: QWidget | None = None
        self._notice_of: object = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s2)
        self._notices = column
        column.addWidget(self.search)
        column.addLayout(self._heading())
        column.addWidget(self._panel, 1)
        column.addLayout(self._notice_layout)
        column.addWidget(self._rest, 1)
        inside = QVBoxLayout(self._panel)
        hair = metrics.hair
        inside.setContentsMargins(hair, hair, hair, hair)
        inside.setSpacing(0)
        inside.addWidget(AdvanceTableHead(theme, texts))
        inside.addWidget(self.table, 1)

    def show_model(self, model: AdvancesModel, now: datetime) -> None:
        texts = self._texts
        if self.search.text() != model.typed_text:
            self.search.set_text(model.typed_text)

        def painted(advance: OpenAdvance) -> AdvanceRow:
            days = model.untouched_days if model.is_untouched(advance, now) else None
            return row_of(advance, texts, now=now, untouched_days=days)

        self.rows.show_rows(model.matches, painted)
        self._choose(model.index)
        found = len(model.matches)
        self._count.setText(texts.count("adv.open", found))
        untouched = model.untouched(now)
        text = texts.count("adv.untouched", untouched, days=model.untouched_days)
        self._untouched.setText(text if untouched else "")
        self._sum.setText(amount_text(model.paid))
        for part in (self._count, self._untouched, self._sum_words, self._sum):
            part.setVisible(bool(found))
        self._panel.setVisible(bool(found))
        self._tell(model)
        self._rest.setVisible(not found and not isinstance(self._notice, EmptyState))

    def focus_rows(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _choose(self, number: int | None) -> None:
        if number is None:
            self.table.clearSelection()
        elif self.table.currentIndex().row() != number:
            index = self.rows.index(number)
            self.table.setCurrentIndex(index)
            self.table.scrollTo(index)

    def _heading(self) -> QHBoxLayout:
        row, words = QHBoxLayout(), QVBoxLayout()
        row.setSpacing(self._theme.metrics.s3)
        words.setSpacing(0)
        words.addWidget(self._count)
        words.addWidget(self._untouched)
        row.addLayout(words, 1)
        self._sum.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        sums = QVBoxLayout() if is_tight(self._theme) else row
        for part in (self._sum_words, self._sum):
            sums.addWidget(part, 0, Qt.AlignmentFlag.AlignRight)
        if sums is not row:
            sums.setSpacing(0)
            row.addLayout(sums)
        return row

    def _tell(self, model: AdvancesModel) -> None:
        """Say below the rows, or in their stead, that there are none, that some may be missing, or
        why they can't be shown."""
        listed = model.listed
        shown: object = model.error or (
            None
            if listed is None
            else (bool(model.matches), listed.is_whole, bool(model.typed_text))
        )
        if shown == self._notice_of:
            return
        self._notice_of = shown
        if self._notice is not None:
            self._notice_layout.removeWidget(self._notice)
            self._notice.hide()
            self._notice.deleteLater()
        self._notice = self._words_of(model)
        if self._notice is not None:
            self._notice_layout.addWidget(self._notice)
            self._notices.setStretchFactor(
                self._notice_layout, 1 if isinstance(self._notice, EmptyState) else 0
            )

    def _words_of(self, model: AdvancesModel) -> QWidget | None:
        texts, theme = self._texts, self._theme
        if model.error is not None:
            return _away(theme, texts, model.error)
        if model.listed is None:
            return None
        if not model.listed.is_whole:
            text = texts("adv.not_whole")
            return NoticePanel(theme, NoticeKind.WARN, happened=text, safe="", press="")
        if model.matches:
            return None
        if model.typed_text:
            words = texts("adv.none_found_words")
            key = Button(theme, texts("empty.show_all"), icon="list")
            key.clicked.connect(lambda _=False: self.search.set_text(""))
            return EmptyState(
                theme,
                title=texts("adv.none_found"),
                words=words,
                icon="search",
                colour="ink_2",
                button=key,
            )
        return EmptyState(theme, title=texts("adv.none"), words=texts("adv.none_words"))


def _away(theme: Theme, texts: Texts, error: PosError) -> NoticePanel:
    notice = texts.error(error)
    why = f"{notice.happened.removesuffix('.')}."
    return NoticePanel(
        theme, NoticeKind.WARN, happened=texts("adv.away"), safe=why, press=notice.press
    )
