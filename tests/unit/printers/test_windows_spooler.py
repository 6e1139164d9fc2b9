"""Printers behind Windows' spooler, with a fake spooler at the border of ctypes."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from pos_app.adapters.printers import winspool
from pos_app.adapters.printers.found import windows_queues
from pos_app.adapters.printers.pages_windows import WindowsPages
from pos_app.adapters.printers.transport_spooler import SpooledReceipts
from pos_app.adapters.printers.winspool import JobFlag, QueueFlag, Winspool
from pos_app.domain.setup.printer_setup import FoundPrinter, PrinterKind
from pos_app.fiscalization.device_ports import Delivered, Failed, HandOver, HandoverProof, Unproven
from pos_app.fiscalization.device_ports import DeviceTrouble as Trouble
from tests.fakes.winspool import FakeWinspool, Queue
from tests.sweep import each

JOB = b"\x1b@" + bytes(range(256)) * 400
TAKEN = Delivered(HandoverProof.TAKEN)
DELETED = Unproven(Trouble.JOB_CANCELLED, "Somebody deleted the job.")


def test_layouts_are_those_of_64_bit_windows() -> None:
    sizes = {
        kind: ctypes.sizeof(kind)
        for kind in (winspool.DocInfo, winspool.PrinterInfo, winspool.JobInfo, winspool.PrinterName)
    }
    assert list(sizes.values()) == [24, 136, 96, 24]
    assert winspool.PrinterInfo.status.offset == 124
    assert winspool.JobInfo.status.offset == 56


def test_each_queue_is_found_as_a_receipt_printer_and_as_one_of_pages() -> None:
    for names in ((), ("Kasa", "Канцеларија HP")):
        library = FakeWinspool(**{name: Queue() for name in names})
        found = windows_queues(Winspool(library, library.last_error))
        assert found == (
            *(FoundPrinter(name, name, PrinterKind.WINDOWS) for name in names),
            *(FoundPrinter(name, name) for name in names),
        )


async def print_at(queue: Queue) -> HandOver:
    library = FakeWinspool(Kasa=queue)
    spooler = Winspool(library, library.last_error)
    printer = SpooledReceipts(spooler, "Kasa", job_seconds=0.3, look_seconds=0.01)
    outcome = await printer.print(JOB)
    assert library.closed == len(library.opened)
    return outcome


@each(
    ("life", "outcome"),
    [
        ([JobFlag.SPOOLING, JobFlag.PRINTING], TAKEN),
        ([JobFlag.PRINTING, JobFlag.PRINTING | JobFlag.PRINTED], TAKEN),
        ([JobFlag.COMPLETE], TAKEN),
        ([JobFlag.PRINTING, JobFlag.DELETING], DELETED),
    ],
)  # fmt: skip
async def test_a_job_is_followed_until_it_is_gone(life: list[JobFlag], outcome: HandOver) -> None:
    queue = Queue(life=life)
    assert await print_at(queue) == outcome
    assert queue.printed == [JOB], "raw bytes, as they are"


@each(
    ("flags", "trouble"),
    [
        (JobFlag.PRINTING | JobFlag.PAPER_OUT, Trouble.PAPER_OUT),
        (JobFlag.ERROR | JobFlag.OFFLINE, Trouble.OFFLINE),
        (JobFlag.ERROR, Trouble.PRINTER_ERROR),
        (JobFlag.PRINTING, Trouble.NOT_FINISHED),
    ],
)
async def test_a_job_that_stays_is_deleted_and_unproven(flags: JobFlag, trouble: Trouble) -> None:
    queue = Queue(life=[flags], stays=True)
    outcome = await print_at(queue)
    assert isinstance(outcome, Unproven)
    assert outcome.trouble is trouble
    assert len(queue.deleted) == 1


@each(
    ("queue", "trouble"),
    [
        (Queue(flags=QueueFlag.PAUSED), Trouble.QUEUE_STOPPED),
        (Queue(flags=QueueFlag.PAPER_OUT), Trouble.PAPER_OUT),
        (Queue(flags=QueueFlag.DOOR_OPEN | QueueFlag.ERROR), Trouble.COVER_OPEN),
        (Queue(flags=QueueFlag.PAPER_JAM), Trouble.PRINTER_ERROR),
        (Queue(offline=True), Trouble.OFFLINE),
        (Queue(refuses_documents=True), Trouble.QUEUE_REFUSES),
        (Queue(takes=0), Trouble.QUEUE_REFUSES),
    ],
)
async def test_a_queue_that_says_no_surely_printed_nothing(queue: Queue, trouble: Trouble) -> None:
    outcome = await print_at(queue)
    assert isinstance(outcome, Failed)
    assert (outcome.trouble, outcome.may_be_repeated) == (trouble, True)
    assert queue.printed == []


async def test_a_spooler_that_takes_a_part_leaves_it_unproven() -> None:
    queue = Queue(takes=1000)
    outcome = await print_at(queue)
    assert isinstance(outcome, Unproven)
    assert (queue.printed, queue.aborted) == ([], 1)


async def test_a_queue_that_is_not_there_is_nothing_to_repeat() -> None:
    library = FakeWinspool()
    printer = SpooledReceipts(Winspool(library, library.last_error), "Kasa")
    outcome = await printer.open_drawer(b"\x1bp\x00\x32\xfa")
    assert isinstance(outcome, Failed)
    told = (outcome.trouble, outcome.may_be_repeated)
    assert told == (Trouble.NO_QUEUE, False)


@pytest.mark.skipif(sys.platform == "win32", reason="there it has one")
def test_another_system_has_no_such_queues() -> None:
    with pytest.raises(OSError, match="only Windows"):
        winspool.of_this_machine()


async def printed(spooler: Winspool, script: Path, **seconds: float) -> HandOver:
    command = (sys.executable, "-S", str(script))
    pages = WindowsPages(spooler, "A4", command=command, look_seconds=0.01, **seconds)
    return await pages.print(b"%PDF", title="Рачун 42")


async def draw(folder: Path, program: str, queue: Queue) -> HandOver:
    """Print with a program of the test's own in place of the one that draws."""
    script = folder / "draw.py"
    script.write_text("import sys, time\npdf = sys.stdin.buffer.read()\n" + program)
    library = FakeWinspool(A4=queue)
    spooler = Winspool(library, library.last_error)
    return await printed(spooler, script, draw_seconds=2.0, job_seconds=0.3)


