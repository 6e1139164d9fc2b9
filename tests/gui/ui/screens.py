"""The frame of the sale and its cart, around what stands at the right: made of the look's
components with the data of the pictures."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.sale.cart_parts import CartTotal, LastReceiptStrip
from pos_app.cashier.ui import views
from pos_app.cashier.ui.bars import ShopHead, StatusLine, TopBar
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from tests.gui.ui import examples


def _rows(
    theme: Theme, rows: list[object], delegate: views.ThemedDelegate, *, name: str
) -> views.RowView:
    made = views.RowView(theme, delegate, name=name)
    made.setModel(examples.Rows(rows, made))
    return made


def top_bar(theme: Theme) -> TopBar:
    names = ("Продаја", "Аванс", "Предрачун", "Обука")
    head = ShopHead(theme)
    narrow = theme.metrics.narrow
    head.set_shop(
        "Липа" if narrow else "Пекара и маркет Липа",
        "Нови Сад" if narrow else "Булевар ослобођења 12, Нови Сад",
    )
    bar = TopBar(theme, head, middle=Segment(theme, names, name="Врста продаје"))
    bar.set_clock("14:32")
    return bar


def cart_column(theme: Theme, width: int, *, is_current: bool) -> QWidget:
    """The left 37 %: last receipt, rows, total."""
    column = Ground(theme, side=Qt.Edge.RightEdge)
    column.setFixedWidth(round(width * 0.37))
    stack = QVBoxLayout(column)
    stack.setContentsMargins(0, 0, theme.metrics.hair, 0)
    stack.setSpacing(0)
    last = LastReceiptStrip(theme, name="Последњи рачун")
    words = "Издат и одштампан" if theme.metrics.narrow else "Последњи рачун · издат и одштампан"
    last.set_receipt(
        "ABCD1234-ABCD1234-8652",
        f"{words} · 1.234,50",
        short=("Издат и одштампан", "Издат"),
        label="Кусур",
        amount="765,50",
    )
    rows: list[object] = list(examples.cart(is_current=is_current))
    total = CartTotal(theme)
    facts = (("Ставке", "6"), ("Попуст", "−70,00"), ("ПДВ", "198,46"))
    is_tight = theme.metrics.tight
    total.set_total(facts[: 2 if is_tight else 3], label="Укупно", currency="РСД", total="1.674,72")
    stack.addWidget(last)
    stack.addWidget(_rows(theme, rows, views.CartDelegate(theme, examples.WORDS), name="Корпа"), 1)
    stack.addWidget(total)
    return column


def frame(theme: Theme, left: QWidget, right: QWidget) -> QWidget:
    window = Ground(theme, colour="bg")
    stack = QVBoxLayout(window)
    stack.setContentsMargins(0, 0, 0, 0)
    stack.setSpacing(0)
    middle = QHBoxLayout()
    middle.setSpacing(0)
    middle.addWidget(left)
    middle.addWidget(right, 1)
    status = StatusLine(theme, name="Стање")
    status.set_status(examples.WELL, "Продаја, фискализација и усклађивање раде")
    stack.addWidget(top_bar(theme))
    stack.addLayout(middle, 1)
    stack.addWidget(status)
    return window
