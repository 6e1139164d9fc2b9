"""The core's ports: a journal, a processor, a catalogue, a clock."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Protocol

from pos_app.domain.esir_part import ReceiptReference
from pos_app.domain.fiscal_document import FiscalDocument
from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.domain.processor import CertificateFault, PfrFault, PfrStatus
from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import FrozenArticle, PlatformArticle
from pos_app.domain.server_status import Alarm, JournalMark, JournalRestored, LookUpTried
from pos_app.domain.states import AnswerClass, RequestState, RestoreFound
from pos_app.errors import NotDelivered
from pos_app.fiscalization.jobs import DeliveryJobs
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.lazy_dataclass import dataclass

# --- the processor ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PfrSigned:
    """The processor answered with a receipt."""

    receipt: SignedReceipt


@dataclass(frozen=True, slots=True)
class PfrRefused:
    """The processor answered with codes."""

    faults: tuple[PfrFault, ...]


@dataclass(frozen=True, slots=True)
class PfrNotSent:
    """Surely not signed: no byte of the request was written, or the caller was refused unread.

    fault: the fault of the certificate, its PAC or the trusted authorities that a person has to
    correct, or None.
    """

    words: str
    fault: CertificateFault | None = None


@dataclass(frozen=True, slots=True)
class PfrUnclear:
    """Any other result: a receipt may exist."""

    words: str


class CertificateRefused(NotDelivered):
    """One side of the TLS refused the other, or the PAC is wrong: until a person corrects it,
    nothing can be asked."""

    def __init__(self, what: str, fault: CertificateFault) -> None:
        super().__init__(what, kind=fault.value)
        self.fault = fault


SignReply = PfrSigned | PfrRefused | PfrNotSent | PfrUnclear


class Processor(Protocol):
    """A fiscal processor over its protocol. `status` and `find` raise RemoteError."""

    async def status(self) -> PfrStatus:
        """The processor's present status."""
        ...

    async def sign(self, document: FiscalDocument, *, pfr_request_id: str) -> SignReply:
        """Post the document once, on a fresh connection, and return the result."""
        ...

    async def find(self, pfr_request_id: str) -> SignedReceipt | None:
        """The receipt signed under that RequestId, or None."""
        ...


# --- the journal ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Command:
    """A caller's request, bound to its key. `facts`: the catalogue's article for each item.

    target: the request id of the receipt that it acts on, or None when it issues one.
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
    """The reason for a request's state. code: a word of ours. pfr_code: the processor's, may be
    ""."""

    answer_class: AnswerClass
    code: str
    words: str
    pfr_code: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One receipt to be signed for a command; `child` counts from 0 within a pair.

    chain: the request id of the receipt with which its chain began, its own for the first. The last
    SENDING was at sent_at by our clock and sent_clock by the processor's own (None where that is
    unknown), with the processor's counter at baseline.
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
        return self.planned.document

    @property
    def was_sent(self) -> bool:
        """Whether this attempt was sent by this journal; else its lane says nothing about a
        receipt."""
        return self.sent_at is not None


@dataclass(frozen=True, slots=True)
class Correction:
    """The body by which a person corrected a pair; the pair's key stands for this one too."""

    body: bytes
    body_hash: bytes


