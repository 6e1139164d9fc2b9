"""Money that comes in later: the way into its form and out of it, and the question before something
is taken back. Source: till.md ("Reports")."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.reports.collect_page import COLLECT, TAKE_BACK, CollectBar, CollectPage
from pos_app.cashier.reports.room import ReportsRoom
from pos_app.cashier.ui.buttons import Button, ButtonKind
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.window.frame import Frame
from pos_app.cashier.window.screens import REPORTS
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.errors import Invalid, PosError


class CollectActs(QObject):
    """bar, page, question: what the screen lays out. Signals: `moved()`, the form is opened or
    left; `begun()`, another act is begun; `told(str)`, why an act was refused; `asked()`, a
    question is shown or gone; `answered()`."""

    moved = Signal()
    begun = Signal()
    told = Signal(str)
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

    def begin(self) -> None:
        if self._model.is_asking or self._model.asks_back:
            self._refuse()
            return
        try:
            self._model.begin_collecting()
        except Invalid as error:
            self._refuse()
            self.told.emit(self._texts.error(error).happened)
            return
        self.moved.emit()

    def leave(self) -> None:
        """Close the form; what is typed stays in it."""
        self._model.is_collecting = False
        self.moved.emit()

    def _collect(self) -> None:
        if not self._model.is_collecting:
            return
        self.begun.emit()
        try:
            self._room.collect()
        except Invalid as error:
            self._refuse()
            self.page.show_error(error)
            return
        except PosError as error:
            self._frame.tell_failure(error, of=REPORTS)
            return
        self.moved.emit()

    def _ask_back(self) -> None:
        """Ask whether what is chosen, or what was written down last, is to be taken back."""
        if self._model.is_asking or self._model.asks_back:
            self._refuse()
            return
        self.begun.emit()
        try:
            self._model.ask_back()
        except Invalid as error:
            self._refuse()
            self.told.emit(self._texts.error(error).happened)
        except PosError as error:
            self._frame.tell_failure(error, of=REPORTS)
        self.show_question()

    def _take_back(self) -> None:
        if not self._model.asks_back:
            return
        try:
            self._room.take_back()
        except Invalid as error:
            self.end_question()
            self._refuse()
            self.told.emit(self._texts.error(error).happened)
            return
        except PosError as error:
            self._frame.tell_failure(error, of=REPORTS)
        self.end_question()

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
