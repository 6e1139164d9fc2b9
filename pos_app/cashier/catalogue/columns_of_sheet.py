"""The columns of an imported file: each head with a list that shows and changes its field; below
them the questions that a person answers once for all rows."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import DropDown, Option
from pos_app.cashier.ui.labels import ElidedLabel, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import Token
from pos_app.characters import without_controls
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.catalogue.files import ColumnShown, ImportPlan
from pos_app.selling.catalogue.product_draft import DraftField
from pos_app.selling.catalogue.sheet.export import WRITTEN
from pos_app.selling.catalogue.sheet.heads import VARIANT_OF, ColumnUse, SheetField, letters_of
from pos_app.selling.catalogue.sheet.row_plan import Question

_BESIDE, _BESIDE_NARROW = 3, 2
"""The number of the file's columns side by side; the second is for a narrow screen."""
_NOTES: dict[str, str] = {
    ColumnUse.UNKNOWN: "cat.import.column_unknown",
    ColumnUse.REMEMBERED: "cat.import.column_remembered",
}
_OPEN = "-"
"""An id that no option has, for a column whose field is not chosen yet."""
_ANSWERS: dict[Question, tuple[str, ...]] = {
    Question.LABEL: tuple(one.value for one in (TaxLabel.DJ, TaxLabel.E, TaxLabel.G, TaxLabel.A)),
    Question.ZERO: (TaxLabel.G.value, TaxLabel.A.value),
    Question.POINT: ("yes", "no"),
    Question.NET: ("yes", "no"),
    Question.UNSOLD: ("yes", "no"),
    Question.MEASURE: ("yes", "no"),
}
_OF_SYSTEMS = tuple(one.value for one in SheetField)
_OTHERWISE = {Question.UNSOLD: "no", Question.MEASURE: "no"}
"""Answers that count while nobody gives another."""


def seen_whole(text: str) -> str:
    """A text of a file with a sign that is seen in place of each that is not: it may be why a cell
    is refused."""
    return without_controls(text, instead="□")


def field_words(texts: Texts, name: str) -> str:
    if name == VARIANT_OF:
        return texts("cat.import.variant_of")
    if name == DraftField.EAN:  # the field's usual words are too long for a list
        return texts("cat.column.ean")
    if name in _OF_SYSTEMS:
        return texts(f"cat.import.field.{name}")
    return texts(f"cat.field.{DraftField(name)}")


class ColumnsGrid(QWidget):
    """Signal: `answered(SheetAnswers, int)`, with a person's answer about a column, and its
    index."""

    answered = Signal(object, int)

    def __init__(self, plan: ImportPlan, texts: Texts, theme: Theme) -> None:
        super().__init__()
        self._plan = plan
        self._texts = texts
        self._theme = theme
        self._drops: dict[int, DropDown] = {}
        metrics = theme.metrics
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(metrics.s3)
        grid.setVerticalSpacing(metrics.s2)
        beside = _BESIDE_NARROW if metrics.narrow else _BESIDE
        unread_last = sorted(
            plan.columns, key=lambda column: bool(plan.system and not column.field)
        )
        for number, column in enumerate(unread_last):
            row, index = divmod(number, beside)
            grid.addWidget(self._column_widget(column), row, 2 * index)
            grid.addWidget(self._drop(column), row, 2 * index + 1)
            grid.setColumnStretch(2 * index, 1)
            grid.setColumnStretch(2 * index + 1, 1)

    def drop(self, index: int) -> DropDown | None:
        return self._drops.get(index)

    def to_be_answered(self) -> DropDown | None:
        """The list of the first column whose field a person has to choose."""
        if not self._plan.names_article:
            return next(iter(self._drops.values()), None)
        doubled = next(iter(self._plan.doubled.values()), ())
        return self._drops.get(doubled[0]) if doubled else None

    def _column_widget(self, column: ColumnShown) -> QWidget:
        """The head, and below it why the column, or some of its cells, are not read."""
        texts, theme = self._texts, self._theme
        is_open = column.why == ColumnUse.UNKNOWN or self._is_doubled(column)
        ink: Token = "warn" if is_open else "ink"
        head = column.head or texts("cat.import.column_at", letters=letters_of(column.index))
        why = texts(_NOTES[column.why]) if column.why in _NOTES else ""
        text = " · ".join(one for one in (why, ", ".join(column.cells)) if one)
        both = QWidget()
        lines = QVBoxLayout(both)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        lines.addStretch(1)
        lines.addWidget(ElidedLabel(theme, seen_whole(head), weight=Weight.BOLD, colour=ink))
        lines.addWidget(ElidedLabel(theme, seen_whole(text), step=TypeStep.SMALL, colour="ink_2"))
        lines.addStretch(1)
        return both

    def _is_doubled(self, column: ColumnShown) -> bool:
        """Whether another column has the same field, so that a person has to choose."""
        return any(column.index in indices for indices in self._plan.doubled.values())

    def _drop(self, column: ColumnShown) -> DropDown:
        texts = self._texts
        head = column.head or letters_of(column.index)
        drop = DropDown(self._theme, name=head, placeholder=texts("cat.import.ask.choose"))
        of_systems = _OF_SYSTEMS if self._plan.system else ()
        fields = [Option(name, field_words(texts, name)) for name in (*WRITTEN, *of_systems)]
        drop.set_options([Option("", texts("cat.import.not_read")), *fields])
        drop.set_current(_OPEN if self._is_doubled(column) else column.field)
        drop.chosen.connect(lambda name, index=column.index: self._answer(index, name))
        self._drops[column.index] = drop
        return drop

    def _answer(self, index: int, name: str) -> None:
        self.answered.emit(self._plan.answers.with_field(index, name), index)


