"""A real till at which keys are pressed: `python -m tests.e2e.pressed_till DATA ACTS`.

ACTS: JSON, a list of [name, argument …]: a method of `Hands`; "hand", which types a number as
slowly as a hand does; "die", which ends the till by SIGKILL that many milliseconds later; or
"issued", which waits until every sale has its receipt. After each act it prints a line of JSON with
the content of the screen, and "pressed" after the last one; then it stays open until it is ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QTimer

from pos_app import log, settings
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.cashier.window.till_window import TillWindow
from tests.e2e.shop import PATIENCE
from tests.e2e.troubled_till import say
from tests.gui.inside import inside
from tests.gui.scanner.wedge import Keyboards
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop

LOOK_SECONDS = 0.02
BETWEEN_DIGITS_SECONDS = 0.12


def seen(hands: Hands) -> str:
    """The cashier's view, as JSON."""
    window = hands.window
    payment = inside(window).work_area.payment.model if inside(window).work_area.is_paying else None
    return json.dumps(
        {
            "rows": hands.rows(),
            "added": inside(window).cart.added.accessibleName()
            if inside(window).cart.added.isVisible()
            else "",
            "total": inside(window).cart.total.accessibleDescription(),
            "given": [[str(method), str(money)] for method, money in payment.tender.paid]
            if payment
            else None,
            "notice": hands.notice(),
        }
    )


class Person:
    def __init__(self, acts: list[list[Any]]) -> None:
        self._acts = acts

    def sit_down(self, window: TillWindow) -> None:
        window.tasks.start(self._work(window), name="a person")

    async def _work(self, window: TillWindow) -> None:
        scanner = window.findChild(ScanFilter)
        assert scanner is not None
        hands = Hands(window, cast(Shop, None), scanner, Keyboards())
        try:
            for name, *arguments in self._acts:
                if name == "issued":
                    await self._issued(window)
                elif name == "die":
                    QTimer.singleShot(arguments[0], _die)
                elif name == "hand":
                    for digit in str(arguments[0]):
                        await self._act(window, partial(hands.type, digit))
                        await asyncio.sleep(BETWEEN_DIGITS_SECONDS)
                else:
                    await self._act(window, partial(getattr(hands, name), *arguments))
                await asyncio.sleep(LOOK_SECONDS)  # Qt paints, and the loop's callbacks run
                say("seen", seen(hands))
            say("pressed")
        except BaseException:
            window.close()
            raise

    async def _act(self, window: TillWindow, act: Callable[[], None]) -> None:
        """Press or tap outside of every task: QTest lets the loop run within it."""
        done = asyncio.get_running_loop().create_future()

        def run() -> None:
            try:
                act()
            except BaseException as error:
                done.set_exception(error)
                raise
            done.set_result(None)

        QTimer.singleShot(0, window, run)
        await done

    async def _issued(self, window: TillWindow) -> None:
        end = time.monotonic() + PATIENCE
        while any(window.services.sales.counts().values()):
            assert time.monotonic() < end, "no receipt was issued"
            await asyncio.sleep(LOOK_SECONDS)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(words: list[str]) -> int:
    data, acts = Path(words[0]), json.loads(words[1])
    log.configure()
    person = Person(acts)
    return TillProgram(settings.load(data)).run(on_ready=person.sit_down, size=(1366, 768))


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
