"""A local API server in memory: signs each key once, and fails on demand."""

from __future__ import annotations

import secrets
from collections import deque
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Any

from pos_app.domain.money.tax import TaxRates
from pos_app.domain.receipt import server_status
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import REVERSED, AnswerClass, RequestState
from pos_app.selling.sale.sale import NO_ROOM, NOT_COMPARED, PendingReason, RememberedJournal
from pos_app.selling.server import answers
from pos_app.selling.server.ports import OutgoingSale

_S = RequestState
_JOURNAL = ("kept", "rows", "history", "sequences", "epoch", "restored")
"""The parts of the server that an older journal replaces."""
SIGNED_AT = datetime(2026, 11, 20, 9, 31, tzinfo=UTC)


class KilledHere(BaseException):
    """The till was killed while it waited for an answer."""


class Fault(Enum):
    NONE = auto()
    NOT_DELIVERED = auto()
    REQUEST_LOST = auto()
    """The connection is cut before the server reads anything."""
    ANSWER_LOST = auto()
    """The receipt is signed, and the connection is cut before the answer."""
    ANSWER_WITHOUT_SENSE = auto()
    """The receipt is signed, and the answer can't be read."""
    IN_DOUBT = auto()
    """The processor did not answer, and the outcome is unknown."""
    WAIT = auto()
    CURE = auto()
    NO_ROOM = auto()
    """The server's disk is nearly full."""
    FIX = auto()
    AT_THE_DOOR = auto()
    """The guard refuses the caller."""


REASONS = {
    Fault.WAIT: PendingReason(AnswerClass.WAIT, "40010001", "surely not sent"),
    Fault.CURE: PendingReason(AnswerClass.CURE, "40011500", "PIN needed", "1500"),
    Fault.NO_ROOM: PendingReason(AnswerClass.CURE, NO_ROOM, "The disk is nearly full."),
    Fault.FIX: PendingReason(
        AnswerClass.FIX, "40090001", '"items[0].sku" 90 does not exist', field="items[0].sku"
    ),
    Fault.IN_DOUBT: PendingReason(AnswerClass.UNKNOWN, "50010001", "outcome unknown"),
    Fault.AT_THE_DOOR: PendingReason(AnswerClass.FIX, "40100001", "Unauthorized"),
}
BOUND = PendingReason(AnswerClass.FIX, "40900001", "nothing was signed for this body")
CANCEL_LATER = PendingReason(AnswerClass.WAIT, NOT_COMPARED, "cancel it again later")
COUNTED_TWICE = PendingReason(AnswerClass.WAIT, "40010003", "known under another key")
AWAY = PendingReason(AnswerClass.WAIT, "not_delivered", "nobody there")
CUT = PendingReason(AnswerClass.UNKNOWN, "outcome_unknown", "no answer")


@dataclass
class Kept:
    receipt_id: str
    body: bytes
    state: RequestState
    receipt: SignedReceipt | None = None
    proofs: int = 0
    """The number of reports that it is provable; the second one is after the quiet time."""


