"""A question about an unusually high number or a day that is past: the figure in large type, and a
plain button that confirms it.

Enter does not press the button, because a scanner that typed the number ends it with Enter; F12
does.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.commands import TillCommand, cap_of
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.moments import date_text
from pos_app.domain.money.money import Quantity
from pos_app.domain.money.number_text import amount_text, quantity_text
from pos_app.selling.sale.unusual_amounts import Unusual, UnusualKind

_WORDS: Mapping[
    UnusualKind, Literal["sure.words_of_law", "sure.words_of_free", "sure.words_of_expired"]
] = {
    UnusualKind.CASH_KEPT: "sure.words_of_law",
    UnusualKind.EXPIRED: "sure.words_of_expired",
    UnusualKind.FREE: "sure.words_of_free",
}


class ConfirmAmount(QWidget):
    """The body of the question. Signal: `agreed()`."""

    agreed = Signal()

    def __init__(self, theme: Theme, texts: Texts, unusual: Unusual) -> None:
        super().__init__()
        shown = _figure_text(unusual)
        what = texts(f"sure.{unusual.what}")
        is_past = unusual.what is UnusualKind.EXPIRED
        yes = texts("sure.yes_expired" if is_past else "sure.yes")
        self.yes = Button(theme, yes, key=cap_of(TillCommand.PAY))
        self.yes.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.yes.clicked.connect(self.agreed)
        amount = AmountLabel(theme, shown, name=what, step=TypeStep.TOTAL)
        words = texts(_WORDS.get(unusual.what, "sure.words"))
        notice = NoticePanel(theme, NoticeKind.WARN, happened=what, safe=words, press="")
        of_line = _line_words(unusual, texts)
        self.setAccessibleName(" ".join(filter(None, (what, shown, of_line))))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s4)
        column.addWidget(notice)
        column.addWidget(amount)
        if of_line:
            column.addWidget(Label(theme, of_line, step=TypeStep.STRONG, wrap=True))
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.yes)
        column.addLayout(row)
        column.addStretch(1)


def _figure_text(unusual: Unusual) -> str:
    """The figure, with its unit where it has one: "412 kg", "696.280,00"."""
    figure = unusual.figure
    if isinstance(figure, date):
        return date_text(figure)
    if not isinstance(figure, Quantity):
        return amount_text(figure)
    unit = "" if unusual.article is None else unusual.article.frozen.unit
    return f"{quantity_text(figure)} {unit}".rstrip()


def _line_words(unusual: Unusual, texts: Texts) -> str:
    if unusual.article is None:
        return ""
    if unusual.total is None:
        return unusual.article.frozen.name
    return texts("sure.line", name=unusual.article.frozen.name, total=unusual.total)
