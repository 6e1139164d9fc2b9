"""Typing by touch: when the on-screen keyboard opens, where its keys go, and when it closes.

Its keys are sent straight to the field with the caret, as events of keys. So validators, undo and
the search at each letter work as with a real keyboard; and the scanner's filter, which stands
where keys enter the application, never takes them for a scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.edit import typing_of
from pos_app.cashier.ui.keyboard import Keyboard, KeyNames
from pos_app.cashier.ui.keyboard_layout import Script, Shift, Special, Typed
from pos_app.cashier.ui.keyboard_space import KeyboardSpace
from pos_app.cashier.ui.theme import Theme

Opens = Literal["auto", "always", "never"]
"""auto: a field was tapped by a finger, or its key of the keyboard was pressed. always: a field
was tapped by whatever a touch screen passes for, or has the caret."""


class TouchTyping(QObject):
    """The keyboard of one window, made when it is first opened. rooms: where it may unfold.

    Signal: `opening()`, it unfolds next and needs the room.
    """

    opening = Signal()

    def __init__(
        self,
        window: QWidget,
        rooms: Sequence[KeyboardSpace],
        texts: Texts,
        theme: Theme,
        opens: Opens,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._rooms = rooms
        self._texts = texts
        self._theme = theme
        self._opens = opens
        self._script = Script.CYRILLIC if texts.language == "sr-Cyrl" else Script.LATIN
        self._keyboard: Keyboard | None = None
        self._room: KeyboardSpace | None = None
        self._edit: QWidget | None = None
        """The field with the caret, where letters are typed."""
        self._for: QWidget | None = None
        """The field that the keyboard is open for."""
        self._leaving = False
        if opens == "never":
            return
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._on_focus)

    @property
    def keyboard(self) -> Keyboard | None:
        """The keyboard while it is open."""
        return self._keyboard if self._room is not None else None

    def open(self) -> None:
        """Unfold it for the field with the caret; nothing happens where no letters are typed."""
        edit = self._edit
        typing = typing_of(edit)
        room = next((one for one in self._rooms if edit and one.isAncestorOf(edit)), None)
        if edit is None or typing is None or room is None:
            return
        keyboard = self._made(room)
        if self._room is not room:
            self.close()
            self.opening.emit()
            self._room = room
        words = typing.takes is Typed.WORDS
        keyboard.show_for(self._script if words else Script.LATIN, typing.takes)
        self._for = edit
        edit.installEventFilter(self)
        room.unfold(keyboard, edit)

    def close(self) -> None:
        """Fold it; what was typed stays."""
        if self._edit is not None and isValid(self._edit):
            self._edit.removeEventFilter(self)
        self._for = None
        if self._room is not None:
            room, self._room = self._room, None
            room.fold()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc folds the keyboard before it does anything else; only while it is open."""
        if self._leaving and event.type() is QEvent.Type.MouseButtonRelease:
            QTimer.singleShot(0, self, self._left)  # after whatever was pressed has acted
            return False
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return False
        if self._room is None or watched is not self._edit:
            return False
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress:
            self.close()
            return True
        return False

    # --- the focus -------------------------------------------------------------------------------

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self) or now is self._edit:
            return  # the window is gone, or the caret has come back
        if now is None and QGuiApplication.focusWindow() is None:
            return  # another program is in front for a while
        self._let_go()
        typing = typing_of(now)
        if now is None or typing is None or not self._window.isAncestorOf(now):
            self._leave()
            return
        self._edit = now
        typing.tapped.connect(self._on_tapped)
        typing.wanted.connect(self._on_wanted)
        if self._room is None and self._opens != "always":
            return
        if typing.opens_itself or now is self._for:
            self.open()
        else:
            self._leave()

    def _let_go(self) -> None:
        edit, self._edit = self._edit, None
        if edit is None or not isValid(edit):
            return
        edit.removeEventFilter(self)
        typing = typing_of(edit)
        if typing is not None:
            typing.tapped.disconnect(self._on_tapped)
            typing.wanted.disconnect(self._on_wanted)

    def _leave(self) -> None:
        """The caret has left. While a finger is down nothing moves under it."""
        handle = self._window.window().windowHandle()
        if self._room is None or self._leaving:
            return
        self._leaving = True
        if QGuiApplication.mouseButtons() is Qt.MouseButton.NoButton or handle is None:
            QTimer.singleShot(0, self, self._left)
        else:
            handle.installEventFilter(self)

    def _left(self) -> None:
        self._leaving = False
        handle = self._window.window().windowHandle()
        if handle is not None:
            handle.removeEventFilter(self)
        if self._edit is not self._for:
            self.close()

    def _on_tapped(self, by_finger: bool) -> None:
        if self._room is None and (by_finger or self._opens == "always"):
            self.open()

    def _on_wanted(self) -> None:
        if self._room is None:
            self.open()
        else:
            self.close()

    # --- the keys --------------------------------------------------------------------------------

    def _made(self, room: KeyboardSpace) -> Keyboard:
        if self._keyboard is None:
            self._keyboard = keyboard = Keyboard(
                self._theme, self._names(), name=self._texts("typing.name"), parent=room
            )
            keyboard.typed.connect(self._type)
            keyboard.rubbed_out.connect(lambda: self._send(Qt.Key.Key_Backspace, "\b"))
            keyboard.entered.connect(lambda: self._send(Qt.Key.Key_Return, "\r"))
            keyboard.hidden.connect(self.close)
        return self._keyboard

    def _type(self, sign: str) -> None:
        self._send(ord(sign.upper()), sign)
        if self._keyboard is not None and self._keyboard.letters.takes is Typed.WORDS:
            self._script = self._keyboard.letters.script

    def _send(self, key: int, text: str) -> None:
        target = QApplication.focusWidget()
        if target is None or target is not self._edit:
            return
        capital = len(text) == 1 and text.isupper()
        held = Qt.KeyboardModifier.ShiftModifier if capital else Qt.KeyboardModifier.NoModifier
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            if isValid(target):
                QCoreApplication.sendEvent(target, QKeyEvent(kind, key, held, text))

    def _names(self) -> KeyNames:
        texts = self._texts
        own = (Special.BACK, Special.SIGNS, Special.SPACE, Special.ENTER, Special.HIDE)
        return KeyNames(
            special={key: texts(f"typing.{key}") for key in own},
            script={script: texts(f"typing.script.{script}") for script in Script},
            shift={shift: texts(f"typing.shift.{shift.name.lower()}") for shift in Shift},
            letters=texts("typing.letters"),
        )


def keyboard_name(texts: Texts, opens: Opens) -> str:
    """The name of the key in fields; "" where the keyboard never opens."""
    return "" if opens == "never" else texts("typing.key")
