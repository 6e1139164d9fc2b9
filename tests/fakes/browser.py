"""The browser of a test, which opens nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices


class Browser(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def take(self, address: QUrl) -> None:
        self.opened.append(address.toString(QUrl.ComponentFormattingOption.FullyEncoded))


@contextmanager
def browser() -> Iterator[Browser]:
    made = Browser()
    for scheme in ("http", "https"):
        QDesktopServices.setUrlHandler(scheme, made, "take")  # type: ignore[arg-type]
    try:
        yield made
    finally:
        for scheme in ("http", "https"):
            QDesktopServices.unsetUrlHandler(scheme)
