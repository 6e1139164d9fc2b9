"""Sends spans of requests by OpenTelemetry where its standard variables ask for that.

Its packages are an extra of their own (`pos-app[telemetry]`): without them a message is logged, and
everything else goes on. A span has the request's method, the pattern of its path, status, id and
account; bodies, queries, addresses and secrets are not in it. Its exporter sends from a thread of
its own.
"""

from __future__ import annotations

import importlib
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pos_app import log

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
_PROTOCOL = "http/protobuf"
_SDK, _EXPORT = "opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http.trace_exporter"
_SERVER_ERROR = 500
_END_SECONDS = 3.0
"""The time for unsent spans at the program's end, where a collector may be away."""
_CARRIED = frozenset({b"traceparent", b"tracestate", b"baggage"})

_log = log.get(__name__)

Traced = Callable[[ASGIApp], ASGIApp]


@contextmanager
def tracing(service: str, version: str) -> Iterator[Traced]:
    """While inside, trace requests: the result wraps an application so that its requests are
    traced. If the environment's variables do not ask for that, or the packages are missing, it
    returns the application unchanged. service: the name of the service, unless OTEL_SERVICE_NAME
    sets another. Unsent spans are sent at the end."""
    provider = _provider(service, version) if _is_asked_for() else None
    if provider is None:
        yield lambda app: app
        return
    _log.info("requests are traced by OpenTelemetry")
    try:
        yield lambda app: _TracedApp(app, provider.get_tracer("pos_app", version))
    finally:
        ending = threading.Thread(target=provider.shutdown, name="last spans", daemon=True)
        ending.start()
        ending.join(_END_SECONDS)


def _is_asked_for() -> bool:
    is_off = os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    exporters = os.environ.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() or "otlp"
    return any(map(os.environ.get, _ENDPOINTS)) and not is_off and exporters == "otlp"


def _provider(service: str, version: str) -> Any | None:
    """Return the provider, or None where its packages are missing, or do not speak the protocol."""
    protocol = next(filter(None, map(os.environ.get, _PROTOCOLS)), _PROTOCOL)
    if protocol != _PROTOCOL:
        _log.warning("nothing is traced: OpenTelemetry is spoken by %s alone", _PROTOCOL)
        return None
    try:
        trace = importlib.import_module(f"{_SDK}.trace")
        export = importlib.import_module(f"{_SDK}.trace.export")
        resources = importlib.import_module(f"{_SDK}.resources")
        exporter = importlib.import_module(_EXPORT).OTLPSpanExporter()
    except ImportError as error:
        _log.warning(
            "nothing is traced: the variables of OpenTelemetry are set, but %s is not installed"
            " (pip install pos-app[telemetry])",
            error.name or "a package",
        )
        return None
    named = {"service.name": service} if not os.environ.get("OTEL_SERVICE_NAME") else {}
    resource = resources.Resource.create({**named, "service.version": version})
    provider = trace.TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(export.BatchSpanProcessor(exporter))
    return provider


class _TracedApp:
    def __init__(self, app: ASGIApp, tracer: Any) -> None:
        self._app = app
        self._tracer = tracer
        self._kind = importlib.import_module("opentelemetry.trace").SpanKind.SERVER
        self._status = importlib.import_module("opentelemetry.trace").StatusCode.ERROR
        self._extract = importlib.import_module("opentelemetry.propagate").extract

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, state = 0, scope.setdefault("state", {})

        async def sender(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        carried = {
            name.decode("latin-1"): value.decode("latin-1")
            for name, value in scope["headers"]
            if name in _CARRIED
        }
        method = scope["method"][:16]
        with self._tracer.start_as_current_span(
            method, context=self._extract(carried), kind=self._kind
        ) as span:
            try:
                await self._app(scope, receive, sender)
            finally:
                if route := state.get("route"):
                    span.update_name(f"{method} {route}")
                values = {
                    "http.request.method": method,
                    "http.route": route,
                    "http.response.status_code": status,
                    "pos.request_id": state.get("request_id"),
                    "pos.account": state.get("account_id"),
                }
                span.set_attributes({name: value for name, value in values.items() if value})
                if status >= _SERVER_ERROR:
                    span.set_status(self._status)
