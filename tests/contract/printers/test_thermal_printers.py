"""A receipt printer keeps its promises over every transport, at a device that answers for real."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

import pytest

from pos_app.adapters.printers.escpos_printer import EscposPrinter
from pos_app.adapters.printers.transport import Transport
from pos_app.adapters.printers.transport_port import device_transport, serial_transport
from pos_app.adapters.printers.transport_tcp import TcpTransport
from pos_app.fiscalization.device_ports import (
    Delivered,
    DeviceTrouble,
    Failed,
    HandOver,
    HandoverProof,
    PrinterStatus,
    ThermalPrinter,
    Unproven,
)
from tests.fakes.escpos_device import EscposDevice, on_network, on_terminal

Wire = Literal["tcp", "device", "serial"]
WIRES: tuple[Wire, ...] = ("tcp", "device", "serial")

STRIP = b"\x1dv0\x00\x48\x00\x1c\x00" + bytes(range(1, 10)) * 224
CUT = b"\x1dV\x42\x00"
JOB = b"\x1b@" + STRIP * 37 + CUT
"""A job as large as a receipt: 74 KB."""
PULSE = b"\x1bp\x00\x32\xfa"


@asynccontextmanager
async def printer_at(
    device: EscposDevice, wire: Wire, *, stall: float = 5.0
) -> AsyncIterator[ThermalPrinter]:
    """The adapter at the end of a connection. stall: seconds without progress until it gives up."""
    if wire == "tcp":
        async with on_network(device) as port:
            yield quick(TcpTransport("127.0.0.1", port, stall_seconds=stall, linger_seconds=0.2))
        return
    make: dict[str, Callable[[str], Transport]] = {
        "device": lambda path: device_transport(path, stall_seconds=stall),
        "serial": lambda path: serial_transport(path, stall_seconds=stall),
    }
    async with on_terminal(device) as path:
        yield quick(make[wire](path))


def quick(transport: Transport) -> EscposPrinter:
    """A printer with times that a busy machine keeps and a test can wait for."""
    return EscposPrinter(transport, answer_seconds=0.8, look_seconds=0.05, proof_seconds=5.0)


pytestmark = pytest.mark.parametrize("wire", WIRES)


@pytest.mark.parametrize(
    ("device", "paper_low"),
    [
        ({}, False),
        ({"noise": b"\x11\x14\x00\x00\x0f"}, False),  # flow control, automatic status
        # A status is misread so when the answer to a question within a picture is taken for
        # another's.
        ({"blink_after": len(JOB) // 2, "buffer": 200_000}, False),
        ({"answers": "at_once", "paper_low": True}, True),
    ],
    ids=["plain", "noise between answers", "a trouble told once", "no answers in order"],
)
async def test_a_job_is_printed_whole_and_proven(
    device: dict[str, Any], paper_low: bool, wire: Wire
) -> None:
    """A printer without answers in order proves that it took all."""
    made, proof = EscposDevice(**device), HandoverProof
    proven = proof.TAKEN if "answers" in device else proof.CARRIED_OUT
    async with printer_at(made, wire) as printer:
        assert await printer.print(JOB) == Delivered(proven, paper_low=paper_low)
        await made.has_printed(len(JOB))
    assert b"".join(made.printed) == JOB


async def test_a_printer_that_answered_before_is_waited_for(wire: Wire) -> None:
    """A busy printer or network is no printer that can't tell: its paper is not taken on trust."""
    device = EscposDevice()
    async with printer_at(device, wire) as printer:
        assert (await printer.status()).tells
        device.late, device.paper = 1.2, 0
        outcome = await printer.print(JOB)
    assert isinstance(outcome, Failed)
    assert outcome.trouble is DeviceTrouble.PAPER_OUT
    assert not device.printed


