"""GET /metrics: what it counts, and who may read it; and spans, as a collector gets them."""

from __future__ import annotations

import asyncio
import gzip
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from starlette.types import Receive, Scope, Send

from pos_app.adapters.telemetry import tracing
from pos_app.platform_api.database.engine import Database
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.hosted import Place, hosted, problem
from tests.integration.platform_api.relayed import TillServer, posted, sale, worker
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

TOKEN = "a-token-of-the-tests"


def number(text: str, name: str, **labels: str) -> float:
    told = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
    line = f"{name}{{{told}}}" if told else name
    found = re.search(rf"^{re.escape(line)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


async def test_what_was_asked_is_counted_by_pattern_never_by_name(file_database: Place) -> None:
    async with hosted(file_database, metrics_token=TOKEN) as platform:
        await platform.client.post("/stores", json={"name": "Тајна продавница"})
        for id_ in ("secret-one", "secret-two"):
            assert (await platform.client.delete(f"/stores/{id_}")).status_code == 404
        await platform.client.request("BREW", "/nowhere-secret")
        platform.context.metrics.connected(7)
        async with httpx.AsyncClient(
            transport=platform.transport, base_url="http://platform.example"
        ) as reader:
            for wrong in ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}"):
                answer = await reader.get("/metrics", headers={"Authorization": wrong})
                assert problem(answer)[:2] == (401, 40100001)
            answer = await reader.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    text = answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    counted = "pos_platform_requests_total"
    assert number(text, counted, method="POST", route="/v2/stores", status="201") == 1
    assert number(text, counted, method="DELETE", route="/v2/stores/{id}", status="404") == 2
    assert number(text, counted, method="other", route="other", status="404") == 1
    assert number(text, "pos_platform_errors_total", code="40400001") == 3
    assert number(text, "pos_platform_errors_total", code="40100001") == 4
    seconds = "pos_platform_request_seconds_count"
    assert number(text, seconds, method="DELETE", route="/v2/stores/{id}") == 2
    assert number(text, "pos_platform_connected_applications") == 7
    of_account = {"account": platform.account}
    assert number(text, "pos_platform_account_requests_total", **of_account) == 3
    assert number(text, "pos_platform_account_receipts_total", **of_account) == 0
    assert "secret" not in text


async def test_applications_and_receipts_are_counted(file_database: Place) -> None:
    async with worker(file_database) as at, at.caller() as caller:

        async def is_counted(name: str, count: int, **labels: str) -> None:
            async with asyncio.timeout(10):
                while number(await at.metrics(), f"pos_platform_{name}", **labels) != count:
                    """An answer is counted after it is sent."""

        await is_counted("connected_applications", 0)
        async with TillServer.connected(at) as till, TillServer.connected(at):
            await is_counted("connected_applications", 2)
            for status in (200, 400, 200):
                await till.signs(posted(caller, sale(till.client), key=None), status)
        await is_counted("connected_applications", 0)
        await is_counted("account_requests_total", 3, account=at.account)
        await is_counted("account_receipts_total", 2, account=at.account)


async def test_who_waits_for_the_database_is_counted(database: Place) -> None:
    opened = await database.open()
    try:
        async with AsyncExitStack() as held:
            most = opened.connections.most
            writers = 0 if opened.is_shared else 1
            for _ in range(most - writers):
                await held.enter_async_context(opened.reading())
            assert (opened.connections.used, opened.connections.waiting) == (most - writers, 0)
            more = [asyncio.create_task(_read(opened)) for _ in range(3)]
            for _ in range(3):  # each of them begins and waits
                await asyncio.sleep(0)
            assert opened.connections.waiting == 3
        await asyncio.gather(*more)
        assert (opened.connections.used, opened.connections.waiting) == (0, 0)
    finally:
        await opened.close()


async def _read(database: Database) -> None:
    async with database.reading():
        """A request that reads."""


TRACE = "0123456789abcdef" * 2


@contextmanager
def collector() -> Iterator[tuple[str, list[Any]]]:
    """Run a collector; yield its address and the requests that it received."""
    received: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            received.append(ExportTraceServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_request_is_a_span_without_what_its_caller_wrote(folder: Path) -> None:
    key = key_of_new_account(folder)
    with collector() as (endpoint, received):
        with (
            serving_quietly(folder, OTEL_EXPORTER_OTLP_ENDPOINT=endpoint) as address,
            httpx.Client(base_url=address, auth=key, trust_env=False, verify=NO_TLS) as caller,
        ):
            headers = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01", "X-Request-Id": "of-it"}
            body = {"name": "Тајна"}
            path = "/v2/stores/0b1c2d3e-0000-4000-8000-000000000000"
            assert caller.patch(path, json=body, headers=headers).status_code == 404
        (request,) = received  # sent at the program's end
    (resource,) = request.resource_spans
    named = {one.key: one.value.string_value for one in resource.resource.attributes}
    assert named["service.name"] == "pos-app-platform"
    (span,) = resource.scope_spans[0].spans
    assert (span.name, span.trace_id.hex()) == ("PATCH /v2/stores/{id}", TRACE)
    told = {one.key: one.value for one in span.attributes}
    assert told["http.response.status_code"].int_value == 404
    assert told["pos.request_id"].string_value == "of-it"
    assert told["pos.account"].string_value
    for secret in (key[1], "Тајна", path):
        assert secret.encode() not in request.SerializeToString()


def test_without_the_packages_it_is_said_and_the_platform_serves(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with tracing("pos-app-platform", "3.2.0") as traced:
        assert traced(unwrapped) is unwrapped
    assert "is not installed (pip install pos-app[telemetry])" in caplog.text


async def unwrapped(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that nobody asks."""
