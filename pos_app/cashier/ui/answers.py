"""The answers of a question: the safe one stands first, what destroys stands apart after it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.flow import FlowLayout
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.scrolling import bring_into_sight
from pos_app.cashier.ui.theme import Theme


def destroys(button: QAbstractButton) -> bool:
    """Tell whether the button destroys something, and so stands apart from the one before it."""
    return isinstance(button, Button | BigButton) and button.kind is ButtonKind.DANGER


def answers_in_flow(theme: Theme, answers: Sequence[QWidget], *, apart: bool = False) -> FlowLayout:
    """Put answers in a row, the safe one first, in a second row where they have no room in one.
    apart: the second one stands apart, whatever it does."""
    flow = FlowLayout(theme.metrics.s2)
    for number, answer in enumerate(answers):
        is_red = isinstance(answer, QAbstractButton) and destroys(answer)
        if number and (is_red or (apart and number == 1)):
            flow.add_apart(answer, theme.metrics.s6)
        else:
            flow.addWidget(answer)
    return flow


def answers_in_row(theme: Theme, answers: Sequence[QAbstractButton]) -> QHBoxLayout:
    """Put answers in a row, the safe one first."""
    row = QHBoxLayout()
    row.setSpacing(theme.metrics.s2)
    for number, answer in enumerate(answers):
        if number and destroys(answer):
            row.addSpacing(theme.metrics.s6 - theme.metrics.s2)
        row.addWidget(answer)
    return row


class Removal(QWidget):
    """A key that removes what a form shows, and in its place the question before it. The red answer
    stands at the right of where the key stood, so that the finger that asked does not answer.
    Signals: `asked()`; `kept()`, the safe answer; `removed()`."""

    asked, kept, removed = Signal(), Signal(), Signal()

    def __init__(self, theme: Theme, *, key_word: str, safe_word: str) -> None:
        super().__init__()
        self.theme, metrics = theme, theme.metrics
        self._act_words: Sequence[str] = ()
        self.key = Button(theme, key_word, icon="trash-2", kind=ButtonKind.DANGER)
        self.safe = Button(theme, safe_word, key=ESCAPE)
        self.act = BigButton(theme, "", icon="trash-2", kind=ButtonKind.DANGER)
        self._title = Label(theme, step=TypeStep.NAME, weight=Weight.SEMIBOLD, wrap=True)
        self._words = Label(theme, colour="ink_2", wrap=True)
        self._question = QWidget()
        self._question.hide()
        question = QVBoxLayout(self._question)
        question.setContentsMargins(0, 0, 0, 0)
        question.setSpacing(metrics.s2)
        answers = QHBoxLayout()
        answers.setSpacing(metrics.s6)
        self.safe.setMinimumWidth(max(one.sizeHint().width() for one in (self.key, self.safe)))
        answers.addWidget(self.safe)
        answers.addWidget(self.act, 1)
        answers.addStretch(0)
        for part in (self._title, self._words):
            question.addWidget(part)
        question.addLayout(answers)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.key, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._question)
        self.key.clicked.connect(self.asked)
        self.safe.clicked.connect(self.kept)
        self.act.clicked.connect(self.removed)

    def ask(self, title: str, *, words: str, act_words: Sequence[str]) -> None:
        """Show the question, which names what goes, and give its safe answer the focus; that it is
        asked already changes nothing. act_words: the words of the red answer, which names it too,
        the best first; the first that has room is shown, else the last."""
        self._title.setText(title)
        self._words.setText(words)
        self._act_words = act_words
        self._fit()
        if self._question.isHidden():
            self._question.show()
            self.safe.setFocus(Qt.FocusReason.OtherFocusReason)  # before the key goes with its own
            self.key.hide()
            bring_into_sight(self._question)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        safe = max(self.safe.minimumWidth(), self.safe.sizeHint().width())
        room = self.width() - safe - self.theme.metrics.s6
        for word in self._act_words:
            self.act.set_word(word, rests=False)
            self.act.fit_word()
            if self.act.sizeHint().width() <= room:
                break

    def end(self) -> None:
        """Show the key again, with the focus if an answer had it."""
        if self._question.isHidden():
            return
        had_focus = self.safe.hasFocus() or self.act.hasFocus()
        self.key.show()
        if had_focus:
            self.key.setFocus(Qt.FocusReason.OtherFocusReason)
        self._question.hide()
