"""The screen Attention: at the left what waits, by who must act; at the right one case.

Selling goes on meanwhile: nothing here holds a sale up, and leaving it loses nothing.
Sources: till.md ("Attention"), look.md (Screens, 4), exactly-once.md (step 12).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.attention.acknowledge_guide import AcknowledgeGuide
from pos_app.cashier.attention.acts import Acts
from pos_app.cashier.attention.case_texts import CaseFacts
from pos_app.cashier.attention.case_view import CaseView, News, made_of
from pos_app.cashier.attention.drawer_guide import DrawerGuide
from pos_app.cashier.attention.job_guide import JobGuide
from pos_app.cashier.attention.job_texts import AGAIN, PDF, SEEN
from pos_app.cashier.attention.layout import AttentionLayout
from pos_app.cashier.attention.model import AttentionModel
from pos_app.cashier.attention.pair_guide import PairGuide
from pos_app.cashier.attention.rows import Row
from pos_app.cashier.attention.steps import (
    DoubtGuide,
    OneAct,
    RefusedGuide,
    WaitingGuide,
)
from pos_app.cashier.file_viewer import Viewer
from pos_app.cashier.services import TillServices
from pos_app.cashier.status import counts_words
from pos_app.cashier.tasks import Tasks
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.panel import Ground
from pos_app.cashier.ui.theme import Theme
from pos_app.domain.instant import in_belgrade
from pos_app.selling.attention import AttentionKind
from pos_app.selling.drawer import DrawerShut
from pos_app.selling.server_watch import ServerLink

_WITHIN = Qt.ShortcutContext.WidgetWithChildrenShortcut
ASK_MS = 3000
"""Between two looks at clock and server while the screen is open."""


class AttentionScreen(Ground):
    """Signals: `back_pressed()`; `take_back(Sale)`, a cancelled sale that is to be sold again;
    `counted()`, it was read anew how much waits; `drawer_wanted()`, `drawer_seen()`."""

    back_pressed = Signal()
    drawer_wanted = Signal()
    drawer_seen = Signal()
    counted = Signal()
    take_back = Signal(object)

    def __init__(
        self, services: TillServices, texts: Texts, theme: Theme, tasks: Tasks,
        viewer: Viewer, *, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(theme, colour="bg", parent=parent)
        self._services = services
        self._texts = texts
        self._model = AttentionModel(services)
        self.acts = Acts(services, self._model, texts, tasks, viewer, parent=self)
        self._frame = AttentionLayout(theme, texts)
        self._news: News | None = None
        self._banner = ""
        self._in_front = True
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a press beside a button leaves the caret
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._timer = QTimer(self)
        self._timer.setInterval(ASK_MS)
        self._timer.timeout.connect(self.refresh)
        self._connect()
        self._model.load()
        self._put_frame()

    # --- for the window --------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show how things stand now, and ask the server what it knows beyond that."""
        self._read()
        if self.isVisible() and self._services.server.link is ServerLink.OURS:
            self.acts.ask_server()

    def choose(self, row_id: str) -> None:
        """Show one case, with the keyboard where its answer begins."""
        self._choose(row_id if self._model.has(row_id) else self._model.current_id)
        self._frame.side.list.ensure_seen(row_id)
        self._frame.focus_case()

    def toggle_keys(self) -> None:
        """F1: the keys of this screen, or back to the case."""
        self._frame.show_keys(not self._frame.shows_keys)

    def show_drawer(self, shut: DrawerShut | None) -> None:
        """That the drawer did not open, until it does."""
        self._model.drawer = shut
        if self.isVisible():
            self._read()

    def set_banner(self, words: str) -> None:
        """What the sale's banner says, as long as it says so; "" for none."""
        self._banner = words
        self._frame.set_banner(words)

    def show_in_front(self, in_front: bool) -> None:
        """Whether the till has the keyboard: what is scanned elsewhere does not come here."""
        self._in_front = in_front
        self._frame.behind.setVisible(not in_front)

    def count(self) -> int:
        """How many things wait, as it is read now; 0 is the normal state."""
        self._model.load(thorough=False)
        return self._model.count()

    @property
    def model(self) -> AttentionModel:
        """How things stand, as read last."""
        return self._model

    def receipt_scanned(self, code: str) -> bool:
        """A receipt's QR code answers the doubt that is shown; False when none is."""
        if self._frame.shows_keys:
            self.toggle_keys()
        guide, row = self._doubt_guide(), self._model.current
        if guide is None or row is None or self.acts.runs:
            return False
        guide.url.set_text(code)
        self.acts.found(row, code)
        return True

    def say(self, words: str) -> None:
        """One line in the case that is shown, or where all is well."""
        self._frame.say(words)

    @property
    def case(self) -> CaseView | None:
        """The case that is shown."""
        return self._frame.case

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
        if self._frame.shows_keys or self.case is None:
            return False
        if self.case.guide is None or self.case.lines is not None:
            return False
        return event.isAutoRepeat() or self.case.guide.press_main()

    def _back(self) -> None:
        if self._frame.shows_keys:
            self.toggle_keys()
        elif self.case is not None and self.case.lines is not None:
            self.case.toggle_lines()
        elif self._frame.side.shows_solved:
            self._toggle_solved()
        else:
            self.back_pressed.emit()

    def _is_deeper(self) -> bool:
        lines = self.case is not None and self.case.lines is not None
        return lines or self._frame.side.shows_solved or self._frame.shows_keys

    def _step(self, by: int) -> None:
        self._choose(self._frame.side.list.step(self._model.current_id, by))
        self._frame.side.list.reveal(self._model.current_id)

    # --- acts ------------------------------------------------------------------------------------

    def _choose(self, row_id: str) -> None:
        self._news = None
        if self._frame.shows_keys:
            self.toggle_keys()
        self._model.choose(row_id)
        self._show()

    def _answer_row(self, row_id: str, act: str) -> None:
        """A button in a row: its case is shown, where what comes of it is said."""
        self._choose(row_id)
        row, acts = self._model.current, self.acts
        if row is not None and row.id == row_id:
            {AGAIN: acts.job_again, SEEN: acts.job_seen, PDF: acts.open_receipt}[act](row)

    def _toggle_solved(self) -> None:
        self._frame.side.shows_solved = not self._frame.side.shows_solved
        rows = self._model.solved if self._frame.side.shows_solved else self._model.rows
        self._choose(rows[0].id if rows else "")
        self._frame.focus_case()

    def _doubt_guide(self) -> DoubtGuide | None:
        guide = self.case.guide if self.case is not None else None
        return guide if isinstance(guide, DoubtGuide) else None

    def _say(self, words: str) -> None:
        self._news = News(words)
        self._frame.tell(self._news)

    def _say_failed(self, words: str) -> None:
        """It stands until something else is done or chosen, whatever was said before."""
        self._tell_trouble(News(words, is_trouble=True))

    def _say_not_opened(self, words: str, file: Path) -> None:
        self._tell_trouble(News(words, is_trouble=True, file=file))

    def _tell_trouble(self, news: News) -> None:
        self._news = news
        self._frame.tell(news)

    def _say_address(self, words: str) -> None:
        guide = self._doubt_guide()
        if guide is not None:
            guide.url.set_error(words)
            guide.url.setFocus()

    def _show_running(self, what: str) -> None:
        guide = self.case.guide if self.case is not None else None
        if isinstance(guide, DoubtGuide | PairGuide):
            guide.set_running(what)

    # --- what is shown ---------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        self._timer.start()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """The next visit begins with what needs a person first."""
        self._timer.stop()
        self._news = None
        self._frame.unsay()
        if self._frame.shows_keys:
            self._frame.show_keys(False)
        self._frame.side.shows_solved = False
        self._model.choose("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._frame.take_width(event.size().width())

    def _read(self) -> None:
        self._model.load()
        self._show()
        self.counted.emit()
        self._take_back_if_ready()

    def _take_back_if_ready(self) -> None:
        """What was corrected here goes to the cart as soon as the old request is cancelled.

        Only while this screen is open: a cart never changes under the cashier's hands.
        """
        row = next((one for one in self._model.rows if one.id == self.acts.corrects), None)
        if self.isVisible() and row is not None and row.what is AttentionKind.TAKE_BACK:
            self.acts.take_back(row)

    def _rebuild(self) -> None:
        """All widgets anew, in the words and sizes of the moment."""
        old, self._frame = self._frame, AttentionLayout(self.theme, self._texts)
        self._column.removeWidget(old)
        old.hide()
        old.deleteLater()
        self._put_frame()

    def _put_frame(self) -> None:
        frame = self._frame
        frame.head.back.connect(self._back)
        frame.leave_keys.clicked.connect(self.toggle_keys)
        frame.side.chosen.connect(self._choose)
        frame.side.answered.connect(self._answer_row)
        frame.side.solved_pressed.connect(self._toggle_solved)
        self._column.addWidget(frame)
        frame.show()
        self.setAccessibleName(self._texts("att.title"))
        frame.take_width(self.width())
        frame.set_banner(self._banner)
        frame.behind.setVisible(not self._in_front)
        self._show()

    def _show(self) -> None:
        """Everything as the model says it; a case that is the same keeps what was typed."""
        model, texts = self._model, self._texts
        now = self._services.till.clock.now()
        standing = CaseFacts(self._services.server, now)
        self._frame.bar.set_clock(in_belgrade(now).strftime("%H:%M"))
        self._frame.head.set_title(texts("att.title"), self._summary())
        self._frame.side.show_model(model, standing)
        row = model.current
        if row is None:
            self._set_case(None)
        elif self.case is None or self.case.made_of != made_of(row, texts, standing):
            case = CaseView(self.theme, texts, row, model, standing)
            case.take_typed(self.case)
            self._set_case(case)
        else:
            self.case.show_row(row, standing)
        if self.case is not None and self._news is not None:
            self.case.tell(self._news)

    def _summary(self) -> str:
        count = self._model.count()
        if not count:
            return self._texts("att.under_way" if self._model.is_under_way else "att.all_well")
        return counts_words(count, self._model.decisions, self._texts)

    def _set_case(self, case: CaseView | None) -> None:
        had_focus = self._frame.set_case(case)
        if case is None:
            return
        case.lines_pressed.connect(case.toggle_lines)
        self._connect_guide(case)
        self._show_running(self.acts.runs)
        if had_focus:
            self._frame.focus_case()

    # --- wires -----------------------------------------------------------------------------------

    def _connect(self) -> None:
        for key, by in ((Qt.Key.Key_Up, -1), (Qt.Key.Key_Down, 1)):
            # Before a button of the answer takes it, which would only pass the focus on.
            shortcut = QShortcut(key, self, context=_WITHIN)
            shortcut.activated.connect(partial(self._step, by))
        acts, queued = self.acts, Qt.ConnectionType.QueuedConnection
        acts.changed.connect(self._read, queued)
        acts.said.connect(self._say, queued)
        acts.failed.connect(self._say_failed, queued)
        acts.not_opened.connect(self._say_not_opened, queued)
        acts.address_wrong.connect(self._say_address, queued)
        acts.running.connect(self._show_running, queued)
        acts.taken.connect(self.take_back)
        self._texts.changed.connect(self._rebuild)
        self.theme.changed.connect(self._rebuild)

    def _connect_guide(self, case: CaseView) -> None:
        acts = self.acts
        match case.guide:
            case DoubtGuide() as guide:
                guide.look_again.connect(lambda: acts.look_again(case.row))
                guide.found.connect(lambda url: acts.found(case.row, url))
                guide.absent.connect(lambda manager: acts.absent(case.row, manager))
            case RefusedGuide() as guide:
                guide.correct.connect(lambda: acts.correct(case.row))
                guide.again.connect(lambda: acts.again(case.row))
                guide.drop.connect(lambda reason: acts.drop(case.row, reason))
            case WaitingGuide() as guide:
                guide.drop.connect(lambda reason: acts.drop(case.row, reason))
            case AcknowledgeGuide() as guide:
                guide.seen.connect(lambda manager: acts.alarm_seen(case.row, manager))
            case JobGuide() as guide:
                guide.again.connect(lambda: acts.job_again(case.row))
                guide.seen.connect(lambda: acts.job_seen(case.row))
                guide.pdf.connect(lambda: acts.open_receipt(case.row))
            case DrawerGuide() as guide:
                guide.again.connect(self.drawer_wanted)
                guide.seen.connect(self.drawer_seen)
            case PairGuide() as guide:
                guide.again.connect(lambda manager: acts.pair_again(case.row, manager))
                guide.reverse.connect(lambda manager: acts.reverse_pair(case.row, manager))
            case OneAct() as guide:
                guide.done.connect(lambda: self._end_case(case.row))

    def _end_case(self, row: Row) -> None:
        if row.what is AttentionKind.TAKE_BACK:
            self.acts.take_back(row)
        elif row.what is AttentionKind.SERVER_FAILS:
            self.acts.start_server()
        else:
            self.acts.seen(row)
