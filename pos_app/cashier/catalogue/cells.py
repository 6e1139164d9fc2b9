"""Paints the cells of the manager's table. Source: look.md (Components, Table)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTableView

from pos_app.cashier.catalogue.columns import CatalogueColumn, shows_number
from pos_app.cashier.catalogue.table_rows import CatalogueRows
from pos_app.cashier.ui import painting
from pos_app.cashier.ui.choices import paint_check
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.paint_picker import paint_picture
from pos_app.cashier.ui.state import STATES, StateKind
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.cashier.ui.views import Index
from pos_app.cashier.words.article_texts import TilePictures, initials, tone_of
from pos_app.selling.catalogue.catalogue import CatalogueRow, EditMark

_KINDS: Mapping[EditMark, StateKind] = {
    EditMark.NONE: StateKind.DONE,
    EditMark.WAITING: StateKind.WAIT,
    EditMark.CONFLICT: StateKind.DECIDE,
    EditMark.REFUSED: StateKind.FAILED,
}


class CellPainter(QStyledItemDelegate):
    """narrow_state: the state is shown as an icon alone; the editor shows its words."""

    def __init__(
        self,
        theme: Theme,
        rows: CatalogueRows,
        table: QTableView,
        *,
        is_edited: Callable[[Index], bool],
    ) -> None:
        """is_edited tells whether a field lies over the cell, which is not painted then."""
        super().__init__(table)
        self._theme = theme
        self._rows = rows
        self._table = table
        self._is_edited = is_edited
        self._pictures = TilePictures(theme)
        self.narrow_state = False

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._rows.row(index.row())
        if row is None:
            return
        theme, rect, column = self._theme, option.rect, CatalogueColumn(index.column())
        current = index.row() == self._table.currentIndex().row()
        ticked = self._rows.is_ticked(row)
        own = painter.font()
        painter.setFont(option.font)
        if current or ticked:
            painter.fillRect(rect, theme.colour("tint" if current else "sunken"))
        painting.rule(painter, rect, theme)
        if current and column is CatalogueColumn.TICK:
            bar = QRect(rect.left(), rect.top(), theme.metrics.s1, rect.height())
            painter.fillRect(bar, theme.colour("accent"))
        if not self._is_edited(index):
            self._paint_cell(painter, rect, row, column)
        if index == self._table.currentIndex() and self._table.hasFocus():
            painting.ring_inside(painter, rect, theme)
        painter.setFont(own)

    def _paint_cell(
        self, painter: QPainter, rect: QRect, row: CatalogueRow, column: CatalogueColumn
    ) -> None:
        metrics = self._theme.metrics
        inside = rect.adjusted(metrics.s2, 0, -metrics.s2, 0)
        match column:
            case CatalogueColumn.TICK:
                size = metrics.icon(24)
                area = QRect(0, 0, size, size)
                area.moveCenter(rect.center())
                paint_check(painter, area, self._theme, ticked=self._rows.is_ticked(row))
            case CatalogueColumn.PICTURE:
                self._paint_picture(painter, rect, row)
            case CatalogueColumn.NAME:
                self._paint_name(painter, inside, row)
            case CatalogueColumn.PRICE:
                self._paint_price(painter, inside, row)
            case CatalogueColumn.LABEL:
                self._paint_label(painter, rect, row)
            case CatalogueColumn.STATE:
                self._paint_state(painter, inside, row)
            case _:
                self._paint_words(painter, inside, self._rows.words(row, column), column)

    def _paint_words(
        self, painter: QPainter, rect: QRect, words: str, column: CatalogueColumn
    ) -> None:
        mono = column in (CatalogueColumn.EAN, CatalogueColumn.BARCODES)
        own = painter.font()
        fits = not mono and self._theme.fonts.text_metrics(own, TypeStep.BASE).fits(
            words, rect.width()
        )
        font = self._theme.font(TypeStep.BASE if fits else TypeStep.SMALL, Weight.MEDIUM, mono=mono)
        ink = self._theme.colour("ink_2")
        align = painting.RIGHT if shows_number(column) else painting.LEFT
        painting.put(painter, rect, words, ink, font, align=align, elide=True)

    def _paint_name(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        theme, metrics = self._theme, self._theme.metrics
        words = self._rows.words(row, CatalogueColumn.NAME)
        chip = self._rows.variants_words(row)
        room = rect.width()
        if chip:
            small = theme.fonts.resized(painter.font(), TypeStep.SMALL, Weight.SEMIBOLD)
            room -= painting.width_of(small, chip) + 3 * metrics.s1 + metrics.s2
        meter = theme.fonts.text_metrics(painter.font(), TypeStep.NAME)
        if not meter.fits(words, room):
            meter = theme.fonts.text_metrics(painter.font(), TypeStep.SMALL)
        high = metrics.line(TypeStep.SMALL)
        text_lines = meter.wrapped(words, room, lines=max(1, min(2, rect.height() // high)))
        top = rect.top() + (rect.height() - len(text_lines) * high) // 2
        first = QRect(rect.left(), top, rect.width(), high)
        painting.put_lines(painter, first, text_lines, meter, ink=theme.colour("ink"))
        if chip:
            wide = max(map(meter.width, text_lines))
            start = QPoint(rect.left() + wide + metrics.s2, rect.center().y() + 1)
            painting.small_chip(painter, start, theme, chip, ground="sunken", ink="ink_2")

    def _paint_price(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        words = self._rows.words(row, CatalogueColumn.PRICE)
        bold = painting.fitting(
            self._theme,
            painter.font(),
            words,
            step=TypeStep.BASE,
            weight=Weight.BOLD,
            free_width=rect.width(),
        )
        painting.put(
            painter, rect, words, self._theme.colour("ink"), bold.font, align=painting.RIGHT
        )

    def _paint_label(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        theme, size = self._theme, self._theme.metrics.icon(24)
        area = QRect(0, 0, size, size)
        area.moveCenter(rect.center())
        painting.box(
            painter,
            area,
            radius=theme.metrics.radius_cap,
            width=theme.metrics.hair,
            fill=theme.colour("surface"),
            edge=theme.colour("line"),
        )
        font = theme.fonts.resized(painter.font(), TypeStep.SMALL, Weight.SEMIBOLD)
        painting.put(
            painter,
            area,
            self._rows.words(row, CatalogueColumn.LABEL)[:1],
            theme.colour("ink"),
            font,
            align=painting.CENTRE,
        )

    def _paint_picture(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        theme = self._theme
        size = min(rect.width(), rect.height()) - 2 * theme.metrics.s1
        area = QRect(0, 0, size, size)
        area.moveCenter(rect.center())
        picture: QPixmap | None = self._pictures.of(row.picture)
        if picture is not None:
            paint_picture(painter, area, picture, theme)
            return
        if row.picture is None and row.picture_id is not None:
            self._rows.want_picture(row)
        ground, ink = theme.initials(tone_of(row))
        painting.box(painter, area, radius=theme.metrics.radius_field, fill=ground)
        font = theme.fonts.resized(painter.font(), TypeStep.SMALL, Weight.BOLD)
        painting.put(painter, area, initials(row.name), ink, font, align=painting.CENTRE)

    def _paint_state(self, painter: QPainter, rect: QRect, row: CatalogueRow) -> None:
        theme = self._theme
        unsaved = self._rows.is_unsaved(row)
        mark = self._rows.mark_of(row)
        kind = STATES[StateKind.DECIDE if unsaved else _KINDS[mark]]
        icon = "check" if kind is STATES[StateKind.DONE] else kind.icon
        icon = "git-compare" if mark is EditMark.CONFLICT and not unsaved else icon
        size = theme.metrics.icon(18)
        middle = QPoint(rect.left() + size // 2, rect.center().y() + 1)
        if self.narrow_state:
            middle.setX(rect.center().x() + 1)
        theme.draw_icon(painter, icon, kind.icon_ink, 18, middle)
        if self.narrow_state:
            return
        calm = kind is STATES[StateKind.DONE]
        ink: Token = "ink_2" if calm else kind.icon_ink
        weight = Weight.MEDIUM if calm else Weight.SEMIBOLD
        font = theme.fonts.resized(painter.font(), TypeStep.BASE, weight)
        room = rect.adjusted(size + theme.metrics.s1 + 2, 0, 0, 0)
        painting.put(
            painter, room, self._rows.state_words(row), theme.colour(ink), font, elide=True
        )
