"""Everything is reachable by touch alone and by keyboard alone (till.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QPointingDevice
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from pos_app.cashier.commands import KEYS, KINDS, KeyPage, TillCommand
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.questions import More, NewArticle, NextQuantity, VoidQuestion
from pos_app.cashier.ui.bars import StatusLine
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.field import KeyboardButton
from pos_app.cashier.ui.keyboard import Pad
from pos_app.cashier.ui.theme import RING
from pos_app.cashier.window.frame import Change, ShopChange
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.people_here import quick
from tests.gui import parts
from tests.gui.inside import inside
from tests.gui.window.anew import Anew
from tests.gui.window.finger import Finger
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.sweep import each

NOBODYS = "8600999000014"
NONE = Qt.KeyboardModifier.NoModifier


@dataclass
class Till:
    hands: Hands
    finger: Finger

    @property
    def sale(self) -> SaleModel:
        return self.hands.model

    @property
    def work_area(self) -> Any:
        return self.hands.area

    @property
    def tender(self) -> Any:
        return self.work_area.payment.model.tender

    @property
    def board(self) -> Any:
        return parts.layout_of(self.work_area.payment).board

    def key(self, key: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
        """Press a key that the scanner's filter ignores."""
        QTest.keyClick(self.hands.window.windowHandle(), key, held)

    def pad(self, *keys: str) -> None:
        """Tap keys of the payment's pad, which is opened if it is folded."""
        if not self.board.pad.isVisible():
            self.finger.tap(parts.layout_of(self.work_area.payment).head.numbers)
        for key in keys:
            self.finger.tap(self.board.pad.key(key))

    def tap_cart(self, button: str, number: int) -> None:
        hands, self.hands.tap = self.hands, self.finger.tap  # type: ignore[method-assign]
        hands.tap_cart(button, number)
        del hands.tap

    def tap_more(self, words: str) -> None:
        """Tap an entry of the menu."""
        self.finger.tap(self.work_area.sale.bar.buttons["F9"])
        self.finger.tap_named(words)

    def tap_buyer(self) -> None:
        """Tap the buyer's key, or its entry of the menu in a window that is too narrow for it."""
        key = self.work_area.sale.bar.buttons["F5"]
        if key.isVisible():
            self.finger.tap(key)
        else:
            self.tap_more("Купац")


Do = Callable[[Till], object]


@dataclass(frozen=True)
class Way:
    """before: prepares the act. seen: reads the result of both ways. wanted: the expected
    result."""

    by_key: Do
    by_touch: Do
    seen: Do
    wanted: object
    before: Do = lambda _: None


def asked(till: Till) -> str:
    return type(till.hands.model.questions.question).__name__


def current_line(till: Till) -> object:
    lines = till.hands.ticket.cart.active
    line = till.hands.model.cart.current_line
    return lines.index(line) if line else None


def paid_by(till: Till) -> object:
    sale = till.hands.sale()
    return b'"card"' in till.hands.shop.database.sales.body(sale.key) if sale else None


def kind(till: Till) -> DocumentKind:
    return till.hands.ticket.kind


def tap_kind(till: Till, *, number: int) -> None:
    segment = till.hands.top.segment
    till.finger.tap(segment, parts.place_of_part(segment, number))


def page(till: Till) -> str:
    form = parts.form_of(till.work_area.payment) if till.work_area.is_paying else None
    return type(form).__name__


def pay(till: Till) -> None:
    till.work_area.pay()


def open_over_payment(place: FaultPart) -> Do:
    def do(till: Till) -> None:
        till.work_area.pay()
        till.work_area.payment.open_page(place)

    return do


def open_page(place: FaultPart) -> Do:
    return lambda till: till.work_area.pay(place)


def is_paying(till: Till) -> bool:
    return bool(till.work_area.is_paying)


def purpose(till: Till) -> ScanPurpose:
    return till.sale.cart.purpose


def words_typed(till: Till) -> None:
    till.work_area.sale.search.search.set_text("sir")


def search_text(till: Till) -> str:
    return str(till.work_area.sale.search.text())


def lines(till: Till) -> int:
    return len(till.sale.cart.ticket.cart.active)


def open_attention(till: Till) -> None:
    inside(till.hands.window).open("attention")


def in_attention(till: Till) -> bool:
    return inside(till.hands.window).is_in("attention")


