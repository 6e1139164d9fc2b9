"""Cart, total, Pay and the action keys are whole in the window, whatever is open."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPointingDevice
from PySide6.QtWidgets import QAbstractButton, QWidget

from pos_app.cashier.sale import questions
from pos_app.cashier.sale.action_bar import ExactButton
from pos_app.cashier.ui.buttons import ActionButton, BigButton
from pos_app.cashier.ui.field import typing_of
from pos_app.cashier.ui.metrics import TouchMm
from pos_app.cashier.ui.scrolling import MoreBelow, Scrolled
from pos_app.selling.sale.receipt_drafts import FaultPart
from tests.gui.parts import page_in_front
from tests.gui.pictures import settle
from tests.gui.window.anew import Anew
from tests.gui.window.finger import Finger, place_of
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, BUREK, MILK, Shop

HEIGHT = 768
NOBODYS = "8600999000014"

Open = Callable[[Hands, Finger], None]


def search(hands: Hands, finger: Finger) -> None:
    finger.tap(hands.area.sale.search.search.edit, QPoint(40, 15))


def pad(hands: Hands, finger: Finger) -> None:
    finger.tap(hands.area.sale.search.pad)


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
        found = [one for one in hands.area.findChildren(QWidget) if typing_of(one)]
        shown = [one for one in found if one.isVisible()]
        if number < len(shown):
            finger.tap(shown[number], QPoint(10, 10))

    return tap


def asked(make: Callable[[Hands], object]) -> Open:
    return lambda hands, finger: hands.model.questions.ask(make(hands))  # type: ignore[arg-type]


def paid(place: FaultPart | None = None) -> Open:
    return lambda hands, finger: hands.area.pay(place)


def last_line(hands: Hands) -> int:
    return hands.ticket.cart.lines[-1].id


def training(hands: Hands, finger: Finger) -> None:
    hands.choose(hands.top.segment, 3)
    hands.model.entry.enter_code(BREAD)


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
    for part in (hands.cart, hands.cart.total, *shown):
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


@pytest.mark.parametrize(("width", "touch", "text"), [(1024, 15, 150), (1366, 12, 100)])
def test_cart_total_and_pay_stand_whatever_is_open(
    shop: Shop,
    sell_in: SellIn,
    touch_screen: QPointingDevice,
    width: int,
    touch: TouchMm,
    text: int,
) -> None:
    """In the narrowest window with the largest keys and type, and in the usual one."""
    anew = Anew(sell_in(shop, width=width, touch=touch, text=text))
    missing = {}
    names = list(OPEN) if text == 150 else list(OPEN)[::4]
    for name in names:
        hands = anew.begin()
        hands.window.setProperty("asked", (width, HEIGHT))
        finger = Finger(hands.window, touch_screen)
        for code in (BREAD, BUREK, MILK):
            hands.model.entry.enter_code(code)
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
def test_the_whole_menu_stands_or_shows_whole_rows_and_says_that_it_goes_on(
    shop: Shop, sell_in: SellIn, width: int
) -> None:
    hands = sell_in(shop, width=width)
    hands.model.questions.ask(questions.More())
    settle()
    panel = page_in_front(hands.window.frame, "ask.more")
    assert (len(panel.buttons), panel.buttons[-1].shown_words()[1]) == (22, "Затвори касу")
    below = panel.findChild(MoreBelow)
    assert below is not None
    area = below.parentWidget()
    assert isinstance(area, Scrolled)
    bar, view = area.verticalScrollBar(), area.viewport()

    def rows() -> list[QRect]:
        return [one.rect().translated(one.mapTo(view, QPoint())) for one in panel.buttons]

    assert view.rect().contains(rows()[-1])
    assert below.isHidden()
    for height in (560, 600, 640, 680, 720):
        hands.window.resize(width, height)
        for scrolled_to in (0, bar.singleStep(), bar.maximum()):
            bar.setValue(scrolled_to)
            settle()
            seen = [row for row in rows() if view.rect().intersects(row)]
            assert len(seen) >= 2
            assert all(view.rect().contains(row) for row in seen), (height, seen)
            assert below.isVisible() is (bar.value() < bar.maximum())


def test_pad_and_keyboard_fold_each_other_and_type_on(
    hands: Hands, touch_screen: QPointingDevice
) -> None:
    sale, finger = hands.area.sale, Finger(hands.window, touch_screen)
    pad(hands, finger)
    finger.tap(sale.pad.pad.key("7"))
    search(hands, finger)
    assert (finger.has_keyboard, sale.pad.isVisible()) == (True, False)
    assert not sale.search.pad.isChecked()
    finger.type("у")
    pad(hands, finger)
    assert (finger.has_keyboard, sale.pad.isVisible()) == (False, True)
    assert hands.area.height() == hands.area.parentWidget().height()
    finger.tap(sale.pad.pad.key("0"))
    assert sale.search.text() == "7у0"


def test_a_notice_gives_way_to_a_large_keyboard_and_the_pad_to_the_notice(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    """The pad was requested: it comes as soon as the notice is read, and its key says so."""
    hands = sell_in(shop, width=1024, touch=15, text=150)
    sale, finger = hands.area.sale, Finger(hands.window, touch_screen)
    hands.scan(NOBODYS)
    settle()
    whole = hands.notice()
    search(hands, finger)
    settle()
    assert hands.notice().strip() == f"Нема артикла са кодом {NOBODYS}"
    hands.press("Esc")
    settle()
    assert hands.notice() == whole
    pad(hands, finger)
    assert not sale.pad.isVisible()
    assert sale.search.pad.accessibleDescription() == "Нема места док стоји обавештење"
    finger.tap_named("У реду")
    settle()
    assert sale.pad.isVisible()
    assert sale.search.pad.isEnabled()
