"""What a page of the settings asks of a server or platform: one act at a time, and how it ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Generic, TypeVar

from pos_app import log
from pos_app.cashier.services import TillServices
from pos_app.errors import MachineError, NotAllowed, PosError, Refused, RemoteError
from pos_app.selling.people.acts import Done

_log = log.get(__name__)

T = TypeVar("T")
S = TypeVar("S")


class ActingModel:
    """The state that all pages have: what runs, and why the last act came to nothing."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.running = ""
        """The name of the act that is waited for, "" for none."""
        self.failure: PosError | None = None
        """Why the last act came to nothing, where no field is to blame."""
        self.lifted_by: Callable[[], str] = lambda: ""
        """Who lets whoever works here into the settings; "" where nobody has to."""
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def forget_listeners(self) -> None:
        """The views are made anew."""
        self._listeners.clear()

    def tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    async def act(self, name: str, asked: Callable[[], Awaitable[T]]) -> T | None:
        """What came of it; None, with `failure`, where it failed or another act runs."""
        if self.running:
            return None
        self.running, self.failure = name, None
        self.tell()
        try:
            return await asked()
        except (RemoteError, MachineError, NotAllowed) as error:
            self.failure = error
            return None
        finally:
            self.running = ""
            self.tell()

    def note_act(self, lifted_by: str) -> None:
        """That the settings were changed here is kept."""
        self.note_setting(type(self).__name__.removesuffix("Model").lower(), lifted_by)

    def note_setting(
        self, subject: str, lifted_by: str, *, before: str = "", after: str = ""
    ) -> None:
        """Where an act can't be kept, the settings are changed all the same, which the log says."""
        try:
            self.services.note(
                Done.SETTINGS, subject, before=before, after=after, lifted_by=lifted_by
            )
        except MachineError as error:
            _log.warning("that settings were changed can't be kept: %s", error.what)


class SetupModel(ActingModel, ABC, Generic[S]):
    """What the server keeps and a manager changes: shown, typed, tried, saved."""

    def __init__(self, services: TillServices) -> None:
        super().__init__(services)
        self.setup: S | None = None
        """As the server told it last."""
        self.is_outdated = True
        """Whether the server is to be asked how it is set up."""
        self.saved_at: datetime | None = None
        self.fault = ""
        """A word for why it can't be so, where no field is to blame."""

    @property
    @abstractmethod
    def has_server(self) -> bool:
        """Whether there is a server that can be set up."""

    @property
    @abstractmethod
    def has_changes(self) -> bool:
        """Whether something is typed that is not so yet."""

    @property
    def can_save(self) -> bool:
        return self.has_changes and not self.running

    @abstractmethod
    async def _ask(self) -> S:
        """Ask the server how it is set up."""

    @abstractmethod
    def take_over(self) -> None:
        """Everything that can be typed, as the server has it."""

    @abstractmethod
    def drop(self) -> None:
        """Throw away what was typed, and what was said to it."""

    @abstractmethod
    async def save(self) -> None:
        """Have the server write it; it opens the shop anew and is away for some seconds."""

    async def load(self) -> None:
        """Ask the server how it is set up; what was typed stays."""
        if not self.has_server:
            return
        told = await self.act("load", self._ask)
        if told is not None:
            had_changes = self.setup is not None and self.has_changes
            self.setup, self.is_outdated = told, False
            if not had_changes:
                self.take_over()
            self.tell()

    def renew(self) -> None:
        """The server changed: it is asked anew when somebody looks."""
        self.is_outdated = True

    async def keep(
        self, change: Callable[[], Awaitable[None]], *, note_saved: Callable[[], None]
    ) -> None:
        """Have a change written. A word for what is wrong with it goes to `note_fault`; where it
        came to nothing there is `failure`."""

        lifted_by = self.lifted_by()

        async def change_it() -> bool:
            await change()
            return True

        done = await self.act("save", change_it)
        if done is None and isinstance(self.failure, Refused):
            kind = str(self.failure.values.get("kind") or "")
            if kind:
                self.failure = None
                self.note_fault(kind)
        elif done is not None and not self.fault:
            note_saved()
            self.note_act(lifted_by)
        self.tell()

    def note_fault(self, fault: str) -> None:
        """What is wrong with what was typed, in the server's word."""
        self.fault = fault
