"""From the bits of ESC/POS answers to the words for a cashier."""

from __future__ import annotations

from pos_app.adapters.printers.escpos import Inbox, question, status
from pos_app.fiscalization.device_ports import DeviceTrouble, PrinterStatus
from tests.sweep import each

WELL = {1: 0x12, 2: 0x12, 3: 0x12, 4: 0x12}


@each(
    ("answers", "troubles", "paper_low"),
    [
        (WELL, (), False),
        (WELL | {4: 0x1E}, (), True),
        (WELL | {1: 0x1A, 2: 0x32, 4: 0x7E}, (DeviceTrouble.PAPER_OUT, DeviceTrouble.OFFLINE),
         True),
        (WELL | {1: 0x1A, 2: 0x16}, (DeviceTrouble.COVER_OPEN, DeviceTrouble.OFFLINE), False),
        (WELL | {1: 0x1A, 2: 0x52, 3: 0x1A},
         (DeviceTrouble.CUTTER, DeviceTrouble.PRINTER_ERROR, DeviceTrouble.OFFLINE), False),
        (WELL | {3: 0x32}, (DeviceTrouble.PRINTER_ERROR,), False),
        ({1: 0x1A}, (DeviceTrouble.OFFLINE,), False),
    ],
)  # fmt: skip
def test_answers_say(
    answers: dict[int, int], troubles: tuple[DeviceTrouble, ...], paper_low: bool
) -> None:
    assert status(answers) == PrinterStatus(tells=True, troubles=troubles, paper_low=paper_low)
    assert status({}) == PrinterStatus(tells=False)
    assert [question(n) for n in (1, 4)] == [b"\x10\x04\x01", b"\x10\x04\x04"]


@each(
    ("received", "at_once", "in_order"),
    [
        (b"\x12\x1a", [0x12, 0x1A], 0),
        (b"\x00\x0f", [], 2),
        (b"\x11\x13\x12", [0x12], 0),  # flow control
        (b"\x14\x00\x00\x0f\x12\x00", [0x12], 1),  # an automatic status of four bytes
    ],
)
def test_inbox_sorts_by_the_fixed_bits(received: bytes, at_once: list[int], in_order: int) -> None:
    inbox = Inbox()
    for byte in received:  # whichever way it is cut
        inbox.take(bytes([byte]))
    assert (inbox.at_once, inbox.in_order) == (at_once, in_order)