NOT_DRAWN = Failed(Trouble.JOB_FAILED, "The pages could not be drawn.")
BROKE_OFF = Unproven(Trouble.JOB_FAILED, "The print service broke off.")
BEGAN = "print('began', flush=True)\n"


@pytest.mark.parametrize(
    ("program", "outcome"),
    [
        (BEGAN + "assert (pdf, sys.argv[1]) == (b'%PDF', 'A4')", TAKEN),
        ("sys.exit(20)", Failed(Trouble.DOCUMENT, "The PDF can't be read.", may_be_repeated=False)),
        ("sys.exit(21)", Failed(Trouble.NO_QUEUE,
         "There is no such queue.", may_be_repeated=False)),
        ("sys.exit(1)", NOT_DRAWN),
        ("time.sleep(60)", NOT_DRAWN),
        (BEGAN + "sys.exit(22)", Failed(Trouble.QUEUE_REFUSES,
         "The print service takes no document.")),
        (BEGAN + "sys.exit(23)", BROKE_OFF),
        (BEGAN + "time.sleep(60)", BROKE_OFF),
    ],
)  # fmt: skip
async def test_the_process_that_draws_ends_in_one_of_three_ways(
    tmp_path: Path, program: str, outcome: HandOver
) -> None:
    assert await draw(tmp_path, program, Queue()) == outcome


async def test_its_job_is_known_by_its_title_and_followed(tmp_path: Path) -> None:
    queue = Queue(stays=True, life=[JobFlag.PAPER_OUT])
    library = FakeWinspool(A4=queue)
    strange = library.add_job("A4", "Рачун 42")
    script = tmp_path / "draw.py"
    title = tmp_path / "title"
    script.write_text(
        f"import sys, pathlib\n{BEGAN}pathlib.Path({str(title)!r}).write_text(sys.argv[2])\n"
    )

    class Spooler(Winspool):
        def open(self, queue: str) -> winspool.OpenQueue:
            if title.exists() and len(library.jobs) == 1:
                library.add_job("A4", title.read_text())
            return super().open(queue)

    outcome = await printed(Spooler(library, library.last_error), script, job_seconds=0.2)
    assert isinstance(outcome, Unproven)
    assert outcome.trouble is Trouble.PAPER_OUT
    assert queue.deleted == [strange + 1]


async def test_a_paused_queue_gets_no_pages(tmp_path: Path) -> None:
    outcome = await draw(tmp_path, BEGAN, Queue(flags=QueueFlag.PAUSED))
    assert isinstance(outcome, Failed)
    assert outcome.trouble is Trouble.QUEUE_STOPPED
