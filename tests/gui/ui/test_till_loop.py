"""The till's loop: the next step of a coroutine goes before the next paint, and nothing waits for a
step that has a loop of Qt's own within it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.tasks import TillLoop


class Told(QWidget):
    """Tells its paints."""

    def __init__(self, told: list[str]) -> None:
        super().__init__()
        self._told = told

    def paintEvent(self, _: QPaintEvent) -> None:
        self._told.append("paint")


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not is_so():  # noqa: ASYNC110 - Qt does it by itself
            await asyncio.sleep(0.01)


def test_what_a_slot_began_is_on_its_way_before_the_window_is_painted(qapp: QApplication) -> None:
    told = list[str]()
    widget = Told(told)

    async def sends() -> None:
        told.append("sent")

    async def sells() -> None:
        widget.show()
        await until(lambda: told)
        told.clear()
        widget.update()
        await asyncio.create_task(sends())
        await until(lambda: "paint" in told)

    with TillLoop(qapp) as loop:
        loop.run_until_complete(sells())
    assert told == ["sent", "paint"]
    widget.deleteLater()


def test_what_is_due_does_not_wait_for_a_loop_of_qt_within_a_step(qapp: QApplication) -> None:
    told = list[str]()

    def asks() -> None:
        dialog = QEventLoop()
        QTimer.singleShot(200, dialog.quit)
        dialog.exec()
        told.append("answered")

    async def both() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(asks)
        loop.call_soon(told.append, "due")
        await until(lambda: len(told) == 2)

    with TillLoop(qapp) as loop:
        loop.run_until_complete(both())
    assert told == ["due", "answered"]


def test_a_loop_that_is_closed_runs_nothing_more(qapp: QApplication) -> None:
    told = list[str]()
    with TillLoop(qapp) as loop:
        loop.run_until_complete(asyncio.sleep(0))
        loop.call_soon(told.append, "left")
    with TillLoop(qapp) as later:
        later.run_until_complete(asyncio.sleep(0.05))
    assert told == []
    with pytest.raises(RuntimeError):
        loop.call_soon(told.append, "late")
