"""A printer that is cut off within a job, and dots that a printer could take for a command."""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from pos_app.adapters.pdf.typeface import Typefaces
from pos_app.adapters.printers import escpos
from pos_app.adapters.printers.raster import ROLL_58, ROLL_80, Roll
from pos_app.adapters.printers.thermal import ThermalReceipts
from pos_app.documents.blocks import Document, Lines, QrCode
from tests.integration.paper.escpos_printer import Printer
from tests.integration.paper.test_thermal import codes
from tests.unit.documents import papers

ROLLS = pytest.mark.parametrize("roll", [ROLL_80, ROLL_58], ids=["80 mm", "58 mm"])
WIDE = Roll(832)
FACES = Typefaces()
SMALL = Document(
    title="X",
    moment=datetime(2026, 1, 5, tzinfo=UTC),
    language="sr-Cyrl",
    blocks=(Lines(("Готовина                        1.200,00",)),),
)
AT_ONCE = re.compile(rb"\x10[\x04\x05\x14]")
WITH_DRAWER = escpos.JobOptions(drawer=escpos.DrawerPin.TWO)


def job_of(document: Document, roll: Roll, options: escpos.JobOptions | None = None) -> bytes:
    thermal = ThermalReceipts(papers.SHOP, roll=roll, options=options, faces=FACES)
    return thermal.render_document(document)


def receipt_job(roll: Roll) -> bytes:
    return ThermalReceipts(papers.SHOP, roll=roll, faces=FACES).render(
        papers.receipt(), *papers.asked_for(papers.request())
    )


def after_torn(torn: bytes, job: bytes, *, roll: Roll) -> Printer:
    """Print a torn job and then a whole one; return the printer.

    Its rows begin after the torn job, its events with the second job's last reset.
    """
    printer = Printer(roll.width)
    printer.feed_torn(torn)
    printer.is_torn = True
    rows = len(printer.rows)
    printer.commands.clear()
    printer.feed_job(job)
    last = len(printer.events) - printer.events[::-1].index("reset") - 1
    # The rows begin with the rest of the torn strip, which is white but for the row that was cut.
    printer.rows = printer.rows[rows:]
    printer.events = printer.events[last:]
    return printer


def test_after_a_job_cut_at_any_byte_the_next_one_is_whole() -> None:
    roll = ROLL_80
    torn, job = job_of(SMALL, roll, WITH_DRAWER), job_of(SMALL, roll)
    whole = Printer(roll.width).feed_job(job)
    body = torn[len(escpos.IN_STEP) :]
    for cut in range(len(body) + 1):
        found = after_torn(body[:cut], job, roll=roll)
        assert found.rows[-len(whole.rows) :] == whole.rows, cut
        assert found.events == whole.events, cut


@ROLLS
def test_after_a_receipt_cut_within_any_strip_the_next_one_is_whole(roll: Roll) -> None:
    job = receipt_job(roll)
    whole = Printer(roll.width).feed_job(job)
    cuts = random.Random(7).sample(range(len(escpos.IN_STEP), len(job)), 12)
    for cut in cuts:
        found = after_torn(job[:cut], job, roll=roll)
        assert found.rows[-len(whole.rows) :] == whole.rows, cut
        assert found.events == whole.events, cut


def test_a_roll_of_another_width_was_cut_off_before() -> None:
    job = receipt_job(ROLL_58)
    whole = Printer(ROLL_58.width).feed_job(job)
    printer = Printer(WIDE.width)
    printer.feed_torn(job_of(SMALL, WIDE)[: len(escpos.IN_STEP) + 11])
    printer.is_torn, printer.width = True, ROLL_58.width

    printer.feed_job(job)
    assert printer.rows[-len(whole.rows) :] == whole.rows


@ROLLS
def test_a_drawer_opens_at_a_printer_cut_off_within_a_strip(roll: Roll) -> None:
    printer = Printer(roll.width)
    printer.feed_torn(job_of(SMALL, roll)[: len(escpos.IN_STEP) + 40])
    printer.is_torn = True

    printer.feed_job(escpos.drawer_pulse(escpos.DrawerPin.TWO))
    assert printer.events[-1] == "drawer pin 2, 50 ms"


def test_without_the_bytes_in_front_a_job_is_swallowed() -> None:
    """Otherwise the tests above would prove nothing."""
    torn, job = job_of(SMALL, ROLL_80), job_of(SMALL, ROLL_80)
    printer = Printer(ROLL_80.width)
    printer.feed_torn(torn[: len(escpos.IN_STEP) + 40])
    printer.is_torn = True
    printer.feed_torn(job[len(escpos.IN_STEP) :])

    assert "reset" not in printer.events[1:]


# --- commands within dots ---------------------------------------------------------------------


def strips(job: bytes, width: int) -> list[bytes]:
    return [one for one in Printer(width).feed_job(job).commands if one[:3] == b"\x1dv0"]


@given(
    rows=st.lists(
        st.lists(st.sampled_from((0x10, 0x04, 0x05, 0x14, 0x00, 0xFF)), min_size=40, max_size=40),
        min_size=1,
        max_size=120,
    )
)
def test_no_picture_holds_a_command_that_is_obeyed_at_once(rows: list[list[int]]) -> None:
    dots = bytes(byte for row in rows for byte in row)
    inverted = bytes(255 - byte for byte in dots)
    picture = Image.frombytes("1", (320, len(rows)), inverted)
    job = escpos.print_job([picture], options=escpos.JobOptions())

    assert not AT_ONCE.search(job)
    printed = b"".join(strip[8:] for strip in strips(job, 320))
    assert len(printed) == len(dots)
    for before, after, following in zip(dots, printed, (*dots[1:], 0), strict=True):
        widened = before == 0x10 and after == 0x18 and following in {0x04, 0x05, 0x14}
        assert after == before or widened


def test_a_command_is_seen_over_the_end_of_a_row() -> None:
    row = [0] * 39
    dots = bytes((*row, 0x10, 0x04, *row))
    picture = Image.frombytes("1", (320, 2), bytes(255 - byte for byte in dots))

    (strip,) = strips(escpos.print_job([picture], options=escpos.JobOptions()), 320)
    assert strip[8:] == bytes((*row, 0x18, 0x04, *row))


@pytest.mark.parametrize("roll", [ROLL_80, ROLL_58, Roll(512), Roll(360), Roll(400), WIDE])
def test_codes_are_read_off_dots_without_commands(roll: Roll) -> None:
    """Codes whose modules are no whole number of dots have the single dots that are widened."""
    for letter in "ABCDEF":
        url = papers.URL[:-20] + letter * 20
        document = Document(
            title="X",
            moment=datetime(2026, 1, 5, tzinfo=UTC),
            language="sr-Cyrl",
            blocks=(Lines(("Њ" * 40, "i.-:|" * 8)), QrCode(url)),
        )
        job = job_of(document, roll)
        assert not AT_ONCE.search(job)
        (code,) = codes(Printer(roll.width).feed_job(job).picture)
        assert code.text == url


def test_a_strip_is_never_longer_than_what_ends_it() -> None:
    for roll in (ROLL_58, ROLL_80, WIDE):
        assert all(len(one) <= len(escpos.IN_STEP) for one in strips(receipt_job(roll), roll.width))
    assert len(escpos.IN_STEP) == escpos.STRIP_BYTES + 8
