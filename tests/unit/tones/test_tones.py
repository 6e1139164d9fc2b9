"""The four tones are short, soft and distinct, and equal to what their script makes."""

from __future__ import annotations

import array
import itertools
import wave

from pos_app import resources
from tests.scripts import script
from tests.sweep import each

NAMES = ("item", "no", "done", "attention")


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


def test_the_script_makes_the_tones_that_are_shipped() -> None:
    make = script("tones")
    for name in NAMES:
        shipped, _ = read(name)
        made = make.synthesise(make.TONES[name])
        assert len(made) == len(shipped)
        assert max(abs(a - b) for a, b in zip(made, shipped, strict=True)) <= 1
