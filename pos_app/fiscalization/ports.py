"""What the core asks of the world: a journal, a processor, a catalogue, a clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pos_app.domain.esir_part import ReceiptReference
from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.operations import Operation
from pos_app.domain.processor import PfrFault, PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import FrozenArticle
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.errors import NotDelivered
from pos_app.fiscalization.findings import Findings
from pos_app.fiscalization.jobs import DeliveryJobs
from pos_app.fiscalization.lane_state import LaneState
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.receipt_status import ReceiptStatuses
from pos_app.fiscalization.restore_detection import Restores

# --- the processor ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PfrSigned:
    """It answered with a receipt."""

    receipt: SignedReceipt


@dataclass(frozen=True, slots=True)
class PfrRefused:
    """It answered with codes."""

    faults: tuple[PfrFault, ...]


@dataclass(frozen=True, slots=True)
class PfrNotSent:
    """Surely not signed: no byte of the request was written, or the caller was refused unread.

    needs_help: until a person mends the certificate, its PAC or the trusted authorities.
    """

    words: str
    needs_help: bool = False


@dataclass(frozen=True, slots=True)
class PfrUnclear:
    """Anything else: a receipt may exist."""

    words: str


class CertificateRefused(NotDelivered):
    """One side of the TLS refused the other, or the PAC is wrong: until a person mends it, nothing
    can be asked."""


SignReply = PfrSigned | PfrRefused | PfrNotSent | PfrUnclear


class Processor(Protocol):
    """A fiscal processor over its protocol. `status` and `find` raise RemoteError."""

    async def status(self) -> PfrStatus:
        """What it tells of itself now."""
        ...

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> SignReply:
        """Post the document once, on a fresh connection, and tell how it ended."""
        ...

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        """The receipt signed under that RequestId, None when it knows of none."""
        ...


# --- the journal ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Command:
    """What a caller asked for, bound to its key. `facts`: what the catalogue said, per item.

    target: the request id of the receipt that it acts on; None when it issues one.
    """

    id: str
    origin: str
    key: str
    keyless: bool
    operation: Operation
    cashier: str
    body: bytes
    body_hash: bytes
    facts: tuple[FrozenArticle | None, ...]
    accepted_at: datetime
    till_sequence: int | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class StateReason:
    """Why a request is where it is. code: a word of ours. pfr_code: the processor's, may be ""."""

    answer_class: AnswerClass
    code: str
    words: str
    pfr_code: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One receipt to be signed for a command; `child` counts from 0 within a pair.

    chain: the request id of the receipt with which its chain began, its own for the first.
    Of its last SENDING: sent_at by our clock, sent_clock by the processor's own (None: it told
    none), baseline its counter then.
    """

    id: str
    command_id: str
    child: int
    lane: str
    state: RequestState
    pfr_request_id: str
    planned: PlannedReceipt
    chain: str
    attempt: int
    changed_at: datetime
    sent_at: datetime | None = None
    baseline: int | None = None
    sent_clock: datetime | None = None
    reason: StateReason | None = None

    @property
    def document(self) -> FiscalDocument:
        """What the processor is asked to sign."""
        return self.planned.document

    @property
    def was_sent(self) -> bool:
        """Whether this attempt was, by this journal: else its lane says nothing of a receipt."""
        return self.sent_at is not None


@dataclass(frozen=True, slots=True)
class Correction:
    """The body by which a person corrected a pair; its key stands for this one too."""

    body: bytes
    body_hash: bytes


@dataclass(frozen=True, slots=True)
class ReleasedAttempt:
    """An attempt released by proof or a person's word, as it was sent; its request may have gone
    on since.

    lane: where it was sent, or is to be. alarmed_number: the late receipt of it that a person was
    told of already. asked_in: the state
    in which it is asked for; a person may have been asked about it, or it is to be sent only now.
    was_sent: False where its receipt may be from before a restore, on any element.
    """

    request_id: str
    attempt: int
    pfr_request_id: str
    document: FiscalDocument
    lane: str
    baseline: int | None = None
    sent_clock: datetime | None = None
    alarmed_number: str | None = None
    asked_in: RequestState = RequestState.RELEASED
    was_sent: bool = True


class ReceiptReader(ReceiptStatuses, Protocol):
    """What became of commands and receipts: for look-ups, answers and plans.

    Raises DatabaseDamaged for a row that can't be read.
    """

    def command(self, command_id: str) -> Command | None: ...

    def command_by_key(self, origin: str, key: str) -> Command | None: ...

    def corrected_hash(self, command_id: str) -> bytes | None:
        """The hash of the body by which a pair was corrected last."""
        ...

    def requests_of(self, command_id: str) -> tuple[Request, ...]: ...

    def request(self, request_id: str) -> Request | None: ...

    def request_of_number(self, number: str) -> Request | None:
        """The request whose receipt carries that fiscal number."""
        ...

    def has_number(self, number: str) -> bool:
        """Whether a receipt of that fiscal number is signed."""
        ...

    def chain(self, chain: str) -> Chain:
        """All receipts of a chain, signed or asked for, in the order of their acceptance."""
        ...

    def receipt(self, request_id: str) -> SignedReceipt | None: ...

    def reference(self, request_id: str) -> ReceiptReference | None:
        """How others refer to its receipt, told of one whose answer is damaged too."""
        ...


class CommandWriter(Protocol):
    """Taking commands in, and what a caller or a person makes of them later.

    Requests without a key are told from a second sale by their body alone (exactly-once.md, step 1
    and "Restores, replacements, damage").
    """

    def keyless_twin(self, origin: str, body_hash: bytes) -> str | None:
        """The id of an identical command that is open or half done, else of one that is signed
        without its answer having been delivered.

        Such an answer waits for 10 minutes of the server's running, from the last repeat or from
        when it was signed.
        """
        ...

    def repeated(self, command_id: str) -> None:
        """It was asked for again: its answer waits anew."""
        ...

    def mark_delivered(self, command_id: str, *, now: datetime) -> None:
        """Its answer reached a caller: the same body is another sale from now on."""
        ...

    def add_command(self, command: Command, requests: Sequence[Request]) -> None:
        """Store a new command with its requests: QUEUED, or CANCELLED for a tombstone."""
        ...

    def requeue(self, command: Command, requests: Sequence[Request]) -> None:
        """A RELEASED or REJECTED command comes again: QUEUED, the old attempt stays as history.
        Another plan may have fewer or more receipts than the one before it."""
        ...

    def queue_next(self, request_id: str, planned: PlannedReceipt, *, now: datetime) -> None:
        """A later receipt of a pair: its reference is known now, and it is QUEUED."""
        ...

    def queue_decided(
        self,
        request: Request,
        *,
        what: str,
        by: str,
        now: datetime,
        correction: Correction | None = None,
    ) -> None:
        """A later receipt of a pair that was refused, as a person wants it sent: QUEUED with the
        plan and the RequestId of `request`; the word, and whose it was, are noted at once.
        """
        ...

    def half_done(self) -> tuple[str, ...]:
        """The commands whose next receipt waits though the one before it is signed."""
        ...

    def cancel(self, command_id: str, *, reason: StateReason, now: datetime) -> None:
        """→ CANCELLED: all of a command, or nothing of it where one may not be (NotAllowed)."""
        ...


class LaneJournal(Protocol):
    """The way of requests through a lane, and what is known of its secure element."""

    def send(
        self, request_id: str, *, lane: LaneState, clock: datetime | None, now: datetime
    ) -> None:
        """QUEUED → SENDING with the lane's counter as baseline: before the first byte.

        clock: the processor's own time, as it was told with that counter.
        """
        ...

    def sign(
        self,
        request_id: str,
        receipt: SignedReceipt,
        *,
        lane: LaneState,
        now: datetime,
        differs: Sequence[str] = (),
    ) -> None:
        """→ SIGNED with the answer, its delivery jobs, the lane's new counter, and an alarm about
        members of the answer that differ, at once. What was QUEUED is not sent: it goes there by
        way of RELEASED."""
        ...

    def settle(
        self,
        request_id: str,
        state: RequestState,
        *,
        reason: StateReason,
        now: datetime,
        taken_as_absent: bool = False,
        lane: LaneState | None = None,
        then: RequestState | None = None,
        by: str | None = None,
    ) -> None:
        """→ any other state, with its reason; and what is known of the lane from then on.

        taken_as_absent: by proof or by a person's word; this attempt is looked up from now on.
        then: the state to which it goes on at once. by: who said so; noted under the reason's code.
        """
        ...

    def in_lane(self, lane: str) -> Request | None:
        """The request that is SENDING or UNKNOWN there: at most one."""
        ...

    def open_requests(self) -> tuple[Request, ...]:
        """All that are QUEUED, SENDING, UNKNOWN or NEEDS_HUMAN, oldest first.

        A damaged row is left out and logged: it must not hide the others.
        """
        ...

    def queued(self) -> tuple[tuple[str, str], ...]:
        """All that is QUEUED: the id of each request, and of its command."""
        ...

    def is_in_doubt(self, lane: str) -> bool:
        """Whether a request of it is UNKNOWN, be its row readable or not."""
        ...

    def lanes_in_doubt(self) -> tuple[str, ...]:
        """The lanes on which something may be signed that is not known yet."""
        ...

    def absent_in(self, lane: str) -> tuple[ReleasedAttempt, ...]:
        """The attempts of a lane taken as absent, one for each RequestId, the last first: to be
        looked up. What is settled (`not_found_again`) is left out.

        A damaged row is left out and logged: it must not keep all others from being sold.
        """
        ...

    def absent_of(self, request_id: str) -> tuple[ReleasedAttempt, ...]:
        """All attempts of one request that were taken as absent, one for each RequestId."""
        ...

    def not_found_again(self, pfr_request_id: str, *, long_ago: datetime) -> None:
        """An attempt taken as absent was asked for, and is not there. Once its request is signed or
        cancelled that settles it, and where it was taken as absent that long ago."""
        ...

    def asked_of_person(self, lane: str) -> tuple[Request, ...]:
        """What a person was asked about on that lane and the processor may hold, oldest first.

        A damaged row is left out and logged.
        """
        ...

    def lane(self, name: str) -> LaneState: ...

    def keep_lane(self, lane: LaneState) -> None:
        """How far an element's counter is explained now."""
        ...

    def element(self) -> str:
        """The lane that receipts go to now; "" until an element was told."""
        ...

    def name_element(self, uid: str) -> None:
        """The first element was told: all that has no name yet is its."""
        ...

    def accept_element(self, uid: str, *, by: str, now: datetime) -> None:
        """A manager's word: receipts go to another element from now on. What is in doubt stays with
        the one before it."""
        ...

    def recover(self, *, now: datetime) -> None:
        """At start: SENDING → UNKNOWN, QUEUED → RELEASED; a job RUNNING → UNPROVEN."""
        ...


class Journal(ReceiptReader, CommandWriter, LaneJournal, Protocol):
    """The durable memory of the server. Every method is one transaction; errors are MachineError.

    It refuses a move that the table of states does not have (NotAllowed).
    """

    identity: str

    @property
    def findings(self) -> Findings:
        """What it holds for a person: look-ups of doubts, and alarms."""
        ...

    @property
    def jobs(self) -> DeliveryJobs:
        """What is to be printed and sent."""
        ...

    @property
    def restores(self) -> Restores:
        """Its chain of rows, and the times at which it was found to be an older one."""
        ...

    def note(self, what: str, *, request_id: str | None, now: datetime, words: str) -> None:
        """Append to the log of acts."""
        ...


# --- the rest ---------------------------------------------------------------------------------


class Articles(Protocol):
    """The catalogue, for items that come by sku alone."""

    def article(self, sku: int) -> FrozenArticle | None: ...


class Disk(Protocol):
    """Room for the journal."""

    def free_bytes(self) -> int: ...
