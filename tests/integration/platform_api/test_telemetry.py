"""Spans of a real platform, as a collector gets them; and a platform without the packages."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

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
            answer = caller.patch(path, json=body, headers=headers)
            assert answer.status_code == 404
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


def test_a_collector_that_is_away_holds_nobody_up(folder: Path) -> None:
    key = key_of_new_account(folder)
    told = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    with serving_quietly(folder, **told) as address:
        answer = httpx.get(f"{address}/v2/units", auth=key, trust_env=False, verify=NO_TLS)
        assert answer.status_code == 200


def test_without_the_packages_it_is_said_and_the_platform_serves(folder: Path) -> None:
    key_of_new_account(folder)
    hiding = folder.with_name("hiding") / "opentelemetry"
    hiding.mkdir(parents=True)
    (hiding / "__init__.py").touch()
    told = {"PYTHONPATH": str(hiding.parent), "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}
    with subprocess.Popen(
        [sys.executable, "-m", "pos_app", "platform", "--data", str(folder), "--port", "0"],
        env=os.environ | told,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        address = program.stdout.readline().strip()
        assert httpx.get(f"{address}/health", trust_env=False, verify=NO_TLS).status_code == 200
        program.terminate()
        _, errors = program.communicate(timeout=30)
    assert "opentelemetry.sdk is not installed (pip install pos-app[telemetry])" in errors
    assert program.returncode == 0
