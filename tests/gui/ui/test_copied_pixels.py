"""Unchanged rows and tiles are copied: the same pixels, and drawn once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui import views
from pos_app.cashier.ui.metrics import measure
from pos_app.cashier.ui.rows import CartRow, CartState, CartWords, ListRow, Tile
from pos_app.cashier.ui.theme import Theme
from tests.gui.ui.conftest import Change
from tests.sweep import each

MOST = 20
KINDS = ("cart", "tiles", "list")
WORDS = CartWords(remove="Уклони", restore="Врати")
BREAD = CartRow("2", "Хлеб бели", "89,99", "kom", "179,98")
MILK = CartRow("1", "Млеко", "120,00", "l", "96,00", "150,00", "−20 %", "120,00")
CART = (BREAD, replace(MILK, state=CartState.CURRENT), replace(BREAD, state=CartState.REMOVED))
TILES = (Tile("Хлеб бели", "89,99", "Хб", 3, badge="2"), Tile("Млеко", "120,00", "Мл", 1))
FOUND = (ListRow("12", "Хлеб бели", "89,99", "kom", ((0, 2),)), ListRow("7", "Млеко", "9", "l"))

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


class Rows(QAbstractListModel):
    def __init__(self, rows: tuple[object, ...], view: views.RowView) -> None:
        super().__init__(view)
        self.rows = list(rows)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        return self.rows[index.row()] if role == views.ROW else None


def shown(qtbot: QtBot, view: views.RowView, rows: tuple[object, ...]) -> Rows:
    model = Rows(rows, view)
    view.setModel(model)
    qtbot.addWidget(view)
    view.resize(500, 400)
    view.show()
    view.grab()
    return model


def made(theme: Theme, name: str) -> tuple[views.RowView, tuple[object, ...]]:
    delegates: dict[str, tuple[views.ThemedDelegate, tuple[object, ...]]] = {
        "cart": (views.CartDelegate(theme, WORDS), CART),
        "list": (views.ListDelegate(theme), FOUND),
    }
    if name == "tiles":
        return views.TileView(theme), TILES
    delegate, rows = delegates[name]
    return views.RowView(theme, delegate), rows


@each("name", KINDS)
def test_what_did_not_change_is_drawn_once(qtbot: QtBot, theme: Theme, name: str) -> None:
    view, rows = made(theme, name)
    model = shown(qtbot, view, rows)
    first, kept = view.grab().toImage(), view.delegate.kept
    assert kept.drawn == len(rows)
    assert view.grab().toImage() == first
    assert kept.drawn == len(rows)
    model.rows[0] = rows[1]
    assert view.grab().toImage() != first
    model.rows[0] = rows[0]
    assert view.grab().toImage() == first
    drawn = kept.drawn
    assert drawn <= len(rows) + 1
    kept.forget()
    assert view.grab().toImage() == first
    assert kept.drawn == drawn + len(rows)


@each("name", KINDS)
def test_a_copy_has_the_pixels_of_a_drawing(qtbot: QtBot, theme: Theme, name: str) -> None:
    view, rows = made(theme, name)
    shown(qtbot, view, rows)
    copied = view.grab().toImage()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(views.PaintedRows, "paint", drawn_each_time)
        assert view.grab().toImage() == copied


def drawn_each_time(
    _: views.PaintedRows,
    on: QPainter,
    rect: QRect,
    __: object,
    draw: views.Draw,
    *,
    under: views.Under | None = None,
    canvas: views.Canvas | None = None,
) -> None:
    """Replaces `PaintedRows.paint` and copies nothing."""
    if under is not None:
        under().draw(on, rect)
    draw(on, rect)


@each("name", KINDS)
def test_another_theme_has_other_drawings(
    qtbot: QtBot, theme: Theme, change: Change, name: str
) -> None:
    pictures = []
    for one in (theme, change("dark"), change(metrics=measure(text_percent=150))):
        view, rows = made(one, name)
        shown(qtbot, view, rows)
        pictures.append(view.grab().toImage())
    assert pictures[0] not in pictures[1:]


@each(("ratio", "drawn"), [(1.0, 1), (2.0, 1), (1.25, 3)])
def test_between_two_pixels_of_the_screen_nothing_is_copied(
    qapp: QApplication, theme: Theme, ratio: float, drawn: int
) -> None:
    kept = views.PaintedRows(theme, ground="surface", most=MOST)
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    painter = QPainter(image)
    calls: list[QRect] = []
    for _ in range(3):
        kept.paint(painter, QRect(3, 5, 50, 20), "row", lambda _, rect: calls.append(rect))
    painter.end()
    assert len(calls) == drawn
    assert calls[0].size() == QRect(3, 5, 50, 20).size()


def test_the_oldest_pictures_are_let_go(qapp: QApplication, theme: Theme) -> None:
    kept = views.PaintedRows(theme, ground="surface", most=MOST)
    image = QImage(40, 20, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    for number in (*range(MOST), 0, MOST, 0, 1):
        kept.paint(painter, QRect(0, 0, 9, 9), number, lambda _, __: None)
    painter.end()
    assert kept.drawn == MOST + 2
