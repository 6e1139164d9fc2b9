"""ESC/POS: pictures as a print job, and questions with their answers. Nothing else is sent.

| bytes        | command | effect                                                          |
| 00 …         | NUL     | white dots to a printer that still waits for some, else nothing |
| 1B 40        | ESC @   | forget earlier settings                                         |
| 1D 76 30 0   | GS v 0  | a strip of dots: bytes a row and rows, low byte first           |
| 1B 64 n      | ESC d n | feed n lines of 4.2 mm                                          |
| 1D 56 65/66  | GS V    | feed to the knife, cut fully (65) or leave a bridge (66)        |
| 1B 70 m t t  | ESC p   | a pulse on pin 2 (0) or 5 (1) that opens the drawer             |

No job holds anything else: text reaches a printer as dots alone, so no character in a name can be a
command. Dots can't be commands, either. This is important for DLE EOT, DLE ENQ and DLE DC4:
printers obey these the moment they come, some even within a strip, where ENQ 2 would throw the
receipt away and DC4 would open the drawer. Source: Epson's ESC/POS command reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import IntEnum
from itertools import chain

from PIL import Image

from pos_app.fiscalization.device_ports import DeviceTrouble, PrinterStatus
from pos_app.lazy_dataclass import dataclass

# --- jobs: what is sent ------------------------------------------------------------------------


STRIP_BYTES = 2048
"""The most dots in one strip, as bytes: 28 rows on 80 mm, 42 on 58 mm.

Strips are short because each job begins with as many NULs as an interrupted strip may still lack.
"""
_STRIP_HEAD = 8
IN_STEP = bytes(STRIP_BYTES + _STRIP_HEAD)
"""Ends everything that an interrupted job left open, so that the next bytes are read as commands.

