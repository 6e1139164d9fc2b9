"""A real till that prints what its buyer sees: `python -m tests.e2e.told_display DATA`.

It is the product as it is. It prints a line of JSON for each change of the customer display, of
what the cashier sells, and of the keyboard's focus.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from pos_app import log, settings
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.customer_display.display import CustomerDisplay
from pos_app.cashier.customer_display.view import DisplayView
from pos_app.cashier.window.till_window import TillWindow
from tests.gui.crawl.painted import painted_by
from tests.gui.inside import inside

LOOK_MS = 20
SIZE = (1366, 768)


class Told:
    def __init__(self, window: TillWindow) -> None:
        self._window = window
        self._line = ""
        self._painted: tuple[object, list[str]] = (None, [])

    def look(self) -> None:
        line = json.dumps(self._state(), ensure_ascii=False)
        if line != self._line:
            self._line = line
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    def _state(self) -> dict[str, object]:
        window = self._window
        model, focus = inside(window).model, QApplication.focusWidget()
        status = window.services.server.status
        shown = [one for one in QApplication.topLevelWidgets() if isinstance(one, DisplayView)]
        views = [one for one in shown if one.isVisible()]
        return {
            "ready": window.isActiveWindow() and focus is not None and status is not None,
            "focus": focus.accessibleName() if focus is not None else "",
            "active": QApplication.activeWindow() is window,
            "monitors": sorted(one.name() for one in QGuiApplication.screens()),
            "paying": inside(window).work_area.is_paying,
            "lines": len(model.cart.ticket.cart.active),
            "sales": model.confirmation.last.sequence if model.confirmation.last else 0,
            "display": self._display(views[0]) if views else None,
            "displays": len(views),
        }

    def _display(self, view: DisplayView) -> dict[str, object]:
        if self._painted[0] is not view.words:
            texts, _ = painted_by(view)
            self._painted = (view.words, [one.words for one in texts])
        place, words = view.geometry(), view.words
        assert words is not None
        return {
            "on": view.screen().name(),
            "place": [place.x(), place.y(), place.width(), place.height()],
            "scene": words.scene.name,
            "painted": self._painted[1],
            "amount": words.amount,
            "code": words.code,
            "is_small": words.is_small,
            "picture": view.shows_picture,
        }


def main(words: list[str]) -> int:
    log.configure()
    till = TillProgram(settings.load(Path(words[0])))

    kept: list[Told] = []  # a signal keeps no object of its method alive

    def on_ready(window: TillWindow) -> None:
        assert isinstance(window.services.display_here.control, CustomerDisplay)
        kept.append(Told(window))
        timer = QTimer(window)
        timer.timeout.connect(kept[0].look)
        timer.start(LOOK_MS)

    return till.run(on_ready=on_ready, size=SIZE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
