"""The window in its first size, and in sizes that it is given."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, QSize
from PySide6.QtGui import QPlatformSurfaceEvent, QResizeEvent, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication

from pos_app.cashier.ui.metrics import TouchMm
from tests.gui.crawl.checks import Seen, cut, overlap
from tests.gui.inside import inside
from tests.gui.pictures import settle
from tests.gui.scanner.x11 import x_server
from tests.gui.window.finger import place_of
from tests.gui.window.hands import SellIn
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.sweep import sampled

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="no Xvfb here")
def test_it_fills_a_screen_on_which_no_window_manager_runs(tmp_path: Path) -> None:
    with x_server() as screen:
        done = subprocess.run(
            [sys.executable, "-m", "tests.gui.window.on_screen", tmp_path],
            cwd=ROOT,
            env=screen.environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    window, whole = done.stdout.split()
    assert window == whole, done.stderr


@pytest.mark.parametrize(("touch", "text"), sampled(product([15, 9, 12], [150, 100, 125])))
def test_a_window_is_made_as_narrow_as_1024_and_wide_again(
    shop: Shop, sell_in: SellIn, touch: TouchMm, text: int
) -> None:
    hands = sell_in(shop, width=1366, touch=touch, text=text)
    window = hands.window
    for code in (BREAD, MILK):
        inside(window).model.entry.enter_code(code)
    for width in (1024, 1366):
        window.resize(width, 768)
        settle()
        assert window.width() == width
        seen = Seen(window, window.theme)
        assert [*cut(seen), *overlap(seen)] == []
        buttons = window.findChildren(QAbstractButton)
        places = {one: place_of(one) for one in buttons if one.isVisible()}
        whole = QRect(0, 0, width, 768)
        assert [one.accessibleName() for one, at in places.items() if not whole.contains(at)] == []


def test_no_width_between_cuts_a_key(shop: Shop, sell_in: SellIn) -> None:
    window = sell_in(shop, width=1366, touch=15, text=150).window
    inside(window).model.entry.enter_code(BREAD)
    for width in (1254, 1253, 1240, 1200):
        window.resize(width, 768)
        settle()
        assert window.width() == width
        assert [*cut(Seen(window, window.theme))] == []


class CappingPlatform(QObject):
    """Makes each window no larger than its screen, and reports that to the widget while it is made.

    Windows does so: at 1366×768 and 175 % a window may be 781 pixels wide, less than the till asks.
    """

    def __init__(self, screen: QSize) -> None:
        super().__init__()
        self._screen = screen
        self.capped = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        created = QPlatformSurfaceEvent.SurfaceEventType.SurfaceCreated
        if (
            isinstance(watched, QWindow)
            and isinstance(event, QPlatformSurfaceEvent)
            and event.surfaceEventType() is created
        ):
            for window in QApplication.topLevelWidgets():
                if window.windowHandle() is watched:
                    self.capped += 1
                    window.setMaximumSize(self._screen)
                    QApplication.sendEvent(window, QResizeEvent(self._screen, watched.size()))
        return False


@pytest.mark.parametrize(("width", "height"), sampled([(781, 439), (819, 480), (768, 432)]))
def test_a_window_that_the_platform_caps_while_it_is_made_sells(
    shop: Shop, sell_in: SellIn, qapp: QApplication, width: int, height: int
) -> None:
    platform = CappingPlatform(QSize(width, height))
    qapp.installEventFilter(platform)
    try:
        hands = sell_in(shop, width=width, height=height)
    finally:
        qapp.removeEventFilter(platform)
    assert platform.capped == 1
    hands.scan(BREAD)
    settle()
    assert [line.article.frozen.gtin for line in inside(hands.window).model.cart.ticket.cart.active]
    assert not hands.window.grab().isNull()
