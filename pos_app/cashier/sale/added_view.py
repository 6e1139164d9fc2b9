"""What is added to the receipt, told in the cart: nobody pays without having seen it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.labels import ElidedLabel
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.panel import Ground
from pos_app.cashier.look.state import Icon
from pos_app.cashier.payment.delivery import ways_here
from pos_app.cashier.payment.drafts import Drafts, labels_of
from pos_app.cashier.payment.say import advance_words, buyer_words, delivery_words, text_words
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.texts import Words
from pos_app.cashier.texts_payment import ENGLISH, SERBIAN
from pos_app.selling.additions import NOTHING_ADDED
from pos_app.selling.basket import Basket, DocumentKind


class AddedLine(Ground):
    """A line of the cart column: buyer, text, delivery, advance. Hidden while nothing is added."""

    def __init__(self, look: Look, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(look, parent=parent)
        self._words = words
        words.learn(SERBIAN, ENGLISH)
        self._icon = Icon(look, "building-2", colour="accent", size=18)
        self._said = ElidedLabel(look, weight=Weight.SEMIBOLD)
        metrics = look.metrics
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
        if model.basket.additions != NOTHING_ADDED:
            said, is_wrong = added_words(model, self._words)
        self._said.setText(said)
        self._said.set_colour("danger" if is_wrong else "ink")
        self._icon.set_icon(
            "triangle-alert" if is_wrong else "building-2", "danger" if is_wrong else "accent"
        )
        self.setAccessibleName(said)
        self.setToolTip(said)
        self.setVisible(bool(said))


def added_words(model: SaleModel, words: Words) -> tuple[str, bool]:
    """What is added to the open cart, in one line, and whether some of it must be mended."""
    usual = Drafts.usual(model.store, built=ways_here(model.counter.settings))
    basket: Basket = model.basket
    drafts, added = usual.with_added(basket.additions), basket.additions
    buyer = drafts.buyer
    bad_buyer = buyer.fault() or buyer.centre_fault() or buyer.doubt()
    bad_advance = drafts.advance.fault(labels_of(basket)) if basket.cart.active else None
    parts: list[tuple[str, str]] = []
    if not buyer.is_empty:
        parts.append((words("pay.buyer"), buyer_words(buyer, words)))
    if basket.kind is DocumentKind.ADVANCE and added.advance != NOTHING_ADDED.advance:
        shown = advance_words(drafts.advance, words, is_wrong=bad_advance is not None)
        parts.append((words("pay.advance"), shown))
    if drafts.text.strip():
        parts.append((words("pay.text"), text_words(drafts.text, words)))
    if added.ways is not None:
        parts.append((words("pay.delivery"), delivery_words(drafts.delivery, words)))
    unfinished = bool(bad_buyer or drafts.delivery.fault())
    unfinished |= basket.kind is DocumentKind.ADVANCE and bad_advance is not None
    return " · ".join(f"{name}: {value}" for name, value in parts), unfinished
