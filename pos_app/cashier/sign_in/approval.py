"""An act that somebody may not do is lifted in place, by the PIN or badge of a person who may, over
the screen on which it was asked for. Source: till.md ("People and rights")."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from pos_app.cashier.commands import ENTER, TillCommand
from pos_app.cashier.gate.manager_lock import ManagerLock
from pos_app.cashier.texts.lookup import Say
from pos_app.cashier.window.frame import APPROVAL, AskedAct, Frame, Room, ScanAnswer
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.selling.catalogue.codes import ReadCode
from pos_app.selling.people.rights import Act


class ApprovalRoom(Room):
    """One act that waits to be lifted. Signals: `changed()`."""

    changed = Signal()
    _lifted = Signal()

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.asked: AskedAct | None = None
        self.lock = ManagerLock(frame.services, act=Act.DISCOUNT, on_lifted=self._lifted.emit)
        # The queued signal lets the coroutine end first: a coroutine never enters a view.
        self._lifted.connect(self._do, Qt.ConnectionType.QueuedConnection)

    def ask(self, asked: AskedAct) -> None:
        self.asked = asked
        self.lock.lock()
        self.lock.act, self.lock.percent = asked.act, asked.percent
        self.changed.emit()

    def leave(self) -> None:
        """Drop the act and whatever was lifted."""
        self.asked = None
        self.lock.lock()

    def forget_widgets(self) -> None:
        self.disconnect_widgets(self.changed)

    def _do(self) -> None:
        """Do the lifted act, and log it as lifted."""
        asked, by = self.asked, self.lock.lifted_by
        if asked is None or not by:  # another act is asked for by now, which nobody lifted yet
            return
        self.frame.uncover(APPROVAL)
        with self.frame.services.here.lifting(by, asked.act):
            asked.then()


class ApprovalScreen(HeadedScreen):
    """Asks who lifts the act. Places: `AskedAct`."""

    title = "approve.title"
    help_keys = (
        ("↑ ↓", "sign.keys.name"),
        ("0–9", "sign.keys.pin"),
        (ENTER, "approve.keys.enter"),
        (TillCommand.BACK, "approve.keys.back"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, ApprovalRoom)
        self.room = room
        self.gate: PinGate | None = None
        room.changed.connect(self.show_place)
        frame.covered.connect(self.show_way_back)
        self.show_place()

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, AskedAct):
            self.room.ask(screen_place)

    def show_place(self) -> None:
        if self.gate is not None:
            self.column.removeWidget(self.gate)
            self.gate.deleteLater()
            self.gate = None
        texts = self.frame.ui.texts
        asked = self.room.asked
        if asked is not None:
            words, lock = texts("approve.words"), self.room.lock
            self.gate = PinGate(
                lock, self.frame, asked=words, first=words, about=asked.about, is_titled=True
            )
            self.column.addWidget(self.gate, 1)
            self.gate.setVisible(not self.shows_keys)
        self.column.addWidget(self.keys)
        self.keys.setVisible(self.shows_keys)

    def way_out(self) -> str:
        return self.frame.below.standing()

    def focus_place(self) -> None:
        if self.gate is not None:
            self.gate.focus_first()

    def press(self, command: TillCommand) -> None:
        if command in (TillCommand.BACK, TillCommand.KEYS):
            super().press(command)
        else:
            self.frame.home.tone("no")

    def back(self) -> None:
        if self.shows_keys:
            self.toggle_keys()
        else:
            self.frame.uncover(APPROVAL)

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Lift the act by the badge of somebody who may; any other code may be of goods."""
        is_badge = self.gate is not None and self.gate.takes_badge(text)
        return ScanAnswer.TAKEN if is_badge else ScanAnswer.MISSED

    def misread(self) -> ScanAnswer:
        return ScanAnswer.MISSED

    def tell_scan(self, scanned: Say) -> None:
        if self.gate is not None:
            texts = self.frame.ui.texts
            self.gate.tell(texts("approve.not_added", name=scanned(texts)))

    def tell_in_place(self, words: str) -> bool:
        if self.gate is not None:
            self.gate.tell(words)
        return self.gate is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.gate is None or not self.gate.type_key(event):
            super().keyPressEvent(event)


ROOM, SCREEN = ApprovalRoom, ApprovalScreen
