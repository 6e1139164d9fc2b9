"""The rows that show what is approved: the act, the article or receipt, the amount, who asks."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from pos_app.cashier.gate.about import About
from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text, percent_text
from pos_app.selling.people.rights import Act


def rows_of(lock: ManagerLock, about: About, texts: Texts) -> list[tuple[str, str]]:
    """The name and content of each row."""
    person = lock.services.here.person
    rows = [
        ("act", _act_words(lock, about, texts)),
        (about.what, about.of),
        ("amount", _amounts(about)),
        ("drawer", about.drawer),
        ("asks", person.name if person is not None else ""),
    ]
    return [(texts(f"approve.row.{name}"), words) for name, words in rows if words]


def _act_words(lock: ManagerLock, about: About, texts: Texts) -> str:
    if about.words:
        return about.words
    if about.key:
        return texts(about.key, **{name: _value_text(one) for name, one in about.values.items()})
    if lock.act is Act.DISCOUNT:
        return texts("approve.act.discount", percent=percent_text(lock.percent))
    return texts(f"right.{lock.act}")


def _value_text(value: Money | Decimal | str) -> str:
    if isinstance(value, Money):
        return amount_text(value)
    return percent_text(value) if isinstance(value, Decimal) else value


def _amounts(about: About) -> str:
    """The amount, and the one before it where they differ."""
    before = None if about.before == about.amount else about.before
    return " → ".join(amount_text(one) for one in (before, about.amount) if one is not None)


class ActRows(QWidget):
    def __init__(self, theme: Theme, rows: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        grid, metrics = QGridLayout(self), theme.metrics
        grid.setContentsMargins(QMargins())
        grid.setHorizontalSpacing(metrics.s3)
        grid.setVerticalSpacing(metrics.s1)
        for number, (name, words) in enumerate(rows):
            head = Label(theme, name, step=TypeStep.SMALL, colour="ink_2")
            grid.addWidget(head, number, 0, Qt.AlignmentFlag.AlignTop)
            shown = Label(theme, words, weight=Weight.SEMIBOLD, wrap=True)
            grid.addWidget(shown, number, 1, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(1, 1)
