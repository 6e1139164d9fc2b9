"""What the fiscal server says, as values: each remote act ends in exactly one of a few ways.

Source: architecture.md, rule 11; platform-contract.md 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.states import AlarmKind, JobMethod, JobState, LookAnswer
from pos_app.domain.tax import TaxRates
from pos_app.selling.sale import JournalMark, PendingReason

# --- receipts ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Issued:
    """Done: the receipt exists."""

    receipt_id: str
    receipt: SignedReceipt


@dataclass(frozen=True, slots=True)
class IssuedUnreadable:
    """Done: the receipt exists under this number, but what the server keeps of it can't be read."""

    receipt_id: str
    number: str


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
class JournalCompared:
    """What the journal says to what the till remembers of it. agrees: it has that row.

    last_sequence, last_key: this till's last sale that it knows. epoch: of its last restore.
    """

    journal: JournalMark
    agrees: bool
    last_sequence: int | None = None
    last_key: str | None = None
    epoch: str | None = None


@dataclass(frozen=True, slots=True)
class ForeignServer:
    """Something answers at our server's address that is not our server.

    reason.code: "foreign", "other_install", "other_environment", "other_version".
    version: of a server that proved to be of this installation, "" of any other.
    """

    reason: PendingReason
    version: str = ""


ProofAnswer = ServerFacts | ForeignServer | NoAnswer


class ProcessorState(StrEnum):
    """Whether receipts can be signed now."""

    READY = "ready"
    AWAY = "away"
    PIN = "pin"
    CARD = "card"
    LIMIT = "limit"
    DOUBT = "doubt"
    NOT_CONFIGURED = "not_configured"
    DISK = "disk"
    """Not its fault: the server's disk is nearly full, so nothing is sent to it."""


@dataclass(frozen=True, slots=True)
class OfferedElement:
    """A secure element that is there in place of the known one; a manager may accept it."""

    uid: str
    known: str


@dataclass(frozen=True, slots=True)
class JournalRestored:
    """The server's journal was found to be an older one, and no manager has looked yet.

    since: UTC. why: the server's word: "till_witness", "server_witness", "processor_holds",
    "other_machine", "damaged", or one of a newer server.
    """

    epoch: str
    since: datetime
    why: str


@dataclass(frozen=True, slots=True)
class ProcessorStatus:
    """The fiscal processor. code: its own, may be "". words: English."""

    kind: str
    state: ProcessorState
    code: str
    words: str
    uid: str | None
    url: str | None
    offered: OfferedElement | None = None


@dataclass(frozen=True, slots=True)
class OpenReceipt:
    """A request that the server has without an outcome. since: UTC.

    half_done: it is the refused receipt of a pair, what it belongs to is signed.
    """

    receipt_id: str
    key: str | None
    state: str
    since: datetime
    total: Money | None
    half_done: bool = False


@dataclass(frozen=True, slots=True)
class Alarm:
    """What a manager has to see at the server. Instants are UTC.

    LATE_RECEIPT: number, total, signed_at, and the id of the receipt whose sale can't take it.
    FOREIGN_TRAFFIC: how many receipts others signed since then, and between which counters.
    ECHO: in which members the processor's answers differ; number and receipt_id are the last one's.
    """

    id: int
    what: AlarmKind
    since: datetime
    at: datetime
    receipts: int = 1
    receipt_id: str | None = None
    number: str | None = None
    total: Money | None = None
    signed_at: datetime | None = None
    counter_before: int | None = None
    counter_now: int | None = None
    differs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeliveryJob:
    """A receipt, or a paper of the till's own, that is not printed or sent. Instants are UTC.

    number, receipt_id, total: of the receipt, None for a paper of our own; total also where the
    server can't read it. target: the address of a mail. trouble: the server's word for what stood
    in the way.
    """

    id: int
    method: JobMethod
    state: JobState
    since: datetime
    changed_at: datetime
    trouble: str
    number: str | None = None
    receipt_id: str | None = None
    target: str = ""
    total: Money | None = None


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What works now. not_fiscal: receipts are practice (development processor).

    jobs: those that were tried and are not printed or sent; jobs_left_off: how many more there are.
    """

    processor: ProcessorStatus
    rates: tuple[TaxRates, ...]
    open: tuple[OpenReceipt, ...]
    not_fiscal: bool
    alarms: tuple[Alarm, ...] = ()
    jobs: tuple[DeliveryJob, ...] = ()
    jobs_left_off: int = 0
    restored: JournalRestored | None = None


@dataclass(frozen=True, slots=True)
class RefusedCaller:
    """A request that the server's guard refused. at: UTC. Texts are as they were sent.

    reason: the guard's word: "host", "origin", "site", "api_off", "token", "lan" …
    """

    at: datetime
    reason: str
    message: str
    host: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class LookUpTried:
    """Look-ups in a row at the processor that ended the same; `at`: the last one, UTC.

    counter: what it had reached, None where it counts none.
    """

    at: datetime
    answer: LookAnswer
    counter: int | None = None
    times: int = 1


@dataclass(frozen=True, slots=True)
class PairPart:
    """One of the two receipts of a pair. Of a signed one: number and at (UTC), by the processor.

    Of the other: the processor's code, may be "", and what the server says of it, English.
    """

    invoice_type: InvoiceType
    transaction_type: TransactionType
    total: Money
    number: str = ""
    at: datetime | None = None
    code: str = ""
    message: str = ""
    is_reversal: bool = False


@dataclass(frozen=True, slots=True)
class HalfDonePair:
    """Two receipts that belong together, one signed. ways: of "again", "correct" and "reverse"
    those that are open now."""

    operation: Operation
    signed: PairPart
    waiting: PairPart
    ways: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ReceiptInDoubt:
    """A request that may have been signed. state: "unknown" or "needs_human". since: UTC.

    pair: where something that belongs to it is signed.
    """

    receipt_id: str
    key: str | None
    state: str
    since: datetime
    total: Money | None
    reason: str
    lookups: tuple[LookUpTried, ...] = ()
    counter_before: int | None = None
    counter_now: int | None = None
    differs: tuple[str, ...] = ()
    pair: HalfDonePair | None = None
