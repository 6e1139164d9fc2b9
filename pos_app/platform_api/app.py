"""The platform as one ASGI application."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pos_app import log
from pos_app.errors import MachineError, NotFound, PosError
from pos_app.http_front import errors
from pos_app.http_front.compression import compressing
from pos_app.http_front.endpoint import JSON, Endpoint, Handlers, served
from pos_app.http_front.request_id import identified
from pos_app.http_front.requests import plain_scope
from pos_app.http_front.web_pages import guarded
from pos_app.platform_api.audit_routes import AuditRoutes
from pos_app.platform_api.authentication import Authentication
from pos_app.platform_api.client_routes import ClientRoutes
from pos_app.platform_api.context import PlatformContext
from pos_app.platform_api.errors import ForeignPage, answer_to, bug_problem, too_many_connections
from pos_app.platform_api.files.resource import Files
from pos_app.platform_api.kept_posts import KeptPosts
from pos_app.platform_api.key_routes import KeyRoutes
from pos_app.platform_api.lists import Cashiers, Categories, Stores, Units
from pos_app.platform_api.metrics import MetricsRoute
from pos_app.platform_api.openapi_routes import Documents
from pos_app.platform_api.products.resource import Products
from pos_app.platform_api.receipt_routes import ReceiptRoutes
from pos_app.platform_api.relay.program import RelayRoom
from pos_app.platform_api.routing import BASE, routes_to
from pos_app.wire.receipt_paths import RECEIPTS
from pos_app.wire.strict_json import dumps

SERVICE = "pos-app-platform"
"""The program's name in health."""
REACHABLE = "reachable"

_BY_KEY = (
    Stores,
    Products,
    Files,
    Units,
    Categories,
    Cashiers,
    KeyRoutes,
    ClientRoutes,
    AuditRoutes,
)

_CODE = re.compile(rb'\{"code":([0-9]+)')

_log = log.get(__name__)


_OF_RECEIPT = re.compile(f"{BASE}{RECEIPTS}/.*[^/]/[^/]+")


def create_app(context: PlatformContext, relay: RelayRoom | None = None) -> ASGIApp:
    """Make the application, which has nothing to close. relay: None if nothing is relayed."""
    app = Starlette(
        routes=routes_of(context, relay),
        exception_handlers={
            PosError: _expected,
            HTTPException: _unrouted,
            ClientDisconnect: errors.disconnected,
            Exception: _bug,
        },
    )
    app.router.redirect_slashes = False
    guard = guarded(app, answer_to(ForeignPage("foreign")), public_url=context.public_url)

    async def beside(scope: Scope, work: Callable[[bytes], bytes], body: bytes) -> bytes:
        account = scope["state"].get("account_id", "")
        return await context.slow_work.compressed(account, work, body)

    return identified(compressing(_Outermost(guard, context), beside))


def routes_of(context: PlatformContext, relay: RelayRoom | None = None) -> list[BaseRoute]:
    authentication = Authentication(context)
    signers = None if context.signers is None else context.signers.states
    metrics = MetricsRoute(context.metrics, context.metrics_token, signers)
    once = KeptPosts(context).answer
    by_key: list[Handlers] = [kind(context, authentication) for kind in _BY_KEY]
    answering: tuple[Handlers, ...] = (
        Documents(context, served((*_BY_KEY, ReceiptRoutes, Documents, HealthRoute))),
        *([metrics] if context.metrics_token else []),
        HealthRoute(context),
    )
    return [
        *(each for one in by_key for each in routes_to(one, authentication, once)),
        *(each for one in answering for each in routes_to(one, authentication)),
        *([] if relay is None else ReceiptRoutes(context, authentication, relay).routes()),
    ]


