"""The answers about a half-done pair: send the refused receipt again, or undo what is signed."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.cashier.attention import pair_texts
from pos_app.cashier.attention.steps import Guide, ManagerName
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Step
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.server_status import HalfDonePair


class PairGuide(Guide):
    """What the processor said · a manager's choice · who corrects it.

    Undoing signs a receipt, so it is asked about once more, with words that say which one.
    Signals: `again(str)`, `reverse(str)`, each with the manager's name.
    """

    again = Signal(str)
    reverse = Signal(str)

    def __init__(self, theme: Theme, texts: Texts, pair: HalfDonePair) -> None:
        super().__init__(theme, texts)
        self._pair = pair
        self._tell_refusal()
        self.manager = ManagerName(self)
        self.resend = self.button("att.pair.again", icon="refresh-cw")
        self.resend.clicked.connect(self._press_again)
        self.undo = self.button("att.pair.reverse", icon="undo-2", kind=ButtonKind.DANGER)
        self.undo.clicked.connect(lambda: self._ask(sure=True))
        self.sign = self.button("att.pair.sign", icon="check", kind=ButtonKind.DANGER)
        self.sign.clicked.connect(self._press_reverse)
        self.leave = self.button("att.pair.leave")
        self.leave.clicked.connect(lambda: self._ask(sure=False))
        self.choice = self.step(
            texts("att.step.pair"),
            "",
            self.manager.row,
            self.row(self.resend, self.undo, self.sign, self.leave),
        )
        self.choice.number.set_step(current=True)
        if "correct" in pair.ways:
            self.step(texts("att.step.pair_correct"), texts(pair_texts.correcting(pair)))
        self._ask(sure=False)

    def first(self) -> QWidget | None:
        return self.manager.field.edit

    @property
    def is_asking(self) -> bool:
        """Whether the manager is asked if he is sure."""
        return self.sign.isVisibleTo(self)

    def set_running(self, running: str) -> None:
        """Which act runs, "" for none: one at a time."""
        for button in (self.resend, self.undo, self.sign):
            if running:
                button.refuse(self.texts("att.pair.running"))
            else:
                button.allow()

    def _tell_refusal(self) -> None:
        texts, waiting = self.texts, self._pair.waiting
        told = self.step(texts("att.step.pair_said"), pair_texts.refused_why(waiting, texts))
        told.number.set_step(done=True)
        told.add(
            Label(
                self.theme, waiting.message, step=Step.SMALL, colour="ink_2", mono=True, wrap=True
            )
        )

    def _ask(self, *, sure: bool) -> None:
        """Show the choice, or what undoing will sign and the question whether it is meant."""
        ways, waiting = self._pair.ways, self._pair.waiting
        told = pair_texts.undoing(self._pair, self.texts)
        key = "att.pair.sure" if sure else "att.pair.choices"
        self.choice.set_words(self.texts("att.step.pair"), self.texts(key, **told))
        self.resend.setVisible(not sure and "again" in ways)
        self.undo.setVisible(not sure and "reverse" in ways and not waiting.is_reversal)
        self.sign.setVisible(sure)
        self.leave.setVisible(sure)
        if sure:
            self.leave.setFocus()

    def _press_again(self) -> None:
        if name := self.manager.given():
            self.again.emit(name)

    def _press_reverse(self) -> None:
        if name := self.manager.given():
            self._ask(sure=False)
            self.reverse.emit(name)
