"""The ways out of the till. A person who closes it while something stands is asked before; another
program that closes it is not, because nobody may be there to answer.

The till holds up the end of a desktop session once, with the same question. Where the session is
ended again while the question stands, the till closes. Source: till.md ("Closing the till").
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from pos_app import log
from pos_app.cashier.services.tasks import guarded, guarded_answer
from pos_app.cashier.window.frame import CLOSING, AskedToClose, Busy, Frame
from pos_app.cashier.window.what_stands import WhatStands, what_stands
from pos_app.selling.first_start import FirstStart, ShopChoice

_log = log.get(__name__)

_PRESSES = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.NonClientAreaMouseButtonPress,
        QEvent.Type.TabletPress,
        QEvent.Type.TouchBegin,
    }
)


class SessionEnd(Protocol):
    """The end of a desktop session, as Qt's QSessionManager tells it."""

    def allowsInteraction(self) -> bool: ...
    def cancel(self) -> None: ...
    def release(self) -> None: ...


class WaysOut(QObject):
    """window: closes the till by `close`, at once."""

    def __init__(self, frame: Frame, window: QWidget) -> None:
        super().__init__(window)
        self._frame, self._window = frame, window
        self._is_ended = False
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.commitDataRequest.connect(self.end_session)
        self._application = application

    # --- a person --------------------------------------------------------------------------------

    def ask(self) -> None:
        """Close the till; where something stands, ask before."""
        if self._stands().is_nothing or not self._asks(AskedToClose(self._window.close)):
            self._window.close()

    def ask_if_busy(self, then: Callable[[], object]) -> None:
        """Do what closes this till and opens it anew at once; ask before where that cuts work off.
        A step of the first start opens the till anew itself."""
        works = set(self._frame.busy_with) - {Busy.SETUP}
        if not works or not self._asks(AskedToClose(then)):
            then()

    def lets_close(self, event: QCloseEvent) -> bool:
        """Take a request of the desktop to close the window; return whether the window closes."""
        stands = self._stands()
        may_close = self._is_ended or stands.is_nothing
        closes = may_close or not self._asks(AskedToClose(self._window.close))
        event.setAccepted(closes)
        if closes and not stands.is_nothing:
            _log.info("the till closes while something stands: %s", stands)
        return closes

    def _asks(self, asked: AskedToClose) -> bool:
        """Ask, and return whether the question stands; a till that can't ask must not stay open for
        ever."""
        self._frame.cover(CLOSING, asked)
        return self._frame.cover_name == CLOSING

    def _stands(self) -> WhatStands:
        return guarded_answer(lambda: what_stands(self._frame)) or WhatStands()

    # --- programs --------------------------------------------------------------------------------

    def end(self, close: Callable[[], bool]) -> bool:
        """Close the window without a question."""
        self._is_ended = True
        try:
            return close()
        finally:
            self._is_ended = False

    def leave_demo(self) -> None:
        """Leave the demo for the first start of the shop that the folder belongs to."""
        control = self._frame.services.first_start
        if control is not None and self._frame.services.is_chosen_demo:
            control.reopen(FirstStart(choice=ShopChoice.SHOP))

    # --- the desktop session ---------------------------------------------------------------------

    def end_session(self, session: SessionEnd) -> None:
        """Save what is typed; hold the session's end up where a person was not told yet what
        stands."""
        self._tell_system("")
        if self._frame.cover_name == CLOSING:
            self._window.close()
            return
        guarded(self._frame.home_screen.keep_typed)
        if self._stands().is_nothing:
            return
        if not session.allowsInteraction():
            self._expect_the_end()
            return
        if self._asks(AskedToClose(self._window.close, by_session=True)):
            session.cancel()
            self._tell_system(self._frame.ui.texts("closing.session"))
        session.release()

    def _expect_the_end(self) -> None:
        """The session closes the window next. Nobody tells the till where its end was cancelled
        after all: the next press shows that a person is there."""
        self._is_ended = True
        self._application.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _PRESSES:
            self._is_ended = False
            self._application.removeEventFilter(self)
        return False

    def _tell_system(self, words: str) -> None:
        """Say on Windows' own screen why the till holds the session's end up; "" says that it no
        longer does."""
        if sys.platform == "win32":
            window = int(self._window.winId())
            if words:
                ctypes.windll.user32.ShutdownBlockReasonCreate(window, words)
            else:
                ctypes.windll.user32.ShutdownBlockReasonDestroy(window)
