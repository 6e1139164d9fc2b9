"""Cart, total, Pay and the action keys are whole in the window, whatever is open."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QPointingDevice
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from pos_app.cashier.sale import questions
from pos_app.cashier.sale.action_bar import ExactButton
from pos_app.cashier.ui.buttons import ActionButton, BigButton
from pos_app.cashier.ui.field import typing_of
from pos_app.cashier.ui.metrics import TouchMm
from pos_app.cashier.ui.scrolling import MoreBelow, Scrolled
from pos_app.selling.sale.receipt_drafts import FaultPart
from tests.gui.inside import inside
from tests.gui.parts import page_in_front
from tests.gui.window.anew import Anew
from tests.gui.window.finger import Finger, place_of
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, BUREK, MILK, Shop
from tests.sweep import LONG, together

SIZES = (1366, 1024), (12, 15), (100, 150)
EXTREMES = (1024, 15, 150), (1366, 12, 100)
"""The sizes of `make test`: each thing is opened in one of them."""
HEIGHT = 768
NOBODYS = "8600999000014"

Open = Callable[[Hands, Finger], None]


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def search(hands: Hands, finger: Finger) -> None:
    finger.tap(inside(hands.window).work_area.sale.search.search.edit, QPoint(40, 15))


def pad(hands: Hands, finger: Finger) -> None:
    finger.tap(inside(hands.window).work_area.sale.search.pad)


def scanned(*codes: str) -> Open:
    def scan(hands: Hands, finger: Finger) -> None:
        for code in codes:
            hands.scan(code)

    return scan


def both(first: Open, second: Open) -> Open:
    def open_both(hands: Hands, finger: Finger) -> None:
        first(hands, finger)
        settle()
        second(hands, finger)

    return open_both


def field(number: int) -> Open:
    """Tap the field of that number among those for letters, if there is one."""

    def tap(hands: Hands, finger: Finger) -> None:
        found = [
            one for one in inside(hands.window).work_area.findChildren(QWidget) if typing_of(one)
        ]
        shown = [one for one in found if one.isVisible()]
        if number < len(shown):
            finger.tap(shown[number], QPoint(10, 10))

    return tap


def asked(make: Callable[[Hands], object]) -> Open:
    return lambda hands, finger: inside(hands.window).model.questions.ask(make(hands))  # type: ignore[arg-type]


def paid(place: FaultPart | None = None) -> Open:
    return lambda hands, finger: inside(hands.window).work_area.pay(place)


def last_line(hands: Hands) -> int:
    return inside(hands.window).model.cart.ticket.cart.lines[-1].id


def training(hands: Hands, finger: Finger) -> None:
    hands.choose(inside(hands.window).top.segment, 3)
    inside(hands.window).model.entry.enter_code(BREAD)


NEW, DROP = asked(lambda _: questions.NewArticle("123")), asked(lambda _: questions.VoidQuestion())
OPEN: dict[str, Open] = {
    "sale": lambda hands, finger: None,
    "pad": pad,
    "keyboard": search,
    "pad, keyboard": both(pad, search),
    "keyboard, pad": both(search, pad),
    "unknown code": scanned(NOBODYS),
    "unknown code, pad": both(scanned(NOBODYS), pad),
    "pad, unknown code": both(pad, scanned(NOBODYS)),
    "unknown code, keyboard": both(scanned(NOBODYS), search),
    "training, pad": both(training, pad),
    "training, keyboard": both(training, search),
    "quantity": asked(lambda hands: questions.LineQuantity(last_line(hands))),
    "price": asked(lambda hands: questions.LinePrice(last_line(hands))),
    "new article": NEW,
    "new article, name": both(NEW, field(0)),
    "new article, price": both(NEW, field(1)),
    "drop": DROP,
    "drop, reason": both(DROP, field(0)),
    "more": asked(lambda _: questions.More()),
    "keys": asked(lambda _: questions.KeysOfScreen()),
    "weight": scanned("16"),
    "weight, scans wait": scanned("16", MILK),
    "payment": paid(),
    "buyer": paid(FaultPart.BUYER),
    "buyer, keyboard": both(paid(FaultPart.BUYER), field(0)),
    "delivery": paid(FaultPart.DELIVERY),
    "discount": paid(FaultPart.DISCOUNT),
    "text": paid(FaultPart.TEXT),
    "text, keyboard": both(paid(FaultPart.TEXT), field(0)),
    "training, payment": both(training, paid()),
}


def stands(hands: Hands) -> list[str]:
    """The parts of cart, total, Pay and the action keys that are not whole in the window."""
    window = hands.window
    if window.size().toTuple() != window.property("asked"):
        return [f"the window became {window.size().toTuple()}"]
    kinds = (BigButton, ActionButton, ExactButton)
    buttons = [one for one in window.findChildren(QAbstractButton) if isinstance(one, kinds)]
    shown = [one for one in buttons if one.isVisible()]
    missing = []
    for part in (inside(window).cart, inside(window).cart.total, *shown):
        name = part.accessibleName() or type(part).__name__
        if not window.rect().contains(place_of(part)):
            missing.append(f"{name} is outside")
        elif part.visibleRegion().boundingRect() != part.rect():
            missing.append(f"{name} is cut")
        elif not is_on_top(hands, part):
            missing.append(f"{name} is covered")
    return missing


def is_on_top(hands: Hands, part: QWidget) -> bool:
    """Whether a finger at its corners would touch it."""
    inside = part.rect().adjusted(3, 3, -3, -3)
    for corner in (inside.topLeft(), inside.bottomRight()):
        there = hands.window.childAt(part.mapTo(hands.window, corner))
        if there is not part and (there is None or not part.isAncestorOf(there)):
            return False
    return True


@pytest.mark.parametrize(
    ("names", "size"),
    together(
        (
            pytest.param(
                name, size, marks=() if number % 3 == 0 and size == EXTREMES[number % 2] else LONG
            )
            for number, name in enumerate(OPEN)
            for size in product(*SIZES)
        ),
        apart=1,
    ),
)
def test_cart_total_and_pay_stand_whatever_is_open(
    shop: Shop,
    sell_in: SellIn,
    touch_screen: QPointingDevice,
    size: tuple[int, TouchMm, int],
    names: list[str],
) -> None:
    width, touch, text = size
    anew = Anew(sell_in(shop, width=width, touch=touch, text=text))
    missing = {}
    for name in names:
        hands = anew.begin()
        hands.window.setProperty("asked", (width, HEIGHT))
        finger = Finger(hands.window, touch_screen)
        for code in (BREAD, BUREK, MILK):
            inside(hands.window).model.entry.enter_code(code)
        settle()
        OPEN[name](hands, finger)
        settle()
        missing[name] = stands(hands)
    assert missing == {name: [] for name in names}


# --- one folds the other -------------------------------------------------------------------------


@pytest.fixture
def finger(hands: Hands, touch_screen: QPointingDevice) -> Finger:
    return Finger(hands.window, touch_screen)


@pytest.mark.parametrize("width", [1366, 1024])
def test_the_whole_menu_stands_or_says_that_it_goes_on(
    shop: Shop, sell_in: SellIn, width: int
) -> None:
    """A shop's menu is seen whole; in a demo the panel says that it goes on below."""
    hands = sell_in(shop, width=width)
    inside(hands.window).model.questions.ask(questions.More())
    settle()
    panel = page_in_front(hands.window.frame, "ask.more")
    last = panel.buttons[-1]
    assert (len(panel.buttons), last.shown_words()[1]) == (22, "Затвори касу")
    below = panel.findChild(MoreBelow)
    assert below is not None
    area = below.parentWidget()
    assert isinstance(area, Scrolled)
    place = last.rect().translated(last.mapTo(area.viewport(), QPoint()))
    assert area.viewport().rect().contains(place)
    assert below.isHidden()
    hands.window.resize(width, 600)
    settle()
    assert below.isVisible()
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    assert below.isHidden()


