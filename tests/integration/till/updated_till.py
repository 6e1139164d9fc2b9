"""A till that opens a shop which another version opened last: `… updated_till FOLDER [demo]`.

It prints `shown` with the name of each window that is on screen before its own, once, and `opened`
with the words of the notice. demo: the command is `pos-app demo`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

import pos_app.__main__
from pos_app import settings
from pos_app.bootstrap.till import till
from pos_app.cashier.window.till_window import TillWindow
from pos_app.settings import Settings
from tests.gui.inside import inside
from tests.integration.till.standing_till import say

LOOK_MS = 5


def on_screen() -> list[str]:
    return [one.accessibleName() for one in QApplication.topLevelWidgets() if one.isVisible()]


def main(arguments: list[str]) -> int:
    application, opened = QApplication(sys.argv[:1]), till.TillProgram.run
    told: list[str] = []

    def look() -> None:
        for name in on_screen():
            if name and name not in told:
                told.append(name)
                say("shown", name)

    looking = QTimer(application)
    looking.timeout.connect(look)
    looking.start(LOOK_MS)

    def act(window: TillWindow) -> None:
        looking.stop()
        if len(on_screen()) > 1:
            QTimer.singleShot(LOOK_MS, window, lambda: act(window))
            return
        panel = inside(window).work_area.sale.notices.panel
        say("opened", "" if panel is None else panel.accessibleName())
        window.close()

    def read() -> Settings:
        return settings.load(Path(arguments[0]), server={"port": 0})

    def run(program: till.TillProgram) -> int:
        return opened(program, on_ready=act, size=(1366, 768))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(till.TillProgram, "run", run)
        if "demo" in arguments:
            patched.setenv("QT_QPA_PLATFORM", "offscreen:")  # a display, as the command sees it
            return pos_app.__main__.main(["demo", "--data", arguments[0], "--port", "0"])
        return till.run_till(read(), reread=read)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
