"""The till's status: processor, rates, open requests, alarms, doubts, rejected callers."""

from __future__ import annotations

from datetime import datetime

from pos_app.domain.money import Money
from pos_app.domain.processor import CURES, Cure, PfrStatus, meaning
from pos_app.domain.states import IN_DOUBT, JobMethod
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization import findings, jobs
from pos_app.fiscalization.findings import LookupRun
from pos_app.fiscalization.half_done_pair import SignedHalf, half_done_pair, was_refused
from pos_app.fiscalization.ports import Command, Request
from pos_app.fiscalization.service import FiscalService
from pos_app.local_api.context import ApiContext, ProcessorLabel
from pos_app.local_api.job_totals import JobTotals
from pos_app.local_api.rejected_requests import RejectedRequests
from pos_app.wire.moment import instant_text
from pos_app.wire.server import (
    Alarm,
    Doubt,
    HalfDonePair,
    Job,
    LookUpTried,
    OfferedElement,
    OpenReceipt,
    ProcessorStatus,
    Rates,
    RefusedCaller,
    Restored,
    SignedPart,
    TillStatus,
    WaitingPart,
)

_MOST_JOBS = 50
"""Jobs in each status."""
_SHOWN = tuple(method for method in JobMethod if method is not JobMethod.DRAWER)
"""Not the drawer: the cashier sees whether it is open."""
_STATE_OF_REASON = {"doubt": "doubt", "away": "away", "storage": "doubt"}


def till_status(service: FiscalService, context: ApiContext, totals: JobTotals) -> TillStatus:
    status = service.lane.status
    in_trouble = service.journal.jobs.in_trouble(*_SHOWN, most=_MOST_JOBS)
    total_of = totals.of(in_trouble.jobs)
    return TillStatus(
        processor=processor_status(service, context.processor),
        rates=[
            Rates(valid_from=_text(rates.valid_from), percent=dict(rates.percent))
            for rates in (status.rates if status else ())
        ],
        open=[_open(service, request) for request in service.journal.open_requests()],
        not_fiscal=not context.processor.is_fiscal,
        alarms=[_alarm(service, alarm) for alarm in service.journal.findings.alarms()],
        jobs=[told_job(job, total_of.get(job.request_id or "")) for job in in_trouble.jobs],
        jobs_left_off=in_trouble.left_off,
        restored=_restored(service),
    )


def _restored(service: FiscalService) -> Restored | None:
    found = service.journal.restores.restored()
    if found is None:
        return None
    return Restored(epoch=found.epoch, since=_text(found.since), why=found.why.value)


def _offered(service: FiscalService) -> OfferedElement | None:
    uid = service.lane.offered()
    return None if uid is None else OfferedElement(uid=uid, known=service.lane.name)


def told_job(job: jobs.DeliveryJob, total: Money | None = None) -> Job:
    return Job(
        id=job.id,
        method=job.method.value,
        state=job.state.value,
        since=_text(job.made_at),
        changed_at=_text(job.changed_at),
        receipt_id=job.request_id,
        number=job.number,
        total=total.amount if total is not None else None,
        target=job.target,
        attempts=job.attempts,
        trouble=job.trouble.value if job.trouble else None,
        words=job.words,
    )


def processor_status(service: FiscalService, label: ProcessorLabel) -> ProcessorStatus:
    status = service.lane.status
    state, code, message = _processor_state(service, label, status)
    return ProcessorStatus(
        kind=label.kind,
        state=state,
        code=code,
        words=message,
        uid=status.uid if status else None,
        url=label.url or None,
        offered=_offered(service),
    )


def _processor_state(
    service: FiscalService, label: ProcessorLabel, status: PfrStatus | None
) -> tuple[str, str, str]:
    if not label.is_configured:
        return "not_configured", "", "No fiscal processor is set up."
    reason, no_room = service.lane.closed(), service.lane.no_room()
    if no_room is not None and (reason is None or reason.code != "doubt"):
        return "disk", "", no_room.words
    if reason is not None:
        return _STATE_OF_REASON.get(reason.code, "away"), "", reason.words
    if status is None:
        return "away", "", "The processor has not been asked yet."
    if (reason := service.lane.not_ready()) is not None:
        return CURES.get(reason.pfr_code, Cure.CARD).value, reason.pfr_code, reason.words
    warning = status.warning
    return "ready", warning, f"{warning} {meaning(warning)}" if warning else "Ready."


