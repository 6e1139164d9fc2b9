"""The core's ports: a journal, a processor, a catalogue, a clock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar

from pos_app.domain.money.money import Money
from pos_app.domain.receipt import server_status
from pos_app.domain.receipt.esir_part import ReceiptReference
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.operations import Operation, OperationRequest
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.request import FrozenArticle, PlatformArticle
from pos_app.domain.receipt.states import AnswerClass, RequestState, RestoreFound
from pos_app.domain.setup.processor import CertificateFault, PfrFault, PfrStatus
from pos_app.errors import NotDelivered
from pos_app.fiscalization.jobs import DeliveryJobs
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.lazy_dataclass import dataclass

T = TypeVar("T")

# --- the processor ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PfrSigned:
    receipt: SignedReceipt


@dataclass(frozen=True, slots=True)
class PfrRefused:
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
    """One side of the TLS refused the other, or the PAC is wrong. Nothing can be asked until a
    person corrects that."""

    def __init__(self, fault: CertificateFault, /, **more: Any) -> None:
        super().__init__(fault.value, **more)
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
    """A caller's request, bound to its key. facts: the catalogue's article for each item. target:
    the request id of the receipt that the command acts on, or None when it issues one."""

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
    """The reason for a request's state. code: our own code. pfr_code: the processor's code, may be
    ""."""

    answer_class: AnswerClass
    code: str
    words: str
    pfr_code: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One receipt to be signed for a command; `child` counts from 0 within a pair.

    chain: the request id of the receipt with which its chain began. sent_at, sent_clock: the time
    of the last SENDING by our clock and by the processor's, which may be unknown. baseline: the
    processor's counter at that time.
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
        """Whether this journal sent the attempt; else its lane says nothing about a receipt."""
        return self.sent_at is not None


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's corrected body of a pair; the pair's key stands for this body too."""

    body: bytes
    body_hash: bytes


@dataclass(frozen=True, slots=True)
class ReleasedAttempt:
    """An attempt that is looked up again, as it was sent. A proof or a person's word released it,
    or a person was asked about it, or it is about to be sent; its request may have continued since.
    lane: the lane to which it was or will be sent. alarmed_number: the number of its late
    receipt, if a person was warned about that receipt already. asked_in: the request's state while
    the attempt is looked up. was_sent: False if its receipt may be from before a restore, on any
    element.
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

    counter: the last counter seen, None when it must be read anew. is_counted: the element's
    processor reported a counter once (L-PFR); from then on nothing is sent without a counter.
    address: the address of the last sending, None before the first.
    """

    name: str
    uid: str | None = None
    tin: str | None = None
    counter: int | None = None
    is_counted: bool = False
    address: str | None = None

    @property
    def explained(self) -> int | None:
        """The counter value up to which all receipts are in this journal, or None while unknown. It
        is 0 for an element to which nothing was ever sent."""
        return 0 if self.counter is None and self.address is None else self.counter

    def explains(self, counter: int | None) -> bool:
        known = self.explained
        return known is not None and counter is not None and counter <= known


@dataclass(frozen=True, slots=True)
class ReceiptStatus:
    """The state of a receipt of a command, also where its row's content can't be read.

    State, number and body hash are stored beside the packed content of a row, and outlive damage of
    the content. number: the fiscal number, None without a receipt. changed_at: UTC.
    body_hash: the hash of the command's first body. is_reversal: whether it undoes the first
    receipt of its pair.
    """

    id: str
    command_id: str
    state: RequestState
    number: str | None
    body_hash: bytes
    changed_at: datetime
    is_reversal: bool = False


class ReceiptStatuses(Protocol):
    """The part of the journal with the states of receipts. Raises MachineError where the file can't
    be read."""

    def statuses_of(self, command_id: str) -> tuple[ReceiptStatus, ...]:
        """The states of all receipts of a command, in their order."""
        ...

    def status_by_reference(self, reference: str) -> ReceiptStatus | None:
        """The state of the receipt with that id or that fiscal number."""
        ...


def numbers(statuses: Iterable[ReceiptStatus]) -> tuple[str, ...]:
    return tuple(one.number for one in statuses if one.number is not None)


def is_undone(statuses: Sequence[ReceiptStatus]) -> bool:
    """Whether the receipts are a pair whose first one was undone."""
    is_signed = all(one.state is RequestState.SIGNED for one in statuses)
    return is_signed and len(statuses) > 1 and statuses[-1].is_reversal


