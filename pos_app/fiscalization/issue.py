"""Issuing a receipt: from a caller's request to the answer that stands in the journal.

Source: exactly-once.md, steps 1, 2, 7 and the table of what binds a key.
"""

from __future__ import annotations

import hashlib
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pos_app.domain.receipt import SignedReceipt
from pos_app.domain.request import FrozenArticle, IssueRequest
from pos_app.domain.states import BINDING, OPEN, AnswerClass, RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.delivery import StoreRules, check_delivery
from pos_app.fiscalization.lane import CallerWaits, Lane
from pos_app.fiscalization.plan import (
    Issuer,
    check,
    issue_document,
    pfr_request_id,
    priced,
    with_facts,
)
from pos_app.fiscalization.ports import Articles, Clock, Command, Journal, Request
from pos_app.fiscalization.refusals import KeyBound, NotSigned, OutcomeNotKnown

START_WITHIN_SECONDS = 18.0
"""Seconds from acceptance within which a receipt may be sent (step 2)."""
ANSWER_WITHIN_SECONDS = 19.5
"""Seconds from acceptance within which the caller is answered; clients wait 20."""
UNDELIVERED = timedelta(minutes=10)
"""How long an answer that did not reach its keyless caller guards against a twin."""
SHORTEST_KEY, LONGEST_KEY = 16, 64


@dataclass(frozen=True, slots=True)
class Counter:
    """Where requests are taken: the journal, the lane behind it, and what they are checked by."""

    journal: Journal
    lane: Lane
    articles: Articles
    clock: Clock
    issuer: Issuer
    store: StoreRules


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. origin: the till's id, an account with its client, or "local"."""

    origin: str
    cashier: str
    waits: CallerWaits
    key: str | None = None
    till_sequence: int | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """What came: its bytes, the hash of its canonical form, and how to read it. `read` raises
    Invalid; it is called only when the key does not answer already."""

    body: bytes
    body_hash: bytes
    read: Callable[[], IssueRequest]


@dataclass(frozen=True, slots=True)
class Issued:
    """A signed receipt as it stands in the journal."""

    command: Command
    receipt_id: str
    receipt: SignedReceipt


def body_hash(canonical: bytes) -> bytes:
    """The hash that tells whether two bodies ask for the same."""
    return hashlib.sha256(canonical).digest()


async def issue_receipt(*, counter: Counter, caller: Caller, received: Received) -> Issued:
    """Issue one receipt, or answer what became of its key.

    Raises Invalid (nothing stored), NotSigned, OutcomeNotKnown, KeyBound.
    """
    began = counter.clock.seconds()
    command = _known_command(counter, caller, received)
    if command is not None and (bound := _binding(counter, command, received)):
        return await _bound_answer(counter, command, bound, began + ANSWER_WITHIN_SECONDS)
    request = _accept(counter, caller, received, command)
    await counter.lane.carry(
        request.id,
        start_by=began + START_WITHIN_SECONDS,
        answer_by=began + ANSWER_WITHIN_SECONDS,
        caller_waits=caller.waits,
    )
    return answer_of(counter.journal, request.command_id)


def kept_command(counter: Counter, caller: Caller, received: Received) -> Command | None:
    """What the journal holds of this request: by its key; without one, its open twin."""
    if caller.key is not None:
        return counter.journal.command_by_key(caller.origin, caller.key)
    since = counter.clock.now() - UNDELIVERED
    return counter.journal.keyless_twin(caller.origin, received.body_hash, undelivered_since=since)


def _known_command(counter: Counter, caller: Caller, received: Received) -> Command | None:
    command = kept_command(counter, caller, received)
    if command is not None and caller.key is None:
        raise OutcomeNotKnown(
            "The same request without a key is still open or was not delivered.",
            receipt_id=command.id,
        )
    return command


def _binding(counter: Counter, command: Command, received: Received) -> Request | None:
    """The request that binds this key now; None when a new attempt may begin."""
    request = counter.journal.requests_of(command.id)[0]
    if request.state not in BINDING:
        return None
    if request.state is RequestState.CANCELLED:
        raise KeyBound("This key was cancelled, nothing was signed for this body.")
    if command.body_hash != received.body_hash:
        raise KeyBound("This key stands for another body, nothing was signed for this body.")
    return request


