"""The till's status: processor, rates, open requests, alarms, doubts, jobs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from pos_app.domain.money.money import Money
from pos_app.domain.receipt import server_status
from pos_app.domain.receipt.states import IN_DOUBT, AlarmKind, JobMethod
from pos_app.domain.setup import processor
from pos_app.errors import DatabaseDamaged
from pos_app.fiscalization.issuing.enqueue import receipts_lacking, seller_of
from pos_app.fiscalization.issuing.half_done_pair import half_done_pair, was_refused
from pos_app.fiscalization.issuing.till_acts import acts_lacking
from pos_app.fiscalization.jobs import QueuedJob
from pos_app.fiscalization.ports import Command, ReceiptReader, Request
from pos_app.fiscalization.refusals import ACT_UNKNOWN
from pos_app.fiscalization.service import FiscalService
from pos_app.local_api.context import ApiContext, ProcessorLabel

_MOST_JOBS = 50
_SHOWN = tuple(method for method in JobMethod if method is not JobMethod.DRAWER)
"""The methods whose jobs are shown. The drawer is left out, because the cashier sees whether it is
open."""
_STATE_OF_REASON: Mapping[str, server_status.ProcessorState] = {
    "doubt": server_status.ProcessorState.DOUBT,
    "storage": server_status.ProcessorState.DOUBT,
    **dict.fromkeys(processor.CERTIFICATE_FAULTS, server_status.ProcessorState.CERTIFICATE),
}


def till_status(
    service: FiscalService, context: ApiContext, totals: JobTotals
) -> server_status.ServerStatus:
    journal, status = service.journal, service.lane.status
    in_trouble = journal.jobs.in_trouble(*_SHOWN, most=_MOST_JOBS)
    total_of = totals.of(in_trouble.jobs)
    return server_status.ServerStatus(
        processor=processor_status(service, context.processor),
        rates=status.rates if status else (),
        open=tuple(_open(service, request) for request in journal.open_requests()),
        not_fiscal=not context.processor.is_fiscal,
        alarms=(
            *(_alarm(service, alarm) for alarm in journal.findings.alarms()),
            *_of_catalogue(context.catalogue.damaged_since(service.clock.now())),
        ),
        jobs=tuple(
            replace(job, total=total_of.get(job.receipt_id or "")) for job in in_trouble.jobs
        ),
        jobs_left_off=in_trouble.left_off,
        restored=journal.restores.restored(),
        public_mode=context.public_mode(),
        synchronisation=context.synchronisation(),
        seller_pib=_seller_pib(service),
    )


def _seller_pib(service: FiscalService) -> str:
    seller = seller_of(service)
    return seller.value if seller is not None else ""


def _offered(service: FiscalService) -> server_status.OfferedElement | None:
    uid, known = service.lane.offered(), service.lane.element
    return (
        None if uid is None or known is None else server_status.OfferedElement(uid=uid, known=known)
    )


def processor_status(
    service: FiscalService, label: ProcessorLabel
) -> server_status.ProcessorStatus:
    status = service.lane.status
    state, code, message = _processor_state(service, label, status)
    return server_status.ProcessorStatus(
        kind=label.kind,
        state=state,
        code=code,
        words=message,
        uid=status.uid if status else None,
        url=label.url or None,
        offered=_offered(service),
        certificate_ends=label.certificate_ends,
        unread=status.unread if status else (),
        needs_audit=status.needs_audit if status else None,
    )


def _processor_state(
    service: FiscalService, label: ProcessorLabel, status: processor.PfrStatus | None
) -> tuple[server_status.ProcessorState, str, str]:
    if not label.is_configured:
        return server_status.ProcessorState.NOT_CONFIGURED, "", "No fiscal processor is set up."
    reason, no_room = service.lane.closed(), service.lane.no_room()
    if no_room is not None and (reason is None or reason.code != "doubt"):
        return server_status.ProcessorState.DISK, "", no_room.words
    if reason is not None:
        return (
            _STATE_OF_REASON.get(reason.code, server_status.ProcessorState.AWAY),
            "",
            reason.words,
        )
    if status is None:
        return server_status.ProcessorState.AWAY, "", "The processor has not been asked yet."
    if (reason := service.lane.not_ready()) is not None:
        cure = processor.CURES.get(reason.pfr_code)
        state = (
            server_status.ProcessorState.ELEMENT
            if cure is None
            else server_status.ProcessorState(cure.value)
        )
        return state, reason.pfr_code, reason.words
    warning = status.warning
    words = f"{warning} {processor.meaning(warning)}" if warning else "Ready."
    return server_status.ProcessorState.READY, warning, words


def doubts(service: FiscalService) -> list[server_status.ReceiptInDoubt]:
    found = [request for request in service.journal.open_requests() if request.state in IN_DOUBT]
    return [_doubt(service, request) for request in found]


def _doubt(service: FiscalService, request: Request) -> server_status.ReceiptInDoubt:
    status, opened = service.lane.status_of(request.id), _open(service, request)
    return server_status.ReceiptInDoubt(
        receipt_id=opened.receipt_id,
        key=opened.key,
        state=opened.state,
        since=opened.since,
        total=opened.total,
        half_done=opened.half_done,
        reason=request.reason.words if request.reason else "",
        lookups=_lookups_of(service, request),
        counter_before=request.baseline,
        counter_now=status.total_counter if status else None,
        pair=_pair(service, request),
        code=request.reason.code if request.reason else "",
        done_before=_done_before(service, request),
    )


def _done_before(service: FiscalService, request: Request) -> tuple[str, ...] | None:
    if request.reason is None or request.reason.code != ACT_UNKNOWN:
        return None
    first = service.journal.requests_of(request.command_id)[0]
    number = first.document.referent_number  # a pair's second receipt refers to the first one
    if number is None:
        return None
    found, are_all = service.set_aside(lambda other: receipts_lacking(service, other, number))
    by_till = [act.number for act in acts_lacking(service, number)]
    lacking = tuple(sorted({*by_till, *(one for each in found for one in each)}))
    return lacking if lacking or (found and are_all) else None


def _pair(service: FiscalService, request: Request) -> server_status.HalfDonePair | None:
    try:
        return half_done_pair(service.journal, request)
    except DatabaseDamaged:  # the doubt is shown without its pair
        return None


def _lookups_of(service: FiscalService, request: Request) -> tuple[server_status.LookUpTried, ...]:
    """Return the look-ups of the request's last attempt."""
    tried = service.lane.lookup_log.of(request.id)
    return tuple(run for run in tried if request.sent_at is None or run.at >= request.sent_at)


