"""The lives of a request for one signed receipt and of its delivery, the class of every answer.

The tables are read from exactly-once.md ("States of a request on the server", "Answers have a
class", step 11) and fiscal.md 6.12. The server's journal refuses any move that is not here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, get_args


class AnswerClass(StrEnum):
    """What a caller may do after a refusal or failure."""

    FIX = "fix"
    """The body is wrong: correct it."""
    CURE = "cure"
    """A person helps (PIN, card, limit), then the same key again."""
    WAIT = "wait"
    """Surely not sent: the same key again later."""
    UNKNOWN = "unknown"
    """A receipt may exist: look it up by the id the answer carries."""


class RequestState(StrEnum):
    """Where a request for one receipt stands."""

    QUEUED = "queued"
    SENDING = "sending"
    SIGNED = "signed"
    REJECTED = "rejected"
    RELEASED = "released"
    UNKNOWN = "unknown"
    NEEDS_HUMAN = "needs_human"
    CANCELLED = "cancelled"


class LookAnswer(StrEnum):
    """What a look-up of a doubt at the processor ended with."""

    FOUND = "found"
    MISSING = "missing"
    AWAY = "away"
    """The processor did not answer."""


class AlarmKind(StrEnum):
    """What a manager has to see."""

    LATE_RECEIPT = "late_receipt"
    """A receipt taken as absent was signed after all, and its sale can't take it."""
    FOREIGN_TRAFFIC = "foreign_traffic"
    """Somebody else signs with this secure element."""
    ECHO = "echo"
    """A receipt is signed, and the processor's answer differs in what proves no other receipt."""


class RestoreFound(StrEnum):
    """By what a journal was found to be an older or another one than it was."""

    TILL_WITNESS = "till_witness"
    """The till remembers rows that it does not have."""
    SERVER_WITNESS = "server_witness"
    """So does the file that the server keeps beside it."""
    PROCESSOR_HOLDS = "processor_holds"
    """The processor holds a receipt that was about to be sent for the first time."""
    OTHER_MACHINE = "other_machine"
    """The data folder was copied or moved to another computer."""
    DAMAGED = "damaged"
    """Its file is damaged: it may lack what it had."""


_S = RequestState

BEGINNINGS = frozenset({_S.QUEUED, _S.NEEDS_HUMAN, _S.CANCELLED})
"""Accepted; a sale from before a restore; a tombstone for a key that was never seen."""

MOVES: dict[RequestState, frozenset[RequestState]] = {
    _S.QUEUED: frozenset({_S.SENDING, _S.RELEASED, _S.CANCELLED}),
    _S.SENDING: frozenset({_S.SIGNED, _S.REJECTED, _S.UNKNOWN, _S.RELEASED}),
    _S.UNKNOWN: frozenset({_S.SIGNED, _S.RELEASED, _S.NEEDS_HUMAN}),
    _S.NEEDS_HUMAN: frozenset({_S.SIGNED, _S.RELEASED, _S.QUEUED}),
    _S.REJECTED: frozenset({_S.QUEUED, _S.CANCELLED, _S.NEEDS_HUMAN}),
    # NEEDS_HUMAN: it comes again after the journal was restored, and may have been signed since.
    _S.RELEASED: frozenset({_S.QUEUED, _S.CANCELLED, _S.SIGNED, _S.NEEDS_HUMAN}),
    _S.SIGNED: frozenset(),
    _S.CANCELLED: frozenset(),
}

BINDING = frozenset({_S.QUEUED, _S.SENDING, _S.UNKNOWN, _S.NEEDS_HUMAN, _S.SIGNED, _S.CANCELLED})
"""States in which a key stands for one body only."""

IN_DOUBT = frozenset({_S.UNKNOWN, _S.NEEDS_HUMAN})
"""A receipt may exist: it is looked up, or a person is asked."""

OPEN = frozenset({_S.QUEUED, _S.SENDING, _S.UNKNOWN, _S.NEEDS_HUMAN})
"""Neither a receipt nor surely none: a look-up says "not yet known"."""


REVERSED = "reversed"
"""How a pair ended whose first receipt was undone: all of it is signed, and not what was asked."""

NotDeniable = Literal["restored", "not_compared"]
"""Why it may not be said of a key that surely nothing was signed for it."""
RESTORED: Final = "restored"
"""The journal, or what was signed beside it, may be another than it was, and nobody has looked. The
code of what is asked of a person because of that too."""
NOT_COMPARED: Final = "not_compared"
"""Nothing tells yet whether this journal knows all that the processor signed."""

LOOKED_UP = frozenset[str]({*OPEN, _S.RELEASED, REVERSED, *get_args(NotDeniable)})
"""What a look-up tells in place of receipts. RELEASED: of a half-done pair, what is to be made."""


class JobMethod(StrEnum):
    """How a delivery job hands over; a device or server of its own for each."""

    THERMAL = "thermal"
    A4 = "a4"
    EMAIL = "email"
    DRAWER = "drawer"
    """The pulse that opens the cash drawer, which hangs on the receipt printer."""


class JobState(StrEnum):
    """Where the delivery of a signed receipt, or of a paper of the till's own, stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    """Surely not printed or sent, and not tried again by itself."""
    UNPROVEN = "unproven"
    """Perhaps printed or sent: only a person can tell, and it is never repeated by itself."""
    DROPPED = "dropped"
    """A person does not want it any more."""


_J = JobState

JOB_BEGINNINGS = frozenset({_J.WAITING})
"""Committed with SIGNED, or with what the till gave to print."""

JOB_MOVES: dict[JobState, frozenset[JobState]] = {
    _J.WAITING: frozenset({_J.RUNNING, _J.FAILED, _J.DROPPED}),
    _J.RUNNING: frozenset({_J.DONE, _J.WAITING, _J.FAILED, _J.UNPROVEN}),
    _J.FAILED: frozenset({_J.WAITING, _J.DROPPED}),
    _J.UNPROVEN: frozenset({_J.WAITING, _J.DONE}),
    _J.DONE: frozenset(),
    _J.DROPPED: frozenset(),
}
"""What is done is never printed again: from there on the law wants a copy (fiscal.md 6.12)."""
