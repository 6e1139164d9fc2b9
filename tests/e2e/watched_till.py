"""A real till that prints what its cashier sees.

    python -m tests.e2e.watched_till DATA PICTURE [CASES]

It prints a line for each change: the bottom line's items, the number of cases in Attention, and the
receipt of the last sale. Once Attention has CASES of them (1 by default), each is opened and
printed, and the last one photographed; then it closes.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from PySide6.QtCore import QTimer

from pos_app import log, settings
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.window.status import StatusFacts, status_items
from pos_app.cashier.window.till_window import TillWindow
from tests.e2e.at_window import SIZE, say
from tests.gui.inside import inside
from tests.gui.parts import notices_in

GIVE_UP_MS = 120_000
LOOK_MS = 50


class Watcher:
    def __init__(self, window: TillWindow, picture: Path, cases: int) -> None:
        self._window = window
        self._cases = cases
        self._picture = picture
        self._told = ""
        self._timer = QTimer(window)
        self._timer.timeout.connect(self.look)
        self._timer.start(LOOK_MS)
        QTimer.singleShot(GIVE_UP_MS, window, window.close)

    def look(self) -> None:
        facts = StatusFacts.of(self._window.services, waiting=0, to_decide=0)
        items = status_items(facts, self._window.texts)
        count = inside(self._window).waiting()
        line = " · ".join(f"{item.subject} {item.state}" for item in items[:2])
        if (told := f"{count} {line}") != self._told:
            self._told = told
            say("sees", told)
        if max(count, len(inside(self._window).cases())) >= self._cases:
            self._timer.stop()
            inside(self._window).open("attention")
            ids = [case.id for case in inside(self._window).attention.model.cases][: self._cases]
            QTimer.singleShot(LOOK_MS, self._window, lambda: self._tell_case(ids))

    def _tell_case(self, ids: list[str]) -> None:
        inside(self._window).attention.choose(ids[0])
        case = inside(self._window).attention.case_view
        assert case is not None
        say("case", notices_in(case)[0])
        if ids[1:]:
            QTimer.singleShot(LOOK_MS, self._window, lambda: self._tell_case(ids[1:]))
            return
        self._window.grab().save(str(self._picture))
        self._window.close()


def main(words: list[str]) -> int:
    data, picture, cases = Path(words[0]), Path(words[1]), int((words[2:] or ["1"])[0])
    log.configure()
    till = TillProgram(settings.load(data))
    watchers: list[Watcher] = []
    return till.run(
        on_ready=lambda window: watchers.append(Watcher(window, picture, cases)), size=SIZE
    )


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
