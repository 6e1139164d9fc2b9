"""The components that the first sheet does not show."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from pos_app.cashier.ui.bars import ScreenHead, TopBar
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import CheckBox
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.cashier.ui.paint_cart import cart_row_height, paint_cart_ground, paint_cart_words
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.rows import CartRow, CartState
from pos_app.cashier.ui.state import StepNumber
from pos_app.cashier.ui.theme import Theme, ThemedWidget
from tests.gui.ui.examples import WORDS, cart

LONG = "Чоколада млечна са целим лешником Најлепше жеље 100 g"


class Rows(ThemedWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        usual = cart()
        self.rows = [
            usual[0],
            CartRow("−1", "Повраћај амбалаже", "−20,00", "ком", "−20,00"),
            CartRow("12,345", LONG, "189,99", "ком", "2.345,99", note="цена промењена"),
            CartRow("2", LONG, "139,99", "ком", "279,98", state=CartState.REMOVED),
            CartRow("1", LONG, "139,99", "ком", "139,98", state=CartState.CURRENT),
            CartRow("9.999", "Једна", "999.999,99", "ком", "9.999.999.990,00"),
        ]

    def sizeHint(self) -> QSize:
        return QSize(504, sum(cart_row_height(self.theme, row, WORDS, 504) for row in self.rows))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        top = 0
        painter.fillRect(self.rect(), self.theme.colour("surface"))
        for row in self.rows:
            place = QRect(0, top, 504, cart_row_height(self.theme, row, WORDS, 504))
            paint_cart_ground(painter, place, self.theme, row, WORDS, pressed="")
            paint_cart_words(painter, place, self.theme, row, WORDS)
            top += place.height()


def _choices(theme: Theme) -> QVBoxLayout:
    column = QVBoxLayout()
    small = QHBoxLayout()
    for on in (False, True):
        box = CheckBox(theme, "Штампај")
        box.setChecked(on)
        small.addWidget(box)
    for number, state in ((1, "done"), (2, "current"), (3, "")):
        step = StepNumber(theme, number)
        step.set_step(done=state == "done", current=state == "current")
        small.addWidget(step)
    column.addLayout(small)
    taxes = QHBoxLayout()
    for label, value in (("Ђ", "20 %"), ("Е", "10 %"), ("А", "није у ПДВ")):
        tax = OptionButton(theme, label, value)
        tax.setCheckable(True)
        tax.setChecked(label == "Е")
        taxes.addWidget(tax)
    column.addLayout(taxes)
    column.addStretch(1)
    return column


def more(theme: Theme) -> QWidget:
    """The second sheet, 1100 × 720."""
    sheet = Ground(theme, colour="bg")
    column = QVBoxLayout(sheet)
    column.setContentsMargins(0, 0, 0, 16)
    column.setSpacing(12)
    head = ScreenHead(theme, key="Esc", title="Пажња", words="4 ставке")
    head.button.lead_to("Продаја")
    bar = TopBar(theme, head)
    bar.set_clock("14:40")
    notice = NoticePanel(
        theme,
        NoticeKind.WARN,
        happened="Веза са процесором је прекинута пре него што је стигао одговор.",
        safe="Јесте. Сачувана је у каси и неће бити послата два пута.",
        press="Погледајте последњи број на процесору и упишите га у корак 2.",
        heads=("Шта се догодило", "Да ли је продаја сачувана", "Шта сада"),
        buttons=(Button(theme, "Настави", key="Enter", kind=ButtonKind.FILLED),),
    )
    column.addWidget(bar)
    row = QHBoxLayout()
    row.setContentsMargins(16, 0, 16, 0)
    row.addWidget(notice)
    column.addLayout(row)
    halves = QHBoxLayout()
    halves.setContentsMargins(16, 0, 16, 0)
    rows = QVBoxLayout()
    rows.addWidget(Rows(theme))
    rows.addStretch(1)
    halves.addLayout(rows)
    halves.addLayout(_choices(theme))
    column.addLayout(halves, 1)
    return sheet
