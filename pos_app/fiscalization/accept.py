"""Accepting a request: everything is checked, then it is stored; a refused one leaves no trace.

Source: exactly-once.md, step 1.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pos_app.domain.request import FrozenArticle, IssueRequest
from pos_app.domain.states import RequestState
from pos_app.errors import Invalid
from pos_app.fiscalization.counter import Caller, Counter, Received
from pos_app.fiscalization.delivery import check_delivery
from pos_app.fiscalization.plan import (
    check,
    issue_document,
    pfr_request_id,
    priced,
    with_facts,
)
from pos_app.fiscalization.ports import Articles, Command, Journal, Request


def accept(counter: Counter, caller: Caller, received: Received, old: Command | None) -> Request:
    """The QUEUED request, committed. old: the same key's command, whose attempt came to nothing.

    Raises Invalid, naming the field, with nothing stored.
    """
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
        id=caller.receipt_id,
        origin=caller.origin,
        key=caller.key,
        keyless=caller.keyless,
        operation="issue",
        cashier=caller.cashier,
        body=received.body,
        body_hash=received.body_hash,
        facts=facts,
        accepted_at=now,
        till_sequence=caller.till_sequence,
    )
