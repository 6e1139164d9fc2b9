"""The states of a command that is handed over to an application, and the next step of each.

    from         to           when
    -            HANDED_OVER  committed before the first byte goes to the application, and before
                              another worker can hear that it is to take it
    NEW          HANDED_OVER  the same key is handed over again
    HANDED_OVER  HANDED_OVER  the same key is handed over again
    HANDED_OVER  ANSWERED     the application answered with the receipt
    HANDED_OVER  REFUSED      it answered that surely no receipt exists (4xx)
    HANDED_OVER  NEW          it surely began none of the attempts, or its worker took none
    REFUSED      HANDED_OVER  the same key is handed over again, perhaps with another body

An answer of 500 and above ends nothing: the outcome is unknown. (account, key) belongs to one
client from the first hand-over on.
Source: platform-contract.md 2.7 and 5; exactly-once.md (Steps; "The key travels the whole way").
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum

from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import is_certificate_origin, receipt_id, relay_origin
from pos_app.lazy_dataclass import dataclass


class CommandState(StrEnum):
    NEW = "new"
    """Surely no application began it."""
    HANDED_OVER = "handed_over"
    """An application may have carried it out."""
    ANSWERED = "answered"
    REFUSED = "refused"


MOVES: Mapping[CommandState, frozenset[CommandState]] = {
    CommandState.NEW: frozenset({CommandState.HANDED_OVER}),
    CommandState.HANDED_OVER: frozenset(CommandState),
    CommandState.REFUSED: frozenset({CommandState.HANDED_OVER}),
    CommandState.ANSWERED: frozenset(),
}
BINDING = frozenset({CommandState.HANDED_OVER, CommandState.ANSWERED})
"""In these states the key stands for this body alone."""
LOOK_UP = "look_up"
"""The operation of a command that only reads, and is stored only on its way through another
worker."""


@dataclass(frozen=True, slots=True)
class RelayCommand:
    """One key of an account. client: the application that it belongs to; in certificate mode the
    origin of the element.

    keyless: the caller sent no key. attempt: the number of hand-overs; begun: the last attempt that
    the application's worker took, unless PostgreSQL lost the note; unsure: the number of attempts
    that may have been carried out. status, answer: the status and body of the last answer, which
    came to attempt `answered`. asker: the worker whose caller waits for the last attempt until
    until_ms; request: the id of that caller's request. Times are milliseconds of the day's clock.
    """

    id: str
    account: str
    client: str
    key: str
    keyless: bool
    operation: str
    target: str | None
    body: str
    body_hash: bytes
    made_ms: int
    until_ms: int
    asker: str
    state: CommandState = CommandState.HANDED_OVER
    attempt: int = 1
    begun: int = 1
    unsure: int = 1
    answered: int = 0
    status: int | None = None
    answer: str | None = None
    repeated_ms: int = 0
    articles: str = ""
    delivered_ms: int | None = None
    request: str = ""

    @property
    def receipt_id(self) -> str:
        return receipt_id_of(self.account, self.client, self.key)

    @property
    def is_handed_over(self) -> bool:
        return self.state is CommandState.HANDED_OVER

    @property
    def is_shed(self) -> bool:
        """Whether it was answered so long ago that only its application has the answer."""
        return self.state is CommandState.ANSWERED and self.answer is None

    def is_in_flight(self, *, now_ms: int) -> bool:
        """Tell whether its last attempt may still be begun or answered."""
        return self.is_handed_over and self.answered < self.attempt and now_ms < self.until_ms


def receipt_id_of(account: str, client: str, key: str) -> str:
    """Return the id of this key's receipt, on both sides."""
    own = is_certificate_origin(client)
    return receipt_id(
        origin=client if own else relay_origin(account=account, client=client), key=key
    )


def body_hash(
    canonical: bytes, *, operation: Operation, target: str | None, credential: str = ""
) -> bytes:
    """Hash the request's content, not its spelling. credential: identifies the only caller who may
    repeat it; "" where the request has a key."""
    asked = f"{credential} {operation} {target or ''}".lstrip()
    return hashlib.sha256(f"{asked}\0".encode() + canonical).digest()


# --- what follows --------------------------------------------------------------------------------


class Next(StrEnum):
    """The next step for a request whose key, or receipt, is known."""

    HAND_OVER = "hand_over"
    NO_CLIENT = "no_client"
    """Surely nothing was handed over, and no client is connected."""
    LOST = "lost"
    """The command was handed over before, and no client is connected now."""
    CONFLICT = "conflict"
    """The key stands for another body, or belongs to another client."""
    STORED = "stored"
    """The earlier answer is repeated."""
    NOT_ISSUED = "not_issued"
    NOT_STORED = "not_stored"
    STORAGE_AWAY = "storage_away"
    """The platform can't store it, so nothing of this key was handed over."""
    TWIN_OPEN = "twin_open"
    """An identical request without a key is under way; this may be its repetition."""
    DECLINED = "declined"
    """The application is connected, but surely did not begin it."""


def next_of(
    command: RelayCommand,
    *,
    asked_hash: bytes,
    asked_client: str | None,
    is_connected: bool,
    wants_link: bool,
) -> Next:
    """Return the next step for a repeated request. is_connected: whether the command's client is
    connected; wants_link: the answer has links to PDFs, which only the application can make
    anew."""
    if command.state in BINDING and asked_hash != command.body_hash:
        return Next.CONFLICT
    if command.state is not CommandState.NEW and asked_client not in (None, command.client):
        return Next.CONFLICT
    if command.state is CommandState.ANSWERED:
        if is_connected and (wants_link or command.is_shed):
            return Next.HAND_OVER
        return Next.LOST if command.is_shed else Next.STORED
    if is_connected:
        return Next.HAND_OVER
    return Next.LOST if command.is_handed_over else Next.NO_CLIENT


def next_of_look_up(command: RelayCommand | None, *, is_connected: bool) -> Next:
    """Return the next step for a look-up. command: is None for an unknown key or id."""
    if is_connected:
        return Next.HAND_OVER
    if command is None:
        return Next.NO_CLIENT
    match command.state:
        case CommandState.ANSWERED if not command.is_shed:
            return Next.STORED
        case CommandState.ANSWERED | CommandState.HANDED_OVER:
            return Next.LOST
        case CommandState.REFUSED:
            return Next.NOT_ISSUED
        case CommandState.NEW:
            return Next.NO_CLIENT