async def test_a_printer_that_answers_nothing_is_used(wire: Wire) -> None:
    device = EscposDevice(answers="nothing")
    async with printer_at(device, wire) as printer:
        assert await printer.print(JOB) == Delivered(HandoverProof.TAKEN)
        assert await printer.status() == PrinterStatus(tells=False)
        await device.has_printed(len(JOB))
    assert b"".join(device.printed) == JOB


@pytest.mark.parametrize(
    ("device", "trouble"),
    [
        (EscposDevice(paper=0), DeviceTrouble.PAPER_OUT),
        (EscposDevice(cover_open=True), DeviceTrouble.COVER_OPEN),
        (EscposDevice(cutter_jammed=True), DeviceTrouble.CUTTER),
        (EscposDevice(offline=True), DeviceTrouble.OFFLINE),
    ],
    ids=lambda value: value.value if isinstance(value, DeviceTrouble) else "",
)
async def test_nothing_is_given_to_a_printer_that_says_no(
    device: EscposDevice, trouble: DeviceTrouble, wire: Wire
) -> None:
    device.taken.clear()
    async with printer_at(device, wire) as printer:
        for act in (printer.print, printer.open_drawer):
            outcome = await act(JOB)
            assert isinstance(outcome, Failed)
            assert (outcome.trouble, outcome.may_be_repeated) == (trouble, True)
        assert (await printer.status()).troubles[0] is trouble
    assert STRIP[:20] not in device.taken
    assert not device.printed


@pytest.mark.parametrize("room", [200_000, 30_000], ids=["takes the rest", "takes nothing more"])
async def test_paper_that_ends_within_a_job_leaves_it_unproven(room: int, wire: Wire) -> None:
    device = EscposDevice(paper=5, buffer=room)
    async with printer_at(device, wire, stall=0.4) as printer:
        outcome = await printer.print(JOB)
    assert isinstance(outcome, Unproven)
    full_and_silent = room < len(JOB)
    assert outcome.trouble in (
        {DeviceTrouble.PAPER_OUT, DeviceTrouble.STUCK}
        if full_and_silent
        else {DeviceTrouble.PAPER_OUT}
    )
    assert 0 < len(b"".join(device.printed)) < len(JOB)


async def test_questions_inside_a_picture_change_no_outcome(wire: Wire) -> None:
    picture = b"\x1dv0\x00\x48\x00\x40\x00" + b"\x10\x04\x04\x10\x04\x01\x10\x04\x02" * 512
    device = EscposDevice(paper_low=True)
    async with printer_at(device, wire) as printer:
        outcome = await printer.print(b"\x1b@" + picture * 3 + CUT)
    assert outcome == Delivered(HandoverProof.CARRIED_OUT, paper_low=True)


async def test_the_drawer_opens_by_an_act_of_its_own(wire: Wire) -> None:
    device = EscposDevice()
    async with printer_at(device, wire) as printer:
        assert await printer.open_drawer(PULSE) == Delivered(HandoverProof.CARRIED_OUT)
    assert (device.drawer_opened, device.printed) == (1, [PULSE])


async def test_jobs_asked_for_at_once_are_printed_one_after_the_other(wire: Wire) -> None:
    device = EscposDevice()
    async with printer_at(device, wire) as printer:
        outcomes: list[HandOver] = await asyncio.gather(*(printer.print(JOB) for _ in range(3)))
    assert outcomes == [Delivered(HandoverProof.CARRIED_OUT)] * 3
    assert b"".join(device.printed) == JOB * 3


async def test_a_printer_that_is_not_there_surely_printed_nothing(wire: Wire) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    transports: dict[str, Transport] = {
        "tcp": TcpTransport("127.0.0.1", free),
        "device": device_transport("/dev/usb/lp99"),
        "serial": serial_transport("/dev/ttyUSB99"),
    }
    printer = quick(transports[wire])
    outcome = await printer.print(JOB)
    assert isinstance(outcome, Failed)
    assert (outcome.trouble, outcome.may_be_repeated) == (DeviceTrouble.AWAY, True)
    assert (await printer.status()).troubles == (DeviceTrouble.AWAY,)
