"""The screen of receipts: the list, its export, and beside it the open receipt.

Sources: till.md ("Receipts"), look.md, mock-12.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QMenu, QWidget

from pos_app.cashier import commands
from pos_app.cashier.gate.about import About
from pos_app.cashier.receipts.acts import LETTERS, ON_PROFORMA
from pos_app.cashier.receipts.acts import REFUND as REFUND_KEY
from pos_app.cashier.receipts.list_side import ReceiptListSide
from pos_app.cashier.receipts.model import Doing, RefusedKey, reference_of
from pos_app.cashier.receipts.opened import OpenedReceipt
from pos_app.cashier.receipts.room import ReceiptsRoom
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.texts.lookup import Say, Texts
from pos_app.cashier.ui.choices import popup_below
from pos_app.cashier.ui.file_chooser import file_chooser, file_stem
from pos_app.cashier.ui.typed_keys import HELD, typed_text
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import Change, Frame, Room, ShopChange
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.window.screens import CORRECTION as CORRECTION_SCREEN
from pos_app.cashier.window.screens import REFUND as REFUND_SCREEN
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import TransactionType
from pos_app.domain.receipt.server_status import DeliveryJob
from pos_app.errors import Invalid, PosError
from pos_app.selling.people.rights import Act
from pos_app.selling.sale.state import SaleState

LIST_PERMILLE = 586
"""The list's share of the width in thousandths (mock-12: 800 of 1366)."""
_SENDS = (Doing.SEND, Doing.SEND_AGAIN)
_DIGITS = range(Qt.Key.Key_1, Qt.Key.Key_9 + 1)


