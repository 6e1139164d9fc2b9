"""One window for a data folder: a second start brings the open one to the front.

The till that holds the folder's lock listens at a local socket whose name is derived from the
folder. A start that finds the lock held calls the socket, and gets an answer when the window has
come to the front. `pos-app stop` asks there that the window closes, and gets a `CloseAnswer`.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from pos_app import log
from pos_app.settings import folder_mark

_log = log.get(__name__)

ANSWER_MS = 1000
"""Milliseconds that the open till may take to come to the front."""
TRY_AGAIN_MS = 50
"""Milliseconds between two calls at a till that is opening and does not listen yet."""
CALL, CAME = b"come to the front\n", b"in front\n"
CLOSE, CLOSING, BUSY = b"close\n", b"closing\n", b"busy "
"""A till that is asked to close answers that it does, or names its work."""


class CloseAnswer(StrEnum):
    """The answer of a till that was asked to close; the last four name the work that prevents
    it."""

    CLOSING = "closing"
    SILENT = "silent"
    """No till listens, or none answered in time."""
    PAYMENT = "payment"
    RECEIPT = "receipt"
    CATALOGUE = "catalogue"
    FILES = "files"
    """A file of receipts or of a report, or a backup, is being written."""


def name_of(folder: Path) -> str:
    """The name of a folder's socket, however the folder is spelt."""
    return f"pos-app-{folder_mark(folder)}"


class Doorbell(QObject):
    """The socket that second starts call. Only the holder of the folder's lock may make one. An
    earlier call waits for `answer_with`."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._come: Callable[[], object] = lambda: None
        self._busy: Callable[[], CloseAnswer | None] = lambda: None
        self._close: Callable[[], object] = lambda: None
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        QLocalServer.removeServer(name_of(folder))  # a killed till left it
        if not self._server.listen(name_of(folder)):
            _log.warning("no second start can be heard: %s", self._server.errorString())

    def answer_with(
        self,
        come: Callable[[], object],
        *,
        busy: Callable[[], CloseAnswer | None] = lambda: None,
        close: Callable[[], object] = lambda: None,
    ) -> None:
        """come: brings the window to the front. busy: the work that prevents closing now, or None.
        close: closes the window."""
        self._come, self._busy, self._close = come, busy, close
        self._server.newConnection.connect(self._on_callers)
        self._on_callers()

    def close(self) -> None:
        self._server.close()
        self.deleteLater()

    def _on_callers(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.readyRead.connect(lambda asking=caller: self._answer_call(asking))
            self._answer_call(caller)

    def _answer_call(self, caller: QLocalSocket) -> None:
        if not caller.canReadLine():
            return
        asked = caller.readLine().data()
        if asked == CALL:
            self._come()
            caller.write(CAME)
        elif asked == CLOSE:
            busy = self._busy()
            caller.write(CLOSING if busy is None else BUSY + busy.value.encode() + b"\n")
            if busy is None:
                QTimer.singleShot(0, self, self._close)
        else:
            return
        caller.disconnectFromServer()


def call_to_front(folder: Path) -> bool:
    """Call the till that is open on a folder; returns whether its window came to the front in
    time."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    _let_come_to_front()
    return _answer(application, folder, CALL, within_ms=ANSWER_MS) == CAME


def ask_to_close(folder: Path, *, within_ms: int) -> CloseAnswer:
    """Ask the till that is open on a folder to close, which it does unless it is busy. Its cart
    comes back at the next start."""
    application = QCoreApplication.instance() or QCoreApplication(sys.argv[:1])
    data = _answer(application, folder, CLOSE, within_ms=within_ms)
    word = data.removeprefix(BUSY).strip().decode("ascii", "replace")
    return CloseAnswer(word) if word in list(CloseAnswer) else CloseAnswer.SILENT


def _answer(application: QCoreApplication, folder: Path, asked: bytes, *, within_ms: int) -> bytes:
    """The answer of a folder's till; empty where it does not answer in time."""
    call = _Call(name_of(folder), asked, ended=application.quit)
    QTimer.singleShot(within_ms, call, application.quit)
    QCoreApplication.exec()
    call.let_go()
    return call.answer


class _Call(QObject):
    """One call, tried again until somebody answers."""

    def __init__(self, name: str, asked: bytes, *, ended: Callable[[], None]) -> None:
        super().__init__()
        self.answer = b""
        self._name = name
        self._ended = ended
        self._socket = QLocalSocket(self)
        self._socket.connected.connect(lambda: self._socket.write(asked))
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
        if not self.answer:
            QTimer.singleShot(TRY_AGAIN_MS, self, self._connect)

    def _on_answer(self) -> None:
        self.answer = bytes(self._socket.readAll().data())
        self._ended()


def _let_come_to_front() -> None:
    """Allow the open till to come to the front; on Windows only the program in front can allow
    that."""
    if sys.platform == "win32":
        ctypes.windll.user32.AllowSetForegroundWindow(-1)  # any process
