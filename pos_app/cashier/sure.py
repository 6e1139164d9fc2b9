"""A number far above the usual: what it is, in large, and the plain button that says it is right.

Enter is never that button: a scanner that typed the number ends it with Enter, and presses no F12.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.look.buttons import Button
from pos_app.cashier.look.labels import AmountLabel
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.notice import Notice, NoticeKind
from pos_app.cashier.texts import Words
from pos_app.domain.money import Quantity
from pos_app.domain.numerals import amount_text, quantity_text
from pos_app.selling.plausible import Unusual


class Sure(QWidget):
    """The body of that question. Signal: `agreed()`."""

    agreed = Signal()

    def __init__(self, look: Look, words: Words, unusual: Unusual) -> None:
        super().__init__()
        figure = unusual.figure
        shown = quantity_text(figure) if isinstance(figure, Quantity) else amount_text(figure)
        what = words(f"sure.{unusual.what}")
        self.yes = Button(look, words("sure.yes"), key="F12")
        self.yes.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.yes.clicked.connect(self.agreed)
        amount = AmountLabel(look, shown, name=what, step=Step.TOTAL)
        notice = Notice(look, NoticeKind.WARN, happened=what, safe=words("sure.words"), press="")
        self.setAccessibleName(f"{what} {shown}")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(look.metrics.s4)
        column.addWidget(notice)
        column.addWidget(amount)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.yes)
        column.addLayout(row)
        column.addStretch(1)
