"""Prints A4 on Windows: a process draws the pages through Qt, the spooler reports their outcome."""

from __future__ import annotations

import asyncio
import secrets
import subprocess
from collections.abc import Sequence

from pos_app import installed, log
from pos_app.adapters.printers import a4_protocol, spooled
from pos_app.adapters.printers.winspool import OpenQueue, Winspool
from pos_app.fiscalization import device_ports
from pos_app.lazy_dataclass import dataclass

_REFUSALS = {
    a4_protocol.UNREADABLE: device_ports.Failed(
        device_ports.DeviceTrouble.DOCUMENT, "The PDF can't be read.", may_be_repeated=False
    ),
    a4_protocol.NO_QUEUE: device_ports.Failed(
        device_ports.DeviceTrouble.NO_QUEUE, "There is no such queue.", may_be_repeated=False
    ),
}
_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class DrawnPages:
    """The end of the process. began: whether something may have come out of the printer."""

    status: int | None
    began: bool


class WindowsPages:
    """Implements PagePrinter. draw_seconds, job_seconds: limits for process and spooler."""

    def __init__(
        self,
        spooler: Winspool,
        queue: str,
        *,
        command: Sequence[str] | None = None,
        draw_seconds: float = 60.0,
        job_seconds: float = 180.0,
        look_seconds: float = 0.5,
    ) -> None:
        self._spooler = spooler
        self._queue = queue
        self._command = tuple(command or installed.command("pos_app.adapters.printers.a4_process"))
        self._draw_seconds = draw_seconds
        self._job_seconds = job_seconds
        self._look_seconds = look_seconds

    async def status(self) -> device_ports.PrinterStatus:
        return await asyncio.to_thread(spooled.queue_status, self._spooler, self._queue)

    async def print(self, pdf: bytes, *, title: str) -> device_ports.HandOver:
        outcome = await asyncio.to_thread(self._print, pdf, title)
        _log.info("print service", extra={"fields": device_ports.outcome_fields(outcome)})
        return outcome

    def _print(self, pdf: bytes, title: str) -> device_ports.HandOver:
        before = spooled.queue_status(self._spooler, self._queue)
        if (refused := spooled.refusal(before)) is not None:
            return refused
        document = f"{title} #{secrets.token_hex(3)}"  # the job is found by this name
        drawn = self._draw(pdf, document)
        if drawn.status == a4_protocol.PRINTED:
            return self._followed(document)
        if not drawn.began:
            usual = device_ports.Failed(
                device_ports.DeviceTrouble.JOB_FAILED, "The pages could not be drawn."
            )
            return _REFUSALS.get(drawn.status or 0, usual)
        if drawn.status == a4_protocol.QUEUE_REFUSES:
            return device_ports.Failed(
                device_ports.DeviceTrouble.QUEUE_REFUSES, "The print service takes no document."
            )
        return device_ports.Unproven(
            device_ports.DeviceTrouble.JOB_FAILED, "The print service broke off."
        )

    def _draw(self, pdf: bytes, document: str) -> DrawnPages:
        """Run the process; one that takes too long is ended."""
        command = (*self._command, self._queue, document)
        try:
            done = subprocess.run(
                command,
                input=pdf,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=self._draw_seconds,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            return DrawnPages(None, _began(late.output))
        except OSError as error:
            _log.error("the process that prints pages can't be started: %s", error)
            return DrawnPages(None, began=False)
        return DrawnPages(done.returncode, _began(done.stdout))

    def _followed(self, document: str) -> device_ports.HandOver:
        try:
            queue = self._spooler.open(self._queue)
        except OSError as error:
            return device_ports.Unproven(
                device_ports.DeviceTrouble.AWAY,
                f"The print queue can't be opened: {error.strerror}.",
            )
        try:
            return self._follow(queue, document)
        finally:
            queue.close()

    def _follow(self, queue: OpenQueue, document: str) -> device_ports.HandOver:
        try:
            mine = [job.job_id for job in queue.jobs() if job.document == document]
        except OSError as error:
            return device_ports.Unproven(
                device_ports.DeviceTrouble.CUT_OFF, f"The spooler does not tell: {error.strerror}."
            )
        if not mine:  # it was printed already
            return device_ports.Delivered(device_ports.HandoverProof.TAKEN)
        return spooled.follow(
            queue, mine[0], seconds=self._job_seconds, look_seconds=self._look_seconds
        )


def _began(output: bytes | None) -> bool:
    """Tell whether the process wrote BEGAN; Windows ends its lines with two characters."""
    return a4_protocol.BEGAN.strip().encode() in (output or b"")
