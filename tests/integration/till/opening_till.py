"""A till on a new folder, whose person chooses the demo: `… opening_till FOLDER`.

It prints the windows that are on screen while the shop is prepared, `asks` for the question of the
first start, and `sells` with whether it shows articles and whether its receipts are not fiscal.
"""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from pos_app import settings
from pos_app.bootstrap.till import core, till
from pos_app.cashier.window.till_window import TillWindow
from pos_app.settings import Settings
from tests.gui.inside import inside
from tests.integration.till.standing_till import say


def on_screen() -> list[str]:
    return [one.accessibleName() for one in QApplication.topLevelWidgets() if one.isVisible()]


def close_uncovered(window: TillWindow) -> None:
    if len(on_screen()) == 1:
        window.close()
    else:
        QTimer.singleShot(10, window, lambda: close_uncovered(window))


def act(window: TillWindow) -> None:
    if inside(window).is_in("first_start"):
        say("asks")
        inside(window).first_start.choice.demo_card.click()
    else:
        rows = inside(window).work_area.sale.picker.rows.rowCount()
        say("sells", rows > 0, window.services.not_fiscal)
        close_uncovered(window)


def main(arguments: list[str]) -> int:
    opened = till.TillProgram.run

    def prepared(shop: Settings) -> AbstractContextManager[core.TillCore]:
        say("meanwhile", on_screen())
        return core.open_till_core(shop)

    def read() -> Settings:
        return settings.load(Path(arguments[0]), server={"port": 0})

    def run(program: till.TillProgram) -> int:
        return opened(program, on_ready=act, size=(1366, 768))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(till, "open_till_core", prepared)
        patched.setattr(till.TillProgram, "run", run)
        return till.run_till(read(), reread=read)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
