"""The room of Attention runs a button's action and reports the result to the screen."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal

from pos_app import errors, log
from pos_app.cashier.attention.cases import case
from pos_app.cashier.attention.model import NO_NEWS, AttentionModel, CaseNews
from pos_app.cashier.commands import TillCommand
from pos_app.cashier.gate.about import About
from pos_app.cashier.services.relabelling import RELABEL
from pos_app.cashier.texts.lookup import Say, Texts
from pos_app.cashier.texts.of_store import texts_for
from pos_app.cashier.ui.state import StateKind
from pos_app.cashier.window import screens
from pos_app.cashier.window.frame import Busy, Change, Frame, Room, ShopChange, WaitingCounts
from pos_app.domain.money.number_text import amount_text
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.sale import Sale

_log = log.get(__name__)

_ROWS: Mapping[Act | None, NotedAct] = MappingProxyType(
    {Act.DECIDE: NotedAct.DECISION, Act.REPRINT: NotedAct.REPRINT}
)
"""The row that an action leaves in the table of acts, unless it writes one itself."""
_REFUSALS = {
    "other_receipt": "att.url.other",
    "known_receipt": "att.url.known",
    "no_doubt": "att.failed.no_doubt",
    "not_refused_pair": "att.failed.no_doubt",
    "processor_holds": "att.failed.processor_holds",
    "element": "att.failed.element",
}
"""Texts for the server's refusals of a decision, by their kind."""
_OUTCOMES: Mapping[str, StateKind] = MappingProxyType(
    {
        "att.not_found": StateKind.DECIDE,
        "att.pair.refused": StateKind.DECIDE,
        "att.papers.rest": StateKind.DECIDE,
        "att.papers.over": StateKind.MARK,
        "att.pair.under_way": StateKind.WAIT,
        "att.cancelling": StateKind.WAIT,
        "att.starting": StateKind.WAIT,
        "att.sent_again": StateKind.WAIT,
        "att.sent_again.act": StateKind.WAIT,
        "att.job.asked_again": StateKind.WAIT,
        "att.job.asked_again.mail": StateKind.WAIT,
        "att.job.pdf_opened": StateKind.WAIT,
    }
)
"""The signs of what an action told where it did not do all that was asked, or has yet to do it."""


