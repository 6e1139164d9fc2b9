"""A plugin of pytest that writes down how long each test took, with its fixtures.

python -m pytest -p tests.mutants.timed --timed FILE
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

_seconds: Counter[str] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--timed", type=Path, help="the file for the seconds of each test, as JSON")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] += report.duration  # type: ignore[assignment] # a counter of floats


def pytest_sessionfinish(session: pytest.Session) -> None:
    file: Path | None = session.config.getoption("--timed")
    if file is not None and not hasattr(session.config, "workerinput"):
        file.write_text(json.dumps(_seconds), "utf-8")
