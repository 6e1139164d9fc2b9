"""The picker: tiles with pictures and list, chips, search as it is typed, over many articles."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from pos_app.bootstrap.synchronisation.sync import run_sync
from pos_app.cashier.sale.catalogue_pages import ALL_CHIP, ENOUGH_FAVOURITES, FAVOURITES_CHIP
from pos_app.cashier.sale.picker_rows import STEP
from pos_app.cashier.sale.questions import WeightQuestion
from pos_app.cashier.ui.labels import Icon
from pos_app.cashier.ui.paint_picker import TilePainter, frame_of
from pos_app.cashier.ui.panel import EmptyState
from pos_app.cashier.ui.rows import ListRow, Tile
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.views import ROW
from pos_app.cashier.window.till_window import TICK_MS
from pos_app.domain.money.money import Quantity
from pos_app.domain.text.instant import day_of
from pos_app.settings.shapes import Settings
from tests.fakes.people_here import CASHIERS_LACK
from tests.gui.parts import lines_of, pass_time, visible_parts
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BANANA_WEIGHED, BREAD, Shop, demo_catalogue
from tests.sweep import each


def values(hands: Hands, role: int = ROW) -> list[object]:
    """The data of the picker's rows."""
    rows = hands.area.sale.picker.rows
    return [rows.data(rows.index(number), role) for number in range(rows.rowCount())]


def tile(hands: Hands, name: str) -> Tile:
    found = [one for one in values(hands) if isinstance(one, Tile) and one.name.startswith(name)]
    return found[0]


def test_a_few_best_sellers_do_not_hide_the_rest(shop: Shop, sell_in: SellIn) -> None:
    now = shop.clock.now()
    shop.desk.pin((), by="Мира", at=now)
    rows = shop.catalogue.page(limit=2 * ENOUGH_FAVOURITES)
    sold = [(row.article_id, Quantity.ONE) for row in rows if row.article_id is not None]
    shop.desk.count_sold(sold[:1], on=day_of(now))
    assert len(shop.catalogue.favourites()) == 1
    opened = sell_in(shop).area.sale.picker
    assert opened.chips.current() == ALL_CHIP
    assert opened.rows.rowCount() >= 40
    shop.desk.count_sold(sold[:ENOUGH_FAVOURITES], on=day_of(now))
    assert sell_in(shop).area.sale.picker.chips.current() == FAVOURITES_CHIP


def it_opens_as_the_store_says_with_twenty_favourites_without_scrolling(hands: Hands) -> None:
    picker, tiles = hands.area.sale.picker, hands.area.sale.picker.tiles
    assert picker.view is tiles
    assert picker.chips.current() == FAVOURITES_CHIP
    assert len(values(hands)) == 20
    assert isinstance(values(hands)[0], Tile)
    last = tiles.visualRect(tiles.model().index(19, 0)).adjusted(0, 0, 0, -4)
    assert tiles.columns() == 5
    assert tiles.viewport().rect().contains(last)
    told = values(hands, Qt.ItemDataRole.AccessibleTextRole)
    assert "Банана, 189,99 kg" in told, "a screen reader is told name and price"


def badges_count_what_is_in_the_cart(hands: Hands) -> None:
    for code in (BREAD, BREAD, BANANA_WEIGHED):
        hands.model.entry.enter_code(code)
    assert (tile(hands, "Хлеб бели").badge, tile(hands, "Банана").badge) == ("2", "1")
    hands.tap_cart("remove", 1)
    assert tile(hands, "Банана").badge == ""


def the_list_marks_the_hits_and_enter_takes_the_first(hands: Hands) -> None:
    hands.area.sale.flip_picker()
    hands.type("sir m")
    first = values(hands)[0]
    assert isinstance(first, ListRow)
    assert first.hits
    assert hands.area.sale.picker.list.currentIndex().row() == 0
    found = hands.area.sale.picker.rows.window.row(0)
    assert found is not None
    hands.press("#ladi dom", "Enter")
    assert isinstance(hands.model.questions.question, WeightQuestion)
    assert hands.model.questions.question.article.name == "Сир млади домаћи"


def a_search_within_a_category(hands: Hands) -> None:
    hands.type("sir")
    everything = len(values(hands))
    hands.tap_words("Пекара")
    assert 0 < len(values(hands)) < everything
    assert hands.area.sale.search.text() == "sir"


def no_hit_is_said_and_its_key_leads_back_to_all_articles(hands: Hands) -> None:
    hands.type("qqq")
    assert values(hands) == []
    hands.press("Enter")
    assert hands.shop.tones.played == ["no"]
    (empty,) = visible_parts(hands.area.sale, EmptyState)
    assert empty.button is not None
    hands.tap(empty.button)
    assert (hands.area.sale.search.text(), len(values(hands)) > 20) == ("", True)
    assert not visible_parts(hands.area.sale, EmptyState)


def said(hands: Hands) -> str:
    """The picker's words in place of rows; "" while it has some."""
    picker = hands.area.sale.picker
    return " ".join(lines_of(picker))


