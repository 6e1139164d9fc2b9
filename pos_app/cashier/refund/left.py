"""The left side: the receipt, what is wrong, its lines, and what stays on it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.refund.model import RefundModel
from pos_app.cashier.refund.rows import LineList, LinesHead, Widths
from pos_app.cashier.refund.words import (
    RefundNotice,
    given_back_head,
    notice_content,
    paid_words,
    summary,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import AmountLabel, ElidedLabel, Icon, Label, NumberLabel
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeAlone, NoticePanel
from pos_app.cashier.ui.panel import FilledPanel, Panel
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.receipt_words import when_words
from pos_app.domain.money.number_text import amount_text

LEAST_ROWS = 3
"""The sums below the lines are hidden where fewer lines would stay visible."""


class ReceiptFactsView(QWidget):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._number = NumberLabel(theme, step=TypeStep.NAME)
        self._when = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._paid = ElidedLabel(theme, step=TypeStep.SMALL, colour="ink_2")
        self._sums = [AmountLabel(theme, step=TypeStep.STRONG) for _ in range(3)]
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.metrics.s3)
        grid.setVerticalSpacing(theme.metrics.s1 // 2)
        head = ElidedLabel(theme, texts("refund.receipt"), step=TypeStep.SMALL, colour="ink_2")
        large = theme.metrics.tight
        if large:  # the number has a row of its own, and says what it is
            grid.addWidget(self._number, 0, 0, 1, 5)
        below = int(large)
        for row, column, part in (
            (0, 0, head),
            (1, 0, self._number),
            (0, 1, self._when),
            (1, 1, self._paid),
        ):
            if not large or part is not self._number:
                grid.addWidget(part, row + below, column)
        head.setVisible(not large)
        self._labels = [Label(theme, step=TypeStep.SMALL, colour="ink_2") for _ in self._sums]
        for index, (label, amount) in enumerate(zip(self._labels, self._sums, strict=True)):
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
            label.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            grid.addWidget(label, below, 2 + index)
            grid.addWidget(amount, 1 + below, 2 + index)
            if theme.metrics.narrow:
                amount.let_shrink()
        for part in (self._when, self._paid):
            part.setVisible(not theme.metrics.narrow)  # the number is shown whole instead
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 2)

    def show_model(self, model: RefundModel) -> None:
        draft, texts = model.draft, self._texts
        self.setVisible(draft is not None)
        if draft is None:
            return
        overview = draft.overview
        self._number.setText(overview.number)
        self._when.setText(when_words(overview))
        self._paid.setText(paid_words(overview.payments, texts))
        heads = (texts("refund.sold"), given_back_head(model, texts), texts("refund.left"))
        sums = (overview.total, model.left_total - overview.total, model.left_total)
        for label, head, amount, money in zip(self._labels, heads, self._sums, sums, strict=True):
            label.setText(head)
            amount.setText(amount_text(money))


class Summary(Panel):
    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme)
        self._texts = texts
        metrics = theme.metrics
        self._copy = QWidget(self)
        self._rows = [
            (ElidedLabel(theme, colour="ink_2"), AmountLabel(theme, step=TypeStep.BASE))
            for _ in range(2)
        ]
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s1)
        for words, amount in self._rows:
            row = QHBoxLayout()
            row.addWidget(words, 1)
            row.addWidget(amount)
            column.addLayout(row)
        if metrics.narrow:
            self._copy.hide()
            return  # the hint folds, so that more lines are seen
        row = QHBoxLayout(self._copy)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.s2)
        row.addWidget(Icon(theme, "printer", size=18))
        row.addWidget(ElidedLabel(theme, texts("refund.copy_follows"), colour="ink_2"), 1)
        column.addWidget(self._copy)

    def show_model(self, model: RefundModel) -> None:
        if model.draft is None:
            return
        self._copy.setVisible(model.copy_follows and not self.theme.metrics.narrow)
        for (label, amount), (words, text) in zip(
            self._rows, summary(model, self._texts), strict=True
        ):
            label.setText(words)
            amount.setText(text)


class LeftSide(QWidget):
    def __init__(self, theme: Theme, texts: Texts, model: RefundModel) -> None:
        super().__init__()
        self._theme, self._texts, self._model = theme, texts, model
        metrics = theme.metrics
        self._facts = ReceiptFactsView(theme, texts)
        self._notice: NoticePanel | NoticeAlone | None = None
        self._shown_notice: tuple[RefundNotice | None, bool] = (None, False)
        self._notices = QVBoxLayout()
        self.lines = LineList(theme, texts, model)
        self._head = LinesHead(theme, texts, model)
        self._table = FilledPanel(theme)
        inside = self._table.edge_column()
        inside.addWidget(self._head)
        inside.addWidget(self.lines, 1)
        self.whole = Button(theme, texts("refund.whole"), icon="list", key="A")
        self.nothing = Button(theme, texts("refund.nothing"), icon="x")
        for button in (self.whole, self.nothing):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._words_label = Label(theme, step=TypeStep.SMALL, colour="ink_2", wrap=True)
        self._words_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        large = metrics.tight
        self._hint = "" if large else texts("refund.hint")
        self._summary = Summary(theme, texts)
        self._arrange()
        self.tell("")

    def _arrange(self) -> None:
        metrics = self._theme.metrics
        self._buttons = QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(metrics.s2)
        buttons.addWidget(self.whole)
        buttons.addWidget(self.nothing)
        buttons.addSpacing(metrics.s2)
        buttons.addWidget(self._words_label, 1)
        buttons.addStretch(0)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.s3)
        column.addWidget(self._facts)
        column.addLayout(self._notices)
        column.addWidget(self._table, 1)
        column.addWidget(self._buttons)
        column.addStretch(0)
        column.addWidget(self._summary)

    def tell(self, words: str) -> None:
        """Show a text beside the buttons; "" shows the quiet hint."""
        self._words_label.setText(words or self._hint)
        self._words_label.set_colour("warn" if words else "ink_2")

    def show_model(self) -> None:
        model = self._model
        has_lines = bool(model.lines)
        self._facts.show_model(model)
        self._show_notice(notice_content(model, self._texts))
        self._head.widths = Widths.of(self._theme, model, self._texts)
        self._head.update()
        self.lines.show_model()
        self._table.setVisible(has_lines)
        self._buttons.setVisible(has_lines and model.can_type)
        self._summary.show_model(model)
        rows = self.lines.sizeHint().height()
        edges = self._theme.metrics.hair + self._theme.metrics.radius_panel // 2
        self._table.setMaximumHeight(rows + self._head.sizeHint().height() + edges)
        self._fold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fold()
        super().resizeEvent(event)

    def _fold(self) -> None:
        parts = [self._facts, self._buttons, self._summary, self._head]
        if self._notice is not None:
            parts.append(self._notice)
        gaps = len(parts) * self._theme.metrics.s3
        taken = sum(part.sizeHint().height() for part in parts) + gaps
        least = LEAST_ROWS * self.lines.minimumSizeHint().height()
        has_room = self.height() - taken >= min(least, self.lines.sizeHint().height())
        self._summary.setVisible(bool(self._model.lines) and has_room)

    def _show_notice(self, notice: RefundNotice | None) -> None:
        is_alone = self._model.draft is None
        if (notice, is_alone) == self._shown_notice:
            return
        self._shown_notice = notice, is_alone
        if self._notice is not None:
            self._notices.removeWidget(self._notice)
            self._notice.hide()
            self._notice.deleteLater()
            self._notice = None
        if notice is not None:
            words = notice.words
            make = NoticeAlone if is_alone else NoticePanel
            self._notice = make(
                self._theme,
                notice.kind,
                happened=words.happened,
                safe=words.safe,
                press=words.press,
            )
            self._notices.addWidget(self._notice)
        self._column.setStretchFactor(self._notices, int(is_alone))
