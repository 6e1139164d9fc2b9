"""A real till whose server can't start: `python -m tests.e2e.troubled_till DATA PICTURE`.

It waits until its Attention gives the reason, prints it, mends the cause by moving the journal
away, presses the button that starts the server, and closes once the server answers.
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
from pos_app.selling.server.monitor import ServerLink
from tests.gui.inside import inside
from tests.gui.parts import notices_in

GIVE_UP_MS = 40_000
LOOK_MS = 50


class Watcher:
    """Looks at the window as a person would, and acts once."""

    def __init__(self, window: TillWindow, data: Path, picture: Path) -> None:
        self._window = window
        self._data = data
        self._picture = picture
        self._mended = False
        self._timer = QTimer(window)
        self._timer.timeout.connect(self.look)
        self._timer.start(LOOK_MS)
        QTimer.singleShot(GIVE_UP_MS, window, window.close)

    def look(self) -> None:
        """Do the next step of the person."""
        view = self._window.services.server
        if not self._mended and view.is_troubled:
            self._read()
            self._mend()
        elif self._mended and view.link is ServerLink.OURS:
            say("works", self._server_item(), inside(self._window).waiting())
            self._timer.stop()
            self._window.close()

    def _read(self) -> None:
        inside(self._window).open("attention")
        say("line", self._server_item())
        case = inside(self._window).attention.case_view
        assert case is not None
        say("notice", notices_in(case)[0])
        self._window.grab().save(str(self._picture))

    def _mend(self) -> None:
        self._mended = True
        for path in (self._data / "journal").glob("journal.db*"):
            path.unlink()
        case = inside(self._window).attention.case_view
        assert case is not None
        assert case.steps is not None
        case.steps.give("end")

    def _server_item(self) -> str:
        facts = StatusFacts.of(self._window.services, waiting=0, to_decide=0)
        items = status_items(facts, self._window.texts)
        return f"{items[0].subject} {items[0].state}"


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main(words: list[str]) -> int:
    data, picture = map(Path, words)
    log.configure()
    till = TillProgram(settings.load(data, server={"port": int(os.environ["TILL_PORT"])}))
    watchers: list[Watcher] = []
    return till.run(
        on_ready=lambda window: watchers.append(Watcher(window, data, picture)), size=(1366, 768)
    )


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
