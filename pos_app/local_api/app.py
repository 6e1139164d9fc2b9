"""The local API as one ASGI application."""

from __future__ import annotations

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pos_app import log
from pos_app.errors import MachineError, PosError
from pos_app.fiscalization.service import FiscalService
from pos_app.http_front import endpoint, errors, request_id, requests
from pos_app.http_front.compression import compressing
from pos_app.local_api.access_middleware import AccessMiddleware, head_of
from pos_app.local_api.access_rules import is_reserved
from pos_app.local_api.context import ApiContext
from pos_app.local_api.error_responses import bug_problem, problem_of, too_many_problem
from pos_app.local_api.open_routes import OpenApiRoute, OpenRoutes
from pos_app.local_api.pair_routes import PairRoutes
from pos_app.local_api.port_routes import PortRoutes
from pos_app.local_api.receipt_door import ReceiptDoor
from pos_app.local_api.restore_routes import RestoreRoutes
from pos_app.local_api.token_routes import TokenRoutes

_log = log.get(__name__)


def handlers_of(
    *, service: FiscalService, context: ApiContext, door: ReceiptDoor
) -> tuple[endpoint.Handlers, ...]:
    answers = door.answers
    return (
        OpenRoutes(service=service, context=context, door=door),
        OpenApiRoute(version=context.version),
        TokenRoutes(service=service, context=context, answers=answers),
        PairRoutes(service=service, answers=answers),
        RestoreRoutes(service=service, context=context),
        PortRoutes(service=service, context=context, answers=answers),
    )


def create_app(*, service: FiscalService, context: ApiContext, door: ReceiptDoor) -> ASGIApp:
    """Make the application, which has nothing to close. door: the receipt door of the same
    service."""
    answering = handlers_of(service=service, context=context, door=door)
    app = Starlette(
        routes=[route for one in answering for route in endpoint.routes_of(one)],
        exception_handlers={
            PosError: _expected,
            HTTPException: errors.unrouted,
            ClientDisconnect: errors.disconnected,
            Exception: _bug,
        },
    )
    app.router.redirect_slashes = False
    # The guard is around Starlette, so that answers to bugs have its headers too.
    guarded = AccessMiddleware(
        app,
        settings=context.access,
        refused_requests=context.refused_requests,
        request_log=context.request_log,
        now=service.clock.now,
        ticks=service.clock.ticks,
        heard=context.heard,
    )
    return request_id.identified(compressing(guarded))


def reserve(context: ApiContext) -> Callable[[Scope], bool]:
    return lambda scope: is_reserved(head_of(requests.plain_scope(scope)), context.access)


async def busy(scope: Scope, receive: Receive, send: Send) -> None:
    await request_id.identified(errors.error_answer(too_many_problem(), headers=errors.BUSY))(
        scope, receive, send
    )


async def _expected(request: Request, error: Exception) -> Response:
    assert isinstance(error, PosError)
    if isinstance(error, MachineError):
        _log.error("a request failed: %s", error.what)
    return errors.error_answer(problem_of(error))


async def _bug(request: Request, error: Exception) -> Response:
    """Answer a bug. Starlette raises the exception again afterwards, and the server logs it."""
    return errors.error_answer(bug_problem(None))
