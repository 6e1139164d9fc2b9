"""The calls of Windows' print spooler, without decisions.

They are made through ctypes, which lets other threads go on during a call: win32print keeps
Python's lock while it writes, lists jobs or asks a queue, and a slow printer would block the
server. A refused call raises OSError.
Source: Microsoft, "Print Spooler API" (winspool.h).
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import byref, wintypes
from enum import IntFlag
from typing import Any

from pos_app.lazy_dataclass import dataclass


class QueueFlag(IntFlag):
    """PRINTER_STATUS_…"""

    PAUSED = 0x1
    ERROR = 0x2
    PENDING_DELETION = 0x4
    PAPER_JAM = 0x8
    PAPER_OUT = 0x10
    OFFLINE = 0x80
    NOT_AVAILABLE = 0x1000
    USER_INTERVENTION = 0x100000
    DOOR_OPEN = 0x400000


class JobFlag(IntFlag):
    """JOB_STATUS_…"""

    PAUSED = 0x1
    ERROR = 0x2
    DELETING = 0x4
    SPOOLING = 0x8
    PRINTING = 0x10
    OFFLINE = 0x20
    PAPER_OUT = 0x40
    PRINTED = 0x80
    DELETED = 0x100
    BLOCKED = 0x200
    USER_INTERVENTION = 0x400
    COMPLETE = 0x1000


IS_HERE = sys.platform == "win32"

WORK_OFFLINE = 0x400
"""PRINTER_ATTRIBUTE_WORK_OFFLINE is set when "Use printer offline" is ticked."""
_Number = ctypes.c_uint32
"""A DWORD. ctypes' own is twice as wide on other systems, where these layouts are tested."""
_DELETE = 5
_JOBS_LOOKED_AT = 500
_LOCAL_AND_CONNECTED = 0x2 | 0x4
"""PRINTER_ENUM_LOCAL and PRINTER_ENUM_CONNECTIONS: the queues of this machine, and this user's."""
_INSUFFICIENT_BUFFER = 122


class DocInfo(ctypes.Structure):
    """DOC_INFO_1W."""

    _fields_ = (
        ("document", wintypes.LPWSTR),
        ("output_file", wintypes.LPWSTR),
        ("datatype", wintypes.LPWSTR),
    )


class PrinterInfo(ctypes.Structure):
    """PRINTER_INFO_2W."""

    _fields_ = (
        *((f"name_{number}", wintypes.LPWSTR) for number in range(7)),
        ("device_mode", ctypes.c_void_p),
        *((f"text_{number}", wintypes.LPWSTR) for number in range(4)),
        ("security", ctypes.c_void_p),
        ("attributes", _Number),
        ("priority", _Number),
        ("default_priority", _Number),
        ("start_time", _Number),
        ("until_time", _Number),
        ("status", _Number),
        ("jobs", _Number),
        ("pages_per_minute", _Number),
    )


class PrinterName(ctypes.Structure):
    """PRINTER_INFO_4W."""

    _fields_ = (("name", wintypes.LPWSTR), ("server", wintypes.LPWSTR), ("attributes", _Number))


class JobInfo(ctypes.Structure):
    """JOB_INFO_1W; the time at its end is a SYSTEMTIME of eight words."""

    _fields_ = (
        ("job_id", _Number),
        ("printer", wintypes.LPWSTR),
        ("machine", wintypes.LPWSTR),
        ("user", wintypes.LPWSTR),
        ("document", wintypes.LPWSTR),
        ("datatype", wintypes.LPWSTR),
        ("status_text", wintypes.LPWSTR),
        ("status", _Number),
        ("priority", _Number),
        ("position", _Number),
        ("pages", _Number),
        ("pages_printed", _Number),
        ("submitted", ctypes.c_uint16 * 8),
    )


@dataclass(frozen=True, slots=True)
class QueueState:
    """The state of a queue. is_offline: a person chose to use it offline."""

    flags: QueueFlag
    is_offline: bool


@dataclass(frozen=True, slots=True)
class SpooledJob:
    job_id: int
    document: str
    flags: JobFlag


