"""A counter below Attention that notes the requests to it, in place of the sale."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.window.frame import HOME, Frame, Home, HomeRoom, HomeScreen, Room, ScreenEntry
from pos_app.cashier.window.screens import SCREENS
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.selling.sale.sale import Sale

TABLE = (ScreenEntry(HOME, __name__), *(entry for entry in SCREENS if entry.name != HOME))


@dataclass
class Noted:
    asked: list[str] = field(default_factory=list)


class Counter(HomeRoom):
    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.taken: list[Sale] = []
        self.bugs: list[BaseException] = []
        self.noted = Noted()
        note = self.noted.asked.append
        self.home = Home(
            show_error=self.bugs.append,
            show_bug=self.bugs.append,
            show_unopened=self.bugs.append,
            note_fault=self.bugs.append,
            tone=frame.services.tones.play,
            shop_name=str,
            ticket=_is_not_asked,
            begun_payment=_is_not_asked,
            hand_over=_is_not_asked,
            take_back=self.taken.append,
            open_goods=self.taken.append,
            sell_again=self._sell_again,
            begin_exchange=lambda goods, _: note(f"exchange {goods.total}"),
            exchange_refused=lambda *_: note("exchange refused"),
            give_back=lambda *_: note("give back"),
            act_confirmed=self.act_confirmed,
            see_drawer=lambda: note("see the drawer"),
            open_drawer_for=self.open_drawer_for,
            open_drawer=lambda: note("open the drawer"),
            print_paper=_is_not_asked,
        )

    def _sell_again(self, overview: ReceiptOverview, *, as_advance: bool = False) -> None:
        what = "advance" if as_advance else "sale"
        self.noted.asked.append(f"{overview.number} as a new {what}")

    def act_confirmed(self, sale: Sale) -> None:
        assert sale.is_exchange, sale

    def open_drawer_for(self, sale: Sale) -> None:
        raise AssertionError(sale)


def _is_not_asked(*asked: object, **named: object) -> NoReturn:
    raise AssertionError(asked, named)


class CounterScreen(HomeScreen):
    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame)
        assert isinstance(room, Counter)
        self.noted = room.noted
        self.waiting = 0

    def act(self, command: TillCommand) -> None:
        self.noted.asked.append(command.name)

    def show_waiting(self, many: int) -> None:
        self.waiting = many

    def take_width(self, width: int) -> None:
        """Ignore the width."""

    def keep_typed(self) -> None:
        """Keep nothing: nothing is typed here."""


def hold(frame: Frame, ui: UiContext) -> QWidget:
    content = QWidget()
    column = QVBoxLayout(content)
    column.setContentsMargins(0, 0, 0, 0)
    frame.build(ui, column)
    frame.build_top()
    return content


ROOM, SCREEN = Counter, CounterScreen
