"""Tool tips and open menus are checked too; each check finds a fault that was made on purpose."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import ChipRow, ChipSpec
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from tests.gui.crawl.checks import Seen
from tests.gui.crawl.floating import floating, open_menus
from tests.gui.crawl.test_checks import window_of
from tests.gui.parts import more_of

CATEGORIES = ("Пекара", "Млечно", "Воће и поврће", "Пиће", "Слатко", "Месара", "Смрзнуто")


@pytest.fixture
def chips(qtbot: QtBot, theme: Theme) -> Iterator[ChipRow]:
    """A row in which most categories have no room, in a window."""
    row = ChipRow(theme, more=lambda n: f"Још {n}")
    row.set_chips([ChipSpec(name, name) for name in CATEGORIES], current="Пекара")
    window = window_of(theme, row)
    qtbot.addWidget(window)
    window.resize(360, 600)
    window.show()
    QApplication.processEvents()
    yield row
    for menu in open_menus():
        menu.close()


def told(window: Ground, theme: Theme) -> list[str]:
    return [str(one) for one in floating(Seen(window, theme))]


def test_a_sound_tool_tip_passes(qtbot: QtBot, theme: Theme) -> None:
    button = Button(theme, "Купац")
    button.refuse("Корпа је празна")
    window = window_of(theme, button)
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.show()
    assert told(window, theme) == []


@pytest.mark.parametrize(
    ("tip", "found"),
    [
        ("  ", "is blank"),
        ("<b>важно</b>", "is no plain text"),
        ("Још {n}", "is no plain text"),
        ("а" * 200, "needs"),
        ("", "is refused without a reason"),
    ],
)
def test_a_broken_tool_tip_is_found(qtbot: QtBot, theme: Theme, tip: str, found: str) -> None:
    button = Button(theme, "Купац")
    button.setEnabled(False)
    button.setToolTip(tip)
    window = window_of(theme, button)
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.show()
    assert [found in one for one in told(window, theme)] == [True]


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
def test_an_open_menu_stands_in_its_window(chips: ChipRow, theme: Theme) -> None:
    more_of(chips).click()
    QApplication.processEvents()
    (menu,) = open_menus()
    assert [one.text() for one in menu.actions()] == [spec.words for spec in chips.folded()]
    assert told(chips.window(), theme) == []  # type: ignore[arg-type]
    corner = menu.mapToGlobal(QPoint(menu.width(), 0)).x()
    assert corner <= chips.mapToGlobal(QPoint(chips.width(), 0)).x()


@pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups on the offscreen platform
def test_a_menu_beside_its_window_is_found(chips: ChipRow, theme: Theme) -> None:
    more_of(chips).click()
    (menu,) = open_menus()
    menu.move(menu.pos() + QPoint(300, 0))
    assert any("beside the window" in one for one in told(chips.window(), theme))  # type: ignore[arg-type]
