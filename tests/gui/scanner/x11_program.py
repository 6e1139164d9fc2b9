"""A till's window as a program of its own, for tests on a real X server.

It writes JSON objects to standard output, one per row: {"ready"}, {"scan": code}, {"fired":
shortcut}, {"pressed": true}, {"text": the field's text} after each change. F9 stalls its loop.
"""

from __future__ import annotations

import json
import sys
import time

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShortcut
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPushButton, QVBoxLayout, QWidget

from pos_app.cashier.scanner.filter import ScanFilter
from pos_app.settings import ScannerSettings

STALL_S = 0.4


def tell(**what: object) -> None:
    """Write one message for the test."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def main(*, menu_is_open: bool) -> int:
    """Run until the test closes standard input or kills the program."""
    application = QApplication([])
    application.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    window = QWidget()
    line, button = QLineEdit(), QPushButton("Плати")
    form = QVBoxLayout(window)
    form.addWidget(line)
    form.addWidget(button)
    line.textChanged.connect(lambda text: tell(text=text))
    button.pressed.connect(lambda: tell(pressed=True))
    for name in ("Return", "F12", "8", "Esc"):
        QShortcut(name, window, lambda name=name: tell(fired=name))
    QShortcut("F9", window, lambda: (tell(stalled=True), time.sleep(STALL_S)))
    scanner = ScanFilter(
        lambda code, _: tell(scan=code),
        ScannerSettings(),
        on_misread=lambda code, *_: tell(misread=code),
    )
    scanner.install()
    menu = QMenu(window)
    menu.addAction("8 x", lambda: tell(chosen=True))
    window.show()
    window.activateWindow()
    line.setFocus()

    def ready() -> None:
        if QGuiApplication.focusWindow() is None or QApplication.focusWidget() is not line:
            QTimer.singleShot(10, ready)
            return
        if menu_is_open:
            menu.popup(window.pos())
        tell(ready=QCoreApplication.applicationPid())

    ready()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main(menu_is_open="--menu" in sys.argv))
