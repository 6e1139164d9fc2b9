"""The screen of Attention: the list of cases at the left, one case at the right.

Selling goes on meanwhile: nothing here holds a sale up, and leaving it loses nothing.
Sources: till.md ("Attention"), look.md (Screens, 4), exactly-once.md (step 12).
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.attention.actions import AttentionRoom
from pos_app.cashier.attention.case_list import CaseList
from pos_app.cashier.attention.case_view import CaseView
from pos_app.cashier.attention.cases.case import Case
from pos_app.cashier.attention.cases.sale_cases import ToTakeBack
from pos_app.cashier.attention.model import NO_NEWS, CaseNews
from pos_app.cashier.attention.steps_view import StepsView
from pos_app.cashier.commands import ENTER, TillCommand
from pos_app.cashier.texts.lookup import Say, Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.page_list import ROW_KEYS
from pos_app.cashier.ui.panel import EmptyState, KeysScreen
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import Change, Frame, Room, ScanAnswer, ShopChange
from pos_app.cashier.window.headed_screen import HeadedScreen
from pos_app.cashier.window.screens import CasePlace
from pos_app.cashier.window.status import counts_words
from pos_app.domain.article.barcodes import ReceiptCode
from pos_app.selling.catalogue.codes import ReadCode
from pos_app.selling.server.monitor import ServerLink

_WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut
ASK_MS = 3000
"""Milliseconds after which the open screen is shown anew and asks the server again."""
SIDE_PERMILLE = 344
"""The list's share of the width in thousandths (mock-04)."""


