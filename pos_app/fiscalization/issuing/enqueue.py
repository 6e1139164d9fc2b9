"""Accepts a request: all of it is checked, then stored. A refused request leaves nothing.

Source: exactly-once.md, step 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.operations import Closing, Operation, OperationRequest
from pos_app.domain.receipt.receipt_identity import receipt_id
from pos_app.domain.receipt.request import IssueRequest
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.domain.setup.processor import PfrStatus
from pos_app.errors import Invalid, NotFound
from pos_app.fiscalization.handover.handover_options import settled_delivery
from pos_app.fiscalization.issuing.after_restore import number_referred_to
from pos_app.fiscalization.issuing.planning import Plan, Planner, facts_by_code
from pos_app.fiscalization.issuing.till_acts import acts_lacking, receipts_of
from pos_app.fiscalization.outcomes.pfr_request_id import pfr_request_id
from pos_app.fiscalization.plans.advance_tax import GivenRates
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.reported import plan_reported
from pos_app.fiscalization.ports import Command, ReceiptReader, Request, StateReason
from pos_app.fiscalization.refusals import TILL_RESTORED, NotSigned, ReceiptNotFound
from pos_app.fiscalization.service import Caller, FiscalService, IncomingRequest


def enqueue(
    service: FiscalService,
    caller: Caller,
    incoming: IncomingRequest,
    old: Command | None,
    *,
    asked_first: StateReason | None = None,
) -> Command:
    """Return the command, committed with its QUEUED requests.

    old: the earlier command of the same key, whose attempt was not signed. asked_first: the reason
    why a person is asked and nothing is sent. With a reason, a till's report is stored even if the
    journal lacks the receipt that it acts on. Raises Invalid, naming the field, NotSigned (wait)
    and ReceiptNotFound, with nothing stored.
    """
    _check_till(service, caller)
    now = service.clock.now()
    asked = incoming.read()
    delivery, mailing = settled_delivery(asked.delivery, service.store, of_till=caller.is_till)
    asked = replace(asked, delivery=delivery)
    same = old is not None and old.body_hash == incoming.body_hash
    refers = isinstance(asked, IssueRequest) and asked.referent_number is not None
    wants_seller = isinstance(asked, Closing) or refers
    seller = seller_of(service) if wants_seller else service.issuer.seller
    planner = Planner(
        journal=service.journal,
        articles=service.articles,
        of_platform=caller.articles,
        basis=basis_of(service, cashier=caller.cashier, now=now, seller=seller),
        without=None if old is None else old.id,
        known=facts_by_code(asked, old.facts) if same and old else {},
        repeated=_labels_refunded(service, caller),
        only_reported=asked_first is not None,
    )
    is_reported = asked_first is not None and caller.is_from_before_restore
    plan = _plan(planner, asked, incoming.target, is_reported=is_reported)
    if not is_reported:
        _check_not_done(service, caller, planner, asked, incoming.target)
    plan = plan.with_warnings((*incoming.notice(), *mailing))
    command = _command(caller, incoming, plan, now, old)
    requests = _requests(service, command, plan, now)
    if asked_first is not None:
        state = RequestState.NEEDS_HUMAN
        requests = [replace(request, state=state, reason=asked_first) for request in requests]
    if old is None:
        service.journal.add_command(command, requests)
    else:
        service.journal.requeue(command, requests)
    return command


def _plan(
    planner: Planner, asked: OperationRequest, target: str | None, *, is_reported: bool
) -> Plan:
    """Plan a request. For a till's report whose plan is refused for good, the documents are rebuilt
    as far as the request allows (`plan_reported`). A temporary refusal is raised, because the till
    reports again later."""
    try:
        return planner.plan(asked, target)
    except (Invalid, ReceiptNotFound):
        if not is_reported or isinstance(asked, IssueRequest) or target is None:
            raise
        found = planner.journal.request(target)
        chain = None if found is None else found.chain
        return Plan(plan_reported(asked, planner.basis), chain)


def _check_not_done(
    service: FiscalService,
    caller: Caller,
    planner: Planner,
    asked: OperationRequest,
    target: str | None,
) -> None:
    """Check a request, which this journal allows, by the journals that backups replaced, and by the
    till's file. Raises Invalid where one of them has receipts that this journal lacks, and so
    refuses the request."""
    number = number_referred_to(service.journal, asked, target)
    if number is None:
        return

    def check(journal: ReceiptReader) -> None:
        if not journal.statuses_of(caller.receipt_id):  # else the receipt may be its own
            by_it = replace(planner, journal=journal)
            with _told_as("done_before", lambda: receipts_lacking(service, journal, number)):
                by_it.plan(asked, target)

    service.set_aside(check)
    acts = acts_lacking(service, number)
    if acts and caller.key not in {act.key for act in acts}:
        by_till = replace(planner, further=receipts_of(service, planner, acts))
        with _told_as("done_at_till", lambda: [act.number for act in acts]):
            by_till.plan(asked, target)


@contextmanager
def _told_as(kind: str, lacking: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Replace a refusal for good by one that names the receipts that this journal lacks; what
    proves nothing is passed over."""
    try:
        yield
    except (NotSigned, NotFound):
        return
    except Invalid as error:
        if numbers := ", ".join(lacking()):
            raise Invalid(kind, field=error.field, numbers=numbers, why=error.what) from error


