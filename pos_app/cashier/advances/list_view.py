"""The list of open advances: the search, how many they are and what is paid, and their rows.

Rows are made only when they come into sight. Source: look.md; mock-15.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
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
from pos_app.cashier.ui.panel import EmptyState, FilledPanel, ListSide
from pos_app.cashier.ui.rows import RowState
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.open_advances import OpenAdvance
from pos_app.domain.text.instant import day_of
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
    which is the sum of its neighbours; a very narrow one also leaves out what is paid, and the day
    on which the advance was opened; the opened advance shows both. heads: of the day and of the
    number."""

    def __init__(self, rect: QRect, theme: Theme, *, heads: tuple[str, str]) -> None:
        metrics = theme.metrics
        base, small, strong = (
            QFontMetrics(font)
            for font in (
                theme.font(TypeStep.BASE),
                theme.font(TypeStep.SMALL, Weight.SEMIBOLD),
                theme.font(TypeStep.STRONG, Weight.BOLD),
            )
        )
        gap, left = metrics.s3, rect.left() + metrics.s4
        right = rect.right() + 1 - metrics.s3
        least = LEAST_NAME * base.horizontalAdvance("0")
        amount = base.horizontalAdvance("999.999,99")
        opened, number = (
            max(base.horizontalAdvance(widest), small.horizontalAdvance(head)) + metrics.s1
            for widest, head in zip(("00.00.0000.", "000000"), heads, strict=True)
        )

        def taken(width: int) -> QRect:
            nonlocal right
            right -= width + gap
            return QRect(right + gap, rect.top(), width, rect.height())

        self.number = taken(number)
        self.remaining = taken(strong.horizontalAdvance("999.999,99") + metrics.s2)
        room = right - left - least
        self.has_opened = room >= opened + gap
        room -= opened + gap
        self.has_paid = room >= amount + gap
        self.has_total = room >= 2 * (amount + gap)
        nothing = QRect()
        self.total = taken(amount) if self.has_total else nothing
        self.paid = taken(amount) if self.has_paid else nothing
        self.opened = taken(opened) if self.has_opened else nothing
        self.title = QRect(left, rect.top(), right - left, rect.height())
        self.lines = 1 if right - left >= least else 2 if 2 * (right - left) >= least else 3


def row_height(theme: Theme, width: int, *, heads: tuple[str, str]) -> int:
    """Return the height of all rows, which have as many lines as a narrow name may need."""
    metrics = theme.metrics
    lines = AdvanceColumns(QRect(0, 0, width, 0), theme, heads=heads).lines
    words = metrics.line(TypeStep.NAME) + metrics.line(TypeStep.SMALL)
    return max(metrics.cart_row, lines * words + 2 * metrics.s1)


def heads_of(texts: Texts) -> tuple[str, str]:
    return texts("adv.opened"), texts("adv.last.short")


