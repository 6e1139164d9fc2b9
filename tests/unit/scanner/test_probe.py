"""The "scan here" test tells how a scanner is set."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pos_app.cashier.scanner.burst import Bursts, Rules, Scan
from pos_app.cashier.scanner.layouts import ENTER, TAB
from pos_app.cashier.scanner.probe import Finding, examine
from tests.unit.scanner.keyboard import Desk

PRINTED = "Pos-App/yZ"


class Recorder(Desk):
    """A desk that keeps the whole scan."""

    scans: list[Scan[str]]

    def __post_init__(self) -> None:
        self.bursts: Bursts[str] = Bursts(self.rules)
        self.scans = []

    def note(self, steps: Iterable[object]) -> None:
        self.scans += [step for step in steps if isinstance(step, Scan)]


@pytest.mark.parametrize(
    ("sent", "ends", "finding"),
    [
        (PRINTED, (ENTER,), Finding(True, "", False, "enter", 12)),
        (PRINTED, (TAB,), Finding(True, "", False, "tab", 12)),
        (PRINTED, (), Finding(True, "", False, "none", 12)),
        ("~" + PRINTED, (96,), Finding(True, "~", False, "enter", 12)),
        (PRINTED.swapcase(), (ENTER,), Finding(True, "", True, "enter", 12)),
        ("Pos'App-zY", (ENTER,), Finding(False, "", False, "enter", 12)),
    ],
)
def test_findings(sent: str, ends: tuple[int, ...], finding: Finding) -> None:
    desk = Recorder(Rules(gap_ms=200))
    desk.scan(sent, gap=12, ends=ends)
    desk.rest()
    assert [examine(scan, printed=PRINTED) for scan in desk.scans] == [finding]
