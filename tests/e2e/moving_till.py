"""A till whose server a manager moves to another port: `… moving_till DATA PORT`.

The manager types the port into the page of the local API, saves it, and reopens the till by the
button there. Each step prints a line, with the address at which its server then answers; the second
till sells, prints its address, and closes.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from pos_app import log, settings
from pos_app.bootstrap.till import till
from pos_app.cashier.settings.api_page import ApiPage
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.values import PORT
from pos_app.cashier.start.scripted_sale import ScriptedSale
from pos_app.cashier.ui.field import Field
from pos_app.cashier.window.till_window import TillWindow
from tests.e2e.shop import PATIENCE
from tests.e2e.troubled_till import say
from tests.fakes.no_tls import NO_TLS
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import only, page_shown

LOOK_SECONDS = 0.05
PIN = "2580"


class Manager:
    """The manager who moves it. port: the new one."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._tills = 0

    def sit_down(self, window: TillWindow) -> None:
        self._tills += 1
        window.tasks.start(self._work(window), name="a manager")

    async def _work(self, window: TillWindow) -> None:
        try:
            await until(lambda: window.services.server.status is not None)
            await (self._move(window) if self._tills == 1 else self._sell(window))
        except BaseException:
            window.close()
            raise

    async def _move(self, window: TillWindow) -> None:
        inside(window).open("settings")
        screen = inside(window).settings
        let_in(screen.model, PIN)
        screen.model.choose(PageName.API)
        page = await page_shown(window.frame, "set.page.api")
        before = window.services.keeper.port
        only(page.form.rows[PORT], Field).edit.setText(str(self._port))
        await until(page.acts.save.isEnabled)
        page.acts.save.click()
        await until(page.reopen.isVisible)
        await until(lambda: page.addresses.isVisible() and self._is_told(page))
        say("saved", before, await answers(before), await answers(self._port))
        page.reopen.click()

    def _is_told(self, page: ApiPage) -> bool:
        return page.addresses.port_at_start == self._port

    async def _sell(self, window: TillWindow) -> None:
        sold: list[str] = []
        script = ScriptedSale(window, ["8609910700134"])
        script.ended.connect(lambda ended: sold.append(ended.state))
        script.begin()
        await until(lambda: sold)
        say("sold", sold[0], window.services.keeper.port, await answers(self._port))
        window.close()


async def answers(port: int) -> int:
    """The status of the server's health; 0 while nobody answers."""
    async with httpx.AsyncClient(trust_env=False, verify=NO_TLS, timeout=10) as client:
        try:
            return (await client.get(f"http://127.0.0.1:{port}/health")).status_code
        except httpx.TransportError:
            return 0


async def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it did not become so"
        await asyncio.sleep(LOOK_SECONDS)


def main(words: list[str]) -> int:
    data, port = Path(words[0]), int(words[1])
    log.configure()
    manager, opened = Manager(port), till.TillProgram.run

    def run(program: till.TillProgram) -> int:
        return opened(program, on_ready=manager.sit_down, size=(1366, 768))

    till.TillProgram.run = run  # type: ignore[assignment, method-assign]

    def read() -> settings.Settings:
        return settings.load(data)

    return till.run_till(read(), reread=read)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
