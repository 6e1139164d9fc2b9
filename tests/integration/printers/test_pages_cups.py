"""A4 through a real CUPS: success, surely nothing printed, and outcomes nobody can know."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from fpdf import FPDF

from pos_app.adapters.printers import a4_protocol
from pos_app.adapters.printers.escpos import IN_STEP
from pos_app.adapters.printers.escpos_printer import EscposPrinter
from pos_app.adapters.printers.found import found_printers
from pos_app.adapters.printers.ipp_exchange import cups_address
from pos_app.adapters.printers.pages_ipp import IppPages
from pos_app.adapters.printers.transport_tcp import TcpTransport
from pos_app.fiscalization import device_ports
from pos_app.fiscalization.device_ports import (
    Delivered,
    DeviceTrouble,
    Failed,
    HandoverProof,
    PrinterStatus,
    Unproven,
)
from tests.contract.printers.test_thermal_printers import JOB, quick
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.integration.printers.cups import Cups

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n" + b"%" * 200_000


@pytest.fixture
def queue_name(request: pytest.FixtureRequest) -> str:
    return "".join(part for part in request.node.name if part.isalnum())[-40:]


def pages(service: Cups, queue: str, *, job_seconds: float = 20.0) -> IppPages:
    place = cups_address(queue, server=service.socket)
    return IppPages(place, job_seconds=job_seconds, look_seconds=0.05)


async def test_a_queue_is_found_says_that_it_is_well_and_prints_the_pdf_as_it_is(
    service: Cups, queue_name: str, tmp_path: Path
) -> None:
    paper = service.add_queue(queue_name)
    found = await found_printers(server=service.socket)
    assert queue_name in {one.address for one in found if one.kind is None}
    away = await found_printers(server=str(tmp_path / "nobody.sock"))
    assert not [one for one in away if one.kind is None]
    told = await pages(service, queue_name).status()
    assert (told.tells, told.troubles) == (True, ())
    outcome = await pages(service, queue_name).print(PDF, title="Рачун ABCD1234-1 „Ђ“")
    assert outcome == Delivered(HandoverProof.CARRIED_OUT)
    assert paper.read_bytes() == PDF
    assert queue_name in service.run("lpstat", "-W", "completed", "-o", queue_name)


@pytest.mark.parametrize(
    ("command", "trouble"),
    [("cupsdisable", DeviceTrouble.QUEUE_STOPPED), ("cupsreject", DeviceTrouble.QUEUE_REFUSES)],
)
async def test_a_disabled_queue_is_no_success_and_gets_no_job(
    service: Cups, queue_name: str, command: str, trouble: DeviceTrouble
) -> None:
    service.add_queue(queue_name)
    service.run(command, "-r", "holidays", queue_name)
    outcome = await pages(service, queue_name).print(PDF, title="receipt")
    assert outcome == Failed(trouble, "holidays")
    assert service.run("lpstat", "-W", "all", "-o", queue_name) == ""


async def test_a_queue_that_is_not_there_is_nothing_to_repeat(service: Cups) -> None:
    outcome = await pages(service, "nobody").print(PDF, title="receipt")
    assert isinstance(outcome, Failed)
    assert (outcome.trouble, outcome.may_be_repeated) == (DeviceTrouble.NO_QUEUE, False)


async def test_a_printer_that_fails_leaves_it_unproven(service: Cups, queue_name: str) -> None:
    service.add_queue(queue_name, "fails")
    outcome = await pages(service, queue_name).print(PDF, title="receipt")
    assert isinstance(outcome, Unproven)
    assert outcome.trouble is DeviceTrouble.JOB_FAILED


async def test_a_job_that_was_begun_and_given_up_is_open(service: Cups, queue_name: str) -> None:
    paper = service.add_queue(queue_name, "waits")
    outcome = await pages(service, queue_name, job_seconds=0.5).print(PDF, title="receipt")
    assert isinstance(outcome, Unproven)
    assert outcome.trouble is DeviceTrouble.NOT_FINISHED
    assert service.run("lpstat", "-o", queue_name) == "", "it can't come later"
    assert not paper.exists()


async def test_no_print_service_at_all_is_away(tmp_path: Path) -> None:
    printer = IppPages(cups_address("A4", server=str(tmp_path / "nothing.sock")))
    outcome = await printer.print(PDF, title="receipt")
    assert isinstance(outcome, Failed)
    assert (outcome.trouble, outcome.may_be_repeated) == (DeviceTrouble.AWAY, True)
    assert await printer.status() == PrinterStatus(
        tells=False, troubles=(DeviceTrouble.AWAY,), words="The print service can't be reached."
    )


# --- the process that draws ----------------------------------------------------------------------
if TYPE_CHECKING:
    from tests.integration.printers.cups import Cups


def two_pages() -> bytes:
    """Return pages with a frame 5 mm inside; the second has a black square at its lower right."""
    document = FPDF(format="A4")
    for number in (1, 2):
        document.add_page()
        document.rect(5, 5, 200, 287)
        if number == 2:
            document.rect(180, 260, 20, 20, style="F")
    return bytes(document.output())


def run(pdf: bytes, queue: str, service: Cups) -> subprocess.CompletedProcess[bytes]:
    command = (sys.executable, "-m", "pos_app.adapters.printers.a4_process", queue, "Рачун 42")
    environment = {**os.environ, "CUPS_SERVER": service.socket}
    return subprocess.run(command, input=pdf, capture_output=True, env=environment, check=False)


def test_pages_come_out_in_their_size_and_place(service: Cups) -> None:
    paper = service.add_queue("drawn")
    done = run(two_pages(), "drawn", service)
    assert (done.returncode, done.stdout, done.stderr) == (a4_protocol.PRINTED, b"began\n", b"")
    document = pypdfium2.PdfDocument(printed(paper, service, "drawn"))
    try:
        assert [document[number].get_size() for number in range(len(document))] == [(595, 842)] * 2
        first, second = (document[each].render(scale=1, grayscale=True).to_pil() for each in (0, 1))
    finally:
        document.close()
    millimetre = 72 / 25.4
    square = tuple(round(each * millimetre) for each in (190, 270))
    assert (first.getpixel(square), second.getpixel(square)) == (255, 0)
    frame = [second.getpixel((round(x * millimetre), 400)) for x in (3, 7)]
    assert frame == [255, 255]
    assert min(second.getpixel((x, 400)) for x in range(11, 18)) < 200


def test_what_it_cannot_print_it_tells_before_it_begins(service: Cups) -> None:
    service.add_queue("drawn")
    for pdf, queue, status in (
        (two_pages(), "nobody", a4_protocol.NO_QUEUE),
        (b"%PDF-1.4 broken", "drawn", a4_protocol.UNREADABLE),
    ):
        done = run(pdf, queue, service)
        assert (done.returncode, done.stdout) == (status, b"")


def printed(paper: Path, service: Cups, queue: str) -> bytes:
    end = time.monotonic() + 20
    while not paper.exists() or service.run("lpstat", "-o", queue):
        assert time.monotonic() < end, "nothing was printed"
        time.sleep(0.05)
    return paper.read_bytes()


# --- a network printer that loses its connection or takes nothing ---
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
