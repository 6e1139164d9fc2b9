"""Attention by touch alone: a reason, a manager's name and a link are typed on the screen."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPointingDevice
from PySide6.QtWidgets import QApplication

from pos_app.cashier.commands import TillCommand
from pos_app.cashier.ui.keyboard_layout import Special
from pos_app.cashier.ui.metrics import TouchMm
from pos_app.selling.outbox.recent_doubts import YOUNG
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_server import Fault
from tests.gui.inside import inside
from tests.gui.pictures import settle
from tests.gui.window.finger import Finger, place_of
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop, run
from tests.sweep import sampled


def with_sale(
    shop: Shop, sell_in: SellIn, fault: Fault, *, touch: TouchMm, steps: int = 12, width: int = 1024
) -> Hands:
    """A till with one sale that the server answered with a fault, and Attention open."""
    hands = sell_in(shop, width=width, touch=touch)
    shop.server.faults.extend([fault])
    inside(hands.window).model.entry.enter_code(BREAD)
    shop.pause()
    hands.window.press_key(TillCommand.CASH)
    run(shop.serve(steps))
    if fault is Fault.IN_DOUBT:
        shop.clock.go_on(YOUNG)
        run(shop.serve(1))
    inside(hands.window).open("attention")
    QApplication.processEvents()
    return hands


@pytest.mark.parametrize("touch", sampled([15, 12]))
def test_a_refused_sale_is_dropped_for_a_reason_of_ones_own(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice, touch: TouchMm
) -> None:
    hands = with_sale(shop, sell_in, Fault.FIX, touch=touch, steps=3)
    finger = Finger(hands.window, touch_screen)
    case = inside(hands.window).attention.case_view
    assert case is not None
    reason = case.steps.fields["reason"]
    area = case.steps.parentWidget().parentWidget().parentWidget()
    finger.push_into_sight(reason, area)
    finger.tap(reason.edit)
    field, keyboard = place_of(reason), place_of(finger.keyboard)
    assert field.bottom() < keyboard.top()
    seen = reason.visibleRegion().boundingRect().height()
    assert seen >= 12 * 96 // 25.4  # a case leaves no more room at 15 mm
    finger.type("грешка")
    assert reason.text() == "грешка"
    finger.tap(case.steps.buttons["drop"])
    assert shop.database.sales.last(1)[0].state is not SaleState.REFUSED
    assert not finger.has_keyboard


@pytest.mark.parametrize("touch", sampled([15, 12]))
@pytest.mark.parametrize(
    ("field", "typed"), sampled([("address", "https://suf"), ("manager", "ана")])
)
def test_the_fields_of_a_doubt(
    shop: Shop,
    sell_in: SellIn,
    touch_screen: QPointingDevice,
    touch: TouchMm,
    field: str,
    typed: str,
) -> None:
    hands = with_sale(shop, sell_in, Fault.IN_DOUBT, touch=touch)
    finger = Finger(hands.window, touch_screen)
    steps = inside(hands.window).attention.case_view.steps
    shown = steps.fields[field]
    finger.push_into_sight(shown, steps.parentWidget().parentWidget().parentWidget())
    finger.tap(shown.edit)
    for sign in typed:
        if sign == ":":
            finger.special(Special.SIGNS)
        finger.type(sign)
        if sign == ":":
            finger.special(Special.SIGNS)
    assert shown.text() == typed
    assert place_of(shown).bottom() < place_of(finger.keyboard).top()


@pytest.mark.parametrize("width", sampled([1024, 1300]))
def test_a_field_that_is_typed_in_stays_in_sight_in_a_smaller_window(
    shop: Shop, sell_in: SellIn, width: int
) -> None:
    hands = with_sale(shop, sell_in, Fault.FIX, width=1366, touch=12, steps=3)
    hands.window.resize(1366, 900)
    settle()
    inside(hands.window).attention.case_view.steps.fields["reason"].edit.setFocus()
    hands.type("greska")
    hands.window.resize(width, 700)
    settle()
    reason = inside(hands.window).attention.case_view.steps.fields["reason"]
    assert reason.text() == "greska"
    assert reason.edit.hasFocus()
    assert reason.edit.visibleRegion().boundingRect() == reason.edit.rect()


def test_a_case_is_no_window_of_its_own_for_a_moment(
    shop: Shop, sell_in: SellIn, touch_screen: QPointingDevice
) -> None:
    """Otherwise the till loses the keyboard to it, and a tapped field has no caret."""
    hands = with_sale(shop, sell_in, Fault.FIX, touch=12, steps=3)
    assert QApplication.activeWindow() is hands.window
    assert QApplication.focusWidget() is not None
