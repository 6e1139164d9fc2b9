"""A limit to the memory of this process, while a library reads what somebody else wrote."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    class _Basic(ctypes.Structure):
        _fields_ = (
            ("process_time", wintypes.LARGE_INTEGER),
            ("job_time", wintypes.LARGE_INTEGER),
            ("flags", wintypes.DWORD),
            ("least", ctypes.c_size_t),
            ("most", ctypes.c_size_t),
            ("processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority", wintypes.DWORD),
            ("scheduling", wintypes.DWORD),
        )

    class _Limits(ctypes.Structure):
        _fields_ = (
            ("basic", _Basic),
            ("io", ctypes.c_ulonglong * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("peak_process", ctypes.c_size_t),
            ("peak_job", ctypes.c_size_t),
        )

    _EXTENDED_LIMITS = 9
    _PROCESS_MEMORY = 0x100
    _OWN = 200_000_000
    """More than the process has by itself; the limit of Windows counts that too."""

    @contextmanager
    def limited_memory(more: int) -> Iterator[None]:
        """Let the process take no more than so many bytes beside its own. It joins a job, which
        Windows 8 and later allow also to one that is in a job already."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        kernel.SetInformationJobObject.argtypes = (
            *(wintypes.HANDLE, ctypes.c_int),
            *(ctypes.c_void_p, wintypes.DWORD),
        )
        kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
        job = kernel.CreateJobObjectW(None, None)

        def limit(flags: int) -> None:
            limits = _Limits(_Basic(flags=flags), process_memory=_OWN + more)
            size = ctypes.sizeof(limits)
            if not kernel.SetInformationJobObject(
                job, _EXTENDED_LIMITS, ctypes.byref(limits), size
            ):
                raise ctypes.WinError(ctypes.get_last_error())

        limit(_PROCESS_MEMORY)
        if not kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess()):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            yield
        finally:
            limit(0)
            kernel.CloseHandle(job)

else:
    import resource
    from pathlib import Path

    _DATA = 5
    """The place of a process's data among the numbers of statm, in pages."""

    @contextmanager
    def limited_memory(more: int) -> Iterator[None]:
        """Let the process take no more than so many bytes beside what it has. Its end for lack of
        memory leaves no core file."""
        own = int(Path("/proc/self/statm").read_text().split()[_DATA]) * resource.getpagesize()
        before = {
            kind: resource.getrlimit(kind) for kind in (resource.RLIMIT_DATA, resource.RLIMIT_CORE)
        }
        for kind, soft in ((resource.RLIMIT_DATA, own + more), (resource.RLIMIT_CORE, 0)):
            resource.setrlimit(kind, (soft, before[kind][1]))
        try:
            yield
        finally:
            for kind, limits in before.items():
                resource.setrlimit(kind, limits)
