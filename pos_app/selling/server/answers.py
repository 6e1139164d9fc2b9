"""The fiscal server's answers as values: each remote act ends in exactly one of a few ways.

Source: architecture.md, rule 11; platform-contract.md 3.
"""

from __future__ import annotations

from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import PendingReason

# --- receipts ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Issued:
    """The receipt exists. further: receipts signed with it, such as a refund's copy."""

    receipt_id: str
    receipt: SignedReceipt
    further: tuple[tuple[str, SignedReceipt], ...] = ()


@dataclass(frozen=True, slots=True)
class IssuedUnreadable:
    """The receipt exists under this number, but the server can't read its own copy. further: id and
    number of each other receipt that was signed with it."""

    receipt_id: str
    number: str
    further: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedByServer:
    """The server refused; reason.answer_class says what may be done.

    After class fix, cure or wait the sale is surely not signed. A refused cancel is asked again.
    """

    reason: PendingReason


@dataclass(frozen=True, slots=True)
class Undelivered:
    """The request was surely not read: nothing was sent, or another program answered."""

    reason: PendingReason


@dataclass(frozen=True, slots=True)
class Unclear:
    """A receipt may exist. answered: our server itself said so."""

    reason: PendingReason
    receipt_id: str | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class StillOpen:
    """A look-up found the request without an outcome. state: the server's name of its state."""

    receipt_id: str
    state: str


@dataclass(frozen=True, slots=True)
class NotIssued:
    """A look-up found nothing, so the receipt is surely not issued."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A question without an answer; nothing follows from it."""

    reason: PendingReason


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The server guarantees that nothing was and nothing will be signed for this key."""


@dataclass(frozen=True, slots=True)
class NotCancelled:
    """The server does not cancel a request in this state."""

    state: str


IssueAnswer = Issued | IssuedUnreadable | RefusedByServer | Undelivered | Unclear
LookUpAnswer = Issued | IssuedUnreadable | StillOpen | NotIssued | NoAnswer
CancelAnswer = Cancelled | NotCancelled | RefusedByServer | NoAnswer


# --- the server itself ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """A server that has proved to be this installation's."""

    version: str
    environment: str
    journal: JournalMark


@dataclass(frozen=True, slots=True)
class ForeignServer:
    """Another program answers at our server's address.

    reason.code: "foreign", "other_install", "other_environment", "other_version". version: the
    version of a server that proved to be of this installation, else "".
    """

    reason: PendingReason
    version: str = ""


ProofAnswer = ServerFacts | ForeignServer | NoAnswer
