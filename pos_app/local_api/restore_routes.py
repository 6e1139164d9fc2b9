"""Compares the journal with the till's memory of it, and takes a manager's decisions after a
restore or about a new secure element. All routes need the token.

Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pos_app import log
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import JournalCompared
from pos_app.errors import NotFound, RemoteError
from pos_app.fiscalization.outcomes.pfr_request_id import pfr_request_id
from pos_app.fiscalization.outcomes.restore_detection import continues
from pos_app.fiscalization.service import FiscalService, body_hash
from pos_app.http_front.endpoint import JSON, Endpoint
from pos_app.local_api.access_middleware import admitted_caller
from pos_app.local_api.context import ApiContext
from pos_app.local_api.headers import origin_of
from pos_app.wire import server
from pos_app.wire.reading import read
from pos_app.wire.records import written
from pos_app.wire.strict_json import canonical, dumps, loads

_log = log.get(__name__)


class RestoreRoutes:
    def __init__(self, *, service: FiscalService, context: ApiContext) -> None:
        self._service = service
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("POST", "/till/witness", cls.witness),
            Endpoint("POST", "/till/remembers", cls.remembers),
            Endpoint("POST", "/till/restored/close", cls.close),
            Endpoint("POST", "/till/element", cls.element),
        ]

    async def witness(self, request: Request) -> Response:
        """POST /till/witness: whether the journal continues the till's memory of it."""
        body = read(server.WitnessBody, loads(await request.body()))
        restores, now = self._service.journal.restores, self._service.clock.now()
        agrees = continues(restores, body.journal, epoch=body.epoch, now=now)
        admitted = admitted_caller(request.scope)
        origin = origin_of(request.headers, admitted, till_id=self._context.install.till_id)
        last = restores.last_of_till(origin)
        answer = JournalCompared(
            restores.tip,
            agrees=agrees,
            last_sequence=last and last[0],
            last_key=last and last[1],
            epoch=restores.last_epoch(),
        )
        return Response(written(JournalCompared, answer), media_type=JSON)

    async def remembers(self, request: Request) -> Response:
        """POST /till/remembers: whether the processor still returns a receipt of this till; null if
        the processor could not be asked."""
        body = read(server.RememberedSaleBody, loads(await request.body()))
        admitted = admitted_caller(request.scope)
        hashed = body_hash(canonical(loads(body.body.encode())), operation=Operation.ISSUE)
        name = pfr_request_id(
            origin=origin_of(request.headers, admitted, till_id=self._context.install.till_id),
            key=body.key,
            child=0,
            body_hash=hashed,
        )
        try:
            remembers = await self._service.lane.remembers(name, number=body.number)
        except RemoteError:
            remembers = None
        return Response(dumps({"remembers": remembers}), media_type=JSON)

    async def close(self, request: Request) -> Response:
        """POST /till/restored/close: a manager has looked, so keys may be denied again."""
        body = read(server.DecidedByBody, loads(await request.body()))
        now = self._service.clock.now()
        if not self._service.journal.restores.close_restored(by=body.by, now=now):
            raise NotFound("not_restored")
        _log.warning("the mark of a restore was closed by %s", body.by)
        return Response(b"{}", media_type=JSON)

    async def element(self, request: Request) -> Response:
        """POST /till/element: a manager accepts the secure element that the processor has now."""
        body = read(server.ElementBody, loads(await request.body()))
        await self._service.lane.accept_element(body.uid, by=body.by)
        return Response(b"{}", media_type=JSON)
