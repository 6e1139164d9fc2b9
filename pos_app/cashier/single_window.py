"""One window for a data folder: a second start brings the one that is open to the front.

The till that holds the folder's lock listens at a local socket whose name comes of the folder. A
start that finds the lock held calls there, and is told when the window has come to the front.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from pos_app import log

_log = log.get(__name__)

ANSWER_MS = 1000
"""How long the open till may take to come to the front."""
TRY_AGAIN_MS = 50
"""Between two calls at a till that opens just now and does not listen yet."""
CALL, CAME = b"come to the front\n", b"in front\n"


def name_of(folder: Path) -> str:
    """The name of a folder's socket, whichever way the folder is spelt."""
    spelt = os.path.normcase(folder.resolve())
    return f"pos-app-{hashlib.sha256(spelt.encode()).hexdigest()[:24]}"


class Doorbell(QObject):
    """Where second starts call. Only the holder of the folder's lock may make one.

    Whoever calls before `answer_with` waits until then.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._come: Callable[[], None] = lambda: None
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        QLocalServer.removeServer(name_of(folder))  # of a till that was killed
        if not self._server.listen(name_of(folder)):
            _log.warning("no second start can be heard: %s", self._server.errorString())

    def answer_with(self, come: Callable[[], None]) -> None:
        """What brings the window to the front."""
        self._come = come
        self._server.newConnection.connect(self._on_callers)
        self._on_callers()

    def close(self) -> None:
        """Listen no more."""
        self._server.close()
        self.deleteLater()

    def _on_callers(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.readyRead.connect(lambda one=caller: self._hear(one))
            self._hear(caller)

    def _hear(self, caller: QLocalSocket) -> None:
        if caller.canReadLine() and caller.readLine().data() == CALL:
            self._come()
            caller.write(CAME)
            caller.disconnectFromServer()


def call_to_front(folder: Path) -> bool:
    """Call the till that is open on a folder; whether its window came to the front in time."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    _let_come_to_front()
    call = _Call(name_of(folder), ended=application.quit)
    QTimer.singleShot(ANSWER_MS, call, application.quit)
    QApplication.exec()
    call.let_go()
    return call.came


class _Call(QObject):
    """One call, tried again until somebody answers. came: whether they did."""

    def __init__(self, name: str, *, ended: Callable[[], None]) -> None:
        super().__init__()
        self.came = False
        self._name = name
        self._ended = ended
        self._socket = QLocalSocket(self)
        self._socket.connected.connect(lambda: self._socket.write(CALL))
        self._socket.readyRead.connect(self._on_answer)
        self._socket.errorOccurred.connect(self._try_again)
        QTimer.singleShot(0, self, self._connect)

    def let_go(self) -> None:
        self._socket.blockSignals(True)
        self._socket.abort()
        self.deleteLater()

    def _connect(self) -> None:
        self._socket.connectToServer(self._name)

    def _try_again(self) -> None:
        if not self.came:
            QTimer.singleShot(TRY_AGAIN_MS, self, self._connect)

    def _on_answer(self) -> None:
        self.came = self._socket.readAll().data() == CAME
        self._ended()


def _let_come_to_front() -> None:
    """Windows lets a program take the front only when the one in front allows it."""
    if sys.platform == "win32":
        ctypes.windll.user32.AllowSetForegroundWindow(-1)  # any process
