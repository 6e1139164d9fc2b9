"""The room of Attention: runs what a button stands for, and tells the screen what came of it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import Qt, Signal

from pos_app import log
from pos_app.cashier.attention.cases.case import (
    MANAGER,
    Action,
    ActionContext,
    ActionResult,
    FileToOpen,
)
from pos_app.cashier.attention.model import AttentionModel, News
from pos_app.cashier.commands import TillCommand
from pos_app.cashier.file_viewer import breakable
from pos_app.cashier.frame import Change, Changed, Frame, Room, WaitingCounts
from pos_app.cashier.screens import (
    ATTENTION,
    CATALOGUE,
    CORRECTION,
    EXCHANGE,
    SETTINGS,
    CataloguePlace,
    CorrectionPlace,
    ExchangePlace,
    SettingsPlace,
)
from pos_app.cashier.texts.lookup import Texts
from pos_app.errors import (
    Invalid,
    MachineError,
    NotAllowed,
    PosError,
    Refused,
    RemoteError,
    Unreadable,
)
from pos_app.selling.people.acts import Done
from pos_app.selling.people.rights import Act
from pos_app.selling.receipts.frozen_pair import FrozenPair
from pos_app.selling.sale.sale import Sale

_log = log.get(__name__)

_ROWS: Mapping[Act | None, Done] = MappingProxyType(
    {Act.DECIDE: Done.DECISION, Act.REPRINT: Done.REPRINT}
)
"""What an action leaves in the table of acts, unless it does so itself."""
_WRONG_PAPERS = {"other_receipt": "att.url.other", "known_receipt": "att.url.known"}
"""Words for what the server says of a processor's paper, by its kind."""