async def busy(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a connection that exceeds the limit."""
    await identified(errors.error_answer(too_many_connections(), headers=errors.BUSY))(
        scope, receive, send
    )


class HealthRoute:
    def __init__(self, context: PlatformContext) -> None:
        self._context = context

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [
            Endpoint("GET", "/health", cls.health, "health"),
            Endpoint("GET", "/ready", cls.ready, "ready"),
        ]

    async def health(self, request: Request) -> Response:
        """GET /health: 200, or 503 where the database does not answer, or another version of the
        program has changed its tables. It also reports a fault of
        the files, without which everything else goes on."""
        context, fault, warnings = self._context, "", list[str]()
        try:
            await context.database.check()
            await context.database.check_version()
            warnings = await context.database.losses()
            warnings += filter(None, (context.database.no_room, context.clock_warning()))
            warnings += filter(None, [await asyncio.to_thread(context.program_warning)])
        except MachineError as error:
            fault = error.what
        values: dict[str, object] = {
            "service": SERVICE,
            "version": context.version,
            "database": fault or REACHABLE,
            "files": context.files.fault or REACHABLE,
            "warnings": warnings,
        }
        return Response(dumps(values), 503 if fault else 200, media_type=JSON)

    async def ready(self, request: Request) -> Response:
        """GET /ready: 200 where a proxy may send callers here; 503 where the database does not
        answer, or the program was asked to end."""
        context, why = self._context, ""
        if context.leaving.is_set():
            why = "it ends"
        else:
            try:
                await context.database.check()
            except MachineError as error:
                why = error.what
        values: dict[str, object] = {"ready": not why, "why": why or None}
        return Response(dumps(values), 503 if why else 200, media_type=JSON)


class _Outermost:
    """Removes a slash at the end of a path, adds headers to answers, logs and counts them."""

    def __init__(self, app: ASGIApp, context: PlatformContext) -> None:
        self._app = app
        self._clock = context.clock
        self._metrics = context.metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = self._clock.ticks()
        scope = plain_scope(scope)
        status, code = 0, None

        async def sender(message: Message) -> None:
            nonlocal status, code
            if status >= 400 and code is None:
                code = _code_of(message.get("body", b""))
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers.setdefault("Cache-Control", "no-store")
                headers["X-Content-Type-Options"] = "nosniff"
            await send(message)

        try:
            await self._app(scope, receive, sender)
        finally:
            values = _log_values(scope, status, self._clock.ticks() - began)
            scope.setdefault("state", {})["route"] = values["route"]  # read by the tracing
            _log.info("request", extra={"fields": values})
            self._metrics.answered(
                method=str(values["method"]),
                route=str(values["route"]),
                status=status,
                seconds=(self._clock.ticks() - began) / 1000,
                code=code,
                account=str(values["account"]),
            )


def _code_of(body: bytes) -> int | None:
    found = _CODE.match(body)
    return int(found[1]) if found else None


def _log_values(scope: Scope, status: int, milliseconds: int) -> dict[str, object]:
    """Return the log's fields of a request: the pattern of its path, never its content."""
    found, state = scope.get("route"), scope.get("state", {})
    return {
        "method": scope["method"][:16],
        "route": found.path if isinstance(found, Route) else "",
        "status": status,
        "ms": milliseconds,
        "account": state.get("account_id", ""),
        "key": state.get("key_id", ""),
    }


async def _unrouted(request: Request, error: Exception) -> Response:
    """Answer a request that no route takes. To POST an unknown operation is 404, as at a shop's
    server."""
    if request.method == "POST" and _OF_RECEIPT.fullmatch(request.url.path):
        return answer_to(NotFound("operation"))
    return await errors.unrouted(request, error)


async def _expected(request: Request, error: Exception) -> Response:
    assert isinstance(error, PosError)
    if isinstance(error, MachineError):
        _log.error("a request failed: %s", error.what)
    return answer_to(error)


async def _bug(request: Request, error: Exception) -> Response:
    """Answer a bug. Starlette raises the exception again afterwards, and the server logs it."""
    return errors.error_answer(bug_problem())
