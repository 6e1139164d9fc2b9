"""Health, status and doubts of the local API, read into the till's words."""

from __future__ import annotations

from datetime import datetime

from pos_app.domain.instant import from_text
from pos_app.domain.money import Money
from pos_app.domain.operations import Operation
from pos_app.domain.request import InvoiceType, TransactionType
from pos_app.domain.states import AlarmKind, JobMethod, JobState, LookAnswer
from pos_app.domain.tax import TaxRates
from pos_app.errors import Invalid
from pos_app.selling.sale import JournalMark, RememberedJournal
from pos_app.selling.server_answers import (
    Alarm,
    DeliveryJob,
    HalfDonePair,
    JournalCompared,
    JournalRestored,
    LookUpTried,
    OfferedElement,
    OpenReceipt,
    PairPart,
    ProcessorState,
    ProcessorStatus,
    ReceiptInDoubt,
    RefusedCaller,
    ServerStatus,
    StillOpen,
)
from pos_app.wire import server
from pos_app.wire.number import Number
from pos_app.wire.reading import read

_KNOWN_ALARMS = frozenset(AlarmKind)
"""A newer server may raise others: what this till has no words for, that server's own till has."""


def health_from_json(document: object) -> server.Health:
    """Who answers. Raises Invalid."""
    return read(server.Health, document)


def status_from_json(document: object) -> ServerStatus:
    """What works now. Raises Invalid."""
    body = read(server.TillStatus, document)
    told = body.processor
    return ServerStatus(
        processor=ProcessorStatus(
            kind=told.kind,
            state=_processor_state(told.state),
            code=told.code,
            words=told.words,
            uid=told.uid,
            url=told.url,
            offered=_offered(told.offered),
        ),
        rates=tuple(TaxRates(_moment(one.valid_from), dict(one.percent)) for one in body.rates),
        open=tuple(_open(one) for one in body.open),
        not_fiscal=body.not_fiscal,
        alarms=tuple(_alarm(one) for one in body.alarms if one.what in _KNOWN_ALARMS),
        jobs=tuple(_job(one) for one in body.jobs if _is_known(one)),
        jobs_left_off=body.jobs_left_off,
        restored=_restored(body.restored),
    )


def mark_of(body: server.JournalMark) -> JournalMark:
    """How far a journal has come."""
    return JournalMark(body.id, body.rows, body.hash)


def witness_said(remembered: RememberedJournal) -> dict[str, object]:
    """What the till remembers of the journal, as it is told."""
    mark = remembered.journal
    told = mark and {"id": mark.journal_id, "rows": mark.rows, "hash": mark.hash}
    return {"journal": told, "epoch": remembered.epoch}


def witnessed_from_json(document: object) -> JournalCompared:
    """What the journal says to that. Raises Invalid."""
    body = read(server.Witness, document)
    return JournalCompared(
        mark_of(body.journal), body.agrees, body.last_sequence, body.last_key, body.epoch
    )


def doubts_from_json(document: object) -> tuple[ReceiptInDoubt, ...]:
    """The doubts of the server. Raises Invalid."""
    return tuple(_doubt(one) for one in read(server.Doubts, {"doubts": document}).doubts)


def refused_callers_from_json(document: object) -> tuple[RefusedCaller, ...]:
    """The callers that the guard refused. Raises Invalid."""
    told = read(server.RefusedCallers, {"refusals": document}).refusals
    return tuple(
        RefusedCaller(_moment(one.at), one.reason, one.message, one.host, one.origin)
        for one in told
    )


def still_open_from_json(document: object) -> StillOpen:
    """A request without an outcome. Raises Invalid."""
    body = read(server.Waiting, document)
    return StillOpen(body.receipt_id, body.state)


def _offered(body: server.OfferedElement | None) -> OfferedElement | None:
    return None if body is None else OfferedElement(body.uid, body.known)


def _restored(body: server.Restored | None) -> JournalRestored | None:
    return None if body is None else JournalRestored(body.epoch, _moment(body.since), body.why)


def _processor_state(text: str) -> ProcessorState:
    try:
        return ProcessorState(text)
    except ValueError as error:
        raise Invalid(
            f'"processor.state" {text!r} is not known', field="processor.state"
        ) from error


def _open(body: server.OpenReceipt) -> OpenReceipt:
    return OpenReceipt(
        body.receipt_id,
        body.key,
        body.state,
        _moment(body.since),
        _money(body.total),
        half_done=body.half_done,
    )


def _doubt(body: server.Doubt) -> ReceiptInDoubt:
    return ReceiptInDoubt(
        receipt_id=body.receipt_id,
        key=body.key,
        state=body.state,
        since=_moment(body.since),
        total=_money(body.total),
        reason=body.reason,
        lookups=tuple(_looked(one) for one in body.lookups),
        counter_before=body.counter_before,
        counter_now=body.counter_now,
        pair=None if body.pair is None else _pair(body.pair),
    )


def _pair(body: server.HalfDonePair) -> HalfDonePair:
    first, waiting = body.signed[0], body.waiting
    try:
        return HalfDonePair(
            operation=Operation(body.operation),
            signed=PairPart(
                InvoiceType(first.invoice_type),
                TransactionType(first.transaction_type),
                Money(first.total),
                number=first.number,
                at=_moment(first.at),
            ),
            waiting=PairPart(
                InvoiceType(waiting.invoice_type),
                TransactionType(waiting.transaction_type),
                Money(waiting.total),
                code=waiting.code,
                message=waiting.message,
                is_reversal=waiting.is_reversal,
            ),
            ways=frozenset(body.ways),
        )
    except ValueError as error:
        raise Invalid(f'"pair" is not known: {error}', field="pair") from error


def _looked(body: server.LookUpTried) -> LookUpTried:
    try:
        answer = LookAnswer(body.answer)
    except ValueError as error:
        raise Invalid(f'"answer" {body.answer!r} is not known', field="lookups.answer") from error
    return LookUpTried(_moment(body.at), answer, body.counter, body.times)


def _alarm(body: server.Alarm) -> Alarm:
    return Alarm(
        id=body.id,
        what=AlarmKind(body.what),
        since=_moment(body.since),
        at=_moment(body.at),
        receipts=body.receipts,
        receipt_id=body.receipt_id,
        number=body.number,
        total=_money(body.total),
        signed_at=None if body.signed_at is None else _moment(body.signed_at),
        counter_before=body.counter_before,
        counter_now=body.counter_now,
        differs=tuple(body.differs),
    )


def job_is_over_from_json(document: object) -> bool:
    """Whether a delivery job is done or dropped. Raises Invalid."""
    return read(server.Job, document).state in (JobState.DONE, JobState.DROPPED)


def _is_known(body: server.Job) -> bool:
    return body.method in frozenset(JobMethod) and body.state in frozenset(JobState)


def _job(body: server.Job) -> DeliveryJob:
    return DeliveryJob(
        id=body.id,
        method=JobMethod(body.method),
        state=JobState(body.state),
        since=_moment(body.since),
        changed_at=_moment(body.changed_at),
        trouble=body.trouble or "",
        number=body.number,
        receipt_id=body.receipt_id,
        target=body.target,
        total=_money(body.total),
    )


def _moment(text: str) -> datetime:
    return from_text(text)


def _money(number: Number | None) -> Money | None:
    return None if number is None else Money(number)
