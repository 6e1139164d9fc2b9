"""What the platform tells of its use: the audit log, and metrics."""

from __future__ import annotations

import asyncio
import re
import sys
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from pos_app.adapters.telemetry import tracing
from pos_app.platform_api.audit import drop_old
from tests.integration.platform_api.hosted import Hosted, Place, hosted


async def entries(platform: Hosted, **query: str) -> list[dict[str, Any]]:
    answer = await platform.client.get("/audit", params=query)
    assert answer.status_code == 200, answer.text
    told: list[dict[str, Any]] = answer.json()
    return told


def acts(told: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(one["kind"], one["act"]) for one in told]


async def eventually(platform: Hosted, count: int) -> list[dict[str, Any]]:
    """Wait for that many entries: the use of a key is written beside its answer."""
    async with asyncio.timeout(20):
        while len(told := await entries(platform)) < count:
            """The next answer comes after other tasks had their turn."""
    assert len(told) == count, acts(told)
    return told


async def test_what_is_older_than_it_is_kept_goes(database: Place) -> None:
    async with hosted(database) as platform:
        await eventually(platform, 2)
        platform.clock.forward(86_400)
        await platform.client.post("/stores", json={"name": "Прва"})
        before = platform.clock.now()
        assert await drop_old(platform.context.database, before=before, most=1) == 1
        while await drop_old(platform.context.database, before=before, most=10):
            """The shared database also has entries of other tests."""
        assert acts(await entries(platform)) == [("store", "made")]


def number(text: str, name: str, **labels: str) -> float:
    told = ",".join(f'{label}="{value}"' for label, value in sorted(labels.items()))
    line = f"{name}{{{told}}}" if told else name
    found = re.search(rf"^{re.escape(line)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


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
