"""Models of the settings' pages. A page asks a server or platform for one act at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from pos_app import errors, log
from pos_app.cashier.services.till_services import TillServices
from pos_app.selling.people.acts import NotedAct

_log = log.get(__name__)

T = TypeVar("T")


class _Setup(Protocol):
    @property
    def given_elsewhere(self) -> tuple[str, ...]: ...


S = TypeVar("S")
G = TypeVar("G", bound=_Setup)


class ActingModel:
    """The state that all pages have: the running act, and why the last one failed."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.running = ""
        """The name of the running act, "" for none."""
        self.failure: errors.PosError | None = None
        """Why the last act failed, where no field is to blame."""
        self._failed: tuple[str, errors.PosError | None] = ("", None)
        """The name and the failure of the last act that failed."""
        self.lifted_by: Callable[[], str] = lambda: ""
        """Returns the name of the person who let the present cashier into the settings; "" if
        nobody had to."""
        self.on_failure: Callable[[errors.PosError], None] = lambda _: None
        """Called with the reason why an act of a person failed."""
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        self._listeners.clear()

    def announce(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    async def act(
        self,
        name: str,
        asked: Callable[[], Awaitable[T]],
        *,
        by_itself: bool = False,
        may_wait: bool = False,
    ) -> T | None:
        """Run an act and return its result, or None if it failed (`failure` then has the reason) or
        another act runs. by_itself: no person began it, so the reason why an act of a person failed
        stays, whatever comes of this one. may_wait: what fails may be done later, so the caller
        calls `on_failure`."""
        if self.running:
            return None
        self.running = name
        if not by_itself:
            self.failure = None
        self.announce()
        try:
            answered = await asked()
        except (errors.RemoteError, errors.MachineError, errors.NotAllowed) as error:
            self.note_failed(name, error)
            if not by_itself and not may_wait:
                self.on_failure(error)
            return None
        else:
            self.note_done(name)
            return answered
        finally:
            self.running = ""
            self.announce()

    def note_failed(self, name: str, error: errors.PosError) -> None:
        """Tell why an act failed, unless another act's reason is still to be read."""
        if self.failure is None or self._failed == (name, self.failure):
            self.failure = error
            self._failed = (name, error)

    def note_done(self, name: str) -> None:
        """End the reason why the same act failed before."""
        if self._failed == (name, self.failure):
            self.failure = None

    def note_act(self, lifted_by: str) -> None:
        """Note that this page's settings were changed."""
        self.note_setting(type(self).__name__.removesuffix("Model").lower(), lifted_by)

    def note_setting(
        self, subject: str, lifted_by: str, *, before: str = "", after: str = ""
    ) -> None:
        """Note a change. If noting fails, the settings stay changed and the log says so."""
        try:
            self.services.note(
                NotedAct.SETTINGS, subject, before=before, after=after, lifted_by=lifted_by
            )
        except errors.MachineError as error:
            _log.warning("that settings were changed can't be kept: %s", error.what)


class SetupModel(ActingModel, ABC, Generic[S]):
    """Settings that the server keeps and a manager changes: shown, typed, tried, saved."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.setup: S | None = None
        """The server's last answer."""
        self.is_outdated = True
        """Whether to ask the server for its setup."""
        self.saved_at: datetime | None = None
        self.fault = ""
        """A word for why the change can't be made, where no field is to blame."""

    @property
    @abstractmethod
    def has_server(self) -> bool:
        """Whether there is a server that can be set up."""

    @property
    @abstractmethod
    def has_changes(self) -> bool:
        """Whether something typed is not saved yet."""

    @property
    def can_save(self) -> bool:
        return self.has_changes and not self.running

    @property
    def is_refused(self) -> bool:
        """Whether the typed values were refused, and are still the same."""
        return bool(self.fault)

    @abstractmethod
    async def _ask(self) -> S:
        """Ask the server for its setup."""

    @abstractmethod
    def fill_from_setup(self) -> None:
        """Take over the server's values into everything that can be typed."""

    @abstractmethod
    def drop(self) -> None:
        """Discard what was typed, and the answers to it."""

    @abstractmethod
    async def save(self) -> None:
        """Have the server write the setup; it then opens the shop anew and is away for some
        seconds."""

    async def load(self) -> None:
        """Ask the server for its setup; typed values stay."""
        if not self.has_server:
            return
        loaded = await self.act("load", self._ask, by_itself=True)
        if loaded is not None:
            had_changes = self.setup is not None and self.has_changes
            self.setup, self.is_outdated = loaded, False
            if not had_changes:
                self.fill_from_setup()
            self.announce()

    def renew(self) -> None:
        """Ask the server anew when somebody looks, because it changed."""
        self.is_outdated = True

    async def save_change(
        self, change: Callable[[], Awaitable[None]], *, note_saved: Callable[[], None]
    ) -> None:
        """Have a change written. The server's word for a fault goes to `note_fault`; any other
        failure is kept in `failure`."""

        lifted_by = self.lifted_by()

        async def change_it() -> bool:
            await change()
            return True

        done = await self.act("save", change_it)
        if done is None and isinstance(self.failure, errors.Refused):
            kind = self.failure.kind
            if kind:
                self.failure = None
                self.note_fault(kind)
        elif done is not None and not self.fault:
            note_saved()
            self.note_act(lifted_by)
        self.announce()

    def note_fault(self, fault: str) -> None:
        self.fault = fault


class GivenModel(SetupModel[G]):
    """A setup of which the environment may set parts."""

    def is_given(self, setting: str) -> bool:
        """Tell whether the environment sets this, so that it can't be changed here."""
        return self.setup is not None and setting in self.setup.given_elsewhere


class DraftModel(GivenModel[G]):
    """A setup that is changed as one draft, and kept by the till itself."""

    draft: G

    @property
    @abstractmethod
    def _made(self) -> G:
        """The draft as it is saved."""

    @property
    def has_changes(self) -> bool:
        return self.setup is not None and self._made != self.setup

    def change(self, draft: G) -> None:
        self.draft = draft
        self.fault = ""
        self._forget_outcome()
        self.announce()

    def fill_from_setup(self) -> None:
        if self.setup is not None:
            self.draft = self.setup

    def drop(self) -> None:
        self.fill_from_setup()
        self.fault = ""
        self._forget_outcome()
        self.announce()

    def leave(self) -> None:
        self._forget_outcome()

    def _forget_outcome(self) -> None:
        """Forget the outcome of the last act, which is shown until then."""
        self.saved_at = self.failure = None
