"""The screen Attention: at the left what waits, by who must act; at the right one case.

Selling goes on meanwhile: nothing here holds a sale up, and leaving it loses nothing.
Sources: till.md ("Attention"), look.md (Screens, 4), exactly-once.md (step 12).
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.attention.actions import ActionRunner
from pos_app.cashier.attention.case_list import CaseList
from pos_app.cashier.attention.case_view import CaseView
from pos_app.cashier.attention.cases.case import CaseFacts
from pos_app.cashier.attention.cases.sale_cases import ToTakeBack
from pos_app.cashier.attention.model import News
from pos_app.cashier.attention.steps_view import StepsView
from pos_app.cashier.commands import ESCAPE, KeyPage, help_page
from pos_app.cashier.services import TillServices
from pos_app.cashier.status import counts_words
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.bars import ScreenHead, TopBar
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.fonts import Weight
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import TypeStep
from pos_app.cashier.ui.notice import Banners, BannerText
from pos_app.cashier.ui.panel import EmptyState, Ground, KeysGrid
from pos_app.cashier.ui.scrolling import Scrolled
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.instant import in_belgrade
from pos_app.selling.server.drawer_openings import DrawerShut
from pos_app.selling.server.monitor import ServerLink

_WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut
ASK_MS = 3000
"""Between two looks at clock and server while the screen is open."""
SIDE_PERMILLE = 344
"""The list's share of the width (mock-04)."""