class ReceiptReader(ReceiptStatuses, Protocol):
    """The states of commands and receipts, for look-ups, answers and plans. Raises DatabaseDamaged
    for an unreadable row."""

    def command(self, command_id: str) -> Command | None: ...

    def command_by_key(self, origin: str, key: str) -> Command | None: ...

    def corrected_hash(self, command_id: str) -> bytes | None:
        """The hash of the last body by which a pair was corrected."""
        ...

    def requests_of(self, command_id: str) -> tuple[Request, ...]: ...

    def request(self, request_id: str) -> Request | None: ...

    def request_of_number(self, number: str) -> Request | None: ...

    def has_number(self, number: str) -> bool: ...

    def chain(self, chain: str) -> Chain:
        """All receipts of a chain, signed or requested, in the order of their acceptance."""
        ...

    def receipt(self, request_id: str) -> SignedReceipt | None: ...

    def reference(self, request_id: str) -> ReceiptReference | None:
        """The reference by which others name the request's receipt, even if its answer is
        damaged."""
        ...


class SetAside(Protocol):
    """The journals that were here before backups took their place, as far as they can be read: they
    know what was done since those backups were made."""

    def __call__(self, ask: Callable[[ReceiptReader], T]) -> tuple[Sequence[T], bool]:
        """Return what each of them answers, and whether all could be asked. One that can't be read
        is logged and left out, also where `ask` meets the damage."""
        ...


@dataclass(frozen=True, slots=True)
class TillAct:
    """A signed act on a receipt, as the till's file has it. sequence: the till's number of it.
    target: the request id of the receipt. number: of the act's first receipt. at: of its
    signature."""

    origin: str
    key: str
    sequence: int
    operation: Operation
    target: str
    asked: OperationRequest
    number: str
    at: datetime


class TillActs(Protocol):
    """What the till's file knows of acts on receipts. It may know some that the journal lacks,
    where the journal alone was put back. A file that can't be read is logged, and knows nothing."""

    def on(self, receipt_ids: Collection[str]) -> Sequence[TillAct]:
        """Return the signed acts on these receipts, the oldest first."""
        ...

    def is_undone(self, act: TillAct) -> bool:
        """Whether a later sale of the till undid this refund."""
        ...


class CommandWriter(Protocol):
    """Stores commands, and the later acts of a caller or a person on them.

    A request without a key is known again by its body alone (exactly-once.md, step 1 and
    "Restores, replacements, damage").
    """

    def keyless_twin(
        self, origin: str, body_hash: bytes, *, besides: Collection[str] = ()
    ) -> str | None:
        """The id of an identical command that is open or half done; else of an identical command
        that is signed and whose answer was not delivered. besides: ids to skip. An undelivered
        answer waits for 10 minutes from the last repeat or from the signing, not counting the time
        in which the server does not run.
        """
        ...

    def keyless_vouched(self, origin: str, body_hash: bytes, *, lane: str) -> str | None:
        """The id of an identical unsigned command without a key for which a person gave a word
        (`Restores.was_vouched`), as long as its attempt is looked up."""
        ...

    def repeated(self, command_id: str) -> None:
        """Note that a command was requested again: its answer waits anew."""
        ...

    def mark_delivered(self, command_id: str, *, now: datetime) -> None:
        """Note that a command's answer reached a caller: from now on the same body is another
        sale."""
        ...

    def add_command(self, command: Command, requests: Sequence[Request]) -> None:
        """Store a new command with its requests: QUEUED, or CANCELLED for a tombstone."""
        ...

    def requeue(self, command: Command, requests: Sequence[Request]) -> None:
        """Queue a RELEASED or REJECTED command that comes again; the old attempt stays as history.
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
        """Queue a refused later receipt of a pair again, as a person decided: QUEUED with the plan
        and the RequestId of `request`; the decision and the person are noted at once."""
        ...

    def cancel(self, command_id: str, *, reason: StateReason, now: datetime) -> None:
        """Move a whole command to CANCELLED. Raises NotAllowed, and moves nothing, if one receipt
        may not go there."""
        ...


class Findings(Protocol):
    """The part of the journal for people: look-ups of doubts, and alarms. Errors are MachineError.
    Source: exactly-once.md, step 3 (an alarm in Attention), till.md ("Attention")."""

    def looked(self, request_id: str, run: server_status.LookUpTried) -> None:
        """Keep successive look-ups as one row, in place of an earlier row of the same request and
        beginning."""
        ...

    def look_ups(self, request_id: str) -> tuple[server_status.LookUpTried, ...]:
        """The kept look-ups of a request, the oldest first."""
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

        lane: the lane with the counter that this receipt explains. It is stored in the same
        transaction, so that a move of the counter is never reported twice.
        """
        ...

    def foreign_traffic(self, *, before: int, counter: int, lane: LaneState, now: datetime) -> None:
        """Raise the alarm that somebody else signed on this lane between these counters. lane: the
        lane with the new counter, stored in the same transaction."""
        ...

    def was_late(self, number: str) -> bool:
        """Whether the alarm of `late_receipt` was raised about this number, seen or not."""
        ...

    def unexplained(self) -> bool:
        """Whether the counter moved without us and nobody has seen the alarm yet."""
        ...

    def was_left_before_unexplained(self, request_id: str) -> bool:
        """Whether a request has been as it is since before the last unseen move."""
        ...

    def signed_before_unexplained(self, lane: str | None = None) -> str | None:
        """The RequestId of the last receipt that was signed on this lane, or on any, before the
        first unseen move, or None."""
        ...

    def last_signed(self, lane: str) -> str | None:
        """The id of the request that was signed last on this lane, or None."""
        ...

    def others_signed_since(self, moment: datetime) -> bool:
        """Whether the counter moved without us since that moment, whether or not anybody saw the
        alarm."""
        ...

    def alarms(self) -> tuple[server_status.Alarm, ...]:
        """The alarms that nobody has seen, the oldest first. Their receipt_id is the id of the
        request itself."""
        ...

    def see(self, alarm_id: int, *, by: str, now: datetime) -> bool:
        """Note that a person has seen an alarm, and those joined with it. It returns False if there
        is none."""
        ...


