"""A till whose server a manager moves to another port: `… moving_till DATA PORT`.

The manager types the port into the page of the local API, saves it, and reopens the till by the
button there. Each step prints a line, with the address at which its server then answers; the second
till sells, prints its address, and closes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import httpx

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.values import PORT
from pos_app.cashier.start.scripted_sale import ScriptedSale
from pos_app.cashier.ui.field import Field
from pos_app.cashier.window.till_window import TillWindow
from tests.e2e.at_window import PIN, begin, open_with, say, until
from tests.fakes.no_tls import NO_TLS
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import only, page_shown


class Manager:
    def __init__(self, port: int) -> None:
        self._port = port
        self._tills = 0

    def sit_down(self, window: TillWindow) -> None:
        self._tills += 1
        begin(window, self._move if self._tills == 1 else self._sell)

    async def _move(self, window: TillWindow) -> None:
        await until(lambda: window.services.server.status is not None)
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
        addresses = page.addresses
        await until(lambda: addresses.isVisible() and addresses.port_at_start == self._port)
        say("saved", before, await answers(before), await answers(self._port))
        page.reopen.click()

    async def _sell(self, window: TillWindow) -> None:
        await until(lambda: window.services.server.status is not None)
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


def main(words: list[str]) -> int:
    return open_with(Manager(int(words[1])).sit_down, Path(words[0]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
