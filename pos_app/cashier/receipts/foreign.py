"""A receipt that the journal does not have: what its code says, and the way to refund it by hand.

Source: fiscal.md 6.6; till.md ("Receipts").
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from pos_app.cashier.receipt_words import kind_words, signed_amount
from pos_app.cashier.receipts.acts import REFUND
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.panel import EmptyState
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.foreign_receipt import ForeignReceipt
from pos_app.domain.instant import in_belgrade


def told_facts(receipt: ForeignReceipt, texts: Texts) -> Iterator[tuple[str, str]]:
    """What its code says, line by line; never the buyer, who may be a person."""
    yield texts("receipts.foreign.number"), receipt.number
    yield texts("receipts.foreign.counter"), receipt.counter
    yield texts("receipts.foreign.kind"), kind_words(receipt.kind, texts)
    yield texts("receipts.foreign.time"), f"{in_belgrade(receipt.time):%d.%m.%Y. %H:%M:%S}"


class ForeignPanel(QWidget):
    """Signal: `refund_pressed()`."""

    refund_pressed = Signal()

    def __init__(self, theme: Theme, texts: Texts, receipt: ForeignReceipt) -> None:
        super().__init__()
        metrics = theme.metrics
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        column.setSpacing(metrics.s3)
        column.addWidget(
            EmptyState(
                theme, title=texts("receipts.foreign.title"), words=texts("receipts.foreign.words"),
                icon="circle-alert", colour="warn",
            )
        )  # fmt: skip
        amount = AmountLabel(
            theme, signed_amount(receipt.kind, receipt.total), name=texts("receipts.foreign.total")
        )
        column.addWidget(amount, 0, Qt.AlignmentFlag.AlignRight)
        grid = QGridLayout()
        grid.setHorizontalSpacing(metrics.s4)
        grid.setVerticalSpacing(metrics.s2)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(told_facts(receipt, texts)):
            grid.addWidget(Label(theme, name, colour="ink_2"), row, 0)
            grid.addWidget(Label(theme, value, weight=Weight.SEMIBOLD, wrap=True), row, 1)
        column.addLayout(grid)
        self.refund = Button(
            theme, texts("receipts.foreign.refund"), icon="undo-2", key=REFUND,
            kind=ButtonKind.DANGER,
        )  # fmt: skip
        self.refund.clicked.connect(self.refund_pressed)
        if not receipt.may_be_refunded:
            reason = texts("receipts.foreign.never")
            self.refund.refuse(reason)
            column.addWidget(Label(theme, reason, step=TypeStep.SMALL, colour="ink_2", wrap=True))
        column.addWidget(self.refund, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
