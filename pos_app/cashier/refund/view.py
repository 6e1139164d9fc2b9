"""The screen of a refund: its lines at the left, the money and the buyer's document at the right.

Enter leads from the lines to the document, and then issues the refund. Afterwards the screen
says how much to give, the big button leads to the next sale, and Esc leads back.

Source: till.md ("Receipts"), mock-13.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from pos_app.cashier.acts.act_in_front import Stage
from pos_app.cashier.commands import ENTER, TillCommand, method_cap
from pos_app.cashier.refund.hand import HandPage
from pos_app.cashier.refund.left import LeftSide
from pos_app.cashier.refund.model import Missing, RefundStep
from pos_app.cashier.refund.right import RightSide
from pos_app.cashier.refund.room import RefundRoom
from pos_app.cashier.refund.side import EXCHANGE_CAP
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.ui.typed_keys import HELD, typed_text
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import Change, Frame, Room, ScanAnswer, ShopChange
from pos_app.cashier.window.headed_screen import GatedScreen
from pos_app.cashier.window.pin_gate import PinGate
from pos_app.cashier.words.receipt_words import short_number
from pos_app.domain.article.barcodes import ReceiptCode, ShortReceiptCode
from pos_app.errors import PosError
from pos_app.selling.catalogue.codes import ReadCode

WHOLE_KEY, EXCHANGE_KEY = "A", "X"
"""These keys act by their positions, so that they also work with a Cyrillic layout (А and Џ)."""
LOOK_MS = 200
"""Milliseconds between two updates of the progress."""
SIDE_PERMILLE = 309
"""The right side's share of the width in thousandths (mock-13)."""
_WAYS = range(Qt.Key.Key_1, Qt.Key.Key_9 + 1)