def scan_nobodys(till: Till) -> None:
    till.hands.window.on_scan(NOBODYS)


def press(*names: str) -> Do:
    return lambda till: [till.hands.press(name) for name in names]


def alt_2(till: Till) -> None:
    till.key(Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)


def tap(words: str) -> Do:
    return lambda till: till.finger.tap_named(words)


def tap_bar(key: str) -> Do:
    return lambda till: till.finger.tap(till.work_area.sale.bar.buttons[key])


def tap_button(name: str) -> Do:
    """Tap one of the buttons of payment of the bar."""
    return lambda till: till.finger.tap(getattr(till.work_area.sale.bar, name))


def more(words: str) -> Do:
    return lambda till: till.tap_more(words)


def tap_option(part: FaultPart) -> Do:
    return lambda till: till.finger.tap(till.board.options[part])


def tap_issue(till: Till) -> None:
    till.finger.tap(parts.layout_of(till.work_area.payment).issue)


def asked_for_the_drawer(till: Till) -> bool:
    """Whether the screen says that this shop has no drawer: on the sale, or on the payment."""
    told = till.hands.notice()
    if till.work_area.is_paying:
        told += parts.layout_of(till.work_area.payment).head.news_text()
    return "фиок" in told.lower()


def chosen_pin(till: Till) -> None:
    """Choose a PIN, so that the locked till can be unlocked."""
    till.hands.shop.services.manager.save_pin(quick("2580"))
    till.hands.window.frame.announce(Change(ShopChange.CASHIER))


def covered(till: Till) -> str:
    return till.hands.window.frame.cover_name


SALE: dict[TillCommand, Way] = {
    TillCommand.KEYS: Way(press("F1"), more("Тастери"), asked, "KeysOfScreen"),
    TillCommand.SEARCH: Way(
        press("F2"), lambda t: t.finger.tap(t.work_area.sale.search.search.edit),
        lambda t: t.work_area.sale.search.search.edit.hasFocus(), True,
        lambda t: t.work_area.sale.bar.pay.setFocus()
    ),
    TillCommand.QUANTITY: Way(press("F3"), tap_bar("F3"), asked, "LineQuantity"),
    TillCommand.PRICE: Way(press("F4"), tap_bar("F4"), asked, "LinePrice"),
    TillCommand.BUYER: Way(press("F5"), lambda t: t.tap_buyer(), page, "BuyerForm"),
    TillCommand.SUSPEND: Way(press("F6"), tap_bar("F6"), lambda t: t.sale.cart.suspended_count, 1),
    TillCommand.SUSPEND_NAMED: Way(
        press("Ctrl+F6"), more("Остави под називом"), asked, "CartName"
    ),
    **{
        command: Way(
            press(f"Ctrl+{number + 1}"),
            partial(tap_kind, number=number),
            kind,
            DocumentKind(command),
            partial(tap_kind, number=0 if number else 1),
        )
        for number, command in enumerate(KINDS)
    },
    TillCommand.DRAWER: Way(press("F10"), more("Отвори фиоку"), asked_for_the_drawer, True),
    TillCommand.LOCK: Way(press("F11"), tap("закључај касу"), covered, "lock", chosen_pin),
    TillCommand.MORE: Way(press("F9"), tap_bar("F9"), asked, "More"),
    TillCommand.PAY: Way(press("F12"), tap_button("pay"), is_paying, True),
    TillCommand.CASH: Way(press("pad plus"), tap_button("exact"), paid_by, False),
    TillCommand.CARD: Way(press("pad -"), tap_button("card"), paid_by, True),
    TillCommand.LINE_UP: Way(press("PgUp"), lambda t: t.tap_cart("", 0), current_line, 0),
    TillCommand.LINE_DOWN: Way(
        press("PgDown"), lambda t: t.tap_cart("", 1), current_line, 1,
        lambda t: t.sale.cart.select_next_line(-1)
    ),
    TillCommand.REMOVE: Way(press("Del"), lambda t: t.tap_cart("remove", 1), lines, 1),
    TillCommand.BACK: Way(
        press("Esc"), tap("Продаја"), asked, "NoneType", lambda t: t.sale.questions.ask(More())
    ),
}  # fmt: skip
BACK: dict[str, Way] = {
    "words in the search": Way(press("Esc"), tap("Обриши претрагу"), search_text, "", words_typed),
    "a notice": Way(press("Esc"), tap("У реду"), lambda t: t.hands.notice(), "", scan_nobodys),
    "the question for a price": Way(
        press("Esc"), tap("Назад на продају"), purpose, ScanPurpose.ADD,
        lambda t: t.sale.entry.set_purpose(ScanPurpose.SHOW_PRICE)
    ),
    "the pad": Way(
        press("Esc"), lambda t: t.finger.tap(t.work_area.sale.search.pad),
        lambda t: t.work_area.sale.pad.isVisible(), False,
        lambda t: t.work_area.sale.search.pad.setChecked(True)
    ),
    "the payment": Way(press("Esc"), tap("Продаја"), is_paying, False, pay),
    "a page of the payment": Way(
        press("Esc"), tap("Наплата"), page, "NoneType", open_over_payment(FaultPart.BUYER)
    ),
    "the buyer alone": Way(
        press("Esc"), tap("Продаја"), is_paying, False, open_page(FaultPart.BUYER)
    ),
    "Attention": Way(press("Esc"), tap("Продаја"), in_attention, False, open_attention),
}  # fmt: skip


