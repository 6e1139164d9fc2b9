"""The photos of an article in the catalogue, whose demo articles have theirs here."""

from __future__ import annotations

from decimal import Decimal

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.ui.tokens import ThemeName, palette_named
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.resources import folder
from pos_app.selling.catalogue.bulk_change import PriceByPercent
from tests.fakes.many_articles import planned_rows
from tests.gui.catalogue import screens
from tests.gui.catalogue.test_catalogue import came, ended, screen_of
from tests.gui.catalogue.test_import import notice_key, page_of, written
from tests.gui.parts import lines_of
from tests.gui.pictures import settle
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, CHEESE
from tests.gui.window.shop_fixtures import template

__all__ = ["template"]


@pytest.mark.long
def test_a_photo_made_by_day_does_not_glare_among_dark_rows(hands: Hands) -> None:
    light: dict[ThemeName, int] = {}
    looks: tuple[ThemeName, ThemeName] = ("light", "dark")
    for look in looks:
        screens.opened(hands.shop, hands.window)
        hands.window.change(theme=look)
        table = screen_of(hands).table
        place = screen_of(hands).model.listed.index_of(hands.shop.row(BREAD).product_id)
        assert place is not None
        cell = screen_of(hands).area.rows.index(place, CatalogueColumn.PICTURE)
        table.scrollTo(cell)
        settle()
        middle = table.visualRect(cell).center()
        light[look] = table.viewport().grab().toImage().pixelColor(middle).value()
    share = palette_named("dark").picture_light
    assert light["dark"] == pytest.approx(light["light"] * share, abs=4)


async def test_photos_are_added_ordered_and_taken_off(hands: Hands) -> None:
    screen = screens.opened(hands.shop, hands.window)
    cheese = hands.shop.row(CHEESE)
    screen.model.open(cheese.product_id)
    strip = screen.editor.photos
    names = sorted((folder() / "demo" / "pictures").iterdir())[:2]
    screen.files.take_photos(names)
    await came(lambda: len(screen.model.photos()) == 3)
    await ended(screen)
    first, second, third = (file_id for file_id, _ in screen.model.photos())

    def order() -> list[str]:
        return [file_id for file_id, _ in screen.model.photos()]

    QTest.keyClick(strip.button(2), Qt.Key.Key_Return)
    assert order() == [third, first, second], "Enter makes it the main one"
    assert hands.shop.row(CHEESE).picture == hands.shop.catalogue.picture(third)
    QTest.keyClick(strip.button(0), Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert order() == [first, third, second]
    start = strip.button(2)
    over = start.mapFromGlobal(strip.button(0).mapToGlobal(strip.button(0).rect().center()))
    QTest.mousePress(start, Qt.MouseButton.LeftButton)
    QTest.mouseMove(start, over)
    QTest.mouseRelease(start, Qt.MouseButton.LeftButton, pos=over)
    assert order() == [second, first, third], "dragged to the first place"
    QTest.keyClick(strip.button(1), Qt.Key.Key_Delete)
    assert order() == [second, third]
    hands.tap(strip.button(0))
    hands.tap(strip.remove)
    assert order() == [third]
    (edit,) = hands.shop.desk.open_edits(cheese.product_id)
    assert edit.changes["images"] == (third,)


async def test_picture_files_are_dropped_on_the_main_photo(hands: Hands) -> None:
    screen = screens.opened(hands.shop, hands.window)
    screen.model.open(hands.shop.row(CHEESE).product_id)
    cover = screen.editor.photos.cover
    files = sorted((folder() / "demo" / "pictures").iterdir())[:2]
    web = QUrl("https://example.rs/cheese.jpg")

    def dragged(*urls: QUrl) -> bool:
        """Drag and drop files as a desktop does; returns whether they are taken."""
        data = QMimeData()
        data.setUrls(urls)
        about = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton)
        middle, none = cover.rect().center(), Qt.KeyboardModifier.NoModifier
        enter = QDragEnterEvent(middle, *about, none)
        QApplication.sendEvent(cover, enter)
        if enter.isAccepted():
            drop = QDropEvent(QPointF(middle), *about, none)
            QApplication.sendEvent(cover, drop)
            assert drop.isAccepted(), "what lights up takes the files"
        return enter.isAccepted()

    assert not dragged(), "text"
    assert not dragged(web), "a picture of a web page is no file here"
    assert screen.work is None
    assert len(screen.model.photos()) == 1
    assert dragged(web, *(QUrl.fromLocalFile(str(file)) for file in files))
    await came(lambda: len(screen.model.photos()) == 3)
    await ended(screen)