class AttentionRoom(Room):
    """Holds what waits, and runs one action at the server at a time, also after the screen is left.
    Signals: `changed()`, the cases must be read anew; `reported(CaseNews)`; `running_changed()`;
    `entry_wrong(str, Say, Case)`, the name of an entry, what is wrong with its text, its case."""

    changed = Signal()
    reported = Signal(object)
    entry_wrong = Signal(str, object, object)
    running_changed = Signal()
    _file_came = Signal(object)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = AttentionModel(frame.services)
        self._tasks = frame.tasks
        self._viewer = frame.viewer
        # The queued signal lets the coroutine that asks for a file end first: a coroutine never
        # enters a view.
        self._file_came.connect(self._show_file, Qt.ConnectionType.QueuedConnection)
        self.changed.connect(self._count_if_left, Qt.ConnectionType.QueuedConnection)
        self._context = case.ActionContext(
            frame.services,
            self._ask_doubts,
            self.take_back,
            self._take_back_later,
            self._open_goods,
            lambda: frame.run(TillCommand.DRAWER),
            lambda: frame.open(screens.CATALOGUE, screens.CataloguePlace.UNDECIDED),
            lambda: frame.open(screens.CATALOGUE, screens.CataloguePlace.NAMES),
            lambda: frame.open(screens.CATALOGUE, screens.CataloguePlace.LABELS),
            lambda: frame.open(screens.SETTINGS, screens.SettingsPlace.CARD_PIN),
            lambda: frame.open(screens.SETTINGS, screens.SettingsPlace.STORE),
            lambda: frame.open(screens.SETTINGS, screens.SettingsPlace.PLATFORM),
            frame.home.see_drawer,
            self._file_came.emit,
            self._open_pair,
        )
        self._is_asking = False
        self.running = ""
        """The name of the action that runs at the server, or ""."""
        self.corrected_key = ""
        """The key of the sale that is taken back as soon as it is cancelled."""

    def _open_pair(self, pair: FrozenPair) -> None:
        if pair.is_exchange:
            self.frame.open(screens.EXCHANGE, screens.ExchangePlace(pair.new.key))
        else:
            self.frame.open(screens.CORRECTION, screens.CorrectionPlace(pair.refund.target or ""))

    def handle_change(self, change: Change) -> None:
        if change.what is ShopChange.DRAWER:
            self.model.drawer = change.shut
        elif change.sale is not None:
            self.model.note_sale(change.sale)

    def leave(self) -> None:
        """Note that nobody waits here any more for the lines of a corrected sale; they wait for a
        press."""
        self.corrected_key = ""
        self.model.leave()

    @property
    def busy(self) -> Busy | None:
        return Busy.ACT if self.running.startswith(RELABEL) else None

    def count(self) -> WaitingCounts:
        self.model.load(thorough=False)
        return self.waiting

    @property
    def waiting(self) -> WaitingCounts:
        """The counts as they were read last."""
        model = self.model
        why = model.drawer.why if model.drawer is not None else None
        return WaitingCounts(model.count(), model.decisions, why)

    @property
    def _texts(self) -> Texts:
        return self.frame.ui.texts

    @property
    def facts(self) -> case.CaseFacts:
        services = self.frame.services
        return case.CaseFacts(
            services.server,
            services.till.clock.now(),
            services.in_whole_dinars,
            signs_in=services.here.person is not None,
        )

    def run(self, action: case.Action, word: str = "") -> None:
        """Run the action, if the person who works here has its rights. word: the text of the entry
        that the action takes. If people sign in, the name of the person who decides replaces a
        typed name."""
        current = self.model.current
        run = partial(self._run, action, word, current)
        for right in (action.right, action.first_right):
            if right is not None:
                about = self._about(action, current)
                run = partial(self.frame.permit, right, run, about=about)
        run()

    def _about(self, action: case.Action, current: case.Case | None) -> About:
        """The action and its case, as somebody approves it."""
        texts = self._texts
        if current is None:
            return About(words=action.words)
        which = " · ".join(filter(None, (current.title(texts), current.number)))
        return About(words=action.words, of=which, what="case", amount=current.total)

    def _run(self, action: case.Action, word: str, of: case.Case | None) -> None:
        def fail(error: errors.PosError) -> None:
            say = partial(failure_words, error)
            if action.error_at and self._is_open:
                self.entry_wrong.emit(action.error_at, say, of)
            else:
                self.tell_failed(say, of)

        if self.running and action.right in _ROWS:
            self.frame.home.tone("no")
            self.tell(CaseNews(lambda texts: texts("att.not_answered")))
            return
        self._unsay()
        self.model.acted_id = of.id if of is not None else ""
        here = self.frame.services.here
        if action.takes == case.MANAGER and here.person is not None:
            word = here.lifted_by or here.person.name
        try:
            outcome = self._begin(action, word, of)
        except (errors.NotAllowed, errors.MachineError, errors.Invalid) as error:
            fail(error)
            return
        if isinstance(outcome, str):
            self.changed.emit()
            self._tell_text(outcome, of)
        elif self.running:
            outcome.close()
        else:
            self._set_running(action.name)
            self._tasks.start(self._until_done(outcome, of), name=action.name, on_failure=fail)

    def _as_kept(self, action: case.Action, word: str) -> tuple[str, str]:
        """The action's words, and the text of its entry where that is ready-made, in the store's
        language: both are kept, and reports print them."""
        window, facts = self._texts, self.facts
        kept = texts_for(self.frame.services.catalogue.store(), window)
        for one in self.model.cases if kept is not window else ():
            here, there = (
                list(case.step_parts(one, window, facts)),
                case.step_parts(one, kept, facts),
            )
            if action in here:
                same = list(zip(here, there, strict=True))
                words = action.words
                for shown, meant in same:
                    if shown == action and isinstance(meant, case.Action):
                        words = meant.words
                    elif isinstance(shown, case.Suggestions) and isinstance(
                        meant, case.Suggestions
                    ):
                        word = _same_words(shown, meant, action, word)
                return words, word
        return action.words, word

    def _begin(self, action: case.Action, word: str, of: case.Case | None) -> case.ActionResult:
        """Run the action; its row, which names what a decision is about, and the till's own changes
        are one transaction."""
        done = _ROWS.get(action.right)
        words, word = self._as_kept(action, word)
        if done is None:
            return action.run(self._context, word)
        services = self.frame.services
        with services.acts.together():
            told = "" if action.is_private else word
            what = f"{action.about or words} {told}".strip()
            if done is NotedAct.DECISION and of is not None:
                what = " · ".join(filter(None, (what, of.number or of.request_id)))
                total = "" if of.total is None else str(of.total.amount)
                services.note(done, what, before=total, sale_key=of.sale_key)
            else:
                services.note(done, what)
            return action.run(self._context, word)

    def tell(self, news: CaseNews) -> None:
        self.model.announce(news)
        self.reported.emit(news)

    def ask_server(self) -> None:
        """Ask for what the server's status does not contain; without an answer nothing changes."""
        if not self._is_asking:
            self._is_asking = True
            self._tasks.start(self._ask(), name="ask the server", on_failure=_note_silence)

    def refuse(self, error: errors.PosError) -> None:
        """Say here that the sale screen can't do what was asked."""
        self.tell_failed(partial(failure_words, error))

    def take_back(self, sale: Sale) -> None:
        """Move a sale's lines to the cart, and mark the sale as seen in the same commit, so that a
        refusal leaves it as it was."""
        self.corrected_key = ""
        self.changed.emit()
        self._open_cart(partial(self.frame.home.take_back, sale))

    # --- parts -----------------------------------------------------------------------------------

    def _open_goods(self, refund: Sale) -> None:
        self._open_cart(partial(self.frame.home.open_goods, refund))

    def _open_cart(self, act: Callable[[], None]) -> None:
        """Go to the sale; if the sale screen refuses, say so here."""
        try:
            act()
        except errors.PosError as error:
            self.refuse(error)
        else:
            self.frame.go_home()

    @property
    def _is_open(self) -> bool:
        return self.frame.top_name == screens.ATTENTION

    def _count_if_left(self) -> None:
        """Let the frame count while the screen is closed; the open screen reads more and counts
        itself."""
        if not self._is_open:
            self.frame.count()

    def _take_back_later(self, key: str) -> None:
        self.corrected_key = key

    async def _ask_doubts(self) -> None:
        """Ask for the doubts. The action itself was answered, so silence here is only logged."""
        try:
            await self.model.ask_doubts()
        except errors.RemoteError as error:
            _note_silence(error)

    async def _until_done(
        self, outcome: Coroutine[object, object, str], of: case.Case | None
    ) -> None:
        try:
            text_id = await outcome
        finally:
            self._set_running("")
            self.changed.emit()
        self._tell_text(text_id, of)

    async def _follow(self, outcome: Coroutine[object, object, str]) -> None:
        """Await the outcome beside whatever else is asked of the server."""
        text_id = await outcome
        self.changed.emit()
        self._tell_text(text_id)

    async def _ask(self) -> None:
        entries: list[tuple[Callable[[Texts], str], StateKind]] = []
        try:
            await self.model.ask_server(lambda words, kind: entries.append((words, kind)))
        finally:
            self._is_asking = False
            self.changed.emit()
            for words, kind in entries:
                self.tell(CaseNews(words, kind))

    def _show_file(self, opening: case.FileToOpen) -> None:
        self._tell_text("att.job.pdf_opened")
        self._viewer.show(
            opening.path,
            on_opened=lambda: self._file_opened(opening),
            on_failed=lambda: self._file_not_opened(opening),
        )

    def _file_opened(self, opening: case.FileToOpen) -> None:
        if opening.on_opened is not None:
            follow = self._follow(opening.on_opened())
            self._tasks.start(follow, name="settle", on_failure=self.refuse)

    def _file_not_opened(self, opening: case.FileToOpen) -> None:
        def say(texts: Texts) -> str:
            words = texts("att.job.pdf_no_program", file=opening.path.name)
            return f"{texts(opening.not_opened)} {words}" if opening.not_opened else words

        self.tell(CaseNews(say, StateKind.FAILED, file=opening.path))

    def _set_running(self, name: str) -> None:
        self.running = name
        self.running_changed.emit()

    def _tell_text(self, text_id: str, of: case.Case | None = None) -> None:
        if text_id:
            kind = _OUTCOMES.get(text_id, StateKind.DONE)
            self.tell(CaseNews(self._said_of(of, lambda texts: texts(text_id), unless=""), kind))

    def _unsay(self) -> None:
        """Take away why the last action failed, because another one begins."""
        if self.model.news is not None and self.model.news.is_trouble:
            self.tell(NO_NEWS)

    def tell_failed(self, say: Say, of: case.Case | None = None) -> None:
        """Show the failure until something else is done or chosen, or its case ends, whatever was
        shown before. Where another case is shown it names its own."""
        self.tell(CaseNews(self._said_of(of, say), StateKind.FAILED, attention_case=of))

    def _said_of(self, of: case.Case | None, say: Say, *, unless: str | None = None) -> Say:
        """Name the case that the words are about wherever another one is shown. unless: what is
        shown where they need no name either."""
        if of is None:
            return say
        plain = (of.id, unless)
        return lambda texts: (
            say(texts) if self.model.current_id in plain else _named(of, say, texts)
        )