@dataclass
class FiscalServerInMemory:
    """The port selling.FiscalServer, and what a test may see and change behind it."""

    processor_remembers: bool | None = False
    """It is None where the processor can't be asked."""
    faults: deque[Fault] = field(default_factory=deque)
    always: dict[str, Fault] = field(default_factory=dict)
    """Faults by key: each happens whenever that key's sale is handed over."""
    kept: dict[str, Kept] = field(default_factory=dict)
    signed: dict[str, Kept] = field(default_factory=dict)
    """Requests that the processor signed and the journal may lack."""
    ledger: list[str] = field(default_factory=list)
    """Keys in the order in which they were signed: one twice is a double receipt."""
    handed: list[OutgoingSale] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)
    unclear: set[str] = field(default_factory=set)
    """Keys whose last answer was unclear and that were not looked up since."""
    blind: list[str] = field(default_factory=list)
    """Keys that were handed over again without a look-up: each is a fault of the till."""
    running: bool = True
    kill: str = ""
    """"before" or "after": the next sale kills the till before or after it is signed."""
    stranger: str = ""
    processor: server_status.ProcessorState = server_status.ProcessorState.READY
    alarms: tuple[server_status.Alarm, ...] = ()
    open: tuple[server_status.OpenReceipt, ...] = ()
    """Requests without an outcome, those of other programs too."""
    jobs: tuple[server_status.DeliveryJob, ...] = ()
    """Jobs that are not printed or sent, and that nobody has seen yet."""
    jobs_left_off: int = 0
    """The number of further jobs that `jobs` leaves out."""
    damaged: bool = False
    """True where the signed receipts can't be read: only their numbers are returned."""
    journal_id: str = "journal-1"
    rows: int = 0
    history: list[str] = field(default_factory=lambda: [""])
    """The hash of the journal after each row; the first is that of no row."""
    sequences: dict[int, str] = field(default_factory=dict)
    """Keys of the till's sales by their numbers, as the journal has them."""
    epoch: str | None = None
    """The epoch of the journal's last restore."""
    restored: server_status.JournalRestored | None = None
    """The restore that no manager has closed."""
    cure_code: str = "1500"
    """The code of a refusal that a person can cure."""
    offered: server_status.OfferedElement | None = None
    certificate_ends: datetime | None = None
    unread: tuple[str, ...] = ()
    """The parts of the processor's status that can't be read."""
    rates: tuple[TaxRates, ...] = ()
    seller_pib: str = ""
    public_mode: server_status.PublicMode | None = None
    half_signed: set[str] = field(default_factory=set)
    """Keys of pairs whose first receipt is signed; `kept` has the state of the second."""
    reversed: set[str] = field(default_factory=set)
    """Keys of pairs that a manager undid."""
    compared: bool = True
    """Whether the journal was compared with the processor: before that nothing is denied."""
    witnessed: list[RememberedJournal] = field(default_factory=list)
    proofs: int = 0
    """The number of requests to prove its identity."""

    # --- the port --------------------------------------------------------------------------------

    async def prove(self) -> answers.ProofAnswer:
        self.proofs += 1
        if not self.running:
            return answers.NoAnswer(AWAY)
        if self.stranger:
            return answers.ForeignServer(PendingReason(AnswerClass.WAIT, self.stranger))
        return answers.ServerFacts("4.0.0", "demo", self.mark())

    async def witness(
        self, remembered: RememberedJournal
    ) -> server_status.JournalCompared | answers.NoAnswer:
        if not self.running:
            return answers.NoAnswer(AWAY)
        self.witnessed.append(remembered)
        agrees = remembered.journal is None or self._holds(remembered.journal)
        if not agrees:
            self.find_restored("till_witness")
        last = max(self.sequences, default=None)
        key = None if last is None else self.sequences[last]
        return server_status.JournalCompared(self.mark(), agrees, last, key, self.epoch)

    def mark(self) -> server_status.JournalMark:
        self.grow(0)
        return server_status.JournalMark(self.journal_id, self.rows, self.history[self.rows])

    def _holds(self, mark: server_status.JournalMark) -> bool:
        known = mark.id == self.journal_id and mark.rows <= self.rows
        return known and self.history[mark.rows] == mark.hash

    def grow(self, by: int) -> None:
        self.rows += by
        while len(self.history) <= self.rows:
            self.history.append(secrets.token_hex(4))

    def find_restored(self, why: str) -> None:
        if self.restored is None:
            self.epoch = secrets.token_hex(4)
            self.restored = server_status.JournalRestored(self.epoch, SIGNED_AT, why)

    def copy(self) -> dict[str, Any]:
        self.grow(0)
        kept = {name: getattr(self, name) for name in _JOURNAL}
        return deepcopy(kept)

    def put_back(self, copy: dict[str, Any]) -> None:
        """Put the copy in place of the journal; what the processor signed stays signed."""
        self.signed |= {key: one for key, one in self.kept.items() if one.receipt is not None}
        for name, value in deepcopy(copy).items():
            setattr(self, name, value)

    async def status(self) -> server_status.ServerStatus | answers.NoAnswer:
        if not self.running:
            return answers.NoAnswer(AWAY)
        told = server_status.ProcessorStatus(
            "development",
            self.processor,
            offered=self.offered,
            certificate_ends=self.certificate_ends,
            unread=self.unread,
        )
        return server_status.ServerStatus(
            told,
            rates=self.rates,
            open=self.open,
            not_fiscal=True,
            alarms=self.alarms,
            jobs=self.jobs,
            jobs_left_off=self.jobs_left_off,
            restored=self.restored,
            public_mode=self.public_mode,
            seller_pib=self.seller_pib,
        )

    async def issue(self, sale: OutgoingSale) -> answers.IssueAnswer:
        if not self.running:
            return answers.Undelivered(AWAY)
        self.handed.append(sale)
        if sale.key in self.unclear:
            self.blind.append(sale.key)
        kill, self.kill = self.kill, ""
        answer = answers.Unclear(CUT) if kill == "before" else self._outcome(sale)
        if isinstance(answer, answers.Unclear) or kill:
            self.unclear.add(sale.key)
        if kill:
            raise KilledHere
        return answer

    def _outcome(self, sale: OutgoingSale) -> answers.IssueAnswer:
        fault = self.always.get(sale.key, Fault.NONE)
        if fault is Fault.NONE and self.faults:
            fault = self.faults.popleft()
        match fault:
            case Fault.NOT_DELIVERED:
                return answers.Undelivered(AWAY)
            case Fault.AT_THE_DOOR:
                return answers.Undelivered(REASONS[fault])
            case Fault.REQUEST_LOST:
                return answers.Unclear(CUT)
        if self.sequences.setdefault(sale.sequence, sale.key) != sale.key:
            return answers.RefusedByServer(COUNTED_TWICE)
        answer = self._answer(sale, fault)
        lost = fault in {Fault.ANSWER_LOST, Fault.ANSWER_WITHOUT_SENSE}
        return answers.Unclear(CUT) if lost else answer

    async def look_up(self, key: str, *, epoch: str | None = None) -> answers.LookUpAnswer:
        if not self.running:
            return answers.NoAnswer(AWAY)
        self.looked_up.append(key)
        self.unclear.discard(key)
        kept = self.kept.get(key)
        if kept is not None and key in self.reversed:
            return answers.StillOpen(kept.receipt_id, REVERSED)
        if kept is not None and key in self.half_signed and kept.receipt is None:
            return answers.StillOpen(kept.receipt_id, kept.state)
        if kept is None and (why_not := self._not_deniable(epoch)):
            return answers.StillOpen(f"of {key}", why_not)
        if kept is None or kept.state in {_S.RELEASED, _S.REJECTED, _S.CANCELLED}:
            return answers.NotIssued()
        if kept.receipt is not None:
            return self._told(kept.receipt_id, kept.receipt)
        return answers.StillOpen(kept.receipt_id, kept.state)

    def _not_deniable(self, epoch: str | None) -> str:
        """Why nothing is said of an unknown key; "" where it is denied."""
        if self.restored is not None and epoch != self.restored.epoch:
            return "restored"
        return "" if self.compared else "not_compared"

    async def remembers(self, sale: OutgoingSale, number: str) -> bool | answers.NoAnswer:
        if not self.running or self.processor_remembers is None:
            return answers.NoAnswer(AWAY)
        receipt = self.kept[sale.key].receipt if sale.key in self.kept else None
        known = receipt or (self.signed[sale.key].receipt if sale.key in self.signed else None)
        is_same = known is not None and known.invoice_number == number
        return self.processor_remembers and is_same

    async def cancel(self, key: str, *, epoch: str | None = None) -> answers.CancelAnswer:
        if not self.running:
            return answers.NoAnswer(AWAY)
        why_not = "" if key in self.kept else self._not_deniable(epoch)
        if why_not:
            return (
                answers.NotCancelled(why_not)
                if why_not == "restored"
                else answers.RefusedByServer(CANCEL_LATER)
            )
        kept = self.kept.setdefault(key, Kept(self._new_id(), b"", _S.RELEASED))
        if key in self.reversed:
            return answers.NotCancelled(REVERSED)
        if kept.state in {_S.RELEASED, _S.REJECTED, _S.QUEUED, _S.CANCELLED}:
            kept.state = _S.CANCELLED
            return answers.Cancelled()
        return answers.NotCancelled(kept.state)

    # --- behind it -------------------------------------------------------------------------------

    def _answer(self, sale: OutgoingSale, fault: Fault) -> answers.IssueAnswer:
        is_older = self.restored is not None and sale.epoch != self.restored.epoch
        if sale.key not in self.kept and (is_older or sale.is_from_before_restore):
            return self._asked_first(sale)
        kept = self.kept.setdefault(sale.key, Kept(self._new_id(), sale.body, _S.RELEASED))
        if sale.is_from_before_restore and kept.state is _S.RELEASED:
            kept.state = _S.NEEDS_HUMAN
        binds = kept.state in {_S.SIGNED, _S.UNKNOWN, _S.NEEDS_HUMAN}
        if kept.state is _S.CANCELLED or (binds and kept.body != sale.body):
            return answers.RefusedByServer(BOUND)
        if kept.receipt is not None:
            return self._told(kept.receipt_id, kept.receipt)
        kept.proofs += sale.is_provable
        if kept.proofs > 1 and kept.state is _S.NEEDS_HUMAN:
            kept.state = _S.RELEASED
            return answers.RefusedByServer(REASONS[Fault.WAIT])
        if binds:
            return answers.Unclear(REASONS[Fault.IN_DOUBT], kept.receipt_id, answered=True)
        return self._signed_or(fault, sale, kept)

    def _signed_or(self, fault: Fault, sale: OutgoingSale, kept: Kept) -> answers.IssueAnswer:
        kept.body = sale.body
        match fault:
            case Fault.CURE | Fault.WAIT | Fault.NO_ROOM:
                kept.state = _S.RELEASED
                return answers.RefusedByServer(self._reason(fault))
            case Fault.FIX:
                kept.state = _S.REJECTED
                return answers.RefusedByServer(REASONS[fault])
            case Fault.IN_DOUBT:
                kept.state = _S.UNKNOWN
                return answers.Unclear(REASONS[fault], kept.receipt_id, answered=True)
        return self.sign(sale.key)

    def _reason(self, fault: Fault) -> PendingReason:
        if fault is not Fault.CURE:
            return REASONS[fault]
        return replace(REASONS[fault], code=f"4001{self.cure_code}", pfr_code=self.cure_code)

    def _asked_first(self, sale: OutgoingSale) -> answers.IssueAnswer:
        """Send nothing: the processor is asked whether it holds the sale; if not, a person must
        decide."""
        known = self.signed.get(sale.key)
        if known is not None:
            self.kept[sale.key] = known
            assert known.receipt is not None, "what was signed has its receipt"
            return self._told(known.receipt_id, known.receipt)
        self.kept[sale.key] = kept = Kept(self._new_id(), sale.body, _S.NEEDS_HUMAN)
        return answers.Unclear(REASONS[Fault.IN_DOUBT], kept.receipt_id, answered=True)

    def _told(
        self, receipt_id: str, signed: SignedReceipt
    ) -> answers.Issued | answers.IssuedUnreadable:
        if self.damaged:
            return answers.IssuedUnreadable(receipt_id, signed.invoice_number)
        return answers.Issued(receipt_id, signed)

    def sign(self, key: str) -> answers.Issued:
        kept = self.kept[key]
        self.grow(1)
        self.ledger.append(key)
        kept.receipt = receipt(len(self.ledger))
        kept.state = _S.SIGNED
        return answers.Issued(kept.receipt_id, kept.receipt)

    def find_out(self, *, signed: bool) -> None:
        """End every doubt: each of these receipts exists, or none does."""
        for key, kept in self.kept.items():
            if kept.state in {_S.UNKNOWN, _S.NEEDS_HUMAN}:
                if signed:
                    self.sign(key)
                else:
                    kept.state = _S.RELEASED

    def find_after_all(self) -> None:
        """Sign the requests that were released as surely absent."""
        for key, kept in self.kept.items():
            if kept.state is _S.RELEASED and kept.body:
                self.sign(key)

    def _new_id(self) -> str:
        self.grow(1)
        return f"receipt-{len(self.kept) + 1}"


def receipt(counter: int) -> SignedReceipt:
    return SignedReceipt(
        sdc_time=SIGNED_AT,
        sdc_time_text="2026-11-20T10:31:00+01:00",
        invoice_counter=f"{counter}/{counter}ПП",
        invoice_number=f"ABCD1234-ABCD1234-{counter}",
        signed_by="ABCD1234",
        encrypted_internal_data="",
        verification_url=f"https://example.invalid/v/?vl={counter}",
    )