def _alarm(service: FiscalService, alarm: server_status.Alarm) -> server_status.Alarm:
    """Name the receipt by the id that its caller knows, which for a pair is that of the first."""
    request = _request_of(service, alarm)
    return replace(alarm, receipt_id=request.command_id if request else None)


def _of_catalogue(since: datetime | None) -> tuple[server_status.Alarm, ...]:
    if since is None:
        return ()
    return (server_status.Alarm(id=0, what=AlarmKind.CATALOGUE_DAMAGED, since=since, at=since),)


def _request_of(service: FiscalService, alarm: server_status.Alarm) -> Request | None:
    try:
        return service.journal.request(alarm.receipt_id) if alarm.receipt_id else None
    except DatabaseDamaged:  # the alarm is shown without its sale
        return None


def _open(service: FiscalService, request: Request) -> server_status.OpenReceipt:
    command = _command_of(service, request)
    accepted = command.accepted_at if command else request.changed_at
    return server_status.OpenReceipt(
        receipt_id=request.command_id,
        key=command.key if command else None,
        state=request.state,
        since=request.sent_at or accepted,
        total=request.document.total,
        half_done=was_refused(request),
    )


def _command_of(service: FiscalService, request: Request) -> Command | None:
    try:
        return service.journal.command(request.command_id)
    except DatabaseDamaged:  # the request is shown without its key, and hides no other
        return None


class JobTotals:
    """Reads each receipt's total once, because totals never change: to read fifty took 10 ms of
    every status."""

    def __init__(self, journal: ReceiptReader) -> None:
        self._journal = journal
        self._known: dict[str, Money | None] = {}

    def of(self, jobs: Iterable[QueuedJob]) -> dict[str, Money | None]:
        """Return the totals by the id of the request, None for an unreadable one. Totals of other
        jobs are forgotten."""
        ids = {job.receipt_id for job in jobs if job.receipt_id is not None}
        known = self._known
        self._known = {name: known[name] if name in known else self._read(name) for name in ids}
        return self._known

    def _read(self, request_id: str) -> Money | None:
        try:
            request = self._journal.request(request_id)
        except DatabaseDamaged:  # the job is shown without a total
            return None
        return request.document.total if request is not None else None
