"""The picker: tiles and list, chips, search as it is typed, lazily over many articles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from pos_app.cashier.sale.catalogue_pages import ALL_CHIP, ENOUGH_FAVOURITES, FAVOURITES_CHIP
from pos_app.cashier.sale.picker_rows import STEP
from pos_app.cashier.sale.questions import VariantQuestion, WeightQuestion
from pos_app.cashier.texts.lookup import Language
from pos_app.cashier.ui.rows import ListRow, Tile
from pos_app.cashier.ui.views import ROW
from pos_app.cashier.window.till_window import TICK_MS
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.text.instant import day_of
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.fakes.people_here import CASHIERS_LACK
from tests.gui.inside import inside
from tests.gui.parts import lines_of, pass_time
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BANANA_WEIGHED, BREAD, MILK, Shop, demo_catalogue
from tests.sweep import each, sampled


def values(hands: Hands, role: int = ROW) -> list[object]:
    """The data of the picker's rows."""
    rows = inside(hands.window).work_area.sale.picker.rows
    return [rows.data(rows.index(number), role) for number in range(rows.rowCount())]


def tile(hands: Hands, name: str) -> Tile:
    found = [one for one in values(hands) if isinstance(one, Tile) and one.name.startswith(name)]
    return found[0]


def test_it_opens_as_the_store_says_with_favourites(hands: Hands) -> None:
    picker = inside(hands.window).work_area.sale.picker
    assert picker.view is picker.tiles
    assert picker.chips.current() == FAVOURITES_CHIP
    assert len(values(hands)) == 20
    assert isinstance(values(hands)[0], Tile)


def test_a_few_best_sellers_do_not_hide_the_rest(shop: Shop, sell_in: SellIn) -> None:
    now = shop.clock.now()
    shop.desk.pin((), by="Мира", at=now)
    rows = shop.catalogue.page(limit=2 * ENOUGH_FAVOURITES)
    sold = [(row.article_id, Quantity.ONE) for row in rows if row.article_id is not None]
    shop.desk.count_sold(sold[:1], on=day_of(now))
    assert len(shop.catalogue.favourites()) == 1
    opened = inside(sell_in(shop).window).work_area.sale.picker
    assert opened.chips.current() == ALL_CHIP
    assert opened.rows.rowCount() >= 40
    shop.desk.count_sold(sold[:ENOUGH_FAVOURITES], on=day_of(now))
    assert inside(sell_in(shop).window).work_area.sale.picker.chips.current() == FAVOURITES_CHIP


def test_twenty_tiles_stand_without_scrolling(hands: Hands) -> None:
    tiles = inside(hands.window).work_area.sale.picker.tiles
    last = tiles.visualRect(tiles.model().index(19, 0)).adjusted(0, 0, 0, -4)
    assert tiles.columns() == 5
    assert tiles.viewport().rect().contains(last)


def test_badges_count_what_is_in_the_cart(hands: Hands) -> None:
    for code in (BREAD, BREAD, BANANA_WEIGHED):
        inside(hands.window).model.entry.enter_code(code)
    assert (tile(hands, "Хлеб бели").badge, tile(hands, "Банана").badge) == ("2", "1")
    hands.tap_cart("remove", 1)
    assert tile(hands, "Банана").badge == ""


def test_a_chip_shows_its_category(hands: Hands) -> None:
    hands.tap_words("Млечно")
    category = hands.shop.catalogue.categories()[1]
    assert category.category.name == "Млечно"
    assert len(values(hands)) == category.rows


@each("typed", ["sir", "SIR", "sir m", "ml sir"])
def test_search_is_at_each_key_in_either_script(anew: Anew, typed: str) -> None:
    hands = anew.begin()
    picker = inside(hands.window).work_area.sale.picker
    hands.type(typed)
    names = [
        row.name
        for number in range(picker.rows.rowCount())
        if (row := picker.rows.window.row(number)) is not None
    ]
    assert "Сир млади домаћи" in names
    QApplication.processEvents()  # the chips are made after the rows
    assert picker.chips.current() == ALL_CHIP
    hands.press("Esc")
    QApplication.processEvents()
    assert picker.chips.current() == FAVOURITES_CHIP
    assert len(values(hands)) == 20


def test_the_list_marks_the_hits_and_enter_takes_the_first(hands: Hands) -> None:
    inside(hands.window).work_area.sale.flip_picker()
    hands.type("sir m")
    first = values(hands)[0]
    assert isinstance(first, ListRow)
    assert first.hits
    assert inside(hands.window).work_area.sale.picker.list.currentIndex().row() == 0
    found = inside(hands.window).work_area.sale.picker.rows.window.row(0)
    assert found is not None
    hands.type("ladi dom")
    hands.press("Enter")
    assert isinstance(inside(hands.window).model.questions.question, WeightQuestion)
    assert inside(hands.window).model.questions.question.article.name == "Сир млади домаћи"


