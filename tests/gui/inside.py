"""The screens in the till's window and the models behind them.

Only this module knows where the window holds them. It loads no screen, as their memory is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pos_app.cashier.sale.cart_view import CartColumn
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.sale_screen import SaleScreen
from pos_app.cashier.sale.top import Top
from pos_app.cashier.sale.work_area import WorkArea
from pos_app.cashier.window.screens import CasePlace, SettingsPlace
from pos_app.cashier.window.till_window import TillWindow
from pos_app.selling.sale.ticket import DocumentKind

if TYPE_CHECKING:
    from pos_app.cashier.attention.cases.case import Case
    from pos_app.cashier.attention.view import AttentionScreen
    from pos_app.cashier.catalogue.view import CatalogueScreen
    from pos_app.cashier.first_start.view import FirstStartScreen
    from pos_app.cashier.settings.view import SettingsScreen

ScreenName = Literal["sale", "attention", "catalogue", "settings", "first_start"]


class Inside:
    def __init__(self, window: TillWindow) -> None:
        self._frame = window.frame

    def is_in(self, name: ScreenName) -> bool:
        return self._frame.top_name == name

    def open(self, name: ScreenName) -> None:
        """Open a screen as its key or button does."""
        self._frame.open(name)

    def open_case(self, case_id: str) -> None:
        self._frame.open("attention", CasePlace(case_id))

    def open_card_pin(self) -> None:
        self._frame.open("settings", SettingsPlace.CARD_PIN)

    def open_platform(self) -> None:
        self._frame.open("settings", SettingsPlace.PLATFORM)

    def go_home(self) -> None:
        """Go back to the sale, from any screen."""
        self._frame.go_home()

    def _top(self, title: str) -> Any:
        """The screen in front, by its title. title: the id of its text."""
        top = self._frame.top
        assert top.accessibleName() == self._frame.ui.texts(title), f"{top} is open"
        return top

    @property
    def attention(self) -> AttentionScreen:
        screen: AttentionScreen = self._top("att.title")
        return screen

    def cases(self) -> Sequence[Case]:
        """The cases of Attention, read again; its screen may be open or not."""
        from pos_app.cashier.attention.actions import AttentionRoom

        room = self._frame.room("attention")
        assert isinstance(room, AttentionRoom)
        room.model.load()
        return room.model.cases

    def waiting(self) -> int:
        self.cases()
        self._frame.count()
        return self._frame.waiting.many

    @property
    def catalogue(self) -> CatalogueScreen:
        screen: CatalogueScreen = self._top("cat.title")
        return screen

    @property
    def settings(self) -> SettingsScreen:
        screen: SettingsScreen = self._top("set.title")
        return screen

    @property
    def first_start(self) -> FirstStartScreen | None:
        """The screen of the first start, None once the shop is set up."""
        return self._top("first.name") if self.is_in("first_start") else None

    @property
    def _sale(self) -> SaleScreen:
        home: Any = self._frame.home_screen
        sale: SaleScreen = home
        return sale

    @property
    def model(self) -> SaleModel:
        return self._sale.model

    @property
    def work_area(self) -> WorkArea:
        return self._sale.work_area

    @property
    def cart(self) -> CartColumn:
        return self._sale.cart

    @property
    def top(self) -> Top:
        return self._sale.top

    def set_kind(self, kind: DocumentKind) -> None:
        self._sale.set_kind(kind)


def inside(window: TillWindow) -> Inside:
    return Inside(window)
