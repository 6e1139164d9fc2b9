"""The first manager's PIN guards a manager's acts where nobody signs in.

Source: till.md (Settings).
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Protocol

from pos_app.clock import Clock
from pos_app.errors import NotAllowed
from pos_app.selling.people import people
from pos_app.selling.people.wrong_pins import WrongTries, check_may_try

DEMO_PIN = "1234"
"""The PIN of a new demo, shown on its screen."""


class PinRepository(Protocol):
    """Keeps the PIN so that nobody can read it. Raises what databases raise."""

    def is_set(self) -> bool: ...

    def hide_pin(self, pin: str) -> people.HiddenPin:
        """Make a PIN unreadable; slow on purpose, and safe in any thread."""

    def save_pin(self, pin: str | people.HiddenPin) -> None:
        """Make this the PIN; wrong tries are forgotten."""

    def forget(self) -> None:
        """Remove the PIN, and forget the wrong tries."""

    def pin_check(self) -> people.PinCheck:
        """Return the function that tries a PIN."""

    def wrong_tries(self) -> WrongTries: ...

    def note_try(self, *, right: bool, at: datetime) -> None:
        """Count a wrong try, or forget them all. The count survives a power cut."""


async def choose_pin(repository: PinRepository, *, pin: str, again: str) -> None:
    """Set the till's first PIN. Raises Invalid for field "pin" or "again", NotAllowed where one is
    set."""
    hidden = await new_pin(repository, pin=pin, again=again)
    if repository.is_set():
        raise NotAllowed("pin_is_set")
    repository.save_pin(hidden)


async def new_pin(repository: PinRepository, *, pin: str, again: str) -> people.HiddenPin:
    """A PIN to be kept, made in a thread of its own. Raises Invalid as `choose_pin`."""
    people.check_new_pin(pin, again, digits=0)
    return await asyncio.to_thread(repository.hide_pin, pin)


async def check_pin(repository: PinRepository, *, pin: str, clock: Clock) -> None:
    """Let a manager in; the PIN is tried in a thread of its own. Raises NotAllowed (kind pin_waits
    with `seconds`, pin_wrong)."""
    check_may_try(repository.wrong_tries(), at=clock.now())
    right = await asyncio.to_thread(repository.pin_check(), pin)
    at = clock.now()
    repository.note_try(right=right, at=at)
    if not right:
        check_may_try(repository.wrong_tries(), at=at)
        raise NotAllowed("pin_wrong.manager")
