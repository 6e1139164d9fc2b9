"""The till on a real X server: `python -m tests.gui.window.x11_till FOLDER SETTINGS`.

FOLDER holds the demo's catalogue; SETTINGS is JSON: {"scanner": {...}, "till": {...}}, and "size"
where the window has the size of its own. Whenever the state that the cashier sees changes, it is
written as JSON to standard output, and an empty line each time the loop has looked so often that
QUIET_SECONDS passed without a change. SIGUSR1 blocks the loop for STALL_SECONDS.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.sale.picker import Picker
from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.start.app import run
from pos_app.cashier.window.till_window import TillWindow
from tests.gui.inside import inside
from tests.gui.parts import layout_of
from tests.gui.window.shop import Shop

LOOK_MS = 10
QUIET_LOOKS = 10
STALL_SECONDS = 0.6
QUIET_SECONDS = QUIET_LOOKS * LOOK_MS / 1000


def state(window: TillWindow) -> dict[str, object]:
    """The state that the cashier sees."""
    model, work_area = inside(window).model, inside(window).work_area
    payment = work_area.payment.model if work_area.is_paying else None
    focus = QApplication.focusWidget()
    return {
        "ready": window.isActiveWindow() and focus is not None,
        "sold": [
            [
                line.article.frozen.gtin or line.article.frozen.name,
                f"{line.quantity.amount.normalize():f}",
            ]
            for line in model.cart.ticket.cart.active
        ],
        "missed": [one.code for one in model.cart.ticket.missed],
        "notices": [type(one).__name__ for one in model.context.notices],
        "question": type(model.questions.question).__name__ if model.questions.question else "",
        "search": work_area.sale.search.text(),
        "paying": work_area.is_paying,
        "last": model.confirmation.last.sequence if model.confirmation.last else 0,
        "sizes": [one.toTuple() for one in (window.size(), window.screen().availableSize())],
        "language": window.texts.language,
        "panel_yes": _centre_if(work_area.panel.yes if work_area.panel else None),
        "issue": _centre_if(layout_of(work_area.payment).issue if payment else None),
        "more": _centre_if(work_area.sale.bar.buttons["F9"]),
        "tile": _tile(work_area.sale.picker),
        "focus": focus.accessibleName() if focus else "",
    }


def _tile(picker: Picker) -> list[int]:
    """The centre of the first tile of an article."""
    viewport = picker.view.viewport()
    at = viewport.mapToGlobal(picker.view.visualRect(picker.rows.index(6)).center())
    return [at.x(), at.y()]


def _centre_if(widget: QWidget | None) -> list[int]:
    return _centre(widget) if widget is not None and widget.isVisible() else []


def _centre(widget: QWidget) -> list[int]:
    place = widget.mapToGlobal(widget.rect().center())
    return [place.x(), place.y()]


def main(data: Path, settings: dict[str, dict[str, Any]]) -> int:
    @contextmanager
    def open_services() -> Iterator[TillServices]:
        shop = Shop(data, real_time=True, **settings.get("till", {}))
        chosen = shop.services.settings
        scanner = chosen.scanner.having(**settings.get("scanner", {}))
        yield replace(shop.services, started_with=chosen.having(scanner=scanner))
        shop.close()

    def on_ready(window: TillWindow) -> None:
        told, looks = "", count()

        def look() -> None:
            nonlocal told, looks
            line = json.dumps(state(window))
            if told != line:
                told, looks = line, count()
            elif next(looks) % QUIET_LOOKS != QUIET_LOOKS - 1:
                return
            else:
                line = ""
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

        timer = QTimer(window)
        timer.timeout.connect(look)
        timer.start(LOOK_MS)

    signal.signal(signal.SIGUSR1, lambda *_: time.sleep(STALL_SECONDS))
    return run(
        open_services=open_services,
        background=lambda counter: [counter.outbox.run()],
        on_ready=on_ready,
        size=None if "size" in settings else (1024, 768),
    )


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "xcb")
    sys.exit(main(Path(sys.argv[1]), json.loads(sys.argv[2])))