class Restores(Protocol):
    """The part of the journal that remembers restores. Errors are MachineError."""

    @property
    def tip(self) -> server_status.JournalMark: ...

    def holds(self, mark: server_status.JournalMark) -> bool:
        """Whether this journal continues the one whose last row is `mark`."""
        ...

    def restored(self) -> server_status.JournalRestored | None:
        """The last restore, as long as no manager has closed it."""
        ...

    def last_epoch(self) -> str | None:
        """The name of the last restore, closed or not, or None before the first."""
        ...

    def knows(self, epoch: str | None) -> bool:
        """Whether this journal knows the restore of that name (None: before the first). A copy that
        is put back does not know the restores since it was made."""
        ...

    def is_later_known(self, epoch: str | None) -> bool:
        """Whether a later restore than the one of that name was found (None: before the first)."""
        ...

    def is_from_before(self, request_id: str) -> bool:
        """Whether the last known state of a request is from before the last restore, closed or not.
        The request's later state is then unknown here."""
        ...

    def began_before(self, request_id: str) -> bool:
        """Whether a request was accepted before the last restore, regardless of later acts."""
        ...

    def began_now(self, request_id: str) -> bool:
        """Whether a request was accepted since this server started."""
        ...

    def was_found_since(self, moment: datetime) -> bool:
        """Whether a restore was found since that moment, closed or not."""
        ...

    def forgets_keyless(self) -> bool:
        """Whether the last restore is so recent that requests without a key may repeat receipts
        signed since the copy was made, whose answers may still wait for their callers."""
        ...

    def mark_restored(self, why: RestoreFound, *, now: datetime) -> server_status.JournalRestored:
        """Note that the journal, as it is now, was found to be another one."""
        ...

    def close_restored(self, *, by: str, now: datetime) -> bool:
        """Note that a manager has looked; it returns False when no restore was open."""
        ...

    def was_vouched(self, request_id: str) -> bool:
        """Whether a person said, since the last restore, that a request may be sent although the
        journal may lack what was done with the receipt that it refers to."""
        ...

    def last_of_till(self, origin: str) -> tuple[int, str] | None:
        """The highest sequence number that came from a till, and its key."""
        ...

    def key_of_till(self, origin: str, sequence: int) -> str | None:
        """The key under which that sequence number came from a till."""
        ...