def doubts(service: FiscalService) -> list[Doubt]:
    found = [request for request in service.journal.open_requests() if request.state in IN_DOUBT]
    return [_doubt(service, request) for request in found]


def _doubt(service: FiscalService, request: Request) -> Doubt:
    status = service.lane.status_of(request.id)
    return Doubt(
        **_open(service, request).model_dump(),
        reason=request.reason.words if request.reason else "",
        lookups=[_looked(run) for run in _looks_of(service, request)],
        counter_before=request.baseline,
        counter_now=status.total_counter if status else None,
        pair=_pair(service, request),
    )


def _pair(service: FiscalService, request: Request) -> HalfDonePair | None:
    try:
        found = half_done_pair(service.journal, request)
    except DatabaseDamaged:  # the doubt is shown without its pair
        return None
    if found is None:
        return None
    waiting, reason = found.waiting.planned, found.waiting.reason
    return HalfDonePair(
        operation=found.operation.value,
        signed=[_signed(half) for half in found.signed],
        waiting=WaitingPart(
            invoice_type=waiting.document.invoice_type.value,
            transaction_type=waiting.document.transaction_type.value,
            total=waiting.document.total.amount,
            code=reason.pfr_code if reason else "",
            message=reason.words if reason else "",
            is_reversal=waiting.is_reversal,
        ),
        ways=[way.value for way in found.ways],
    )


def _signed(half: SignedHalf) -> SignedPart:
    document = half.request.document
    return SignedPart(
        receipt_id=half.request.id,
        number=half.reference.number,
        at=_text(half.reference.time),
        total=document.total.amount,
        invoice_type=document.invoice_type.value,
        transaction_type=document.transaction_type.value,
    )


def _looks_of(service: FiscalService, request: Request) -> list[LookupRun]:
    looks = service.lane.looks.of(request.id)
    return [run for run in looks if request.sent_at is None or run.ended >= request.sent_at]


def _looked(run: LookupRun) -> LookUpTried:
    return LookUpTried(
        since=_text(run.began),
        at=_text(run.ended),
        times=run.times,
        answer=run.answer.value,
        counter=run.counter,
    )


def _alarm(service: FiscalService, alarm: findings.ServerAlarm) -> Alarm:
    request = _request_of(service, alarm)
    return Alarm(
        id=alarm.id,
        what=alarm.what.value,
        since=_text(alarm.since),
        at=_text(alarm.at),
        receipts=alarm.receipts,
        receipt_id=request.command_id if request else None,
        number=alarm.number,
        total=alarm.total.amount if alarm.total is not None else None,
        signed_at=_text(alarm.signed_at) if alarm.signed_at else None,
        counter_before=alarm.counter_before,
        counter_now=alarm.counter_now,
        differs=list(alarm.differs),
    )


def _request_of(service: FiscalService, alarm: findings.ServerAlarm) -> Request | None:
    try:
        return service.journal.request(alarm.request_id) if alarm.request_id else None
    except DatabaseDamaged:  # the alarm is shown without its sale
        return None


def refused_callers(guard_log: RejectedRequests) -> list[RefusedCaller]:
    return [
        RefusedCaller(
            at=_text(rejected.at),
            reason=rejected.reason,
            message=rejected.message,
            method=rejected.method,
            path=rejected.path,
            host=rejected.host,
            origin=rejected.origin,
        )
        for rejected in guard_log.latest()
    ]


def _open(service: FiscalService, request: Request) -> OpenReceipt:
    command = _command_of(service, request)
    accepted = command.accepted_at if command else request.changed_at
    return OpenReceipt(
        receipt_id=request.command_id,
        key=command.key if command else None,
        state=request.state.value,
        since=_text(request.sent_at or accepted),
        total=request.document.total.amount,
        half_done=was_refused(request),
    )


def _command_of(service: FiscalService, request: Request) -> Command | None:
    try:
        return service.journal.command(request.command_id)
    except DatabaseDamaged:  # the request is shown without it, and hides no other
        return None


def _text(moment: datetime) -> str:
    return instant_text(moment) or ""