@pytest.mark.parametrize("height", [560, 600, 640, 680, 720])
def test_a_menu_that_goes_on_below_shows_whole_rows(
    shop: Shop, sell_in: SellIn, height: int
) -> None:
    hands = sell_in(shop, width=1024)
    hands.window.resize(1024, height)
    inside(hands.window).model.questions.ask(questions.More())
    settle()
    panel = page_in_front(hands.window.frame, "ask.more")
    below = panel.findChild(MoreBelow)
    assert below is not None
    area = below.parentWidget()
    assert isinstance(area, Scrolled)
    for scrolled_to in (0, 1, area.verticalScrollBar().maximum()):
        area.verticalScrollBar().setValue(scrolled_to * area.verticalScrollBar().singleStep())
        settle()
        rows = [
            one.rect().translated(one.mapTo(area.viewport(), QPoint())) for one in panel.buttons
        ]
        seen = [row for row in rows if area.viewport().rect().intersects(row)]
        assert len(seen) >= 2
        assert all(area.viewport().rect().contains(row) for row in seen), (height, seen)


def test_the_keyboard_folds_the_pad_and_the_pad_the_keyboard(hands: Hands, finger: Finger) -> None:
    sale = inside(hands.window).work_area.sale
    pad(hands, finger)
    search(hands, finger)
    assert (finger.has_keyboard, sale.pad.isVisible()) == (True, False)
    assert not sale.search.pad.isChecked()
    pad(hands, finger)
    assert (finger.has_keyboard, sale.pad.isVisible()) == (False, True)
    work_area = inside(hands.window).work_area
    assert work_area.height() == work_area.parentWidget().height()


def test_what_was_typed_with_one_is_typed_on_with_the_other(hands: Hands, finger: Finger) -> None:
    sale = inside(hands.window).work_area.sale
    pad(hands, finger)
    finger.tap(sale.pad.pad.key("7"))
    search(hands, finger)
    finger.type("у")
    pad(hands, finger)
    finger.tap(sale.pad.pad.key("0"))
    assert sale.search.text() == "7у0"


def test_the_pad_waits_for_the_room_of_a_notice(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    """The pad was requested: it comes as soon as the notice is read, and its key says so."""
    hands = sell_in(shop, width=1024, touch=15, text=150)
    sale, finger = inside(hands.window).work_area.sale, Finger(hands.window, touch_screen)
    hands.scan(NOBODYS)
    settle()
    pad(hands, finger)
    assert not sale.pad.isVisible()
    assert sale.search.pad.accessibleDescription() == "Нема места док стоји обавештење"
    finger.tap_named("У реду")
    settle()
    assert sale.pad.isVisible()
    assert sale.search.pad.isEnabled()


def test_a_notice_is_one_line_above_a_large_keyboard_and_whole_again_without_it(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    hands = sell_in(shop, width=1024, touch=15)
    finger = Finger(hands.window, touch_screen)
    hands.scan(NOBODYS)
    whole = hands.notice()
    search(hands, finger)
    settle()
    assert hands.notice().strip() == f"Нема артикла са кодом {NOBODYS}"
    hands.press("Esc")
    settle()
    assert hands.notice() == whole