class ReceiptsScreen(HeadedScreen):
    """Everything that was issued on this server, by any program."""

    title = "receipts.title"
    help_keys = (
        ("↑ ↓", "receipts.keys.rows"),
        ("Page Up", "receipts.keys.pages"),
        ("0–9", "receipts.keys.digits"),
        (commands.TillCommand.SEARCH, "receipts.keys.search"),
        (commands.ENTER, "receipts.keys.enter"),
        *((letter, f"receipts.act.{name}") for letter, (name, _) in LETTERS.items()),
        (f"{commands.method_cap(1)}…{len(LETTERS)}", "receipts.keys.typing"),
        (commands.EXPORT, "receipts.keys.export"),
        (commands.TillCommand.KEYS, "keys.f1"),
        (commands.TillCommand.DRAWER, "keys.f10"),
        (commands.TillCommand.BACK, "keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, ReceiptsRoom)
        self.room, self.model = room, room.model
        self._services, self._texts = frame.services, frame.ui.texts
        theme = frame.ui.theme
        self.side = ReceiptListSide(theme, self._texts, room.exporting)
        self.opened = OpenedReceipt(theme, self._texts)
        self._sides = QWidget()
        row = QHBoxLayout(self._sides)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.side)
        row.addWidget(self.opened, 1)
        self.column.addWidget(self._sides, 1)
        self.column.addWidget(self.keys, 1)
        self._connect()
        self.show_place()
        self.show_way_back()
        self._show_list()
        self._show_receipt()
        if not self.model.is_found:
            room.refresh()

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, screens.ReceiptPlace):
            self.room.come_from(screen_place)
            self.show_way_back()
            self.room.open(
                screen_place.reference, by_scan=screen_place.by_scan, foreign=screen_place.foreign
            )
            self.side.focus_list()
        elif isinstance(screen_place, screens.ReceiptsOfPlace):
            self.room.show_days(screen_place)
            self.show_way_back()
            self.side.focus_list()

    @property
    def is_searched(self) -> bool:
        return bool(self.model.filters.typed_text) or self.model.search_began is not None

    def step_title(self) -> str:
        doing = self.model.doing
        if doing is None or self.model.search_began is not None:
            return super().step_title()
        return self._texts(f"receipts.doing.{doing}.title")

    def way_out(self) -> str:
        return self.name_of(self.room.back_to)

    def changed(self, change: Change) -> None:
        if change.what is ShopChange.SERVER:
            self.room.see_server()
        if change.what is ShopChange.SALES and change.sale is not None:
            if change.sale.state is SaleState.DONE:
                self.room.refresh()
            self.room.see_ended(change.sale)

    def tick(self) -> None:
        super().tick()
        self.room.tick()

    def press(self, command: commands.TillCommand) -> None:
        match command:
            case commands.TillCommand.SEARCH:
                self.side.filters.search.setFocus()
                self.side.filters.search.edit.selectAll()
            case commands.TillCommand.LINE_UP:
                self.side.step(-self.side.page)
            case commands.TillCommand.LINE_DOWN:
                self.side.step(self.side.page)
            case _:
                super().press(command)

    def tell(self, say: Say) -> None:
        """Show the words above the receipt, with all that is told of it, or at the top where none
        is opened."""
        if self.model.opened is None:
            super().tell(say)
            return
        self.model.message = say
        self._show_receipt()

    @property
    def holds_typed(self) -> bool:
        is_sent = self.model.doing in _SENDS and bool(self.model.address)
        return is_sent or super().holds_typed

    def end_refusal(self) -> None:
        super().end_refusal()
        self.room.exporting.end_refusal()
        if callable(self.model.message) or isinstance(self.model.message, RefusedKey):
            self.model.message = None
            self._show_receipt()

    def show_place(self) -> None:
        self._sides.setVisible(not self.shows_keys)
        self.keys.setVisible(self.shows_keys)

    def step_back(self) -> bool:
        """Leave the first that there is: search elsewhere, begun act, typed text, report's
        receipts."""
        if self.model.search_began is not None:
            self.room.stop_search()
        elif self.model.doing is not None:
            self._begin(None)
        elif self.model.filters.typed_text:
            self.room.change(typed_text="")
            self.focus_place()
        elif self.room.back_to:
            self.frame.open(self.room.back_to)
        else:
            return False
        return True

    def focus_place(self) -> None:
        if self.model.doing in _SENDS:
            self.opened.doing.address.setFocus()
        else:
            self.side.focus_list()

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.shows_keys or not self._take(event):
            super().keyPressEvent(event)

    def _take(self, event: QKeyEvent) -> bool:
        """Enter presses the large button, Alt and a digit an act, up and down lead to a row."""
        key, held = event.key(), event.modifiers() & HELD
        if held == Qt.KeyboardModifier.AltModifier and key in _DIGITS:
            self._act_once(event, "".join(list(LETTERS)[key - Qt.Key.Key_1 : key - Qt.Key.Key_0]))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self._enter()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.side.focus_list()
            self.side.step(-1 if key == Qt.Key.Key_Up else 1)
        elif isinstance(self.focusWidget(), QLineEdit):
            return False
        else:
            return self._take_sign(event)
        return True

    def _take_sign(self, event: QKeyEvent) -> bool:
        """While no field has the focus a letter acts, and a digit begins another number."""
        search = self.side.filters.search
        typed, letter = typed_text(event), letter_of(event)
        if typed.isdigit():
            search.setFocus()
            search.set_text(typed)
        elif event.key() == Qt.Key.Key_Backspace and search.text():
            search.setFocus()
            search.edit.backspace()
        elif event.key() == Qt.Key.Key_Backspace and self.model.filters.narrowed_to is not None:
            self.room.widen()
        elif letter in LETTERS:
            self._act_once(event, letter)
        else:
            return False
        return True

    def _act_once(self, event: QKeyEvent, letter: str) -> None:
        if letter and not event.isAutoRepeat():
            self._act(letter)

    def _enter(self) -> None:
        """In the search open the first found receipt; else press the large button. A button that
        appeared just now ignores the second tap of the same finger."""
        if isinstance(self.focusWidget(), QLineEdit) and not self.opened.doing.address.hasFocus():
            self.side.focus_list()
            self.room.open_first()
        elif self.model.doing is None or not self.opened.acts.main.rests:
            self._press_main()

    # --- acts ------------------------------------------------------------------------------------

    def _act(self, letter: str) -> None:
        if letter == REFUND_KEY and (self.model.foreign is not None or self.model.unknown):
            self._refund_by_hand()
            return
        shown = self.model.opened
        button = self.opened.acts.buttons[letter]
        if shown is None or not self.model.can_act or not button.isEnabled():
            self._refuse(letter)
            return
        number = shown.overview.number
        match letter:
            case "R" if shown.overview.transaction_type is TransactionType.REFUND:
                self._begin_undoing()
            case "R":
                self.frame.open(
                    REFUND_SCREEN, screens.RefundPlace(number, back_to=screens.RECEIPTS)
                )
            case "I":
                self.frame.open(CORRECTION_SCREEN, screens.CorrectionPlace(number))
            case "E":
                is_sent = self.model.mail_to_repeat is None
                self._begin(Doing.SEND if is_sent else Doing.SEND_AGAIN)
            case "D":
                self._ask_pdf(shown.overview)
            case "V":
                self._begin(Doing.VERIFY)
            case "A" | "P":
                self._sell_again(shown.overview, as_advance=letter == ON_PROFORMA)

    def _refuse(self, letter: str) -> None:
        self.frame.home.tone("no")
        if self.model.can_act:
            self.model.message = RefusedKey(letter)
            self._show_receipt()

    def _ask_pdf(self, overview: ReceiptOverview) -> None:
        """Open a menu below its button: open the file, which Enter does, or save it."""
        button = self.opened.acts.buttons["D"]
        menu = QMenu(button)
        opens = menu.addAction(self._texts("receipts.pdf.open"))
        opens.triggered.connect(self.room.pdf)
        saves = menu.addAction(self._texts("receipts.pdf.save"))
        saves.triggered.connect(lambda: self._ask_file(overview))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.setActiveAction(opens)
        popup_below(menu, button)

    def _ask_file(self, overview: ReceiptOverview) -> None:
        chooser = file_chooser(self, self._texts, "receipts.pdf.save", saves=True)
        chooser.setNameFilters(["PDF (*.pdf)"])
        chooser.setDefaultSuffix("pdf")
        chooser.selectFile(overview.number)
        receipt_id = overview.receipt_id
        chooser.fileSelected.connect(lambda name: self.room.save_pdf(receipt_id, Path(name)))
        chooser.open()

    def export(self) -> None:
        """Export the listed receipts into a sheet, but neither own sales nor waiting receipts."""
        model = self.model
        if model.own is not None or model.filters.waiting or self.room.exporting.poll is not None:
            self.frame.home.tone("no")
            return
        query = model.filters.query(model.today)

        def begin(path: Path, by_lines: bool) -> None:
            export = self._services.receipt_export
            self.room.exporting.begin(export.export(query, path, by_lines=by_lines), path)

        ask = partial(ask_export, self.side.filters.export_button, begin, self._texts)
        self.frame.permit(Act.X_REPORT, ask, about=About(key="approve.act.export"))

    def _begin_undoing(self) -> None:
        if self._services.may(Act.DECIDE):
            self._begin(Doing.UNDO)
        else:
            self.frame.permit(
                Act.DECIDE, lambda: self._begin(Doing.UNDO), about=self._about("undo")
            )

    def _sell_again(self, overview: ReceiptOverview, *, as_advance: bool = False) -> None:
        try:
            self.frame.home.sell_again(overview, as_advance=as_advance)
        except PosError as error:
            self.frame.home.tone("no")
            self.model.message = error
            self._show_receipt()
        else:
            self.frame.go_home()

    def _refund_by_hand(self) -> None:
        foreign = self.model.foreign
        if foreign is not None and not foreign.may_be_refunded:
            self.frame.home.tone("no")
            return
        number = foreign.number if foreign is not None else self.model.unknown
        place = screens.RefundPlace(number, back_to=screens.RECEIPTS, foreign=foreign)
        self.frame.open(REFUND_SCREEN, place)

    def _begin(self, doing: Doing | None) -> None:
        self.room.begin(doing)
        self._show_receipt()
        self.focus_place()

    def _press_main(self) -> None:
        if not self.model.can_act or self.opened.main_act(self.model).why_not:
            self.frame.home.tone("no")
            return
        if self.model.lacks_address:
            self._refuse_address()
            return
        match self.model.doing:
            case Doing.PRINT:
                self._reprint("print", self.room.print)
            case Doing.COPY:
                self._reprint("copy", self.room.copy)
            case Doing.SEND:
                self._reprint("send", partial(self._send, self.room.send_copy))
            case Doing.SEND_AGAIN:
                self._reprint("send_again", partial(self._send, self.room.send_again))
            case Doing.UNDO:
                self.frame.permit(Act.DECIDE, self.room.undo, about=self._about("undo"))
            case Doing.VERIFY:
                self.room.verify()
            case None:
                to_print = self.model.paper_to_print is not None
                self._begin(Doing.PRINT if to_print else Doing.COPY)
                return
        self._show_receipt()
        self.focus_place()

    def _again(self, job: DeliveryJob) -> None:
        self._reprint("print", partial(self.room.again, job))

    def _reprint(self, act: str, then: Callable[[], None]) -> None:
        self.frame.permit(Act.REPRINT, then, about=self._about(act))

    def _about(self, act: str) -> About:
        """An act on the opened receipt, as somebody approves it."""
        opened, about = self.model.opened, About(key=f"approve.act.{act}")
        if opened is None:
            return about
        overview = opened.overview
        return replace(about, of=overview.number, amount=overview.total)

    def _send(self, send: Callable[[], None]) -> None:
        try:
            send()
        except Invalid:  # the address was another one when the act was asked for
            self._refuse_address()

    def _refuse_address(self) -> None:
        self.frame.home.tone("no")
        self.opened.doing.address.set_error(self._texts("receipts.send.wrong"))
        self.focus_place()

    # --- what is shown ---------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        whole = event.size().width()
        left = whole - self.opened.wanted_width()
        left = max(min(left, whole * LIST_PERMILLE // 1000), self.side.least_width())
        self.side.setFixedWidth(left)
        self.opened.set_width(whole - left)
        super().resizeEvent(event)

    def _show_list(self) -> None:
        now = self._services.till.clock.now()
        self.side.show_model(self.model, now=now)
        self.side.mark(self.model)
        self.show_way_back()
        model = self.model
        is_open = model.opened is not None or model.own_opened is not None
        is_known = is_open or bool(model.wanted) or model.receipt_fault is not None
        if not is_known and model.listed_rows:
            self.room.open(reference_of(model.listed_rows[0]))

    def _show_receipt(self) -> None:
        draft = self._services.usual_delivery
        ways = ", ".join(self._texts(f"pay.way.{way}") for way in sorted(draft.chosen))
        self.opened.show_model(self.model, ways=ways)
        self.side.filters.show_opened(self.model)
        self.side.mark(self.model)
        self.show_way_back()

    def _show_caps(self, *_: object) -> None:
        focus = QApplication.focusWidget()
        is_typing = isinstance(focus, QLineEdit) and self.isAncestorOf(focus)
        self.opened.acts.show_caps(while_typing=is_typing)

    def _keep_days(self, first: str, last: str) -> None:
        self.model.days_typed, self.model.holds_days = (first, last), True

    def _keep_address(self, typed_text: str) -> None:
        self.model.address = typed_text
        if self.model.opened is not None:
            self.opened.acts.show_main(self.opened.main_act(self.model), rests=False)

    def _connect(self) -> None:
        queued = Qt.ConnectionType.QueuedConnection
        self.room.listed.connect(self._show_list, queued)
        self.room.receipt_changed.connect(self._show_receipt, queued)
        self.side.chosen.connect(self.room.choose)
        self.side.more_wanted.connect(self.room.go_on)
        filters = self.side.filters
        filters.changed.connect(lambda changed: self.room.change(**changed))
        filters.days.days_typed.connect(self._keep_days)
        filters.export_button.clicked.connect(self.export)
        shortcut = QShortcut(
            QKeySequence(), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        shortcut.setKeys(commands.letter_key(commands.EXPORT))
        shortcut.activated.connect(self.export)
        acts = self.opened.acts
        acts.pressed.connect(self._act)
        acts.main_pressed.connect(self._press_main)
        acts.again_pressed.connect(self._again)
        self.opened.head.chain.chosen.connect(self.room.open)
        self.opened.doing.address_typed.connect(self._keep_address)
        self.opened.by_hand_pressed.connect(self._refund_by_hand)
        self.opened.search_pressed.connect(self.room.search_elsewhere)
        self.opened.stop_pressed.connect(self.room.stop_search)
        self.opened.again_pressed.connect(lambda: self.room.open(self.model.unread))
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._show_caps)


ROOM, SCREEN = ReceiptsRoom, ReceiptsScreen


def ask_export(button: QWidget, begin: Callable[[Path, bool], None], texts: Texts) -> None:
    """Open a menu below the button: one row for each receipt, or one for each line; then ask for
    the file. begin writes it; its second argument tells whether a row is a line."""
    menu = QMenu(button)
    for name, by_lines in (("by_receipts", False), ("by_lines", True)):
        action = QAction(texts(f"receipts.export.{name}"), menu)
        action.triggered.connect(
            lambda _=False, lines=by_lines: _ask_file(
                button, lambda path: begin(path, lines), texts
            )
        )
        menu.addAction(action)
    menu.aboutToHide.connect(menu.deleteLater)
    popup_below(menu, button)


def _ask_file(button: QWidget, begin: Callable[[Path], None], texts: Texts) -> None:
    chooser = file_chooser(button.window(), texts, "receipts.export", saves=True)
    chooser.setNameFilters(["XLSX (*.xlsx)", "CSV (*.csv)"])
    chooser.setDefaultSuffix("xlsx")
    chooser.filterSelected.connect(
        lambda name: chooser.setDefaultSuffix("csv" if "csv" in name else "xlsx")
    )
    chooser.selectFile(file_stem(texts("file.receipts")))
    chooser.fileSelected.connect(lambda name: begin(Path(name)))
    chooser.open()
