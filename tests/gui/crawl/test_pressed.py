"""Every control is pressed, by mouse and by keyboard, and has an effect, in `make faults`.

A program of its own presses them, because each scene has a window and a loop of its own.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QTableView, QVBoxLayout, QWidget
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from pos_app.cashier.sale.cart_list import CartList, IdentifiedRow
from pos_app.cashier.ui.choices import CheckBox, DropDown, Option
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.rows import CartRow, CartState, CartWords
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl import press
from tests.gui.crawl.floating import open_menus
from tests.gui.crawl.scenes import SCENES

ROOT = Path(__file__).parents[3]


@pytest.mark.deadline(7200)
@pytest.mark.long
def test_every_control_has_an_effect(tmp_path: Path) -> None:
    command = ["-m", "tests.gui.crawl.press", str(tmp_path), "--jobs=2"]
    told = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stdout or told.stderr


class Ticked(Ground):
    """A page with a box that acts on a model."""

    def __init__(self, theme: Theme, act: Callable[[bool], None]) -> None:
        super().__init__(theme)
        self.box = CheckBox(theme, "Звук")
        self.box.clicked.connect(act)
        QVBoxLayout(self).addWidget(self.box)


class Model:
    """A model that passes for one of the product."""

    __module__ = "pos_app.cashier.example"

    def __init__(self) -> None:
        self.on = False

    def switch(self, on: bool) -> None:
        self.on = on


@pytest.mark.logs_error("pos_app.example: a bug")
@pytest.mark.parametrize("means", [press.MOUSE, press.KEY])
def test_a_box_that_only_looks_ticked_has_no_effect(qtbot: QtBot, theme: Theme, means: str) -> None:
    def fails(_: bool) -> None:
        raise ValueError("the slot")

    def logs(_: bool) -> None:
        logging.getLogger("pos_app.example").error("a bug")

    model = Model()
    for act, has_effect, fault in (
        (lambda _: None, False, ""),
        (fails, False, "ValueError: the slot"),
        (logs, False, "logged: a bug"),
        (model.switch, True, ""),
    ):
        page = Ticked(theme, act)
        vars(page)["model"] = model
        qtbot.addWidget(page)
        page.show()
        qtbot.waitExposed(page)
        (box,) = page.findChildren(CheckBox)
        press.focus(box)
        before = press.state(page, box)
        with capture_exceptions(), press.Watch() as watch:
            assert (press.by_mouse if means == press.MOUSE else press.by_key)(page, box) == ""
        assert page.box.isChecked()
        assert (press.state(page, box) != before) is has_effect
        assert "; ".join(watch.faults) == fault


@pytest.mark.parametrize("means", [press.MOUSE, press.KEY])
def test_what_the_focus_does_on_its_way_is_no_effect(
    qtbot: QtBot, theme: Theme, means: str
) -> None:
    page, model = Ticked(theme, lambda _: None), Model()
    field = QLineEdit(page)
    field.editingFinished.connect(lambda: model.switch(on=True))
    vars(page)["model"] = model
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    field.setFocus()
    QTest.keyClicks(field, "1")
    press.focus(page.box)
    before = press.state(page, page.box)
    assert (press.by_mouse if means == press.MOUSE else press.by_key)(page, page.box) == ""
    assert model.on
    assert press.state(page, page.box) == before


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
@pytest.mark.parametrize("means", [press.MOUSE, press.KEY])
def test_an_entry_of_a_menu_is_pressed(qtbot: QtBot, theme: Theme, means: str) -> None:
    page = Ground(theme)
    choice = DropDown(theme, name="Дан")
    choice.set_options([Option(one, one) for one in ("први", "други", "трећи")])
    choice.set_current("други")
    QVBoxLayout(page).addWidget(choice)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    press.focus(choice)
    assert (press.by_mouse if means == press.MOUSE else press.by_key)(page, choice) == ""
    (menu,) = open_menus()
    assert press.entries_of(menu) == ["први", "трећи"]
    assert press.choose_in(menu, "трећи", means) == ""
    assert choice.current() == "трећи"
    assert press.choose_in(menu, "четврти", means) == "is not there again"


class Shelf(Ground):
    """A page with a table that passes for one of the product."""

    __module__ = "pos_app.cashier.example"

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.table = QTableView(self)
        self.table.setModel(QStandardItemModel(2, 4, self))
        self.table.setColumnHidden(2, True)
        QVBoxLayout(self).addWidget(self.table)


class PressedCells(QObject):
    """Notes the column and the key of each key that a table gets, except the arrows."""

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self._table = table
        self.got: list[tuple[int, int]] = []
        table.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        arrows = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Down)
        if (
            isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and event.key() not in arrows
        ):
            self.got.append((self._table.currentIndex().column(), event.key()))
            return True
        return False


def test_each_column_of_a_table_is_pressed_by_keys_of_its_own(qtbot: QtBot, theme: Theme) -> None:
    page = Shelf(theme)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    pressed = PressedCells(page.table)
    for part in ("3", "", "1"):
        press.focus(page.table)
        press.reach(page, page.table, part)
        assert press.by_key(page, page.table, part) == ""
    tick, go = int(Qt.Key.Key_Space), int(Qt.Key.Key_Return)
    assert pressed.got == [(3, go), (0, tick), (1, go)]
    press.reach(page, page.table, "2")
    assert press.by_key(page, page.table, "2") == "takes no focus"


class Lines(Ground):
    """A page with a cart that passes for one of the product."""

    __module__ = "pos_app.cashier.example"

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.cart = CartList(
            theme, name="Рачун", words=CartWords(remove="Уклони", restore="Врати"), parent=self
        )
        self.cart.setMinimumSize(600, 300)
        states = CartState.REMOVED, CartState.NORMAL, CartState.CURRENT
        rows = [CartRow("1", "Хлеб", "58,99", "ком", "58,99", state=one) for one in states]
        self.cart.take([IdentifiedRow(n, one) for n, one in enumerate(rows)], current=2)
        QVBoxLayout(self).addWidget(self.cart)


def test_a_button_of_the_cart_is_pressed_by_its_own_key_or_by_none(
    qtbot: QtBot, theme: Theme
) -> None:
    page = Lines(theme)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    scene = next(one for one in SCENES if one.room == "sale")
    every = list(press.controls(page, scene))
    assert {one.part for one in every} == {"", "minus", "plus", "remove", "restore"}
    by_keys = [one.part for one, means in press.asked_in({"sale": every}) if means == press.KEY]
    assert sorted(by_keys) == ["", "plus", "remove"]
    keys: list[int] = []

    class Keys(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
                keys.append(event.key())
            return False

    page.cart.installEventFilter(Keys(page))
    for part in by_keys:
        press.focus(page.cart)
        assert press.by_key(page, page.cart, part) == ""
    assert sorted(keys) == sorted(map(int, (Qt.Key.Key_PageUp, Qt.Key.Key_F3, Qt.Key.Key_Delete)))


class Asking(Ticked):
    """A screen that emits a request to its window at a press, and another one by itself."""

    __module__ = "pos_app.cashier.example"

    wanted = Signal()
    ticked = Signal()


def test_what_a_screen_asks_without_a_press_is_no_effect(qtbot: QtBot, theme: Theme) -> None:
    page = Asking(theme, lambda _: None)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    ear = press.Ear()
    ear.listen(page)
    noise = ear.lines()
    page.ticked.emit()
    before = ear.lines()
    noise ^= before
    page.ticked.emit()
    assert not press.changed(before ^ ear.lines(), noise)
    page.box.clicked.connect(page.wanted)
    assert press.by_mouse(page, page.box) == ""
    assert press.changed(before ^ ear.lines(), noise) == {"signal Asking.wanted = 1"}


def test_what_lies_under_another_can_t_be_pressed(qtbot: QtBot, theme: Theme) -> None:
    page = Ticked(theme, lambda _: None)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    QWidget(page).setGeometry(page.rect())
    cover = page.children()[-1]
    assert isinstance(cover, QWidget)
    cover.show()
    assert press.by_mouse(page, page.box).startswith("covered by")


def test_every_exception_says_why() -> None:
    assert all(why.strip() for *_, why in press.EXCEPTIONS)
