"""The PIN in front of what only a manager does, where nobody signs in: that of the first manager.

Source: till.md (Settings).
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from pos_app.errors import NotAllowed
from pos_app.selling.people.people import WrongTries, check_new_pin, pin_waits, wait_left

DEMO_PIN = "1234"
"""Of a new demo, whose screen tells it."""


class PinStore(Protocol):
    """Keeps the PIN so that nobody can read it. Raises what databases raise."""

    def is_set(self) -> bool: ...

    def keep(self, pin: str) -> None:
        """Make this the PIN; wrong tries are forgotten."""

    def forget(self) -> None:
        """There is none any more, and no wrong tries."""

    def matches(self, pin: str) -> bool:
        """Whether it is the PIN. Slow on purpose: some 50 ms."""

    def wrong_tries(self) -> WrongTries: ...

    def note_try(self, *, right: bool, at: datetime) -> None:
        """Count a wrong try, or forget them all. Survives a power cut."""


def choose_pin(store: PinStore, *, pin: str, again: str) -> None:
    """The first PIN of this till. Raises Invalid, with `field` "pin" or "again", and NotAllowed
    where there is one."""
    if store.is_set():
        raise NotAllowed("This till has a manager's PIN already.", kind="pin_is_set")
    keep_new_pin(store, pin=pin, again=again)


def keep_new_pin(store: PinStore, *, pin: str, again: str) -> None:
    """Another PIN, or the first. Raises Invalid as `choose_pin`."""
    check_new_pin(pin, again, digits=0)
    store.keep(pin)


def check_pin(store: PinStore, *, pin: str, at: datetime) -> None:
    """Let a manager in. Raises NotAllowed (kind pin_waits with `seconds`, pin_wrong)."""
    left = wait_left(store.wrong_tries(), at=at)
    if left:
        raise pin_waits(left)
    right = store.matches(pin)
    store.note_try(right=right, at=at)
    if not right:
        left = wait_left(store.wrong_tries(), at=at)
        if left:
            raise pin_waits(left)
        raise NotAllowed("This is not the manager's PIN.", kind="pin_wrong")
