"""The application of Qt, and its messages in our log."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from typing import NoReturn

from pos_app.cashier.start import plain_import  # noqa: F401 - before the rest is imported

# isort: split
from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from pos_app import log
from pos_app.errors import MachineError

_log = log.get(__name__)


def begin_windows(*, or_end: Callable[[MachineError], NoReturn]) -> None:
    """Make the application. or_end: ends the program where Qt reaches no screen; it can't raise,
    because Qt aborts the program when its message was handled."""

    def end_or_log(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        log_message(kind, context, message)
        if kind == QtMsgType.QtFatalMsg:
            or_end(MachineError("no_display"))

    if QApplication.instance() is None:
        qInstallMessageHandler(end_or_log)
        QApplication(sys.argv[:1])
    qInstallMessageHandler(log_message)


def log_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    """Write Qt's messages to our log; messages about what a platform can't do are left out."""
    if message.startswith("This plugin does not support"):
        return
    severe = kind in (QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)
    _log.log(logging.ERROR if severe else logging.WARNING, "Qt: %s", message)