class AttentionScreen(Ground):
    """Signals: `back_pressed()`; `counted()`, it was read anew how much waits. What it asks of the
    sale's screen are signals of `runner`."""

    back_pressed = Signal()
    counted = Signal()

    def __init__(
        self,
        services: TillServices,
        ui: UiContext,
        runner: ActionRunner,
        parent: QWidget | None = None,
    ) -> None:
        texts, theme = ui.texts, ui.theme
        super().__init__(theme, colour="bg", parent=parent)
        self._services = services
        self._texts = texts
        self.model = runner.model
        self.runner = runner
        self._frame = AttentionLayout(theme, texts)
        self._banner = BannerText()
        self._in_front = True
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a press beside a button leaves the caret
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._timer = QTimer(self)
        self._timer.setInterval(ASK_MS)
        self._timer.timeout.connect(self.refresh)
        self._connect()
        self._put_frame()

    # --- for the window --------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show how things stand now, and ask the server what it knows beyond that."""
        self._read()
        if self.isVisible() and self._services.server.link is ServerLink.OURS:
            self.runner.ask_server()

    def choose(self, case_id: str) -> None:
        """Show one case, with the keyboard where its answer begins."""
        self._choose(case_id if self.model.has(case_id) else self.model.current_id)
        self._frame.side.reveal(case_id)
        self._frame.focus_case()

    def toggle_keys(self) -> None:
        """F1: the keys of this screen, or back to the case."""
        self._show_keys(not self.model.shows_keys)

    def show_drawer(self, shut: DrawerShut | None) -> None:
        """That the drawer did not open, until it does."""
        self.model.note_drawer(shut)
        if self.isVisible():
            self._read()

    def set_banner(self, told: BannerText) -> None:
        """What the sale's banner says, as long as it says so."""
        self._banner = told
        self._frame.banners.show_kind(told)

    def show_in_front(self, in_front: bool) -> None:
        """Whether the till has the keyboard: what is scanned elsewhere does not come here."""
        self._in_front = in_front
        self._frame.banners.show_in_front(in_front)

    def count(self) -> int:
        """How many things wait, as it is read now; 0 is the normal state."""
        self.model.load(thorough=False)
        return self.model.count()

    def receipt_scanned(self, code: str) -> bool:
        """A receipt's QR code answers the doubt that is shown; False when none is."""
        if self.model.shows_keys:
            self.toggle_keys()
        case = self.model.current
        action = case.on_scan(self._texts) if case is not None else None
        if action is None or self.runner.running:
            return False
        if self._steps is not None:
            self._steps.fill(action.takes, code)
        self.runner.run(action, code)
        return True

    def tell(self, words: str) -> None:
        """One line in the case that is shown, or where all is well."""
        self._frame.tell(News(words, is_done=False))

    @property
    def case(self) -> CaseView | None:
        return self._frame.case

    @property
    def _steps(self) -> StepsView | None:
        return self.case.steps if self.case is not None else None

    # --- keys ------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.ShortcutOverride:
            return super().event(event)
        if event.key() == Qt.Key.Key_Escape and self._is_deeper():
            event.accept()
        return event.isAccepted()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self._back()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self._press_main(event):
                return
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The window hands the keyboard over: it goes where the answer begins."""
        self._frame.focus_case()

    def _press_main(self, event: QKeyEvent) -> bool:
        """Enter is the one filled button of the case, once a press."""
        if self.model.shows_keys or self._steps is None or self._steps.isHidden():
            return False
        return event.isAutoRepeat() or self._steps.press_main()

    def _back(self) -> None:
        if self.model.shows_keys:
            self.toggle_keys()
        elif self.case is not None and self.case.lines is not None:
            self.case.toggle_lines()
        elif self.model.shows_solved:
            self._toggle_solved()
        else:
            self.back_pressed.emit()

    def _is_deeper(self) -> bool:
        lines = self.case is not None and self.case.lines is not None
        return lines or self.model.shows_solved or self.model.shows_keys

    def _step(self, by: int) -> None:
        self._choose(self._frame.side.step(self.model.current_id, by))
        self._frame.side.reveal(self.model.current_id, takes_focus=True)

    # --- what is chosen and said -----------------------------------------------------------------

    def _choose(self, case_id: str) -> None:
        if self.model.shows_keys:
            self.toggle_keys()
        self.model.choose(case_id)
        self._show()

    def _run_in_row(self, case_id: str, name: str) -> None:
        """A button in a row: its case is shown, where what comes of it is said."""
        self._choose(case_id)
        case = self.model.current
        if case is not None and case.id == case_id:
            actions = case.quick_actions(self._texts)
            self.runner.run(next(action for action in actions if action.name == name))

    def _toggle_solved(self) -> None:
        self.model.toggle_solved()
        if self.model.shows_keys:
            self.toggle_keys()
        self._show()
        self._frame.focus_case()

    def _tell(self, news: News) -> None:
        self.model.tell(news)
        self._frame.tell(news)

    def _show_entry_error(self, entry: str, words: str) -> None:
        if self._steps is None or not self._steps.show_error(entry, words):
            self._tell(News(words, is_trouble=True))

    def _show_running(self) -> None:
        if self._steps is not None:
            self._steps.show_running(self.runner.running)

    # --- what is shown ---------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()

    def leave(self) -> None:
        """The next visit begins with what needs a person first."""
        self._frame.unsay()
        if self.model.shows_keys:
            self._show_keys(False)
        self.model.leave()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._frame.take_width(event.size().width())

    def _read(self) -> None:
        self.model.load()
        self._show()
        self.counted.emit()
        self._take_back_if_ready()

    def _take_back_if_ready(self) -> None:
        """What was corrected here goes to the cart as soon as the old request is cancelled.

        Only while this screen is open: a cart never changes under the cashier's hands.
        """
        key = self.runner.corrected_key
        case = next((one for one in self.model.cases if one.id == key), None)
        if self.isVisible() and isinstance(case, ToTakeBack):
            self.runner.take_back(case.sale)

    def _put_frame(self) -> None:
        frame = self._frame
        frame.head.back.connect(self._back)
        frame.leave_keys.clicked.connect(self.toggle_keys)
        frame.side.chosen.connect(self._choose)
        frame.side.action_pressed.connect(self._run_in_row)
        frame.side.solved_pressed.connect(self._toggle_solved)
        self._column.addWidget(frame)
        frame.show()
        self.setAccessibleName(self._texts("att.title"))
        frame.take_width(self.width())
        frame.banners.show_kind(self._banner)
        frame.banners.show_in_front(self._in_front)
        self._show()
        frame.show_keys(self.model.shows_keys)

    def _show(self) -> None:
        """Everything as the model says it; a case that is the same keeps what was typed."""
        now = self._services.till.clock.now()
        facts = CaseFacts(self._services.server, now)
        self._frame.bar.set_clock(in_belgrade(now).strftime("%H:%M"))
        self._frame.head.set_title(self._texts("att.title"), self._summary())
        self._frame.side.show_model(self.model, facts)
        case = self.model.current
        if case is None:
            self._set_case(None)
        elif self.case is None or not self.case.show_case(case, facts):
            lines = self.model.lines(case)
            made = CaseView(self.theme, self._texts, case, lines, facts)
            made.fill(self.model.typed)
            if self.model.shows_lines:
                made.toggle_lines()
            made.typed.connect(self.model.type)
            made.lines_toggled.connect(self.model.show_lines)
            made.pressed.connect(self.runner.run)
            self._set_case(made)
        if self.case is not None and self.model.news is not None:
            self.case.tell(self.model.news)

    def _show_keys(self, shown: bool) -> None:
        self.model.show_keys(shown)
        self._frame.show_keys(shown)
        if not shown:
            self._frame.focus_case()

    def _summary(self) -> str:
        count = self.model.count()
        if not count:
            return self._texts("att.under_way" if self.model.is_under_way else "att.all_well")
        return counts_words(count, self.model.decisions, self._texts)

    def _set_case(self, case: CaseView | None) -> None:
        had_focus = self._frame.set_case(case)
        self._show_running()
        if case is not None and had_focus:
            self._frame.focus_case()

    def _connect(self) -> None:
        for key, by in ((Qt.Key.Key_Up, -1), (Qt.Key.Key_Down, 1)):
            # Before a button of the answer takes it, which would only pass the focus on.
            shortcut = QShortcut(key, self, context=_WITHIN)
            shortcut.activated.connect(partial(self._step, by))
        actions, queued = self.runner, Qt.ConnectionType.QueuedConnection
        actions.changed.connect(self._read, queued)
        actions.told.connect(self._tell, queued)
        actions.entry_wrong.connect(self._show_entry_error, queued)
        actions.running_changed.connect(self._show_running, queued)


class AttentionLayout(QWidget):
    """All widgets of the screen."""

    def __init__(self, theme: Theme, texts: Texts) -> None:
        super().__init__()
        self.head = ScreenHead(theme, back=texts("att.back"), key=ESCAPE, title=texts("att.title"))
        self.bar = TopBar(theme, self.head)
        self.banners = Banners(theme, behind=texts("banner.behind"))
        self.side = CaseList(theme, texts)
        self.case: CaseView | None = None
        self._said = Label(theme, wrap=True)
        self._said.hide()
        self._empty = _empty_state(theme, texts, self._said)
        self.leave_keys = Button(theme, texts("back"), icon="arrow-left", key=ESCAPE)
        self._keys = _keys(theme, texts, self.leave_keys)
        self._keys.hide()
        self._place = QVBoxLayout()
        self._place.addWidget(self._empty)
        self._place.addWidget(self._keys)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self.side)
        row.addLayout(self._place, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.banners)
        column.addLayout(row, 1)

    def tell(self, news: News) -> None:
        """What happened or failed, in the same place."""
        if self.case is not None:
            self.case.tell(news)
        self._said.setVisible(bool(news.words) and self.case is None)
        self._said.setText(news.words)

    def unsay(self) -> None:
        """What was said where all is well is over."""
        self._said.hide()

    def take_width(self, width: int) -> None:
        """The list keeps its share."""
        self.side.setFixedWidth(width * SIDE_PERMILLE // 1000)

    def set_case(self, case: CaseView | None) -> bool:
        """Show another case, or the empty state; whether the focus was in the one before."""
        had_focus = False
        if self.case is not None:
            focus: QWidget | None = self.case.focusWidget()
            had_focus = focus is not None and focus.hasFocus()
            self._place.removeWidget(self.case)
            self.case.hide()
            self.case.deleteLater()
        self.case = case
        if case is not None:
            self.unsay()
            self._place.addWidget(case)
        self._show_place()
        return had_focus

    def show_keys(self, shown: bool) -> None:
        """The keys of this screen in place of the case, or back."""
        self._keys.setVisible(shown)
        self._show_place()
        if shown:
            self.leave_keys.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_place(self) -> None:
        """The case or the empty state, unless the keys are in its place."""
        is_free = self._keys.isHidden()
        self._empty.setVisible(self.case is None and is_free)
        if self.case is not None:
            self.case.setVisible(is_free)

    def focus_case(self) -> None:
        """Put the focus where the answer begins."""
        if self.case is not None:
            self.case.focus_first()
        else:
            self.side.solved_key.setFocus()


def _keys(theme: Theme, texts: Texts, leave: Button) -> Scrolled:
    inside = QWidget()
    edge = theme.metrics.s4
    column = QVBoxLayout(inside)
    column.setContentsMargins(edge, edge, edge, edge)
    column.setSpacing(theme.metrics.s3)
    title = texts("ask.keys")
    column.addWidget(Label(theme, title, step=TypeStep.TITLE, weight=Weight.BOLD, wrap=True))
    column.addWidget(KeysGrid(theme, help_page(KeyPage.ATTENTION, texts)))
    column.addWidget(leave, 0, Qt.AlignmentFlag.AlignLeft)
    column.addStretch(1)
    area = Scrolled(theme, name=title)
    area.show_inside(inside)
    return area


def _empty_state(theme: Theme, texts: Texts, said: Label) -> QWidget:
    holder = QWidget()
    edge = theme.metrics.s4
    column = QVBoxLayout(holder)
    column.setContentsMargins(edge, edge, edge, edge)
    column.addWidget(EmptyState(theme, title=texts("att.empty"), words=texts("att.empty_words")))
    column.addWidget(said)
    column.addStretch(1)
    return holder
