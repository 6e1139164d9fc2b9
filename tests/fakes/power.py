"""A disk that loses power: SQLite writes through it, and a cut keeps what was synced.

A file system in Python keeps each write and sync. A cut keeps all writes before the file's last
sync, and of the later ones a random choice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from tests.fakes.faulty_disk import beneath

GONE = -1


@dataclass
class Disk:
    """The steps that were written, in order.

    A step is (file, offset, bytes), (file, new size), (file, GONE) or, for a sync, (file,). A file
    that was there before has its content as its first step.
    """

    steps: list[tuple[Any, ...]] = field(default_factory=list)
    is_on: bool = True
    elsewhere: Path | None = None
    """A folder of another machine, which keeps its power."""

    def has(self, path: Path) -> bool:
        return self.elsewhere is None or not path.is_relative_to(self.elsewhere)

    def write_out(
        self, folder: Path, at: int, names: str, chance: random.Random | None = None
    ) -> None:
        """Write the files whose name begins with `names` as a cut after `at` steps leaves them."""
        for name, content in self.after_cut(at, chance).items():
            if name.startswith(names):
                (folder / name).write_bytes(content)

    def note(self, *step: Any) -> None:
        if self.is_on:
            self.steps.append(step)

    def note_opened(self, path: Path) -> None:
        is_known = any(step[0] == path.name for step in self.steps)
        if not is_known and path.exists():
            self.note(path.name, 0, path.read_bytes())
            self.note(path.name)

    def forget(self, *names: str) -> None:
        """Forget the files whose name begins so: something else wrote them."""
        self.steps = [one for one in self.steps if not one[0].startswith(names)]

    def after_cut(self, at: int, chance: random.Random | None = None) -> dict[str, bytearray]:
        """The files as a cut after `at` steps leaves them; without chance all writes are kept."""
        synced = {step[0]: index for index, step in enumerate(self.steps[:at]) if len(step) == 1}
        files: dict[str, bytearray] = {}
        for index, step in enumerate(self.steps[:at]):
            content = files.setdefault(step[0], bytearray())
            if step[1:] == (GONE,):
                del files[step[0]]
                continue
            if chance and index > synced.get(step[0], -1) and chance.random() < 0.5:
                continue
            if len(step) == 2:
                del content[step[1] :]
            if len(step) == 3:
                _, offset, written = step
                content.extend(bytes(max(0, offset - len(content))))
                content[offset : offset + len(written)] = written
        return files


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, base: str, name: Any, flags: list[int]) -> None:
        told = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._name = Path(told).name if told else ""
        self._disk = disk
        if told and not disk.has(Path(told)):
            self._disk = Disk(is_on=False)
        elif told:
            disk.note_opened(Path(told))
        super().__init__(base, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.note(self._name, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        self._disk.note(self._name, size)
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        """Only note it: the power that is cut is that of the recorded disk."""
        self._disk.note(self._name)


class _Vfs(apsw.VFS):
    def __init__(self, disk: Disk, base: str) -> None:
        self._disk = disk
        self._base = base
        super().__init__("recording", base, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> _File:
        return _File(self._disk, self._base, name, flags)

    def xDelete(self, name: str, syncdir: bool) -> None:
        super().xDelete(name, syncdir)
        if self._disk.has(Path(name)):
            self._disk.note(Path(name).name, GONE)


@contextmanager
def recorded() -> Iterator[Disk]:
    disk = Disk()
    with beneath(lambda base: _Vfs(disk, base)):
        yield disk
