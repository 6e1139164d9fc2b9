"""Waits of a hand that is in no hurry, and of an eye that waits to see something."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from pos_app.cashier.sale.picker import Picker
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.buttons import SeenButton
from pos_app.cashier.ui.press_part import REST_MS


def waited(widget: QWidget) -> None:
    """End the rest of a widget that has just appeared or moved, so that it accepts a tap."""
    within: QWidget | None = widget
    while within is not None:
        if isinstance(within, BigButton | SeenButton | Picker):
            for rest in within.findChildren(QTimer):
                if rest.interval() == REST_MS:
                    rest.stop()
        within = within.parentWidget()


async def until(is_seen: Callable[[], object]) -> None:
    """Let Qt and other tasks work until something is seen; at most 60 s."""
    deadline = time.monotonic() + 60
    while not is_seen():
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.005)
