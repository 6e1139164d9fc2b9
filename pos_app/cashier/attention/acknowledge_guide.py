"""The answer that a manager gives with a name: an alarm was seen, a mark is closed, an element is
accepted."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from pos_app.cashier.attention.steps import Guide, ManagerName
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import ButtonKind
from pos_app.cashier.ui.theme import Theme


class AcknowledgeGuide(Guide):
    """A manager says that he has seen it. Signal: `seen(str)` with the manager's name."""

    seen = Signal(str)

    def __init__(
        self,
        theme: Theme,
        texts: Texts,
        *,
        title: str = "att.step.seen",
        note: str = "att.seen_note",
        key: str = "att.alarm_seen",
    ) -> None:
        super().__init__(theme, texts)
        self.manager = ManagerName(self)
        self.press = self.button(key, icon="check", kind=ButtonKind.FILLED, cap="Enter")
        self.press.clicked.connect(self.press_main)
        line = self.step(texts(title), texts(note), self.manager.row, self.row(self.press))
        line.number.set_step(current=True)

    def first(self) -> QWidget | None:
        return self.manager.field.edit

    def press_main(self) -> bool:
        if name := self.manager.given():
            self.seen.emit(name)
        return True