def typed(till: Till) -> str:
    return str(till.tender.active_line.entry.text)


def method(till: Till) -> PaymentMethod:
    found: PaymentMethod = till.tender.active_line.method
    return found


def fifty(till: Till) -> None:
    pay(till)
    till.hands.type("50")


def by_card_and_cash(till: Till) -> None:
    fifty(till)
    alt_2(till)


def tap_card(till: Till) -> None:
    till.finger.tap(till.board.buttons.methods[PaymentMethod.CARD])


PAYMENT: dict[str, Way] = {
    "pay.keys.digits": Way(
        lambda t: t.hands.type("50,5"), lambda t: t.pad("5", "0", ",", "5"), typed, "50,5",
        lambda t: (pay(t), tap_card(t))
    ),
    "Alt+1…7": Way(alt_2, tap_card, method, PaymentMethod.CARD, pay),
    "Enter": Way(
        press("Enter", "Enter"), lambda t: (tap_issue(t), tap_issue(t)), paid_by, False, pay
    ),
    "↑ ↓": Way(
        press("Up"), lambda t: t.finger.tap(t.board.lines.line(t.tender.lines[0].id)),
        lambda t: t.tender.lines.index(t.tender.active_line), 0, by_card_and_cash
    ),
    "Backspace": Way(
        lambda t: t.key(Qt.Key.Key_Backspace), lambda t: t.pad("back"), typed, "5", fifty
    ),
    "Delete": Way(press("Del"), lambda t: t.pad("back", "back"), typed, "", fifty),
    "F11": Way(
        press("F11"), tap("закључај касу"), covered, "lock", lambda t: (chosen_pin(t), pay(t))
    ),
    "F2": Way(press("F2"), tap("Продаја"), is_paying, False, pay),
    "F4": Way(press("F4"), tap_option(FaultPart.DISCOUNT), page, "DiscountForm", pay),
    "F5": Way(press("F5"), tap_option(FaultPart.BUYER), page, "BuyerForm", pay),
    "Ctrl+1…4": Way(press("Ctrl+3"), partial(tap_kind, number=2), kind, DocumentKind.PROFORMA, pay),
    "F10": Way(
        press("F10"), lambda t: (t.finger.tap_named("Продаја"), t.tap_more("Отвори фиоку")),
        asked_for_the_drawer, True, pay
    ),
    "F12": Way(press("F12"), tap_issue, page, "NoneType", open_page(FaultPart.DISCOUNT)),
    "Esc": BACK["the payment"],
}  # fmt: skip
ALL = {
    **{f"sale {act}": way for act, way in SALE.items()},
    **{f"back from {name}": way for name, way in BACK.items()},
    **{f"payment {key}": way for key, way in PAYMENT.items()},
}


def with_a_cart(hands: Hands, screen: QPointingDevice) -> Till:
    """Put two articles into the cart."""
    for code in (BREAD, MILK):
        hands.model.entry.enter_code(code)
    hands.shop.pause()
    return Till(hands, Finger(hands.window, screen))


@pytest.fixture
def narrow(shop: Shop, sell_in: SellIn) -> Anew:
    return Anew(sell_in(shop, width=1024))


