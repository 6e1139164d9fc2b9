"""The first step of the close: what is still open.

Source: till.md ("Shift").
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from pos_app.cashier.commands import method_cap
from pos_app.cashier.shift.model import OpenThing
from pos_app.cashier.shift.page import PageColumn, ShiftPage
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import ElidedLabel, Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Divider, EmptyState, clear_layout
from pos_app.cashier.window.screens import ATTENTION
from pos_app.cashier.words.moments import moment_text

GO_ON_KEY = "N"
_OPEN_ICONS = {
    OpenThing.CART: "receipt-text",
    OpenThing.HELD: "pause",
    OpenThing.WAITING: "clock",
    OpenThing.DOUBT: "circle-question-mark",
    OpenThing.REFUSED: "circle-alert",
    OpenThing.UNPRINTED: "printer-x",
}


class CheckPage(ShiftPage):
    """The open things, each with a button that leads there; none of them prevents the close."""

    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        self._open = panel = PageColumn(self)
        head = self.texts("shift.still_open")
        panel.column.addWidget(Label(self.look, head, step=TypeStep.TITLE, weight=Weight.BOLD))
        words = self.texts("shift.blocks_nothing")
        panel.column.addWidget(Label(self.look, words, colour="ink_2", wrap=True))
        self._empty = EmptyState(self.look, title=self.texts("shift.nothing_open"))
        self.list = QVBoxLayout()
        panel.column.addLayout(self.list)
        panel.column.addStretch(1)
        self._acts: list[Callable[[], object]] = []
        self._shown_state: object = None
        self.row.addWidget(panel, 1)
        self.row.addWidget(self._empty, 1)
        self.row.addWidget(self.side)
        self.right.addStretch(1)
        self.go_on: Button | None = None
        self._add_go_on()
        self.right.addWidget(self.big)
        self.big.set_word(self.texts("shift.begin_count"))
        self.refresh()

    def _add_go_on(self) -> None:
        counted = self.model.counted
        if counted is None or counted.confirmed_at is None:
            return
        at = moment_text(counted.confirmed_at)
        words = self.texts("shift.go_on", at=at, name=counted.by)
        self.right.addWidget(Label(self.look, words, colour="ink_2", wrap=True))
        self.go_on = Button(
            self.look, self.texts("shift.go_on_with_it"), icon="history", key=GO_ON_KEY, spread=True
        )
        self.go_on.clicked.connect(self._go_on)
        self.right.addWidget(self.go_on)

    def _go_on(self) -> None:
        if self.attempt(self.model.go_on):
            self.room.ask_server()

    def letter(self, letter: str) -> bool:
        if letter != GO_ON_KEY or self.go_on is None:
            return False
        self._go_on()
        return True

    def refresh(self) -> None:
        found = self.model.open_things()
        if found == self._shown_state:
            return
        self._shown_state = found
        clear_layout(self.list)
        self._acts = []
        for what, many in found.items():
            self.list.addLayout(open_row(self, what, many, len(self._acts) + 1, self._acts))
            self.list.addWidget(Divider(self.look))
        self._open.setVisible(bool(found))
        self._empty.setVisible(not found)

    def number(self, number: int) -> bool:
        if not 1 <= number <= len(self._acts):
            return False
        self._acts[number - 1]()
        return True

    def enter(self) -> None:
        self.attempt(self.model.begin_count)

    def step_back(self) -> bool:
        return self.back_to_shift()


def open_row(
    page: ShiftPage, what: OpenThing, many: int, number: int, acts: list[Callable[[], object]]
) -> QHBoxLayout:
    """A row with an open thing's name, number and button; the button's act is added to acts."""
    frame, texts = page.room.frame, page.texts
    name = what.name.lower()

    def lead() -> None:
        if what in (OpenThing.CART, OpenThing.HELD):
            frame.go_home()
        else:
            frame.open(ATTENTION)

    acts.append(lead)
    row = QHBoxLayout()
    row.setSpacing(page.look.metrics.s2)
    row.addWidget(Icon(page.look, _OPEN_ICONS[what]))
    words = texts.count(f"shift.open.{name}", many)
    row.addWidget(ElidedLabel(page.look, words, weight=Weight.SEMIBOLD), 1)
    button = Button(page.look, texts("shift.lead"), key=method_cap(number), name=words)
    button.clicked.connect(lead)
    row.addWidget(button)
    return row
