"""A disk that fills is shown in Attention long before anything stops: a real disk, real presses."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pos_app.adapters.machine import MachineHere
from pos_app.cashier.attention.case_list import CaseRow
from tests.fakes.small_disk import small_disk
from tests.gui.parts import in_front, lines_of, visible_parts
from tests.gui.patience import until
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop


@pytest.fixture
def disk(shop: Shop, tmp_path: Path) -> Iterator[Path]:
    """A disk of 700 MB, which the shop's program measures as its own."""
    with small_disk(tmp_path / "disk", megabytes=700) as place:
        shop.services = replace(shop.services, machine=MachineHere(place))
        yield place


async def test_a_disk_that_fills_is_a_quiet_row_until_there_is_room(
    disk: Path, hands: Hands
) -> None:
    hands.window.frame.open("attention")
    screen = in_front(hands.window.frame, "att.title")
    await until(lambda: bool(visible_parts(screen, CaseRow)))
    (row,) = visible_parts(screen, CaseRow)
    assert row.accessibleName().startswith("Диск се пуни")
    hands.tap(row)
    await until(lambda: "слободно је још само 734 MB" in " ".join(lines_of(screen)))
    told = " ".join(lines_of(screen))
    assert "списак рачуна више не расте" in told
    assert "не потписују" in told
    assert hands.window.frame.home_room is not None
    hands.press("Esc")
    larger = ("mount", "-o", "remount,size=1400m", str(disk))
    subprocess.run(larger, check=True)  # noqa: ASYNC221 - at once, of a file system in memory
    hands.window.frame.open("attention")
    await until(lambda: not visible_parts(screen, CaseRow))
