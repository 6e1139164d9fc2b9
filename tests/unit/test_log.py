"""A record of the log is one line, whatever its text, and contains no terminal commands."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from io import StringIO

import pytest

from pos_app import log

HOSTILE = "a\r\n2026-01-01 00:00:00,000 INFO paid\x1b[2J\x00\x9b31m\u2028\u202e\ud800\U000e0041ж"


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def written(*, as_json: bool, fault: Exception | None = None) -> str:
    stream = StringIO()
    log.configure(as_json=as_json, stream=stream)
    try:
        if fault is not None:
            raise fault
        log.get("test").info("seen: %s", HOSTILE, extra={"fields": {"path": HOSTILE}})
    except ValueError:
        log.get("test").exception("failed")
    return stream.getvalue()


def test_text(caplog: pytest.LogCaptureFixture) -> None:
    line = written(as_json=False)
    assert line.endswith("\n")
    assert line[:-1].isprintable()
    assert "\\r\\n2026-01-01" in line
    assert "\\u001b[2J\\u0000\\u009b31m\\u2028\\u202e\\ud800" in line
    assert "ж path=a" in line


def test_json(caplog: pytest.LogCaptureFixture) -> None:
    line = written(as_json=True)
    assert line[:-1].isprintable()
    told = json.loads(line)
    assert (told["message"], told["path"]) == (f"seen: {HOSTILE}", HOSTILE)


@pytest.mark.parametrize("as_json", [False, True])
def test_an_exception_writes_no_line_of_its_own(as_json: bool) -> None:
    first, *rows = written(as_json=as_json, fault=ValueError(HOSTILE)).splitlines()
    assert first.isprintable()
    assert all(row.startswith("    ") and row.isprintable() for row in rows)
    assert bool(rows) is not as_json