async def taken(screen: CatalogueScreen, product_id: str) -> tuple[str, ...]:
    """Add a photo to the product in the window, and return the ids of all that it has then."""
    screen.model.open(product_id)
    before = len(screen.model.photos())
    screen.files.take_photos(sorted((folder() / "demo" / "pictures").iterdir())[:1])
    await came(lambda: len(screen.model.photos()) == before + 1)
    await ended(screen)
    return tuple(file_id for file_id, _ in screen.model.photos())


async def taken_back(hands: Hands, screen: CatalogueScreen) -> set[str]:
    """Take the last change of many back in the window; return what is told."""
    hands.tap(screen.filters.undo_button)
    hands.tap(notice_key(screen, "Врати измене"))
    await came(lambda: screen.work is not None)
    await ended(screen)
    return set(lines_of(screen.notices))


def seen(hands: Hands, product_id: str) -> tuple[tuple[str, ...], bool]:
    """Return the ids of the photos in the form, and whether each is a file that is here."""
    screen = screen_of(hands)
    screen.model.open(product_id)
    found = screen.model.photos()
    return tuple(one for one, _ in found), all(path and path.is_file() for _, path in found)


async def test_a_photo_stays_when_the_change_of_many_before_it_is_taken_back(hands: Hands) -> None:
    """It was added after the change, which had nothing to do with photos."""
    shop, screen = hands.shop, screens.opened(hands.shop, hands.window)
    cheese, bread = (shop.row(code).product_id for code in (CHEESE, BREAD))
    was = {code: shop.row(code).price for code in (CHEESE, BREAD)}
    had = seen(hands, bread)
    rows = planned_rows(shop.catalogue, [cheese, bread], PriceByPercent(Decimal(10)))
    work = shop.catalogue_files.change(rows, by="Мира")
    await came(lambda: work.result() is not None)
    screen.filters.show_chips()
    ids = await taken(screen, cheese)
    assert "2 артикла су како су била." in await taken_back(hands, screen)
    assert {code: shop.row(code).price for code in was} == was
    assert seen(hands, cheese) == (ids, True)
    assert seen(hands, bread) == had
    assert shop.row(CHEESE).picture == shop.catalogue.picture(ids[0])
    edits = [one for one in shop.desk.open_edits(cheese) if "images" in one.changes]
    assert [one.changes["images"] for one in edits] == [ids], "the platform gets it too"


async def test_an_imported_article_that_has_got_a_photo_is_not_taken_back(hands: Hands) -> None:
    shop, screen = hands.shop, screens.opened(hands.shop, hands.window)
    page = await page_of(
        screen, written(hands, "Шифра;Назив;Цена;ПДВ", "9001;Сок;61,00;20", "9002;Вода;40,00;20")
    )
    hands.tap(page.do)
    await ended(screen)
    juice = shop.row("9001").product_id
    ids = await taken(screen, juice)
    told = await taken_back(hands, screen)
    assert any("Сок" in one for one in told), told
    assert seen(hands, juice) == (ids, True)
    assert not shop.catalogue.by_code(ArticleCode("9002"))


async def test_a_cell_that_is_undone_leaves_the_photo_that_came_after_it(hands: Hands) -> None:
    shop, screen = hands.shop, screens.opened(hands.shop, hands.window)
    cheese, was = shop.row(CHEESE).product_id, shop.row(CHEESE).price
    place = screen.model.listed.index_of(cheese)
    assert place is not None
    screen.table.set_current(place)
    screen.table.setCurrentIndex(screen.area.rows.index(place, CatalogueColumn.PRICE))
    screen.table.setFocus()
    hands.type("77")
    hands.press("Enter")
    assert shop.row(CHEESE).price != was
    ids = await taken(screen, cheese)
    screen.table.setFocus()
    for _ in range(2):
        QTest.keyClick(screen.table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert shop.row(CHEESE).price == was
    assert seen(hands, cheese) == (ids, True)
