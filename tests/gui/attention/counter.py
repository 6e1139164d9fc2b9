"""A counter below Attention that notes the requests to it, in place of the sale."""

from __future__ import annotations

from dataclasses import dataclass, field

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.services.till_services import ToneName
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.window.frame import HOME, Frame, HomeRoom, HomeScreen, Room, ScreenEntry
from pos_app.cashier.window.screens import SCREENS
from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.errors import PosError
from pos_app.selling.catalogue.codes import ReadCode
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import TypedDetails

TABLE = (ScreenEntry(HOME, __name__), *(entry for entry in SCREENS if entry.name != HOME))


@dataclass
class Noted:
    """Other requests of the screens."""

    asked: list[str] = field(default_factory=list)


class Counter(HomeRoom):
    """A home room that takes every sale."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.taken: list[Sale] = []
        self.bugs: list[BaseException] = []
        self.noted = Noted()

    def take_back(self, sale: Sale) -> None:
        self.taken.append(sale)

    def open_goods(self, refund: Sale) -> None:
        self.taken.append(refund)

    def show_error(self, error: PosError) -> None:
        self.bugs.append(error)

    def show_bug(self, error: BaseException, *, is_opening: bool = False) -> None:
        self.bugs.append(error)

    def tone(self, name: ToneName) -> None:
        self.frame.services.tones.play(name)

    def read_code(self, code: str) -> ReadCode:
        raise AssertionError(code)

    def sell_again(self, overview: ReceiptOverview, *, as_advance: bool = False) -> None:
        what = "advance" if as_advance else "sale"
        self.noted.asked.append(f"{overview.number} as a new {what}")

    def begin_exchange(self, goods: GoodsBack, card_of: TypedDetails) -> None:
        self.noted.asked.append(f"exchange {goods.total}")

    def exchange_refused(self, number: str, reason: str, left: Money | None) -> None:
        self.noted.asked.append("exchange refused")

    def open_drawer(self) -> None:
        self.noted.asked.append("open the drawer")

    def see_drawer(self) -> None:
        self.noted.asked.append("see the drawer")

    def act_confirmed(self, sale: Sale) -> None:
        assert sale.is_exchange, sale

    def open_drawer_for(self, sale: Sale) -> None:
        raise AssertionError(sale)

    @property
    def shop_name(self) -> str:
        return ""


class CounterScreen(HomeScreen):
    """A home screen on which nothing is sold."""

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
    """A widget with the screens of the frame, in the theme, language and width of `ui`."""
    content = QWidget()
    column = QVBoxLayout(content)
    column.setContentsMargins(0, 0, 0, 0)
    frame.build(ui, column)
    frame.build_top()
    return content


ROOM, SCREEN = Counter, CounterScreen