class AttentionScreen(HeadedScreen):
    """Shows what waits, and the chosen case. An action that a button began goes on in the room when
    the screen is left."""

    title = "att.title"
    help_keys = (
        ("↑ ↓", "att.keys.rows"),
        (ENTER, "att.keys.enter"),
        ("Tab", "att.keys.tab"),
        (TillCommand.KEYS, "keys.f1"),
        (TillCommand.DRAWER, "keys.f10"),
        (TillCommand.BACK, "keys.escape"),
    )

    def __init__(self, frame: Frame, room: Room) -> None:
        super().__init__(frame, room)
        assert isinstance(room, AttentionRoom)
        self.room = room
        self.model = room.model
        self._services = frame.services
        self._texts = frame.ui.texts
        self._sides = AttentionSides(frame.ui.theme, self._texts, self.keys, back=self.head.button)
        self.column.addWidget(self._sides, 1)
        self._timer = QTimer(self)
        self._timer.setInterval(ASK_MS)
        self._timer.timeout.connect(self.refresh)
        self._connect()
        self._sides.take_width(self.width())
        self._show()
        self.show_place()

    # --- for the frame ---------------------------------------------------------------------------

    def go_to(self, screen_place: object) -> None:
        if isinstance(screen_place, CasePlace):
            self.choose(screen_place.case_id)

    def changed(self, change: Change) -> None:
        if change.what is ShopChange.DRAWER:
            self._read()
        else:
            self.refresh()

    def refresh(self) -> None:
        """Show the present state, and ask the server for what its status does not contain."""
        self._read()
        if self.isVisible() and self._services.server.link is ServerLink.OURS:
            self.room.ask_server()

    def choose(self, wanted: str) -> None:
        """Show the case of that id, or about the sale of that key, and put the focus where its
        answer begins. Where it is over, the one that is shown was not asked for: nothing acts on
        it before it is chosen."""
        case_id = self.model.id_of(wanted)
        self._choose(case_id or self.model.current_id)
        self.model.came_by_itself = not case_id
        self._sides.side.reveal(self.model.current_id, takes_focus=not case_id)
        if case_id or self.case_view is None:
            self._sides.focus_case()

    def scan(self, code: ReadCode, text: str) -> ScanAnswer:
        """Answer the shown doubt with a receipt's code, else open the receipt."""
        is_taken = isinstance(code.meaning, ReceiptCode) and self.receipt_scanned(text)
        return ScanAnswer.TAKEN if is_taken else super().scan(code, text)

    @property
    def holds_typed(self) -> bool:
        has_fields = self._steps is not None and bool(self._steps.fields)
        return (has_fields and any(self.model.typed_texts.values())) or super().holds_typed

    def receipt_scanned(self, code: str) -> bool:
        """Answer the shown doubt with a receipt's QR code; return False if no doubt is shown. While
        an action runs, a code only sounds the error tone."""
        if self.shows_keys:
            self.toggle_keys()
        case = self.model.current
        action = case.on_scan(self._texts) if case is not None else None
        if self.room.running:
            self.frame.home.tone("no")
            return True
        if action is None:
            return False
        if self._steps is not None:
            self._steps.fill(action.takes, code)
        self.room.run(action, code)
        return True

    def tell_in_place(self, words: str) -> bool:
        """Show the words in the case, or, if no case is shown, below the words that all is well;
        without them what was told last stands there, unless that ended meanwhile."""
        self._sides.tell(CaseNews(lambda _: words) if words else self.model.news or NO_NEWS)
        return True

    @property
    def case_view(self) -> CaseView | None:
        return self._sides.case_view

    @property
    def _steps(self) -> StepsView | None:
        return self.case_view.steps if self.case_view is not None else None

    # --- keys ------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() in ROW_KEYS and self._sides.side.row_has_focus:
            self._step(event.key())
        elif not (is_enter and self._press_main(event)):
            super().keyPressEvent(event)

    def focus_place(self) -> None:
        self._sides.focus_case()

    def _press_main(self, event: QKeyEvent) -> bool:
        """Press the one filled button of the case; holding Enter presses it once. A case that came
        by itself has to be chosen first."""
        if self.shows_keys or self._steps is None or self._steps.isHidden():
            return False
        if self.model.came_by_itself:
            self.frame.home.tone("no")
            self.tell(lambda texts: texts("att.came"))
            return True
        return event.isAutoRepeat() or self._steps.press_main()

    def step_title(self) -> str:
        if self.case_view is not None and self.case_view.lines is not None:
            return self._texts("att.lines")
        return self._texts("att.solved") if self.model.shows_solved else ""

    def step_back(self) -> bool:
        if self.case_view is not None and self.case_view.lines is not None:
            self.case_view.toggle_lines()
        elif self.model.shows_solved:
            self._toggle_solved()
        else:
            return False
        return True

    def _step(self, key: int) -> None:
        self._choose(self._sides.side.step(self.model.current_id, key))
        self._sides.side.reveal(self.model.current_id, takes_focus=True)

    # --- what is chosen and said -----------------------------------------------------------------

    def _choose(self, case_id: str) -> None:
        if self.shows_keys:
            self.toggle_keys()
        self._sides.forget_place()
        self.end_refusal()
        self.model.choose(case_id)
        self._show()

    def _toggle_solved(self) -> None:
        self.end_refusal()
        self.model.toggle_solved()
        if self.shows_keys:
            self.toggle_keys()
        self._show()
        self._sides.focus_case()

    def _show_entry_error(self, entry: str, say: Say, of: Case | None) -> None:
        shown = self.case_view.attention_case if self.case_view is not None else None
        is_here = of is None or (shown is not None and shown.id == of.id)
        steps = self._steps if is_here else None
        if steps is None or not steps.show_error(entry, say(self._texts)):
            self.room.tell_failed(say, of)

    def _tell_news(self) -> None:
        self.end_refusal()
        self.show_told()

    def _show_running(self) -> None:
        if self._steps is not None:
            self._steps.show_running(self.room.running)

    # --- what is shown ---------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._sides.take_width(event.size().width())

    def _read(self) -> None:
        self.model.load()
        self._show()
        self.frame.show_counted(self.room.waiting)
        self._take_back_if_ready()

    def _take_back_if_ready(self) -> None:
        """Move a corrected sale to the cart as soon as the old request is cancelled. The sale is
        moved only while this screen is shown, because a cart must not change while the cashier
        works in it."""
        key = self.room.corrected_key
        case = next((one for one in self.model.cases if one.id == key), None)
        if self.isVisible() and isinstance(case, ToTakeBack):
            self.room.take_back(case.sale)

    def _show(self) -> None:
        """Show everything from the model; an unchanged case keeps what was typed."""
        facts = self.room.facts
        self.head.set_title(self._texts("att.title"), self._summary())
        self._sides.side.show_model(self.model, facts)
        case, shown = self.model.current, self.case_view
        if shown is not None and (case is None or case.id != shown.attention_case.id):
            self.end_refusal()  # it was told of the case that goes
        self._sides.show_list(has_case=case is not None, has_solved=bool(self.model.solved))
        if case is None:
            self._set_case(None)
        elif self.case_view is None or not self.case_view.show_case(case, facts):
            lines = self.model.lines(case)
            made = CaseView(self.theme, self._texts, case, lines, facts)
            made.fill(self.model.typed_texts)
            if self.model.shows_lines:
                made.toggle_lines()
            made.entry_typed.connect(self.model.type)
            made.lines_toggled.connect(self._show_lines)
            made.pressed.connect(self.room.run)
            self._set_case(made)
        if self.refusal or self.model.news is not None:
            self.show_told()
        self.show_way_back()

    def _show_lines(self, are_open: bool) -> None:
        self.model.show_lines(are_open)
        self.show_way_back()

    def show_place(self) -> None:
        self._sides.show_keys(self.shows_keys)

    def _summary(self) -> str:
        """The words beside the title; none where all is well, as the middle of the screen says."""
        count = self.model.count()
        if not count:
            if self.model.is_under_way:
                return self._texts("att.under_way")
            return self._texts("att.for_knowing") if self.model.cases else ""
        return counts_words(count, self.model.decisions, self._texts)

    def _set_case(self, case_view: CaseView | None) -> None:
        had_focus = self._sides.set_case(case_view) or self._sides.row_stands_in()
        self._show_running()
        if case_view is not None and had_focus:
            if self.model.came_by_itself:
                self._sides.side.reveal(self.model.current_id, takes_focus=True)
                self.focus.settled()  # Qt may have moved it there before
            else:
                self._sides.focus_case()
                self.focus.settled()

    def _connect(self) -> None:
        for key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            # Without a shortcut a button of the answer would take the key and pass the focus on.
            shortcut = QShortcut(key, self, context=_WITHIN)
            shortcut.activated.connect(partial(self._step, key))
        side = self._sides.side
        side.chosen.connect(self._choose)
        side.solved_pressed.connect(self._toggle_solved)
        self._sides.show_solved.clicked.connect(self._toggle_solved)
        actions, queued = self.room, Qt.ConnectionType.QueuedConnection
        actions.changed.connect(self._read, queued)
        actions.reported.connect(self._tell_news, queued)
        actions.entry_wrong.connect(self._show_entry_error, queued)
        actions.running_changed.connect(self._show_running, queued)


