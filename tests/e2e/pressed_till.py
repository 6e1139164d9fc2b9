"""A real till at which keys are pressed: `python -m tests.e2e.pressed_till DATA ACTS`.

ACTS: JSON, a list of [name, argument …]: a method of `Hands`; "hand", which types a number as
slowly as a hand does; or "die", which ends the till by SIGKILL that many milliseconds later.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QTimer

from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.cashier.window.till_window import TillWindow
from tests.e2e.at_window import begin, open_with
from tests.gui.scanner.wedge import Keyboards
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop

LOOK_SECONDS = 0.02
BETWEEN_DIGITS_SECONDS = 0.12


async def press(window: TillWindow, acts: list[list[Any]]) -> None:
    scanner = window.findChild(ScanFilter)
    assert scanner is not None
    hands = Hands(window, cast(Shop, None), scanner, Keyboards())
    for name, *arguments in acts:
        if name == "die":
            QTimer.singleShot(arguments[0], lambda: os.kill(os.getpid(), signal.SIGKILL))
        elif name == "hand":
            for digit in str(arguments[0]):
                await _act(window, partial(hands.type, digit))
                await asyncio.sleep(BETWEEN_DIGITS_SECONDS)
        else:
            await _act(window, partial(getattr(hands, name), *arguments))
        await asyncio.sleep(LOOK_SECONDS)  # Qt paints, and the loop's callbacks run


async def _act(window: TillWindow, act: Callable[[], None]) -> None:
    """Press outside of every task: QTest lets the loop run within it."""
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


def main(words: list[str]) -> int:
    acts = json.loads(words[1])

    def sit_down(window: TillWindow) -> None:
        begin(window, lambda window: press(window, acts))

    return open_with(sit_down, Path(words[0]))


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
