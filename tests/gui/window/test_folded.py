"""Menu, pad, keyboard and notices share the room of the sale: the one folds the other."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QPointingDevice

from pos_app.cashier.sale import questions
from pos_app.cashier.ui.scrolling import MoreBelow, Scrolled
from tests.gui.parts import page_in_front
from tests.gui.pictures import settle
from tests.gui.window.finger import Finger
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop

NOBODYS = "8600999000014"


def search(hands: Hands, finger: Finger) -> None:
    finger.tap(hands.area.sale.search.search.edit, QPoint(40, 15))


def pad(hands: Hands, finger: Finger) -> None:
    finger.tap(hands.area.sale.search.pad)


@pytest.mark.parametrize("width", [1366, 1024])
def test_the_whole_menu_stands_or_shows_whole_rows_and_says_that_it_goes_on(
    shop: Shop, sell_in: SellIn, width: int
) -> None:
    hands = sell_in(shop, width=width)
    hands.model.questions.ask(questions.More())
    settle()
    panel = page_in_front(hands.window.frame, "ask.more")
    folded = 1 if width == 1024 else 0  # the buyer's key
    assert len(panel.buttons) == 19 + folded
    assert panel.buttons[-1].shown_words()[1] == "Затвори касу"
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
