"""A real till that prints what its cashier sees, or what its buyer sees:

    python -m tests.e2e.told_till cashier|buyer DATA

It is the product as it is, in a window of the platform that the environment names. It prints a line
of JSON for each visible change: of the screen on top, widget by widget, with the positions to press
and the process of the server that it keeps; or of the customer display, of what the cashier sells,
and of the keyboard's focus.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from pos_app import log, settings
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.customer_display.view import DisplayView
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.window.till_window import TillWindow
from tests.gui.crawl.painted import painted_by
from tests.gui.inside import inside

LOOK_MS = 20
SIZE = (1366, 768)
State = dict[str, object]


def words_of(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QLineEdit) else ""
    described = (widget.accessibleName(), text, widget.accessibleDescription())
    return " | ".join(one for one in described if one)


def seen(window: TillWindow) -> Iterator[tuple[str, str, bool, bool, int, int]]:
    """Class, words, enabled, chosen and position of each visible widget with words."""
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and (words := words_of(widget)):
            place = widget.mapToGlobal(widget.rect().center())
            is_chosen = isinstance(widget, QAbstractButton) and widget.isChecked()
            yield type(widget).__name__, words, widget.isEnabled(), is_chosen, place.x(), place.y()


def focused() -> str:
    focus = QApplication.focusWidget()
    return focus.accessibleName() if focus is not None else ""


def of_cashier(window: TillWindow, till: TillProgram) -> State:
    segments = [one for one in window.findChildren(Segment) if one.isVisible()]
    return {
        "ready": window.isActiveWindow() and QApplication.focusWidget() is not None,
        "top": window.frame.top_name,
        "paying": inside(window).work_area.is_paying,
        "server": till.core.server.pid if till.core is not None else None,
        "words": [list(one) for one in seen(window)],
        "parts": [
            [list(one.mapToGlobal(rect.center()).toTuple()) for rect in one.part_rects()]
            for one in segments
        ],
        "focus": focused(),
    }


def of_buyer(window: TillWindow, _: TillProgram) -> State:
    model, focus = inside(window).model, QApplication.focusWidget()
    status = window.services.server.status
    shown = [one for one in QApplication.topLevelWidgets() if isinstance(one, DisplayView)]
    views = [one for one in shown if one.isVisible()]
    return {
        "ready": window.isActiveWindow() and focus is not None and status is not None,
        "focus": focused(),
        "active": QApplication.activeWindow() is window,
        "monitors": sorted(one.name() for one in QGuiApplication.screens()),
        "paying": inside(window).work_area.is_paying,
        "lines": len(model.cart.ticket.cart.active),
        "display": display(views[0]) if views else None,
    }


_painted: tuple[object, list[str]] = (None, [])


def display(view: DisplayView) -> State:
    global _painted  # noqa: PLW0603 - it is painted anew for other words alone
    if _painted[0] is not view.words:
        _painted = view.words, [one.words for one in painted_by(view)[0]]
    place, words = view.geometry(), view.words
    return {
        "on": view.screen().name(),
        "place": [place.x(), place.y(), place.width(), place.height()],
        "scene": words.scene.name,
        "painted": _painted[1],
        "amount": words.amount,
        "code": words.code,
        "is_small": words.is_small,
        "picture": view.shows_picture,
    }


def main(words: list[str]) -> int:
    whose, data = words
    state: Callable[[TillWindow, TillProgram], State]
    state = of_buyer if whose == "buyer" else of_cashier
    log.configure()
    till, told = TillProgram(settings.load(Path(data))), [""]

    def on_ready(window: TillWindow) -> None:
        def look() -> None:
            line = json.dumps(state(window, till), ensure_ascii=False)
            if line != told[0]:
                told[0] = line
                sys.stdout.write(line + "\n")
                sys.stdout.flush()

        timer = QTimer(window)
        timer.timeout.connect(look)
        timer.start(LOOK_MS if whose == "buyer" else 2 * LOOK_MS)

    return till.run(on_ready=on_ready, size=SIZE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
