"""What programs share in which a person sits at the real window and tells of it by lines."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from pos_app import log, settings
from pos_app.bootstrap.till import till
from pos_app.cashier.window.till_window import TillWindow
from tests.e2e.shop import PATIENCE

SIZE = (1366, 768)
PIN = "2580"
_LOOK_SECONDS = 0.05


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it did not become so"
        await asyncio.sleep(_LOOK_SECONDS)


def begin(window: TillWindow, work: Callable[[TillWindow], Coroutine[Any, Any, None]]) -> None:
    """Have the person work; a fault ends the till."""

    async def worked() -> None:
        try:
            await work(window)
        except BaseException:
            window.close()
            raise

    window.tasks.start(worked(), name="a person")


def open_with(sit_down: Callable[[TillWindow], None], data: Path, **more: Any) -> int:
    """Open the till, and each one that replaces it, with that person before it; returns the status
    of the last one. more: values of the settings, and `put_back`, which puts a set back."""
    log.configure()
    opened, put_back = till.TillProgram.run, more.pop("put_back", None)

    def run(program: till.TillProgram) -> int:
        return opened(program, on_ready=sit_down, size=SIZE)

    till.TillProgram.run = run  # type: ignore[assignment, method-assign]

    def read() -> settings.Settings:
        return settings.load(data, **more)

    asked = {"put_back": put_back} if put_back else {}
    return till.run_till(read(), reread=read, **asked)
