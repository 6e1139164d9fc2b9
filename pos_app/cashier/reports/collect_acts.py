"""Money that comes in later: the way into its form and out of it, and the question before something
is taken back. Source: till.md ("Reports")."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.reports.collect_page import COLLECT, TAKE_BACK, CollectBar, CollectPage
from pos_app.cashier.reports.room import ReportsRoom
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import REPORTS
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.errors import Invalid, PosError


class CollectActs(QObject):
    """bar, page, question: what the screen lays out. Signals: `moved()`, the form is opened or
    left; `begun()`, another act is begun; `told(Say)`, why an act was refused; `asked()`, a
    question is shown or gone; `answered()`."""

    moved = Signal()
    begun = Signal()
    told = Signal(object)
    asked = Signal()
    answered = Signal()

    def __init__(self, frame: Frame, room: ReportsRoom) -> None:
        super().__init__()
        self._frame, self._room, self._model = frame, room, room.model
        self._texts, self._theme = frame.ui.texts, frame.ui.theme
        self.bar = CollectBar(self._theme, self._texts)
        self.page = CollectPage(self._theme, self._texts)
        self.question = QWidget()
        self.question.hide()
        self._asked_at = QVBoxLayout(self.question)
        self._asked_at.setContentsMargins(0, 0, 0, 0)
        self._panel: NoticePanel | None = None
        self.bar.buttons[COLLECT].clicked.connect(self.begin)
        self.bar.buttons[TAKE_BACK].clicked.connect(self._ask_back)
        self.page.entered.connect(self._collect)
        self.page.refused.connect(self._refuse)

    def _refuse(self) -> None:
        self._frame.home.tone("no")

    def press(self, letter: str) -> None:
        button = self.bar.buttons[letter]
        if self.bar.isHidden() or button.isHidden() or not button.isEnabled():
            self._refuse()
        else:
            button.click()

    def _refuse_words(self, error: Invalid) -> None:
        self._refuse()
        self.told.emit(lambda texts: texts.error(error).happened)

    def _refuse_while_asking(self) -> bool:
        is_asking = bool(self._model.is_asking or self._model.asks_back)
        if is_asking:
            self._refuse()
        return is_asking

    def _done(self, act: Callable[[], object], refuse: Callable[[Invalid], None]) -> bool:
        """Do an act, and return whether it was done. refuse: tells why it can't be done so."""
        try:
            act()
        except Invalid as error:
            refuse(error)
        except PosError as error:
            self._frame.tell_failure(error, of=REPORTS)
        else:
            return True
        return False

    def begin(self) -> None:
        if self._refuse_while_asking():
            return
        if self._done(self._model.begin_collecting, self._refuse_words):
            self.moved.emit()

    def leave(self) -> None:
        """Close the form; what is typed stays in it."""
        self._model.is_collecting = False
        self.moved.emit()

    def _collect(self) -> None:
        if not self._model.is_collecting:
            return
        self.begun.emit()
        self._done(lambda: self._room.ask_owed(self._write), self._refuse_field)

    def _write(self) -> None:
        """Write the money down, unless the form was left while the server was asked."""
        if self._model.is_collecting and self._done(self._room.collect, self._refuse_field):
            self.moved.emit()

    def _refuse_field(self, error: Invalid) -> None:
        self._refuse()
        self.page.show_error(error)

    def _ask_back(self) -> None:
        """Ask whether what is chosen, or what was written down last, is to be taken back."""
        if self._refuse_while_asking():
            return
        self.begun.emit()
        self._done(self._model.ask_back, self._refuse_words)
        self.show_question()

    def _take_back(self) -> None:
        if self._model.asks_back:
            self._done(self._room.take_back, self._refuse_back)
            self.end_question()

    def _refuse_back(self, error: Invalid) -> None:
        self.end_question()  # the foot is shown for what stands without the question
        self._refuse_words(error)

    def end_question(self) -> None:
        self._model.asks_back = ()
        self.show_question()
        self.answered.emit()

    def show_question(self) -> None:
        asked, texts = self._model.asks_back, self._texts
        if (self._panel is None) is not bool(asked):
            return
        if self._panel is not None:
            self._panel.hide()
            self._panel.deleteLater()
            self._panel = None
            self.question.hide()
        if asked:
            total = Money.total(one.amount for one in asked)
            back = "" if total > Money.ZERO else ".back"
            no = Button(self._theme, texts("rep.take_back.no"), key=ESCAPE)
            yes = Button(self._theme, texts(f"rep.take_back.yes{back}"), kind=ButtonKind.DANGER)
            no.clicked.connect(self.end_question)
            yes.clicked.connect(self._take_back)
            self._panel = NoticePanel(
                self._theme,
                NoticeKind.WARN,
                happened=texts.count("rep.take_back.asked", len(asked), amount=amount_text(total)),
                safe=texts(f"rep.take_back.means{back}"),
                press="",
                safe_answer=no,
                buttons=(yes,),
            )
            self._asked_at.addWidget(self._panel)
            self.question.show()
            no.setFocus(Qt.FocusReason.OtherFocusReason)
        self.asked.emit()
