"""Favourites keep their positions while people sell: no tile moves under a finger."""

from __future__ import annotations

import pytest

from pos_app.cashier.sale import catalogue_pages
from pos_app.cashier.window.frame import SETTLE_MS
from pos_app.cashier.window.till_window import TICK_MS
from pos_app.domain.money.money import Quantity
from pos_app.domain.text.instant import day_of
from tests.gui.parts import chips_of, pass_time
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop

DAY = 24 * 60 * 60 * 1000
WATER = "30"


SOLD = ("1", "6", "11", "20", "2", "3")
"""Codes of the best sellers before today, the best one first."""


@pytest.fixture
def hands(shop: Shop, sell_in: SellIn, monkeypatch: pytest.MonkeyPatch) -> Hands:
    """A till without pins, whose favourites are the few articles that it sold."""
    monkeypatch.setattr(catalogue_pages, "ENOUGH_FAVOURITES", 1)
    now = shop.clock.now()
    shop.desk.pin((), by="Мира", at=now)
    for code, times in zip(SOLD, range(len(SOLD), 0, -1), strict=True):
        lines = [(str(shop.row(code).article_id), Quantity.ONE)] * times
        shop.desk.count_sold(lines, on=day_of(now))
    made = sell_in(shop)
    assert [str(row.sku) for row in shop.catalogue.favourites()] == list(SOLD)
    return made


def tiles(hands: Hands) -> list[str]:
    rows = hands.area.sale.picker.rows
    return [str(rows.data(rows.index(number))) for number in range(rows.rowCount())]


def sell(hands: Hands, code: str, *, by_finger: bool, times: int = 3) -> None:
    """Sell one article several times; each sale is counted and looked at as the till does by
    itself."""
    for _ in range(times):
        if by_finger:
            hands.tap_article(code)
        else:
            hands.type(code)
            hands.press("Enter")
        hands.shop.pause()
        hands.pad("+")
        pass_time(hands.window, SETTLE_MS)
        pass_time(hands.window, TICK_MS)


def test_no_tile_moves_while_people_sell(shop: Shop, sell_in: SellIn, hands: Hands) -> None:
    """The next day, and the next start, begin with the order that sales made."""
    before = tiles(hands)
    picker, last = hands.area.sale.picker, len(SOLD) - 1
    spot = picker.view.visualRect(picker.rows.index(last)).center()
    sell(hands, SOLD[-1], by_finger=True, times=7)
    assert tiles(hands) == before
    hands.tap(picker.view.viewport(), spot)
    article = hands.ticket.cart.active[-1].article
    assert article.article_id == hands.shop.row(SOLD[-1]).article_id, "the same one in its place"
    hands.type("sir")
    hands.press("Esc")
    assert tiles(hands) == before
    hands.tap(chips_of(picker.chips)[1])
    hands.tap_words("Омиљено")
    assert tiles(hands) == before
    sell(hands, WATER, by_finger=False, times=1)
    assert tiles(hands)[:-1] == before, "what is sold for the first time comes after the others"
    hands.shop.clock.go_on(DAY)
    sell(hands, SOLD[0], by_finger=False, times=1)
    first_of_now = [before[-1], *before[:-1]]
    assert tiles(hands)[: len(SOLD)] == first_of_now
    assert tiles(sell_in(shop))[: len(SOLD)] == first_of_now


def test_what_a_manager_pins_comes_to_its_place_with_the_next_order(hands: Hands) -> None:
    before = tiles(hands)
    pins = (str(hands.shop.row(WATER).article_id),)
    hands.shop.desk.pin(pins, by="Мира", at=hands.shop.clock.now())
    pass_time(hands.window, TICK_MS)
    assert tiles(hands)[:-1] == before
    hands.shop.clock.go_on(DAY)
    hands.area.sale.picker.rows.reload()
    assert tiles(hands)[1:] == before
