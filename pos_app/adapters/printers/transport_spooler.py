"""Sends raw bytes to a receipt printer behind Windows' spooler, and follows the job.

It is no channel like the others: the spooler takes whole documents and brings no answers back.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from pos_app import log
from pos_app.adapters.printers import spooled
from pos_app.adapters.printers.winspool import OpenQueue, Winspool
from pos_app.fiscalization import device_ports

_CHUNK = 65536
_log = log.get(__name__)


class SpooledReceipts:
    """Implements ThermalPrinter. job_seconds: a job is followed for this time, then deleted."""

    def __init__(
        self, spooler: Winspool, queue: str, *, job_seconds: float = 45.0, look_seconds: float = 0.2
    ) -> None:
        self._spooler = spooler
        self._queue = queue
        self._job_seconds = job_seconds
        self._look_seconds = look_seconds
        self._lock = asyncio.Lock()

    async def status(self) -> device_ports.PrinterStatus:
        return await asyncio.to_thread(spooled.queue_status, self._spooler, self._queue)

    async def print(self, job: bytes) -> device_ports.HandOver:
        return await self._send_job(job, "receipt")

    async def open_drawer(self, pulse: bytes) -> device_ports.HandOver:
        return await self._send_job(pulse, "drawer")

    async def _send_job(self, job: bytes, title: str) -> device_ports.HandOver:
        async with self._lock:
            outcome = await asyncio.to_thread(self._spool, job, title)
        _log.info(
            "spooler", extra={"fields": {"act": title} | device_ports.outcome_fields(outcome)}
        )
        return outcome

    def _spool(self, job: bytes, title: str) -> device_ports.HandOver:
        before = spooled.queue_status(self._spooler, self._queue)
        if (refused := spooled.refusal(before)) is not None:
            return refused
        try:
            queue = self._spooler.open(self._queue)
        except OSError as error:
            return device_ports.Failed(
                device_ports.DeviceTrouble.AWAY,
                f"The print queue can't be opened: {error.strerror}.",
            )
        try:
            return self._give(queue, job, title)
        finally:
            queue.close()

    def _give(self, queue: OpenQueue, job: bytes, title: str) -> device_ports.HandOver:
        """Give the job to the queue. Most spoolers print while they take: a taken byte may be on
        paper."""
        taken = 0
        try:
            job_id = queue.begin(title)
            for start in range(0, len(job), _CHUNK):
                chunk = job[start : start + _CHUNK]
                taken += (now_taken := queue.write(chunk))
                if now_taken < len(chunk):
                    raise OSError(0, "it takes nothing more")
            queue.end()
        except OSError as error:
            words = f"The spooler refused: {error.strerror} ({error.errno})."
            with suppress(OSError):
                queue.abort()
            return _refused(taken, words)
        return spooled.follow(
            queue, job_id, seconds=self._job_seconds, look_seconds=self._look_seconds
        )


def _refused(taken: int, words: str) -> device_ports.HandOver:
    if taken:
        return device_ports.Unproven(device_ports.DeviceTrouble.CUT_OFF, words)
    return device_ports.Failed(device_ports.DeviceTrouble.QUEUE_REFUSES, words)
