"""A technical line, such as another program's own words, behind a button that opens it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.fonts import breakable
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.theme import Theme


class Details(QWidget):
    """words: those of the button. technical: the line, which is read to support as it stands."""

    def __init__(self, theme: Theme, words: str, technical: str) -> None:
        super().__init__()
        self.technical = technical
        self.button = Button(
            theme, words, icon="chevron-down", kind=ButtonKind.QUIET, icon_last=True, flush=True
        )
        line = breakable(technical, after="\\")  # as a path of Windows has it
        self._line = Label(theme, line, step=TypeStep.SMALL, colour="ink_2", mono=True, wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s1)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._line)
        self._line.hide()
        self.button.clicked.connect(lambda _=False: self._toggle())

    def _toggle(self) -> None:
        is_open = self._line.isHidden()
        self._line.setVisible(is_open)
        self.button.set_icon("chevron-up" if is_open else "chevron-down")
