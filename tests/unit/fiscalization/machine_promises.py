"""The invariants of exactly-once.md, which hold at every moment of every history.

A breach found in the middle of a lane's own task is kept and raised by the next `check`, so that no
handler on the way can swallow it.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass, field

from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.receipt import SignedReceipt
from pos_app.domain.receipt.states import BINDING, AlarmKind, RequestState
from pos_app.fiscalization.ports import Journal, Request
from pos_app.fiscalization.refusals import KeyBound
from tests.fakes.inner_connection import connection_of
from tests.fakes.simulated_processor import Entry, SimulatedProcessor
from tests.unit.fiscalization.machine_sales import ORIGIN, Body, body_of

_S = RequestState
IN_LANE = frozenset({_S.SENDING, _S.UNKNOWN})
ENDED = frozenset({_S.SIGNED, _S.CANCELLED})
SURELY_NOT = frozenset({_S.RELEASED, _S.REJECTED, _S.CANCELLED})


class Broken(AssertionError):
    """A promise that was not kept."""


@dataclass
class Promises:
    """processor: the truth. journal: the live server's, None while it is down.

    excused: events after which a counted lane may ask for a person (I10).
    """

    processor: SimulatedProcessor
    journal: Journal | None = None
    excused: set[str] = field(default_factory=set)
    broken: list[str] = field(default_factory=list)
    calling: Tally[str] = field(default_factory=Tally)
    denied: set[str] = field(default_factory=set)
    cancelled: set[str] = field(default_factory=set)
    answered: dict[str, SignedReceipt] = field(default_factory=dict)
    kept: dict[str, tuple[Request, SignedReceipt | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.processor.on_post = self.posted
        self.processor.on_signed = self.signed

    def expect(self, holds: bool, words: str) -> None:
        """Keep a breach for the next check."""
        if not holds:
            self.broken.append(words)

    # --- at the processor ---------------------------------------------------------------------

    def posted(self, document: FiscalDocument, request_id: str) -> None:
        """The first byte leaves: its SENDING is committed, and nothing else is in the lane."""
        held = [one for one in self._requests() if one.state in IN_LANE]
        states = [f"{one.pfr_request_id[:6]} {one.state}" for one in held]
        alone = [one.pfr_request_id for one in held if one.state is _S.SENDING] == [request_id]
        self.expect(alone and len(held) == 1, f"I7: {request_id[:6]} posted beside {states}")
        body = body_of(document)
        self.expect(document == body.document, "another body was posted")
        known = self.processor.finds(request_id)
        self.expect(known is None, f"{body.key} was posted again, though its receipt can be found")
        self.expect(self.calling[body.key] > 0, f"{body.key} was posted, and nobody waits for it")

    def signed(self, entry: Entry) -> None:
        """The processor has signed a receipt."""
        if entry.document is None:
            return
        body = body_of(entry.document)
        entries = self._entries_of(body.key)
        self.expect(len(entries) == 1, f"I1: {body.key} was signed {len(entries)} times")
        self.expect(entry.request_id == body.request_id, "the RequestId is not the derived one")
        self.expect(body.key not in self.denied, f"I9: {body.key} was denied, and signed then")
        self.expect(
            body.key not in self.cancelled, f"I9: {body.key} was cancelled, and signed then"
        )

    # --- at the callers -----------------------------------------------------------------------

    def state(self, key: str) -> RequestState | None:
        """The state of a key, None while it is unknown."""
        request = self.request(key)
        return None if request is None else request.state

    def request(self, key: str) -> Request | None:
        """The request of a key, None while it is unknown."""
        assert self.journal is not None
        command = self.journal.command_by_key(ORIGIN, key)
        return None if command is None else self.journal.requests_of(command.id)[0]

    def must_refuse(self, body: Body) -> bool:
        """Whether the key belongs to another body now, or to none any more (I8)."""
        assert self.journal is not None
        command = self.journal.command_by_key(ORIGIN, body.key)
        if command is None:
            return False
        state = self.journal.requests_of(command.id)[0].state
        return state is _S.CANCELLED or (state in BINDING and command.body_hash != body.body_hash)

    def issued(self, body: Body, receipt: SignedReceipt) -> None:
        """A caller got this receipt: it is the processor's, and always the same (I2, I5)."""
        first = self.answered.setdefault(body.key, receipt)
        self.expect(first == receipt, f"I5: {body.key} was answered differently")
        numbers = [entry.receipt.invoice_number for entry in self._entries_of(body.key)]
        self.expect(numbers == [receipt.invoice_number], f"I3: {body.key} is not what is signed")
        self.expect(
            receipt.total_amount == body.total, f"I8: {body.key} got another body's receipt"
        )

    def refused(self, body: Body, *, others: int) -> None:
        """A caller got "surely not signed". others: its key's calls still on their way."""
        self.expect(not self._entries_of(body.key), f"I2: {body.key} is signed and was denied")
        state = self.state(body.key)
        released = state in (None, _S.RELEASED, _S.REJECTED)
        self.expect(released or others > 0, f"{body.key} was released after the answer ({state})")
        if not others:
            self.denied.add(body.key)

    def not_found(self, body: Body) -> None:
        """A look-up answered 404: surely not issued, whatever body the key had."""
        self.expect(not self._entries_of(body.key), f"I2: {body.key} is signed and was not found")
        if not self.calling[body.key]:
            self.denied.add(body.key)

    def bound(self, body: Body, error: KeyBound) -> None:
        """A caller got the answer that nothing was signed for this body."""
        same = [one for one in self._entries_of(body.key) if one.request_id == body.request_id]
        self.expect(not same, f"I2: {body.key} is signed for this body and was denied")

    def cancelled_now(self, key: str) -> None:
        """The server promised that nothing was and nothing will be signed."""
        self.expect(not self._entries_of(key), f"I2: {key} is signed and was cancelled")
        self.cancelled.add(key)

    # --- at rest --------------------------------------------------------------------------------

    def check(self) -> None:
        """Check everything that can be seen between two steps. Raises Broken."""
        requests = self._requests()
        in_lane = [one for one in requests if one.state in IN_LANE]
        self.expect(len(in_lane) <= 1, "I6: two doubts in one lane")
        self._check_kept(requests)
        self._check_signed(requests)
        self._check_not_signed(requests)
        self._check_alarms()
        if not self.excused and self.processor.counted:
            reasons = [one.reason for one in requests if one.state is _S.NEEDS_HUMAN]
            self.expect(not reasons, f"I10: a person was asked: {reasons}")
        if self.broken:
            raise Broken("; ".join(self.broken))

    def check_end(self) -> None:
        """Check after all faults have stopped and every owner has an answer. Raises Broken."""
        requests = self._requests()
        if self.excused & {"replaced", "recount"}:  # nobody can tell some receipts apart any more
            return
        open_ones = [str(one.state) for one in requests if one.state not in ENDED]
        self.expect(not open_ones, f"I11: still open: {open_ones}")
        ours = [entry for entry in self.processor.ledger if entry.document is not None]
        signed = [self._receipt(one) for one in requests if one.state is _S.SIGNED]
        numbers = sorted(receipt.invoice_number for receipt in signed if receipt)
        self.expect(
            numbers == sorted(entry.receipt.invoice_number for entry in ours),
            "I15: the sums of the journal and of the ledger differ",
        )
        counters = sorted(receipt.total_counter or 0 for receipt in signed if receipt)
        self.expect(
            counters == sorted(entry.counter for entry in ours), "I16: a counter is missing"
        )
        self.check()

    def _check_kept(self, requests: Sequence[Request]) -> None:
        for request in requests:
            if request.id in self.kept:
                now = (request, self._receipt(request))
                self.expect(self.kept[request.id] == now, f"I4: {request.id} changed after its end")
            elif request.state in ENDED:
                self.kept[request.id] = (request, self._receipt(request))
        gone = set(self.kept) - {request.id for request in requests}
        self.expect(not gone, f"I4: {gone} are gone")

    def _check_signed(self, requests: Sequence[Request]) -> None:
        for request in requests:
            if request.state is not _S.SIGNED:
                continue
            receipt = self._receipt(request)
            found = [
                entry
                for entry in self.processor.ledger
                if entry.request_id == request.pfr_request_id
                and receipt is not None
                and entry.receipt.invoice_number == receipt.invoice_number
                and entry.receipt.total_amount == request.document.total == receipt.total_amount
            ]
            self.expect(len(found) == 1, f"I3: {request.id} matches {len(found)} receipts")

    def _check_alarms(self) -> None:
        """No more receipts are reported as another program's than it has signed."""
        if self.excused & {"replaced", "recount"}:
            return
        assert self.journal is not None
        alarms = self.journal.findings.alarms()
        told = sum(one.receipts for one in alarms if one.what is AlarmKind.FOREIGN_TRAFFIC)
        others = sum(map(self._may_be_of_others, self.processor.ledger))
        self.expect(told <= others, f"{told} are told to be of others, who signed {others}")

    def _may_be_of_others(self, entry: Entry) -> bool:
        return entry.document is None

    def _check_not_signed(self, requests: Sequence[Request]) -> None:
        """ "Surely not signed" is true and stays true: no request is on its way any more."""
        for request in requests:
            if request.state in SURELY_NOT:
                rid = request.pfr_request_id
                signed = [entry for entry in self.processor.ledger if entry.request_id == rid]
                self.expect(
                    not signed and not self.processor.pending(rid),
                    f"I2: {request.id} is {request.state} by {request.reason}, and may be signed",
                )

    # --- parts ----------------------------------------------------------------------------------

    def _requests(self) -> tuple[Request, ...]:
        assert self.journal is not None
        found = (self.request(key) for key in self.calling)
        return tuple(request for request in found if request is not None)

    def _receipt(self, request: Request) -> SignedReceipt | None:
        assert self.journal is not None
        return self.journal.receipt(request.id)

    def _entries_of(self, key: str) -> list[Entry]:
        return [
            entry
            for entry in self.processor.ledger
            if entry.document is not None and body_of(entry.document).key == key
        ]


