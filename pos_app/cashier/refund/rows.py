"""The lines of the receipt. Each has four quantities: how much was sold, how much went back before,
how much is left, and how much goes back now.

Columns have the width of their figures; where a name has too little room, it stands above them over
the whole width, and where even words have too little, the first two quantities are shown among
them. Source: mock-13, look.md ("Table").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QStyleOptionViewItem

from pos_app.cashier.refund.model import RefundModel
from pos_app.cashier.refund.words import line_text, line_words, quantity, quantity_fault_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import painting, views
from pos_app.cashier.ui.choices import paint_check
from pos_app.cashier.ui.column_head import ColumnHead, HeadCell
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import Meter
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import MOST_LINES
from pos_app.cashier.ui.metrics import Metrics, TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.receipt_overview import SoldLine
from pos_app.domain.receipt.request import name_and_unit
from pos_app.lazy_dataclass import dataclass

_MOST_BESIDE = 2
"""The most lines of words at the left of the figures."""
LEAST_NAME = 4
"""Touch sizes that a name keeps before columns are hidden."""
_TOP = QModelIndex()


@dataclass(frozen=True, slots=True)
class RefundRowWords:
    """The broken words of a row. below: those at the figures' left. is_above: the name stands above
    the figures. between: words below such a name that have no room beside the figures."""

    name: Sequence[str]
    below: Sequence[str]
    is_above: bool
    between: Sequence[str] = ()

    def above(self, metrics: Metrics) -> int:
        """Return the height of what stands above the other words and the figures."""
        small = len(self.between) * metrics.line(TypeStep.SMALL)
        return len(self.name) * metrics.line(TypeStep.NAME) + small


@dataclass(frozen=True, slots=True)
class RefundColumns:
    tick: QRect
    name: QRect
    sold: QRect
    before: QRect
    left_quantity: QRect
    field: QRect
    amount: QRect
    is_folded: bool


@dataclass(frozen=True, slots=True)
class Widths:
    """The widths of the columns, by their heads and the figures in them."""

    tick: int
    sold: int
    before: int
    left_quantity: int
    field: int
    amount: int

    @classmethod
    def of(cls, theme: Theme, model: RefundModel, texts: Texts) -> Widths:
        metrics, lines = theme.metrics, model.lines
        figures = theme.font(TypeStep.BASE, Weight.BOLD)
        heads = theme.font(TypeStep.SMALL, Weight.SEMIBOLD)
        strong = theme.font(TypeStep.STRONG, Weight.BOLD)

        def width_for(head: str, amounts: list[str]) -> int:
            return max(
                [
                    painting.width_of(heads, head),
                    *(painting.width_of(figures, one) for one in amounts),
                ]
            )

        left = width_for(texts("refund.left"), [quantity(one.quantity) for one in lines])
        field = max(
            2 * metrics.touch, left + 2 * metrics.s3, painting.width_of(heads, texts("refund.now"))
        )
        amounts = [painting.width_of(strong, amount_text(-one.total)) for one in lines]
        return cls(
            tick=2 * metrics.s4 + metrics.icon(24),
            sold=width_for(texts("refund.sold"), [quantity(one.quantity) for one in lines]),
            before=width_for(texts("refund.before"), [quantity(one.quantity) for one in lines]),
            left_quantity=left,
            field=field,
            amount=max([*amounts, painting.width_of(heads, texts("refund.used_up"))]),
        )

    def at(self, rect: QRect, metrics: Metrics) -> RefundColumns:
        gap, top, height = metrics.s3, rect.top(), rect.height()
        start, right = rect.left() + self.tick, rect.right() + 1 - metrics.s4
        shown = (self.amount, self.field, self.left_quantity, self.before, self.sold)
        is_folded = right - start - sum(shown) - 5 * gap < LEAST_NAME * metrics.touch
        rects = []
        for width in shown[:3] if is_folded else shown:
            rects.append(QRect(right - width, top, width, height))
            right -= width + gap
        nothing = QRect(right, top, 0, 0)
        amount, field, left, before, sold = [*rects, nothing, nothing][:5]
        name = QRect(start, top, max(0, right - start), height)
        tick = QRect(rect.left(), top, self.tick, height)
        return RefundColumns(tick, name, sold, before, left, field, amount, is_folded)


def field_rect(rect: QRect, metrics: Metrics) -> QRect:
    top = rect.top() + (rect.height() - metrics.touch) // 2
    return QRect(rect.left(), top, rect.width(), metrics.touch)


class LinesHead(ColumnHead):
    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__(theme)
        self._texts = texts
        self.widths = Widths.of(theme, model, texts)

    def cells(self) -> Iterable[HeadCell]:
        columns, texts = self.widths.at(self.rect(), self.theme.metrics), self._texts
        name, article = columns.name, texts("refund.article")
        heads = self.theme.font(TypeStep.SMALL, Weight.SEMIBOLD)
        needed = painting.width_of(heads, article)
        if name.width() < needed:
            name = name.adjusted(self.theme.metrics.s4 - name.left(), 0, 0, 0)  # over the ticks
        if name.width() >= needed:
            yield HeadCell(name, article)
        yield HeadCell(columns.field, texts("refund.now"))
        entries = [(columns.left_quantity, "refund.left"), (columns.amount, "refund.amount")]
        if not columns.is_folded:
            entries += [(columns.sold, "refund.sold"), (columns.before, "refund.before")]
        for rect, text_id in entries:
            yield HeadCell(rect, texts(text_id), painting.RIGHT)


class LineRows(QAbstractListModel):
    """The lines of the model as they are now; each row is painted by its number."""

    def __init__(self, model: RefundModel, texts: Texts, parent: views.RowView) -> None:
        super().__init__(parent)
        self._model, self._texts = model, texts

    def rowCount(self, parent: views.Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._model.lines)

    def reset(self) -> None:
        self.beginResetModel()
        self.endResetModel()

    def data(self, index: views.Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return line_text(self._model.lines[index.row()], self._model, self._texts)
        return None


class LineDelegate(views.ThemedDelegate):
    """Paints a row. `edited`: the row over which a field lies, or None. `field_error`: the error
    that this field shows."""

    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__(theme)
        self._texts, self._model = texts, model
        self.widths = Widths.of(theme, model, texts)
        self.edited: int | None = None
        self.field_error = ""

    def sizeHint(self, option: QStyleOptionViewItem, index: views.Index) -> QSize:
        width = option.rect.width()
        return QSize(width, self.row_height(index.row(), width))

    def row_height(self, line_index: int, width: int) -> int:
        metrics = self.theme.metrics
        words, fault = self.words_of(line_index, width), self._fault_height(line_index, width)
        above = words.above(metrics)
        below = len(words.below) * metrics.line(TypeStep.SMALL)
        tall = above + max(metrics.touch, below) if words.is_above else above + below
        return max(metrics.touch, tall) + 4 * metrics.s1 + fault

    def _fault_lines(self, line_index: int, width: int) -> tuple[Sequence[str], QRect]:
        """Return what is wrong with the quantity in lines, and their room from the field to the
        right edge."""
        index = self._model.lines[line_index].index
        words = self.field_error
        if index != self.edited:
            words = quantity_fault_words(self._model, index, self._texts)
        columns = self.widths.at(QRect(0, 0, width, 0), self.theme.metrics)
        room = QRect(columns.field)
        room.setRight(columns.amount.right())
        return self._fault_meter().broken(words, room.width(), lines=MOST_LINES), room

    def _fault_height(self, line_index: int, width: int) -> int:
        """Return the height of what is wrong with the quantity. A line of it stays free while the
        quantity is typed, so that a fault moves nothing."""
        index = self._model.lines[line_index].index
        many = int(index == self.edited)
        if self._model.quantity_fault(index) is not None:
            many = max(many, len(self._fault_lines(line_index, width)[0]))
        return many * self.theme.metrics.line(TypeStep.SMALL)

    def _fault_meter(self) -> Meter:
        own = self.theme.font()
        return self.theme.fonts.text_metrics(own, TypeStep.SMALL, Weight.SEMIBOLD)

    def words_of(self, line_index: int, width: int) -> RefundRowWords:
        theme, line = self.theme, self._model.lines[line_index]
        columns = self.widths.at(QRect(0, 0, width, 0), theme.metrics)
        bold = theme.fonts.text_metrics(theme.font(), TypeStep.NAME, Weight.SEMIBOLD)
        small = theme.fonts.text_metrics(theme.font(), TypeStep.SMALL)
        name, words = name_and_unit(line.name)[0], self._below(line, columns)
        beside, whole = columns.name.width(), columns.amount.right() + 1 - columns.name.left()
        is_whole = line.left_quantity == line.quantity
        if is_whole and small.width(words) > beside:
            words = line_words(line, self._texts)  # what is left says how much was sold, too
        if bold.width(name) <= beside and small.width(words) <= beside:
            return RefundRowWords([name], [words], False)
        above = bold.wrapped(name, whole)
        if small.holds(words, beside, lines=_MOST_BESIDE):
            below = small.broken(words, beside, lines=_MOST_BESIDE)
            return RefundRowWords(above, below, True)
        between = [] if is_whole else small.broken(words, whole, lines=MOST_LINES)
        return RefundRowWords(above, [], True, between)

    def columns_at(self, rect: QRect, line_index: int) -> RefundColumns:
        """Return the columns of a row, whose figures stand below a name that needs all the
        width, and above what is wrong with its quantity."""
        words = self.words_of(line_index, rect.width())
        rect = rect.adjusted(0, 0, 0, -self._fault_height(line_index, rect.width()))
        if words.is_above:
            metrics = self.theme.metrics
            above = words.above(metrics) + metrics.s2
            rect = rect.adjusted(0, above, 0, -metrics.s2)
        return self.widths.at(rect, self.theme.metrics)

    def _below(self, line: SoldLine, columns: RefundColumns) -> str:
        words = line_words(line, self._texts)
        if not columns.is_folded:
            return words
        before, sold = quantity(line.quantity - line.left_quantity), quantity(line.quantity)
        return self._texts("refund.row.folded", sold=sold, before=before, line=words)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: views.Index) -> None:
        theme, rect, state = self.theme, option.rect, views.row_state(option)
        line = self._model.lines[index.row()]
        painter.save()
        painter.setFont(option.font)
        if state.current:
            painter.fillRect(rect, theme.colour("tint"))
            bar = QRect(rect.left(), rect.top(), theme.metrics.s1, rect.height())
            painter.fillRect(bar, theme.colour("accent"))
        painting.rule(painter, rect, theme)
        columns = self.columns_at(rect, index.row())
        fault = self._fault_height(index.row(), rect.width())
        inside = rect.adjusted(0, 0, 0, -fault)
        self._paint_tick(painter, self.widths.at(inside, theme.metrics).tick, line)
        self._paint_name(painter, inside, columns, index.row())
        self._paint_figures(painter, columns, line)
        if self._model.is_ticked(line.index):
            self._paint_taken(painter, columns, line)
        elif not line.left_quantity:
            small = theme.fonts.resized(painter.font(), TypeStep.SMALL)
            words, ink = self._texts("refund.used_up"), theme.colour("ink_2")
            painting.put(painter, columns.amount, words, ink, small, align=painting.RIGHT)
        if fault:
            self._paint_fault(painter, inside, columns, index.row())
        if state.focus:
            painting.ring_inside(painter, rect, theme)
        painter.restore()

    def _paint_fault(
        self, painter: QPainter, inside: QRect, columns: RefundColumns, line_index: int
    ) -> None:
        """Say under the field what is wrong with its quantity."""
        text_lines, room = self._fault_lines(line_index, inside.width())
        bottom = field_rect(columns.field, self.theme.metrics).bottom() + 1
        high = self.theme.metrics.line(TypeStep.SMALL)
        at = QRect(inside.left() + room.left(), bottom + self.theme.metrics.s1, room.width(), high)
        ink = self.theme.colour("danger")
        painting.put_lines(painter, at, text_lines, self._fault_meter(), ink=ink)

    def _paint_tick(self, painter: QPainter, rect: QRect, line: SoldLine) -> None:
        metrics, size = self.theme.metrics, self.theme.metrics.icon(24)
        top = rect.top() + (rect.height() - size) // 2
        square = QRect(rect.left() + metrics.s4, top, size, size)
        ticked = self._model.is_ticked(line.index)
        enabled = bool(line.left_quantity) and self._model.can_type
        paint_check(painter, square, self.theme, ticked=ticked, enabled=enabled)

    def _paint_name(
        self, painter: QPainter, rect: QRect, columns: RefundColumns, line_index: int
    ) -> None:
        theme, metrics, own = self.theme, self.theme.metrics, painter.font()
        words = self.words_of(line_index, rect.width())
        name, small = metrics.line(TypeStep.NAME), metrics.line(TypeStep.SMALL)
        above, below = len(words.name) * name, len(words.below) * small
        top = rect.top() + (rect.height() - above - below) // 2
        upper = QRect(columns.name.left(), top, columns.name.width(), name)
        lower = QRect(columns.name.left(), top + above, columns.name.width(), small)
        if words.is_above:
            upper.moveTop(rect.top() + metrics.s2)
            lower.moveTop(columns.name.top() + (columns.name.height() - below) // 2)
        ink = theme.colour("ink" if self._model.lines[line_index].left_quantity else "ink_2")
        bold = theme.fonts.text_metrics(own, TypeStep.NAME, Weight.SEMIBOLD)
        painting.put_lines(painter, upper, words.name, bold, ink=ink)
        quiet, ink = theme.fonts.text_metrics(own, TypeStep.SMALL), theme.colour("ink_2")
        painting.put_lines(painter, lower, words.below, quiet, ink=ink)
        between = QRect(upper.left(), upper.top() + above, upper.width(), small)
        painting.put_lines(painter, between, words.between, quiet, ink=ink)
        painter.setFont(own)

    def _paint_figures(self, painter: QPainter, columns: RefundColumns, line: SoldLine) -> None:
        theme = self.theme
        usual = theme.fonts.resized(painter.font(), TypeStep.BASE)
        bold = theme.fonts.resized(painter.font(), TypeStep.BASE, Weight.BOLD)
        quiet = theme.colour("ink_2")
        if not columns.is_folded:
            painting.put(
                painter, columns.sold, quantity(line.quantity), quiet, usual, align=painting.RIGHT
            )
            before = quantity(line.quantity - line.left_quantity)
            painting.put(painter, columns.before, before, quiet, usual, align=painting.RIGHT)
        left = quantity(line.left_quantity) if line.left_quantity else "0"
        token: Token = "ink"
        if line.index in self._model.fewer:
            token = "warn"
            width = painting.width_of(bold, left) + 2 * theme.metrics.s1
            height = theme.metrics.line(TypeStep.BASE) + theme.metrics.s1
            chip = QRect(0, 0, width, height)
            chip.moveCenter(columns.left_quantity.center())
            chip.moveRight(columns.left_quantity.right() + theme.metrics.s1)
            painting.box(
                painter,
                chip,
                radius=theme.metrics.radius_cap,
                fill=theme.colour("warn_ground"),
                edge=theme.colour("warn_edge"),
            )
        painting.put(
            painter, columns.left_quantity, left, theme.colour(token), bold, align=painting.RIGHT
        )

    def _paint_taken(self, painter: QPainter, columns: RefundColumns, line: SoldLine) -> None:
        theme, metrics = self.theme, self.theme.metrics
        fault = self._model.quantity_fault(line.index)
        if self.edited != line.index:
            rect = field_rect(columns.field, metrics)
            edge: Token = "danger" if fault is not None else "line_strong"
            fill: Token = "surface" if self._model.can_type else "sunken"
            painting.box(
                painter,
                rect,
                radius=metrics.radius_field,
                fill=theme.colour(fill),
                edge=theme.colour(edge),
                width=metrics.edge if fault is not None else metrics.hair,
            )
            inside = rect.adjusted(metrics.s2, 0, -metrics.s3, 0)
            words = self._model.typed_texts.get(line.index) or quantity(
                self._model.taken(line.index)
            )
            meter = painting.fitting(
                theme,
                painter.font(),
                words,
                step=TypeStep.BASE,
                weight=Weight.BOLD,
                free_width=inside.width(),
            )
            painting.put(
                painter, inside, words, theme.colour("ink"), meter.font, align=painting.RIGHT
            )
        if self._model.draft is not None and fault is None:
            amount = amount_text(-self._model.draft.part(line.index))
            meter = painting.fitting(
                theme,
                painter.font(),
                amount,
                step=TypeStep.STRONG,
                weight=Weight.BOLD,
                free_width=columns.amount.width(),
            )
            ink = theme.colour(painting.amount_ink(amount))
            painting.put(painter, columns.amount, amount, ink, meter.font, align=painting.RIGHT)


class LineList(views.RowView):
    """The lines, with a field over the quantity that is typed.

    Signals: `changed()` is sent when another line or another quantity goes back; `moved()`, when
    keys act on another line; `refused()`, when a line with nothing left was pressed, or when no
    number was typed.
    """

    changed = Signal()
    moved = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        self._delegate = LineDelegate(theme, texts, model)
        super().__init__(theme, self._delegate, name=texts("refund.lines_name"))
        self._texts, self._refund = texts, model
        self._shown_reference = model.reference
        self._rows = LineRows(model, texts, self)
        self.setModel(self._rows)
        self.setEditTriggers(views.RowView.EditTrigger.NoEditTriggers)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.quantity = Field(
            theme,
            name=texts("refund.now"),
            right=True,
            error_below=False,
            takes=InputKind.NUMBER,
            step=TypeStep.STRONG,
            parent=self.viewport(),
        )
        self.quantity.hide()
        self.quantity.changed.connect(self._on_typed)
        self.quantity.refused.connect(self.refused)
        self.quantity.error_changed.connect(self._show_error)
        self.tapped.connect(self._tap)
        self.verticalScrollBar().valueChanged.connect(lambda _: self._reposition_field())
        self.show_model()

    # --- the shown rows --------------------------------------------------------------------------

    def show_anew(self) -> None:
        """Show the lines of the receipt as it was read last. A field that is open stays open over
        its line, if that is a line of the same receipt of which something is left."""
        if self._shown_reference != self._refund.reference:
            self.close_field()
        self._shown_reference = self._refund.reference
        self._delegate.widths = Widths.of(self.theme, self._refund, self._texts)
        self._rows.reset()
        self.show_model()
        self._reposition_field()

    def show_model(self) -> None:
        index = self._rows.index(self._refund.current)
        if index.isValid() and index != self.currentIndex():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        edited = self._delegate.edited
        if edited is not None and not (self._refund.can_type and self._refund.is_ticked(edited)):
            self.close_field()
        elif edited is not None:
            self.quantity.judge(quantity_fault_words(self._refund, edited, self._texts))
        # a row is higher once something of its line went back, and while its quantity is typed
        self.scheduleDelayedItemsLayout()
        self._reposition_field()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        width = self.viewport().width()
        rows = (self._delegate.row_height(at, width) for at in range(self._rows.rowCount()))
        return QSize(8 * self.theme.metrics.touch, sum(rows) or self._least_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(4 * self.theme.metrics.touch, self._least_height())

    def _least_height(self) -> int:
        width = self.viewport().width()
        if not self._rows.rowCount():
            return self.theme.metrics.touch
        return self._delegate.row_height(self._refund.current, width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
        self._reposition_field()

    # --- the quantity ----------------------------------------------------------------------------

    @property
    def is_typing(self) -> bool:
        return self.quantity.edit.hasFocus()

    def open_field(self, *, sign: str = "") -> None:
        """Open the field for the current line's quantity. sign: its first character."""
        line_index = self._refund.current
        if not self._refund.can_type or not self._refund.lines[line_index].left_quantity:
            self.refused.emit()
            return
        if not self._refund.is_ticked(line_index):
            self._refund.tick(line_index)
        self._delegate.edited = line_index
        self.scheduleDelayedItemsLayout()
        self.quantity.blockSignals(True)
        self.quantity.set_text("" if sign else self._refund.typed_in(line_index))
        self.quantity.blockSignals(False)
        self._reposition_field()
        self.quantity.show()
        self.quantity.point_out()
        if sign:
            self.quantity.set_text(sign)
        else:
            self.quantity.edit.selectAll()
            self.changed.emit()

    def close_field(self) -> bool:
        """Close the field; what was typed stays. Returns whether it was open."""
        edited, self._delegate.edited = self._delegate.edited, None
        if edited is None:
            return False
        self._refund.rest_quantity(edited)
        had_focus = self.quantity.edit.hasFocus()
        self.quantity.hide()
        if had_focus:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.viewport().update()
        return True

    def _on_typed(self, text: str) -> None:
        if self._delegate.edited is not None:
            self._refund.type_quantity(self._delegate.edited, text)
            self.changed.emit()

    def _show_error(self, words: str) -> None:
        self._delegate.field_error = words
        self.show_model()

    def _reposition_field(self) -> None:
        edited = self._delegate.edited
        if edited is None:
            return
        rect = self.visualRect(self._rows.index(edited))
        columns = self._delegate.columns_at(rect, edited)
        self.quantity.setGeometry(field_rect(columns.field, self.theme.metrics))

    # --- keys and fingers ------------------------------------------------------------------------

    def step(self, by: int) -> None:
        self.close_field()
        self._refund.step(by)
        self.show_model()
        self.moved.emit()

    def tick_current(self) -> None:
        self.close_field()
        if self._refund.lines and self._refund.lines[self._refund.current].left_quantity:
            self._refund.tick(self._refund.current)
            self.changed.emit()
        else:
            self.refused.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        sign = typed_text(event)
        match event.key():
            case Qt.Key.Key_Up | Qt.Key.Key_Down:
                self.step(-1 if event.key() == Qt.Key.Key_Up else 1)
            case Qt.Key.Key_Space if not event.isAutoRepeat():
                self.tick_current()
            case _ if sign and (sign.isdigit() or sign in ",."):
                self.open_field(sign=sign)
            case _:
                event.ignore()  # Qt's list would search for a row by this sign

    def _tap(self, index: QModelIndex, point: QPoint) -> None:
        """Open the field at a press on it; on the rest of a row tick the line."""
        line_index = index.row()
        columns = self._delegate.columns_at(self.visualRect(index), line_index)
        self.close_field()
        self._refund.choose(line_index)
        if self._refund.is_ticked(line_index) and columns.field.contains(point):
            self.open_field()
        else:
            self.tick_current()
        self.show_model()
