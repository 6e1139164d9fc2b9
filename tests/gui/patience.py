"""A hand that is in no hurry, and an eye that waits for what is to be seen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from pos_app.cashier.sale.picker import Picker
from pos_app.cashier.ui.buttons import BigButton


def waited(widget: QWidget) -> None:
    """What has just appeared, or moved, is given its time before it is tapped."""
    if isinstance(widget, BigButton):
        widget._resting.stop()
    above: QWidget | None = widget
    while above is not None and not isinstance(above, Picker):
        above = above.parentWidget()
    if above is not None:
        above._moved.invalidate()


async def until(is_seen: Callable[[], object]) -> None:
    """Let Qt and what runs beside it work until something is seen; at most 5 s."""
    deadline = time.monotonic() + 5
    while not is_seen():
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.005)
