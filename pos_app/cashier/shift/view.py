"""The screen of the shift, one page at a time.

Sources: till.md ("Shift"), look.md, mock-17, mock-18.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from pos_app.cashier.commands import ENTER, TillCommand, method_cap
from pos_app.cashier.scanner.letters import letter_of
from pos_app.cashier.shift.check_page import GO_ON_KEY, CheckPage
from pos_app.cashier.shift.closed_page import ClosedPage
from pos_app.cashier.shift.count_page import CountPage
from pos_app.cashier.shift.difference_page import DifferencePage
from pos_app.cashier.shift.drawer_panel import RECEIPT_KEY
from pos_app.cashier.shift.home_page import (
    CLOSED_KEY,
    COUNT_KEY,
    DAY_BEFORE_KEY,
    MOVES,
    X_KEY,
    HomePage,
)
from pos_app.cashier.shift.model import CLOSING, ShiftPageKind
from pos_app.cashier.shift.move_page import MovePage
from pos_app.cashier.shift.page import TO_CHECK_KEY, ShiftPage
from pos_app.cashier.shift.parts import Steps
from pos_app.cashier.shift.report_page import PDF_KEY, PRINT_KEY, ShiftReportPage
from pos_app.cashier.shift.room import ShiftRoom
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.cashier.window.frame import Change, Frame, Room, ShopChange
from pos_app.cashier.window.headed_screen import HeadedScreen

_PAGES: dict[ShiftPageKind, Callable[[ShiftRoom], ShiftPage]] = {
    ShiftPageKind.HOME: HomePage,
    ShiftPageKind.FLOAT: CountPage,
    ShiftPageKind.MOVE: MovePage,
    ShiftPageKind.X: ShiftReportPage,
    ShiftPageKind.CHECK: CheckPage,
    ShiftPageKind.COUNT: CountPage,
    ShiftPageKind.DIFFERENCE: DifferencePage,
    ShiftPageKind.DONE: ShiftReportPage,
    ShiftPageKind.CLOSED: ClosedPage,
    ShiftPageKind.PAST: ShiftReportPage,
}
_FROM_SHIFT = frozenset(
    {
        ShiftPageKind.X,
        ShiftPageKind.MOVE,
        ShiftPageKind.FLOAT,
        ShiftPageKind.COUNT,
        ShiftPageKind.CLOSED,
        ShiftPageKind.CHECK,
    }
)
"""The pages from which Esc leads back to the shift."""
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ShiftScreen(HeadedScreen):
    title = "shift.title"
    help_keys = (
        (X_KEY, "shift.keys.x"),
        (" ".join(MOVES), "shift.keys.moves"),
        (COUNT_KEY, "shift.keys.count"),
        ("2*", "shift.two_packs"),
        (f"{PRINT_KEY} {PDF_KEY}", "shift.keys.papers"),
        (method_cap(0), "shift.row_by_row"),
        (RECEIPT_KEY, "shift.keys.receipt"),
        (CLOSED_KEY, "shift.closed"),
        (DAY_BEFORE_KEY, "shift.day_before"),
        (GO_ON_KEY, "shift.keys.go_on"),
        (TO_CHECK_KEY, "shift.keys.to_check"),
        (f"{method_cap(1)}…5", "shift.keys.open"),
        (ENTER, "shift.keys.enter"),
        (TillCommand.PAY, "shift.keys.confirm"),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.DRAWER, "keys.f10"),
        (TillCommand.BACK, "keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, ShiftRoom)
        self.room, self.model = room, room.model
        texts = frame.ui.texts
        names = [texts(f"shift.step.{page.name.lower()}") for page in CLOSING]
        self.steps = Steps(self.theme, names)
        self.bar.extra.addWidget(self.steps)
        self.steps.first.connect(room.to_check)
        self._page_area = QWidget()
        self._stack = QStackedLayout(self._page_area)
        self.page: ShiftPage | None = None
        self._of: object = None
        self.column.addWidget(self._page_area, 1)
        self.column.addWidget(self.keys, 1)
        room.changed.connect(self._show_and_focus)
        self.model.come_back()
        if self.model.page is ShiftPageKind.DIFFERENCE and self.model.server is None:
            room.ask_server()
        self._show()
        self.show_place()

    # --- for the frame ---------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        self.room.test()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share()
        super().resizeEvent(event)

    def changed(self, change: Change) -> None:
        if change.what is ShopChange.SERVER and self.model.page is ShiftPageKind.HOME:
            self.room.test_server()
        if change.what in (ShopChange.SALES, ShopChange.SERVER) and self.page is not None:
            self.page.refresh()
        if change.what is ShopChange.SALES:
            self.room.read_soon()

    def show_place(self) -> None:
        self.keys.setVisible(self.shows_keys)
        self._page_area.setVisible(not self.shows_keys)
        if self.page is not None and self.page.tools is not None:
            self.page.tools.setVisible(not self.shows_keys)

    def focus_place(self) -> None:
        if self.page is None:
            return
        if self.page.is_looked_at:
            self.head.button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.page.focus_place()

    def press(self, command: TillCommand) -> None:
        if self.shows_keys or self.page is None:
            super().press(command)
        elif command is TillCommand.PAY:
            self.page.confirmed()
        else:
            super().press(command)

    @property
    def holds_typed(self) -> bool:
        model = self.model
        match model.page:
            case ShiftPageKind.HOME:
                is_typed = model.float_text is not None
            case ShiftPageKind.MOVE:
                is_typed = bool(model.move_amount or model.move_reason)
            case ShiftPageKind.DIFFERENCE:
                is_typed = model.stays is not None or any(model.reasons.values())
            case _:
                is_typed = False
        return is_typed or super().holds_typed

    def tell_in_place(self, words: str) -> bool:
        if self.page is not None:
            self.page.show_trouble(words)
        return self.page is not None

    def step_back(self) -> bool:
        return self.page is not None and self.page.step_back()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        page = self.page
        if page is None or self.shows_keys or event.isAutoRepeat():
            super().keyPressEvent(event)
            return
        if event.key() in _ENTER_KEYS:
            page.keyed()
        elif event.modifiers() & Qt.KeyboardModifier.AltModifier and event.text().isdigit():
            self._tone_unless(page.number(int(event.text())))
        elif letter_of(event) == TO_CHECK_KEY and self.model.page in (
            ShiftPageKind.COUNT,
            ShiftPageKind.DIFFERENCE,
        ):
            self.room.to_check()
        elif not ((sign := letter_of(event) or typed_text(event)) and page.letter(sign)):
            super().keyPressEvent(event)

    def _tone_unless(self, done: bool) -> None:
        if not done:
            self.frame.home.tone("no")

    # --- what is shown ---------------------------------------------------------------------------

    def _show(self) -> None:
        """Show the model's page, made anew where it is another one."""
        model = self.model
        stored = (
            None
            if model.stored is None or model.page is not ShiftPageKind.COUNT
            else model.stored.id
        )
        shift = None if model.shift is None else model.shift.id
        done = model.done if model.page is ShiftPageKind.HOME else None
        past = model.past if model.page is ShiftPageKind.PAST else None
        of = (model.page, shift, stored, done, past)
        if of == self._of and self.page is not None:
            self.page.refresh()
            return
        self._of = of
        if self.page is not None:
            self.end_refusal()  # it was told on the page that goes
        before, self.page = self.page, _PAGES[model.page](self.room)
        self.page.setAccessibleName(self._page_name())
        self._share()  # before it is laid out: its parts fold by the width of its side
        self.page.right.insertWidget(self.page.right.indexOf(self.page.big), self.page.trouble)
        self._stack.addWidget(self.page)
        self._stack.setCurrentWidget(self.page)
        if self.page.tools is not None:
            self.bar.extra.insertWidget(0, self.page.tools)
            self.page.tools.setVisible(not self.shows_keys)
        if before is not None:
            self._stack.removeWidget(before)
            for part in filter(None, (before, before.tools)):
                part.hide()
                part.deleteLater()
        closing = model.page in CLOSING
        self.steps.setVisible(closing)
        if closing:
            self.steps.set_now(CLOSING.index(model.page))
        self.head.set_title(self._title())
        self.show_way_back()

    def way_back(self) -> str:
        model, texts = self.model, self.frame.ui.texts
        if model.page is ShiftPageKind.PAST:
            return texts("shift.closed")
        return texts(self.title) if model.page in _FROM_SHIFT else super().way_back()

    def _title(self) -> str:
        model, texts = self.model, self.frame.ui.texts
        if model.page is ShiftPageKind.PAST and model.past is not None:
            return texts("shift.z", n=model.past.id)
        if model.page is ShiftPageKind.CLOSED:
            return texts("shift.closed")
        if model.page is ShiftPageKind.X:
            day = f"{model.day:%d.%m.%Y.}"
            return texts("shift.day_of", day=day) if model.shift is None else texts("shift.x")
        if model.page is ShiftPageKind.MOVE:
            return texts(f"shift.move.{model.move_kind}")
        if model.page is ShiftPageKind.FLOAT:
            return texts("shift.count_float")
        return texts("shift.closing" if model.page in CLOSING else self.title)

    def _page_name(self) -> str:
        """The page's name for a screen reader: that of its step, else its title."""
        model, texts = self.model, self.frame.ui.texts
        if model.page in CLOSING:
            return texts(f"shift.step.{model.page.name.lower()}")
        return self._title()

    def _show_and_focus(self) -> None:
        before = self.page
        self._show()
        is_seen = self.frame.top is self and not self.shows_keys
        if self.page is not before and is_seen:
            self.focus_place()

    def _share(self) -> None:
        if self.page is not None and self.page.tools is None:
            wide = max(self.width() * self.page.widest // 1000, 6 * self.theme.metrics.touch)
            self.page.side.setFixedWidth(wide)


ROOM, SCREEN = ShiftRoom, ShiftScreen
