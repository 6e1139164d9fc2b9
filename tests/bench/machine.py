"""The machine's own figures, which stand beside each other figure so that machines compare.

cpu: a fixed loop of Python. fsync: a block of 4 KiB written and brought to the disk, in the folder
that is measured. load: how many programs wanted the processor in the last minute.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path

_LOOPS = 5
_STEPS = 200_000
_WRITES = 30
_BLOCK = b"\0" * 4096


@dataclass(frozen=True, slots=True)
class Reference:
    """cpu_ms: median of the fixed loop. fsync_ms: median of a durable write. load: one minute."""

    cpu_ms: float
    fsync_ms: float
    load: float

    def __str__(self) -> str:
        return f"{self.cpu_ms:>6.1f} {self.fsync_ms:>6.2f} {self.load:>5.1f}"


def measure(folder: Path) -> Reference:
    return Reference(
        cpu_ms=statistics.median(_loop() for _ in range(_LOOPS)),
        fsync_ms=statistics.median(fsyncs(folder, _WRITES)),
        load=load(),
    )


def load() -> float:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0


def fsyncs(folder: Path, count: int) -> list[float]:
    """Milliseconds of `count` durable writes of 4 KiB."""
    path = folder / "fsync.tmp"
    times = []
    with path.open("wb", buffering=0) as file:
        for _ in range(count):
            began = time.perf_counter()
            file.write(_BLOCK)
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    path.unlink()
    return times


def described() -> str:
    name = platform.processor() or platform.machine()
    told = Path("/proc/cpuinfo")
    if told.exists():
        models = [line for line in told.read_text().splitlines() if line.startswith("model name")]
        name = models[0].partition(":")[2].strip() if models else name
    return (
        f"{name}, {os.cpu_count()} cores, {platform.system()} {platform.release()},"
        f" Python {platform.python_version()}"
    )


def resident_mib(pid: int) -> float:
    """Resident memory of a process in MiB, or 0 on a system without /proc."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def cpu_seconds(pid: int) -> float:
    """Processor time that a process has used. Raises OSError on a system without /proc."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    if sys.platform == "win32":
        raise OSError("no processor times of other processes")
    return ticks / os.sysconf("SC_CLK_TCK")


def _loop() -> float:
    began = time.perf_counter()
    total = 0
    for step in range(_STEPS):
        total += step * step % 7
    assert total
    return (time.perf_counter() - began) * 1000