def paint_row(
    painter: QPainter,
    rect: QRect,
    theme: Theme,
    row: AdvanceRow,
    *,
    state: RowState,
    heads: tuple[str, str],
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
    own, columns = painter.font(), AdvanceColumns(rect, theme, heads=heads)
    bold = theme.fonts.resized(own, TypeStep.BASE, Weight.SEMIBOLD)
    base = theme.fonts.resized(own, TypeStep.BASE, Weight.MEDIUM)
    ink, quiet = theme.colour("ink"), theme.colour("ink_2")
    _paint_title(painter, columns, theme, row)
    if columns.has_paid:
        _paint_amount(painter, columns.paid, theme, row.paid)
    if columns.has_total:
        _paint_amount(painter, columns.total, theme, row.total)
    _paint_remaining(painter, columns.remaining, theme, row)
    painting.put(painter, columns.number, row.number, quiet if row.quiet else ink, bold)
    if columns.has_opened:
        painting.put(painter, columns.opened, row.opened, quiet, base)
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
    def __init__(self, theme: Theme, *, heads: tuple[str, str]) -> None:
        super().__init__(theme)
        self._heads = heads

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
            paint_row(on, rect, self.theme, row, state=state, heads=self._heads)

        painter.save()
        painter.setFont(option.font)
        self.kept.paint(painter, option.rect, (row, state), draw)
        painter.restore()

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        width = option.rect.width()
        return QSize(width, row_height(self.theme, width, heads=self._heads))


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
        columns = AdvanceColumns(self.rect(), theme, heads=heads_of(texts))
        yield HeadCell(columns.title, texts("adv.buyer"), elide=True)
        if columns.has_opened:
            yield HeadCell(columns.opened, texts("adv.opened"))
        if columns.has_paid:
            yield HeadCell(columns.paid, texts("adv.paid"), painting.RIGHT)
        if columns.has_total:
            yield HeadCell(columns.total, texts("adv.total"), painting.RIGHT)
        yield HeadCell(columns.remaining, texts("adv.remaining"), painting.RIGHT)
        font = theme.fonts.resized(self.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        is_long = painting.width_of(font, texts("adv.last")) > columns.number.width()
        yield HeadCell(columns.number, texts("adv.last.short" if is_long else "adv.last"))


class AdvanceList(ListSide):
    """Signal: `again()`, the list that could not be read is to be asked for again."""

    again = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(texts("adv.title"))
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
            theme, AdvanceDelegate(theme, heads=heads_of(texts)), name=texts("adv.title")
        )
        self.table.setModel(self.rows)
        self._count = Label(theme, step=TypeStep.NAME, weight=Weight.SEMIBOLD)
        self._untouched = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._sum_words = Label(theme, texts("adv.paid"), step=TypeStep.SMALL, colour="ink_2")
        self._sum = AmountLabel(theme, name=texts("adv.paid"), step=TypeStep.AMOUNT)
        panel = FilledPanel(theme)
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
        column.addWidget(panel, 1)
        column.addLayout(self._notice_layout)
        column.addWidget(self._rest, 1)
        inside = panel.edge_column()
        inside.addWidget(AdvanceTableHead(theme, texts))
        inside.addWidget(self.table, 1)
        self.hold_list(self.table, panel)

    def show_model(self, model: AdvancesModel, now: datetime) -> None:
        texts = self._texts
        if self.search.text() != model.typed_text:
            self.search.set_text(model.typed_text)

        def painted(advance: OpenAdvance) -> AdvanceRow:
            days = model.untouched_days if model.is_untouched(advance, now) else None
            under_way = model.is_under_way(advance)
            return row_of(advance, texts, now=now, untouched_days=days, under_way=under_way)

        beside = model.held, day_of(now), model.untouched_days
        self.rows.show_rows(model.matches, painted, depends_on=beside)
        self._choose(model.index)
        found = len(model.matches)
        self._count.setText(texts.count("adv.open", found))
        untouched = model.untouched(now)
        text = texts.count("adv.untouched", untouched, days=model.untouched_days)
        self._untouched.setText(text if untouched else "")
        self._sum.setText(amount_text(model.paid))
        for part in (self._count, self._untouched, self._sum_words, self._sum):
            part.setVisible(bool(found))
        self.show_list(has_rows=bool(found))
        self._tell(model)
        self._rest.setVisible(not found and not isinstance(self._notice, EmptyState))

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
        has_rows = bool(model.matches)
        shown: object = (model.error, has_rows) if model.error is not None else None
        if shown is None and listed is not None:
            shown = has_rows, listed.is_whole, bool(model.typed_text)
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
            return self._away(model.error, has_rows=bool(model.matches))
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

    def _away(self, error: PosError, *, has_rows: bool) -> QWidget:
        texts, theme = self._texts, self._theme
        notice, title = texts.error(error), texts("adv.away")
        why = f"{notice.happened.removesuffix('.')}."
        if has_rows:
            return NoticePanel(theme, NoticeKind.WARN, happened=title, safe=why, press=notice.press)
        again = Button(theme, texts("step.again"), icon="refresh-cw")
        again.clicked.connect(self.again)
        return EmptyState(
            theme, title=title, words=why, icon="circle-alert", colour="warn", button=again
        )