class VeryLatePromises(Promises):
    """The promises that remain when a processor executes a request after W has passed.

    A request whose receipt can be found is not sent again; a receipt found late is taken, or an
    alarm is raised within one further receipt.
    """

    def signed(self, entry: Entry) -> None:
        """Receipts that come too late are counted at the end."""

    def _may_be_of_others(self, entry: Entry) -> bool:
        """A receipt of ours that was signed after W can't be told from another program's."""
        return True

    def refused(self, body: Body, *, others: int) -> None:
        """The answer was true at that time, as far as anybody could know."""

    def not_found(self, body: Body) -> None:
        """A look-up's answer was true at that time too."""

    def bound(self, body: Body, error: KeyBound) -> None:
        """So was this one about a body corrected since: its RequestId is not looked up again."""

    def _check_not_signed(self, requests: Sequence[Request]) -> None:
        """A request that was reported as not signed may be signed after all."""

    def _check_signed(self, requests: Sequence[Request]) -> None:
        """A key may have two receipts; a signed row is still one of them."""
        for request in requests:
            if request.state is _S.SIGNED:
                numbers = [one.receipt.invoice_number for one in self._entries_of_request(request)]
                receipt = self._receipt(request)
                known = receipt is not None and receipt.invoice_number in numbers
                self.expect(known, f"I3: {request.id} is not in the ledger")

    def issued(self, body: Body, receipt: SignedReceipt) -> None:
        """The first answer stays the same."""
        first = self.answered.setdefault(body.key, receipt)
        self.expect(first == receipt, f"I5: {body.key} was answered differently")

    def check_end(self) -> None:
        """Each receipt without a row of its own was reported in the log of alarms."""
        assert self.journal is not None
        rows = connection_of(self.journal).execute("SELECT what FROM notes").fetchall()
        alarms = [row for row in rows if row[0] in ("alarm_late_receipt", "foreign_traffic")]
        for request in self._requests():
            many = len(self._entries_of_request(request))
            self.expect(many <= 1 or bool(alarms), f"{request.id}: {many} receipts, and no alarm")
            self.expect(request.state in ENDED, f"I11: {request.id} is {request.state}")
        self.check()

    def _entries_of_request(self, request: Request) -> list[Entry]:
        rid = request.pfr_request_id
        return [entry for entry in self.processor.ledger if entry.request_id == rid]
