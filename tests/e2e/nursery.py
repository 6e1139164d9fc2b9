"""Starts our programs without the second of imports, as forks of a process that has done them.

    python -m tests.e2e.nursery SOCKET

Every such life is a process of its own: its pid, its session, its files, killed like any other. A
caller connects to the socket and sends one line of JSON, {"words": [], "env": {}, "cwd": ""}, with
two descriptors for standard output and error, and perhaps a third for standard input. It receives
the life's pid, and at its end its status as in `Popen.returncode`; both as lines. The nursery ends
with its standard input.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TextIO

_LONGEST_LINE = 1 << 20
_ROOT = Path(__file__).parents[2]
BACKUP_WORK = "pos_app.bootstrap.till.backup_work"
CATALOGUE_FILES = "pos_app.bootstrap.till.catalogue_files"
RECEIPT_EXPORT = "pos_app.bootstrap.till.receipt_export"
_FILE_WORK = (BACKUP_WORK, CATALOGUE_FILES, RECEIPT_EXPORT)
WINDOWS = (
    "tests.e2e.told_till",
    "tests.integration.till.standing_till",
    "tests.integration.till.updated_till",
)
"""Programs with the till's window, which load Qt."""
_LATER = (
    "anyio._backends._asyncio",
    "encodings.ascii",
    "encodings.idna",
    "httpcore",
    "importlib.readers",
    "importlib.resources.readers",
    "pos_app.adapters.api_client.client",
    "pos_app.adapters.lasting_output",
    "pos_app.adapters.updates.source",
    "pos_app.bootstrap.programs",
    "uvicorn.lifespan.off",
)
"""Modules that programs import once they run."""
_TILLS = ("tests.e2e.acting_till", "tests.e2e.kill_at", "tests.e2e.robot")
_PRODUCT = (
    *_FILE_WORK,
    "pos_app.__main__",
    "pos_app.bootstrap.commands.backup",
    "pos_app.bootstrap.commands.check",
    "pos_app.bootstrap.commands.put_back",
    "pos_app.bootstrap.development_processor",
    "pos_app.bootstrap.server.server",
    "pos_app.bootstrap.synchronisation.sync",
    *_LATER,
)
_PLATFORM = (
    "aiosqlite",
    "pos_app.bootstrap.platform.accounts",
    "pos_app.bootstrap.platform.doubts",
    "pos_app.bootstrap.platform.platform",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
_OF_WINDOWS = ("pos_app.cashier.attention.view",)
DOOR = "TESTS_NURSERY"
"""The variable that names the socket of a nursery that was started for all workers."""
NEXT_VERSION = "TESTS_NEXT_VERSION"
"""The variable that makes a life the next version; it names the nursery's socket."""
_CLIENT = Path(__file__).with_name("in_nursery.py")


@cache
def door() -> Path:
    """The socket of the nursery: that of all workers, or this process's own."""
    if DOOR in os.environ:
        return Path(os.environ[DOOR])
    folder = tempfile.TemporaryDirectory(prefix="nursery-")
    socket_file = Path(folder.name) / "door"
    nursery = subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.nursery", str(socket_file)],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert nursery.stdout.readline() == b"ready\n"

    def end() -> None:
        nursery.communicate()
        folder.cleanup()

    atexit.register(end)
    return socket_file


class Life:
    """A process of the nursery, with as much of `subprocess.Popen` as tests need."""

    def __init__(
        self,
        nursery: Path,
        words: Sequence[str],
        *,
        env: Mapping[str, str],
        errors: Any = None,
        cwd: Path = _ROOT,
    ) -> None:
        """words: after `python`. errors: a file; without one they can be read here."""
        reader, writer = os.pipe()
        self.stdout: TextIO = os.fdopen(reader, encoding="utf-8")
        self.stderr: TextIO | None = None
        wrong = errors.fileno() if errors is not None else -1
        if errors is None:
            reader, wrong = os.pipe()
            self.stderr = os.fdopen(reader, encoding="utf-8")
        self.returncode: int | None = None
        self._readers: list[_Reader] = []
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(nursery))
        asked = json.dumps({"words": list(words), "env": dict(env), "cwd": str(cwd)})
        socket.send_fds(self._line, [f"{asked}\n".encode()], [writer, wrong])
        os.close(writer)
        if errors is None:
            os.close(wrong)
        self._told = self._line.makefile("r", encoding="utf-8")
        self.pid = int(self._told.readline())

    def poll(self) -> int | None:
        try:
            return self.wait(0.0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Its status. Raises TimeoutExpired. The nursery sends it after the process is gone."""
        if self.returncode is None:
            # Looked at without reading, since a time-out would spoil the buffered line.
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

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Its remaining output, once it has ended. Raises TimeoutExpired."""
        if not self._readers:
            self._readers = [_Reader(each) for each in (self.stdout, self.stderr) if each]
        self.wait(timeout)
        told = [each.read() for each in self._readers]
        return told[0], told[-1] if self.stderr else ""

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def send_signal(self, number: int) -> None:
        self._send(number)

    def _send(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):  # it has just gone, and its end is not yet reported
                os.kill(self.pid, number)


class _Reader(threading.Thread):
    def __init__(self, pipe: TextIO) -> None:
        super().__init__(daemon=True)
        self._pipe, self._text = pipe, ""
        self.start()

    def run(self) -> None:
        with self._pipe:
            self._text = self._pipe.read()

    def read(self) -> str:
        self.join()
        return self._text


def born(*words: str, errors: Any = None, **environment: str) -> Life:
    """Start `pos-app` with these words, in this process's environment and with these variables."""
    words = ("-m", "pos_app", *words)
    return Life(door(), words, env=os.environ | environment, errors=errors)


def ended(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `pos-app` with these words to its end, as `subprocess.run` does."""
    life = born(*words)
    out, errors = life.communicate()
    return subprocess.CompletedProcess(words, life.wait(), out, errors)


def child(module: str = "pos_app") -> tuple[str, ...]:
    """The first words of a command line that runs a module, for children of the product."""
    return sys.executable, "-I", "-S", str(_CLIENT), str(door()), "-m", module


def main() -> int:
    door = socket.socket(socket.AF_UNIX)
    door.bind(sys.argv[1])
    door.listen(64)
    woken, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    lines: dict[int, int] = {}
    while True:
        ready = select.select([door, sys.stdin, woken], [], [])[0]
        if woken in ready:
            os.read(woken, 4096)
            _report_ends(lines)
        if sys.stdin in ready:
            return 0
        if door in ready:
            line, _ = door.accept()
            _begin(line, lines)


def _report_ends(lines: dict[int, int]) -> None:
    with suppress(ChildProcessError):
        while (end := os.waitpid(-1, os.WNOHANG)) != (0, 0):
            pid, status = end
            line = lines.pop(pid)
            with suppress(BrokenPipeError):  # its caller has gone
                os.write(line, f"{os.waitstatus_to_exitcode(status)}\n".encode())
            os.close(line)


def _begin(line: socket.socket, lines: dict[int, int]) -> None:
    """Start one life; its line is kept for its end."""
    asked, descriptors = _asked(line)
    _import_everything()
    if "platform" in asked["words"]:
        _import_platform()
    if asked["words"][1] in WINDOWS or "till" in asked["words"]:
        _import_windows()
    pid = os.fork()
    if pid == 0:
        _live(asked, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    with suppress(BrokenPipeError):
        line.sendall(f"{pid}\n".encode())
    lines[pid] = line.detach()


@cache
def _import_everything() -> None:
    """Import at the first life, since most callers start none."""
    for module in (*_TILLS, *_PRODUCT):
        importlib.import_module(module)
    gc.collect()
    gc.freeze()  # otherwise each fork copies the pages that its collections visit


@cache
def _import_platform() -> None:
    """Import the platform when it is first wanted: few callers want it."""
    for module in _PLATFORM:
        importlib.import_module(module)
    gc.freeze()


@cache
def _import_windows() -> None:
    """Import Qt and the till's window when they are first wanted, but begin nothing of Qt."""
    for module in (*WINDOWS, *_OF_WINDOWS):
        importlib.import_module(module)
    gc.freeze()


def _asked(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    asked, descriptors, _, _ = socket.recv_fds(line, _LONGEST_LINE, 3)
    while not asked.endswith(b"\n"):
        asked += line.recv(_LONGEST_LINE)
    return json.loads(asked), descriptors


def _live(asked: dict[str, Any], descriptors: Sequence[int]) -> NoReturn:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    out, wrong, *given = descriptors
    source = given[0] if given else os.open(os.devnull, os.O_RDONLY)
    for number, descriptor in enumerate((source, out, wrong)):
        os.dup2(descriptor, number)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))  # those of the nursery too
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["env"])
    if NEXT_VERSION in os.environ:
        _become_next(Path(os.environ[NEXT_VERSION]))
    os._exit(_lived(asked["words"]))


def _become_next(door: Path) -> None:
    import pytest

    from tests.fakes.next_version import become_next

    become_next(pytest.MonkeyPatch(), door)


def _lived(words: list[str]) -> int:
    """Run it to its end. The interpreter is not taken apart, which would copy shared pages."""
    status: object = 1
    try:
        status = _run(words)
    except SystemExit as end:
        status = end.code
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]  # noqa: SLF001 - as multiprocessing
        atexit._run_exitfuncs()  # noqa: SLF001
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
    return status if isinstance(status, int) else int(status is not None)


def _run(words: list[str]) -> int:
    """Run the words of a command line after `python`: -m and one of these modules."""
    module = words[1]
    if module in WINDOWS:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    assert module == "pos_app" or module in (*WINDOWS, *_TILLS, *_FILE_WORK)
    place = "pos_app.__main__" if module == "pos_app" else module
    run: Callable[[list[str]], int] = importlib.import_module(place).main
    return run(words[2:])


if __name__ == "__main__":
    sys.exit(main())
