"""A till at whose page of backups a set is restored: `… putting_back_till FOLDER HOW`.

HOW: "whole", "damaged" (the set is damaged once it was read), "killed" (the program dies when the
set is about to replace the files) or "stuck" (a file of it can't be replaced). Keys are pressed in
the real window: it sells one item, makes a backup, sells two more, reads the set, and restores it.
It prints its observations. The till that opens then prints its content, and closes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from pos_app import log, settings
from pos_app.adapters.backup import restoring
from pos_app.adapters.data_folder import JOURNAL
from pos_app.bootstrap.commands.backup import put_back
from pos_app.bootstrap.till import till
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.start import scripted_sale
from pos_app.cashier.ui.buttons import BigButton
from pos_app.cashier.window.till_window import TillWindow
from pos_app.errors import DataFolderNotWritable, PosError
from pos_app.selling.backups import AskedBack
from tests.e2e.shop import PATIENCE
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of, notices_in

BREAD = "8609910700134"
PIN = "2580"
LOOK_SECONDS = 0.05


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


class Person:
    """The person at the till that is opened first, and at the one after it."""

    def __init__(self, how: str) -> None:
        self._how = how
        self._opened = 0

    def sit_down(self, window: TillWindow) -> None:
        self._opened += 1
        work = self._first(window) if self._opened == 1 else self._then(window)
        window.tasks.start(work, name="a person")

    async def _first(self, window: TillWindow) -> None:
        try:
            if window.services.sales.last(1):  # it was killed, and is opened once more
                await self._then(window)
                return
            await self._sell(window)
            await self._put_back(window)
        except BaseException:
            sys.stderr.write(f"{_words(window)}\n")
            window.close()
            raise

    async def _sell(self, window: TillWindow) -> None:
        services = window.services
        await _until(lambda: services.server.status is not None)
        scripted_sale.scan(window, BREAD)
        await asyncio.sleep(0.5)  # exact payment takes no key just after a scan
        before = _last(window)
        scripted_sale.press_cash(window)
        await _until(lambda: _last(window) > before and not any(services.sales.counts().values()))
        say("sold", services.sales.last(1)[0].state)

    async def _put_back(self, window: TillWindow) -> None:
        inside(window).open("settings")
        screen = inside(window).settings
        let_in(screen.model, PIN)
        screen.model.choose(PageName.BACKUP)
        model = screen.model.backup
        await _until(lambda: model.here is not None)
        model.begin()
        await _until(lambda: model.is_made and model.sets and model.is_idle)
        inside(window).go_home()
        for _ in range(2):
            await self._sell(window)
        inside(window).open("settings")
        let_in(inside(window).settings.model, PIN)
        await _until(lambda: _page(window).isVisible() and model.is_idle and not model.is_outdated)
        _button(window, "Враћање").click()
        await _until(lambda: _page(window).findChildren(BigButton))
        say("asks", notices_in(_page(window))[-1].replace("\n", " "))
        one = model.asked
        assert one is not None
        if self._how == "damaged":
            with (Path(one.folder) / JOURNAL).open("r+b") as file:
                file.write(b"something else")
        _page(window).findChildren(BigButton)[-1].click()

    async def _then(self, window: TillWindow) -> None:
        services = window.services
        await _until(lambda: services.server.status is not None)
        has_mark = self._how != "damaged"
        await _until(lambda: ("restored" in _cases(window)) is has_mark)
        say(
            "has",
            len(services.sales.last(9)),
            "cases",
            *(one.kind for one in inside(window).cases()),
        )
        puts_back = services.puts_back
        assert puts_back is not None
        if puts_back.fault is not None:
            say("fault", puts_back.fault.code)
            await _until(lambda: "оштећена" in _words(window))
            inside(window).open("settings")
            screen = inside(window).settings
            let_in(screen.model, PIN)
            screen.model.choose(PageName.BACKUP)
            await _until(lambda: "Није враћена" in _words(screen))
            inside(window).go_home()
            await self._sell(window)
        window.close()


def _last(window: TillWindow) -> int:
    """The number of the till's last sale."""
    return max((one.sequence for one in window.services.sales.last(1)), default=0)


def _cases(window: TillWindow) -> list[str]:
    return [one.kind for one in inside(window).cases()]


def _button(window: TillWindow, words: str) -> QAbstractButton:
    return next(
        one
        for one in window.findChildren(QAbstractButton)
        if one.isVisible() and one.accessibleName().startswith(words)
    )


def _page(window: TillWindow) -> QWidget:
    """The page of the settings, which is another widget once the screen was made anew."""
    return inside(window).settings.page


def _words(widget: QWidget) -> str:
    return " ".join(lines_of(widget))


async def _until(is_so: Callable[[], object]) -> None:
    """Let the window work until the condition holds."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it did not become so"
        await asyncio.sleep(LOOK_SECONDS)


def main(words: list[str]) -> int:
    """Open the till, and the one that replaces it; returns the status of the last one."""
    data, how = Path(words[0]), words[1]
    log.configure()
    person, opened, goes_on = Person(how), till.TillProgram.run, restoring.go_on

    def run(program: till.TillProgram) -> int:
        return opened(program, on_ready=person.sit_down, size=(1366, 768))

    def die(data: Path) -> Path | None:
        if how == "killed":
            say("dies")
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "stuck":
            raise DataFolderNotWritable.of(data, OSError("a file is held"))
        return goes_on(data)

    def not_opened(error: PosError, **_: object) -> None:
        say("not opened", error.code)

    def told(data: Path, asked: AskedBack, tell: Callable[[int, int], None]) -> None:
        shown = [one.accessibleName() for one in QApplication.topLevelWidgets() if one.isVisible()]
        say("meanwhile", *shown)
        put_back(data, asked, tell)

    till.TillProgram.run = run  # type: ignore[assignment, method-assign]
    vars(till)["show_start_error"] = not_opened
    restoring.go_on = die

    def read() -> settings.Settings:
        return settings.load(data)

    try:
        return till.run_till(read(), reread=read, put_back=told)
    except DataFolderNotWritable:
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