@dataclass(frozen=True, slots=True)
class ReleasedAttempt:
    """An attempt released by proof or a person's word, as it was sent; its request may have
    continued since.

    lane: the one to which it was or will be sent. alarmed_number: its late receipt about which a
    person was warned already. asked_in: the request's state while it is looked up; a person may
    have been asked about it, or it is to be sent only now. was_sent: False where its receipt may be
    from before a restore, on any element.
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


UNNAMED = ""
"""The lane of a processor that has not named its element yet."""


@dataclass(frozen=True, slots=True)
class LaneState:
    """A lane is a secure element: `name` is its UID, or "" while unknown.

    counter: the last one seen, None when it must be read anew. is_counted: it reported its counter
    once (L-PFR); from then on nothing is sent without it. place: the address of the last sending,
    None before the first.
    """

    name: str
    uid: str | None = None
    tin: str | None = None
    counter: int | None = None
    is_counted: bool = False
    place: str | None = None

    @property
    def explained(self) -> int | None:
        """The counter value up to which all receipts are in this journal, or None while unknown.

        It is 0 for an element to which nothing was ever sent.
        """
        return 0 if self.counter is None and self.place is None else self.counter

    def explains(self, counter: int | None) -> bool:
        known = self.explained
        return known is not None and counter is not None and counter <= known


@dataclass(frozen=True, slots=True)
class ReceiptStatus:
    """The state of a receipt of a command, also where its row's content can't be read.

    The content of a row is packed; its state, number and body hash are kept beside it, and outlive
    damage of the content. number: its fiscal number, None without a receipt. changed_at: UTC.
    body_hash: that of its command's first body. is_reversal: it undoes the first receipt of its
    pair.
    """

    id: str
    command_id: str
    state: RequestState
    number: str | None
    body_hash: bytes
    changed_at: datetime
    is_reversal: bool = False


class ReceiptStatuses(Protocol):
    """The part of the journal with the states of receipts.

    Raises MachineError where the file can't be read.
    """

    def statuses_of(self, command_id: str) -> tuple[ReceiptStatus, ...]:
        """The states of all receipts of a command, in their order."""
        ...

    def status_by_reference(self, reference: str) -> ReceiptStatus | None:
        """The state of the receipt with that id or that fiscal number."""
        ...


def numbers(found: Iterable[ReceiptStatus]) -> tuple[str, ...]:
    """The fiscal numbers of those that are signed."""
    return tuple(one.number for one in found if one.number is not None)


def is_undone(found: Sequence[ReceiptStatus]) -> bool:
    """Whether they are a pair whose first receipt was undone."""
    is_signed = all(one.state is RequestState.SIGNED for one in found)
    return is_signed and len(found) > 1 and found[-1].is_reversal


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

    def request_of_number(self, number: str) -> Request | None: ...

    def has_number(self, number: str) -> bool: ...

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

    def keyless_twin(
        self, origin: str, body_hash: bytes, *, besides: Collection[str] = ()
    ) -> str | None:
        """The id of an identical command that is open or half done, else of one that is signed
        without its answer having been delivered. besides: ids that are not meant.

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

    def cancel(self, command_id: str, *, reason: StateReason, now: datetime) -> None:
        """→ CANCELLED: all of a command, or nothing of it where one may not be (NotAllowed)."""
        ...


class Findings(Protocol):
    """The part of the journal that holds what a person is to know: look-ups of doubts, and alarms.

    Errors are MachineError. Source: exactly-once.md, step 3 (an alarm in Attention), till.md
    ("Attention").
    """

    def looked(self, request_id: str, run: LookUpTried) -> None:
        """Keep look-ups in a row; the same request and beginning: what is kept of them so far."""
        ...

    def look_ups(self, request_id: str) -> tuple[LookUpTried, ...]:
        """What is kept of a request's look-ups, the oldest first."""
        ...

    def late_receipt(
        self,
        request_id: str,
        receipt: SignedReceipt,
        *,
        pfr_request_id: str,
        total: Money,
        lane: LaneState,
        now: datetime,
    ) -> None:
        """Raise the alarm about an attempt taken as absent whose receipt its request can't take.

        lane: with the counter that this explains, kept in the same transaction: a move of the
        counter that was told once is never told again.
        """
        ...

    def foreign_traffic(self, *, before: int, counter: int, lane: LaneState, now: datetime) -> None:
        """Raise the alarm that somebody else signed on this lane between these counters.

        lane: with that counter, kept in the same transaction.
        """
        ...

    def was_late(self, number: str) -> bool:
        """Whether that alarm was raised about the receipt of this number, seen or not."""
        ...

    def unexplained(self) -> bool:
        """Whether nobody has seen yet that the counter moved without us."""
        ...

    def was_left_before_unexplained(self, request_id: str) -> bool:
        """Whether nothing became of a request since the last such move that nobody has seen."""
        ...

    def signed_before_unexplained(self, lane: str | None = None) -> str | None:
        """The RequestId of the last receipt that was signed on this lane, or on any, before the
        first such move that nobody has seen; None where there is none."""
        ...

    def last_signed(self, lane: str) -> str | None:
        """The id of the request that was signed last on this lane; None where there is none."""
        ...

    def others_signed_since(self, moment: datetime) -> bool:
        """Whether the counter moved without us since then, seen or not."""
        ...

    def alarms(self) -> tuple[Alarm, ...]:
        """Those that nobody has seen, the oldest first. receipt_id: of the request itself."""
        ...

    def see(self, alarm_id: int, *, by: str, now: datetime) -> bool:
        """A person has seen an alarm, and those that are one with it; False: there is none."""
        ...


