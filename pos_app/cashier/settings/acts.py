"""What a page of the settings asks of a server or platform: one act at a time, and how it ended."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from pos_app.cashier.services import TillServices
from pos_app.errors import MachineError, NotAllowed, PosError, RemoteError

T = TypeVar("T")


class ActingModel:
    """The state that all pages have: what runs, and why the last act came to nothing."""

    def __init__(self, services: TillServices) -> None:
        self.services = services
        self.running = ""
        """The name of the act that is waited for, "" for none."""
        self.failure: PosError | None = None
        """Why the last act came to nothing, where no field is to blame."""
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
