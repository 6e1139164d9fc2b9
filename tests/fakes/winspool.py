"""Windows' spooler at the border of ctypes: the functions of winspool.drv with the pointers they
are given.

Written from Microsoft's documentation; it takes the place of the library where there is no Windows.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

from pos_app.adapters.printers import winspool
from tests.fakes.pointed import pointed

INSUFFICIENT_BUFFER, ACCESS_DENIED, NO_SUCH_PRINTER = 122, 5, 1801
_WELL = winspool.QueueFlag(0)


@dataclass
class Queue:
    """One queue. life: a job's flags at each look; after the last the job is gone."""

    flags: winspool.QueueFlag = _WELL
    offline: bool = False
    life: list[winspool.JobFlag] = field(default_factory=list)
    stays: bool = False
    takes: int | None = None
    refuses_documents: bool = False
    printed: list[bytes] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    deleted: list[int] = field(default_factory=list)
    aborted: int = 0


class FakeWinspool:
    """The library. Its functions return 0 for failure and leave the reason in `error`."""

    def __init__(self, **queues: Queue) -> None:
        self.queues = queues
        self.error = 0
        self.opened: dict[int, Queue] = {}
        self.closed = 0
        self._document: bytearray | None = None
        self.jobs: dict[int, tuple[Queue, str]] = {}
        self._kept: list[Any] = []

    def last_error(self) -> int:
        return self.error

    def add_job(self, name: str, title: str) -> int:
        self.jobs[number := len(self.jobs) + 7] = (self.queues[name], title)
        return number

    # --- the calls, spelt as winspool.drv does --------------------------------------------------

    def OpenPrinterW(self, name: str, handle: Any, defaults: None) -> int:
        if name not in self.queues:
            return self._fail(NO_SUCH_PRINTER)
        pointed(handle, ctypes.c_void_p).value = number = len(self.opened) + 100
        self.opened[number] = self.queues[name]
        return 1

    def ClosePrinter(self, handle: Any) -> int:
        self.closed += 1
        return 1

    def GetPrinterW(self, handle: Any, level: int, place: Any, size: int, needed: Any) -> int:
        assert level == 2
        queue = self.opened[handle.value]
        told = winspool.PrinterInfo(
            status=queue.flags, attributes=winspool.WORK_OFFLINE if queue.offline else 0
        )
        return self._fill([told], place, size, needed)

    def EnumPrintersW(
        self, which: int, server: None, level: int, place: Any, size: int, *told: Any
    ) -> int:
        assert (which, server, level) == (2 | 4, None, 4)
        needed, returned = told
        infos = [winspool.PrinterName(name=name) for name in self.queues]
        pointed(returned, ctypes.c_uint32).value = len(infos)
        return self._fill(infos, place, size, needed)

    def StartDocPrinterW(self, handle: Any, level: int, document: Any) -> int:
        asked = pointed(document, winspool.DocInfo)
        assert (level, asked.datatype, asked.output_file) == (1, "RAW", None)
        queue = self.opened[handle.value]
        if queue.refuses_documents:
            return self._fail(ACCESS_DENIED)
        self._document = bytearray()
        queue.titles.append(asked.document)
        self.jobs[number := len(self.jobs) + 7] = (queue, asked.document)
        return number

    def WritePrinter(self, handle: Any, chunk: bytes, size: int, taken: Any) -> int:
        queue = self.opened[handle.value]
        assert self._document is not None
        room = size if queue.takes is None else max(0, queue.takes - len(self._document))
        self._document += chunk[: min(size, room)]
        pointed(taken, ctypes.c_uint32).value = min(size, room)
        return 1 if room else self._fail(ACCESS_DENIED)

    def EndDocPrinter(self, handle: Any) -> int:
        self.opened[handle.value].printed.append(bytes(self._document or b""))
        self._document = None
        return 1

    def AbortPrinter(self, handle: Any) -> int:
        self.opened[handle.value].aborted += 1
        return 1

    def EnumJobsW(
        self, handle: Any, first: int, count: int, level: int, place: Any, size: int, *told: Any
    ) -> int:
        assert (first, level) == (0, 1)
        needed, returned = told
        queue = self.opened[handle.value]
        mine = {number: title for number, (own, title) in self.jobs.items() if own is queue}
        now = queue.life[0] if queue.life else winspool.JobFlag(0)
        there = mine if queue.life or queue.stays else {}
        infos = [
            winspool.JobInfo(job_id=number, document=title, status=now)
            for number, title in there.items()
        ]
        if not self._fill(infos, place, size, needed):
            return 0
        if queue.life and not queue.stays:
            queue.life.pop(0)
        pointed(returned, ctypes.c_uint32).value = len(infos)
        return 1

    def SetJobW(self, handle: Any, job_id: int, level: int, info: None, command: int) -> int:
        assert (level, info, command) == (0, None, 5)
        self.opened[handle.value].deleted.append(job_id)
        return 1

    def _fill(self, infos: list[Any], place: Any, size: int, needed: Any) -> int:
        wanted = sum(ctypes.sizeof(info) for info in infos)
        pointed(needed, ctypes.c_uint32).value = wanted
        if size < wanted:
            return self._fail(INSUFFICIENT_BUFFER)
        self._kept += infos  # the objects behind their pointers must live on
        raw = b"".join(bytes(info) for info in infos)
        ctypes.memmove(place, raw, len(raw))
        return 1

    def _fail(self, error: int) -> int:
        self.error = error
        return 0
