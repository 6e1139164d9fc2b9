"""A real till that prints what its cashier sees: `python -m tests.e2e.told_till DATA`.

It is the product as it is, in a window of the platform that the environment names. It prints a line
of JSON for each visible change: the words of the screen on top, widget by widget, the positions to
press, and the process of the server that it keeps.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QWidget,
)

from pos_app import log, settings
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.window.till_window import TillWindow
from tests.gui.inside import inside

LOOK_MS = 40
SIZE = (1366, 768)


def words_of(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QLineEdit) else ""
    described = (widget.accessibleName(), text, widget.accessibleDescription())
    return " | ".join(one for one in described if one)


def seen(window: TillWindow) -> Iterator[tuple[str, str, bool, bool, int, int]]:
    """Class, words, whether it can be pressed, whether it is chosen, and its position, of each
    visible widget with words; widgets below another screen are not visible."""
    for widget in window.findChildren(QWidget):
        if widget.isVisible() and (words := words_of(widget)):
            place = widget.mapToGlobal(widget.rect().center())
            is_chosen = isinstance(widget, QAbstractButton) and widget.isChecked()
            yield type(widget).__name__, words, widget.isEnabled(), is_chosen, place.x(), place.y()


def rows(window: TillWindow) -> list[list[str]]:
    views = [one for one in window.findChildren(QAbstractItemView) if one.isVisible()]
    return [list(_rows_of(view)) for view in views]


def _rows_of(view: QAbstractItemView) -> Iterator[str]:
    from PySide6.QtCore import Qt

    model = view.model()
    for number in range(min(model.rowCount(), 60) if model is not None else 0):
        index = model.index(number, 0)
        yield str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")


def state(window: TillWindow, till: TillProgram) -> dict[str, object]:
    focus = QApplication.focusWidget()
    segments = [one for one in window.findChildren(Segment) if one.isVisible()]
    return {
        "ready": window.isActiveWindow() and focus is not None,
        "top": window.frame.top_name,
        "paying": inside(window).work_area.is_paying,
        "server": till.core.server.pid if till.core is not None else None,
        "words": [list(one) for one in seen(window)],
        "rows": rows(window),
        "parts": [
            [list(one.mapToGlobal(rect.center()).toTuple()) for rect in one.part_rects()]
            for one in segments
        ],
        "focus": focus.accessibleName() if focus is not None else "",
    }


def main(words: list[str]) -> int:
    log.configure()
    till = TillProgram(settings.load(Path(words[0])))

    def on_ready(window: TillWindow) -> None:
        told = [""]

        def look() -> None:
            line = json.dumps(state(window, till), ensure_ascii=False)
            if line != told[0]:
                told[0] = line
                sys.stdout.write(line + "\n")
                sys.stdout.flush()

        timer = QTimer(window)
        timer.timeout.connect(look)
        timer.start(LOOK_MS)

    return till.run(on_ready=on_ready, size=SIZE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
