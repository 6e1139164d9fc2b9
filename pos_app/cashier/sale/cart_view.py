"""The cart column: last receipt, rows, additions to the receipt, total.

It never moves, and only the window changes its width.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from pos_app.cashier.acts.known_buyers import KnownBuyers
from pos_app.cashier.sale import last_sale
from pos_app.cashier.sale.cart_list import CartList, IdentifiedRow
from pos_app.cashier.sale.cart_parts import CartTotal
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.notices import LastNotice
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import IconButton
from pos_app.cashier.ui.labels import ElidedLabel, Icon
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.painting import width_of
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.rows import CartWords
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import ATTENTION, CasePlace
from pos_app.cashier.words import cart_texts
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.cart import CartLine
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.receipt_drafts import Drafts, FaultPart, labels_of
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import NOTHING_ADDED, DocumentKind, Ticket


class AddedLine(Ground):
    """The row for additions: buyer, text, delivery, advance, returned goods. It is hidden while
    nothing is added."""

    def __init__(self, theme: Theme, texts: Texts, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._texts = texts
        self._icon = Icon(theme, "building-2", colour="accent", size=18)
        self._words_label = ElidedLabel(theme, weight=Weight.SEMIBOLD)
        metrics = theme.metrics
        side = metrics.s3 if metrics.narrow else metrics.s4
        row = QHBoxLayout(self)
        row.setContentsMargins(side, metrics.s2, side, metrics.s2)
        row.setSpacing(metrics.s2)
        row.addWidget(self._icon)
        row.addWidget(self._words_label, 1)
        self.leave = IconButton(theme, "x", texts("cart.exchange.leave"))
        self.leave.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row.addWidget(self.leave)
        self.hide()

    def show_cart(self, model: SaleModel, *, is_typed_now: bool) -> None:
        """is_typed_now: what is added may be typed just now, so that nothing is wrong yet."""
        parts, is_wrong = list[Added](), False
        ticket = model.cart.ticket
        if ticket.name or ticket.typed_details != NOTHING_ADDED:
            parts, is_unfinished = added_parts(model, self._texts, is_typed_now=is_typed_now)
            is_wrong = is_unfinished and not is_typed_now
        text = " · ".join(f"{part.name}: {part.value}" for part in parts)
        self._words_label.setText(text)
        self._words_label.set_colour("danger" if is_wrong else "ink")
        if is_wrong:
            self._icon.set_icon("triangle-alert", "danger")
        elif parts:
            self._icon.set_icon(parts[0].icon, "accent")
        self.setAccessibleName(text)
        self.setToolTip(text)
        self.leave.setVisible(model.cart.ticket.sends_refund)
        self.setVisible(bool(text))


class Added(NamedTuple):
    icon: str
    name: str
    value: str


def added_parts(model: SaleModel, texts: Texts, *, is_typed_now: bool) -> tuple[list[Added], bool]:
    """Return the open cart's additions, and whether some of them must be corrected. What pays for a
    part of the cart is told here without its sum, which the foot of the cart has."""
    usual = Drafts.usual(model.context.store, built=model.context.services.ways_here)
    ticket: Ticket = model.cart.ticket
    drafts, added = usual.with_added(ticket.typed_details), ticket.typed_details
    buyer = drafts.buyer
    known = KnownBuyers(model.context.services.buyers)
    finds = buyer.is_name or (buyer.fault() is not None and bool(known.matching(buyer)))
    is_search = is_typed_now and finds
    bad_buyer = buyer.fault() or buyer.centre_fault() or buyer.unconfirmed_warning()
    bad_advance = drafts.advance.fault(labels_of(ticket)) if ticket.cart.active else None
    parts = [Added("pause", texts("cart.called"), ticket.name)] if ticket.name else []
    if (goods := ticket.exchanged) is not None:
        text_id = "cart.exchange.owed" if goods.is_refunded else "cart.exchange.back"
        text = texts(text_id, number=short_number(goods.number))
        parts.append(Added("refresh-cw", texts("cart.exchange"), text))
    if not buyer.is_empty:
        words = buyer.value if is_search else ""  # one of the firms that it finds is taken
        words = words or cart_texts.buyer_draft_words(buyer, texts, name=known.name(buyer))
        parts.append(Added("building-2", texts("pay.buyer"), words))
    if ticket.kind is DocumentKind.ADVANCE and added.advance != NOTHING_ADDED.advance:
        shown = cart_texts.advance_words(drafts.advance, texts, is_wrong=bad_advance is not None)
        parts.append(Added("hand-coins", texts("pay.advance"), shown))
    if drafts.text.strip():
        named = cart_texts.option_text_id(FaultPart.TEXT, ticket.kind, texts)
        parts.append(
            Added("message-square-text", texts(named), cart_texts.text_words(drafts.text, texts))
        )
    may_refer = ticket.kind in (DocumentKind.SALE, DocumentKind.ADVANCE)
    if added.referent is not None and may_refer:
        number = short_number(added.referent.number)
        if ticket.paid_before:
            value = texts("cart.paid_before.value", number=number)
            parts.insert(0, Added("hand-coins", texts("cart.paid_before"), value))
        else:
            parts.append(Added("receipt-text", texts("cart.proforma"), number))
    if added.ways is not None:
        named = cart_texts.option_text_id(FaultPart.DELIVERY, ticket.kind, texts)
        parts.append(
            Added("printer", texts(named), cart_texts.delivery_words(drafts.delivery, texts))
        )
    unfinished = bool((bad_buyer and not is_search) or drafts.delivery.fault())
    unfinished |= ticket.kind is DocumentKind.ADVANCE and bad_advance is not None
    return parts, unfinished


SHARE = 0.37
"""The column's share of the window's width."""

_Seen = tuple[CartLine, bool, Money | None]
"""The facts that a row is made from: its line, whether the line is current, and a changed price."""


class CartColumn(Ground):
    def __init__(self, model: SaleModel, ui: UiContext, frame: Frame, parent: QWidget) -> None:
        super().__init__(ui.theme, side=Qt.Edge.RightEdge, parent=parent)
        texts, theme = ui.texts, ui.theme
        self._frame = frame
        self._model = model
        self._texts = texts
        self._quiet = False
        self._care: last_sale.LastSaleProblem | None = None
        self._stale = set[QWidget]()
        """The views of the last sale that don't show its present state yet."""
        self._made: dict[int, tuple[_Seen, IdentifiedRow]] = {}
        self.strip = last_sale.LastStrip(theme, texts, self)
        self.large = last_sale.LastLarge(theme, texts, self)
        self.list = CartList(theme, name=texts("cart.name"), words=self._cart_words(), parent=self)
        self.added = AddedLine(theme, texts, self)
        self.total = CartTotal(theme, self)
        self._build()
        self.added.leave.clicked.connect(model.cart.end_exchange)
        self.strip.clicked.connect(self._press_last)
        self.strip.solve.clicked.connect(self._solve)
        self.large.clicked.connect(self._press_last)
        self.large.solve_pressed.connect(self._solve)
        self.list.pressed_in.connect(self._on_pressed)
        model.context.listen(self._on_change, SalePart.CART, SalePart.LAST)
        self._show_cart()
        self._show_last()

    def set_quiet(self, quiet: bool) -> None:
        """Set whether no current row is shown, as while the payment is open."""
        if quiet != self._quiet:
            self._quiet = quiet
            self._show_cart()

    def take_width(self, window_width: int) -> None:
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

    def _on_change(self, sale_parts: frozenset[SalePart]) -> None:
        if SalePart.LAST in sale_parts:
            self._take_last()
        if SalePart.CART in sale_parts:
            self._paint_cart()
        elif SalePart.LAST in sale_parts:
            self._show_strip()

    def _paint_cart(self) -> None:
        """Show the rows, then the total. What a scan changed is painted without the event loop
        (sale.md 1); an empty cart is painted by it."""
        self._show_rows()
        is_painted_now = self.isVisible() and not self._model.cart.ticket.cart.is_empty
        if is_painted_now:
            self.list.viewport().repaint()
        self._show_total()
        if is_painted_now:
            self.total.paint_now()

    def _show_cart(self) -> None:
        self._show_rows()
        self._show_total()

    def _show_rows(self) -> None:
        model = self._model
        current = None if self._quiet else model.cart.current_line_id
        rows = self._rows(current)
        self.list.take(rows, current)
        empty = not rows and model.cart.ticket.is_idle
        self._pages.setCurrentIndex(1 if empty else 0)
        last, screen = model.confirmation.last, model.context.screen
        if last is not None and not empty and not screen.is_change_given(last):
            screen.note_change_given(last)
            self._take_last()
        self._show_strip()
        self.added.show_cart(model, is_typed_now=self._quiet)

    def _show_total(self) -> None:
        model, texts = self._model, self._texts
        cart = model.cart.ticket.cart
        status = model.context.services.server.status
        rates = status.rates if status else ()
        tax = cart_texts.tax_of(cart, cart.totals, rates, model.context.services.till.clock.now())
        total, paid = model.cart.total, model.cart.ticket.typed_details.paid_in_all
        paid_by = cart_texts.credits_of(model.cart.ticket, texts)
        label, figure = texts("cart.total"), total
        if paid_by:
            gives, beside = model.cart.to_give, model.cart.to_give_beside
            label, figure = texts("cart.due"), model.cart.to_pay
            if gives:
                label, figure = texts("figure.give"), gives
                paid_by += cart_texts.given_beside(beside, texts)
            elif beside.total:
                label, figure = texts("pay.back_beside"), beside.total
        self.total.set_total(
            self._fitting(cart_texts.cart_facts(cart, texts, total=total, tax=tax, paid=paid)),
            label=label,
            currency=texts("cart.currency"),
            total=amount_text(figure),
            sums=((texts("cart.total"), amount_text(total)), *paid_by) if paid_by else (),
        )

    def _fitting(self, facts: cart_texts.LabelledTexts) -> cart_texts.LabelledTexts:
        """Return as many facts as the column has room for, because a figure is never cut."""
        metrics = self.theme.metrics
        font = self.theme.font(TypeStep.SMALL, Weight.SEMIBOLD)
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

    def _rows(self, current: int | None) -> list[IdentifiedRow]:
        """Return the rows; an unchanged line keeps its row."""
        model, made = self._model, self._made
        rows = []
        for line in cart_texts.shown_lines(model.cart.ticket.shown_cart, model.cart.shown_removed):
            seen = (line, line.id == current, model.cart.new_prices.get(line.article.article_id))
            kept = made.get(line.id)
            if kept is None or kept[0][0] is not line or kept[0][1:] != seen[1:]:
                row = cart_texts.cart_row(line, self._texts, is_current=seen[1], price_now=seen[2])
                kept = made[line.id] = (seen, IdentifiedRow(line.id, row))
            rows.append(kept[1])
        return rows

    def _show_last(self) -> None:
        self._take_last()
        self._show_strip()

    def _take_last(self) -> None:
        to_mend = _to_mend(self._model.confirmation.last, self._model.confirmation.last_pair)
        self._care = (
            last_sale.last_sale_problem(to_mend, self._model.context.services)
            if to_mend is not None
            else None
        )
        self._stale = {self.large, self.strip}

    def _solve(self) -> None:
        if self._care is not None:
            self._frame.open(ATTENTION, CasePlace(self._care.row_id))

    def _press_last(self) -> None:
        """Show the facts of the last sale, or its row in Attention if the sale is not done."""
        last = self._model.confirmation.last
        to_mend = _to_mend(last, self._model.confirmation.last_pair)
        if to_mend is not None and to_mend.state is not SaleState.DONE:
            self._frame.open(ATTENTION, CasePlace(to_mend.key))
        elif last is not None:
            self._model.context.notify(LastNotice(last))

    def _show_strip(self) -> None:
        """Show the last sale where it is seen: in the strip above the cart while the cart has rows,
        or once that sale is past; else in place of the rows."""
        confirmation, care = self._model.confirmation, self._care
        last, screen = confirmation.last, self._model.context.screen
        is_past = screen.is_change_given(last)
        has_cart = self._pages.currentIndex() == 0
        in_strip = last is not None and (has_cart or is_past)
        if not has_cart and self.large in self._stale:
            self._stale.discard(self.large)
            self.large.show_sale(last, care, is_past=is_past, pair=confirmation.last_pair)
        if in_strip and self.strip in self._stale:
            self._stale.discard(self.strip)
            self.strip.show_sale(last, care, pair=confirmation.last_pair)
        self.strip.setVisible(in_strip)

    def _on_pressed(self, button: str, line_id: int) -> None:
        acts = {
            "minus": self._model.cart.decrease,
            "plus": self._model.cart.increase,
            "remove": self._model.cart.remove_line,
            "restore": self._model.cart.put_back_line,
            "": self._model.cart.select_line,
        }
        acts[button](line_id)

    def _cart_words(self) -> CartWords:
        return CartWords(remove=self._texts("cart.remove"), restore=self._texts("cart.restore"))


def _to_mend(last: Sale | None, pair: FrozenPair | None) -> Sale | None:
    """Return the last sale, or the next part of its pair, which the row in Attention is about."""
    return last if pair is None else pair.next_part
