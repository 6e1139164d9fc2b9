"""The pauses between two starts of the till's server, by how the runs before ended."""

from __future__ import annotations

import math
from itertools import chain, repeat

import pytest

from pos_app.adapters.server_process.process import (
    REFUSED_SECONDS,
    STEADY_SECONDS,
    RestartDelay,
    RunEnd,
)
from pos_app.errors import (
    AlreadyRunning,
    CertificateUnread,
    DatabaseTooNew,
    DiskFull,
    MachineError,
    PortTaken,
    ServerEnded,
    SettingsBroken,
)

DIED = RunEnd(answered=True, lasted_seconds=2.0)
STEADY = RunEnd(answered=True, lasted_seconds=STEADY_SECONDS)
MUTE = RunEnd(answered=False, lasted_seconds=0.2, fault=ServerEnded("x"))


def refused(fault: MachineError) -> RunEnd:
    return RunEnd(answered=False, lasted_seconds=0.2, fault=fault)


@pytest.mark.parametrize(
    ("ends", "pauses"),
    [
        ([DIED] * 6, [0.0, 0.25, 0.5, 1.0, 1.0, 1.0]),
        ([DIED, DIED, STEADY, DIED], [0.0, 0.25, 0.0, 0.25]),
        ([MUTE] * 7, [0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 30.0]),
        ([MUTE, MUTE, DIED, MUTE], [0.5, 1.0, 0.0, 0.5]),
        ([refused(DatabaseTooNew("x"))] * 3, [REFUSED_SECONDS] * 3),
        ([refused(SettingsBroken("x")), DIED], [REFUSED_SECONDS, 0.0]),
        ([refused(AlreadyRunning("x"))] * 4, [0.5, 0.5, 1.0, 1.0]),
        ([refused(PortTaken("x"))] * 10, [0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 5.0, 10.0, 30.0, 30.0]),
        ([refused(DiskFull("x")), refused(PortTaken("x"))], [0.5, 0.5]),
        ([refused(CertificateUnread("x"))] * 4, [0.5, 0.5, 1.0, 1.0]),
    ],
)
def test_the_table(ends: list[RunEnd], pauses: list[float]) -> None:
    patience = RestartDelay()
    assert [patience.after(end) for end in ends] == pauses


def test_a_server_that_had_answered_is_back_within_the_promise() -> None:
    """Whatever happened before, no death of a working server is waited for longer than 1 s."""
    patience, last = RestartDelay(), math.inf
    for end in chain(repeat(MUTE, 9), repeat(DIED, 50)):
        last = patience.after(end)
    assert last <= 1.0