class RefundScreen(GatedScreen):
    title = "refund.title"
    help_keys = (
        ("↑ ↓", "refund.keys.rows"),
        ("refund.keys.space", "refund.keys.tick"),
        ("pay.keys.digits", "refund.keys.quantity"),
        (WHOLE_KEY, "refund.whole"),
        (f"{method_cap(1)}…7", "refund.keys.way"),
        (TillCommand.BUYER, "refund.keys.own_error"),
        (TillCommand.PAY, "refund.keys.document"),
        (ENTER, "refund.keys.enter"),
        (EXCHANGE_CAP, "refund.keys.exchange"),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.DRAWER, "keys.f10"),
        (TillCommand.BACK, "keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, RefundRoom)
        self.room, self.model = room, room.model
        theme, texts = frame.ui.theme, frame.ui.texts
        self.left_side = LeftSide(theme, texts, self.model)
        self.hand_page = HandPage(theme, texts, self.model)
        self.right_side = RightSide(theme, texts, self.model)
        self.keys.hide()
        self._body = QWidget()
        row = QHBoxLayout(self._body)
        edge = theme.metrics.s3
        row.setContentsMargins(edge, edge, 0, edge)
        row.setSpacing(edge)
        row.addWidget(self.left_side, 1)
        row.addWidget(self.hand_page, 1)
        row.addWidget(self.right_side)
        self.column.addWidget(self._body, 1)
        self.column.addWidget(self.keys, 1)
        self._looking = QTimer(self)
        self._looking.setInterval(LOOK_MS)
        self._looking.timeout.connect(self._show_progress)
        self.left_side.lines.show_anew()
        self._show_model()
        self._connect()
        if not self.shows_keys:
            self.focus_place()

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, screens.RefundPlace):
            self.room.open(screen_place)
            self.focus_place()

    def changed(self, change: Change) -> None:
        if change.what is ShopChange.SERVER:
            self._show_model()

    def show_place(self) -> None:
        self.show_body(self._body, self._make_gate if self.model.is_locked else None)

    def _make_gate(self) -> PinGate:
        texts, by_hand = self.frame.ui.texts, self.model.hand_draft is not None
        return PinGate(
            self.model.lock,
            self.frame,
            asked=texts("refund.hand.pin" if by_hand else "refund.pin"),
            first=texts("refund.hand.first_pin" if by_hand else "refund.first_pin"),
            about=self.model.about,
        )

    def step_title(self) -> str:
        return self.frame.ui.texts("refund.reason.title") if self.model.asks_reason else ""

    def way_out(self) -> str:
        return self.name_of(self.model.back_to)

    def focus_place(self) -> None:
        if self.gate is not None:
            self.gate.focus_first()
        elif self.model.asks_reason:
            self.right_side.reason.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.model.can_type and self.model.hand_draft is not None:
            self.hand_page.focus_first()
        elif self.model.can_type:
            self.left_side.lines.setFocus(Qt.FocusReason.OtherFocusReason)
        else:  # while the main button waits, Enter presses nothing else
            main = self.right_side.main
            has_main = main.isEnabled() and not main.isHidden()
            target = main if has_main else self.right_side
            target.setFocus(Qt.FocusReason.OtherFocusReason)

    def step_back(self) -> bool:
        """Go from a quantity to its line, or from the reason, or from an exchange that lacks
        something, to the document of a refund. Otherwise leave the refund for the screen from which
        it was opened."""
        if self.left_side.lines.close_field():
            return True
        if self.model.asks_reason or self.model.asks_exchange:
            self.model.missing, self.model.exchanges = None, False
            self._show()
            self.right_side.document.focus_number()
        else:
            self._leave()
        return True

    def press(self, command: TillCommand) -> None:
        match command:
            case TillCommand.PAY if self.model.doubt is not None:
                self._agree()
            case TillCommand.PAY if self.model.can_type and not self.model.asks_reason:
                self.right_side.document.focus_number()
            case TillCommand.BUYER:
                self._take_own_error()
            case TillCommand.LINE_UP | TillCommand.LINE_DOWN:
                self.left_side.lines.step(-1 if command is TillCommand.LINE_UP else 1)
            case _:
                super().press(command)

    def tell_in_place(self, words: str) -> bool:
        """Show the words beside the buttons of the lines; a refund by hand has none."""
        self.left_side.tell(words)
        return bool(self.model.lines) and self.model.can_type

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Tick the line of a scanned article. While the refund is being issued a scan does nothing
        but sound the error tone; after that a scan belongs to the next sale."""
        if self.model.act.stage is Stage.UNDER_WAY:
            self.frame.home.tone("no")
            self.model.scanned_meanwhile = True
            self._show()
            return ScanAnswer.TAKEN
        answer = super().scan(code, text)
        is_for_others = isinstance(code.meaning, ReceiptCode | ShortReceiptCode)
        if answer is ScanAnswer.TAKEN or self.model.is_over or is_for_others:
            return answer
        if self.shows_keys:
            self.toggle_keys()
        self.room.scan(code)
        return ScanAnswer.TAKEN

    def misread(self) -> ScanAnswer:
        self.frame.home.tone("no")
        self.tell(lambda texts: texts("refund.scan.misread"))
        return ScanAnswer.TAKEN

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.shows_keys or self.gate is not None or not self._take_key(event):
            super().keyPressEvent(event)

    def _take_key(self, event: QKeyEvent) -> bool:
        held = event.modifiers() & HELD
        if held == Qt.KeyboardModifier.AltModifier and event.key() in _WAYS:
            self._choose_way(event.key() - Qt.Key.Key_1)
            return True
        if held == Qt.KeyboardModifier.AltModifier and event.key() == Qt.Key.Key_0:
            self._exchange()
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._press_enter()
            return True
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.left_side.lines.is_typing:
            self.left_side.lines.step(-1 if event.key() == Qt.Key.Key_Up else 1)
            return True
        return not isinstance(self.focusWidget(), QLineEdit) and self._take_sign(event)

    def _take_sign(self, event: QKeyEvent) -> bool:
        """Take a letter or digit typed outside of fields; return whether it has a meaning."""
        sign = typed_text(event)
        letter = letter_of(event)
        if self.model.asks_reason:
            return self.right_side.reason.take(event)
        if letter == WHOLE_KEY:
            self._tick_all(True)
        elif letter == EXCHANGE_KEY:
            self._exchange()
        elif sign and (sign.isdigit() or sign in ",.") and self._has_lines:
            self.left_side.lines.open_field(sign=sign)
        else:
            return False
        return True

    @property
    def _has_lines(self) -> bool:
        return self.model.can_type and self.model.draft is not None

    # --- acts ------------------------------------------------------------------------------------

    def _press_enter(self) -> None:
        """Do the next act; to a doubt F12 or a press on the button agrees, as `ConfirmAmount` has
        it."""
        if self.model.doubt is None:
            self._enter()
        else:
            self.frame.home.tone("no")

    def _press_main(self) -> None:
        if self.model.doubt is None:
            self._enter()
        else:
            self._agree()

    def _agree(self) -> None:
        """Take what is doubted as right, and go on to what it had stopped."""
        self.model.agree()
        self._finish()

    def _enter(self) -> None:
        """Do the next act. A new button ignores the second tap of the same finger, and an Enter
        that was struck before its figure was seen."""
        if self.model.act.sale is None or not self.right_side.main.rests:
            self._do(self.model.next_enter(at_document=self.right_side.document.is_typing))

    def _do(self, step: RefundStep) -> None:
        match step:
            case RefundStep.DOCUMENT if (lacks := self.model.lacks_of_lines) is not None:
                self.left_side.lines.close_field()
                self.model.ask_for_lines(lacks)
                self._show_missing(lacks)
            case RefundStep.DOCUMENT:
                self.left_side.lines.close_field()
                self.right_side.document.focus_number()
                self._show()
            case RefundStep.ISSUE:
                self._finish()
            case RefundStep.GOODS:
                self.room.sell_goods()
            case RefundStep.BACK:
                self._leave()
            case RefundStep.NEXT:
                self.leave()
            case RefundStep.ATTENTION:
                assert self.model.act.sale is not None
                self.frame.open(screens.ATTENTION, screens.CasePlace(self.model.act.sale.key))
            case RefundStep.AGAIN:
                self.room.ask()
                self._show()
            case RefundStep.BY_HAND:
                self.room.begin_by_hand(None)

    def _exchange(self) -> None:
        """Go on to the sale of other goods, if the returned ones may be exchanged. This is refused
        while the receipt is being read, because less of it may be refundable by now."""
        is_read = self.model.can_type and not self.model.is_asking
        if not is_read or self.model.exchange_fault is not None:
            self.frame.home.tone("no")
        else:
            self.model.exchanges = True
            self._finish()

    def _finish(self) -> None:
        """Issue the refund, or go on to the sale of other goods; where something is missing, show
        it."""
        self.left_side.lines.close_field()
        if self.model.asks_reason and not self.model.reason:
            if not self.right_side.reason.take_own():  # if it takes one, what was chosen goes on
                self.frame.home.tone("no")
                self._show()
            return
        missing = self.model.find_missing()
        if missing is not None:
            self._show_missing(missing)
        elif self.model.exchanges:
            self.room.exchange()
        else:
            self.room.confirm()
            self.focus_place()

    def _show_missing(self, missing: Missing) -> None:
        """Lead to the part of the screen where the missing thing is entered."""
        if missing is not Missing.REASON:
            self.frame.home.tone("no")
        self.right_side.main.debounce()
        self._show()
        match missing:
            case Missing.REASON:
                self.focus_place()
            case Missing.DOCUMENT:
                self.right_side.document.focus_number()
            case Missing.QUANTITY:
                self.left_side.lines.open_field()
            case Missing.HAND:
                self.hand_page.focus_first()
            case Missing.EARLIER:
                self.hand_page.show_earlier()
            case _:
                self.left_side.lines.setFocus(Qt.FocusReason.OtherFocusReason)

    def _leave(self) -> None:
        """Go back to the screen from which the refund was opened, at the same receipt. The typed
        values are kept, and are shown when this receipt is opened again."""
        model, frame = self.model, self.frame
        if not model.back_to:
            frame.go_home()
            return
        if model.hand_draft is not None and model.back_to == screens.ADVANCES:
            frame.open(screens.ADVANCES)
            return
        draft = model.draft
        number = draft.overview.number if draft is not None else model.reference
        frame.open(model.back_to, screens.ReceiptPlace(number, is_back=True))

    def _take_own_error(self) -> None:
        if self.model.take_own_error():
            self._show()
            self.right_side.document.focus_number()
        else:
            self.frame.home.tone("no")

    def _choose_way(self, number: int) -> None:
        if not self.model.choose_way(number):
            self.frame.home.tone("no")
        self._show()

    def _tick_all(self, on: bool) -> None:
        self.left_side.lines.close_field()
        self.model.tick_all(on)
        self._show()

    # --- what is shown ---------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        self._looking.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._looking.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        metrics = self.theme.metrics
        wide = event.size().width() * SIDE_PERMILLE // 1000
        self.right_side.setFixedWidth(max(wide, 7 * metrics.touch) + metrics.s3)
        super().resizeEvent(event)

    def _connect(self) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self.room.changed.connect(self._show_and_focus, queued)
        self.room.lines_changed.connect(self._show_lines, queued)
        self.room.scan_refused.connect(self._tell_scan, queued)
        lines, document = self.left_side.lines, self.right_side.document
        for part in (lines.changed, lines.moved, document.changed, self.hand_page.changed):
            part.connect(self._show)
        lines.refused.connect(partial(self.frame.home.tone, "no"))
        self.left_side.whole.clicked.connect(lambda: self._tick_all(True))
        self.left_side.nothing.clicked.connect(lambda: self._tick_all(False))
        self.right_side.reason.given.connect(self._finish)
        self.right_side.reason.edited.connect(self._show)
        self.right_side.reason.refused.connect(partial(self.frame.home.tone, "no"))
        self.right_side.ways.chosen.connect(self._choose_way)
        others = self.right_side.others
        others.own_error.clicked.connect(self._take_own_error)
        others.exchange.clicked.connect(self._exchange)
        self.right_side.main.clicked.connect(self._press_main)

    def _tell_scan(self, error: PosError) -> None:
        self.tell(lambda texts: texts.error(error).happened)

    def _show_lines(self) -> None:
        self.left_side.lines.show_anew()
        self._show()
        parts = (self.left_side.lines, self.right_side.document, self.hand_page)
        if not self.shows_keys and not any(one.is_typing for one in parts):
            self.focus_place()

    def _show_and_focus(self) -> None:
        """Show a change that came from the room. If the focus is lost, put it where a person goes
        on: on the big button once nothing can be typed any more. After the screen was left nothing
        is shown and the focus stays."""
        if self.frame.top is not self:
            return
        self._show_model()
        focus: QWidget | None = self.focusWidget()
        is_lost = focus is None or not focus.isEnabled() or not focus.isVisible()
        can_type, on_main = self.model.can_type, focus is self.right_side.main
        is_elsewhere = is_lost or can_type == on_main
        if self.gate is not None:
            is_elsewhere = focus is None or not self.gate.isAncestorOf(focus)
        if not self.shows_keys and is_elsewhere:
            self.focus_place()

    def _show_title(self) -> None:
        draft, texts = self.model.draft, self.frame.ui.texts
        text = draft.overview.number if draft is not None else self.model.reference
        number = (
            short_number(text) if self.model.hand_draft is not None or draft is not None else ""
        )
        words = texts("refund.of_receipt", number=number) if number else ""
        title = "refund.closes.title" if self.model.closes else self.title
        self.head.set_title(texts(title), words)
        self.show_way_back()

    def _show(self) -> None:
        """Show what somebody did, which ends a refusal."""
        self.end_refusal()
        self._show_model()

    def _show_model(self) -> None:
        self.show_place()
        self._show_title()
        at_document = self.right_side.document.is_typing
        is_by_hand = self.model.hand_draft is not None
        self.left_side.setVisible(not is_by_hand)
        self.hand_page.setVisible(is_by_hand)
        self.hand_page.show_model()
        self.left_side.show_model()
        self.right_side.show_model(at_document=at_document)
        self._show_progress()

    def _show_progress(self) -> None:
        now = self.frame.services.till.clock.ticks()
        self.right_side.show_progress(now - self.room.began_at)


ROOM, SCREEN = RefundRoom, RefundScreen
