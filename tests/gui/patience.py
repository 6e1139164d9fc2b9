"""A hand that is in no hurry, and an eye that waits for what is to be seen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from pos_app.cashier.sale.picker import Picker
from pos_app.cashier.ui.buttons import RESTS_MS, BigButton


def waited(widget: QWidget) -> None:
    """What has just appeared, or moved, is given its time before it is tapped."""
    within: QWidget | None = widget
    while within is not None:
        if isinstance(within, BigButton | Picker):
            for rest in within.findChildren(QTimer):
                if rest.interval() == RESTS_MS:
                    rest.stop()
        within = within.parentWidget()


async def until(is_seen: Callable[[], object]) -> None:
    """Let Qt and what runs beside it work until something is seen; at most 60 s."""
    deadline = time.monotonic() + 60
    while not is_seen():
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.005)
