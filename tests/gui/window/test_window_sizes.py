"""The window in sizes that it is given, and in one that the platform caps."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QSize
from PySide6.QtGui import QPlatformSurfaceEvent, QResizeEvent, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication

from tests.gui.crawl.checks import Seen, cut, overlap
from tests.gui.inside import inside
from tests.gui.parts import visible_parts
from tests.gui.pictures import settle
from tests.gui.window.finger import place_of
from tests.gui.window.hands import SellIn
from tests.gui.window.shop import BREAD, MILK, Shop


def test_no_width_from_1366_to_1024_cuts_anything(shop: Shop, sell_in: SellIn) -> None:
    """The largest keys and the largest type; and wide again."""
    window = sell_in(shop, width=1366, touch=15, text=150).window
    for code in (BREAD, MILK):
        inside(window).model.entry.enter_code(code)
    for width in (1024, 1366, 1254, 1253, 1240, 1200, 1366, 1254, 1024):
        window.resize(width, 768)
        settle()
        assert window.width() == width
        seen = Seen(window, window.theme)
        assert [*cut(seen)] == [], width
        assert [*overlap(seen)] == [], width
        buttons = visible_parts(window, QAbstractButton)
        whole = QRect(0, 0, width, 768)
        outside = [one for one in buttons if not whole.contains(place_of(one))]
        assert [one.accessibleName() for one in outside] == []


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


def test_a_window_that_the_platform_caps_while_it_is_made_sells(
    shop: Shop, sell_in: SellIn, qapp: QApplication
) -> None:
    width, height = 781, 439
    platform = CappingPlatform(QSize(width, height))
    qapp.installEventFilter(platform)
    try:
        hands = sell_in(shop, width=width, height=height)
    finally:
        qapp.removeEventFilter(platform)
    assert platform.capped == 1
    hands.scan(BREAD)
    settle()
    assert [line.article.frozen.gtin for line in hands.ticket.cart.active]
    assert not hands.window.grab().isNull()
