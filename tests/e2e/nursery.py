"""Lives of our programs without the second of imports: forks of a process that has done them.

    python -m tests.e2e.nursery SOCKET

Every life is a process of its own: its pid, its session, its files, killed like any other. Whoever
connects to the socket sends one line of JSON, {"words": [], "env": {}, "cwd": ""}, with two
descriptors for standard output and error. He is told the life's pid, and at its end its status as
`Popen.returncode` has it; both as lines.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TextIO

_LONGEST_LINE = 1 << 20


class Life:
    """A life that was born in the nursery, with as much of `subprocess.Popen` as tests need."""

    def __init__(
        self, nursery: Path, words: Sequence[str], *, errors: Any, env: Mapping[str, str], cwd: Path
    ) -> None:
        reader, writer = os.pipe()
        self.stdout: TextIO = os.fdopen(reader, encoding="utf-8")
        self.returncode: int | None = None
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(nursery))
        asked = json.dumps({"words": list(words), "env": dict(env), "cwd": str(cwd)})
        socket.send_fds(self._line, [f"{asked}\n".encode()], [writer, errors.fileno()])
        os.close(writer)
        self._told = self._line.makefile("r", encoding="utf-8")
        self.pid = int(self._told.readline())

    def poll(self) -> int | None:
        """Its status when it has ended, None before."""
        try:
            return self.wait(0.0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Its status; raises TimeoutExpired. The nursery tells it after the process is gone."""
        if self.returncode is None:
            # Looked at without being read, for a time-out would spoil the buffered line.
            self._line.settimeout(timeout)
            try:
                self._line.recv(1, socket.MSG_PEEK)
            except (TimeoutError, BlockingIOError) as late:
                raise subprocess.TimeoutExpired("life", timeout or 0.0) from late
            self._line.settimeout(None)
            self.returncode = int(self._told.readline())
            self._told.close()
            self._line.close()
        return self.returncode

    def kill(self) -> None:
        """SIGKILL."""
        self._send(signal.SIGKILL)

    def terminate(self) -> None:
        """SIGTERM."""
        self._send(signal.SIGTERM)

    def send_signal(self, number: int) -> None:
        """Any signal."""
        self._send(number)

    def _send(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has just gone, and its end is not yet told
                os.kill(self.pid, number)


# --- the nursery itself --------------------------------------------------------------------------


def main() -> int:
    """Serve until killed."""
    door = socket.socket(socket.AF_UNIX)
    door.bind(sys.argv[1])
    _import_everything()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the midwives
    door.listen(16)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        line, _ = door.accept()
        if os.fork() == 0:
            door.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _attend(line)
            os._exit(0)
        line.close()


def _import_everything() -> None:
    from pos_app.__main__ import main as product
    from pos_app.bootstrap import development_processor
    from pos_app.bootstrap.server import server
    from pos_app.bootstrap.synchronisation import sync
    from tests.e2e import kill_at, robot

    assert all((product, development_processor, server, sync, kill_at, robot))


def _attend(line: socket.socket) -> None:
    """One life, from its birth to its end."""
    asked, descriptors, _, _ = socket.recv_fds(line, _LONGEST_LINE, 2)
    while not asked.endswith(b"\n"):
        asked += line.recv(_LONGEST_LINE)
    pid = os.fork()
    if pid == 0:
        line.close()
        _live(json.loads(asked), descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    line.sendall(f"{pid}\n".encode())
    _, status = os.waitpid(pid, 0)
    line.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _live(asked: dict[str, Any], descriptors: Sequence[int]) -> NoReturn:
    """Become the program that the words name; never returns."""
    os.setsid()
    for number, descriptor in enumerate(descriptors, start=1):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    sys.exit(_run(asked["words"]))


def _run(words: list[str]) -> int:
    """The words of a command line after `python`: -m and a module of these."""
    from pos_app.__main__ import main as product
    from tests.e2e import kill_at, robot

    modules = {"pos_app": product, "tests.e2e.robot": robot.main, "tests.e2e.kill_at": kill_at.main}
    return modules[words[1]](words[2:])


if __name__ == "__main__":
    sys.exit(main())