class Winspool:
    """The spooler of this machine. library: winspool.drv; last_error: returns GetLastError."""

    def __init__(self, library: Any, last_error: Callable[[], int]) -> None:
        self._library = library
        self._last_error = last_error

    def open(self, queue: str) -> OpenQueue:
        """Open a queue by its name. Raises OSError where there is none, or this user may not."""
        handle = wintypes.HANDLE()
        self.check(self._library.OpenPrinterW(queue, byref(handle), None), "OpenPrinter")
        return OpenQueue(self, self._library, handle)

    def queues(self) -> tuple[str, ...]:
        """Return the names of the queues that this user sees. Raises OSError."""
        buffer, count = self.fill(
            "EnumPrinters",
            lambda *space: self._library.EnumPrintersW(_LOCAL_AND_CONNECTED, None, 4, *space),
        )
        return tuple(str(each.name or "") for each in (PrinterName * count).from_buffer(buffer))

    def check(self, result: int, call: str) -> int:
        """Return the result of a call. Raises OSError where it means a failure."""
        if not result:
            raise OSError(self._last_error(), f"{call} failed")
        return result

    def fill(self, call: str, ask: Callable[..., int]) -> tuple[ctypes.Array[ctypes.c_char], int]:
        """Return a buffer filled by a call that reports its size, and the count of items."""
        needed, count = _Number(), _Number()
        size = 0
        for _ in range(5):  # the list may grow between two calls
            buffer = ctypes.create_string_buffer(max(size, 1))
            if ask(buffer, size, byref(needed), byref(count)):
                return buffer, count.value
            if self._last_error() != _INSUFFICIENT_BUFFER:
                break
            size = needed.value
        raise OSError(self._last_error(), f"{call} failed")


class OpenQueue:
    """One open queue. Close it. Every call raises OSError where the spooler refuses it."""

    def __init__(self, spooler: Winspool, library: Any, handle: wintypes.HANDLE) -> None:
        self._spooler = spooler
        self._library = library
        self._handle = handle

    def close(self) -> None:
        self._library.ClosePrinter(self._handle)

    def state(self) -> QueueState:
        buffer, _ = self._spooler.fill(
            "GetPrinter",
            lambda space, size, needed, _: self._library.GetPrinterW(
                self._handle, 2, space, size, needed
            ),
        )
        info = PrinterInfo.from_buffer(buffer)
        return QueueState(QueueFlag(info.status), bool(info.attributes & WORK_OFFLINE))

    def begin(self, title: str) -> int:
        """Begin a raw document, whose bytes no driver touches, and return its job's number."""
        document = DocInfo(title, None, "RAW")
        result = self._library.StartDocPrinterW(self._handle, 1, byref(document))
        return self._spooler.check(result, "StartDocPrinter")

    def write(self, chunk: bytes) -> int:
        """Write, and return the number of bytes that the spooler took."""
        taken = _Number()
        result = self._library.WritePrinter(self._handle, chunk, len(chunk), byref(taken))
        self._spooler.check(result, "WritePrinter")
        return taken.value

    def end(self) -> None:
        self._spooler.check(self._library.EndDocPrinter(self._handle), "EndDocPrinter")

    def abort(self) -> None:
        """Take back a document that is not whole."""
        self._spooler.check(self._library.AbortPrinter(self._handle), "AbortPrinter")

    def jobs(self) -> tuple[SpooledJob, ...]:
        buffer, count = self._spooler.fill(
            "EnumJobs",
            lambda *space: self._library.EnumJobsW(self._handle, 0, _JOBS_LOOKED_AT, 1, *space),
        )
        found = (JobInfo * count).from_buffer(buffer)
        return tuple(
            SpooledJob(each.job_id, str(each.document or ""), JobFlag(each.status))
            for each in found
        )

    def delete(self, job_id: int) -> None:
        result = self._library.SetJobW(self._handle, job_id, 0, None, _DELETE)
        self._spooler.check(result, "SetJob")


def of_this_machine() -> Winspool:
    """Return the spooler of Windows. Raises OSError on any other system."""
    if sys.platform == "win32":
        return Winspool(ctypes.WinDLL("winspool.drv", use_last_error=True), ctypes.get_last_error)
    raise OSError("only Windows has this spooler")