class LaneJournal(ReceiptReader, Protocol):
    """The way of requests through a lane, the state of its secure element, and the records of
    receipts that may be missing here."""

    @property
    def findings(self) -> Findings: ...

    @property
    def restores(self) -> Restores: ...

    def queue_next(self, request_id: str, planned: PlannedReceipt, *, now: datetime) -> None:
        """Queue a later receipt of a pair, whose reference is known now."""
        ...

    def half_done(self) -> tuple[str, ...]:
        """The commands whose next receipt waits though the one before it is signed."""
        ...

    def send(
        self, request_id: str, *, lane: LaneState, clock: datetime | None, now: datetime
    ) -> None:
        """Move a request QUEUED → SENDING with the lane's counter as baseline, before the first
        byte is sent. clock: the processor's own time, read with that counter."""
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
        """Move a request to SIGNED, and store with it the answer, the delivery jobs, the lane's new
        counter, and an alarm about differing members of the answer. A QUEUED request goes there by
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
        """Move a request to any other state, with the reason, and with the lane's next state.

        taken_as_absent: whether a proof or a person's word says that there is no receipt; this
        attempt is looked up from now on. then: the state to which the request goes on at once. by:
        the person, who is noted under the reason's code.
        """
        ...

    def in_lane(self, lane: str) -> Request | None:
        """The request that is SENDING or UNKNOWN in the lane: at most one."""
        ...

    def open_requests(self) -> tuple[Request, ...]:
        """All requests that are QUEUED, SENDING, UNKNOWN or NEEDS_HUMAN, oldest first. A damaged
        row is left out and logged: it must not hide the others."""
        ...

    def queued(self) -> tuple[tuple[str, str], ...]:
        """All QUEUED requests: the id of each, and of its command."""
        ...

    def is_in_doubt(self, lane: str) -> bool:
        """Whether a request of the lane is UNKNOWN, even if its row is unreadable."""
        ...

    def lanes_in_doubt(self) -> tuple[str, ...]:
        """The lanes that may have a signed receipt that is not known yet."""
        ...

    def absent_in(self, lane: str) -> tuple[ReleasedAttempt, ...]:
        """The attempts of a lane that were taken as absent and are to be looked up: one for each
        RequestId, the last first. Settled ones (`not_found_again`) are left out.

        A damaged row is left out and logged: it must not prevent all other sales.
        """
        ...

    def absent_of(self, request_id: str) -> tuple[ReleasedAttempt, ...]:
        """All attempts of one request that were taken as absent, one for each RequestId."""
        ...

    def not_found_again(self, pfr_request_id: str, *, long_ago: datetime) -> None:
        """Note that an attempt that was taken as absent was looked up again and not found. This
        settles the attempt if its request is signed or cancelled by now, or if it was taken as
        absent before `long_ago`."""
        ...

    def asked_of_person(self, lane: str) -> tuple[Request, ...]:
        """Requests about which a person was asked on that lane and that the processor may hold,
        oldest first. A damaged row is left out and logged."""
        ...

    def lane(self, name: str) -> LaneState: ...

    def keep_lane(self, lane: LaneState) -> None:
        """Keep the counter value up to which an element is explained."""
        ...

    def element(self) -> str:
        """The lane to which receipts go now, or "" until an element was named."""
        ...

    def was_sent(self) -> bool:
        """Whether anything was ever sent to a processor. Then only a person changes the element."""
        ...

    def name_element(self, uid: str) -> None:
        """Note the first element, or another one before anything was sent. All unsent requests
        belong to it."""
        ...

    def accept_element(self, uid: str, *, by: str, now: datetime) -> None:
        """Let receipts go to another element from now on, by a manager's word. Doubts stay with the
        previous element."""
        ...

    def recover(self, *, now: datetime) -> None:
        """Settle the states at the start: SENDING → UNKNOWN, QUEUED → RELEASED; a job RUNNING →
        UNPROVEN."""
        ...


class Journal(CommandWriter, LaneJournal, Protocol):
    """The durable memory of the server. Every method is one transaction; errors are MachineError.
    It refuses a move that the table of states does not have (NotAllowed)."""

    identity: str

    @property
    def jobs(self) -> DeliveryJobs: ...

    def note(self, what: str, *, request_id: str | None, now: datetime, words: str) -> None:
        """Append to the log of acts."""
        ...


# --- the rest ---------------------------------------------------------------------------------


class Articles(Protocol):
    """The catalogue, for items that come by sku alone."""

    def articles(
        self, sku: int, *, sold: Sequence[PlatformArticle] | None = None
    ) -> Sequence[FrozenArticle]:
        """The articles of a code. sold: the platform's articles, if the platform sent them; then
        these are returned, with the changes made here that wait to be sent to the platform."""
        ...


class Disk(Protocol):
    """Checks the room for the journal."""

    def free_bytes(self) -> int: ...
