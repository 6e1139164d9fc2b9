"""Accepting a request: everything is checked, then it is stored; a refused one leaves no trace.

Source: exactly-once.md, step 1.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pos_app.domain.buyer import BuyerId
from pos_app.domain.operations import Closing
from pos_app.domain.states import AnswerClass, RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.counter import Caller, Counter, Received
from pos_app.fiscalization.delivery import settled_delivery
from pos_app.fiscalization.identity import pfr_request_id, receipt_id
from pos_app.fiscalization.planning import Plan, Planner
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.ports import Command, Reason, Request
from pos_app.fiscalization.refusals import TILL_RESTORED, NotSigned


def accept(
    counter: Counter,
    caller: Caller,
    received: Received,
    old: Command | None,
    *,
    asked_first: Reason | None = None,
) -> Command:
    """The command, committed with its QUEUED requests. old: the same key's command, whose attempt
    came to nothing. asked_first: why a person is asked about it instead of its being sent.

    Raises Invalid, naming the field, NotSigned (wait) and ReceiptNotFound, with nothing stored.
    """
    _check_till(counter, caller)
    now = counter.clock.now()
    asked = received.read()
    delivery, mailing = settled_delivery(asked.delivery, counter.store)
    asked = replace(asked, delivery=delivery)
    same = old is not None and old.body_hash == received.body_hash
    seller = seller_of(counter) if isinstance(asked, Closing) else counter.issuer.seller
    planner = Planner(
        journal=counter.journal,
        articles=counter.articles,
        basis=basis_of(counter, cashier=caller.cashier, now=now, seller=seller),
        without=None if old is None else old.id,
        known_facts=old.facts if same and old else None,
    )
    plan = planner.plan(asked, received.target).telling((*received.notice(), *mailing))
    command = _command(caller, received, plan, now, old)
    requests = _requests(counter, command, plan, now)
    if asked_first is not None:
        state = RequestState.NEEDS_HUMAN
        requests = [replace(one, state=state, reason=asked_first) for one in requests]
    if old is None:
        counter.journal.accept(command, requests)
    else:
        counter.journal.begin_again(command, requests)
    return command


def _check_till(counter: Counter, caller: Caller) -> None:
    """A till counts its sales upward: a number that came under another key was counted twice."""
    if caller.till_sequence is None:
        return
    known = counter.journal.restores.key_of_till(caller.origin, caller.till_sequence)
    if known not in (None, caller.key):
        raise NotSigned(
            f"The till's sale {caller.till_sequence} is known under another key: the till's data"
            " was restored.",
            answer_class=AnswerClass.WAIT,
            reason=TILL_RESTORED,
        )


def basis_of(counter: Counter, *, cashier: str, now: datetime, seller: BuyerId | None) -> Basis:
    """What plans are told at this counter, of a new request and of a correction alike.

    now: the instant of acceptance. seller: the shop as a buyer, where the plan may need it.
    """
    issuer = counter.issuer
    return Basis(
        now=now,
        cashier=cashier,
        esir_number=issuer.esir_number,
        seller=seller,
        rules=issuer.rules,
    )


def seller_of(counter: Counter) -> BuyerId | None:
    """The shop as a buyer: as it is set, else by what its processor signs with."""
    return counter.issuer.seller or _of_tin(counter.journal.lane(counter.lane.name).tin)


def _of_tin(tin: str | None) -> BuyerId | None:
    """The shop as a buyer, by the TIN that its processor signs with."""
    try:
        return None if tin is None else BuyerId("10", tin)
    except Invalid:  # a foreign or a test processor may have another form
        return None


def _command(
    caller: Caller, received: Received, plan: Plan, now: datetime, old: Command | None
) -> Command:
    if old is not None:
        return replace(
            old,
            operation=received.operation,
            target=received.target,
            body=received.body,
            body_hash=received.body_hash,
            facts=plan.facts,
        )
    return Command(
        id=caller.receipt_id,
        origin=caller.origin,
        key=caller.key,
        keyless=caller.keyless,
        operation=received.operation,
        cashier=caller.cashier,
        body=received.body,
        body_hash=received.body_hash,
        facts=plan.facts,
        accepted_at=now,
        till_sequence=caller.till_sequence,
        target=received.target,
    )


def _requests(counter: Counter, command: Command, plan: Plan, now: datetime) -> list[Request]:
    origin, key = command.origin, command.key
    return [
        Request(
            id=receipt_id(origin=origin, key=key, child=child),
            command_id=command.id,
            child=child,
            lane=counter.lane.name,
            state=RequestState.QUEUED,
            pfr_request_id=pfr_request_id(
                origin=origin, key=key, child=child, body_hash=command.body_hash
            ),
            planned=planned,
            chain=plan.chain or command.id,
            attempt=1,
            changed_at=now,
        )
        for child, planned in enumerate(plan.receipts)
    ]
