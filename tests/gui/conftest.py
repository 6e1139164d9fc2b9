"""No test of a window passes beside a bug that the window lived through.

pytest-qt fails a test in whose slots an exception was raised; what the product itself catches last,
and logs with its cause, is told here. An error line without a traceback tells of a file or a device
that tests make fail on purpose.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _no_bug_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails for a line of level ERROR that has a traceback."""
    yield
    bugs = [
        f"{record.name}: {record.getMessage()}: {record.exc_info[1]!r}"
        for phase in ("setup", "call", "teardown")
        for record in caplog.get_records(phase)
        if record.levelno >= logging.ERROR and record.exc_info
    ]
    assert not bugs, "\n".join(("bugs were logged:", *bugs))