def _named(of: case.Case, say: Say, texts: Texts) -> str:
    about = amount_text(of.total) if of.total is not None else of.number
    return f"{' · '.join(filter(None, (of.title(texts), about)))}: {say(texts)}"


def _same_words(
    suggestions: case.Suggestions, meant: case.Suggestions, action: case.Action, word: str
) -> str:
    """The text of the action's entry in the words of `meant`, where it is one of those shown."""
    if suggestions.entry != action.takes:
        return word
    ready = {text: text_id for text_id, text in suggestions.words}
    return dict(meant.words).get(ready.get(word, ""), word)


def failure_words(error: errors.PosError, texts: Texts) -> str:
    """The words for why an action did not succeed, shown where it was tried."""
    if isinstance(error, errors.Invalid):
        if error.kind == "email":
            return texts("receipts.send.wrong")
        is_address = error.kind == "address"
        return texts("att.url.address" if is_address else "att.url.read")
    if isinstance(error, errors.Unreadable):
        return texts("att.failed.unreadable", number=error.values.get("number", ""))
    if _kind(error).startswith("update"):
        return texts.error(error).happened
    if isinstance(error, errors.Refused):
        text_id = _REFUSALS.get(_kind(error))
        return texts(text_id) if text_id else texts("att.failed.refused", what=error.what)
    if isinstance(error, errors.RemoteError):
        return texts(f"att.failed.{error.code}")
    return texts.error(error).happened


def _kind(error: errors.PosError) -> str:
    return error.kind


def _note_silence(error: errors.PosError) -> None:
    """Log a question without an answer; the next one may be answered."""
    _log.info("the server was asked and did not tell: %s", error.code)
