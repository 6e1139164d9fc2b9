"""What would let a press without effect pass as one that has an effect."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest
from PySide6.QtCore import Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QVBoxLayout
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.choices import CheckBox
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl import press
from tests.gui.crawl.state import state


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
        before = state(page, box)
        with capture_exceptions(), press.Watch() as watch:
            assert (press.by_mouse if means == press.MOUSE else press.by_key)(page, box) == ""
        assert page.box.isChecked()
        assert (state(page, box) != before) is has_effect
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
    before = state(page, page.box)
    assert (press.by_mouse if means == press.MOUSE else press.by_key)(page, page.box) == ""
    assert model.on
    assert state(page, page.box) == before


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
