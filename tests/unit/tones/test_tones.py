"""The four tones are short, soft and distinct, and equal to what their script makes."""

from __future__ import annotations

import array
import importlib.util
import itertools
import sys
import wave
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pos_app import resources
from tests.sweep import each

ROOT = Path(__file__).parents[3]
NAMES = ("item", "no", "done", "attention")


@pytest.fixture(scope="module")
def script() -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location("make_tones", ROOT / "packaging" / "tones.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks itself up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def read(name: str) -> tuple[array.array[int], tuple[int, int, int]]:
    """Samples of a tone, and its rate, channels and bytes per sample."""
    with wave.open(str(resources.folder() / "tones" / f"{name}.wav")) as file:
        facts = (file.getframerate(), file.getnchannels(), file.getsampwidth())
        return array.array("h", file.readframes(file.getnframes())), facts


@each("name", NAMES)
def test_a_tone_is_short_soft_and_small(name: str) -> None:
    samples, facts = read(name)
    assert facts == (44_100, 1, 2)
    assert len(samples) / 44_100 < 0.25
    loudest = max(abs(value) for value in samples)
    assert 0.4 * 32_767 < loudest < 0.7 * 32_767
    assert abs(samples[0]) < 200
    assert max(abs(value) for value in samples[-40:]) < 600
    assert max(abs(b - a) for a, b in itertools.pairwise(samples)) < 9_000


@pytest.mark.parametrize("name", NAMES)
def test_the_script_makes_the_tones_that_are_shipped(name: str, script: ModuleType) -> None:
    shipped, _ = read(name)
    made = script.synthesise(script.TONES[name])
    assert len(made) == len(shipped)
    assert max(abs(a - b) for a, b in zip(made, shipped, strict=True)) <= 1


def test_tones_differ_in_pitch_direction_or_rhythm(script: ModuleType) -> None:
    told = {
        name: tuple((round(note.pitch), round(note.start, 2)) for note in notes)
        for name, notes in script.TONES.items()
    }
    assert set(told) == set(NAMES)
    assert len(told["item"]) == 1
    assert told["no"][0][0] > told["no"][1][0]
    assert told["done"][0][0] < told["done"][1][0]
    assert told["attention"][0][0] == told["attention"][1][0]