@pytest.mark.parametrize("is_manager", [True, False])
def test_a_shop_without_articles_says_how_they_come_in(
    tmp_path: Path, sell_in: SellIn, is_manager: bool
) -> None:
    shop = Shop(tmp_path / "new", forbids=() if is_manager else CASHIERS_LACK)
    hands = sell_in(shop)
    told = "Каса још нема ниједан артикал " + (
        "Скенирајте непознат артикал и унесите га, или увезите све у каталогу."
        if is_manager
        else "Позовите управника да дода артикле."
    )
    assert said(hands) == told
    (empty,) = visible_parts(hands.area.sale, EmptyState)
    assert [one.icon_and_colour[0] for one in visible_parts(empty, Icon)] == ["tag"]
    hands.type("sir")  # the typed text is not the reason
    assert said(hands) == told
    hands.press("Esc")
    hands.window.change(language="en")
    assert said(hands).startswith("The till has no items yet")
    demo_catalogue(shop.services.settings.data, has_photos=False)
    pass_time(hands.window, TICK_MS)
    assert (said(hands), len(values(hands))) == ("", 40)
    hands.window.close()
    shop.close()


def arrows_go_into_the_rows_and_back_and_letters_go_on_searching(hands: Hands) -> None:
    picker = hands.area.sale.picker
    hands.press("#sir", "Down")
    assert picker.tiles.hasFocus()
    hands.type("e")
    assert hands.area.sale.search.text() == "sire"
    assert hands.area.sale.search.search.edit.hasFocus()


def price_and_unit_of_variants_are_of_the_cheapest(hands: Hands) -> None:
    hands.tap_words("Млечно")
    cheese = tile(hands, "Сир качкаваљ")
    assert (cheese.price, cheese.per_unit) == ("од 259,99", "")
    hands.area.sale.flip_picker()
    hands.type("kackavalj krav")
    (row,) = (one for one in values(hands) if isinstance(one, ListRow) and "качкаваљ" in one.name)
    assert (row.price, row.unit, row.variants) == ("од 259,99", "ком", "3 врсте")
    assert "Сир качкаваљ крављи, од 259,99 ком" in values(hands, Qt.ItemDataRole.AccessibleTextRole)


@each(
    "act",
    [
        it_opens_as_the_store_says_with_twenty_favourites_without_scrolling,
        badges_count_what_is_in_the_cart, the_list_marks_the_hits_and_enter_takes_the_first,
        a_search_within_a_category, no_hit_is_said_and_its_key_leads_back_to_all_articles,
        arrows_go_into_the_rows_and_back_and_letters_go_on_searching,
        price_and_unit_of_variants_are_of_the_cheapest,
    ],
)  # fmt: skip
def test_what_it_shows(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


@pytest.fixture
def large_shop(shop_data: Path) -> Iterator[Shop]:
    """3,000 more articles, as a list of the platform would add them."""
    products = [
        {
            "id": str(UUID(int=number)),
            "name": f"Артикал број {number}",
            "sku": 10_000 + number,
            "taxRateLabel": "Ђ",
            "price": 10,
        }
        for number in range(1, 3_001)
    ]
    source = shop_data / "list.json"
    source.write_text(json.dumps({"products": products}), encoding="utf-8")
    run_sync(settings=Settings(data=shop_data), source=source, progress=lambda _: None)
    made = Shop(shop_data)
    yield made
    made.close()


@pytest.mark.parametrize("as_list", [False, True])
def test_thousands_of_articles_cost_what_is_shown_and_whoever_scrolls_gets_to_the_last(
    large_shop: Shop, sell_in: SellIn, as_list: bool
) -> None:
    """A change of the catalogue keeps the place."""
    hands = sell_in(large_shop)
    picker = hands.area.sale.picker
    picker.set_as_list(as_list)
    picker.chips.chosen.emit(ALL_CHIP)
    QApplication.processEvents()
    rows, bar = picker.rows, picker.view.verticalScrollBar()
    assert rows.window.count > 2_500
    picker.view.grab()
    assert (rows.rowCount(), rows.window.fetched) == (STEP, 1)
    bar.setValue(bar.maximum())
    QApplication.processEvents()
    bar.setValue(picker.view.visualRect(rows.index(STEP)).top() + bar.value())
    QApplication.processEvents()
    picker.view.grab()
    assert rows.rowCount() == 2 * STEP
    assert 2 <= rows.window.fetched <= 3
    place = bar.value()
    pins = (str(rows.window.row(0).article_id),)
    large_shop.desk.pin(pins, by="Мира", at=large_shop.clock.now())
    assert picker.reload_if_outdated()
    QApplication.processEvents()
    assert (rows.rowCount(), bar.value()) == (2 * STEP, place)
    reached = {rows.rowCount(): True}
    for _ in range(80):  # a view lays out its rows step by step
        QApplication.processEvents()
        bar.setValue(bar.maximum())
        reached[rows.rowCount()] = True
    assert list(reached)[:3] == [2 * STEP, 4 * STEP, 8 * STEP]
    assert rows.rowCount() == rows.window.count
    last = picker.view.visualRect(rows.index(rows.rowCount() - 1))
    assert picker.view.viewport().rect().intersects(last)
    hands.window.close()


def brightest(theme: Theme) -> float:
    """The lightness of the lightest pixel of a tile with a white picture."""
    white = QPixmap(96, 96)
    white.fill(Qt.GlobalColor.white)
    tile = Tile(name="", price="", has_picture=True)
    image = QImage(160, 108, QImage.Format.Format_RGB32)
    image.fill(theme.colour("surface"))
    painter = QPainter(image)
    frame = frame_of(tile, picture=white)
    own = TilePainter(theme)
    own.paint_frame(painter, image.rect(), frame)
    own.paint_on(painter, image.rect(), frame, tile, white)
    painter.end()
    return image.pixelColor(160 - 30, 108 - 30).lightnessF()


def test_pictures_do_not_glare_among_dark_tiles(theme: Theme) -> None:
    assert brightest(theme) == 1
    assert 0.5 < brightest(theme.changed_to(theme="dark")) < 0.7
