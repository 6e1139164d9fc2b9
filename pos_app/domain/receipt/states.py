"""The states of a request for one receipt and of its delivery jobs; the classes of answers.

The tables follow exactly-once.md ("States of a request on the server", "Answers have a class",
step 11) and fiscal.md 6.12. The server's journal refuses any move that is not here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, get_args


class AnswerClass(StrEnum):
    """A caller's options after a refusal or failure."""

    FIX = "fix"
    """The body is wrong: correct it."""
    CURE = "cure"
    """A person helps (PIN, card, limit), then the same key is sent again."""
    WAIT = "wait"
    """Surely not sent: send the same key again later."""
    UNKNOWN = "unknown"
    """A receipt may exist: look it up by the id the answer carries."""


class RequestState(StrEnum):
    QUEUED = "queued"
    SENDING = "sending"
    SIGNED = "signed"
    REJECTED = "rejected"
    RELEASED = "released"
    UNKNOWN = "unknown"
    NEEDS_HUMAN = "needs_human"
    CANCELLED = "cancelled"


class LookAnswer(StrEnum):
    """The result of looking up a doubt at the processor."""

    FOUND = "found"
    MISSING = "missing"
    AWAY = "away"
    """The processor did not answer."""


class AlarmKind(StrEnum):
    LATE_RECEIPT = "late_receipt"
    """A receipt declared absent was signed after all, and its sale can no longer take it."""
    FOREIGN_TRAFFIC = "foreign_traffic"
    """Somebody else signs with this secure element."""
    ECHO = "echo"
    """A receipt is signed, and the processor's answer differs, but not in a way that proves another
    receipt."""
    CATALOGUE_DAMAGED = "catalogue_damaged"
    """The file of the catalogue can't be read. The alarm lasts as long, and is never stored."""


class RestoreFound(StrEnum):
    """The sign by which the journal was found to be an older copy, or another one."""

    TILL_WITNESS = "till_witness"
    """The till remembers rows that the journal does not have."""
    SERVER_WITNESS = "server_witness"
    """The file that the server writes beside the journal remembers rows that the journal does not
    have."""
    PROCESSOR_HOLDS = "processor_holds"
    """The processor holds a receipt that was about to be sent for the first time."""
    OTHER_MACHINE = "other_machine"
    """The data folder was copied or moved to another computer."""
    DAMAGED = "damaged"
    """The journal's file is damaged: rows may be lost."""
    TWIN = "twin"
    """A copy of the journal signs at the same processor, which holds another receipt of our last
    sale."""
    PUT_BACK = "put_back"
    """Somebody put the journal back from a backup."""


_S = RequestState

BEGINNINGS = frozenset({_S.QUEUED, _S.NEEDS_HUMAN, _S.CANCELLED})
"""QUEUED: an accepted request. NEEDS_HUMAN: a sale from before a restore. CANCELLED: a tombstone
for a key that was never seen."""

MOVES: dict[RequestState, frozenset[RequestState]] = {
    _S.QUEUED: frozenset({_S.SENDING, _S.RELEASED, _S.CANCELLED}),
    _S.SENDING: frozenset({_S.SIGNED, _S.REJECTED, _S.UNKNOWN, _S.RELEASED}),
    _S.UNKNOWN: frozenset({_S.SIGNED, _S.RELEASED, _S.NEEDS_HUMAN}),
    _S.NEEDS_HUMAN: frozenset({_S.SIGNED, _S.RELEASED, _S.QUEUED}),
    _S.REJECTED: frozenset({_S.QUEUED, _S.CANCELLED, _S.NEEDS_HUMAN}),
    # NEEDS_HUMAN: the key is sent again after a restore; its receipt may have been signed since.
    _S.RELEASED: frozenset({_S.QUEUED, _S.CANCELLED, _S.SIGNED, _S.NEEDS_HUMAN}),
    _S.SIGNED: frozenset(),
    _S.CANCELLED: frozenset(),
}

BINDING = frozenset({_S.QUEUED, _S.SENDING, _S.UNKNOWN, _S.NEEDS_HUMAN, _S.SIGNED, _S.CANCELLED})
"""States in which a key belongs to one body only."""

IN_DOUBT = frozenset({_S.UNKNOWN, _S.NEEDS_HUMAN})
"""A receipt may exist: it is looked up, or a person is asked."""

OPEN = frozenset({_S.QUEUED, _S.SENDING, _S.UNKNOWN, _S.NEEDS_HUMAN})
"""A receipt may still come, or may exist already: a look-up says "not yet known"."""


REVERSED = "reversed"
"""The end of a pair whose first receipt was undone by the second: signed, but not as requested."""

NotDeniable = Literal["restored", "not_compared"]
"""The reason why the server may not answer that surely nothing was signed for a key."""
RESTORED: Final = "restored"
"""The journal may be an older copy, or receipts were signed without it, and no manager has looked
yet. The question to a person about that has the same code."""
NOT_COMPARED: Final = "not_compared"
"""The journal was not yet compared with the processor's counter."""

LOOKED_UP = frozenset[str]({*OPEN, _S.RELEASED, REVERSED, *get_args(NotDeniable)})
"""The answers of a look-up without receipts. RELEASED: the open part of a half-done pair."""


class JobMethod(StrEnum):
    THERMAL = "thermal"
    A4 = "a4"
    EMAIL = "email"
    DRAWER = "drawer"
    """The pulse that opens the cash drawer, which is connected to the receipt printer."""


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """Surely nothing was printed or sent; the job is not tried again automatically."""
    UNPROVEN = "unproven"
    """Perhaps something was printed or sent: a person is asked, and the job is never repeated
    automatically."""
    DROPPED = "dropped"
    """A person no longer wants the delivery, or wants a mail sent to another address."""


_J = JobState

JOB_BEGINNINGS = frozenset({_J.WAITING})
"""A job is committed together with SIGNED, or with a paper of the till's own."""

JOB_MOVES: dict[JobState, frozenset[JobState]] = {
    _J.WAITING: frozenset({_J.RUNNING, _J.FAILED, _J.DROPPED}),
    _J.RUNNING: frozenset({_J.DONE, _J.WAITING, _J.FAILED, _J.UNPROVEN}),
    _J.FAILED: frozenset({_J.WAITING, _J.DROPPED}),
    _J.UNPROVEN: frozenset({_J.WAITING, _J.DONE, _J.DROPPED}),
    _J.DONE: frozenset(),
    _J.DROPPED: frozenset({_J.WAITING}),
}
"""A done job is never printed again: the law then requires a copy (fiscal.md 6.12). A dropped job
waits again only if it is a mail to an address that a person typed once more."""
