"""The panel that says what was done: tint, tick, the numbers of the receipts, what the hand gives.

Every screen whose act has issued something shows this one, so that success looks alike everywhere.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout

from pos_app.cashier.ui.labels import AmountLabel, Icon, Label, NumberLabel
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.lazy_dataclass import dataclass

NEXT_ICON = "chevron-right"
"""The icon of the big button that leads from what was done to the next sale."""


@dataclass(frozen=True, slots=True)
class DoneContent:
    """What was done. numbers: of what was issued, one for each line. figure: the name of what the
    hand gives, or the words that it gives nothing; amount: how much, or "". An act that is not
    about money, such as a copy, has neither. words: what else is to be known or done."""

    title: str
    numbers: tuple[str, ...]
    figure: str = ""
    amount: str = ""
    words: str = ""


class DonePanel(Panel):
    def __init__(self, theme: Theme, content: DoneContent) -> None:
        super().__init__(theme)
        self.set_chosen(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        given = f"{content.figure} {content.amount}".strip()
        told = (content.title.removesuffix("."), *content.numbers, given, content.words)
        self.setAccessibleName(". ".join(filter(None, told)))
        metrics = theme.metrics
        whole = QVBoxLayout(self)
        whole.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        whole.setSpacing(metrics.s1)
        whole.addLayout(self._what(content))
        if content.figure:
            whole.addLayout(self._given(content))
        if content.words:
            words = Label(theme, content.words, step=TypeStep.SMALL, colour="ink_2", wrap=True)
            whole.addWidget(words)

    def _what(self, content: DoneContent) -> QHBoxLayout:
        row, column = QHBoxLayout(), QVBoxLayout()
        row.setSpacing(self.theme.metrics.s3)
        column.setSpacing(0)
        tick = Icon(self.theme, "circle-check", colour="accent", size=26)
        row.addWidget(tick, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        column.addWidget(
            Label(
                self.theme, content.title, step=TypeStep.STRONG, weight=Weight.SEMIBOLD, wrap=True
            )
        )
        for number in content.numbers:
            column.addWidget(NumberLabel(self.theme, number, step=TypeStep.SMALL, colour="ink_2"))
        return row

    def _given(self, content: DoneContent) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(0)
        is_narrow = self.theme.metrics.narrow
        step = TypeStep.TITLE if content.amount or is_narrow else TypeStep.AMOUNT
        column.addWidget(
            Label(self.theme, content.figure, step=step, weight=Weight.BOLD, wrap=True)
        )
        if content.amount:
            step = TypeStep.TOTAL if is_narrow else TypeStep.CHANGE
            amount = AmountLabel(self.theme, content.amount, name=content.figure, step=step)
            column.addWidget(amount)
        return column
