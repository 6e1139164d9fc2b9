"""Applies the access rules in front of the application, which never gets a refused request."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pos_app import log
from pos_app.http_front.errors import error_answer
from pos_app.http_front.requests import AUTHORITY, limited, plain_scope
from pos_app.lazy_dataclass import dataclass
from pos_app.local_api import access_rules
from pos_app.local_api.receipt_response import AnswerFiles
from pos_app.local_api.refused_requests import RefusedRequests
from pos_app.local_api.request_log import RequestLog
from pos_app.wire.request_id import HEADER

_CLIENT = "client"
_FAULT = 500
_METHODS = "GET, POST"
_ALLOWED_HEADERS = f"Content-Type, Idempotency-Key, X-Pos-Token, {HEADER}"
_PREFLIGHT_SECONDS = "600"

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class AdmittedCaller:
    """base_url: the server as this caller addresses it."""

    level: access_rules.AccessLevel
    base_url: str

    @property
    def is_till(self) -> bool:
        return self.level is access_rules.AccessLevel.TILL

    @property
    def files(self) -> AnswerFiles:
        """The form in which the answers to this caller name their PDFs."""
        return AnswerFiles(self.base_url)


def admitted_caller(scope: Scope) -> AdmittedCaller:
    client = scope["state"][_CLIENT]
    assert isinstance(client, AdmittedCaller)
    return client


def head_of(scope: Scope) -> access_rules.RequestHead:
    headers: dict[str, tuple[str, ...]] = {}
    for raw_name, raw_value in scope["headers"]:
        name = raw_name.decode("latin-1").lower()
        headers[name] = (*headers.get(name, ()), raw_value.decode("latin-1"))
    client, server = scope.get("client"), scope.get("server")
    return access_rules.RequestHead(
        method=scope["method"],
        path=scope["path"],
        peer=client[0] if client else "",
        address=server[0] if server else "",
        port=(server[1] if server else 0) or 0,
        http_version=scope.get("http_version", "1.1"),
        authority=scope.get("state", {}).get(AUTHORITY),
        headers=headers,
    )


class AccessMiddleware:
    """Refuses requests, answers preflights, limits bodies, adds security headers."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        settings: access_rules.AccessSettings,
        refused_requests: RefusedRequests,
        request_log: RequestLog,
        now: Callable[[], datetime],
        ticks: Callable[[], int],
        heard: Callable[[], None],
    ) -> None:
        self._app = app
        self._settings = settings
        self._refused_requests = refused_requests
        self._request_log = request_log
        self._now = now
        self._ticks = ticks
        self._heard = heard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope = plain_scope(scope)
        send = _with_faults_logged(scope, send)
        head = head_of(scope)
        match access_rules.decide(head, self._settings):
            case access_rules.AccessRefused() as refused:
                self._refused_requests.remember(
                    head, refused, at=self._now(), settings=self._settings
                )
                _log.debug("rejected: %s", refused.reason)
                answer = error_answer(refused.problem)
                await answer(scope, receive, _with_headers(send, refused.origin))
            case access_rules.Preflight() as preflight:
                await _preflight(preflight)(scope, receive, _with_headers(send, preflight.origin))
            case access_rules.Admitted(level, origin):
                if head.path != access_rules.HEALTH:
                    self._heard()
                admitted = AdmittedCaller(level, f"http://{head.only('host')}")
                scope.setdefault("state", {})[_CLIENT] = admitted
                ended = _nothing
                if not admitted.is_till and head.path != access_rules.HEALTH:
                    receive, send, ended = self._request_log.follow(
                        scope, receive, send, at=self._now(), ticks=self._ticks
                    )
                try:
                    limits = limited(receive, access_rules.MOST_BYTES)
                    await self._app(scope, limits, _with_headers(send, origin))
                finally:
                    ended()


def _with_faults_logged(scope: Scope, send: Send) -> Send:
    """Log answers with a fault, so that support finds their ids."""

    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= _FAULT:
            found = scope.get("route")
            route = found.path if isinstance(found, Route) else ""
            values = {"method": scope["method"][:16], "route": route, "status": message["status"]}
            _log.warning("a request was answered with a fault", extra={"fields": values})
        await send(message)

    return sender


def _nothing() -> None:
    """Do nothing: requests of the till and health checks are not logged."""


def _preflight(preflight: access_rules.Preflight) -> Response:
    headers = {
        "Access-Control-Allow-Methods": _METHODS,
        "Access-Control-Allow-Headers": _ALLOWED_HEADERS,
        "Access-Control-Max-Age": _PREFLIGHT_SECONDS,
    }
    if preflight.private_network:
        headers["Access-Control-Allow-Private-Network"] = "true"
    return Response(status_code=204, headers=headers)


def _with_headers(send: Send, origin: str | None) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Cache-Control", "no-store")
            headers["X-Content-Type-Options"] = "nosniff"
            headers.add_vary_header("Origin")
            if origin is not None:
                headers["Access-Control-Allow-Origin"] = origin
                headers["Access-Control-Expose-Headers"] = HEADER
        await send(message)

    return sender
