"""The form on which a person writes down that money came in, and the bar under the table that
leads to it. Source: till.md ("Reports")."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ENTER
from pos_app.cashier.reports.collecting import CollectForm
from pos_app.cashier.reports.model import ReportsModel
from pos_app.cashier.reports.words import ReportWords, day_text
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button, SaveButton
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.scrolling import ScrolledColumn
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text, sum_text
from pos_app.errors import Invalid
from pos_app.selling.reports.receivables import LONGEST_NOTE, OpenReceivable, sum_due
from pos_app.selling.reports.report import ReportName

COLLECT, TAKE_BACK = "N", "U"
"""The keys of the bar."""
_MOST_NAMED = 8
"""The most receipts that the form names one by one."""


class CollectPage(ScrolledColumn):
    """Signals: `entered()`, the form is to be written down; `refused()`, a sign that no amount
    has was typed."""

    entered = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__(theme, name=texts("rep.collect.title"))
        self._texts = texts
        self._form: CollectForm | None = None
        metrics = theme.metrics
        self._title = Label(theme, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True)
        self._named = Label(theme, colour="ink_2", wrap=True)
        self.day = Field(
            theme, name=texts("rep.collect.day"), icon="calendar", takes=InputKind.NUMBER
        )
        self.amount = AmountField(
            theme,
            name=texts("rep.collect.amount"),
            signed=True,  # a minus is refused with the amount, which without it would be another
            step=TypeStep.TITLE,
            takes=InputKind.NUMBER,
        )
        self.note = Field(theme, name=texts("rep.collect.note"))
        self.note.edit.setMaxLength(LONGEST_NOTE)
        self.save = SaveButton(theme, texts("rep.collect.save"), key=ENTER)
        panel = Panel(theme)
        column = QVBoxLayout(panel)
        column.setContentsMargins(metrics.s4, metrics.s3, metrics.s4, metrics.s3)
        column.setSpacing(metrics.s2)
        column.addWidget(self._title)
        column.addWidget(self._named)
        self._labels = list[Label]()
        for field in (self.day, self.amount, self.note):
            self._labels.append(Label(theme, field.edit.accessibleName(), step=TypeStep.SMALL))
            column.addWidget(self._labels[-1])
            column.addWidget(bounded(theme, field))
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.save)
        column.addLayout(row)
        inside = QWidget()
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(*(metrics.s3,) * 4)
        whole.addWidget(panel)
        whole.addStretch(1)
        self.show_inside(inside)
        self._connect()

    def _connect(self) -> None:
        for field, write in (
            (self.day, self._write_day),
            (self.amount, self._write_amount),
            (self.note, self._write_note),
        ):
            field.changed.connect(write)
            field.entered.connect(self.entered)
        self.amount.refused.connect(self.refused)
        self.save.clicked.connect(lambda _=False: self.entered.emit())

    def show_form(self, form: CollectForm, words: ReportWords) -> None:
        """Show the form; a field that says the same keeps its caret."""
        self._form = None  # filling is no typing
        for field, text in (
            (self.day, form.day_text),
            (self.amount, form.amount_text),
            (self.note, form.note),
        ):
            if field.text() != text:
                field.set_text(text)
        self._form = form
        texts, rest = self._texts, amount_text(form.rest_due)
        day = texts("rep.collect.day_back" if form.gives_back else "rep.collect.day")
        self._labels[0].setText(day)
        self.day.edit.setAccessibleName(day)
        many = len(form.receivables)
        self._title.setText(
            texts.count("rep.collect.gives_back", many, amount=rest)
            if form.gives_back
            else texts.count("rep.collect.owed", many, amount=rest)
        )
        named = [_receipt(one, words) for one in form.receivables[:_MOST_NAMED]]
        if many > _MOST_NAMED:
            named.append(texts.count("rep.collect.more", many - _MOST_NAMED))
        self._named.setText("\n".join(named))
        self._show_faults()

    def show_error(self, error: Invalid) -> None:
        assert self._form is not None
        self._form.error = error
        self._show_faults()
        field = self.day if error.field == "day" else self.amount
        field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_first(self) -> None:
        """Give the focus to the amount, which is the one that differs."""
        self.amount.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.amount.edit.selectAll()

    def _write_day(self, text: str) -> None:
        if self._form is not None:
            self._form.day_text = text
            self._forget_error()

    def _write_amount(self, text: str) -> None:
        if self._form is not None:
            self._form.amount_text = text
            self._forget_error()

    def _write_note(self, text: str) -> None:
        if self._form is not None:
            self._form.note = text

    def _forget_error(self) -> None:
        assert self._form is not None
        self._form.error = None
        self._show_faults()

    def _show_faults(self) -> None:
        assert self._form is not None
        error = self._form.error
        for field, name in ((self.day, "day"), (self.amount, "amount")):
            is_wrong = error is not None and error.field == name
            field.set_error(self._texts.error(error).happened if error and is_wrong else "")
        words = self._texts("rep.collect.give" if self._form.gives_back else "rep.collect.save")
        self.save.show_act(words, order=self._order(self._form))

    def _order(self, form: CollectForm) -> str:
        """What to do before it can be written down; "" for nothing."""
        texts, lack, excess = self._texts, form.lack, form.excess
        if lack is None:
            return ""
        if excess is not None:
            return texts("rep.collect.before.less", amount=amount_text(excess))
        name, text = "amount", form.amount_text
        if lack.field == "day":
            name, text = "day", form.day_text
        return texts(f"rep.collect.before.{'wrong_' if text.strip() else ''}{name}")


def _receipt(receivable: OpenReceivable, words: ReportWords) -> str:
    number, day = short_number(receivable.number), day_text(receivable.day)
    buyer = words.buyer(receivable.buyer)
    return " · ".join((number, day, buyer, sum_text(abs(receivable.rest_due))))


class CollectBar(QWidget):
    """What can be done with the receipts that are chosen, and what was written down last."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._words = ElidedLabel(theme, weight=Weight.SEMIBOLD)
        self.buttons = {
            TAKE_BACK: Button(theme, texts("rep.take_back"), icon="undo-2", key=TAKE_BACK),
            COLLECT: Button(theme, texts("rep.collect"), icon="check", key=COLLECT),
        }
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.metrics.s2)
        row.addWidget(self._words, 1)
        for button in self.buttons.values():
            button.let_fold()
            row.addWidget(button)

    def show_model(self, model: ReportsModel) -> None:
        report = model.report
        name = None if report is None else report.choice.name
        is_open = name is ReportName.RECEIVABLES
        has_rows = report is not None and not report.table.is_empty
        is_of_it = is_open or name is ReportName.COLLECTED
        self.setVisible(is_of_it and (has_rows or bool(model.last_press)))
        self.buttons[COLLECT].setVisible(is_open)
        why = "" if model.is_till_today else self._texts("rep.collect.not_today")
        if not model.to_collect:
            why = self._texts("rep.nothing_there")
        self._can(COLLECT, why)
        self.buttons[TAKE_BACK].setVisible(not is_open or bool(model.last_press))
        self._can(TAKE_BACK, "" if model.to_take_back else self._texts("rep.nothing_there"))
        self._words.setText(self._said(model) if is_open else "")

    def _can(self, key: str, why: str) -> None:
        button = self.buttons[key]
        button.setEnabled(not why)
        button.setToolTip(why)
        button.setAccessibleDescription(why)

    def _said(self, model: ReportsModel) -> str:
        if model.ticked:
            chosen = model.to_collect
            amount = sum_text(sum_due(chosen))
            return self._texts.count("rep.collect.ticked", len(chosen), amount=amount)
        if model.last_press:
            total = Money.total(one.amount for one in model.last_press)
            many = len(model.last_press)
            return self._texts.count("rep.collect.done", many, amount=amount_text(total))
        return ""
