"""What is added to the receipt, told in the cart: nobody pays without having seen it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.cashier.payment.drafts import Drafts, labels_of, ways_here
from pos_app.cashier.payment.payment_texts import (
    advance_words,
    buyer_words,
    delivery_words,
    text_words,
)
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.state import Icon
from pos_app.cashier.ui.theme import Theme
from pos_app.selling.ticket import DocumentKind, Ticket
from pos_app.selling.typed_details import NOTHING_ADDED


class AddedLine(Ground):
    """A line of the cart column: buyer, text, delivery, advance. Hidden while nothing is added."""

    def __init__(self, theme: Theme, texts: Texts, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self._texts = texts
        self._icon = Icon(theme, "building-2", colour="accent", size=18)
        self._said = ElidedLabel(theme, weight=Weight.SEMIBOLD)
        metrics = theme.metrics
        side = metrics.s3 if metrics.narrow else metrics.s4
        row = QHBoxLayout(self)
        row.setContentsMargins(side, metrics.s2, side, metrics.s2)
        row.setSpacing(metrics.s2)
        row.addWidget(self._icon)
        row.addWidget(self._said, 1)
        self.hide()

    def show_cart(self, model: SaleModel) -> None:
        """What the open cart keeps beside its lines."""
        said, is_wrong = "", False
        if model.ticket.additions != NOTHING_ADDED:
            said, is_wrong = added_words(model, self._texts)
        self._said.setText(said)
        self._said.set_colour("danger" if is_wrong else "ink")
        self._icon.set_icon(
            "triangle-alert" if is_wrong else "building-2", "danger" if is_wrong else "accent"
        )
        self.setAccessibleName(said)
        self.setToolTip(said)
        self.setVisible(bool(said))


def added_words(model: SaleModel, texts: Texts) -> tuple[str, bool]:
    """What is added to the open cart, in one line, and whether some of it must be mended."""
    usual = Drafts.usual(model.store, built=ways_here(model.services.settings))
    ticket: Ticket = model.ticket
    drafts, added = usual.with_added(ticket.additions), ticket.additions
    buyer = drafts.buyer
    bad_buyer = buyer.fault() or buyer.centre_fault() or buyer.doubt()
    bad_advance = drafts.advance.fault(labels_of(ticket)) if ticket.cart.active else None
    parts: list[tuple[str, str]] = []
    if not buyer.is_empty:
        parts.append((texts("pay.buyer"), buyer_words(buyer, texts)))
    if ticket.kind is DocumentKind.ADVANCE and added.advance != NOTHING_ADDED.advance:
        shown = advance_words(drafts.advance, texts, is_wrong=bad_advance is not None)
        parts.append((texts("pay.advance"), shown))
    if drafts.text.strip():
        parts.append((texts("pay.text"), text_words(drafts.text, texts)))
    if added.ways is not None:
        parts.append((texts("pay.delivery"), delivery_words(drafts.delivery, texts)))
    unfinished = bool(bad_buyer or drafts.delivery.fault())
    unfinished |= ticket.kind is DocumentKind.ADVANCE and bad_advance is not None
    return " · ".join(f"{name}: {value}" for name, value in parts), unfinished
