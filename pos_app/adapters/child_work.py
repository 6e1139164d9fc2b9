"""File work in a child process, which tells its steps and its outcome in lines of JSON; a thread
reads these lines for the window.
"""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pos_app import errors, installed, log
from pos_app.adapters.json_lines import read_line, write_line
from pos_app.selling.file_work import FileDone, FileProgress, FileWork

_log = log.get(__name__)
_REAP = 5.0
Asked = dict[str, Any] | Callable[[], dict[str, Any]]
Reads = Mapping[str, Callable[[Any], object]]


def error_of(members: dict[str, Any]) -> errors.PosError:
    values = dict(members["values"])
    kind, words = values.pop("kind", ""), {part: members[part] for part in errors.Words._fields}
    for made in (errors.Invalid, errors.NotFound, errors.NotAllowed):
        if members["code"] == made.code:
            return made(kind, **words, **values)
    error: errors.MachineError = errors.from_members(members)
    return error


_ALWAYS: Reads = MappingProxyType({"error": error_of, "done": lambda members: FileDone(**members)})


_NOTHING_ELSE: Reads = MappingProxyType({})


class ChildWorks:
    """The children that one port began. reads: reads the outcomes that its children tell, by their
    names, beside an error and a count of what is done."""

    def __init__(self, reads: Reads = _NOTHING_ELSE) -> None:
        self._reads = reads
        self._works: list[ChildWork] = []

    def begin(self, command: Sequence[str], asked: Asked, *, draft: Path | None = None) -> FileWork:
        self._works = [one for one in self._works if one.result() is None]
        work = ChildWork(command, asked, self._reads, draft=draft)
        self._works.append(work)
        return work

    def close(self) -> None:
        """End those that run."""
        for work in self._works:
            work.close()


class ChildWork:
    """One run of the child. Its last row of output is its result; "otherwise" is what its end
    without one means. asked: what the child is asked, or a function that makes it of many rows,
    which is called in a thread of the work. draft: the file that the child writes until the result
    is whole; it is removed if the child leaves it behind. reads: as `ChildWorks` has it."""

    def __init__(
        self, command: Sequence[str], asked: Asked, reads: Reads, *, draft: Path | None = None
    ) -> None:
        self._reads, self._draft = {**_ALWAYS, **reads}, draft
        self._outcome: dict[str, Any] = {}
        self._progress = FileProgress()
        self._is_over = threading.Event()
        self._is_stopped = False
        self._fault: errors.PosError | None = None
        self._process: subprocess.Popen[bytes] | None = None
        try:
            installed.check_own()
        except errors.MachineError as fault:
            self._fault = fault
            self._is_over.set()
            return
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        threading.Thread(
            target=self._work, args=(self._process, asked), daemon=True, name="file work"
        ).start()

    @property
    def progress(self) -> FileProgress:
        return self._progress

    def stop(self) -> None:
        self._is_stopped = True
        if self._process is not None:
            self._process.terminate()

    def close(self) -> None:
        if not self._is_over.is_set():
            self.stop()
            self._is_over.wait(_REAP)

    def result(self) -> object | None:
        if not self._is_over.is_set():
            return None
        for name, read in self._reads.items():
            if name in self._outcome:
                return read(self._outcome[name])
        if self._is_stopped:
            return FileDone(self._progress.done)
        return self._fault or errors.ServerEnded("file_work")

    def _work(self, process: subprocess.Popen[bytes], asked: Asked) -> None:
        """Ask the child, which reads only once it has started, and listen to it."""
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError), process.stdin as pipe:  # the child has ended
            write_line(pipe, asked() if callable(asked) else asked)
        with process.stdout as output:
            for text_line in output:
                document = read_line(text_line)
                if "progress" in document:
                    self._progress = FileProgress(*document["progress"])
                elif "otherwise" in document:
                    told = document["otherwise"]
                    self._fault = None if told is None else error_of(told)
                else:
                    self._outcome = document
        status = process.wait()
        if self._draft is not None:
            with contextlib.suppress(OSError):
                self._draft.unlink(missing_ok=True)
        if status and not (self._outcome or self._is_stopped or self._fault):
            _log.error("work with a file ended with status %d", status)
            try:
                installed.check_own()  # the files may have been exchanged while it started
            except errors.MachineError as fault:
                self._fault = fault
        self._is_over.set()
