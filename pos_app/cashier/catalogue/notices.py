"""The notice above the table: a question, the result of an act, or the progress of long work. Long
work lives as long as the window and is only shown here; no other long work begins meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.catalogue.model import CatalogueModel
from pos_app.cashier.catalogue.work import LongWork, WorkName
from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.services.long_work import FilePoll, WorkNotice
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.words.article_texts import named_list, over_words, reached_words
from pos_app.domain.text.instant import day_of
from pos_app.errors import PosError
from pos_app.selling.catalogue.bulk_act import ActKind, BulkAct, EndingName
from pos_app.selling.catalogue.files import ImportPlan
from pos_app.selling.catalogue.price_labels import labels_due
from pos_app.selling.file_work import FileWork


class CatalogueNotices(QWidget):
    """Signals: `busy(bool)`, long work began or ended; `planned(ImportPlan, Path, object)`, what a
    file would change, and the index of the column answered last, or None; `question_ended()`, a
    question was left or answered, so the focus goes back to the table; `take_back_wanted()`, the
    last change of many articles shall be taken back; `carry_on_wanted()`, the act that was stopped
    shall be carried on; `refused_wanted(ImportPlan)`, the plan's refused rows shall be saved;
    `refused_saved(str)`, words that say that they are saved; `labels_wanted()`, the labels of
    coming prices shall be shown."""

    busy = Signal(bool)
    planned = Signal(object, object, object)
    carry_on_wanted = Signal()
    question_ended = Signal()
    take_back_wanted = Signal()
    refused_wanted = Signal(object)
    refused_saved = Signal(str)
    labels_wanted = Signal()

    def __init__(self, model: CatalogueModel, long_work: LongWork, ui: UiContext) -> None:
        super().__init__()
        self._model = model
        self._long = long_work
        self.texts = ui.texts
        self._theme = ui.theme
        self._work_notice: WorkNotice | None = None
        self._notice: NoticePanel | None = None
        self._refusal: NoticePanel | None = None
        """The notice that says why an act on a row was refused."""
        self._offer: NoticePanel | None = None
        """The notice that offers the preview of a file."""
        self._told: object = None
        """The report that was shown here last."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(ui.theme.metrics.s2)
        self.hide()

    @property
    def is_asking(self) -> bool:
        return self._notice is not None

    # --- a question, a word ----------------------------------------------------------------------

    def ask(
        self,
        kind: NoticeKind,
        *,
        happened: str,
        safe: str,
        safe_answer: Button,
        buttons: Sequence[Button],
        first: Button | None = None,
        icon: str = "",
    ) -> None:
        """Ask a question; a press of any button first puts the question away. first: the button
        that gets the focus, if that is not the safe answer."""
        self._put(
            NoticePanel(
                self._theme,
                kind,
                happened=happened,
                safe=safe,
                press="",
                safe_answer=safe_answer,
                buttons=buttons,
                icon=icon,
            ),
            (safe_answer, *buttons),
        )
        (first or safe_answer).setFocus(Qt.FocusReason.OtherFocusReason)

    def show_notice(
        self,
        text: str,
        more: str = "",
        why: str = "",
        *,
        is_well: bool = True,
        is_done: bool = True,
        acts: Sequence[Button] = (),
    ) -> None:
        """Show a result until its button, or a button of `acts`, is pressed. is_done: False of what
        is well, and of which something is still to be done."""
        close = Button(self._theme, self.texts("ok"), key=ESCAPE)
        well = NoticeKind.DONE if is_done else NoticeKind.INFO
        self._put(
            NoticePanel(
                self._theme,
                well if is_well else NoticeKind.WARN,
                happened=text,
                safe=more,
                press=why,
                safe_answer=close,
                buttons=acts,
            ),
            (close, *acts),
        )

    def take_back_button(self) -> Button:
        button = Button(self._theme, self.texts("cat.take_back"), icon="undo-2")
        button.clicked.connect(self.take_back_wanted)
        return button

    def refused_button(self, plan: ImportPlan) -> Button:
        button = Button(self._theme, self.texts("cat.import.save_refused"), icon="save")
        button.clicked.connect(lambda: self.refused_wanted.emit(plan))
        return button

    def show_refusal(self, why: str) -> None:
        """Show why an act on a row was refused; with "", take that away, because another act
        begins."""
        if self._refusal is not None and self._refusal is self._notice:
            self._drop_notice()
        if why:
            self.show_notice(why, is_well=False)
            self._refusal = self._notice

    def show_failure(self, error: PosError) -> None:
        notice = self.texts.error(error)
        self.show_notice(notice.happened, notice.safe, notice.press, is_well=False)

    def put_away(self) -> None:
        if self._notice is not None:
            self.forget_result()
            self._drop_notice()
            self.question_ended.emit()

    def _put(self, notice: NoticePanel, buttons: Sequence[Button]) -> None:
        """Show a notice until one of its buttons is pressed; that may put another one in its
        place."""
        for button in buttons:
            button.clicked.connect(lambda: self.put_away() if self._notice is notice else None)
        self._drop_notice()
        self._notice = notice
        self._column.addWidget(notice)
        notice.show()
        self.show()

    def _drop_notice(self) -> None:
        notice, self._notice = self._notice, None
        self._drop(notice)

    def _drop(self, notice: QWidget | None) -> None:
        if notice is not None:
            self._column.removeWidget(notice)
            notice.hide()
            notice.deleteLater()
        self.setVisible(self._notice is not None or self._work_notice is not None)

    # --- long work -------------------------------------------------------------------------------

    def may_begin(self) -> bool:
        """Tell whether long work can begin now; while other work runs, say why not."""
        if self._long.work is None:
            return True
        self._model.services.tones.play("no")
        self.show_refusal(self.texts("cat.busy"))
        return False

    def follow_act(
        self, begin: Callable[[], FileWork], name: WorkName, products: Sequence[str] = ()
    ) -> None:
        """Begin an act on many articles, and show its progress and its result at the end; while
        other work runs, say why not."""
        if self.may_begin():
            self._long.follow_act(self._model, begin(), name, products)

    def follow_file(
        self,
        begin: Callable[[], FileWork],
        name: WorkName,
        then: Callable[[CatalogueNotices, Any], None],
        *,
        note: Callable[[Any], None] = lambda _: None,
        writes: bool = False,
    ) -> None:
        """Begin a file act and show its progress; while other work runs, say why not. then: shows
        its result in the notices of that moment, because these notices may be gone. note: takes the
        result into the model at the end of the work. writes: it may have written articles, also
        where it failed or was stopped."""
        if not self.may_begin():
            return
        model, is_act = self._model, name in ("import", "take_back")

        def end(result: object, is_stopped: bool) -> None:
            if is_act:
                model.many.end(result, is_stopped=is_stopped)
            if not is_stopped and not isinstance(result, PosError):
                note(result)
            if writes:
                model.show_written()

        def show_result(notices: CatalogueNotices, result: object, is_stopped: bool) -> None:
            if isinstance(result, PosError) and not is_act:
                notices.show_failure(result)
            elif is_act and (is_stopped or isinstance(result, PosError)):
                notices.show_outcome()
            elif is_stopped:
                notices.show_notice(notices.texts("cat.stopped"), is_done=False)
            else:
                then(notices, result)

        self._long.begin(FilePoll(begin(), self._long), name, end, show_result)

    def tell_result(self) -> None:
        """Show the result of the last work, unless these notices have shown it."""
        report = self._long.report
        if report is not None and report is not self._told:
            self._told, self._long.is_told = report, True
            report(self)
            self._model.many.forget_begun()

    def offer_plan(self, name: str, show: Callable[[], None]) -> None:
        """Say that a file was read while something else is typed; a button shows the preview. Other
        widgets, or the next visit, say so again."""
        self._long.is_told = False
        act = Button(self._theme, self.texts("cat.import.show"), icon="file-spreadsheet")
        act.clicked.connect(show)
        self.show_notice(self.texts("cat.import.read", file=name), is_done=False, acts=(act,))
        self._offer = self._notice

    def drop_offer(self) -> None:
        """Take the offer away, because the preview is shown; it is told again where the widgets are
        made anew."""
        if self._offer is not None and self._offer is self._notice:
            self._drop_notice()
        self._offer = None

    def forget_result(self) -> None:
        """Forget the result of the last work, because somebody has read it here. A preview that
        waits is told again, until it was seen."""
        if self._long.report is self._told and self._long.is_told:
            self._long.forget()

    def show_work(self) -> None:
        work = self._long.work
        if work is None:
            return
        self.put_away()
        words = self.texts(f"cat.work.{self._long.name}")
        self._work_notice = WorkNotice(self._theme, self.texts, work, words)
        self._column.addWidget(self._work_notice)
        self._work_notice.show()
        self.show()
        self.busy.emit(True)

    def hide_work(self) -> None:
        notice, self._work_notice = self._work_notice, None
        self._drop(notice)
        self.busy.emit(False)

    def show_outcome(self) -> None:
        """Show the result of an act on many articles; of one that was stopped or failed a person
        decides the rest."""
        outcome, texts = self._model.many.outcome, self.texts
        if outcome is None:
            return
        why = texts.error(outcome.error).happened if outcome.error is not None else ""
        if outcome.open is not None:
            self._ask_rest(outcome.open, why)
            return
        if outcome.error is not None and not (
            outcome.changed or outcome.failed or outcome.left_out
        ):
            self.show_failure(outcome.error)
            return
        text = texts.count(f"cat.done.{outcome.kind}", outcome.changed)
        if outcome.prices > outcome.changed:
            prices = texts.count("cat.bulk.prices", outcome.prices)
            text = texts.count("cat.done.plan_prices", outcome.changed, prices=prices)
        wrong = texts.count("cat.done_not", outcome.failed) if outcome.failed else ""
        wrong = f"{wrong} {self.left_words(outcome.left_out, outcome.names)}".strip()
        if outcome.ends is not None and outcome.ends_stays:
            wrong = f"{wrong} {texts('cat.names.stays', name=outcome.ends.name)}".strip()
        elif outcome.ends is not None:
            text = f"{text} {self._ended_words(outcome.ends)}"
        acts = (self.take_back_button(),) if self._model.many.can_take_back() else ()
        self.show_notice(text, wrong, why, is_well=not (wrong or why), acts=acts)
        self.question_ended.emit()

    def _ended_words(self, ends: EndingName) -> str:
        if ends.into:
            return self.texts("cat.names.merged", name=ends.name, into=ends.into)
        return self.texts("cat.names.gone", name=ends.name)

    def left_words(self, many: int, names: Sequence[str]) -> str:
        """Which articles stay, because something else changed them; "" for none."""
        named = named_list(names, many)
        return self.texts.count("cat.take_back.left", many, names=named) if many else ""

    def ask_open_act(self) -> None:
        """Ask what becomes of an act that was stopped, unless something runs or is asked, or the
        catalogue is locked."""
        if self._model.is_open and self._long.work is None and not self.is_asking:
            act = self._model.many.open_act()
            if act is not None:
                self._ask_rest(act)

    def offer_labels(self) -> None:
        """From the day before planned prices begin or end, say that their labels are not printed,
        unless something else is told or asked here."""
        if not self._model.is_open or self._long.work is not None or self.is_asking:
            return
        services = self._model.services
        now = services.till.clock.now()
        day, many = labels_due(services.catalogue, now)
        if many:
            labels = Button(self._theme, self.texts("cat.band.labels"), icon="barcode")
            when = "today" if day == day_of(now) else "tomorrow"
            told = self.texts.count(f"cat.coming.{when}", many)
            self.show_notice(told, is_done=False, acts=(labels,))
            labels.clicked.connect(self.labels_wanted)  # once the focus has left the notice

    def _ask_rest(self, act: BulkAct, why: str = "") -> None:
        """Ask whether the rest of an act is made, what was made is taken back, or all stays so."""
        texts = self.texts
        if act.is_over:
            self._tell_over(act)
            return
        go_on = Button(self._theme, texts("cat.act.carry_on"), icon="refresh-cw")
        go_on.clicked.connect(self.carry_on_wanted)
        leave = Button(self._theme, texts("cat.act.leave"))
        leave.clicked.connect(self._leave_rest)
        buttons = [go_on]
        if act.kind is not ActKind.TAKE_BACK and act.done:
            buttons.insert(0, self.take_back_button())
        reached = reached_words(act, texts)
        happened = texts("cat.act.stopped", what=act_words(act, texts), reached=reached)
        self._put(
            NoticePanel(
                self._theme,
                NoticeKind.WARN,
                happened=happened,
                safe=texts("cat.act.words"),
                press=why,
                safe_answer=leave,
                buttons=buttons,
            ),
            (leave, *buttons),
        )
        self.question_ended.emit()

    def _tell_over(self, act: BulkAct) -> None:
        """Say what was done of an act whose outcome nobody was told before the till ended."""
        texts = self.texts
        can_go_back = act.done and act.kind is not ActKind.TAKE_BACK
        self.show_notice(
            over_words(act, texts),
            texts("cat.act.was_cut"),
            "" if act.done else texts("cat.act.again"),
            is_well=bool(act.done),
            is_done=False,
            acts=(self.take_back_button(),) if can_go_back else (),
        )
        self._leave_rest()
        self.question_ended.emit()

    def _leave_rest(self) -> None:
        try:
            self._model.many.leave_open_act()
        except PosError as error:
            self.show_failure(error)


def act_words(act: BulkAct, texts: Texts) -> str:
    """An act on many articles in words: "Change of articles"."""
    return texts(f"cat.act.{act.kind}")
