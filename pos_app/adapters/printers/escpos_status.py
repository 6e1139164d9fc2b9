"""The questions of ESC/POS and their answers: bits to troubles.

Source: Epson's ESC/POS command reference: DLE EOT n, GS r n, and automatic status (GS a).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pos_app.fiscalization.device_ports import DeviceTrouble, PrinterStatus

STATE, WHY_OFFLINE, ERROR, PAPER = 1, 2, 3, 4
"""n of DLE EOT n."""
IN_ORDER = b"\x1dr\x01"
"""GS r 1: answered only after all bytes before it were worked through."""

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
"""Trouble, the question whose answer shows it, its bits; the most telling first."""
_NEAR_END = 0x0C


def question(n: int) -> bytes:
    """DLE EOT n: answered at once with one byte, even while the printer is offline."""
    return bytes((0x10, 0x04, n))


def status(answers: Mapping[int, int]) -> PrinterStatus:
    """What the answers (n -> byte) say together. Questions without an answer say nothing.

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

    at_once: answers to DLE EOT. in_order: how many answers to GS r came. Flow control and
    automatic status messages (four bytes), which we never asked for, are left out.
    """

    at_once: list[int] = field(default_factory=list)
    in_order: int = 0
    _skip: int = 0

    def take(self, received: bytes) -> None:
        """Sort what came."""
        for byte in received:
            if self._skip:
                self._skip -= 1
            elif byte & 0x93 == 0x12:
                self.at_once.append(byte)
            elif byte & 0x93 == 0x10:
                self._skip = _REST_OF_AUTOMATIC
            elif byte & 0x90 == 0:
                self.in_order += 1
