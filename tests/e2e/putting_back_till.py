"""A till at whose page of backups a set is restored: `… putting_back_till FOLDER HOW`.

HOW: "whole", or "killed" (the program dies when the set is about to replace the files). Keys are
pressed in the real window: it sells one item, makes a backup, sells two more, reads the set, and
restores it. It prints its observations. The till that opens then prints its content, and closes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from pos_app.adapters.backup import restoring
from pos_app.bootstrap.commands.backup import put_back
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.start import scripted_sale
from pos_app.cashier.ui.buttons import BigButton
from pos_app.cashier.window.till_window import TillWindow
from pos_app.selling.backups import AskedBack
from tests.e2e.at_window import PIN, begin, open_with, say, until
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import notices_in

BREAD = "8609910700134"


class Person:
    """The person at the till that is opened first, and at the one after it."""

    def __init__(self) -> None:
        self._opened = 0

    def sit_down(self, window: TillWindow) -> None:
        """A till that was killed, and is opened once more, is looked at too."""
        self._opened += 1
        is_new = self._opened == 1 and not window.services.sales.last(1)
        begin(window, self._put_back if is_new else self._look)

    async def _sell(self, window: TillWindow) -> None:
        services = window.services
        await until(lambda: services.server.status is not None)
        scripted_sale.scan(window, BREAD)
        await asyncio.sleep(0.5)  # exact payment takes no key just after a scan
        before = _last(window)
        scripted_sale.press_cash(window)
        await until(lambda: _last(window) > before and not any(services.sales.counts().values()))
        say("sold", services.sales.last(1)[0].state)

    async def _put_back(self, window: TillWindow) -> None:
        await self._sell(window)
        inside(window).open("settings")
        screen = inside(window).settings
        let_in(screen.model, PIN)
        screen.model.choose(PageName.BACKUP)
        model = screen.model.backup
        await until(lambda: model.here is not None)
        model.begin()
        await until(lambda: model.is_made and model.sets and model.is_idle)
        inside(window).go_home()
        for _ in range(2):
            await self._sell(window)
        inside(window).open("settings")
        let_in(inside(window).settings.model, PIN)
        await until(lambda: _page(window).isVisible() and model.is_idle and not model.is_outdated)
        await until(lambda: _put_backs(window))
        _put_backs(window)[0].click()
        await until(lambda: _page(window).findChildren(BigButton))
        say("asks", notices_in(_page(window))[-1].replace("\n", " "))
        _page(window).findChildren(BigButton)[-1].click()

    async def _look(self, window: TillWindow) -> None:
        services = window.services
        await until(lambda: services.server.status is not None)
        await until(lambda: "restored" in _cases(window))
        say("has", len(services.sales.last(9)), "cases", *_cases(window))
        window.close()


def _last(window: TillWindow) -> int:
    return max((one.sequence for one in window.services.sales.last(1)), default=0)


def _cases(window: TillWindow) -> list[str]:
    return [one.kind for one in inside(window).cases()]


def _put_backs(window: TillWindow) -> list[QAbstractButton]:
    buttons = window.findChildren(QAbstractButton)
    named = [one for one in buttons if one.accessibleName().startswith("Враћање")]
    return [one for one in named if one.isVisible()]


def _page(window: TillWindow) -> QWidget:
    """The page of the settings, which is another widget once the screen was made anew."""
    return inside(window).settings.page


def main(words: list[str]) -> int:
    goes_on = restoring.go_on

    def die(data: Path) -> Path | None:
        if words[1] == "killed":
            say("dies")
            os.kill(os.getpid(), signal.SIGKILL)
        return goes_on(data)

    def told(data: Path, asked: AskedBack, tell: Callable[[int, int], None]) -> None:
        shown = [one.accessibleName() for one in QApplication.topLevelWidgets() if one.isVisible()]
        say("meanwhile", *shown)
        put_back(data, asked, tell)

    restoring.go_on = die
    return open_with(Person().sit_down, Path(words[0]), put_back=told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
