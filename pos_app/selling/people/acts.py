"""The acts at the till that an owner asks about later. Each has a row with the person, the time,
the subject, and the colleague who permitted it. The row is written in the same transaction as the
act, and never changes.

Source: till.md ("People and rights", "Reports").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pos_app.lazy_dataclass import dataclass
from pos_app.selling.people.people import Person
from pos_app.selling.people.rights import Act


class NotedAct(StrEnum):
    SIGNED_IN = "signed_in"
    LOCKED = "locked"
    PIN_WRONG = "pin_wrong"
    LINE_REMOVED = "line_removed"
    LINE_LESS = "line_less"
    PRICE = "price"
    DISCOUNT = "discount"
    CART_DISCOUNT = "cart_discount"
    CART_SUSPENDED = "cart_held"
    CART_DROPPED = "cart_dropped"
    CART_TAKEN_OVER = "cart_taken_over"
    REFUND = "refund"
    COPY = "copy"
    TRAINING = "training"
    QUEUED = "queued"
    DRAWER = "drawer"
    REPRINT = "reprint"
    X_REPORT = "x_report"
    SHIFT_OPENED = "shift_opened"
    COUNTED = "counted"
    SHIFT_CLOSED = "shift_closed"
    CASH_IN = "cash_in"
    CASH_OUT = "cash_out"
    PERSON = "person"
    RIGHTS = "rights"
    COLLECTED = "collected"
    COLLECTED_TAKEN_BACK = "collected_taken_back"
    CATALOGUE = "catalogue"
    SETTINGS = "settings"
    PUT_BACK = "put_back"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class ActRow:
    """The row of an act. at: UTC. subject: an article, a person, a reason or a number. before,
    after: as text; amounts as "1240.50", percentages as "12.5%". sale_key: the key of the sale that
    the act belongs to. receipt: the number of that sale's receipt, once it is signed."""

    at: datetime
    by: str
    done: NotedAct
    subject: str = ""
    before: str = ""
    after: str = ""
    lifted_by: str = ""
    sale_key: str = ""
    receipt: str = ""


class PersonChange(StrEnum):
    """A part of a person, besides name and role, that was changed."""

    PIN = "pin"
    BADGE = "badge"
    NO_BADGE = "no_badge"


def person_text(person: Person, *changed: PersonChange) -> str:
    """Return a person, and what was changed, as the row of an act has them: "Ана, cashier, pin"."""
    return ", ".join((person.name, person.role, *changed))


class AtTheTill:
    """The person who is at the till now, and the colleague who lifts an act. is_locked: that person
    has left, and another one may sign in next.

    A coroutine that is started within `lifting` stays lifted to its end, because each task keeps
    the context in which it was started.
    """

    def __init__(self) -> None:
        self.person: Person | None = None
        self.is_locked = False
        self._lifted: ContextVar[tuple[str, Act | None]] = ContextVar("lifted", default=("", None))

    @property
    def lifted_by(self) -> str:
        return self._lifted.get()[0]

    def lifts(self, act: Act) -> bool:
        """Whether exactly this act is lifted."""
        name, lifted = self._lifted.get()
        return bool(name) and lifted is act

    @contextmanager
    def lifting(self, name: str, act: Act | None = None) -> Iterator[None]:
        """Count every act done inside as lifted by that person. act: the right asked for."""
        token = self._lifted.set((name, act))
        try:
            yield
        finally:
            self._lifted.reset(token)


class ActLog(Protocol):
    """Raises DiskFull, DatabaseBusy, DatabaseDamaged."""

    def write(
        self,
        done: NotedAct,
        *,
        by: str,
        at: datetime,
        subject: str = "",
        before: str = "",
        after: str = "",
        sale_key: str = "",
    ) -> None:
        """Write an act that has no transaction of its own. The row survives a power cut."""

    def together(self) -> AbstractContextManager[None]:
        """Write everything inside, and the rows of acts with it, to the till's file in one
        transaction. Nothing may be awaited inside."""
        ...

    def left_locked(self) -> datetime | None:
        """Return the instant since when the till is locked, or None if it is not locked."""
        ...

    def acts(self, *, since: datetime, until: datetime) -> Sequence[ActRow]:
        """Return the acts of a period, the oldest first."""
        ...
