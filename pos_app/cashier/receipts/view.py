"""The screen of receipts: the list, and beside it the receipt that is open.

Sources: till.md ("Receipts"), look.md, mock-12.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget

from pos_app.cashier.commands import ENTER, TillCommand, method_cap
from pos_app.cashier.frame import Change, Changed, Frame, Room
from pos_app.cashier.headed_screen import HeadedScreen
from pos_app.cashier.receipts.acts import LETTERS
from pos_app.cashier.receipts.acts import REFUND as REFUND_KEY
from pos_app.cashier.receipts.list_side import ListSide
from pos_app.cashier.receipts.model import Doing
from pos_app.cashier.receipts.opened import OpenedReceipt
from pos_app.cashier.receipts.room import ReceiptsRoom
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.screens import CORRECTION as CORRECTION_SCREEN
from pos_app.cashier.screens import (
    RECEIPTS,
    CorrectionPlace,
    ReceiptPlace,
    RefundPlace,
)
from pos_app.cashier.screens import REFUND as REFUND_SCREEN
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.errors import Invalid

_WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut
LIST_PERMILLE = 586
"""The list's share of the width (mock-12: 800 of 1366)."""
REST_MS = 120
"""A row has to stay current for so long before its receipt is read: the arrows run through."""


class ReceiptsScreen(HeadedScreen):
    """What was issued on this server, by whomever."""

    title, back_words = "receipts.title", "receipts.back"
    told = (
        ("↑ ↓", "receipts.keys.rows"),
        ("0–9", "receipts.keys.digits"),
        (ENTER, "receipts.keys.enter"),
        *((letter, f"receipts.act.{name}") for letter, (name, _) in LETTERS.items()),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.SEARCH, "receipts.keys.search"),
        (TillCommand.DRAWER, "keys.f10"),
        (TillCommand.BACK, "keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, ReceiptsRoom)
        self.room, self.model = room, room.model
        self._services, self._texts = frame.services, frame.ui.texts
        theme = frame.ui.theme
        self.side = ListSide(theme, self._texts)
        self.opened = OpenedReceipt(theme, self._texts)
        self._sides = QWidget()
        row = QHBoxLayout(self._sides)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.side)
        row.addWidget(self.opened, 1)
        self.column.addWidget(self._sides, 1)
        self.column.addWidget(self.keys, 1)
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(REST_MS)
        self._resting.timeout.connect(self._open_chosen)
        self._chosen = ""
        self._connect()
        self.show_place()
        self._show_list()
        self._show_receipt()
        if not self.model.rows:
            room.ask_list()

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, place: object) -> None:
        if isinstance(place, ReceiptPlace):
            self.opened.tell("")
            self.room.open(place.reference, by_scan=place.by_scan, foreign=place.foreign)
            self.side.view.setFocus()

    def changed(self, change: Change) -> None:
        if change.what is Changed.SERVER and self.model.list_fault is not None:
            self.room.ask_list()

    def press(self, command: TillCommand) -> None:
        match command:
            case TillCommand.SEARCH:
                self.side.filters.search.setFocus()
                self.side.filters.search.edit.selectAll()
            case TillCommand.LINE_UP | TillCommand.LINE_DOWN:
                self._turn_page(command)
            case _:
                super().press(command)

    def tell(self, words: str) -> None:
        self.opened.tell(words)

    def show_place(self) -> None:
        self._sides.setVisible(not self.shows_keys)
        self.keys.setVisible(self.shows_keys)

    def step_back(self) -> bool:
        """An act that was begun is left; then what was typed for the search."""
        if self.model.doing is not None:
            self.room.begin(None)
            self.focus_place()
        elif self.model.filters.typed:
            self.room.change(typed="")
            self.focus_place()
        else:
            return False
        return True

    def focus_place(self) -> None:
        if self.model.doing is Doing.SEND:
            self.opened.doing.address.setFocus()
        else:
            self.side.view.setFocus()

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.shows_keys or not self._take(event):
            super().keyPressEvent(event)

    def _take(self, event: QKeyEvent) -> bool:
        """Enter is the large key, a letter its act, a digit begins a number."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._press_main()
            return True
        if isinstance(QApplication.focusWidget(), QLineEdit):
            return False
        typed, letter = typed_text(event), letter_of(event)
        if typed.isdigit():
            search = self.side.filters.search
            search.setFocus()
            search.edit.insert(typed)
            return True
        if letter in LETTERS:
            if not event.isAutoRepeat():
                self._act(letter)
            return True
        return False

    def _act(self, letter: str) -> None:
        """As its key on the screen, where that is allowed."""
        if letter == REFUND_KEY and self.model.foreign is not None:
            self._refund_by_hand()
            return
        key = self.opened.acts.keys[letter]
        shown = self.model.opened
        if shown is None or not key.isEnabled():
            self.frame.home_room.tone("no")
            return
        self.opened.tell("")
        number = shown.overview.number
        match letter:
            case "R":
                self.frame.open(REFUND_SCREEN, RefundPlace(number, back_to=RECEIPTS))
            case "I":
                self.frame.open(CORRECTION_SCREEN, CorrectionPlace(number))
            case "E":
                self._begin(Doing.SEND)
            case "D":
                self.room.pdf()
            case "V":
                self._begin(Doing.VERIFY)

    def _refund_by_hand(self) -> None:
        """What the journal does not have: by what its code says."""
        foreign = self.model.foreign
        if foreign is None or not foreign.may_be_refunded:
            self.frame.home_room.tone("no")
        else:
            place = RefundPlace(foreign.number, back_to=RECEIPTS, foreign=foreign)
            self.frame.open(REFUND_SCREEN, place)

    def _begin(self, doing: Doing) -> None:
        self.room.begin(doing)
        self.focus_place()

    def _press_main(self) -> None:
        """What the large key says."""
        if not self.opened.acts.main.isEnabled() or self.model.opened is None:
            return
        self.opened.tell("")
        match self.model.doing:
            case Doing.COPY:
                self.room.copy()
            case Doing.SEND:
                self._send()
            case Doing.VERIFY:
                self.room.verify()
            case None if self.model.paper_to_print is not None:
                self.room.print()
            case None:
                self._begin(Doing.COPY)

    def _send(self) -> None:
        address = self.opened.doing.address
        try:
            self.room.send_copy(address.text())
        except Invalid:
            address.set_error(self._texts("receipts.send.wrong"))
        else:
            address.set_error("")

    def _turn_page(self, command: TillCommand) -> None:
        view = self.side.view
        by = max(1, view.viewport().height() // self.theme.metrics.touch - 1)
        now = view.currentIndex().row()
        wanted = now - by if command is TillCommand.LINE_UP else now + by
        last = self.side.rows.rowCount() - 1
        view.setCurrentIndex(self.side.rows.index(min(max(wanted, 0), last)))
        view.moved.emit()

    # --- what is shown ---------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.side.setFixedWidth(event.size().width() * LIST_PERMILLE // 1000)
        super().resizeEvent(event)

    def _choose(self, receipt_id: str) -> None:
        self._chosen = receipt_id
        self._resting.start()

    def _open_chosen(self) -> None:
        shown = self.model.opened
        if self._chosen and (shown is None or shown.overview.receipt_id != self._chosen):
            self.opened.tell("")
            self.room.open(self._chosen)

    def _show_list(self) -> None:
        now = self._services.till.clock.now()
        self.side.show_model(self.model, now=now)
        self.side.mark(self.model)
        nothing_open = self.model.opened is None and not self.model.wanted
        if nothing_open and self.model.receipt_fault is None and self.model.shown:
            self.room.open(self.model.shown[0].request_id)

    def _show_receipt(self) -> None:
        draft = self._services.usual_delivery
        ways = ", ".join(self._texts(f"pay.way.{way}") for way in sorted(draft.chosen))
        self.opened.show_model(self.model, ways=ways)
        self.side.mark(self.model)

    def _connect(self) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self.room.listed.connect(self._show_list, queued)
        self.room.shown.connect(self._show_receipt, queued)
        self.room.said.connect(lambda words, bad: self.opened.tell(words, is_trouble=bad), queued)
        self.side.chosen.connect(self._choose)
        self.side.more_wanted.connect(self.room.go_on)
        self.side.filters.changed.connect(lambda changed: self.room.change(**changed))
        self.side.filters.search.entered.connect(self._open_first)
        acts = self.opened.acts
        acts.pressed.connect(self._act)
        acts.main_pressed.connect(self._press_main)
        acts.again_pressed.connect(self.room.again)
        self.opened.head.chain.chosen.connect(self.room.open)
        self.opened.address_entered.connect(self._press_main)
        self.opened.by_hand_pressed.connect(self._refund_by_hand)
        for number, letter in enumerate(LETTERS, start=1):
            shortcut = QShortcut(QKeySequence(method_cap(number)), self, context=_WITHIN)
            shortcut.activated.connect(partial(self._act, letter))

    def _open_first(self) -> None:
        """Enter in the search opens what was found first."""
        self.side.view.setFocus()
        if self.model.shown:
            self.room.open(self.model.shown[0].request_id)


ROOM, SCREEN = ReceiptsRoom, ReceiptsScreen
