"""The page of backups: their state, a backup now, a second folder, the time of each day's backup,
and the list of sets.

Sources: look.md (Screens, 8), till.md (Settings).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from pos_app.cashier.commands import ESCAPE
from pos_app.cashier.services.long_work import FilePoll, WorkNotice
from pos_app.cashier.settings import parts
from pos_app.cashier.settings.backup_model import BackupModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.file_chooser import file_chooser
from pos_app.cashier.ui.keyboard_layout import InputKind
from pos_app.cashier.ui.labels import Label
from pos_app.cashier.ui.metrics import Weight
from pos_app.cashier.ui.notice import NoticeKind, NoticePanel
from pos_app.cashier.ui.panel import Divider, clear_layout
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.words.moments import moment_text
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.setup.backup import BackupSet, Lacking, Outlook
from pos_app.selling.backups import DAILY, FOLDER
from pos_app.selling.file_work import FileWork

_OLD = timedelta(days=2)


class BackupPage(parts.SetupPage):
    def __init__(self, model: BackupModel, ui: UiContext, start: parts.Start) -> None:
        self.sets = SetsPanel(model, ui)
        name = ui.texts("set.page.backup")
        form = BackupForm(model, ui)
        super().__init__(model, ui, start, form, name=name, below=(self.sets,))
        self._model, self._texts, self._start = model, ui.texts, start
        self.show_model()

    def refresh(self) -> None:
        """Show the age anew. Look at the backups when something changed, and at what hinders a
        restore."""
        super().refresh()
        model = self._model
        if model.is_outdated and model.has_server and model.is_idle:
            model.is_outdated = False  # a failed look is not tried again by itself
            self._start(model.load(), "look at the backups")
        if model.outlook is not None:
            self.sets.show_model()  # a hindrance may be over

    def show_model(self) -> None:
        super().show_model()
        self.sets.show_model()

    def standing(self) -> tuple[StateKind | None, str]:
        kind, words = super().standing()
        if kind is None and self._model.is_made:
            return StateKind.DONE, self._texts("set.backup.made")
        return kind, words

    def fault_words(self) -> str:
        return self._texts("set.backup.fault.folder") if self._model.fault else ""


class BackupForm(parts.SetupForm):
    def __init__(self, model: BackupModel, ui: UiContext) -> None:
        super().__init__()
        self._model, self._ui, self._texts = model, ui, ui.texts
        texts, theme = ui.texts, ui.theme
        self.now = Button(theme, texts("set.backup.now"), icon="database-backup")
        self.folder = Field(
            theme, name=texts("set.backup.folder"), takes=InputKind.ADDRESS, mono=True
        )
        self.choose = Button(theme, texts("set.backup.choose"), icon="folder")
        self.clear = Button(theme, texts("set.backup.no_second"), icon="x")
        whether = [texts(f"set.backup.daily.{one}") for one in ("yes", "no")]
        self.daily = Segment(theme, whether, name=texts("set.backup.daily"))
        self._facts, self._given = parts.FactRows(theme), parts.GivenPanel(theme, ui.texts)
        self._running = QVBoxLayout()
        self._shown_work: FilePoll | None = None
        self._lay_out()
        self.now.clicked.connect(model.begin)
        self.folder.changed.connect(self._type)
        self.choose.clicked.connect(self._choose_folder)
        self.clear.clicked.connect(self._no_second)
        self.daily.chosen.connect(
            lambda number: model.change(replace(model.draft, daily=number == 0))
        )
        self.show_model()

    def _lay_out(self) -> None:
        texts, theme = self._texts, self._ui.theme
        state = parts.HeadedPanel(theme, texts("set.backup.state"))
        state.column.addWidget(Label(theme, texts("set.backup.words"), colour="ink_2", wrap=True))
        state.column.addWidget(self._facts)
        state.column.addLayout(self._running)
        state.column.addWidget(self.now, 0, Qt.AlignmentFlag.AlignLeft)
        second = parts.HeadedPanel(theme, texts("set.backup.second"))
        second.column.addWidget(
            Label(theme, texts("set.backup.second_words"), colour="ink_2", wrap=True)
        )
        second.column.addWidget(
            parts.Titled(theme, texts("set.backup.folder"), self.folder, self.choose, self.clear)
        )
        daily = parts.HeadedPanel(theme, texts("set.backup.daily"))
        is_demo = self._model.services.settings.environment == "demo"
        words = texts("set.backup.daily_of_demo" if is_demo else "set.backup.daily_words")
        daily.column.addWidget(Label(theme, words, colour="ink_2", wrap=True))
        if is_demo:
            self.daily.hide()
        daily.column.addWidget(self.daily)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.metrics.s3)
        for part in (state, second, daily, self._given):
            column.addWidget(part)

    def refresh(self) -> None:
        self._facts.show_facts(self._facts_now())

    def focus_first(self) -> None:
        self.now.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what is shown ---------------------------------------------------------------------------

    def show_model(self) -> None:
        model, texts = self._model, self._texts
        self._show_work()
        self._facts.show_facts(self._facts_now())
        is_free = model.has_server and model.is_idle
        parts.allow_if(self.now, is_free, texts("set.backup.busy"))
        parts.show_in(self.folder, model.draft.folder)
        self.folder.set_error(texts("set.backup.fault.folder") if model.fault else "")
        self.daily.set_current(0 if model.draft.daily else 1)
        given = texts("set.fact.given")
        is_given = model.is_given(FOLDER)
        for button in (self.choose, self.clear):
            if is_given:
                button.refuse(given)
        if not is_given:
            parts.allow_if(self.clear, bool(model.draft.folder), texts("set.backup.second_none"))
        self.folder.setEnabled(not is_given)
        self.daily.setEnabled(not model.is_given(DAILY))
        names = model.setup.given_elsewhere if model.setup is not None else ()
        self._given.show_given(names)

    def _show_work(self) -> None:
        work = self._model.work
        if work is self._shown_work:
            return
        clear_layout(self._running)
        self._shown_work = work
        if work is not None:
            words = self._texts("set.backup.running")
            self._running.addWidget(WorkNotice(self._ui.theme, self._texts, work, words))

    def _facts_now(self) -> list[parts.Fact]:
        here, texts, model = self._model.here, self._texts, self._model
        if here is None:
            return []
        now = model.services.till.clock.now()
        entries = [self._newest(now)]
        if here.last is not None and here.last.error is not None:
            when = moment_text(here.last.at)
            words = texts("set.backup.failed", when=when, why=texts.error(here.last.error).happened)
            entries.append(parts.Fact(texts("set.backup.last_try"), words, StateKind.FAILED))
        elif here.last is not None and here.last.second_words:
            words = texts("set.backup.second_missed", when=moment_text(here.last.at))
            entries.append(parts.Fact(texts("set.backup.last_try"), words, StateKind.DECIDE))
        puts_back = model.services.puts_back
        if puts_back is not None and puts_back.fault is not None:
            words = texts.error(puts_back.fault).happened
            entries.append(parts.Fact(texts("set.backup.not_put_back"), words, StateKind.FAILED))
        size = sum(one.size for one in here.sets)
        many = texts("set.backup.none_kept")
        if model.sets:
            many = texts.count("set.backup.many", len(model.sets), size=_size(size, texts))
        entries.append(parts.Fact(texts("set.backup.sets"), many))
        if here.free is not None:
            entries.append(parts.Fact(texts("set.backup.free"), _size(here.free, texts)))
        if here.second_free is not None:
            entries.append(
                parts.Fact(texts("set.backup.second_free"), _size(here.second_free, texts))
            )
        entries.append(parts.Fact(texts("set.backup.place"), here.folder, is_mono=True))
        return entries

    def _newest(self, now: datetime) -> parts.Fact:
        texts, sets = self._texts, self._model.sets
        label = texts("set.backup.newest")
        if not sets:
            return parts.Fact(label, texts("set.backup.none"), StateKind.DECIDE)
        made_at = sets[0][0].made_at
        is_old = now - made_at > _OLD
        words = f"{_age(now - made_at, texts)} ({moment_text(made_at)})"
        return parts.Fact(label, words, StateKind.DECIDE if is_old else StateKind.DONE)

    # --- typed -----------------------------------------------------------------------------------

    def _type(self, text: str) -> None:
        if text != self._model.draft.folder:
            self._model.change(replace(self._model.draft, folder=text))

    def _no_second(self) -> None:
        self._type("")

    def _choose_folder(self) -> None:
        chooser = file_chooser(self, self._texts, "set.backup.folder", folder=True)
        chooser.fileSelected.connect(self._type)
        chooser.open()


class SetsPanel(parts.HeadedPanel):
    """Lists the sets with their content. A press reads a set, shows what would be missing with it,
    and asks whether to put it back."""

    def __init__(self, model: BackupModel, ui: UiContext) -> None:
        super().__init__(ui.theme, ui.texts("set.backup.list"))
        self._model, self._texts, self._theme = model, ui.texts, ui.theme
        self._rows = QVBoxLayout()
        self._rows.setSpacing(ui.theme.metrics.s2)
        self.column.addLayout(self._rows)
        self._shown_sets: tuple[tuple[BackupSet, bool], ...] | None = None
        self._questions = parts.QuestionSlots(self._question)
        self._buttons: dict[str, Button] = {}
        self._why: str | None = ""

    def show_model(self) -> None:
        model = self._model
        if model.sets != self._shown_sets:
            self._questions.take_away()
            self._shown_sets = model.sets
            clear_layout(self._rows)
            self._buttons = {}
            for number, (one, is_twice) in enumerate(model.sets):
                if number:
                    self._rows.addWidget(Divider(self._theme))
                self._rows.addWidget(self._row(one, is_twice=is_twice))
                self._rows.addLayout(self._questions.at(one.name))
        self.setVisible(bool(model.sets))
        for button in self._buttons.values():
            parts.allow_if(button, model.is_idle, self._texts("set.backup.busy"))
        name = "" if model.asked is None else model.asked.name
        why = "" if model.outlook is None else model.hindrance
        if model.outlook is not None and why != self._why:
            self._questions.take_away()
        self._why = why
        self._questions.show(model.looking or model.outlook, name)

    def _row(self, backup_set: BackupSet, *, is_twice: bool) -> QWidget:
        texts, theme, metrics = self._texts, self._theme, self._theme.metrics
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(metrics.s3)
        words = QVBoxLayout()
        words.setSpacing(0)
        why = texts(f"set.backup.why.{backup_set.why}", version=backup_set.version)
        head = f"{moment_text(backup_set.made_at)} · {why}"
        words.addWidget(Label(theme, head, weight=Weight.SEMIBOLD, wrap=True))
        words.addWidget(Label(theme, self._holds(backup_set, is_twice), colour="ink_2", wrap=True))
        row.addLayout(words, 1)
        button = Button(theme, texts("set.backup.look"))
        button.setAccessibleName(f"{texts('set.backup.look')}, {head}")
        button.clicked.connect(lambda _=False: self._look(backup_set))
        self._buttons[backup_set.name] = button
        row.addWidget(button)
        return whole

    def _holds(self, backup_set: BackupSet, is_twice: bool) -> str:
        texts = self._texts
        parts = [_size(backup_set.size, texts)]
        if backup_set.holds is not None:
            parts.append(texts.count("set.backup.receipts", backup_set.holds.receipts))
            if backup_set.holds.last_receipt is not None:
                last = moment_text(backup_set.holds.last_receipt)
                parts.append(texts("set.backup.until", when=last))
            if backup_set.holds.waiting:
                parts.append(texts.count("set.backup.waiting", backup_set.holds.waiting))
            parts.append(texts.count("set.backup.articles", backup_set.holds.articles))
        if backup_set.is_second:
            parts.append(texts("set.backup.only_second"))
        elif is_twice:
            parts.append(texts("set.backup.both"))
        return " · ".join(parts)

    def _look(self, backup_set: BackupSet) -> None:
        if self._model.asked == backup_set:
            self._model.look_away()
        else:
            self._model.look_into(backup_set)

    def _question(self, asked: FileWork | Outlook) -> tuple[QWidget, QWidget]:
        """Return the progress of the reading; then what would be missing, and the question whether
        to put it back."""
        return self._asked(asked) if isinstance(asked, Outlook) else self._reading(asked)

    def _reading(self, work: FileWork) -> tuple[QWidget, QWidget]:
        texts = self._texts
        poll = FilePoll(work, self)
        notice = WorkNotice(self._theme, texts, poll, texts("set.backup.reading"))
        poll.setParent(notice)
        poll.ended.connect(self._model.end_look)
        return notice, notice.stop

    def _asked(self, outlook: Outlook) -> tuple[QWidget, QWidget]:
        one, why = self._model.asked, self._model.hindrance
        assert one is not None
        texts, theme = self._texts, self._theme
        is_plain = outlook.lacking.is_nothing and why is None
        words = _missing(outlook.lacking, texts)
        happened = texts(
            "set.backup.missing_nothing" if outlook.lacking.is_nothing else "set.backup.missing"
        )
        close = Button(theme, texts("set.backup.close"), icon="x", key=ESCAPE)
        close.clicked.connect(self._model.look_away)
        buttons = () if why is not None else (self._yes(outlook.lacking),)
        panel = NoticePanel(
            theme,
            NoticeKind.INFO if is_plain else NoticeKind.WARN,
            happened=happened,
            safe="".join(f"• {one}\n" for one in words),
            press=self._next(one, outlook),
            safe_answer=close,
            buttons=buttons,
        )
        return panel, close

    def _yes(self, lacking: Lacking) -> QAbstractButton:
        """Return the key that puts the copy back. Where something would be lost it says what, and
        looks as what destroys does."""
        texts, many = self._texts, lacking.receipts
        words, kind = texts("set.backup.put_back"), ButtonKind.FILLED
        if not lacking.is_nothing:
            words = texts.count("set.backup.lose", many) if many else texts("set.backup.lose_some")
            kind = ButtonKind.DANGER
        yes = BigButton(self._theme, words, icon="database-backup", kind=kind)
        if kind is ButtonKind.DANGER:
            yes.fit_word()
        yes.clicked.connect(self._model.put_back)
        return yes

    def _next(self, backup_set: BackupSet, outlook: Outlook) -> str:
        """Say what happens when the set is put back and what must be done then, or why it can't
        be."""
        texts = self._texts
        match self._model.hindrance:
            case None:
                parts = [texts("set.backup.asked")]
                if outlook.seals_secrets:
                    parts.append(texts("set.backup.secrets"))
                if outlook.keeps_settings:
                    parts.append(texts("set.backup.keeps_settings", name=backup_set.name))
                return " ".join(parts)
            case "support":
                return texts("set.backup.how", name=backup_set.name)
            case "owed":
                return texts("set.backup.owed", name=backup_set.name)
            case why:
                return texts(f"set.backup.not_now.{why}")


def _missing(lacking: Lacking, texts: Texts) -> list[str]:
    counted: Sequence[tuple[str, int]] = (
        ("receipts", lacking.receipts),
        ("doubts", lacking.doubts),
        ("sales", lacking.sales),
        ("unsent", lacking.waiting),
        ("carts", lacking.carts),
        ("shifts", lacking.shifts),
        ("cash", lacking.cash_moves),
        ("collected", lacking.collected),
        ("edits", lacking.edits),
        ("planned_prices", lacking.planned_prices),
        ("names", lacking.names),
        ("buyers", lacking.buyers),
        ("stores", lacking.stores),
        ("labels", lacking.labels),
        ("people", lacking.people),
        ("rights", lacking.rights),
        ("decisions", lacking.decisions),
    )
    parts = [texts.count(f"set.backup.lacks.{name}", many) for name, many in counted if many]
    if lacking.receipts > 1 and lacking.first_receipt and lacking.last_receipt:
        span = [moment_text(one) for one in (lacking.first_receipt, lacking.last_receipt)]
        parts.insert(1, texts("set.backup.lacks.since", first=span[0], last=span[1]))
    if lacking.waiting:
        parts.append(texts("set.backup.lacks.sum", sum=amount_text(lacking.unsent)))
    if lacking.unread:
        parts.append(texts("set.backup.lacks.unread"))
    if lacking.taken_along:
        parts.append(texts.count("set.backup.lacks.along", lacking.taken_along))
    return parts


def _age(age: timedelta, texts: Texts) -> str:
    minutes = max(int(age.total_seconds()) // 60, 0)
    if minutes < 1:
        return texts("set.backup.age.now")
    if minutes < 60:
        return texts.count("set.backup.age.minutes", minutes)
    if minutes < 48 * 60:
        return texts.count("set.backup.age.hours", minutes // 60)
    return texts.count("set.backup.age.days", minutes // (24 * 60))


def _size(size: int, texts: Texts) -> str:
    if size < 1_000_000_000:
        return texts("set.backup.mb", n=texts.number(max(round(size / 1_000_000), 1)))
    whole, tenths = divmod(round(size / 100_000_000), 10)
    return texts("set.backup.gb", n=texts.number(whole), tenths=tenths)
