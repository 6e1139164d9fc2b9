"""A test of a window fails for an error that the window survived."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import pytest

from pos_app.cashier.ui import press_guard
from pos_app.cashier.ui.buttons import SeenButton
from tests.gui.taps import SlowHand


@pytest.fixture(autouse=True)
def _a_hand_in_no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the keys and fingers of QTest the times of a hand in no hurry, for which whatever
    appears has been there for a while."""
    monkeypatch.setattr(press_guard, "stamp_of", SlowHand().stamp_of)
    monkeypatch.setattr(SeenButton, "rests", False)


_RESTS = SeenButton.rests


@pytest.fixture
def in_real_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives keys the times at which they are sent, so that two of a test are struck too fast."""
    monkeypatch.setattr(press_guard, "stamp_of", lambda event: event.timestamp())
    monkeypatch.setattr(SeenButton, "rests", _RESTS)


@pytest.fixture(autouse=True)
def _no_error_is_logged(
    request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> Iterator[None]:
    """Fails for a record of level ERROR that no mark of the test names."""
    yield
    told = [
        f"{record.name}: {record.getMessage()}"
        + (f": {record.exc_info[1]!r}" if record.exc_info else "")
        for phase in ("setup", "call", "teardown")
        for record in caplog.get_records(phase)
        if record.levelno >= logging.ERROR
    ]
    expected = [str(mark.args[0]) for mark in request.node.iter_markers("logs_error")]
    bugs = [line for line in told if not any(re.search(one, line) for one in expected)]
    if bugs:
        pytest.fail("\n".join(("errors were logged:", *bugs)), pytrace=False)
    missing = [one for one in expected if not any(re.search(one, line) for line in told)]
    if missing:
        pytest.fail(f"never logged: {missing}", pytrace=False)