def test_a_search_within_a_category(hands: Hands) -> None:
    hands.type("sir")
    everything = len(values(hands))
    hands.tap_words("Пекара")
    assert 0 < len(values(hands)) < everything
    assert inside(hands.window).work_area.sale.search.text() == "sir"


def test_no_hit_is_said_in_words_and_enter_says_no(hands: Hands) -> None:
    hands.type("qqq")
    assert values(hands) == []
    hands.press("Enter")
    assert hands.shop.tones.played == ["no"]
    assert said(hands)
    hands.press("Esc")
    assert len(values(hands)) == 20


def said(hands: Hands) -> str:
    """The picker's words in place of rows; "" while it has some."""
    picker = inside(hands.window).work_area.sale.picker
    return " ".join(lines_of(picker))


@pytest.fixture
def new_shop(tmp_path: Path) -> Callable[[bool], Shop]:
    """A shop before its first article was imported. is_manager: whether the manager stands at the
    till."""

    def opened(is_manager: bool) -> Shop:
        return Shop(tmp_path / "new", forbids=() if is_manager else CASHIERS_LACK)

    return opened


@pytest.mark.parametrize(
    ("is_manager", "language", "told"),
    [
        (True, "sr-Cyrl", ("Каса још нема ниједан артикал Скенирајте непознат артикал и "
         "унесите га, или у каталогу увезите све из датотеке.")),
        (True, "sr-Latn", ("Kasa još nema nijedan artikal Skenirajte nepoznat artikal i "
         "unesite ga, ili u katalogu uvezite sve iz datoteke.")),
        (True, "en", ("The till has no items yet Scan an unknown item and create it, or import "
         "all items of a file in the catalogue.")),
        (False, "sr-Cyrl", "Каса још нема ниједан артикал Позовите управника да дода артикле."),
        (False, "en", "The till has no items yet Call the manager to add the items."),
    ],
)  # fmt: skip
def test_a_shop_without_articles_says_how_they_come_in(
    new_shop: Callable[[bool], Shop],
    sell_in: Callable[..., Hands],
    is_manager: bool,
    language: Language,
    told: str,
) -> None:
    shop = new_shop(is_manager)
    hands = sell_in(shop)
    hands.window.change(language=language)
    assert said(hands) == told
    hands.type("sir")  # the typed text is not the reason
    assert said(hands) == told
    hands.window.close()
    shop.close()


def test_the_first_article_ends_what_a_shop_without_articles_is_told(
    new_shop: Callable[[bool], Shop], sell_in: Callable[..., Hands]
) -> None:
    shop = new_shop(True)
    hands = sell_in(shop)
    demo_catalogue(shop.services.settings.data)
    pass_time(hands.window, TICK_MS)
    assert (said(hands), len(values(hands))) == ("", 40)
    hands.window.close()
    shop.close()


def test_an_empty_group_points_to_the_others(hands: Hands) -> None:
    inside(hands.window).work_area.sale.picker.chips.chosen.emit("no-such-group")
    assert said(hands) == (
        "Овде још нема артикала Изаберите другу групу, скенирајте или тражите по називу."
    )


def test_arrows_go_into_the_rows_and_back_and_letters_go_on_searching(hands: Hands) -> None:
    picker = inside(hands.window).work_area.sale.picker
    hands.type("sir")
    hands.press("Down")
    assert picker.tiles.hasFocus()
    hands.type("e")
    assert inside(hands.window).work_area.sale.search.text() == "sire"
    assert inside(hands.window).work_area.sale.search.search.edit.hasFocus()


def test_a_product_with_variants_opens_the_chooser(hands: Hands) -> None:
    hands.type("ajvar zim")
    hands.press("Enter")
    question = inside(hands.window).model.questions.question
    assert isinstance(question, VariantQuestion)
    hands.type("2")
    assert hands.rows()[0].startswith(f"1 × {question.articles[1].name}")
    assert inside(hands.window).work_area.sale.search.text() == ""


@pytest.mark.parametrize("searched", sampled([False, True]))
def test_price_and_unit_of_variants_are_of_the_cheapest(hands: Hands, searched: bool) -> None:
    if searched:
        hands.type("kackavalj krav")
    else:
        hands.tap_words("Млечно")
    cheese = tile(hands, "Сир качкаваљ")
    assert (cheese.price, cheese.per_unit) == ("од 259,99", "")
    inside(hands.window).work_area.sale.flip_picker()
    (row,) = (one for one in values(hands) if isinstance(one, ListRow) and "качкаваљ" in one.name)
    assert (row.price, row.unit, row.variants) == ("од 259,99", "ком", "3 врсте")
    assert "Сир качкаваљ крављи, од 259,99 ком" in values(hands, Qt.ItemDataRole.AccessibleTextRole)


