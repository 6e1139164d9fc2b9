"""The till's routes of printing: delivery jobs, its own papers, the cash drawer.

All need the install token. Only the server opens printers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pos_app.documents.plain import document_of
from pos_app.domain.server_status import DeliveryJob
from pos_app.domain.states import JobState
from pos_app.errors import NotAllowed, NotFound
from pos_app.fiscalization.service import FiscalService
from pos_app.local_api.context import HandoverServices
from pos_app.local_api.error_responses import JSON, InvalidPart
from pos_app.wire import records
from pos_app.wire.reading import read
from pos_app.wire.server import DecidedByBody, DrawerBody, DrawerTold, PrintBody, written
from pos_app.wire.strict_json import loads

_ID = re.compile(r"[0-9]{1,18}")
_SURELY_SHUT = frozenset({JobState.FAILED, JobState.DROPPED})


class JobRoutes:
    """What the till asks about printing and sending."""

    def __init__(self, *, service: FiscalService, handover: HandoverServices) -> None:
        self._service = service
        self._hands = handover

    def all(self) -> list[Route]:
        """The routes of this module."""
        return [
            Route("/till/jobs", self.jobs, methods=["GET"]),
            Route("/till/jobs/{job_id:int}", self.job, methods=["GET"]),
            Route("/till/jobs/{job_id:int}/again", self.again, methods=["POST"]),
            Route("/till/jobs/{job_id:int}/seen", self.seen, methods=["POST"]),
            Route("/till/print", self.print, methods=["POST"]),
            Route("/till/drawer", self.drawer, methods=["POST"]),
        ]

    async def jobs(self, request: Request) -> Response:
        """GET /till/jobs: those that are not done, the newest first; at most 200.

        ?before=ID: those older than that one, so that the next page begins where this one ended.
        """
        before = _before(request)
        jobs = self._service.journal.jobs.not_done(before=before)
        return Response(records.written_list(DeliveryJob, jobs), media_type=JSON)

    async def job(self, request: Request) -> Response:
        """GET /till/jobs/{id}: how one stands, also after its end."""
        job = self._service.journal.jobs.job(request.path_params["job_id"])
        if job is None:
            raise NotFound("No such job")
        return _told(job)

    async def again(self, request: Request) -> Response:
        """POST /till/jobs/{id}/again: a person wants it tried now. 409 once it is done."""
        jobs, now = self._service.journal.jobs, self._service.clock.now()
        answer = await self._acted(request, lambda job, by: jobs.again(job, by=by, now=now))
        self._hands.wake()
        return answer

    async def seen(self, request: Request) -> Response:
        """POST /till/jobs/{id}/seen: it is there, or is not wanted any more."""
        jobs, now = self._service.journal.jobs, self._service.clock.now()
        return await self._acted(request, lambda job, by: jobs.seen(job, by=by, now=now))

    async def print(self, request: Request) -> Response:
        """POST /till/print: a finished paper becomes a job of the receipt printer."""
        asked = read(PrintBody, loads(await request.body()))
        paper = document_of(asked.paper)
        if not self._hands.prints:
            raise NotAllowed(
                "No receipt printer is set up.", do="Set printer.kind.", kind="printer"
            )
        jobs = self._service.journal.jobs
        job = jobs.add(paper, key=asked.key, now=self._service.clock.now())
        self._hands.wake()
        return _told(job)

    async def drawer(self, request: Request) -> Response:
        """POST /till/drawer: a job of seconds; the answer says what became of it. The same key
        again opens it no second time; 409 for another body."""
        asked = read(DrawerBody, loads(await request.body()))
        if self._hands.drawer is None:
            raise NotAllowed("No cash drawer is set up.", do="Set printer.drawer.", kind="drawer")
        job = await self._hands.drawer.open(key=asked.key, by=asked.by)
        told = DrawerTold(
            outcome=_outcome(job),
            trouble=job.trouble.value if job.trouble else None,
        )
        return Response(written(told), media_type=JSON)

    async def _acted(
        self, request: Request, act: Callable[[int, str], DeliveryJob | None]
    ) -> Response:
        said = read(DecidedByBody, loads(await request.body()))
        job = act(request.path_params["job_id"], said.by)
        if job is None:
            raise NotFound("No such job")
        return _told(job)


def _before(request: Request) -> int | None:
    told = request.query_params.getlist("before")
    if not told:
        return None
    if len(told) > 1 or not _ID.fullmatch(told[0]):
        raise InvalidPart('"before" must be the id of a job', field="before", source="query")
    return int(told[0])


def _outcome(job: DeliveryJob) -> str:
    """What the till is told of the drawer; one that a later pulse ended keeps its trouble."""
    if job.state is JobState.DONE and job.trouble is None:
        return "delivered"
    return "failed" if job.state in _SURELY_SHUT else "unproven"


def _told(job: DeliveryJob) -> Response:
    return Response(records.written(DeliveryJob, job), media_type=JSON)
