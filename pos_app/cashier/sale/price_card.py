"""A price that was asked for, large enough to be read by the customer across the counter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.sale.questions import PriceTold
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money import Money
from pos_app.domain.number_text import amount_text


class PriceCard(Panel):
    """Name, what it costs, and for how much of it; of a weighed pack its own price is the large
    one. price: what one costs."""

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        told: PriceTold,
        price: Money,
        *,
        buttons: Sequence[QAbstractButton],
        parent: QWidget,
    ) -> None:
        super().__init__(theme, colour="info_ground", parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        unit = told.article.unit or texts("unit.piece")
        shown = amount_text(price if told.total is None else told.total)
        beside = texts("price.per", unit=unit) if told.total is None else texts("price.pack")
        rest = [texts("price.not_added")]
        if told.total is not None:
            rest.insert(0, texts("price.pack_per", price=price, unit=unit) + ".")
        self.setAccessibleName(f"{told.article.name}: {shown} {beside}. {' '.join(rest)}")
        metrics = theme.metrics
        row = QHBoxLayout(self)
        row.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        row.setSpacing(metrics.s4)
        left = QVBoxLayout()
        left.setSpacing(0)
        name = Label(theme, told.article.name, step=Step.TITLE, weight=Weight.BOLD, wrap=True)
        left.addWidget(name)
        left.addWidget(Label(theme, " ".join(rest), colour="ink_2", wrap=True))
        keys = QHBoxLayout()
        keys.setSpacing(metrics.s2)
        for button in buttons:
            keys.addWidget(button)
        keys.addStretch(1)
        left.addSpacing(metrics.s2)
        left.addStretch(1)
        left.addLayout(keys)
        row.addLayout(left, 1)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addStretch(1)
        amount = AmountLabel(theme, shown, name=told.article.name)
        amount.setMinimumWidth(amount.wanted().width())
        right.addWidget(amount)
        per = Label(theme, beside, step=Step.STRONG, weight=Weight.SEMIBOLD)
        right.addWidget(per, 0, Qt.AlignmentFlag.AlignRight)
        right.addStretch(1)
        row.addLayout(right)
