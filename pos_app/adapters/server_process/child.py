"""One run of the till's server as a child process: what it reports, and how it ended.

On standard output it prints its address once it answers, or one JSON line that says why it can't
(`bootstrap.programs`). Standard error is its log.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from pos_app import log
from pos_app.adapters.server_process.restart_delay import RunEnd
from pos_app.errors import (
    OR_SUPPORT,
    DataFolderNotWritable,
    MachineError,
    ServerEnded,
    from_members,
)

_log = log.get(__name__)


class ServerChild:
    """A server on the data folder `data`, told to answer on `port` of the loopback."""

    def __init__(self, *, data: Path, port: int) -> None:
        """Start it. Raises DataFolderNotWritable, ServerEnded."""
        self._log_file = data / "logs" / "server.log"
        self._began = time.monotonic()
        self._answered = False
        self._fault: MachineError | None = None
        self.process = _start(_command(data, port), self._log_file)

    async def ended(self, on_ready: Callable[[], None]) -> RunEnd:
        """Wait for its end. on_ready: called on this loop when it answers."""
        loop = asyncio.get_running_loop()
        following = loop.run_in_executor(
            None, self._follow, lambda: loop.call_soon_threadsafe(self._ready, on_ready)
        )
        # Who is cancelled before the thread begins must leave it its turn: it closes the pipe.
        status = await asyncio.shield(following)
        _log.warning("the server ended", extra={"fields": {"status": status}})
        fault = self._fault
        if fault is None and not self._answered:
            fault = _without_a_word(self._log_file, f"It ended with status {status}.")
        return RunEnd(self._answered, time.monotonic() - self._began, fault)

    def _ready(self, on_ready: Callable[[], None]) -> None:
        self._answered = True
        on_ready()

    def _follow(self, on_ready: Callable[[], object]) -> int:
        """In a thread: read what it prints until its end; its status."""
        assert self.process.stdout is not None
        with self.process.stdout as told:
            for line in told:
                if line.startswith(b"http"):
                    on_ready()
                else:
                    self._fault = _refusal(line) or self._fault
        return self.process.wait()


def _start(command: Sequence[str], log_file: Path) -> subprocess.Popen[bytes]:
    try:
        log_file.parent.mkdir(parents=True, exist_ok=True)
        errors = log_file.open("a+b")
        log.keep_newest(errors.fileno())
    except OSError as error:
        raise DataFolderNotWritable(
            f"The log {log_file} can't be written to: {error}.",
            safe="Nothing was changed.",
            do=f"Give this user the right to write there. {OR_SUPPORT}",
            path=str(log_file.parent),
        ) from error
    options: dict[str, object] = {"start_new_session": True}
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        options = {"creationflags": flags}
    with errors:
        try:
            return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
                **options,
            )
        except OSError as error:
            raise _without_a_word(log_file, f"It can't be started: {error}.") from error


def _command(data: Path, port: int) -> Sequence[str]:
    program = (sys.executable, "-m", "pos_app", "server")
    return (*program, "--data", str(data), "--port", str(port), "--log-json", "--for-till")


def _refusal(line: bytes) -> MachineError | None:
    """The fault that a line names; None for any other line."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    members = told.get("refused") if isinstance(told, dict) else None
    return from_members(members) if isinstance(members, dict) else None


def _without_a_word(log_file: Path, how: str) -> ServerEnded:
    return ServerEnded(
        f"The server ended before it answered. {how}",
        safe="What was confirmed before is safe.",
        do=f"Look into {log_file}, or call support.",
        path=str(log_file),
    )
