"""What a journal whose own past is in question may neither deny nor send.

Source: exactly-once.md, step 8 and "Restores, replacements, damage".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pos_app.domain.states import (
    NOT_COMPARED,
    RESTORED,
    AnswerClass,
    NotDeniable,
    RequestState,
)
from pos_app.errors import Invalid, NotFound, PosError
from pos_app.fiscalization.receipt_status import ReceiptStatus
from pos_app.fiscalization.refusals import DECLARED_ABSENT, NotSigned, OutcomeNotKnown
from pos_app.fiscalization.restore_detection import may_lack_receipts
from pos_app.fiscalization.service import Caller, FiscalService, IncomingRequest

_UNSIGNED = frozenset({RequestState.QUEUED, RequestState.RELEASED, RequestState.REJECTED})


def not_deniable(
    service: FiscalService,
    found: Sequence[ReceiptStatus],
    *,
    is_till: bool,
    epoch: str | None = None,
) -> NotDeniable | None:
    """Why it may not be said of a key that surely nothing was signed for it: RESTORED until a
    manager has looked, be it at what others signed, which may have been this shop before a restore
    of all its data; NOT_COMPARED until the processor was asked; None when it may be said.

    found: what is known of it here. is_till: the key is this till's, which makes a new one for each
    sale and sends it at once: what it sent since the start is new. Other programs may repeat what
    they sent long ago. epoch: the restore that it is newer than.
    """
    restores, findings = service.journal.restores, service.journal.findings
    if found:
        if restores.restored() is not None and any(
            restores.is_from_before(one.id) for one in found
        ):
            return RESTORED
        unsigned = [one.id for one in found if one.state in _UNSIGNED]
        if unsigned and not is_till and findings.unexplained():
            return RESTORED
        if any(map(findings.was_left_before_unexplained, unsigned)):
            return RESTORED
        is_new = is_till and all(map(restores.began_now, unsigned))
        return None if is_new or _is_compared(service, is_till) else NOT_COMPARED
    if may_lack_receipts(restores, findings, epoch=epoch):
        return RESTORED
    return None if _is_compared(service, is_till) else NOT_COMPARED


def _is_compared(service: FiscalService, is_till: bool) -> bool:
    """A till that has never sold here has no sales of long ago."""
    return service.lane.is_compared() or (is_till and service.lane.is_new())


def refusal_or_doubt(
    service: FiscalService, caller: Caller, found: Sequence[ReceiptStatus], refusal: PosError
) -> PosError:
    """What a caller is told in place of a refusal: to other programs, which may repeat a key that
    they sent long ago, "surely not sent" is said only where that is sure, else OutcomeNotKnown with
    those words.

    Of what a till sends a refusal is no denial: before a sale is dropped it asks for that. Before
    the first comparison only "wait" and "no such receipt" are in doubt: what has to be cured may be
    what keeps the journal from being compared, and a fault of the body is one in any case.
    """
    if caller.repeats_no_old_key:
        return refusal
    why_not = not_deniable(service, found, is_till=False)
    is_cured = isinstance(refusal, NotSigned) and refusal.answer_class is AnswerClass.CURE
    is_fault = is_cured or isinstance(refusal, Invalid)
    if why_not is None or (why_not == NOT_COMPARED and is_fault):
        return refusal
    words = f"{refusal.what.rstrip('.')}. It may have been signed before, which can't be told yet."
    return OutcomeNotKnown(words, receipt_id=caller.receipt_id)


@contextmanager
def nothing_denied(
    service: FiscalService, caller: Caller, incoming: IncomingRequest
) -> Iterator[None]:
    """Where a request is refused, `refusal_or_doubt`; but a body that can't even be read was
    signed by nobody."""
    try:
        yield
    except (Invalid, NotFound, NotSigned) as error:
        if isinstance(error, Invalid):
            incoming.read()
        found = service.journal.whereabouts_of(caller.receipt_id)
        told = refusal_or_doubt(service, caller, found, error)
        if told is error:
            raise
        raise told from error


def _is_decided(service: FiscalService, found: Sequence[ReceiptStatus]) -> bool:
    """Whether a person has said of it that it does not exist."""
    requests = [service.journal.request(one.id) for one in found]
    return any(one and one.reason and one.reason.code == DECLARED_ABSENT for one in requests)


def is_asked_first(service: FiscalService, caller: Caller, found: Sequence[ReceiptStatus]) -> bool:
    """Whether a key that comes now is only looked up, and sent by nobody but a person's word.

    After a restore that is each key which is not newer. Where others signed, which may have been
    this shop before all its data were put back, it is a key that another program may repeat, or a
    sale that waited while the till was started, if the processor does not remember long enough to
    find its receipt.
    """
    restores = service.journal.restores
    if (
        service.lane.forgets()
        and (caller.has_waited or not caller.repeats_no_old_key)
        and not_deniable(service, found, is_till=False) == RESTORED
        and not _is_decided(service, found)
    ):
        return True
    if found and not any(restores.is_from_before(one.id) for one in found):
        return False
    if caller.is_from_before_restore:
        return True
    restore = restores.restored()
    if restore is None or caller.epoch == restore.epoch:
        return False
    return not caller.keyless or restores.forgets_keyless()
