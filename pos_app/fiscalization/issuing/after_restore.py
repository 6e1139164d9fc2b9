"""Some requests may be neither denied nor sent while the journal may lack receipts.

Source: exactly-once.md, step 8 and "Restores, replacements, damage".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pos_app.domain.receipt import states
from pos_app.domain.receipt.operations import OperationRequest
from pos_app.domain.receipt.request import IssueRequest
from pos_app.errors import Invalid, NotFound, PosError
from pos_app.fiscalization import refusals
from pos_app.fiscalization.outcomes.restore_detection import may_lack_acts, may_lack_receipts
from pos_app.fiscalization.ports import Command, ReceiptReader, ReceiptStatus
from pos_app.fiscalization.service import Caller, FiscalService, IncomingRequest

_DECISIONS = frozenset({refusals.DECLARED_ABSENT, refusals.VOUCHED})
_UNSIGNED = frozenset(
    {states.RequestState.QUEUED, states.RequestState.RELEASED, states.RequestState.REJECTED}
)


def not_deniable(
    service: FiscalService,
    statuses: Sequence[ReceiptStatus],
    *,
    is_till: bool,
    epoch: str | None = None,
) -> states.NotDeniable | None:
    """The reason why the server may not answer "surely not signed" for a key, or None.

    RESTORED: a manager has to look first, also if others signed, because this shop may have signed
    those receipts itself before all its data were restored. NOT_COMPARED: the processor has to be
    asked first.

    statuses: the known receipts of the key. is_till: whether the key is from this till. The till
    makes a new key for each sale and sends it at once, so its keys that were sent since the start
    are new. Other programs may repeat a key that they sent long ago. epoch: the last restore before
    the key was made.
    """
    restores, findings = service.journal.restores, service.journal.findings
    if statuses:
        if restores.restored() is not None and any(
            restores.is_from_before(status.id) for status in statuses
        ):
            return states.RESTORED
        unsigned = [status.id for status in statuses if status.state in _UNSIGNED]
        if unsigned and not is_till and findings.unexplained():
            return states.RESTORED
        if any(map(findings.was_left_before_unexplained, unsigned)):
            return states.RESTORED
        is_new = is_till and all(map(restores.began_now, unsigned))
        return None if is_new or _is_compared(service, is_till) else states.NOT_COMPARED
    if may_lack_receipts(restores, findings, epoch=epoch):
        return states.RESTORED
    return None if _is_compared(service, is_till) else states.NOT_COMPARED


def _is_compared(service: FiscalService, is_till: bool) -> bool:
    """Whether the journal was compared. For the till it is enough that nothing was ever sold here,
    because the till then has no old sales."""
    return service.lane.is_compared() or (is_till and service.lane.is_new())


def refusal_or_doubt(
    service: FiscalService, caller: Caller, statuses: Sequence[ReceiptStatus], refusal: PosError
) -> PosError:
    """The refusal, or OutcomeNotKnown with the refusal's text if a receipt may exist after all.

    Other programs may repeat a key that they sent long ago, so they get the refusal only if surely
    no receipt exists. The till always gets the refusal, because it asks whether anything was signed
    before it voids a sale. Before the first comparison only "wait", "no such receipt" and refusals
    for a damaged catalogue are replaced. All others are answered: a fault that a person has to cure
    may prevent the comparison itself, and a wrong body stays wrong.
    """
    if caller.repeats_no_old_key:
        return refusal
    why_not = not_deniable(service, statuses, is_till=False)
    is_cured = (
        isinstance(refusal, refusals.NotSigned)
        and refusal.answer_class is states.AnswerClass.CURE
        and refusal.reason != refusals.CATALOGUE
    )
    is_fault = is_cured or isinstance(refusal, Invalid)
    if why_not is None or (why_not == states.NOT_COMPARED and is_fault):
        return refusal
    return refusals.OutcomeNotKnown(
        "perhaps_signed", receipt_id=caller.receipt_id, why=refusal.what.rstrip(".")
    )


@contextmanager
def nothing_denied(
    service: FiscalService, caller: Caller, incoming: IncomingRequest
) -> Iterator[None]:
    """Replaces a refusal by `refusal_or_doubt`; a body that can't be read was surely not signed."""
    try:
        yield
    except (Invalid, NotFound, refusals.NotSigned) as error:
        if isinstance(error, Invalid):
            incoming.read()
        found = service.journal.statuses_of(caller.receipt_id)
        instead = refusal_or_doubt(service, caller, found, error)
        if instead is error:
            raise
        raise instead from error


def _is_decided(service: FiscalService, statuses: Sequence[ReceiptStatus]) -> bool:
    requests = [service.journal.request(status.id) for status in statuses]
    return any(
        request and request.reason and request.reason.code in _DECISIONS for request in requests
    )


def number_referred_to(
    journal: ReceiptReader, asked: OperationRequest, target: str | None
) -> str | None:
    """The number of the receipt that a request refers to, or None where it refers to none, or its
    target has no receipt here. target: the id of the receipt that an operation acts on."""
    if isinstance(asked, IssueRequest):
        return asked.referent_number
    referent = None if target is None else journal.reference(target)
    return None if referent is None else referent.number


def is_unsure_of_referent(
    service: FiscalService, incoming: IncomingRequest, old: Command | None
) -> bool:
    """Whether a request refers to a receipt of which this journal may lack what was done: without a
    person's word it is not sent, because it may be done for the second time. Raises Invalid for a
    body that can't be read.

    old: the earlier attempt of the same key. A word counts for the same body.
    """
    journal = service.journal
    if not may_lack_receipts(journal.restores, journal.findings):
        return False
    asked = incoming.read()
    number = number_referred_to(journal, asked, incoming.target)
    if number is None and isinstance(asked, IssueRequest):
        return False
    referent = None if number is None else journal.request_of_number(number)
    chain = None if referent is None else referent.chain
    if not may_lack_acts(journal, chain, besides=None if old is None else old.id):
        return False
    is_same = old is not None and old.body_hash == incoming.body_hash
    return not (old is not None and is_same and journal.restores.was_vouched(old.id))


def is_asked_first(
    service: FiscalService, caller: Caller, statuses: Sequence[ReceiptStatus]
) -> bool:
    """Whether a key is only looked up now, and sent only if a person decides so.

    After a restore this holds for each key that is not newer than the restore. If others signed,
    they may have been this shop before all its data were restored. If the processor then no longer
    finds older receipts, this also holds for a key that another program may repeat, and for a sale
    that waited until the till was started.
    """
    restores = service.journal.restores
    if (
        service.lane.forgets()
        and (caller.has_waited or not caller.repeats_no_old_key)
        and not_deniable(service, statuses, is_till=False) == states.RESTORED
        and not _is_decided(service, statuses)
    ):
        return True
    if statuses and not any(restores.is_from_before(status.id) for status in statuses):
        return False
    if caller.is_from_before_restore:
        return True
    restore = restores.restored()
    if restore is None or caller.epoch == restore.epoch:
        return False
    return not caller.is_new or restores.forgets_keyless()
