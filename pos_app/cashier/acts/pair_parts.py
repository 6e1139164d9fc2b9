"""The parts of an act of two receipts as rows, each with its state."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.labels import AmountLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.state import StepNumber
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.receipts.frozen_pair import FrozenPair


@dataclass(frozen=True, slots=True)
class PartContent:
    """is_now: the part is being done, or waited for."""

    title: str
    words: str
    amount: Money | None
    is_done: bool = False
    is_now: bool = False
    quiet: str = ""


def done_numbers(pair: FrozenPair, texts: Texts) -> tuple[str, ...]:
    """The numbers of both receipts, as what was done tells them."""
    issued = (("done.refund", pair.refund.receipt), ("done.receipt", pair.new.receipt))
    return tuple(
        texts(text_id, number=receipt.fiscal_number)
        for text_id, receipt in issued
        if receipt is not None
    )


def part_row(theme: Theme, number: int, content: PartContent, *, wide: bool) -> QWidget:
    """wide: the amount fits beside large words."""
    metrics = theme.metrics
    line = Panel(theme) if content.is_now else QWidget()
    if isinstance(line, Panel):
        line.set_chosen(True)
    amount = "" if content.amount is None else amount_text(content.amount)
    line.setAccessibleName(f"{content.title}. {content.words} {amount}".strip())
    row = QHBoxLayout(line)
    air = metrics.s2 if metrics.narrow else metrics.s3
    row.setContentsMargins(metrics.s4, air, metrics.s4, air)
    row.setSpacing(metrics.s3)
    ring = StepNumber(theme, number)
    ring.set_step(current=content.is_now, done=content.is_done)
    row.addWidget(ring, 0)
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addWidget(Label(theme, content.title, weight=Weight.SEMIBOLD, wrap=True))
    words.addWidget(Label(theme, content.words, step=TypeStep.SMALL, colour="ink_2", wrap=True))
    if content.quiet:
        words.addWidget(Label(theme, content.quiet, step=TypeStep.SMALL, colour="ink_2", wrap=True))
    row.addLayout(words, 1)
    if content.amount is not None:
        label = AmountLabel(theme, amount, step=TypeStep.STRONG)
        label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        if wide or not theme.metrics.large:
            row.addWidget(label)
        else:
            words.addWidget(label)
    return line
