"""Makes the till's four tones: `python packaging/tones.py [FOLDER]` (default: resources/tones).

Each tone is a few struck notes: a sine with two quiet overtones, a soft attack and an exponential
decay. They differ in pitch, direction and rhythm, so that people can distinguish them in a loud
shop, also those who don't hear high tones: short and high · two falling and low · two rising · the
same one twice.
44.1 kHz, mono, 16 bit, each under 250 ms. The same input gives the same bytes.
"""

from __future__ import annotations

import array
import math
import sys
import wave
from dataclasses import dataclass
from pathlib import Path

RATE = 44_100
PEAK = 0.6
"""Loudest sample, as a share of full scale."""
ATTACK = 0.004
RELEASE = 0.012
"""Seconds of the soft beginning and end, which prevent clicks."""
OVERTONES = ((1, 1.0), (2, 0.22), (3, 0.07))


@dataclass(frozen=True, slots=True)
class Note:
    """One struck note: pitch in Hz, begin and length in seconds, loudness, and decay (1/s)."""

    pitch: float
    start: float
    length: float
    loud: float = 1.0
    decay: float = 14.0


TONES: dict[str, tuple[Note, ...]] = {
    "item": (Note(1318.5, 0.0, 0.09, decay=32.0),),
    "no": (Note(349.2, 0.0, 0.12, decay=9.0), Note(246.9, 0.11, 0.13, decay=9.0)),
    "done": (Note(784.0, 0.0, 0.12, 0.8), Note(1174.7, 0.08, 0.165, decay=16.0)),
    "attention": (Note(659.3, 0.0, 0.1, decay=18.0), Note(659.3, 0.135, 0.11, decay=18.0)),
}


def sample(note: Note, at: float) -> float:
    """The note's value `at` seconds after its start, 0 outside of it."""
    if not 0.0 <= at < note.length:
        return 0.0
    soft = min(1.0, at / ATTACK) * min(1.0, (note.length - at) / RELEASE)
    shape = math.sin(soft * math.pi / 2) ** 2 * math.exp(-note.decay * at)
    turns = 2 * math.pi * note.pitch * at
    body = sum(share * math.sin(order * turns) for order, share in OVERTONES)
    return note.loud * shape * body


def synthesise(notes: tuple[Note, ...]) -> array.array[int]:
    length = max(note.start + note.length for note in notes)
    values = [
        sum(sample(note, number / RATE - note.start) for note in notes)
        for number in range(round(length * RATE))
    ]
    scale = PEAK * 32_767 / max(abs(value) for value in values)
    return array.array("h", (round(value * scale) for value in values))


def write(path: Path, samples: array.array[int]) -> None:
    little = array.array("h", samples)
    if sys.byteorder == "big":
        little.byteswap()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(little.tobytes())


def main() -> int:
    default = Path(__file__).parents[1] / "resources" / "tones"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    folder.mkdir(parents=True, exist_ok=True)
    for name, notes in TONES.items():
        write(folder / f"{name}.wav", synthesise(notes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
