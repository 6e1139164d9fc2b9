"""The cart column: last receipt, rows, total. It never moves and never changes its width."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.sale.added_view import AddedLine
from pos_app.cashier.sale.cart_list import CartList, IdentifiedRow
from pos_app.cashier.sale.cart_parts import CartTotal
from pos_app.cashier.sale.last_sale_problem import LastSaleProblem, last_sale_problem
from pos_app.cashier.sale.last_view import LastLarge, LastStrip
from pos_app.cashier.sale.lines import LineActs
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.open_sale import Part
from pos_app.cashier.sale.rows import Facts, cart_facts, cart_row, shown_lines, tax_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.rows import CartWords
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.cart import CartLine
from pos_app.domain.money import Money
from pos_app.domain.number_text import amount_text

SHARE = 0.37
"""Of the window's width."""

_Seen = tuple[CartLine, bool, Money | None]
"""What a row was made of: line, touched, price of now."""


class CartColumn(Ground):
    """The open cart. Signals: `last_pressed()`; `solve_pressed(str)`, what the last sale calls a
    person for, by its row in Attention."""

    last_pressed = Signal()
    solve_pressed = Signal(str)

    def __init__(
        self, model: SaleModel, lines: LineActs, texts: Texts, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(theme, side=Qt.Edge.RightEdge, parent=parent)
        self._model = model
        self._lines = lines
        self._texts = texts
        self._quiet = False
        self._care: LastSaleProblem | None = None
        self._made: dict[int, tuple[_Seen, IdentifiedRow]] = {}
        self._past: set[str] = set()
        """Keys of last sales after which another was begun: their change was given out."""
        self.strip = LastStrip(theme, texts, self)
        self.large = LastLarge(theme, texts, self)
        self.list = CartList(theme, name=texts("cart.name"), words=self._cart_words(), parent=self)
        self.added = AddedLine(theme, texts, self)
        self.total = CartTotal(theme, self)
        self._build()
        self.strip.clicked.connect(self.last_pressed)
        self.strip.solve.clicked.connect(self._solve)
        self.large.clicked.connect(self.last_pressed)
        self.large.solve_pressed.connect(self._solve)
        self.list.pressed_in.connect(self._on_pressed)
        texts.changed.connect(self._in_other_words)
        model.listen(self._on_change)
        self._show_cart()
        self._show_last()

    def set_quiet(self, quiet: bool) -> None:
        """Without a touched row, as while the payment is open."""
        if quiet != self._quiet:
            self._quiet = quiet
            self._show_cart()

    def take_width(self, window_width: int) -> None:
        """The fixed share of a window so wide."""
        self.setFixedWidth(round(window_width * SHARE))
        self._show_cart()

    # --- parts -----------------------------------------------------------------------------------

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, self.theme.metrics.hair, 0)
        column.setSpacing(0)
        self._pages = QStackedLayout()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self.large)
        column.addWidget(self.strip)
        column.addLayout(self._pages, 1)
        column.addWidget(self.added)
        column.addWidget(self.total)

    def _on_change(self, parts: frozenset[Part]) -> None:
        if Part.LAST in parts:
            self._show_last()
        if Part.CART in parts:
            self._show_cart()
            self._paint_now()

    def _paint_now(self) -> None:
        """Scan to paint never passes through the event loop (architecture, rule of the way)."""
        if self.isVisible():
            page = self.list.viewport() if self._pages.currentIndex() == 0 else self.large
            page.repaint()
            self.total.repaint()

    def _show_cart(self) -> None:
        model, texts = self._model, self._texts
        cart = model.ticket.cart
        touched = None if self._quiet else model.touched
        rows = self._rows(touched)
        self.list.take(rows, touched)
        empty = not rows
        self._pages.setCurrentIndex(1 if empty else 0)
        if model.last is not None and not empty and model.last.key not in self._past:
            self._past.add(model.last.key)
            self._show_last()
        self._show_strip()
        self.added.show_cart(model)
        status = model.services.server.status
        rates = status.rates if status else ()
        tax = tax_of(cart, model.totals, rates, model.services.till.clock.now())
        total, paid = model.total, model.ticket.additions.paid_in_all
        self.total.set_total(
            self._fitting(cart_facts(cart, texts, total=total, tax=tax, paid=paid)),
            label=texts("cart.total"),
            currency=texts("cart.currency"),
            total=amount_text(total),
        )

    def _fitting(self, facts: Facts) -> Facts:
        """As many facts as the column has room for: a figure is never cut."""
        metrics = self.theme.metrics
        font = self.theme.font(Step.SMALL, Weight.SEMIBOLD)
        room = self.width() - 2 * (metrics.s3 if metrics.narrow else metrics.s4)
        gap = metrics.s3 if metrics.narrow else metrics.s6
        shown: list[tuple[str, str]] = []
        for name, value in facts:
            room -= width_of(font, name) + metrics.s1 + width_of(font, value)
            if room < 0 and shown:
                break
            shown.append((name, value))
            room -= gap
        return tuple(shown)

    def _rows(self, touched: int | None) -> list[IdentifiedRow]:
        """The rows; those of lines that did not change are the same as before."""
        model, made = self._model, self._made
        rows = []
        for line in shown_lines(model.ticket.cart, model.struck):
            seen = (line, line.id == touched, model.new_prices.get(line.article.article_id))
            kept = made.get(line.id)
            if kept is None or kept[0][0] is not line or kept[0][1:] != seen[1:]:
                row = cart_row(line, self._texts, touched=seen[1], price_now=seen[2])
                kept = made[line.id] = (seen, IdentifiedRow(line.id, row))
            rows.append(kept[1])
        return rows

    def _show_last(self) -> None:
        last = self._model.last
        care = self._care = (
            last_sale_problem(last, self._model.services) if last is not None else None
        )
        self.large.show_sale(last, care, is_past=last is not None and last.key in self._past)
        self.strip.show_sale(last, care)
        self._show_strip()

    def _solve(self) -> None:
        if self._care is not None:
            self.solve_pressed.emit(self._care.row_id)

    def _show_strip(self) -> None:
        """Over a cart, and over an empty one whose last sale is past."""
        last = self._model.last
        has_cart = self._pages.currentIndex() == 0
        self.strip.setVisible(last is not None and (has_cart or last.key in self._past))

    def _on_pressed(self, button: str, line_id: int) -> None:
        acts = {
            "minus": self._lines.fewer,
            "plus": self._lines.more,
            "remove": self._lines.remove,
            "restore": self._lines.put_back,
            "": self._lines.touch,
        }
        acts[button](line_id)

    def _cart_words(self) -> CartWords:
        return CartWords(remove=self._texts("cart.remove"), restore=self._texts("cart.restore"))

    def _in_other_words(self) -> None:
        self._made.clear()
        self.large.forget_words()
        self.list.set_words(self._cart_words())
        self.list.setAccessibleName(self._texts("cart.name"))
        self._show_cart()
        self._show_last()
