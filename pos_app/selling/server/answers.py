"""What the fiscal server says, as values: each remote act ends in exactly one of a few ways.

Source: architecture.md, rule 11; platform-contract.md 3.
"""

from __future__ import annotations

from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.server_status import JournalMark
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import PendingReason

# --- receipts ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Issued:
    """Done: the receipt exists. further: those that were signed with it, as a refund's copy."""

    receipt_id: str
    receipt: SignedReceipt
    further: tuple[tuple[str, SignedReceipt], ...] = ()


@dataclass(frozen=True, slots=True)
class IssuedUnreadable:
    """Done: the receipt exists under this number, but what the server keeps of it can't be read.
    further: id and number of those that were signed with it."""

    receipt_id: str
    number: str
    further: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Declined:
    """The server said no; what may be done is told by reason.answer_class.

    Class fix, cure or wait: surely not signed. Of a cancel: it is to be asked again.
    """

    reason: PendingReason


@dataclass(frozen=True, slots=True)
class Undelivered:
    """Surely not looked at: nothing was written, or what answered is not our server."""

    reason: PendingReason


@dataclass(frozen=True, slots=True)
class Unclear:
    """A receipt may exist. answered: our server itself said so."""

    reason: PendingReason
    receipt_id: str | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class StillOpen:
    """A look-up found the request without an outcome. state: the server's word for it."""

    receipt_id: str
    state: str


@dataclass(frozen=True, slots=True)
class NotIssued:
    """A look-up found nothing: surely not issued."""


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """A question without an answer; nothing follows from it."""

    reason: PendingReason


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The server's word: nothing was and nothing will be signed for this key."""


@dataclass(frozen=True, slots=True)
class NotCancelled:
    """The server does not cancel what is in this state."""

    state: str


IssueAnswer = Issued | IssuedUnreadable | Declined | Undelivered | Unclear
LookUpAnswer = Issued | IssuedUnreadable | StillOpen | NotIssued | NoAnswer
CancelAnswer = Cancelled | NotCancelled | Declined | NoAnswer


# --- the server itself ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """A server that has proved to be this installation's."""

    version: str
    environment: str
    journal: JournalMark


@dataclass(frozen=True, slots=True)
class ForeignServer:
    """Something answers at our server's address that is not our server.

    reason.code: "foreign", "other_install", "other_environment", "other_version".
    version: of a server that proved to be of this installation, "" of any other.
    """

    reason: PendingReason
    version: str = ""


ProofAnswer = ServerFacts | ForeignServer | NoAnswer
