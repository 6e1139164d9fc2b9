"""The preview of an import: the field of each column, open questions, counts, each bad cell, and
the first changes. Nothing is written before it is confirmed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.catalogue.columns_of_sheet import (
    ColumnsGrid,
    QuestionsGrid,
    field_words,
    seen_whole,
)
from pos_app.cashier.commands import ENTER, ESCAPE
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button, SeenButton, is_enter, takes_enter
from pos_app.cashier.ui.choices import CheckBox
from pos_app.cashier.ui.focus import EnterCap
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Panel
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.selling.catalogue.files import BadCellShown, ChangeShown, ImportPlan

SHOWN = 100
"""The most bad cells and the most changes that are listed; the rest is counted."""


class ImportPage(QWidget):
    """Signals: `confirmed()`; `went_back()`; `answered(SheetAnswers, int)`, a person's answers
    about the file, and the index of the column answered last, or -1 for a question;
    `refused_wanted()`, the refused rows shall be saved."""

    confirmed = Signal()
    went_back = Signal()
    answered = Signal(object, int)
    refused_wanted = Signal()

    def __init__(self, plan: ImportPlan, name: str, texts: Texts, theme: Theme) -> None:
        super().__init__()
        self._texts = texts
        self._theme = theme
        self.plan = plan
        many = plan.new + plan.changed or plan.joined
        self.do = SeenButton(theme, texts.count("cat.import.do", many), key=ENTER)
        EnterCap(self, self.do, ENTER, takes=takes_enter)
        self.stop = Button(theme, texts("cat.bulk.stop"), key=ESCAPE)
        self.refused = Button(theme, texts("cat.import.save_refused"), icon="save")
        self.refused.setVisible(bool(plan.bad))
        self.unpriced = CheckBox(theme, texts("cat.import.unpriced_too"))
        """Ticked to import articles without a price; visible only if the file has some."""
        self.columns = ColumnsGrid(plan, texts, theme)
        self.questions = QuestionsGrid(plan, texts, theme)
        self._words_label = Label(theme, texts("cat.import.words"), colour="ink_2", wrap=True)
        self._ask_about_prices()
        title = texts("cat.import.title", file=name)
        self.setAccessibleName(title)
        self._lay_out(title)
        self.unpriced.clicked.connect(self._ask_about_prices)
        self.do.clicked.connect(self._confirm)
        self.stop.clicked.connect(self.went_back)
        self.refused.clicked.connect(self.refused_wanted)
        self.columns.answered.connect(self.answered)
        self.questions.answered.connect(lambda answers: self.answered.emit(answers, -1))

    def _lay_out(self, title: str) -> None:
        metrics, theme, plan, texts = self._theme.metrics, self._theme, self.plan, self._texts
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.setContentsMargins(metrics.s3, metrics.s3, metrics.s3, metrics.s3)
        column.setSpacing(metrics.s3)
        column.addWidget(ElidedLabel(theme, title, step=TypeStep.TITLE, weight=Weight.BOLD))
        column.addLayout(self._counts())
        column.addWidget(self._list(), 1)
        if plan.unpriced:
            words = (
                texts.count("cat.import.unpriced", plan.unpriced)
                if plan.unpriced == plan.new
                else texts.count("cat.import.some_unpriced", plan.unpriced)
            )
            column.addWidget(Label(theme, words, weight=Weight.BOLD, colour="warn", wrap=True))
            column.addWidget(self.unpriced)
        acts = QHBoxLayout()
        acts.setSpacing(metrics.s2)
        acts.addWidget(self._words_label, 1)
        for button in (self.refused, self.stop, self.do):
            acts.addWidget(button)
        column.addLayout(acts)

    def tell(self, words: str) -> None:
        self._words_label.setText(words)

    def focus_first(self, column: int | None = None) -> None:
        """column: the index of the column answered last, where the person goes on."""
        asked: QWidget | None = self.columns.to_be_answered() or self.questions.to_be_answered()
        if column is not None and not self._can_import and asked is None:
            asked = self.columns.drop(column)
        if asked is None:
            asked = self.unpriced if self.plan.unpriced else self.stop
        (self.do if self._can_import else asked).setFocus(Qt.FocusReason.OtherFocusReason)

    def _ask_about_prices(self) -> None:
        """Prevent the import while a question is open; articles without a price are imported only
        if somebody says so."""
        plan, texts, order = self.plan, self._texts, ""
        self.do.allow()
        if not plan.names_article or plan.doubled:
            order = texts("cat.import.order.column")
        elif not plan.changes_something:
            self.do.refuse(texts("cat.import.nothing"))
        elif self.questions.blocks:
            order = texts("cat.import.order.question")
        elif plan.unpriced and not self.unpriced.isChecked():
            order = texts("cat.import.order.unpriced")
        self.do.show_act(order=order)

    @property
    def _can_import(self) -> bool:
        return self.do.isEnabled() and not self.do.is_missing

    def _confirm(self) -> None:
        if self.do.is_missing:
            self.focus_first()
        else:
            self.confirmed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if is_enter(event, self) or self.do.hasFocus():
            if not (event.isAutoRepeat() or self.do.rests) and self.do.isEnabled():
                self._confirm()
            return
        super().keyPressEvent(event)

    def _counts(self) -> QHBoxLayout:
        texts, plan = self._texts, self.plan
        row = QHBoxLayout()
        row.setSpacing(self._theme.metrics.s2)
        for text_id, many, colour in (
            ("new", plan.new, "ink"),
            ("changed", plan.changed, "ink"),
            ("same", plan.same, "ink"),
            ("bad", plan.bad, "danger" if plan.bad else "ink"),
        ):
            row.addWidget(self._count(texts.count(f"cat.import.{text_id}", many), many, colour), 1)
        return row

    def _count(self, words: str, many: int, colour: str) -> Panel:
        panel, metrics = Panel(self._theme), self._theme.metrics
        column = QVBoxLayout(panel)
        column.setContentsMargins(metrics.s3, metrics.s2, metrics.s3, metrics.s2)
        column.setSpacing(0)
        ink: Token = "danger" if colour == "danger" else "ink"
        figure = self._texts.number(many)
        column.addWidget(
            Label(self._theme, figure, step=TypeStep.TITLE, weight=Weight.BOLD, colour=ink)
        )
        column.addWidget(ElidedLabel(self._theme, words, step=TypeStep.SMALL, colour="ink_2"))
        panel.setAccessibleName(f"{words}: {figure}")
        return panel

    def _list(self) -> Scrolled:
        inside = QWidget()
        metrics, texts = self._theme.metrics, self._texts
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(metrics.s4)
        grid.setVerticalSpacing(metrics.s2)
        row = self._of_columns(grid)
        row = self._cells(grid, row)
        row = self._changes(grid, row)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 2)
        grid.setRowStretch(row, 1)
        area = Scrolled(self._theme, name=texts("cat.import.bad_cells"))
        area.show_inside(inside)
        return area

    def _of_columns(self, grid: QGridLayout) -> int:
        """Add the columns and the questions; returns the next row."""
        texts, plan = self._texts, self.plan
        row = 0
        if plan.system:
            row = self._head(grid, row, texts("cat.import.system", system=plan.system), "ink_2")
        if plan.remembered:
            row = self._head(grid, row, texts("cat.import.remembered"), "ink_2")
        if not plan.names_article:
            row = self._head(grid, row, texts("cat.import.say_article"), "warn")
        for field in plan.doubled:
            words = texts("cat.import.doubled", field=field_words(texts, field))
            row = self._head(grid, row, words, "warn")
        if plan.questions or plan.taxes:
            grid.addWidget(self.questions, row, 0, 1, 4)
            row += 1
        if plan.columns:
            grid.addWidget(self.columns, row, 0, 1, 4)
            row += 1
        if plan.joined:
            row = self._head(grid, row, texts.count("cat.import.joined", plan.joined), "ink")
        return row

    def _cells(self, grid: QGridLayout, row: int) -> int:
        """Add the bad and the doubtful cells, what is made new, and how the text was read; returns
        the next row."""
        texts, plan = self._texts, self.plan
        if plan.bad_cells:
            row = self._head(grid, row, texts("cat.import.bad_cells"), "danger")
            for cell in plan.bad_cells[:SHOWN]:
                row = self._cell(grid, row, cell, "danger")
            if len(plan.bad_cells) > SHOWN:
                row = self._more(grid, row, plan.bad)
        if plan.odd_cells:
            row = self._head(grid, row, texts.count("cat.import.odd_cells", plan.odd), "warn")
            for cell in plan.odd_cells[:SHOWN]:
                row = self._cell(grid, row, cell, "warn")
            if len(plan.odd_cells) > SHOWN:
                row = self._more(grid, row, plan.odd)
        if plan.encoding:
            words = texts("cat.import.encoding", encoding=plan.encoding)
            grid.addWidget(Label(self._theme, words, colour="ink_2", wrap=True), row, 0, 1, 4)
            row += 1
        for names, many, text_id in (
            (plan.categories, plan.new_categories, "cat.import.categories"),
            (plan.units, plan.new_units, "cat.import.units"),
        ):
            if names:
                row = self._head(grid, row, texts.count(text_id, many), "ink")
                named = Label(self._theme, ", ".join(names[:SHOWN]), wrap=True)
                grid.addWidget(named, row, 0, 1, 4)
                row += 1
        return row

    def _changes(self, grid: QGridLayout, row: int) -> int:
        """Add the new and changed articles from a row on; returns the next row."""
        texts, plan = self._texts, self.plan
        if plan.changes:
            row = self._head(grid, row, texts("cat.import.changes"), "ink")
            if plan.renamed:
                row = self._head(grid, row, texts.count("cat.import.renamed", plan.renamed), "warn")
            for change in plan.changes[:SHOWN]:
                words = texts("cat.import.is_new") if change.is_new else self._changed(change)
                price = texts("cat.import.no_price") if change.is_unpriced else change.price
                parts = (texts("cat.import.row", row=change.row), change.name, price, words)
                row = self._line(grid, row, parts, "warn" if change.is_unpriced else "ink")
            if plan.new + plan.changed > SHOWN:
                row = self._more(grid, row, plan.new + plan.changed)
        return row

    def _changed(self, change: ChangeShown) -> str:
        empty = self._texts("cat.import.empty")
        return "; ".join(
            f"{one.column}: {one.before or empty} → {one.after or empty}" for one in change.changes
        )

    def _cell(self, grid: QGridLayout, row: int, cell: BadCellShown, colour: Token) -> int:
        texts = self._texts
        shown = f"„{cell.text}“" if cell.text else texts("cat.import.empty")
        why = texts.error(cell.why).happened
        where = texts("cat.import.row", row=cell.row)
        if not cell.row:
            where = texts("cat.import.column" if cell.column else "cat.import.file")
            shown = cell.text or texts("cat.import.no_column")
        parts = (where, cell.column, shown, why)
        return self._line(grid, row, parts, colour)

    def _line(
        self, grid: QGridLayout, row: int, cell_texts: tuple[str, str, str, str], colour: Token
    ) -> int:
        for index, words in enumerate(map(seen_whole, cell_texts)):
            last = index == len(cell_texts) - 1
            label: QWidget
            if last:
                label = Label(self._theme, words, colour=colour, wrap=True)
            else:
                label = ElidedLabel(self._theme, words, colour="ink_2" if index == 0 else "ink")
            grid.addWidget(label, row, index)
        return row + 1

    def _head(self, grid: QGridLayout, row: int, words: str, colour: Token) -> int:
        head = Label(self._theme, words, weight=Weight.BOLD, colour=colour)
        grid.addWidget(head, row, 0, 1, 4)
        return row + 1

    def _more(self, grid: QGridLayout, row: int, whole: int) -> int:
        words = self._texts("cat.import.more", n=SHOWN, whole=self._texts.number(whole))
        grid.addWidget(Label(self._theme, words, colour="ink_2"), row, 0, 1, 4)
        return row + 1
