"""The process that prints pages, at a real CUPS; its output is compared dot by dot."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
from fpdf import FPDF

from pos_app.adapters.printers import a4_protocol

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
    """Return the printed file once the queue is empty again."""
    end = time.monotonic() + 20
    while not paper.exists() or service.run("lpstat", "-o", queue):
        assert time.monotonic() < end, "nothing was printed"
        time.sleep(0.05)
    return paper.read_bytes()
