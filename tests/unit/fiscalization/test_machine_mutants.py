"""The machine finds every wrong server; otherwise it would prove nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.sweep import sampled
from tests.unit.fiscalization.machine_histories import history, very_late_history
from tests.unit.fiscalization.machine_mutants import MUTANTS
from tests.unit.fiscalization.machine_own_mutants import BEYOND_W, OUR_OWN
from tests.unit.fiscalization.machine_run import run

MOST = 2_000
"""Histories within which a mutant must be found; the slowest needs a few hundred."""


def breach(histories: Iterable[str | None]) -> str:
    """The first promise that was broken; a mutant that only crashes is no wrong server."""
    found = next((broken for broken in histories if broken), "")
    assert not any(crash in found for crash in ("TypeError(", "AttributeError(", "NameError("))
    return found


@pytest.mark.parametrize("name", sampled(MUTANTS | OUR_OWN))
def test_a_wrong_server_breaks_a_promise(folder: Path, name: str) -> None:
    parts = (MUTANTS | OUR_OWN)[name]
    assert breach(run(folder, *history(number), parts=parts) for number in range(MOST))


@pytest.mark.parametrize("name", sampled(reversed(BEYOND_W)))
def test_a_wrong_server_is_seen_when_a_processor_is_very_late(folder: Path, name: str) -> None:
    parts = BEYOND_W[name]
    assert breach(run(folder, *very_late_history(number), parts=parts) for number in range(MOST))
