"""A bar and a colour show the meaning of the next code; a requested price is shown large."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, QRect

from pos_app.cashier.ui.labels import AmountLabel
from pos_app.cashier.ui.metrics import TouchMm, TypeStep
from pos_app.selling.sale.scan import ScanPurpose
from tests.gui.inside import inside
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import CHEESE_WEIGHED, Shop
from tests.sweep import each, sampled, turns

BREAD, UNKNOWN = "8609910700134", "8600999000014"
MODES = {"1": "Цена?", "2": "Сторно"}
"""Keys of the menu, and the mode that each begins."""


def choose(hands: Hands, key: str) -> None:
    hands.press("F9")
    hands.type(key)


def bar(hands: Hands) -> str:
    """The bar of the mode as a screen reader reads it, "" without one."""
    shown = inside(hands.window).work_area.sale.mode
    return shown.accessibleName() if shown.isVisible() else ""


def edge(hands: Hands) -> str:
    sale = inside(hands.window).work_area.sale
    return sale.grab().toImage().pixelColor(QPoint(1, sale.height() // 2)).name()


@each("key", MODES)
def test_a_mode_has_a_bar_that_says_what_it_does(anew: Anew, key: str) -> None:
    hands = anew.begin()
    assert bar(hands) == ""
    choose(hands, key)
    assert bar(hands).startswith(MODES[key])
    assert "артик" in bar(hands)
    assert bar(hands).endswith("Esc")
    hands.scan(BREAD)
    assert bar(hands) == ""


def each_mode_has_a_colour_of_its_own(hands: Hands) -> None:
    plain = edge(hands)
    choose(hands, "1")
    price = edge(hands)
    hands.press("Esc")
    choose(hands, "2")
    assert len({plain, price, edge(hands)}) == 3
    hands.press("Esc")
    assert edge(hands) == plain


@each("key", MODES)
def test_one_esc_leaves_the_mode_and_nothing_else(anew: Anew, key: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.scan(UNKNOWN)
    choose(hands, key)
    hands.type("sir")
    hands.press("Esc")
    assert bar(hands) == ""
    assert inside(hands.window).model.cart.purpose is ScanPurpose.ADD
    assert hands.notice()
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


def a_finger_leaves_it_by_the_key_in_the_bar(hands: Hands) -> None:
    choose(hands, "2")
    hands.tap_words("Назад на продају")
    assert bar(hands) == ""
    hands.scan(BREAD)
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


@each("key", MODES)
def test_the_menu_leaves_it_too(anew: Anew, key: str) -> None:
    hands = anew.begin()
    choose(hands, key)
    choose(hands, key)
    assert bar(hands) == ""


def a_code_that_is_nobodys_leaves_the_mode_as_it_is(hands: Hands) -> None:
    choose(hands, "2")
    hands.scan(UNKNOWN)
    assert bar(hands).startswith("Сторно")


@each("key", MODES)
def test_paying_ends_the_mode_so_that_a_scan_adds_its_item(anew: Anew, key: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    choose(hands, key)
    hands.press("F12")
    hands.scan(BREAD)
    assert hands.rows() == ["2 × Хлеб бели Сава 500 g, 117,98"]
    hands.press("Esc")
    assert bar(hands) == ""


@pytest.mark.parametrize(("key", "ends"), turns(MODES, ["+", "F6"]))
def test_a_mode_ends_with_the_cart_it_was_for(hands: Hands, key: str, ends: str) -> None:
    hands.scan(BREAD)
    choose(hands, key)
    hands.shop.pause()
    hands.pad("+") if ends == "+" else hands.press("F6")
    assert bar(hands) == ""
    hands.scan(BREAD)
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]


@pytest.mark.parametrize("touch", sampled([12, 9]))
async def test_it_stands_above_the_keyboard_beside_pay(
    shop: Shop, sell_in: SellIn, touch: TouchMm
) -> None:
    hands = sell_in(shop, width=1024, touch=touch)
    hands.scan(BREAD)
    choose(hands, "2")
    hands.window.typing.open()
    await seen()
    window, sale = hands.window, inside(hands.window).work_area.sale
    assert window.height() == 768
    for part in (sale.mode, sale.search, sale.bar.pay, inside(window).cart.total):
        shown = QRect(part.mapTo(window, QPoint(0, 0)), part.size())
        assert part.isVisible()
        assert window.rect().contains(shown)
    assert sale.mode.geometry().bottom() < sale.search.geometry().top()


@pytest.mark.parametrize("width", sampled([1024, 1366]))
def test_a_price_that_was_asked_for_is_large(shop: Shop, sell_in: SellIn, width: int) -> None:
    hands = sell_in(shop, width=width)
    choose(hands, "1")
    hands.scan(BREAD)
    amount = _price(hands)
    assert amount.text() == "58,99"
    assert amount.shown_px() == hands.window.theme.metrics.type_px(TypeStep.TOTAL)
    assert "58,99 РСД за ком" in hands.notice()
    hands.press("Esc")
    assert hands.notice() == ""


def a_pack_tells_its_own_price_large_and_that_of_a_kilogram(hands: Hands) -> None:
    choose(hands, "1")
    hands.scan(CHEESE_WEIGHED)
    assert _price(hands).text() == "370,39"
    assert "899,00 за kg" in hands.notice()
    assert hands.rows() == []


@each(
    "act",
    [
        each_mode_has_a_colour_of_its_own,
        a_finger_leaves_it_by_the_key_in_the_bar,
        a_code_that_is_nobodys_leaves_the_mode_as_it_is,
        a_pack_tells_its_own_price_large_and_that_of_a_kilogram,
    ],
)
def test_acts_that_sell_nothing(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def _price(hands: Hands) -> AmountLabel:
    panel = inside(hands.window).work_area.sale.notices.panel
    assert panel is not None
    found = panel.findChildren(AmountLabel)
    assert len(found) == 1
    return found[0]