def test_the_tables_name_every_key() -> None:
    of_sale = {key.command for key in KEYS if KeyPage.SALE in key.help_texts}
    assert set(SALE) == of_sale - {None}
    # F1 is listed for the keys only
    assert set(PAYMENT) == {key.cap_text for key in KEYS if KeyPage.PAYMENT in key.help_texts}


@each("name", ALL)
@each("is_by_touch", [False, True])
def test_each_act_is_done_both_ways(
    narrow: Anew, touch_screen: QPointingDevice, name: str, is_by_touch: bool
) -> None:
    till, way = with_a_cart(narrow.begin(), touch_screen), ALL[name]
    way.before(till)
    QApplication.processEvents()
    assert way.seen(till) != way.wanted
    (way.by_touch if is_by_touch else way.by_key)(till)
    assert way.seen(till) == way.wanted


def test_a_finger_pushes_the_menu_and_presses_none_though_a_scan_closes_it(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    hands = sell_in(shop, width=1024, height=600)
    finger = Finger(hands.window, touch_screen)

    def button() -> Any:
        hands.model.questions.ask(More())
        QApplication.processEvents()
        return hands.area.panel.buttons[2]

    for pushed_before in (0, 60):
        under = button()
        spot = finger.press(under)
        if pushed_before:
            finger.move(spot, up=pushed_before)
        hands.window.on_scan(BREAD)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert not isValid(under)
        finger.move(spot, up=120)
        finger.lift(spot)
        assert (len(hands.rows()), hands.model.questions.question) == (1, None)
    under = button()
    finger.push(under, under.rect().center(), up=60)
    assert isinstance(hands.model.questions.question, More)
    assert not under.isDown()
    finger.tap_named("Затвори касу")
    assert not hands.window.isVisible()


SCREENS: dict[str, Do] = {
    "sale": lambda t: None,
    "notice": scan_nobodys,
    "search": words_typed,
    "quantity": press("F3"),
    "price": press("F4"),
    "next quantity": lambda t: t.sale.questions.ask(NextQuantity()),
    "more": press("F9"),
    "drop": lambda t: t.sale.questions.ask(VoidQuestion()),
    "new article": lambda t: t.sale.questions.ask(NewArticle()),
    "payment": pay,
    **{str(place): open_page(place)
       for place in (FaultPart.BUYER, FaultPart.DELIVERY, FaultPart.DISCOUNT, FaultPart.TEXT)},
    "attention": open_attention,
}  # fmt: skip
HAVE_FOCUS = (QAbstractButton, QAbstractItemView, QLineEdit, QPlainTextEdit, Segment, StatusLine)


SHOW_FOCUS = (QLineEdit, QPlainTextEdit, QAbstractItemView, StatusLine)
"""Widgets that show the focus within themselves; all others have the ring."""


def needs_focus(widget: QWidget) -> bool:
    """Whether a keyboard must reach it: pads, × and the like only repeat what a keyboard does."""
    if not isinstance(widget, HAVE_FOCUS) or not widget.isVisible() or not widget.isEnabled():
        return False
    if isinstance(widget, KeyboardButton) or isinstance(widget.parentWidget(), Pad):
        return False
    in_group = isinstance(widget, QAbstractButton) and widget.group() is not None
    return widget.accessibleName() != "Обриши претрагу" and not (
        in_group and not widget.isChecked()  # arrows go on within a group
    )


@each("screen", SCREENS)
def test_tab_reaches_everything_and_the_focus_is_seen(
    narrow: Anew, touch_screen: QPointingDevice, screen: str
) -> None:
    till = with_a_cart(narrow.begin(), touch_screen)
    SCREENS[screen](till)
    QApplication.processEvents()
    window = till.hands.window
    start = QApplication.focusWidget()
    reached: list[QWidget] = []
    while (here := QApplication.focusWidget()) is not None and here not in reached:
        reached.append(here)
        shown_by_itself = isinstance(here, SHOW_FOCUS)
        assert shown_by_itself or here.property(RING) is not None, here.accessibleName()
        assert shown_by_itself or window.ring.target() is here
        till.key(Qt.Key.Key_Tab)
        QApplication.processEvents()
    assert QApplication.focusWidget() is start
    wanted = [one for one in window.findChildren(QWidget) if needs_focus(one)]
    missed = {one.accessibleName() for one in wanted} - {one.accessibleName() for one in reached}
    assert missed == set()
