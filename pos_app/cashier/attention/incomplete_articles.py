"""Articles to be completed, in Attention: a quiet row, and the list of them as its case."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.attention.rows import Row
from pos_app.cashier.attention.steps import Guide
from pos_app.cashier.texts.lookup import NoticeText, Texts
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.panel import Divider
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.instant import in_belgrade
from pos_app.domain.number_text import amount_text
from pos_app.selling.attention import AttentionKind
from pos_app.selling.sale import SoldUnknown

TO_COMPLETE = "to complete"
"""Id of the one row of them all."""


def completing_row(articles: Sequence[SoldUnknown]) -> Row | None:
    """The row of all articles to be completed; None while there are none."""
    if not articles:
        return None
    newest = max(article.at for article in articles)
    return Row(TO_COMPLETE, AttentionKind.TO_COMPLETE, None, newest, to_complete=tuple(articles))


def completing_title(row: Row, texts: Texts) -> str:
    """How many there are."""
    return texts.count("att.row.to_complete", len(row.to_complete))


def completing_told(row: Row, texts: Texts) -> NoticeText:
    """The three parts of their notice."""
    happened = texts.count("att.happened.to_complete", len(row.to_complete))
    return NoticeText(happened, texts("att.safe.to_complete"), texts("att.press.to_complete"))


class CompletingList(Guide):
    """One line for each: code, what was sold for it, how often, by whom, and its price."""

    def __init__(self, theme: Theme, texts: Texts, articles: Sequence[SoldUnknown]) -> None:
        super().__init__(theme, texts)
        for number, article in enumerate(articles):
            if number:
                self.column.addWidget(Divider(theme))
            self.column.addWidget(self._line(article))

    def _line(self, article: SoldUnknown) -> QWidget:
        theme, metrics = self.theme, self.theme.metrics
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(metrics.s4, metrics.s2, metrics.s4, metrics.s2)
        row.setSpacing(metrics.s4)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(ElidedLabel(theme, article.code, weight=Weight.SEMIBOLD, mono=True))
        told = ElidedLabel(theme, self._told(article), step=Step.SMALL, colour="ink_2")
        column.addWidget(told)
        row.addLayout(column, 1)
        price = amount_text(article.price)
        row.addWidget(AmountLabel(theme, price, name=article.code, step=Step.STRONG))
        line.setAccessibleName(f"{article.code}, {told.text()}, {price}")
        return line

    def _told(self, article: SoldUnknown) -> str:
        texts = self.texts
        parts = (
            article.name,
            texts("att.complete.label", label=article.label),
            texts.count("att.complete.lines", article.lines),
            _moment(article.at),
            article.cashier,
        )
        return " · ".join(parts)


def _moment(at: datetime) -> str:
    return in_belgrade(at).strftime("%d.%m. %H:%M")