def receipts_lacking(service: FiscalService, other: ReceiptReader, number: str) -> Sequence[str]:
    """The numbers of the signed receipts that another journal has together with the receipt of that
    number, and that this journal lacks. Raises MachineError."""
    referent = other.request_of_number(number)
    links = () if referent is None else other.chain(referent.chain).links
    signed = [link.receipt.invoice_number for link in links if link.is_signed and link.receipt]
    return [one for one in signed if not service.journal.has_number(one)]


def _check_till(service: FiscalService, caller: Caller) -> None:
    """Check the number that a till gave its sale. A known number under another key shows that the
    till was restored."""
    if caller.till_sequence is None:
        return
    known = service.journal.restores.key_of_till(caller.origin, caller.till_sequence)
    if known not in (None, caller.key):
        raise NotSigned(
            "till_restored",
            answer_class=AnswerClass.WAIT,
            reason=TILL_RESTORED,
            till_sequence=caller.till_sequence,
        )


def _labels_refunded(service: FiscalService, caller: Caller) -> frozenset[TaxLabel]:
    """The labels of the signed refund whose lines a correction sells once more."""
    if caller.corrects_after is None:
        return frozenset()
    command = service.journal.command_by_key(caller.origin, caller.corrects_after)
    if command is None or command.operation is not Operation.REFUND:
        return frozenset()
    requests = service.journal.requests_of(command.id)
    signed = [one for one in requests if one.state is RequestState.SIGNED]
    return frozenset(line.label for one in signed for line in one.planned.document.lines)


def basis_of(
    service: FiscalService, *, cashier: str, now: datetime, seller: BuyerId | None
) -> Basis:
    """now: the instant of acceptance. seller: the shop as a buyer, where the plan may need it."""
    issuer = service.issuer
    return Basis(
        now=now,
        cashier=cashier,
        esir_number=issuer.esir_number,
        seller=seller,
        rules=issuer.rules,
        rates=given_rates(service.lane.status),
        in_vat=issuer.in_vat(),
    )


def given_rates(status: PfrStatus | None) -> GivenRates:
    """The processor's rates, or None if they can't be read. They are also None for a processor that
    can't sign: without a card it may leave its rates out."""
    if status is None:
        return None
    is_unread = any("TaxRates" in member for member in status.unread)
    if not status.rates and (is_unread or status.is_bare or status.blocking_code):
        return None
    return status.rates


def seller_of(service: FiscalService) -> BuyerId | None:
    return service.issuer.seller or _of_tin(service.journal.lane(service.lane.name).tin)


def _of_tin(tin: str | None) -> BuyerId | None:
    try:
        return None if tin is None else BuyerId("10", tin)
    except Invalid:  # the TIN of a test processor may have another form
        return None


def _command(
    caller: Caller, incoming: IncomingRequest, plan: Plan, now: datetime, old: Command | None
) -> Command:
    if old is not None:
        return replace(
            old,
            operation=incoming.operation,
            target=incoming.target,
            body=incoming.body,
            body_hash=incoming.body_hash,
            facts=plan.facts,
        )
    return Command(
        id=caller.receipt_id,
        origin=caller.origin,
        key=caller.key,
        keyless=caller.keyless,
        operation=incoming.operation,
        cashier=caller.cashier,
        body=incoming.body,
        body_hash=incoming.body_hash,
        facts=plan.facts,
        accepted_at=now,
        till_sequence=caller.till_sequence,
        target=incoming.target,
    )


def _requests(service: FiscalService, command: Command, plan: Plan, now: datetime) -> list[Request]:
    origin, key = command.origin, command.key
    return [
        Request(
            id=receipt_id(origin=origin, key=key, child=child),
            command_id=command.id,
            child=child,
            lane=service.lane.name,
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
