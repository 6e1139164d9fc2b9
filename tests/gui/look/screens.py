"""The sale and the payment put together from the look, with the data of the pictures."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.look.buttons import ActionKey, BigButton, Button
from pos_app.cashier.look.cart_parts import CartTotal, LastReceipt
from pos_app.cashier.look.chips import ChipFace, ChipRow
from pos_app.cashier.look.delegates import CartDelegate, ListDelegate, LookDelegate
from pos_app.cashier.look.field import SearchField
from pos_app.cashier.look.fonts import Weight
from pos_app.cashier.look.labels import Label
from pos_app.cashier.look.look import Look
from pos_app.cashier.look.metrics import Step
from pos_app.cashier.look.options import OptionButton
from pos_app.cashier.look.pad import Pad
from pos_app.cashier.look.panel import Ground, Panel
from pos_app.cashier.look.payment_line import BigFigure, PaymentLine
from pos_app.cashier.look.segment import Segment
from pos_app.cashier.look.state import Icon
from pos_app.cashier.look.status import StatusLine
from pos_app.cashier.look.topbar import ShopHead, TopBar
from pos_app.cashier.look.views import ListHead, RowView, TileView
from tests.gui.look.examples import FOUND, OFFLINE, TILES, WELL, WORDS, Rows, cart, chips

METHODS = (
    ("Готовина", "banknote", "1", 0, 0, 6), ("Картица", "credit-card", "2", 0, 6, 6),
    ("Пренос на рачун", "landmark", "3", 1, 0, 6), ("Инстант", "smartphone", "4", 1, 6, 6),
    ("Чек", "file-check-2", "5", 2, 0, 4), ("Ваучер", "ticket", "6", 2, 4, 4),
    ("Друго", "ellipsis", "7", 2, 8, 4),
)  # fmt: skip


def _rows(look: Look, rows: list[object], delegate: LookDelegate, *, name: str) -> RowView:
    made = RowView(look, delegate, name=name)
    made.setModel(Rows(rows, made))
    return made


def top_bar(look: Look) -> TopBar:
    """The bar of the sale."""
    names = ("Продаја", "Аванс", "Предрачун", "Обука")
    head = ShopHead(look)
    narrow = look.metrics.narrow
    head.set_shop(
        "Липа" if narrow else "Пекара и маркет Липа",
        "Нови Сад" if narrow else "Булевар ослобођења 12, Нови Сад",
    )
    bar = TopBar(look, head, middle=Segment(look, names, name="Врста продаје"))
    bar.set_lock("Каса 2 · Касир 3")
    bar.set_clock("14:32")
    return bar


def cart_column(look: Look, width: int, *, touched: bool, removed: bool = False) -> QWidget:
    """The left 37 %: last receipt, rows, total."""
    column = Ground(look, side=Qt.Edge.RightEdge)
    column.setFixedWidth(round(width * 0.37))
    stack = QVBoxLayout(column)
    stack.setContentsMargins(0, 0, look.metrics.hair, 0)
    stack.setSpacing(0)
    last = LastReceipt(look, name="Последњи рачун")
    words = "Издат и одштампан" if look.metrics.narrow else "Последњи рачун · издат и одштампан"
    last.set_receipt(
        "ABCD1234-ABCD1234-8652", f"{words} · 1.234,50", label="Кусур", amount="765,50"
    )
    rows: list[object] = list(cart(touched=touched, removed=removed))
    total = CartTotal(look)
    facts = (("Ставке", "6"), ("Попуст", "−70,00"), ("ПДВ", "198,46"))
    is_tight = look.metrics.narrow and look.metrics.text_percent > 100
    total.set_total(facts[: 2 if is_tight else 3], label="Укупно", currency="РСД", total="1.674,72")
    stack.addWidget(last)
    stack.addWidget(_rows(look, rows, CartDelegate(look, WORDS), name="Корпа"), 1)
    stack.addWidget(total)
    return column


def frame(look: Look, left: QWidget, right: QWidget, *, offline: bool = False) -> QWidget:
    """Bar, two columns, status line."""
    window = Ground(look, colour="bg")
    stack = QVBoxLayout(window)
    stack.setContentsMargins(0, 0, 0, 0)
    stack.setSpacing(0)
    middle = QHBoxLayout()
    middle.setSpacing(0)
    middle.addWidget(left)
    middle.addWidget(right, 1)
    status = StatusLine(look, name="Стање")
    sentence = (
        "Продаја и фискализација раде без интернета" if offline
        else "Продаја, фискализација и усклађивање раде"
    )  # fmt: skip
    status.set_status(OFFLINE if offline else WELL, sentence)
    stack.addWidget(top_bar(look))
    stack.addLayout(middle, 1)
    stack.addWidget(status)
    return window


def _right(look: Look) -> tuple[QWidget, QVBoxLayout]:
    side = QWidget()
    column = QVBoxLayout(side)
    edge = look.metrics.s3
    column.setContentsMargins(edge, edge, edge, edge)
    column.setSpacing(look.metrics.s2 + 2)
    return side, column


def search_row(look: Look, words: str) -> QHBoxLayout:
    """Search, next quantity, pad."""
    search = SearchField(
        look, name="Тражи", clear_name="Обриши претрагу",
        placeholder="Скенирајте, унесите шифру или тражите по називу",
    )  # fmt: skip
    search.set_text(words)
    search.setObjectName("focused" if words else "search")
    row = QHBoxLayout()
    row.setSpacing(look.metrics.s2)
    row.addWidget(search, 1)
    lead = "" if look.metrics.narrow else "Следећа"
    row.addWidget(Button(look, "1 ×", lead=lead, bold=True, name="Следећа количина"))
    row.addWidget(Button(look, icon="calculator", name="Бројеви"))
    return row


def key_row(look: Look) -> QHBoxLayout:
    """Six action keys and Pay."""
    row = QHBoxLayout()
    row.setSpacing(look.metrics.s2 - (1 if look.metrics.narrow else 0))
    for key, word in (
        ("F3", "Количина"), ("F4", "Попуст"), ("F5", "Купац"), ("F6", "Остави"),
        ("F8", "Аванс"), ("F9", "Више"),
    ):  # fmt: skip
        row.addWidget(ActionKey(look, word, key=key), 1)
    pay = BigButton(look, "Наплата", amount="1.674,72", key="F12", stacked=True)
    pay.setFixedWidth(160 if look.metrics.narrow else 250)
    row.addWidget(pay)
    return row


def sale_grid(look: Look, width: int, *, offline: bool = False) -> QWidget:
    """The sale with tiles."""
    side, column = _right(look)
    row = ChipRow(look, more=lambda count: f"Још {count}")
    row.set_chips(chips(ChipFace("star", "Омиљено", "star")), current="star")
    tiles = TileView(look, name="Артикли")
    tiles.setModel(Rows(list(TILES), tiles))
    half = look.metrics.s2 // 2
    for number, part in enumerate((search_row(look, ""), row, tiles, key_row(look))):
        line = QHBoxLayout()
        inside = 0 if part is tiles else half
        line.setContentsMargins(inside, 0, inside, 0)
        line.addLayout(part) if isinstance(part, QHBoxLayout) else line.addWidget(part)
        if number:
            column.addSpacing(look.metrics.s2 + 2 if number == 1 else look.metrics.s2 + 2 - half)
        column.addLayout(line, 1 if part is tiles else 0)
    edge = look.metrics.s3
    column.setSpacing(0)
    column.setContentsMargins(edge - half, edge, edge - half, edge)
    return frame(look, cart_column(look, width, touched=True), side, offline=offline)


def sale_list(look: Look, width: int) -> QWidget:
    """The sale with the list of found articles."""
    side, column = _right(look)
    row = ChipRow(look, more=lambda count: f"Још {count}")
    row.set_chips(chips(ChipFace("all", "Све")), current="all")
    panel = Panel(look)
    stack = QVBoxLayout(panel)
    stack.setContentsMargins(1, 1, 1, look.metrics.s1)
    stack.setSpacing(0)
    found = _rows(look, list(FOUND), ListDelegate(look), name="Артикли")
    found.setCurrentIndex(found.model().index(0, 0))
    head = ListHead(look)
    head.set_words(code="Шифра", name="Назив · 10 погодака за „sir“", price="Цена", unit="Јед.")
    stack.addWidget(head)
    stack.addWidget(found)
    column.addLayout(search_row(look, "sir"))
    column.addWidget(row)
    column.addWidget(panel, 1)
    column.addLayout(key_row(look))
    return frame(look, cart_column(look, width, touched=True, removed=False), side)


def payment(look: Look, width: int) -> QWidget:
    """The payment over the right side."""
    side, column = _right(look)
    column.setSpacing(look.metrics.s2)
    head = QHBoxLayout()
    head.setSpacing(look.metrics.s3)
    head.addWidget(Button(look, "Назад", icon="arrow-left", key="Esc"))
    head.addWidget(Label(look, "Наплата", step=Step.TITLE, weight=Weight.BOLD))
    head.addStretch(1)
    head.addWidget(Icon(look, "info", size=18))
    head.addWidget(Label(look, "Нови артикли: Esc, па скенирај", colour="ink_2"))
    figure = BigFigure(look)
    figure.set_figure("Кусур", "325,28", "примљено 2.000,00 од 1.674,72", change=True)
    column.addLayout(head)
    column.addWidget(figure)
    column.addWidget(payment_lines(look))
    column.addLayout(methods_and_pad(look))
    column.addStretch(1)
    column.addLayout(option_row(look))
    column.addWidget(BigButton(look, "Издај рачун", amount="1.674,72", key="Enter", icon="check"))
    return frame(look, cart_column(look, width, touched=False), side)


def payment_lines(look: Look) -> Panel:
    """Two lines, the second one being typed."""
    lines = Panel(look)
    stack = QVBoxLayout(lines)
    stack.setContentsMargins(1, 0, 1, 0)
    stack.setSpacing(0)
    first = PaymentLine(
        look, icon="credit-card", method="Платна картица", words="износ откуцан на терминалу",
        amount="1.000,00", remove_name="Уклони картицу",
    )  # fmt: skip
    second = PaymentLine(
        look, icon="banknote", method="Готовина", words="примљено од купца", amount="1.000,00",
        remove_name="Уклони готовину", editing=True, last=True,
    )  # fmt: skip
    assert second.field is not None
    second.field.setObjectName("focused")
    stack.addWidget(first)
    stack.addWidget(second)
    return lines


def methods_and_pad(look: Look) -> QHBoxLayout:
    """Methods in rows, notes under them, the pad beside."""
    grid = QGridLayout()
    grid.setSpacing(look.metrics.s2)
    for words, icon, key, row, start, span in METHODS:
        icon_shown = "" if look.metrics.narrow else icon
        button = Button(look, words, icon=icon_shown, key=key, spread=True, height="payment_key")
        button.setCheckable(True)
        button.setChecked(words == "Готовина")
        grid.addWidget(button, row, start, 1, span)
    for number, words in enumerate(("Тачно", "200", "500", "1.000", "2.000", "5.000")):
        note = Button(look, words, bold=True, height="payment_key")
        note.setCheckable(True)
        note.setChecked(words == "1.000")
        grid.addWidget(note, 3, number * 2, 1, 2)
    for number in range(12):
        grid.setColumnStretch(number, 1)
    both = QHBoxLayout()
    both.setSpacing(look.metrics.s3)
    both.addLayout(grid, 1)
    pad = Pad(look, back_name="Обриши цифру")
    pad.setFixedWidth(232 if look.metrics.narrow else 272)
    both.addWidget(pad)
    return both


def option_row(look: Look) -> QHBoxLayout:
    """Buyer, delivery, discount and text, each with its value."""
    row = QHBoxLayout()
    row.setSpacing(look.metrics.s2)
    for label, value, icon, key in (
        ("Купац", "Без купца", "building-2", "F5"),
        ("Рачун купцу", "Термални штампач", "printer", ""),
        ("Попуст на рачун", "Без попуста", "percent", "F4"),
        ("Текст на рачуну", "Без текста", "message-square-text", ""),
    ):
        cap = "" if look.metrics.narrow else key
        row.addWidget(OptionButton(look, label, value, icon=icon, key=cap), 1)
    return row


def place_of(widget: QWidget, inside: QWidget) -> QRect:
    """Where a widget lies in another."""
    return QRect(widget.mapTo(inside, QPoint(0, 0)), widget.size())
