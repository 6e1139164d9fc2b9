"""A network printer whose connection dies, or that takes nothing: surely not, or perhaps."""

from __future__ import annotations

import asyncio
import socket

import pytest

from pos_app.adapters.printers.escpos_printer import EscposPrinter
from pos_app.adapters.printers.transport_tcp import TcpTransport
from pos_app.fiscalization.handover_ports import Delivered, Failed, Proof, Trouble, Unproven
from tests.contract.printers.test_thermal_printers import JOB, quick
from tests.fakes.escpos_device import EscposDevice, on_network

QUESTIONS = 4 * 3 + 3
"""Bytes that the printer is sent before a job: four questions, one of them in order."""


def printer(port: int, *, stall: float = 5.0) -> EscposPrinter:
    return quick(TcpTransport("127.0.0.1", port, stall_seconds=stall, linger_seconds=0.2))


@pytest.mark.parametrize("cut_after", [0, 2, 11])
async def test_a_connection_cut_before_the_job_surely_printed_nothing(cut_after: int) -> None:
    async with on_network(EscposDevice(cut_after=cut_after)) as port:
        outcome = await printer(port).print(JOB)
    assert isinstance(outcome, Failed)
    assert (outcome.trouble, outcome.may_be_repeated) == (Trouble.CUT_OFF, True)


@pytest.mark.parametrize("cut_after", [QUESTIONS + 10, 40_000, QUESTIONS + len(JOB)])
async def test_a_connection_cut_within_the_job_leaves_it_unproven(cut_after: int) -> None:
    async with on_network(EscposDevice(cut_after=cut_after)) as port:
        outcome = await printer(port).print(JOB)
    assert isinstance(outcome, Unproven)
    assert outcome.trouble is Trouble.CUT_OFF


async def test_a_mute_printer_that_hangs_is_not_believed() -> None:
    """It takes the connection and 2,000 bytes; the rest is in nobody's hands."""
    device = EscposDevice(answers="nothing", offline=True, buffer=2000)
    async with on_network(device) as port:
        outcome = await printer(port, stall=0.4).print(JOB)
    assert isinstance(outcome, Unproven)
    assert outcome.trouble is Trouble.STUCK


async def test_a_short_job_that_the_printer_never_acknowledged_is_not_believed() -> None:
    """Small enough for the machine's own buffers, so that every write succeeds."""
    with socket.create_server(("127.0.0.1", 0), backlog=1) as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        outcome = await printer(silent.getsockname()[1], stall=0.4).print(JOB[:6_000])
    assert isinstance(outcome, Unproven)
    assert outcome.trouble is Trouble.STUCK


async def test_a_printer_that_reads_slowly_is_waited_for() -> None:
    device = EscposDevice(buffer=5000)
    async with on_network(device) as port:
        assert await printer(port).print(JOB) == Delivered(Proof.CARRIED_OUT)
    assert b"".join(device.printed) == JOB


async def test_a_print_that_is_given_up_frees_the_printer() -> None:
    device = EscposDevice(offline=True, answers="nothing", buffer=6000)
    async with on_network(device) as port:
        served = printer(port)
        printing = asyncio.create_task(served.print(JOB))
        await device.has_taken(1000)
        printing.cancel()
        await asyncio.wait({printing})
        device.offline = False
        device.receive(b"\0" * len(JOB))  # the rest of the picture
        assert isinstance(await served.print(JOB), Delivered)


async def test_a_name_that_cannot_be_one_is_away() -> None:
    for name in ("no such host", "", "a" * 300, "пример"):
        outcome = await quick(TcpTransport(name, connect_seconds=2)).print(JOB)
        assert isinstance(outcome, Failed), name
        assert outcome.trouble is Trouble.AWAY
