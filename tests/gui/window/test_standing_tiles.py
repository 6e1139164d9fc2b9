"""Favourites keep their positions while people sell: no tile moves under a finger."""

from __future__ import annotations

import pytest

from pos_app.cashier.sale import catalogue_pages
from pos_app.cashier.window.frame import SETTLE_MS
from pos_app.cashier.window.till_window import TICK_MS
from pos_app.domain.money.money import Quantity
from pos_app.domain.text.instant import day_of
from tests.gui.inside import inside
from tests.gui.parts import chips_of, pass_time
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop
from tests.sweep import sampled

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
    rows = inside(hands.window).work_area.sale.picker.rows
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


@pytest.mark.parametrize("by_finger", sampled([True, False]), ids=["by finger", "typed"])
def test_the_tile_that_was_sold_most_stays_where_it_is(hands: Hands, by_finger: bool) -> None:
    before = tiles(hands)
    sell(hands, SOLD[-1], by_finger=by_finger, times=6)
    assert tiles(hands) == before
    hands.type("sir")
    hands.press("Esc")
    assert tiles(hands) == before
    hands.tap(chips_of(inside(hands.window).work_area.sale.picker.chips)[1])
    hands.tap_words("Омиљено")
    assert tiles(hands) == before


def test_what_is_sold_for_the_first_time_comes_after_the_others(hands: Hands) -> None:
    before = tiles(hands)
    sell(hands, WATER, by_finger=False, times=6)
    assert tiles(hands)[:-1] == before
    sell(hands, SOLD[-1], by_finger=False, times=6)
    assert tiles(hands)[:-1] == before


def test_the_next_day_begins_with_the_order_that_sales_made(hands: Hands) -> None:
    *others, last = tiles(hands)
    sell(hands, SOLD[-1], by_finger=False, times=6)
    hands.shop.clock.go_on(DAY)
    sell(hands, SOLD[0], by_finger=False, times=1)
    assert tiles(hands) == [last, *others]


def test_the_next_start_does_too(shop: Shop, sell_in: SellIn, hands: Hands) -> None:
    *others, last = tiles(hands)
    sell(hands, SOLD[-1], by_finger=False, times=6)
    assert tiles(hands) == [*others, last]
    assert tiles(sell_in(shop)) == [last, *others]


def test_what_a_manager_pins_comes_to_its_place_with_the_next_order(hands: Hands) -> None:
    before = tiles(hands)
    pins = (str(hands.shop.row(WATER).article_id),)
    hands.shop.desk.pin(pins, by="Мира", at=hands.shop.clock.now())
    pass_time(hands.window, TICK_MS)
    assert tiles(hands)[:-1] == before
    hands.shop.clock.go_on(DAY)
    inside(hands.window).work_area.sale.picker.rows.reload()
    assert tiles(hands)[1:] == before


@pytest.mark.parametrize("times", sampled([7, 1]))
def test_a_finger_finds_the_same_tile_in_the_same_place_after_sales(
    hands: Hands, times: int
) -> None:
    picker = inside(hands.window).work_area.sale.picker
    code = SOLD[-1]
    wanted = hands.shop.row(code).product_id
    places = range(picker.rows.rowCount())
    rows = [picker.rows.window.row(number) for number in places]
    number = next(n for n, row in enumerate(rows) if row and row.product_id == wanted)
    spot = picker.view.visualRect(picker.rows.index(number)).center()
    sell(hands, code, by_finger=False, times=times)
    hands.tap(picker.view.viewport(), spot)
    article = inside(hands.window).model.cart.ticket.cart.active[-1].article
    assert article.article_id == hands.shop.row(code).article_id
