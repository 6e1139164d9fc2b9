"""A till's window with a scan filter, and the keyboards before it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from pos_app.cashier.scanner.decoder import Family
from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.settings import ScannerSettings
from tests.gui.scanner.wedge import Keyboards

Until = Callable[[Callable[[], object]], Awaitable[None]]


@dataclass
class Till:
    """window: the widget with the focus is in it. codes, misread: the scans, in order."""

    window: QWidget
    filter: ScanFilter
    keys: Keyboards
    codes: list[str] = field(default_factory=list)
    misread: list[str] = field(default_factory=list)

    def show(self, *widgets: QWidget) -> None:
        """Put the widgets into the window; the first one has the focus."""
        layout = self.window.layout() or QVBoxLayout(self.window)
        for widget in widgets:
            layout.addWidget(widget)
        self.window.show()
        self.window.activateWindow()
        widgets[0].setFocus()
        QApplication.processEvents()
        assert QGuiApplication.focusWindow() is self.window.windowHandle()
        assert QApplication.focusWidget() is widgets[0]

    def decide(self) -> None:
        """Let the keyboards be silent for longer than any gap."""
        self.keys.now += 500
        self.filter.decide_now()


@pytest.fixture
def till(qapp: QApplication) -> Iterator[Till]:
    window = QWidget()
    codes: list[str] = []
    misread: list[str] = []
    scan_filter = ScanFilter(
        lambda code, _: codes.append(code),
        ScannerSettings(),
        on_misread=lambda code, *_: misread.append(code),
        family=Family.X11,
    )
    scan_filter.install()
    yield Till(window=window, filter=scan_filter, keys=Keyboards(), codes=codes, misread=misread)
    scan_filter.remove()
    window.close()
    window.deleteLater()


@pytest.fixture
def until() -> Until:
    """Wait for something to be true while Qt runs; fails after 5 s."""

    async def wait(seen: Callable[[], object]) -> None:
        deadline = time.monotonic() + 5
        while not seen():
            assert time.monotonic() < deadline, "it never came"
            await asyncio.sleep(0.002)

    return wait