class Restores(Protocol):
    """The part of the journal that remembers them. Errors are MachineError."""

    @property
    def tip(self) -> JournalMark: ...

    def holds(self, told: JournalMark) -> bool:
        """Whether this journal continues the one that ended so."""
        ...

    def restored(self) -> JournalRestored | None:
        """The last restore, as long as no manager has closed it."""
        ...

    def last_epoch(self) -> str | None:
        """Of the last restore, closed or not; None when there never was one."""
        ...

    def knows(self, epoch: str | None) -> bool:
        """Whether the restore of that name was found by this journal; None: before the first. A
        copy that is put back once more has forgotten that it was."""
        ...

    def is_later_known(self, epoch: str | None) -> bool:
        """Whether one was found since the one of that name; None: since before the first."""
        ...

    def is_from_before(self, request_id: str) -> bool:
        """Whether the last that is known of a request is from before the last restore, closed or
        not: what became of it since the copy was made is not known here."""
        ...

    def began_before(self, request_id: str) -> bool:
        """Whether a request was accepted before the last restore, whatever was done since."""
        ...

    def began_now(self, request_id: str) -> bool:
        """Whether a request was accepted since this server started."""
        ...

    def was_found_since(self, moment: datetime) -> bool:
        """Whether a restore was found since then, closed or not."""
        ...

    def forgets_keyless(self) -> bool:
        """Whether the last restore is so young that requests without a key may repeat what was
        signed since the copy: the time for which an answer waits for its caller is not over."""
        ...

    def mark_restored(self, why: RestoreFound, *, now: datetime) -> JournalRestored:
        """Keep that the journal, as it is now, was found to be another one."""
        ...

    def close_restored(self, *, by: str, now: datetime) -> bool:
        """A manager has looked; False when none was open."""
        ...

    def last_of_till(self, origin: str) -> tuple[int, str] | None:
        """The highest sequence number that came from a till, and its key."""
        ...

    def key_of_till(self, origin: str, sequence: int) -> str | None:
        """The key under which that sequence number came from a till."""
        ...


class LaneJournal(ReceiptReader, Protocol):
    """The way of requests through a lane, what is known of its secure element, and what may be
    missing here."""

    @property
    def findings(self) -> Findings:
        """What it holds for a person: look-ups of doubts, and alarms."""
        ...

    @property
    def restores(self) -> Restores:
        """Its chain of rows, and the times at which it was found to be an older one."""
        ...

    def queue_next(self, request_id: str, planned: PlannedReceipt, *, now: datetime) -> None:
        """A later receipt of a pair: its reference is known now, and it is QUEUED."""
        ...

    def half_done(self) -> tuple[str, ...]:
        """The commands whose next receipt waits though the one before it is signed."""
        ...

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

    def was_sent(self) -> bool:
        """Whether anything was ever sent to a processor: from then on its element stands."""
        ...

    def name_element(self, uid: str) -> None:
        """The first element was told, or another one before anything was sent: all that is not sent
        is its."""
        ...

    def accept_element(self, uid: str, *, by: str, now: datetime) -> None:
        """A manager's word: receipts go to another element from now on. What is in doubt stays with
        the one before it."""
        ...

    def recover(self, *, now: datetime) -> None:
        """At start: SENDING → UNKNOWN, QUEUED → RELEASED; a job RUNNING → UNPROVEN."""
        ...


class Journal(CommandWriter, LaneJournal, Protocol):
    """The durable memory of the server. Every method is one transaction; errors are MachineError.

    It refuses a move that the table of states does not have (NotAllowed).
    """

    identity: str

    @property
    def jobs(self) -> DeliveryJobs:
        """What is to be printed and sent."""
        ...

    def note(self, what: str, *, request_id: str | None, now: datetime, words: str) -> None:
        """Append to the log of acts."""
        ...


# --- the rest ---------------------------------------------------------------------------------


class Articles(Protocol):
    """The catalogue, for items that come by sku alone."""

    def articles(
        self, sku: int, *, sold: Sequence[PlatformArticle] | None = None
    ) -> Sequence[FrozenArticle]:
        """sold: what the platform sells by this code, which is then returned, with what was
        changed here and waits to be sent to it; None where it did not tell."""
        ...


class Disk(Protocol):
    """Room for the journal."""

    def free_bytes(self) -> int: ...