class AttentionRoom(Room):
    """What waits, and one action at the server at a time; it goes on when the screen is left.

    Signals: `changed()`, read anew; `told(News)`; `entry_wrong(str, str)`, the name of an entry and
    what is wrong with its text; `running_changed()`.
    """

    changed = Signal()
    told = Signal(object)
    entry_wrong = Signal(str, str)
    running_changed = Signal()
    _file_came = Signal(object)

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self.model = AttentionModel(frame.services)
        self._tasks = frame.tasks
        self._viewer = frame.viewer
        # Once the coroutine that asks for a file has let go: a view is never entered from one.
        self._file_came.connect(self._show_file, Qt.ConnectionType.QueuedConnection)
        self.changed.connect(self._count_if_left, Qt.ConnectionType.QueuedConnection)
        self._context = ActionContext(
            frame.services,
            self._ask_doubts,
            self.take_back,
            self._take_back_later,
            self._open_goods,
            lambda: frame.run(TillCommand.DRAWER),
            lambda: frame.open(CATALOGUE, CataloguePlace.UNDECIDED),
            lambda: frame.open(SETTINGS, SettingsPlace.CARD_PIN),
            lambda: frame.open(SETTINGS, SettingsPlace.STORE),
            lambda: frame.open(SETTINGS, SettingsPlace.PLATFORM),
            frame.home_room.see_drawer,
            self._file_came.emit,
            self._open_pair,
        )
        self._is_asking = False
        self.running = ""
        """Name of the action that runs at the server, "" for none."""
        self.corrected_key = ""
        """Key of the sale that is taken back as soon as it is cancelled."""

    def _open_pair(self, pair: FrozenPair) -> None:
        if pair.is_exchange:
            self.frame.open(EXCHANGE, ExchangePlace(pair.new.key))
        else:
            self.frame.open(CORRECTION, CorrectionPlace(pair.refund.target or ""))

    def hear(self, change: Change) -> None:
        if change.what is Changed.DRAWER:
            self.model.note_drawer(change.shut)

    def leave(self) -> None:
        self.model.leave()

    def count(self) -> WaitingCounts:
        self.model.load(thorough=False)
        return self.waiting

    @property
    def waiting(self) -> WaitingCounts:
        """As it was read last."""
        model = self.model
        why = model.drawer.why if model.drawer is not None else None
        return WaitingCounts(model.count(), model.decisions, why)

    @property
    def _texts(self) -> Texts:
        return self.frame.ui.texts

    def run(self, action: Action, word: str = "") -> None:
        """Do it, where whoever works here may. word: the text of the entry that it takes; of a
        manager's name it is that of who decides, where people sign in."""
        if action.right is not None:
            self.frame.permit(action.right, lambda: self._run(action, word))
        else:
            self._run(action, word)

    def _run(self, action: Action, word: str) -> None:
        def fail(error: PosError) -> None:
            words = failure_words(error, self._texts)
            if action.error_at and self._is_open:
                self.entry_wrong.emit(action.error_at, words)
            else:
                self._tell_failed(words)

        if self.running and action.right in _ROWS:
            self.frame.home_room.tone("no")
            self.tell(News(self._texts("att.not_answered"), is_done=False))
            return
        here = self.frame.services.here
        if action.takes == MANAGER and here.person is not None:
            word = here.lifted_by or here.person.name
        try:
            outcome = self._begin(action, word)
        except (NotAllowed, MachineError, Invalid) as error:
            fail(error)
            return
        if isinstance(outcome, str):
            self.changed.emit()
            self._say(outcome)
        elif self.running:
            outcome.close()
        else:
            self._set_running(action.name)
            self._tasks.start(self._until_done(outcome), name=action.name, on_failure=fail)

    def _begin(self, action: Action, word: str) -> ActionResult:
        """What this till itself keeps of it is one transaction with its row."""
        done = _ROWS.get(action.right)
        if done is None:
            return action.run(self._context, word)
        services = self.frame.services
        with services.acts.together():
            services.note(done, f"{action.about or action.words} {word}".strip())
            return action.run(self._context, word)

    def tell(self, news: News) -> None:
        """Something happened, for the case that is shown."""
        self.model.tell(news)
        self.told.emit(news)

    def ask_server(self) -> None:
        """Ask what its status does not tell; no answer changes nothing."""
        if not self._is_asking:
            self._is_asking = True
            self._tasks.start(self._ask(), name="ask the server", on_failure=_note_silence)

    def refuse(self, error: PosError) -> None:
        """What was asked of the sale screen can't be done there now: told here."""
        self._tell_failed(failure_words(error, self._texts))

    def take_back(self, sale: Sale) -> None:
        """Whoever has the cart marks the sale as seen in the same commit: a refusal leaves it."""
        self.corrected_key = ""
        self.changed.emit()
        self._open_cart(partial(self.frame.home_room.take_back, sale))

    # --- parts -----------------------------------------------------------------------------------

    def _open_goods(self, refund: Sale) -> None:
        self._open_cart(partial(self.frame.home_room.open_goods, refund))

    def _open_cart(self, act: Callable[[], None]) -> None:
        """On to the sale; where it refuses, that is told here."""
        try:
            act()
        except PosError as error:
            self.refuse(error)
        else:
            self.frame.go_home()

    @property
    def _is_open(self) -> bool:
        return self.frame.top_name == ATTENTION

    def _count_if_left(self) -> None:
        """The screen that is open reads more, and tells it."""
        if not self._is_open:
            self.frame.count()

    def _take_back_later(self, key: str) -> None:
        self.corrected_key = key

    async def _ask_doubts(self) -> None:
        """The action was answered: that nobody tells more now is no word about it."""
        try:
            await self.model.ask_doubts()
        except RemoteError as error:
            _note_silence(error)

    async def _until_done(self, outcome: Coroutine[object, object, str]) -> None:
        try:
            said = await outcome
        finally:
            self._set_running("")
            self.changed.emit()
        self._say(said)

    async def _follow(self, outcome: Coroutine[object, object, str]) -> None:
        """Beside whatever else is asked of the server."""
        said = await outcome
        self.changed.emit()
        self._say(said)

    async def _ask(self) -> None:
        said: list[Callable[[Texts], str]] = []
        try:
            await self.model.ask_server(said.append)
        finally:
            self._is_asking = False
            self.changed.emit()
            for words in said:
                self.tell(News(words(self._texts)))

    def _show_file(self, opening: FileToOpen) -> None:
        self._say("att.job.pdf_opened")
        self._viewer.show(
            opening.path,
            on_opened=lambda: self._file_opened(opening),
            on_failed=lambda: self._file_not_opened(opening),
        )

    def _file_opened(self, opening: FileToOpen) -> None:
        if opening.on_opened is not None:
            follow = self._follow(opening.on_opened())
            self._tasks.start(follow, name="settle", on_failure=self.refuse)

    def _file_not_opened(self, opening: FileToOpen) -> None:
        words = self._texts("att.job.pdf_no_program", file=breakable(opening.path))
        if opening.not_opened:
            words = f"{self._texts(opening.not_opened)} {words}"
        self.tell(News(words, is_trouble=True, file=opening.path))

    def _set_running(self, name: str) -> None:
        self.running = name
        self.running_changed.emit()

    def _say(self, key: str) -> None:
        if key:
            self.tell(News(self._texts(key)))

    def _tell_failed(self, words: str) -> None:
        """It stands until something else is done or chosen, whatever was said before."""
        self.tell(News(words, is_trouble=True))


def failure_words(error: PosError, texts: Texts) -> str:
    """Why an action did not succeed, for the place where it was tried."""
    if isinstance(error, Invalid):
        is_address = error.values.get("kind") == "address"
        return texts("att.url.address" if is_address else "att.url.read")
    if isinstance(error, Unreadable):
        return texts("att.failed.unreadable", number=error.values.get("number", ""))
    if _kind(error).startswith("update"):
        return texts.error(error).happened
    if isinstance(error, Refused):
        key = _WRONG_PAPERS.get(_kind(error))
        return texts(key) if key else texts("att.failed.refused", what=error.what)
    if isinstance(error, RemoteError):
        return texts(f"att.failed.{error.code}")
    return texts.error(error).happened


def _kind(error: PosError) -> str:
    return str(error.values.get("kind", ""))


def _note_silence(error: PosError) -> None:
    """A question that nobody answered: the next one may be, and the log has it."""
    _log.info("the server was asked and did not tell: %s", error.code)
