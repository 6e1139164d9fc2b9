"""The till's routes for printing: delivery jobs, its own papers, the cash drawer.

All need the install token. Only the server opens printers.
"""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.receipt.server_status import LISTS, DeliveryJob
from pos_app.domain.receipt.states import JobState
from pos_app.domain.text.email_address import checked_address
from pos_app.errors import NotFound
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.http_front.errors import InvalidPart
from pos_app.local_api.access_rules import TILL
from pos_app.local_api.context import HandoverServices
from pos_app.wire import records, server
from pos_app.wire.reading import read
from pos_app.wire.strict_json import loads

_ID = re.compile(r"[0-9]{1,18}")
_SURELY_SHUT = frozenset({JobState.FAILED, JobState.DROPPED})


class JobRoutes:
    def __init__(self, *, service: FiscalService, handover: HandoverServices) -> None:
        self._service = service
        self._handover = handover

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", TILL + LISTS[DeliveryJob], cls.jobs),
            Endpoint("GET", "/till/jobs/{job_id:int}", cls.job),
            Endpoint("POST", "/till/jobs/{job_id:int}/again", cls.again),
            Endpoint("POST", "/till/jobs/{job_id:int}/seen", cls.seen),
        ]

    async def jobs(self, request: Request) -> Response:
        """GET /till/jobs: the jobs that are not done, the newest first; at most 200. ?before=ID:
        the next page, with older jobs than that one."""
        before = before_of(request)
        jobs = self._service.journal.jobs.not_done(before=before)
        return Response(records.written_list(DeliveryJob, jobs), media_type=JSON)

    async def job(self, request: Request) -> Response:
        """GET /till/jobs/{id}: one job, also after its end."""
        job = self._service.journal.jobs.job(request.path_params["job_id"])
        if job is None:
            raise NotFound("job")
        return _answer(job)

    async def again(self, request: Request) -> Response:
        """POST /till/jobs/{id}/again: a person wants the job tried now, or its mail sent to another
        address. The answer is the job that is tried, and 409 once the job is done."""
        jobs, now = self._service.journal.jobs, self._service.clock.now()
        job_id = request.path_params["job_id"]
        body = read(server.JobAgainBody, loads(await request.body()))
        if body.email is None:
            job = jobs.again(job_id, by=body.by, now=now)
        else:
            job = jobs.again_to(job_id, checked_address(body.email), by=body.by, now=now)
        if job is None:
            raise NotFound("job")
        self._handover.wake()
        return _answer(job)

    async def seen(self, request: Request) -> Response:
        """POST /till/jobs/{id}/seen: a person says that the paper was printed, or that the job is
        no longer wanted."""
        jobs, now = self._service.journal.jobs, self._service.clock.now()
        body = read(server.DecidedByBody, loads(await request.body()))
        job = jobs.seen(request.path_params["job_id"], by=body.by, now=now)
        if job is None:
            raise NotFound("job")
        return _answer(job)


def before_of(request: Request) -> int | None:
    """Return the id of the job before which jobs are requested, or None for the newest jobs."""
    values = request.query_params.getlist("before")
    if not values:
        return None
    if len(values) > 1 or not _ID.fullmatch(values[0]):
        raise InvalidPart("job_id", field="before", source="query")
    return int(values[0])


def _answer(job: DeliveryJob) -> Response:
    return Response(records.written(DeliveryJob, job), media_type=JSON)