async def _bound_answer(
    counter: Counter, command: Command, request: Request, answer_by: float
) -> Issued:
    waiting = {RequestState.QUEUED, RequestState.SENDING}
    while request.state in waiting:
        left = answer_by - counter.clock.seconds()
        if left <= 0 or not await counter.lane.changes.wait(request.id, left):
            break
        request = counter.journal.requests_of(command.id)[0]
    return answer_of(counter.journal, command.id)


def answer_of(journal: Journal, command_id: str) -> Issued:
    """What the journal says of a command now. Raises NotSigned, OutcomeNotKnown, KeyBound."""
    command = journal.command(command_id)
    assert command is not None
    request = journal.requests_of(command_id)[0]
    receipt = journal.receipt(request.id)
    if receipt is not None:
        return Issued(command, request.id, receipt)
    reason = request.reason
    if request.state in OPEN:
        raise OutcomeNotKnown(
            reason.words if reason else "The receipt is on its way, its outcome is not known yet.",
            receipt_id=command.id,
        )
    if request.state is RequestState.CANCELLED:
        raise KeyBound("This key was cancelled, nothing was signed.")
    assert reason is not None
    pfr_code = reason.code if reason.code.isdecimal() else ""
    answer_class = reason.answer_class
    if answer_class is AnswerClass.UNKNOWN:  # released by a person or by proof
        answer_class = AnswerClass.WAIT
    raise NotSigned(reason.words, answer_class=answer_class, pfr_code=pfr_code)


def _accept(counter: Counter, caller: Caller, received: Received, old: Command | None) -> Request:
    """Check everything, then store it: what is not accepted leaves no trace."""
    now = counter.clock.now()
    request = _with_reference_time(received.read(), counter.journal)
    check_delivery(request.delivery, counter.store)
    check(request, now=now)
    same = old is not None and old.body_hash == received.body_hash
    facts = old.facts if same and old else _facts(request, counter.articles)
    request = with_facts(request, facts)
    document = issue_document(
        request, priced(request), cashier=caller.cashier, issuer=counter.issuer
    )
    command = _command(caller, received, facts, now, old)
    child = Request(
        id=command.id,
        command_id=command.id,
        child=0,
        lane=counter.lane.name,
        state=RequestState.QUEUED,
        pfr_request_id=pfr_request_id(
            origin=command.origin, key=command.key, child=0, body_hash=command.body_hash
        ),
        document=document,
        attempt=1,
        changed_at=now,
    )
    if old is None:
        counter.journal.accept(command, [child])
    else:
        counter.journal.begin_again(command, [child])
    return child


def _with_reference_time(request: IssueRequest, journal: Journal) -> IssueRequest:
    """A reference without its time takes it from this journal, if the receipt is here."""
    if request.referent_number is None or request.referent_time is not None:
        return request
    command = journal.command_of_number(request.referent_number)
    if command is None:
        return request
    receipt = journal.receipt(journal.requests_of(command.id)[0].id)
    return request if receipt is None else replace(request, referent_time=receipt.sdc_time)


def _command(
    caller: Caller,
    received: Received,
    facts: tuple[FrozenArticle | None, ...],
    now: datetime,
    old: Command | None,
) -> Command:
    if old is not None:
        return replace(old, body=received.body, body_hash=received.body_hash, facts=facts)
    return Command(
        id=str(uuid.uuid4()),
        origin=caller.origin,
        key=caller.key or secrets.token_hex(16),
        keyless=caller.key is None,
        operation="issue",
        cashier=caller.cashier,
        body=received.body,
        body_hash=received.body_hash,
        facts=facts,
        accepted_at=now,
        till_sequence=caller.till_sequence,
    )


def _facts(request: IssueRequest, articles: Articles) -> tuple[FrozenArticle | None, ...]:
    """What the catalogue says of items that came by sku alone, once, at acceptance."""
    facts: list[FrozenArticle | None] = []
    for index, item in enumerate(request.items):
        if item.article is not None:
            facts.append(None)
            continue
        fact = articles.article(item.sku) if item.sku is not None else None
        if fact is None:
            path = f"items[{index}].sku"
            raise Invalid(f'"{path}" {item.sku} does not exist', field=path)
        facts.append(fact)
    return tuple(facts)
