"""Without the packages of OpenTelemetry the platform says so, and serves."""

from __future__ import annotations

import re
import sys

import pytest
from starlette.types import Receive, Scope, Send

from pos_app.adapters.telemetry import tracing


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
