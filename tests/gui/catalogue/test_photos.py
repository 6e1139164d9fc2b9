"""The photos of an article in the catalogue, whose demo articles have theirs here."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app.resources import folder
from tests.gui.catalogue import screens
from tests.gui.catalogue.test_catalogue import came, ended
from tests.gui.window.hands import Hands
from tests.gui.window.shop import CHEESE
from tests.gui.window.shop_fixtures import template

__all__ = ["template"]


async def test_photos_are_added_ordered_and_taken_off(hands: Hands) -> None:
    screen = screens.visited(hands.shop, hands.window)
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
    screen = screens.visited(hands.shop, hands.window)
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
