"""The sale and the payment, made of the look's components with the data of the pictures."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.sale.cart_parts import CartTotal, LastReceiptStrip
from pos_app.cashier.ui import buttons, views
from pos_app.cashier.ui.bars import ShopHead, StatusLine, TopBar
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.choices import ChipRow, ChipSpec, Segment
from pos_app.cashier.ui.column_head import PickerHead
from pos_app.cashier.ui.field import SearchField
from pos_app.cashier.ui.figure import BigFigure
from pos_app.cashier.ui.labels import Icon, Label
from pos_app.cashier.ui.metrics import TypeStep, Weight
from pos_app.cashier.ui.panel import Ground, Panel
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


def _right(theme: Theme) -> tuple[QWidget, QVBoxLayout]:
    side = QWidget()
    column = QVBoxLayout(side)
    edge = theme.metrics.s3
    column.setContentsMargins(edge, edge, edge, edge)
    column.setSpacing(theme.metrics.s2 + 2)
    return side, column


def search_row(theme: Theme, words: str) -> QHBoxLayout:
    search = SearchField(
        theme,
        name="Тражи",
        clear_name="Обриши претрагу",
        key="F2",
        placeholder="Скенирајте, унесите шифру или тражите по називу",
    )
    search.set_text(words)
    search.setObjectName("focused" if words else "search")
    row = QHBoxLayout()
    row.setSpacing(theme.metrics.s2)
    row.addWidget(search, 1)
    lead = "" if theme.metrics.narrow else "Количина"
    row.addWidget(buttons.Button(theme, "1 ×", lead=lead, bold=True, name="Следећа количина"))
    row.addWidget(buttons.Button(theme, icon="calculator", name="Бројеви"))
    return row


def key_row(theme: Theme) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(theme.metrics.s2 - (1 if theme.metrics.narrow else 0))
    for key, word in (
        ("F3", "Количина"),
        ("F4", "Попуст"),
        ("F5", "Купац"),
        ("F6", "Остави"),
        ("F8", "Аванс"),
        ("F9", "Више"),
    ):
        row.addWidget(buttons.ActionButton(theme, word, key=key), 1)
    pay = BigButton(theme, "Наплата", amount="1.674,72", key="F12", stacked=True)
    pay.setFixedWidth(160 if theme.metrics.narrow else 250)
    row.addWidget(pay)
    return row


def sale_grid(theme: Theme, width: int) -> QWidget:
    side, column = _right(theme)
    row = ChipRow(theme, more=lambda count: f"Још {count}")
    row.set_chips(examples.chips(ChipSpec("star", "Омиљено", "star")), current="star")
    tiles = views.TileView(theme, name="Артикли")
    tiles.setModel(examples.Rows(list(examples.TILES), tiles))
    half = theme.metrics.s2 // 2
    for number, part in enumerate((search_row(theme, ""), row, tiles, key_row(theme))):
        line = QHBoxLayout()
        inside = 0 if part is tiles else half
        line.setContentsMargins(inside, 0, inside, 0)
        line.addLayout(part) if isinstance(part, QHBoxLayout) else line.addWidget(
            cast("QWidget", part)
        )
        if number:
            column.addSpacing(theme.metrics.s2 + 2 if number == 1 else theme.metrics.s2 + 2 - half)
        column.addLayout(line, 1 if part is tiles else 0)
    edge = theme.metrics.s3
    column.setSpacing(0)
    column.setContentsMargins(edge - half, edge, edge - half, edge)
    return frame(theme, cart_column(theme, width, is_current=True), side)


def sale_list(theme: Theme, width: int) -> QWidget:
    side, column = _right(theme)
    row = ChipRow(theme, more=lambda count: f"Још {count}")
    row.set_chips(examples.chips(ChipSpec("all", "Све")), current="all")
    panel = Panel(theme)
    stack = QVBoxLayout(panel)
    stack.setContentsMargins(1, 1, 1, theme.metrics.s1)
    stack.setSpacing(0)
    found = _rows(theme, list(examples.FOUND), views.ListDelegate(theme), name="Артикли")
    found.setCurrentIndex(found.model().index(0, 0))
    head = PickerHead(theme)
    head.set_words(code="Шифра", name="Назив · 10 погодака за „sir“", price="Цена", unit="Јед.")
    stack.addWidget(head)
    stack.addWidget(found)
    column.addLayout(search_row(theme, "sir"))
    column.addWidget(row)
    column.addWidget(panel, 1)
    column.addLayout(key_row(theme))
    return frame(theme, cart_column(theme, width, is_current=True), side)


def payment(theme: Theme, width: int) -> QWidget:
    """The head of a payment and its change; all else of it stands in the till's own window."""
    side, column = _right(theme)
    column.setSpacing(theme.metrics.s2)
    head = QHBoxLayout()
    head.setSpacing(theme.metrics.s3)
    head.addWidget(buttons.Button(theme, "Назад", icon="arrow-left", key="Esc"))
    head.addWidget(Label(theme, "Наплата", step=TypeStep.TITLE, weight=Weight.BOLD))
    head.addStretch(1)
    head.addWidget(Icon(theme, "info", size=18))
    head.addWidget(Label(theme, "Нови артикли: Esc, па скенирај", colour="ink_2"))
    figure = BigFigure(theme)
    figure.show_figure("Кусур", "325,28", "примљено 2.000,00 од 1.674,72", chosen=True)
    column.addLayout(head)
    column.addWidget(figure)
    column.addStretch(1)
    column.addWidget(BigButton(theme, "Издај рачун", amount="1.674,72", key="Enter", icon="check"))
    return frame(theme, cart_column(theme, width, is_current=False), side)


def place_of(widget: QWidget, inside: QWidget) -> QRect:
    return QRect(widget.mapTo(inside, QPoint(0, 0)), widget.size())
