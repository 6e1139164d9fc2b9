"""What a number comes to while it is typed: the price that it is reckoned with, and the result."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from pos_app.cashier.sale.rows import discount_text
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.cart import CartLine
from pos_app.domain.money import Money, Quantity
from pos_app.domain.number_text import amount_text, quantity_text

NOTHING = "—"


class Reckoning(Panel):
    """given: what is reckoned with, in words ("189,99 / kg")."""

    def __init__(self, theme: Theme, texts: Texts, given: str) -> None:
        super().__init__(theme)
        self._texts = texts
        self._given = given
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        metrics = theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s1)
        column.addWidget(Label(theme, given, step=Step.STRONG, weight=Weight.SEMIBOLD, wrap=True))
        row = QHBoxLayout()
        row.setSpacing(metrics.s2)
        self._amount = AmountLabel(theme, NOTHING, name=texts("reckon.total"), step=Step.AMOUNT)
        row.addWidget(Label(theme, texts("reckon.total"), colour="ink_2"))
        row.addWidget(self._amount, 1)
        column.addLayout(row)
        self.show_total(None)

    def show_total(self, total: Money | None) -> None:
        """What it comes to; None while nothing was typed that makes an amount."""
        shown = NOTHING if total is None else amount_text(total)
        self._amount.setText(shown)
        self.setAccessibleName(f"{self._given}, {self._texts('reckon.total')} {shown}")

    def total(self) -> str:
        """The result as it is shown."""
        return self._amount.text()


def price_words(price: Money, unit: str, texts: Texts) -> str:
    """What one costs: "189,99 / kg"."""
    return f"{amount_text(price)} / {unit or texts('unit.piece')}"


def line_words(line: CartLine, texts: Texts, *, counted: bool = False) -> str:
    """What one of a line costs, and its discount; counted: with how many there are."""
    said = price_words(line.price, line.article.frozen.unit, texts)
    if counted and line.quantity != Quantity.ONE:
        said = f"{quantity_text(line.quantity)} × {said}"
    lowered = discount_text(line.discount)
    return said if lowered is None else f"{said} ({lowered})"
