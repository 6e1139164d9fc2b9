"""The screen of an act of two receipts: they stand at the left, sums and the big button at the
right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.acts.pair_in_front import PairInFront, PairStep
from pos_app.cashier.commands import ENTER, TillCommand
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import Frame, Room
from pos_app.cashier.window.headed_screen import GatedScreen
from pos_app.errors import Invalid, MachineError, NotAllowed

SIDE_PERMILLE = 332
"""The right side's share of the width in thousandths (mock-14)."""
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PairScreen(GatedScreen):
    model: PairInFront

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        self.big = BigButton(self.theme, "", key=ENTER)
        self.big.clicked.connect(self._press_big)
        self._left_column, self._right_column = QVBoxLayout(), QVBoxLayout()
        self._page_area, self._side = QWidget(), QWidget()

    def show_anew(self) -> None:
        raise NotImplementedError

    def begin(self, step: PairStep) -> None:
        """Do a step that comes before the pair is frozen."""

    def enter(self) -> None:
        """Press the big button. A new button ignores the second tap of the same finger."""
        if self.gate is not None or (self.model.pair is not None and self.big.rests):
            return
        match self.model.next_enter:
            case PairStep.WAIT:
                return
            case PairStep.BACK:
                if not self.step_back():
                    self.leave()
            case PairStep.NEXT:
                self.leave()
            case PairStep.ATTENTION:
                assert self.model.pair is not None
                self.frame.open(screens.ATTENTION, screens.CasePlace(self.model.pair.next_part.key))
            case PairStep.AGAIN | PairStep.ISSUE:
                self.attempt(self.model.go_on)
            case step:
                self.begin(step)

    def attempt(self, act: Callable[[], None]) -> None:
        """Do an act, or show why it failed."""
        self.end_refusal()
        try:
            act()
        except (NotAllowed, Invalid, MachineError) as error:
            self.model.trouble = error
            self.frame.home.tone("no")
        self.show_anew()

    def focus_place(self) -> None:
        # While it is issued, a second Enter presses nothing else.
        has_big = self.big.isEnabled() and not self.big.isHidden()
        target = self.big if has_big else self._page_area
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def press(self, command: TillCommand) -> None:
        if command is TillCommand.ENTER:
            self._press_enter()
        elif command is TillCommand.PAY and self.model.is_doubted:
            self._agree()
        else:
            super().press(command)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.shows_keys or self.gate is not None or event.key() not in _ENTER_KEYS:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self._press_enter()

    def _press_enter(self) -> None:
        """Do the next act; to a doubt F12 or a press on the button agrees, as `ConfirmAmount` has
        it."""
        if self.model.is_doubted:
            self.frame.home.tone("no")
        else:
            self.enter()

    def _press_big(self) -> None:
        if self.model.is_doubted:
            self._agree()
        else:
            self.enter()

    def _agree(self) -> None:
        """Take what is doubted as right, and go on to what it had stopped."""
        self.model.agree()
        self.enter()
