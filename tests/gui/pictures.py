"""Fonts, look and shapes of the tests' windows, and how pictures of them are taken."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.texts.lookup import Language
from pos_app.cashier.ui.fonts import load_fonts
from pos_app.cashier.ui.metrics import TouchMm, measure
from pos_app.cashier.ui.style import apply_style, set_up_style
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import ThemeName
from pos_app.resources import folder
from tests.gui_loop import TestLoop


@dataclass(frozen=True, slots=True)
class Shape:
    """Size and look of a picture."""

    name: str
    width: int
    height: int
    theme: ThemeName
    touch: TouchMm = 12
    text: int = 100
    language: Language = "sr-Cyrl"
    as_list: bool = False


Opened = Callable[[Shape, Theme, str], AbstractAsyncContextManager[QWidget]]
Posed = Callable[[QApplication, Shape, str], AbstractContextManager[QWidget]]
"""Opens the window of a scene in a shape, and closes it at the end."""

LIGHT = Shape("1366-light", 1366, 768, "light")
DARK = Shape("1366-dark", 1366, 768, "dark")
NARROW = Shape("1024-light", 1024, 768, "light")
NARROW_LATIN = Shape("1024-dark-latin", 1024, 768, "dark", language="sr-Latn")
FIFTEEN = Shape("1024-15mm", 1024, 768, "light", touch=15)
LARGE_TYPE = Shape("1024-150", 1024, 768, "light", text=150, language="en")
SHAPES = (LIGHT, DARK, NARROW, NARROW_LATIN, FIFTEEN, LARGE_TYPE)


@cache
def _fonts() -> None:
    """Load the product's fonts once per program."""
    load_fonts(folder() / "fonts")


@contextmanager
def styled(application: QApplication, theme: Theme) -> Iterator[Theme]:
    """Apply a look to the application. It stays on: the next window mostly has the same one."""
    _fonts()
    if application.styleSheet():
        apply_style(application, theme)
    else:
        set_up_style(application, theme)
    yield theme


@cache
def look_of(shape: Shape) -> Theme:
    """The look of a shape at 96 dpi; it never changes, so windows of one shape share its icons and
    the widths of its words."""
    metrics = measure(touch_mm=shape.touch, text_percent=shape.text, width=shape.width)
    return Theme(theme=shape.theme, metrics=metrics)


def open_window(window: QWidget, shape: Shape) -> None:
    """Open a window on the screen of its size, if there is one."""
    size = QSize(shape.width, shape.height)
    for screen in QApplication.screens():
        if screen.size() == size:
            window.move(screen.geometry().topLeft())
    window.resize(shape.width, shape.height)
    window.show()
    window.activateWindow()


def posed_by(opened: Opened) -> Posed:
    """What opens a state on a loop of its own, for one look. Work that a press starts finds that
    loop running, also between two looks at the events."""

    @contextmanager
    def posed(application: QApplication, shape: Shape, name: str) -> Iterator[QWidget]:
        loop = TestLoop(application)
        asyncio.set_event_loop(loop)
        with loop, styled(application, look_of(shape)) as look:
            made = opened(shape, look, name)
            window = loop.run_until_complete(made.__aenter__())
            yield window
            loop.run_until_complete(made.__aexit__(None, None, None))

    return posed


def settle() -> None:
    """Let everything be laid out and painted."""
    for _ in range(4):
        QApplication.processEvents()


def let_go(window: QWidget) -> None:
    """Close a window for good, with the menus over it."""
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.close()
    window.close()
    window.deleteLater()
    QApplication.processEvents()
    # Where no loop runs, Qt keeps deleted widgets and styles all of them again and again.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
