"""The cart as a list: its lines in ready-made words, and the rows with their buttons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QListView, QStyleOptionViewItem, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.paint_cart import cart_hits, cart_row_height
from pos_app.cashier.ui.rows import CartRow, CartState, CartWords
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.views import ROW, CartDelegate, Index, RowView
from pos_app.domain.cart import Cart, CartLine
from pos_app.domain.discount import LineDiscount, line_total
from pos_app.domain.money import Money, Quantity
from pos_app.domain.number_text import amount_text, percent_text, quantity_text
from pos_app.domain.tax import TaxRates, rates_at, tax_total

# --- in words ------------------------------------------------------------------------------------

Facts = tuple[tuple[str, str], ...]


def shown_lines(cart: Cart, shown_removed: frozenset[int]) -> tuple[CartLine, ...]:
    """The lines that have a row: those that are sold, and those removed just now."""
    return tuple(line for line in cart.lines if not line.removed or line.id in shown_removed)


def cart_row(
    line: CartLine, texts: Texts, *, is_current: bool, price_now: Money | None = None
) -> CartRow:
    """The row of one line. price_now: what the article costs by now, where that is different."""
    lowered = line.total != line.full or line.price != line.article.price
    before = line.article.price if line.price != line.article.price else line.price
    return CartRow(
        quantity=quantity_text(line.quantity),
        name=line.article.frozen.name,
        unit_price=amount_text(line.each),
        unit=line.article.frozen.unit or texts("unit.piece"),
        total=amount_text(line.total),
        old_unit_price=amount_text(before) if lowered else None,
        discount=discount_text(line.discount),
        old_total=amount_text(_full_at(line, before)) if lowered else None,
        note="" if price_now is None else texts("cart.price_now", price=price_now),
        state=_state(line, is_current=is_current),
    )


def discount_text(discount: LineDiscount) -> str | None:
    """A line's discount: "−20 %" or "−50,00"; None for none."""
    if isinstance(discount, Money):
        return amount_text(-discount)
    return None if discount is None else percent_text(-discount.value)


def cart_facts(
    cart: Cart, texts: Texts, *, total: Money, tax: Money | None, paid: Money = Money.ZERO
) -> Facts:
    """Number of items, what was given already, discount where there is one, and tax where its
    rates are known."""
    facts = [(texts("cart.items"), str(len(cart.active)))]
    if paid:
        facts.append((texts("cart.paid"), amount_text(paid)))
    saved = cart.full - total
    if saved:
        facts.append((texts("cart.discount"), amount_text(-saved)))
    if tax is not None:
        facts.append((texts("cart.tax"), amount_text(tax)))
    return tuple(facts)


def tax_of(
    cart: Cart, totals: Sequence[Money], rates: Iterable[TaxRates], now: datetime
) -> Money | None:
    """The tax in the lines' totals, for show; None while no rates are known. now: UTC."""
    valid = rates_at(rates, now)
    if valid is None:
        return None
    by_label: dict[str, Money] = {}
    for line, total in zip(cart.active, totals, strict=True):
        label = line.article.frozen.label.value
        by_label[label] = by_label.get(label, Money.ZERO) + total
    return tax_total(by_label, valid)


def badges(cart: Cart, product_of: Mapping[str, str]) -> dict[str, str]:
    """How many of each product are in the cart: pieces, and weighed lines counted as one each."""
    counts: dict[str, Decimal] = {}
    for line in cart.active:
        product = product_of.get(line.article.article_id, "")
        pieces = Decimal(1) if line.article.by_weight else line.quantity.amount
        counts[product] = counts.get(product, Decimal(0)) + pieces
    return {product: quantity_text(Quantity(count)) for product, count in counts.items()}


def _full_at(line: CartLine, price: Money) -> Money:
    return line.full if line.stated_total is not None else line_total(price, line.quantity)


def _state(line: CartLine, *, is_current: bool) -> CartState:
    if line.removed:
        return CartState.REMOVED
    return CartState.CURRENT if is_current else CartState.NORMAL


# --- the list ------------------------------------------------------------------------------------

_TOP = QModelIndex()


