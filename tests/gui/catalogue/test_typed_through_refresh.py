"""A cell takes only what still exists when its list stood open meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.own_names import name_as_there
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.cashier.catalogue.columns import SETS, CatalogueColumn, ColumnSet
from pos_app.domain.article.product import Product, Unit
from pos_app.selling.synchronisation.own_names import NameKind
from tests.gui.catalogue.screens import visited
from tests.gui.catalogue.test_catalogue import look_for, place_of
from tests.gui.parts import lines_of
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups offscreen


def show(screen: Any, column: CatalogueColumn) -> None:
    if screen.table.isColumnHidden(column):
        screen.area.show_columns(next(str(one) for one in ColumnSet if column in SETS[one]))


def tap_cell(hands: Hands, code: str, column: CatalogueColumn) -> Any:
    """Search a code, so that its row is the current one, and tap a cell of the row."""
    screen = visited(hands.shop, hands.window)
    look_for(screen, code)
    show(screen, column)
    place = place_of(hands, screen, code)
    screen.table.setCurrentIndex(screen.area.rows.index(place, column))
    spot = screen.table.visualRect(screen.area.rows.index(place, column)).center()
    hands.tap(screen.table.viewport(), spot)
    assert screen.table.cell_editor is not None or screen.table.cell_list is not None
    return screen


THERE = "7c1f7e5e-2f0e-4f3c-9a55-6a9a8a3f6a01"
GONE_WORDS = "Изабране јединице или категорије више нема"


def bread(hands: Hands) -> Product:
    product = hands.shop.catalogue.product(hands.shop.row(BREAD).product_id)
    assert product is not None
    return product


def unit_joined(hands: Hands, symbol: str) -> None:
    """Let a joining give a unit the platform's id, as another program does."""
    (ours,) = [one for one in hands.shop.catalogue.units() if one.symbol == symbol]
    connection = open_writer(catalogue_file(hands.shop.services.settings.data), durable=True)
    try:
        name_as_there(
            connection,
            NameKind.UNIT,
            {ours.id: THERE},
            [Unit(THERE, ours.name, ours.symbol)],
            origin="",
            at=hands.shop.clock.now(),
        )
    finally:
        connection.close()


def told_gone(within: QWidget) -> bool:
    return any(GONE_WORDS in one for one in lines_of(within))


def test_a_cell_takes_no_unit_that_went_while_its_list_stood(hands: Hands) -> None:
    screen = tap_cell(hands, BREAD, CatalogueColumn.UNIT)
    before, listed = bread(hands).sale_unit_id, screen.table.cell_list
    unit_joined(hands, "пак")
    wanted = next(one for one in listed.actions() if one.text() == "пак · паковање")
    place = listed.actionGeometry(wanted).center()
    QTest.mouseClick(listed, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert bread(hands).sale_unit_id == before
    assert not screen.model.typed_texts
    assert told_gone(screen.notices)
