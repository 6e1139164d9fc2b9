"""Tool tips, which no picture of the window shows, and open menus.

Qt paints both by itself, where `painted.py` hears nothing: they are measured.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QFont, QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QToolTip, QWidget

from pos_app.cashier.ui.metrics import Metrics, TypeStep
from tests.gui.crawl.checks import Finding, Seen, named


def open_menus() -> list[QMenu]:
    shown = QApplication.topLevelWidgets()
    return [one for one in shown if isinstance(one, QMenu) and one.isVisible()]


def with_menus(seen: Seen) -> QImage:
    picture = QImage(seen.picture)
    painter = QPainter(picture)
    for menu in open_menus():
        painter.drawPixmap(_place(seen, menu).topLeft(), menu.grab())
    painter.end()
    return picture


def tip(seen: Seen) -> Iterator[str]:
    """A tool tip without words or without room, and a disabled control without a reason."""
    for widget in seen.widgets:
        words = widget.toolTip()
        if words:
            yield from tip_faults(words, named(widget), QToolTip.font(), seen.metrics, seen.window)
        elif isinstance(widget, QAbstractButton) and not widget.isEnabled():
            yield f"{named(widget)} is refused without a reason"


def tip_faults(
    words: str, name: str, font: QFont, metrics: Metrics, window: QWidget
) -> Iterator[str]:
    if not words.strip():
        yield f"the tool tip of {name} is blank"
    if words.lstrip().startswith("<") or "{" in words:
        yield f"the tool tip of {name} is no plain text: “{words}”"
    if font.pixelSize() < metrics.type_px(TypeStep.SMALL):
        yield f"the tool tip of {name} is {font.pixelSize()} px"
    measured = QFontMetrics(font)
    lines = words.split("\n")
    wide = max(map(measured.horizontalAdvance, lines)) + 2 * metrics.s2
    tall = len(lines) * measured.height() + 2 * metrics.s2
    if wide > window.width() or tall > window.height():
        yield f"the tool tip of {name} needs {wide}×{tall}: “{words}”"


def menu(seen: Seen) -> Iterator[str]:
    """An open menu beside its window, and an entry of it that is cut or lower than a finger."""
    for one in open_menus():
        if not seen.window.rect().contains(_place(seen, one)):
            yield f"the menu stands beside the window: {_place(seen, one).getRect()}"
        font = QFontMetrics(one.font())
        for action in one.actions():
            words, room = action.text().replace("&&", "&"), one.actionGeometry(action)
            if not words.strip():
                yield "a line of the menu has no words"
            if font.horizontalAdvance(words) + 2 * seen.metrics.s4 > room.width():
                yield f"“{words}” in the menu is cut"
            if room.height() < seen.metrics.touch:
                yield f"“{words}” in the menu is {room.height()} px high"
            if not one.rect().contains(room):
                yield f"“{words}” in the menu is reached by scrolling only"


def _place(seen: Seen, widget: QWidget) -> QRect:
    return QRect(seen.window.mapFromGlobal(widget.mapToGlobal(QPoint(0, 0))), widget.size())


def floating(seen: Seen) -> list[Finding]:
    told = (Finding(check.__name__, what) for check in (tip, menu) for what in check(seen))
    return list(dict.fromkeys(told))