@dataclass(frozen=True, slots=True)
class IdentifiedRow:
    """A row with the id of its line."""

    line_id: int
    row: CartRow


class CartRows(QAbstractListModel):
    """The rows for Qt; a change touches only the rows that differ."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[IdentifiedRow] = []

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _TOP) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        row = self._rows[index.row()].row
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{row.quantity} × {row.name}, {row.total}"
        return None

    def line_id(self, number: int) -> int:
        """The line of a row."""
        return self._rows[number].line_id

    def number_of(self, line_id: int | None) -> int | None:
        """The row of a line, None when it has none."""
        for number, one in enumerate(self._rows):
            if one.line_id == line_id:
                return number
        return None

    def take(self, rows: Sequence[IdentifiedRow]) -> None:
        """Show these rows: equal ones at both ends stay, what is between is exchanged."""
        new, old = list(rows), self._rows
        same = 0
        while same < min(len(new), len(old)) and new[same].line_id == old[same].line_id:
            same += 1
        if len(old) > same:
            self.beginRemoveRows(_TOP, same, len(old) - 1)
            self._rows = old[:same]
            self.endRemoveRows()
        changed = [n for n in range(same) if new[n] != old[n]]
        self._rows = new[:same]
        for number in changed:
            here = self.index(number)
            self.dataChanged.emit(here, here)
        if len(new) > same:
            self.beginInsertRows(_TOP, same, len(new) - 1)
            self._rows = new
            self.endInsertRows()


class _RememberingDelegate(CartDelegate):
    """Heights are worked out once a row: a long cart is laid out at each scan."""

    def __init__(self, theme: Theme, words: CartWords) -> None:
        super().__init__(theme, words)
        self._heights: dict[tuple[CartRow, int], QSize] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: CartRow = index.data(ROW)
        key = (row, option.rect.width())
        if key not in self._heights:
            if len(self._heights) > 5_000:
                self._heights.clear()
            self._heights[key] = QSize(key[1], cart_row_height(self.theme, *key))
        return self._heights[key]


class CartList(RowView):
    """Signals: `pressed_in(str, int)` with the button ("minus", "plus", "remove", "restore" or ""
    for the row itself) and the line's id."""

    pressed_in = Signal(str, int)

    def __init__(self, theme: Theme, *, name: str, words: CartWords, parent: QWidget) -> None:
        self.cart_delegate = _RememberingDelegate(theme, words)
        super().__init__(theme, self.cart_delegate, name=name, parent=parent)
        self.rows = CartRows(self)
        self._current: int | None = None
        self.setModel(self.rows)
        # A whole cart is laid out at once, so that its last row is there to be scrolled to.
        self.setLayoutMode(QListView.LayoutMode.SinglePass)
        self.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.tapped.connect(self._on_tapped)

    def take(self, rows: Sequence[IdentifiedRow], current: int | None) -> None:
        """Show these rows, with the current one in sight."""
        self.rows.take(rows)
        self._current = current
        self._scroll_to_current()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The widgets above or below took room, as the last receipt does over a recalled cart."""
        super().resizeEvent(event)
        self._scroll_to_current()

    def set_words(self, words: CartWords) -> None:
        """Other words on the buttons."""
        self.cart_delegate.words = words
        self.viewport().update()

    def button_at(self, place: QPoint) -> tuple[str, int] | None:
        """The button and line at a place of the viewport; "" beside the buttons."""
        index = self.indexAt(place)
        if not index.isValid():
            return None
        rect = self.visualRect(index)
        hits = cart_hits(rect, self.theme, index.data(ROW), self.cart_delegate.words)
        return hits.at(place), self.rows.line_id(index.row())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        hit = self.button_at(event.position().toPoint())
        self.cart_delegate.pressed = hit[0] if hit else ""
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.cart_delegate.pressed = ""
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()  # all keys are the window's: they work wherever the focus is

    def _scroll_to_current(self) -> None:
        number = self.rows.number_of(self._current)
        if number is not None:
            self.scrollTo(self.rows.index(number))

    def _on_tapped(self, _: QModelIndex, place: QPoint) -> None:
        hit = self.button_at(place)
        if hit is not None:
            self.pressed_in.emit(*hit)
