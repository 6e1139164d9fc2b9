"""A network printer that loses its connection or takes nothing: surely not printed, or unproven."""

from __future__ import annotations

import asyncio
import socket
from typing import Literal

from pos_app.adapters.printers.escpos import IN_STEP
from pos_app.adapters.printers.escpos_printer import EscposPrinter
from pos_app.adapters.printers.transport_tcp import TcpTransport
from pos_app.fiscalization import device_ports
from tests.contract.printers.test_thermal_printers import JOB, STRIP, quick
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.sweep import each

BEFORE = 4 * 3 + len(IN_STEP) + 3
"""The bytes that reach the printer before a first job: four questions, NULs, one more question."""


def printer(port: int, *, stall: float = 5.0) -> EscposPrinter:
    return quick(TcpTransport("127.0.0.1", port, stall_seconds=stall, linger_seconds=0.2))


async def test_a_connection_cut_before_the_job_printed_nothing_and_within_it_is_unproven() -> None:
    for cut_after in (0, 2, 11, BEFORE - 4, BEFORE + 10, 40_000, BEFORE + len(JOB)):
        async with on_network(EscposDevice(cut_after=cut_after)) as port:
            outcome = await printer(port).print(JOB)
        if cut_after < BEFORE:
            assert isinstance(outcome, device_ports.Failed)
            assert outcome.may_be_repeated
        else:
            assert isinstance(outcome, device_ports.Unproven)
        assert outcome.trouble is device_ports.DeviceTrouble.CUT_OFF


async def test_a_mute_printer_that_hangs_is_not_believed() -> None:
    """It takes the connection and 2,000 bytes; nobody knows about the rest."""
    device = EscposDevice(answers="nothing", offline=True, buffer=2000)
    async with on_network(device) as port:
        outcome = await printer(port, stall=0.4).print(JOB)
    assert isinstance(outcome, device_ports.Unproven)
    assert outcome.trouble is device_ports.DeviceTrouble.STUCK


async def test_a_short_job_that_the_printer_never_acknowledged_is_not_believed() -> None:
    """The job is small enough for the machine's own buffers, so that every write succeeds."""
    with socket.create_server(("127.0.0.1", 0), backlog=1) as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        outcome = await printer(silent.getsockname()[1], stall=0.4).print(JOB[:6_000])
    assert isinstance(outcome, device_ports.Unproven)
    assert outcome.trouble is device_ports.DeviceTrouble.STUCK


async def test_a_printer_that_reads_slowly_is_waited_for() -> None:
    device = EscposDevice(buffer=5000)
    async with on_network(device) as port:
        assert await printer(port).print(JOB) == device_ports.Delivered(
            device_ports.HandoverProof.CARRIED_OUT
        )
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
        assert isinstance(await served.print(JOB), device_ports.Delivered)
    assert b"".join(device.printed).endswith(JOB)


@each(("answers", "anew"), [("all", False), ("all", True), ("at_once", True), ("nothing", False)])
async def test_what_was_cut_off_within_a_strip_takes_nothing_of_the_next_job(
    answers: Literal["all", "at_once", "nothing"], anew: bool
) -> None:
    """It does not even take the question that proves the job, which its picture would swallow."""
    device = EscposDevice(answers=answers)
    within = BEFORE + len(JOB) // 2 + 100
    async with on_network(device) as port:
        served = printer(port)
        device.cut_after = within
        assert isinstance(await served.print(JOB), device_ports.Unproven)
        device.cut_after = None
        device.printed.clear()
        outcome = await (printer(port) if anew else served).print(JOB)
    proof = device_ports.HandoverProof
    proven = proof.CARRIED_OUT if answers == "all" else proof.TAKEN
    assert outcome == device_ports.Delivered(proven)
    assert b"".join(device.printed).endswith(JOB)
    assert len(b"".join(device.printed)) <= len(JOB) + len(STRIP)


async def test_a_name_that_cannot_be_one_is_away() -> None:
    for name in ("no such host", "", "a" * 300, "пример"):
        outcome = await quick(TcpTransport(name, connect_seconds=2)).print(JOB)
        assert isinstance(outcome, device_ports.Failed), name
        assert outcome.trouble is device_ports.DeviceTrouble.AWAY