class AttentionSides(QWidget):
    """The list of cases at the left; at the right a case, the list of keys, or the words that all
    is well."""

    def __init__(self, theme: Theme, texts: Texts, keys: KeysScreen, *, back: QWidget) -> None:
        """back: what has the focus where nothing else is there to be pressed."""
        super().__init__()
        self._back, self._has_no_answer, self._texts = back, False, texts
        self.side = CaseList(theme, texts)
        self.case_view: CaseView | None = None
        self._words_label = Label(theme, wrap=True)
        self._words_label.hide()
        self.show_solved = Button(theme, texts("att.show_solved"), icon="history")
        self._empty = QWidget()
        empty = QVBoxLayout(self._empty)
        edge = theme.metrics.s3
        empty.setContentsMargins(edge, edge, edge, edge)
        empty.setSpacing(edge)
        title, words = texts("att.empty"), texts("att.empty_words")
        empty.addWidget(EmptyState(theme, title=title, words=words, button=self.show_solved), 1)
        empty.addWidget(self._words_label)
        self._keys = keys
        self._keys.hide()
        self._place_layout = QVBoxLayout()
        self._place_layout.addWidget(self._empty)
        self._place_layout.addWidget(self._keys)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.side)
        row.addLayout(self._place_layout, 1)

    def tell(self, news: CaseNews) -> None:
        """Show the news; without a case they stand below the words that all is well."""
        if self.case_view is not None:
            self.case_view.tell(news)
        words = news.say(self._texts)
        self._words_label.setVisible(bool(words) and self.case_view is None)
        self._words_label.setText(words)

    def unsay(self) -> None:
        self._words_label.hide()

    def take_width(self, width: int) -> None:
        self.side.setFixedWidth(width * SIDE_PERMILLE // 1000)

    def set_case(self, case_view: CaseView | None) -> bool:
        """Show another case, or the empty state; returns whether the focus was in the last case."""
        had_focus = False
        if self.case_view is not None:
            focus: QWidget | None = self.case_view.focusWidget()
            had_focus = focus is not None and focus.hasFocus()
            self._place_layout.removeWidget(self.case_view)
            self.case_view.hide()
            self.case_view.deleteLater()
        self.case_view = case_view
        if case_view is not None:
            self.unsay()
            self._place_layout.addWidget(case_view)
        self._show_place()
        return had_focus

    def show_keys(self, visible: bool) -> None:
        """Show this screen's list of keys instead of the case, or the case again."""
        self._keys.setVisible(visible)
        self._show_place()

    def show_list(self, *, has_case: bool, has_solved: bool) -> None:
        """Fold the list while there is no case; what was solved today is still reached."""
        self.side.setVisible(has_case or bool(self.side.rows))
        self.show_solved.setVisible(has_solved)

    def _show_place(self) -> None:
        is_free = self._keys.isHidden()
        self._empty.setVisible(self.case_view is None and is_free)
        if self.case_view is not None:
            self.case_view.setVisible(is_free)

    def row_stands_in(self) -> bool:
        """Whether the focus is still on the row where it went for want of an answer."""
        return self._has_no_answer and self.side.row_has_focus

    def forget_place(self) -> None:
        """Let the focus stay on a row that a person chose."""
        self._has_no_answer = False

    def focus_case(self) -> None:
        """Put the focus where the answer begins, or on the row of a case that has none yet."""
        self._has_no_answer = False
        if self.case_view is not None:
            if not self.case_view.focus_first():
                self._has_no_answer = True
                self.side.reveal(self.case_view.attention_case.id, takes_focus=True)
        elif not self.show_solved.isHidden():
            self.show_solved.setFocus()
        else:
            self._back.setFocus()


ROOM, SCREEN = AttentionRoom, AttentionScreen
