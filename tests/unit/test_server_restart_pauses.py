"""The pauses between two starts of the till's server, by how the runs before ended."""

from __future__ import annotations

import math
from itertools import chain, repeat

from pos_app import errors
from pos_app.adapters.server_process import process
from tests.sweep import each

DIED = process.RunEnd(answered=True, lasted_seconds=2.0)
STEADY = process.RunEnd(answered=True, lasted_seconds=process.STEADY_SECONDS)
MUTE = process.RunEnd(answered=False, lasted_seconds=0.2, fault=errors.ServerEnded(what="x"))


def refused(fault: errors.MachineError) -> process.RunEnd:
    return process.RunEnd(answered=False, lasted_seconds=0.2, fault=fault)


@each(
    ("ends", "pauses"),
    [
        ([DIED] * 6, [0.0, 0.25, 0.5, 1.0, 1.0, 1.0]),
        ([DIED, DIED, STEADY, DIED], [0.0, 0.25, 0.0, 0.25]),
        ([MUTE] * 7, [0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 30.0]),
        ([MUTE, MUTE, DIED, MUTE], [0.5, 1.0, 0.0, 0.5]),
        ([refused(errors.DatabaseTooNew(what="x"))] * 3, [process.REFUSED_SECONDS] * 3),
        ([refused(errors.SettingsBroken(what="x")), DIED], [process.REFUSED_SECONDS, 0.0]),
        ([refused(errors.AlreadyRunning(what="x"))] * 4, [0.5, 0.5, 1.0, 1.0]),
        ([refused(errors.PortTaken(what="x"))] * 10,
         [0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 5.0, 10.0, 30.0, 30.0]),
        ([refused(errors.DiskFull(what="x")), refused(errors.PortTaken(what="x"))], [0.5, 0.5]),
        ([refused(errors.CertificateUnread(what="x"))] * 4, [0.5, 0.5, 1.0, 1.0]),
    ],
)  # fmt: skip
def test_the_table(ends: list[process.RunEnd], pauses: list[float]) -> None:
    patience = process.RestartDelay()
    assert [patience.after(end) for end in ends] == pauses


def test_a_server_that_had_answered_is_back_within_the_promise() -> None:
    """Whatever happened before, no death of a working server is waited for longer than 1 s."""
    patience, last = process.RestartDelay(), math.inf
    for end in chain(repeat(MUTE, 9), repeat(DIED, 50)):
        last = patience.after(end)
    assert last <= 1.0
