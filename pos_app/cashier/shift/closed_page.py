"""The list of the closed shifts."""

from __future__ import annotations

from pos_app.cashier.shift.page import ShiftPage
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.shift.rows import ShiftRows, ShiftRowWords
from pos_app.cashier.shift.words import closed_words
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.panel import FilledPanel


class ClosedPage(ShiftPage):
    def __init__(self, room: ShiftRoom) -> None:
        super().__init__(room)
        panel = FilledPanel(self.look)
        column = panel.edge_column()
        self.list = ShiftRows(self.look, name=self.texts("shift.closed"))
        self.list.opened.connect(self._open)
        column.addWidget(self.list)
        self.row.addWidget(panel, 1)
        self.row.addWidget(self.side)
        words = self.texts("shift.closed.words")
        self.right.addWidget(Label(self.look, words, colour="ink_2", wrap=True))
        self.right.addStretch(1)
        self.right.addWidget(self.big)
        self.big.set_word(self.texts("shift.lead"))
        self.refresh()

    def refresh(self) -> None:
        self.list.show_rows(self.model.closed, self._words)

    def _words(self, index: int) -> ShiftRowWords:
        shift = self.model.closed[index]
        return closed_words(shift, self.model.differences_of(shift), self.texts)

    def focus_place(self) -> None:
        self.list.take_focus()

    def enter(self) -> None:
        if self.list.current >= 0:
            self._open(self.list.current)

    def _open(self, index: int) -> None:
        is_open = self.attempt(self.model.open_past, self.model.closed[index])
        if is_open and self.model.server is None:
            self.room.ask_server()

    def step_back(self) -> bool:
        return self.back_to_shift()
