"""Pictures as an ESC/POS print job: every command that is sent stands in this file.

| bytes        | command | what                                                            |
| 1B 40        | ESC @   | forget what was set before                                      |
| 1D 76 30 0   | GS v 0  | a strip of dots: bytes a row and rows, low byte first           |
| 1B 64 n      | ESC d n | feed n lines of 4.2 mm                                          |
| 1D 56 65/66  | GS V    | feed to the knife, cut fully (65) or leave a bridge (66)        |
| 1B 70 m t t  | ESC p   | a pulse on pin 2 (0) or 5 (1) that opens the drawer             |

Nothing else ever leaves: text reaches a printer as dots alone, so no character in a name can be a
command. Source: Epson's ESC/POS command reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain

from PIL import Image

STRIP_ROWS = 128
"""Rows in one strip: 9 KB on 80 mm, because cheap printers have little memory."""

_INIT = b"\x1b@"
_INVERTED = bytes(range(255, -1, -1))
_PULSE_ON, _PULSE_OFF = 25, 250
"""Of 2 ms: 50 ms opens a drawer, then half a second of rest."""


class Cut(IntEnum):
    """How paper is parted; a printer without a knife feeds to its edge."""

    FULL = 65
    PARTIAL = 66
    NONE = 0


class DrawerPin(IntEnum):
    """The pin of the drawer's plug that opens it."""

    TWO = 0
    FIVE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """drawer: opened before printing; None: not at all. feed: lines of 4.2 mm after the last."""

    cut: Cut = Cut.PARTIAL
    drawer: DrawerPin | None = None
    feed: int = 1
    feed_without_cut: int = 5


def drawer_pulse(pin: DrawerPin) -> bytes:
    """Opens the drawer and prints nothing."""
    return bytes((0x1B, 0x70, pin, _PULSE_ON, _PULSE_OFF))


def print_job(pictures: Iterable[Image.Image], *, options: JobOptions) -> bytes:
    """Pictures of one bit a dot and of one width, one below the other, as one job."""
    strips = (_strip(part) for picture in pictures for part in _parts(picture))
    return b"".join(chain(_begin(options), strips, _end(options)))


def _begin(options: JobOptions) -> Iterator[bytes]:
    yield _INIT
    if options.drawer is not None:
        yield drawer_pulse(options.drawer)


def _end(options: JobOptions) -> Iterator[bytes]:
    if options.cut is Cut.NONE:
        yield bytes((0x1B, 0x64, options.feed_without_cut))
    else:
        yield bytes((0x1B, 0x64, options.feed, 0x1D, 0x56, options.cut, 0))


def _parts(picture: Image.Image) -> Iterator[Image.Image]:
    for top in range(0, picture.height, STRIP_ROWS):
        bottom = min(top + STRIP_ROWS, picture.height)
        yield picture.crop((0, top, picture.width, bottom))


def _strip(picture: Image.Image) -> bytes:
    """GS v 0: a printer takes a set bit for black, a picture for white."""
    per_row, rest = divmod(picture.width, 8)
    if rest or picture.mode != "1":
        raise ValueError("a strip has one bit a dot and a width that is a multiple of 8")
    size = per_row.to_bytes(2, "little") + picture.height.to_bytes(2, "little")
    return b"\x1dv0\x00" + size + picture.tobytes().translate(_INVERTED)
