"""The number of calls within the product for a scan: unchanged facts are not read again."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pos_app
from tests.gui.window.hands import Hands

_ROOT = str(Path(pos_app.__file__).parent)


def called(act: Callable[[], object]) -> Counter[str]:
    """The number of calls of each function of the product while `act` runs, by file and name."""
    found: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(_ROOT):
            found[f"{code.co_filename.removeprefix(_ROOT)}:{code.co_qualname}"] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return found


def files_of(calls: Counter[str]) -> set[str]:
    return {name.partition(":")[0] for name in calls}


def test_a_scan_asks_of_what_it_changes_alone(hands: Hands) -> None:
    """From the read code to its painted row, kind of document, banner, ways of delivery and the
    server's status of the till stay the same."""
    for _ in range(2):
        hands.scan("8609910700134")
        hands.scan("8609951100139")
    calls = called(lambda: hands.window.on_scan("8609910700134"))
    assert "3 × Хлеб бели Сава 500 g, 176,97" in hands.rows()
    assert sum(calls.values()) <= 1500
    assert len(files_of(calls)) <= 70
    asked = {name for name in calls if name.endswith((".banner", "._drafts", ".show_kind"))}
    assert asked == set()


def test_a_confirmation_asks_no_more_than_a_few_hundred_of_each_room(hands: Hands) -> None:
    """From the key to the painted till of the next customer, with the sent request and the sale's
    shift. It is the second sale: the first one may open the shift, and makes what is kept."""
    calls: Counter[str] = Counter()
    for _ in range(2):
        hands.scan("8609910700134")
        hands.scan("8609951100139")
        hands.shop.clock.go_on(1_000)
        calls = called(lambda: hands.pad("+"))
        assert hands.rows() == []
    assert sum(calls.values()) <= 2100
    assert len(files_of(calls)) <= 98
