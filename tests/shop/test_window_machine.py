"""Short histories of the real window by dice, and every faulty one that was ever found."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from tests.proofs import Proof
from tests.shop.put_back import FAULTS
from tests.shop.window_machine import Machine, kind_of, shrunk

HISTORIES = 12
STEPS = 25
FOUND = json.loads(Path(__file__).with_name("found.json").read_text("utf-8"))
"""Faults that the dice found, by what they were, with the acts that showed them."""


@pytest.fixture(scope="module")
def machine(
    qapp: QApplication, qt_loop: asyncio.AbstractEventLoop, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Machine]:
    asyncio.set_event_loop(qt_loop)
    yield Machine(qapp, qt_loop, tmp_path_factory.mktemp("histories"))
    asyncio.set_event_loop(None)


def _told(acts: object, fault: str) -> str:
    lines = "\n".join(json.dumps(act, ensure_ascii=False) for act in acts)  # type: ignore[attr-defined]
    return f"{fault}\n{lines}"


def test_short_histories_have_no_fault(machine: Machine, proof: Proof) -> None:
    machine.proof = proof
    for seed in range(HISTORIES):
        acts, fault = machine.roll(seed, STEPS)
        assert not fault, _told(acts, fault)


@pytest.mark.parametrize("what", FOUND)
def test_a_fault_that_was_found_does_not_come_again(machine: Machine, what: str) -> None:
    acts = [tuple(act) for act in FOUND[what]]
    fault = machine.play(acts)
    assert not fault, _told(acts, fault)


@pytest.mark.faults
@pytest.mark.long
@pytest.mark.deadline(7200)
def test_long_histories_have_no_fault(machine: Machine, times: int, proof: Proof) -> None:
    machine.proof = proof
    for seed in range(1000, 1000 + times):
        acts, fault = machine.roll(seed)
        less = shrunk(acts, fault, machine.play, seconds=40) if fault else None
        assert not fault, _told(less or acts, fault)


def test_each_old_fault_can_be_put_back() -> None:
    """Each is a change of the product by names, which no checker of types follows."""
    for fault in FAULTS:
        with pytest.MonkeyPatch.context() as patch:
            fault.put_back(patch)


def test_a_history_is_shrunk_to_the_acts_that_it_needs() -> None:
    def play(acts: object) -> str:
        assert isinstance(acts, list)
        needed = [("a",), ("b", "1")]
        return "sale #12 is lost" if [one for one in acts if one in needed] == needed else ""

    acts = [("x",), ("a",), ("y",), ("z",), ("b", "1"), ("x",)]
    assert shrunk(acts, "sale #7 is lost", play, seconds=5) == [("a",), ("b", "1")]
    assert shrunk(acts, "another fault", play, seconds=5) is None
    assert kind_of("sale #7 cost 12,50") == kind_of("sale #9 cost 1.300,00")