A printer that was interrupted within a strip takes the next bytes for the rest of the strip. At
most it lacks the last byte of the strip's head and 2048 bytes of dots; a head that was interrupted
earlier becomes a strip without rows. To send 2056 bytes takes 0.18 s on a serial line at 115,200
baud, and no noticeable time on other lines.
"""

_INIT = b"\x1b@"
_AT_ONCE = (b"\x10\x04", b"\x10\x05", b"\x10\x14")
_INVERTED = bytes(range(255, -1, -1))
_PULSE_ON, _PULSE_OFF = 25, 250
"""In steps of 2 ms: 50 ms open a drawer, then half a second of rest."""


class Cut(IntEnum):
    """The cut of the paper; a printer without a knife feeds to its edge."""

    FULL = 65
    PARTIAL = 66
    NONE = 0


class DrawerPin(IntEnum):
    TWO = 0
    FIVE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """Options of a job. drawer: opened before printing. feed: lines of 4.2 mm at the end."""

    cut: Cut = Cut.PARTIAL
    drawer: DrawerPin | None = None
    feed: int = 1
    feed_without_cut: int = 5


def drawer_pulse(pin: DrawerPin) -> bytes:
    """Return bytes that open the drawer and print nothing."""
    return IN_STEP + _pulse(pin)


def print_job(pictures: Iterable[Image.Image], *, options: JobOptions) -> bytes:
    """Return a job of pictures of one bit a dot and of one width, one below the other."""
    strips = (_strip(part) for picture in pictures for part in _strips(picture))
    return b"".join(chain(_begin(options), strips, _end(options)))


def _begin(options: JobOptions) -> Iterator[bytes]:
    yield IN_STEP
    yield _INIT
    if options.drawer is not None:
        yield _pulse(options.drawer)


def _pulse(pin: DrawerPin) -> bytes:
    return bytes((0x1B, 0x70, pin, _PULSE_ON, _PULSE_OFF))


def _end(options: JobOptions) -> Iterator[bytes]:
    if options.cut is Cut.NONE:
        yield bytes((0x1B, 0x64, options.feed_without_cut))
    else:
        yield bytes((0x1B, 0x64, options.feed, 0x1D, 0x56, options.cut, 0))


def _strips(picture: Image.Image) -> Iterator[Image.Image]:
    rows = max(1, STRIP_BYTES * 8 // picture.width)
    for top in range(0, picture.height, rows):
        bottom = min(top + rows, picture.height)
        yield picture.crop((0, top, picture.width, bottom))


def _strip(picture: Image.Image) -> bytes:
    """Encode a picture with GS v 0: a printer takes a set bit for black, a picture for white."""
    per_row, rest = divmod(picture.width, 8)
    if rest or picture.mode != "1":
        raise ValueError("a strip has one bit a dot and a width that is a multiple of 8")
    size = per_row.to_bytes(2, "little") + picture.height.to_bytes(2, "little")
    return b"\x1dv0\x00" + size + _without_commands(picture.tobytes().translate(_INVERTED))


def _without_commands(dots: bytes) -> bytes:
    """Return dots in which no printer sees a command: where one would be, a single dot is two wide.

    Rows follow each other without a gap, so a row's end and the next one's begin count as well. The
    bytes after a strip begin with ESC or GS, so nothing can arise there.
    """
    for command in _AT_ONCE:
        dots = dots.replace(command, b"\x18" + command[1:])
    return dots


# --- status: what is asked and answered --------------------------------------------------------
# These are DLE EOT n, GS r n, and automatic status (GS a), which is never asked for.


STATE, WHY_OFFLINE, ERROR, PAPER = 1, 2, 3, 4
"""n of DLE EOT n."""
IN_ORDER = b"\x1dr\x01"
"""GS r 1: answered only after all bytes before it were processed."""

_REST_OF_AUTOMATIC = 3
_BITS: tuple[tuple[DeviceTrouble, int, int], ...] = (
    (DeviceTrouble.PAPER_OUT, PAPER, 0x60),
    (DeviceTrouble.PAPER_OUT, WHY_OFFLINE, 0x20),
    (DeviceTrouble.COVER_OPEN, WHY_OFFLINE, 0x04),
    (DeviceTrouble.CUTTER, ERROR, 0x08),
    (DeviceTrouble.PRINTER_ERROR, ERROR, 0x60),
    (DeviceTrouble.PRINTER_ERROR, WHY_OFFLINE, 0x40),
    (DeviceTrouble.OFFLINE, STATE, 0x08),
)
"""A trouble, the question whose answer shows it, and its bits; the most telling first."""
_NEAR_END = 0x0C


def question(n: int) -> bytes:
    """Return DLE EOT n, which even an offline printer answers at once, with one byte."""
    return bytes((0x10, 0x04, n))


def status(answers: Mapping[int, int]) -> PrinterStatus:
    """Combine the answers (n -> byte). Unanswered questions say nothing.

    >>> status({1: 0x1A, 2: 0x32, 4: 0x72}).troubles[0].value
    'paper_out'
    """
    found = (trouble for trouble, n, bits in _BITS if answers.get(n, 0) & bits)
    return PrinterStatus(
        tells=bool(answers),
        troubles=tuple(dict.fromkeys(found)),
        paper_low=bool(answers.get(PAPER, 0) & _NEAR_END),
    )


@dataclass(slots=True)
class Inbox:
    """Sorts the bytes that a printer sends by their fixed bits.

    at_once: answers to DLE EOT. in_order: the number of answers to GS r. Flow control and automatic
    status messages (four bytes), which we never ask for, are left out.
    """

    at_once: list[int] = field(default_factory=list)
    in_order: int = 0
    _skip: int = 0

    def take(self, received: bytes) -> None:
        for byte in received:
            if self._skip:
                self._skip -= 1
            elif byte & 0x93 == 0x12:
                self.at_once.append(byte)
            elif byte & 0x93 == 0x10:
                self._skip = _REST_OF_AUTOMATIC
            elif byte & 0x90 == 0:
                self.in_order += 1
