"""The page of cash in and out, drops to the safe and change from it.

Source: till.md ("Shift").
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.gate.about import About
from pos_app.cashier.shift.page import PageColumn, ShiftPage
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.field import Field, bounded
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.number_fields import AmountField
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.people.rights import Act


class MovePage(ShiftPage):
    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        texts, model = self.texts, self.model
        kind = model.move_kind
        panel = PageColumn(self)
        title = texts(f"shift.move.{kind}")
        words = texts(f"shift.move_words.{kind}")
        panel.column.addWidget(Label(self.look, words, colour="ink_2", wrap=True))
        self.amount = AmountField(
            self.look, name=texts("shift.amount"), step=TypeStep.TITLE, takes=InputKind.NUMBER
        )
        self.reason = Field(self.look, name=texts("shift.reason"))
        for name, field in (("shift.amount", self.amount), ("shift.reason", self.reason)):
            panel.column.addWidget(Label(self.look, texts(name), step=TypeStep.SMALL))
            panel.column.addWidget(bounded(self.look, field))
        self.amount.set_text(model.move_amount)
        self.reason.set_text(model.move_reason)
        self.amount.changed.connect(lambda text: self._type("move_amount", text))
        self.reason.changed.connect(lambda text: self._type("move_reason", text))
        self._question: NoticePanel | None = None
        self._asked_at = QVBoxLayout()
        panel.column.addLayout(self._asked_at)
        panel.column.addStretch(1)
        self.row.addWidget(panel, 1)
        self.row.addWidget(self.side)
        self.right.addStretch(1)
        self.right.addWidget(self.big)
        self._title = title
        self.refresh()

    def _type(self, name: str, text: str) -> None:
        setattr(self.model, name, text)
        self.model.error = self.model.drawer_holds = None
        self.refresh()

    def keyed(self) -> None:
        if self._question is not None:
            focus = self.focusWidget()
            if isinstance(focus, Button) and focus.hasFocus():  # one of the answers
                focus.click()
            else:
                self.step_back()
            return
        wants = self.model.move_lacks == "reason" and not self.reason.text().strip()
        if wants and self.amount.edit.hasFocus():
            self.reason.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.enter()

    def enter(self) -> None:
        if self.model.move_lacks is not None:
            self._try()
        elif self.attempt(self.model.ask_drawer) and self.model.drawer_holds is None:
            self._ask_right()

    def _ask_right(self) -> None:
        """Have the act lifted only now, if it must be, so that the log names who lifted it."""
        model = self.model
        about = About(
            words=self.texts(f"shift.move.{model.move_kind}"),
            of=model.move_reason.strip(),
            what="reason",
            amount=model.amount_to_move,
            drawer=self._over_words(),
        )
        self.room.frame.permit(Act.CASH_IN_OUT, self._try, about=about)

    def _over_words(self) -> str:
        """Return that the amount is more than the drawer holds, if this was asked."""
        holds, amount = self.model.drawer_holds, amount_text(self.model.amount_to_move)
        if holds is None:
            return ""
        return self.texts("shift.over", amount=amount, holds=amount_text(holds))

    def _try(self) -> None:
        if not self.attempt(self._confirm):
            field = self.model.error.field if self.model.error is not None else ""
            target = self.reason if field == "reason" else self.amount
            target.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_question(self) -> None:
        """Show the question about an amount that is more than the drawer holds, or take it away."""
        holds, before = self.model.drawer_holds, self._question
        if (holds is None) is (before is None):
            return
        self.big.setVisible(holds is None)
        if before is not None:
            self._question = None
            before.hide()
            before.deleteLater()
        if holds is None:
            self.focus_place()
            return
        amount, texts = amount_text(self.model.amount_to_move), self.texts
        no = Button(self.look, texts("shift.over.no"), key=ESCAPE)
        yes = Button(self.look, texts("shift.over.yes", act=self._title, amount=amount))
        no.clicked.connect(self.step_back)
        yes.clicked.connect(self._ask_right)
        self._question = NoticePanel(
            self.look,
            NoticeKind.WARN,
            happened=self._over_words(),
            safe=texts("shift.over.means"),
            press="",
            safe_answer=no,
            buttons=(yes,),
        )
        self._asked_at.addWidget(self._question)
        self._question.show()
        no.setFocus(Qt.FocusReason.OtherFocusReason)

    def _confirm(self) -> None:
        moved = self.model.confirm_move()
        room = self.room
        room.frame.home.open_drawer()
        room.hand_over(self.model.slip_of(moved), room.ways[0])

    def refresh(self) -> None:
        self.amount.set_error(self.fault("amount"))
        self.reason.set_error(self.fault("reason"))
        self.show_order(self.model.move_lacks, self._title)
        self._show_question()

    def focus_place(self) -> None:
        """Focus the amount. The next digit replaces one that stayed from the visit before."""
        self.amount.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.amount.edit.selectAll()

    def step_back(self) -> bool:
        if self._question is not None:
            self.model.drawer_holds = None
            self.refresh()
            return True
        return self.back_to_shift()
