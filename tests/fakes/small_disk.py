"""A real disk with little room: a file system that root makes and a test fills."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PAGE = 4096


@contextmanager
def small_disk(place: Path, *, megabytes: int) -> Iterator[Path]:
    """A folder on a disk of that many megabytes; the test is skipped where none can be made."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a small disk is made by root on Linux")
    place.mkdir()
    words = ("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place))
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets nobody mount a file system")
    try:
        yield place
    finally:
        subprocess.run(("umount", str(place)), check=True)


def fill(disk: Path) -> Path:
    """Take all the room there is; return the file that took it, which is deleted or cut to make
    room."""
    with suppress(OSError), (disk / "full").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(PAGE))
    return disk / "full"


def make_room(filler: Path, pages: int) -> None:
    """Leave that many pages free by cutting the file that took all room."""
    os.truncate(filler, filler.stat().st_size - pages * PAGE)