def test_a_kilo_that_becomes_the_cheapest_is_told_by_the_kilo(hands: Hands) -> None:
    (row,) = (one for one in hands.shop.catalogue.page("kackavalj") if one.articles == 3)
    kilo = next(one for one in hands.shop.catalogue.variants(row.product_id) if one.by_weight)
    edit = NewEdit.changing(
        row.product_id, kilo.id, {"price": Money(199)}, by="Шеф", at=hands.shop.clock.now()
    )
    hands.shop.desk.record(edit)
    hands.type("kackavalj krav")
    cheese = tile(hands, "Сир качкаваљ")
    assert (cheese.price, cheese.per_unit) == ("од 199,00", "за 1\u00a0kg")


def test_a_change_of_the_catalogue_is_seen(hands: Hands) -> None:
    article = hands.shop.row(MILK)
    assert article.article_id is not None
    edit = NewEdit.changing(
        article.product_id,
        article.article_id,
        {"price": Money(151)},
        by="Шеф",
        at=hands.shop.clock.now(),
    )
    hands.shop.desk.record(edit)
    pass_time(hands.window, TICK_MS)
    assert tile(hands, "Млеко свеже").price == "151,00"


@pytest.fixture
def large_shop(template: Path, tmp_path: Path, many: Callable[[Path], None]) -> Shop:
    import shutil

    data = tmp_path / "large"
    shutil.copytree(template, data)
    many(data)
    return Shop(data)


@pytest.fixture
def many() -> Callable[[Path], None]:
    """Adds 3,000 articles as a list of the platform would."""
    import json
    from uuid import UUID

    from pos_app.bootstrap.synchronisation.sync import run_sync
    from pos_app.settings.shapes import Settings

    def add(data: Path) -> None:
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
        source = data / "list.json"
        source.write_text(json.dumps({"products": products}), encoding="utf-8")
        run_sync(settings=Settings(data=data), source=source, progress=lambda _: None)

    return add


@pytest.mark.parametrize("as_list", sampled([False, True]))
def test_whoever_scrolls_gets_to_the_last_article(
    large_shop: Shop, sell_in: Callable[..., Hands], as_list: bool
) -> None:
    hands = sell_in(large_shop)
    picker = inside(hands.window).work_area.sale.picker
    picker.set_as_list(as_list)
    picker.chips.chosen.emit(ALL_CHIP)
    rows, bar = picker.rows, picker.view.verticalScrollBar()
    reached = {rows.rowCount(): True}
    for _ in range(80):  # a view lays out its rows step by step
        QApplication.processEvents()
        bar.setValue(bar.maximum())
        reached[rows.rowCount()] = True
    assert list(reached)[:4] == [STEP, 2 * STEP, 4 * STEP, 8 * STEP]
    assert rows.rowCount() == rows.window.count
    last = picker.view.visualRect(rows.index(rows.rowCount() - 1))
    assert picker.view.viewport().rect().intersects(last)
    hands.window.close()
    large_shop.close()


def test_a_change_of_the_catalogue_keeps_the_place(
    large_shop: Shop, sell_in: Callable[..., Hands]
) -> None:
    hands = sell_in(large_shop)
    picker = inside(hands.window).work_area.sale.picker
    picker.chips.chosen.emit(ALL_CHIP)
    QApplication.processEvents()
    bar = picker.view.verticalScrollBar()
    for _ in range(2):
        bar.setValue(bar.maximum())
        QApplication.processEvents()
    place, reached = bar.value(), picker.rows.rowCount()
    pins = (str(picker.rows.window.row(0).article_id),)
    large_shop.desk.pin(pins, by="Мира", at=large_shop.clock.now())
    assert picker.reload_if_outdated()
    QApplication.processEvents()
    assert (picker.rows.rowCount(), bar.value()) == (reached, place)
    assert reached > STEP
    hands.window.close()
    large_shop.close()


@pytest.mark.parametrize("as_list", sampled([False, True]))
def test_thousands_of_articles_cost_what_is_shown(
    large_shop: Shop, sell_in: Callable[..., Hands], as_list: bool
) -> None:
    hands = sell_in(large_shop)
    picker = inside(hands.window).work_area.sale.picker
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
    hands.window.close()
    large_shop.close()


def test_every_row_tells_a_screen_reader_name_and_price(hands: Hands) -> None:
    told = values(hands, Qt.ItemDataRole.AccessibleTextRole)
    assert "Банана, 189,99 kg" in told
