"""GET /metrics: the platform's use, in the text format of Prometheus.

Labels are patterns of paths, methods, statuses, codes and ids of accounts, never callers' data.
Several workers count into files of one folder, so that each of them reports the sums of all.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import shutil
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import Request
from starlette.responses import Response

from pos_app.domain.setup.signer_state import SignerState
from pos_app.errors import NotFound
from pos_app.http_front.endpoint import Endpoint
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.errors import Unauthorized
from pos_app.wire.receipt_paths import RECEIPTS

PATH = "/metrics"
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder of the workers' counts; the library reads it when it is imported."""
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30)
_LAG_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_EVERY_SECONDS = 0.5
_OTHER = "other"
_ISSUED = 200
_RECEIPTS = f"/v2{RECEIPTS}"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class WorkerMetrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        if os.environ.get(FOLDER_VARIABLE):
            multiprocess.MultiProcessCollector(self._registry)  # type: ignore[no-untyped-call]
            own: Any = None
        else:
            own = self._registry
        self._requests = Counter(
            "pos_platform_requests",
            "Requests that were answered.",
            ("method", "route", "status"),
            registry=own,
        )
        self._seconds = Histogram(
            "pos_platform_request_seconds",
            "Time until a request was answered whole.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=own,
        )
        self._errors = Counter(
            "pos_platform_errors",
            "Error answers, by the code of their body.",
            ("code",),
            registry=own,
        )
        self._refused = Counter(
            "pos_platform_quota_refusals",
            "Requests and connections that a quota refused.",
            ("quota",),
            registry=own,
        )
        self._of_accounts = _OfAccounts(own)
        self._measures = _Measures(own)
        self._connected = Gauge(
            "pos_platform_connected_applications",
            "Applications that are connected for public mode.",
            registry=own,
            multiprocess_mode="livesum",
        )

    def answered(
        self,
        *,
        method: str,
        route: str,
        status: int,
        seconds: float,
        code: int | None,
        account: str = "",
    ) -> None:
        """Count one answer. route: the pattern of its path, or "". code: the code of an error body.
        account: "" without a right key."""
        method = method if method in _METHODS else _OTHER
        route = route or _OTHER
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)
        if code is not None:
            self._errors.labels(str(code)).inc()
        is_receipt = method == "POST" and status == _ISSUED and route.startswith(_RECEIPTS)
        if account:
            self._of_accounts.answered(account, is_receipt=is_receipt)

    def refused_by_quota(self, quota: str) -> None:
        self._refused.labels(quota).inc()

    def connected(self, applications: int) -> None:
        self._connected.set(applications)

    async def keep_measuring(self, database: Database, folder: Path) -> None:
        """Measure the loop, the database's connections and the disk of `folder`; for ever."""
        await self._measures.run(database, folder)

    def text(self) -> bytes:
        return generate_latest(self._registry)


class _OfAccounts:
    def __init__(self, registry: CollectorRegistry | None) -> None:
        self._requests = Counter(
            "pos_platform_account_requests",
            "Requests that were answered to a key of the account.",
            ("account",),
            registry=registry,
        )
        self._receipts = Counter(
            "pos_platform_account_receipts",
            "Answers with a receipt to who issues one, repetitions too.",
            ("account",),
            registry=registry,
        )

    def answered(self, account: str, *, is_receipt: bool) -> None:
        self._requests.labels(account).inc()
        if is_receipt:
            self._receipts.labels(account).inc()


class _Measures:
    """The measurements of one worker, each half second."""

    def __init__(self, registry: CollectorRegistry | None) -> None:
        self._lag = Histogram(
            "pos_platform_loop_lag_seconds",
            "How much later than it asked a task of the worker was waked.",
            buckets=_LAG_SECONDS,
            registry=registry,
        )

        def gauge(name: str, words: str, mode: Literal["livesum", "livemin"]) -> Gauge:
            name = f"pos_platform_{name}"
            return Gauge(name, words, registry=registry, multiprocess_mode=mode)

        words = "Connections to the database that requests may have."
        self._size = gauge("database_connections_most", words, "livesum")
        words = "Those that requests have now."
        self._used = gauge("database_connections_used", words, "livesum")
        words = "Requests that wait for a connection, or for their turn to write."
        self._waiting = gauge("database_waiting", words, "livesum")
        words = "Bytes that are free on the disk of the data folder."
        self._free = gauge("disk_free_bytes", words, "livemin")

    async def run(self, database: Database, folder: Path) -> None:
        loop = asyncio.get_running_loop()
        while True:
            connections = database.connections
            self._size.set(connections.most)
            self._used.set(connections.used)
            self._waiting.set(connections.waiting)
            with contextlib.suppress(OSError):
                self._free.set((await asyncio.to_thread(shutil.disk_usage, folder)).free)
            began = loop.time()
            await asyncio.sleep(_EVERY_SECONDS)
            self._lag.observe(max(0.0, loop.time() - began - _EVERY_SECONDS))


SignerStates = Callable[[], Awaitable[Sequence[SignerState | None]]]
"""Returns each signer's state by its number, or None for one that is away."""


def of_signers(states: Sequence[SignerState | None]) -> bytes:
    """Return the signers' figures in the same format. The signers are asked each time, because no
    worker counts for them."""
    registry = CollectorRegistry()

    def gauge(name: str, words: str) -> Gauge:
        return Gauge(f"pos_platform_{name}", words, ("signer",), registry=registry)

    up = gauge("signer_up", "1 where the signer answers.")
    is_open = gauge("signer_elements_open", "Secure elements, each with a lane, that are open.")
    most = gauge("signer_elements_most", "As many may be open.")
    doubts = gauge("signer_doubts", "Receipts that may exist: `pos-app platform doubts list`.")
    mail = gauge("signer_elements_with_mail", "Elements whose mail waits.")
    for number, state in enumerate(states):
        signer = str(number)
        up.labels(signer).set(state is not None)
        if state is not None:
            is_open.labels(signer).set(state.open)
            most.labels(signer).set(state.most)
            doubts.labels(signer).set(sum(one.doubts for one in state.with_open_work))
            mail.labels(signer).set(sum(one.has_mail for one in state.with_open_work))
    return generate_latest(registry)


class MetricsRoute:
    """Answers callers with the token. signers is None if certificate mode is off."""

    def __init__(
        self, metrics: WorkerMetrics, token: str, signers: SignerStates | None = None
    ) -> None:
        self._metrics = metrics
        self._token = token.encode()
        self._signers = signers

    @classmethod
    def endpoints(cls) -> list[Endpoint]:
        return [Endpoint("GET", PATH, cls.read)]

    async def read(self, request: Request) -> Response:
        """GET /metrics with `Authorization: Bearer` and the token."""
        if request.query_params:
            raise NotFound("path")
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        is_right = hmac.compare_digest(token.strip().encode(), self._token)
        if scheme.lower() != "bearer" or not is_right:
            raise Unauthorized
        text = self._metrics.text()
        if self._signers is not None:
            text += of_signers(await self._signers())
        return Response(text, headers={"Content-Type": CONTENT_TYPE_PLAIN_0_0_4})


def worker_ended(process: int, folder: str) -> None:
    """Remove an ended worker's connections from the count. folder: the folder of the workers'
    counts."""
    multiprocess.mark_process_dead(process, folder)  # type: ignore[no-untyped-call]
