"""A hand that is in no hurry."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from pos_app.cashier.look.buttons import BigButton


def waited(widget: QWidget) -> None:
    """A big button that has just appeared is given its time before it is tapped."""
    if isinstance(widget, BigButton):
        widget._resting.stop()