class QuestionsGrid(QWidget):
    """Signal: `answered(SheetAnswers)`."""

    answered = Signal(object)

    def __init__(self, plan: ImportPlan, texts: Texts, theme: Theme) -> None:
        super().__init__()
        self._plan = plan
        self._texts = texts
        self._theme = theme
        self._drops: dict[Question | str, DropDown] = {}
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(theme.metrics.s3)
        grid.setColumnStretch(0, 1)
        answers = plan.answers
        for question in plan.questions:
            words = texts(f"cat.import.ask.{question}")
            answer = answers.by_question.get(question, _OTHERWISE.get(question, ""))
            drop = self._add(question, words, self._options(question), answer)
            drop.chosen.connect(
                lambda answer, asked=question: self.answered.emit(
                    answers.with_answer(asked, answer)
                )
            )
        for text in plan.taxes:
            words = texts("cat.import.ask.tax", text=text)
            drop = self._add(
                text, words, self._options(Question.LABEL), answers.by_tax.get(text, "")
            )
            drop.chosen.connect(
                lambda answer, asked=text: self.answered.emit(answers.with_tax(asked, answer))
            )

    def _options(self, question: Question) -> list[Option]:
        texts, answers = self._texts, _ANSWERS[question]
        if set(answers) != {"yes", "no"}:
            return [Option(one, one) for one in answers]
        return [Option(one, texts(f"cat.import.{question}.{one}")) for one in answers]

    def _add(
        self, asked: Question | str, words: str, options: list[Option], answer: str
    ) -> DropDown:
        theme, row = self._theme, len(self._drops)
        ink: Token = "ink" if answer else "warn"
        label = Label(theme, words, weight=Weight.BOLD, colour=ink, wrap=True)
        self._grid.addWidget(label, row, 0)
        drop = DropDown(theme, name=words, placeholder=self._texts("cat.import.ask.choose"))
        drop.set_options(options)
        drop.set_current(answer)
        self._drops[asked] = drop
        self._grid.addWidget(drop, row, 1)
        return drop

    def drop(self, asked: Question | str) -> DropDown:
        """The list of a question, or of a text that stands for a tax."""
        return self._drops[asked]

    def to_be_answered(self) -> DropDown | None:
        answers = self._plan.answers
        answered = {*answers.by_question, *answers.by_tax, *_OTHERWISE}
        return next((drop for one, drop in self._drops.items() if one not in answered), None)

    @property
    def blocks(self) -> bool:
        """Whether a question about the whole sheet is open. Rows whose tax nobody names stay
        refused, and the others can be imported."""
        return any(
            isinstance(asked, Question)
            and asked not in self._plan.answers.by_question
            and asked not in _OTHERWISE
            for asked in self._drops
        )
