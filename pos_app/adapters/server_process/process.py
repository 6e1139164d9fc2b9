"""Starts the till's own server as a child, watches and restarts it, and replaces a left-over one.

Source: exactly-once.md, "Till and server know each other".
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Never

from pos_app import __version__, installed, log
from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.data_folder.install import Install
from pos_app.adapters.data_folder.lock import is_held
from pos_app.adapters.server_process.address import SERVER_LOCK, last_address
from pos_app.adapters.server_process.service import is_kept_by_service, silent_service
from pos_app.errors import (
    AlreadyRunning,
    CertificateUnread,
    DataFolderNotWritable,
    DiskFull,
    MachineError,
    PortTaken,
    RemoteError,
    ServerEnded,
    from_members,
)
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.server import answers

# --- the pause before the next start -----------------------------------------------------------


STEADY_SECONDS = 30.0
"""After a server ran this long the pauses start anew."""
REFUSED_SECONDS = 30.0
"""The pause between two starts where only a person can help, who can ask for a start at once."""
_MAY_PASS = (AlreadyRunning, CertificateUnread, DiskFull, PortTaken)
"""Faults that may be over soon: the earlier server is still ending, a disk is being cleared, or a
PC that was just switched on is busy."""


@dataclass(frozen=True, slots=True)
class RunEnd:
    """The end of one run. answered: the server was ready once. fault: why it never became ready."""

    answered: bool
    lasted_seconds: float
    fault: MachineError | None = None


class _Kind(Enum):
    DIED = auto()
    """The server had answered. It is restarted at once: the till has three seconds to recover."""
    MUTE = auto()
    """The server never answered and reported nothing, because of a bug or a lack of memory."""
    MAY_PASS = auto()
    REFUSED = auto()


_PAUSES_SECONDS = {
    _Kind.DIED: (0.0, 0.25, 0.5, 1.0),
    _Kind.MUTE: (0.5, 1.0, 2.0, 5.0, 10.0, REFUSED_SECONDS),
    _Kind.MAY_PASS: (0.5, 0.5, 1.0, 1.0, 2.0, 2.0, 5.0, 10.0, REFUSED_SECONDS),
    _Kind.REFUSED: (REFUSED_SECONDS,),
}
"""The pauses after each kind of end, by the number in a row; the last one is repeated."""


class RestartDelay:
    """Counts how the runs ended.

    | ended                                  | seconds until the next start |
    | after it had answered                  | 0, 0.25, 0.5, then 1         |
    | the same, after 30 s or more           | 0                            |
    | port taken, lock held, disk full       | 0.5, 0.5, 1, 1, 2 … 30       |
    | any other fault that it named          | 30                           |
    | before it answered, without a word     | 0.5, 1, 2, 5, 10, 30         |
    """

    def __init__(self) -> None:
        self._kind = _Kind.DIED
        self._times = 0

    def after(self, end: RunEnd) -> float:
        kind = _kind_of(end)
        if kind is not self._kind or end.lasted_seconds >= STEADY_SECONDS:
            self._times = 0
        self._kind = kind
        self._times += 1
        pauses = _PAUSES_SECONDS[kind]
        return pauses[min(self._times, len(pauses)) - 1]


def _kind_of(end: RunEnd) -> _Kind:
    if end.answered:
        return _Kind.DIED
    if end.fault is None or isinstance(end.fault, ServerEnded):
        return _Kind.MUTE
    return _Kind.MAY_PASS if isinstance(end.fault, _MAY_PASS) else _Kind.REFUSED


# --- one run of the server as a child process --------------------------------------------------
# The server prints its address on standard output once it answers, or one JSON line that says why
# it can't (`bootstrap.programs`). Standard error is its log.


_log = log.get(__name__)


class ServerChild:
    """A server on the data folder `data`, started with `port` of the loopback."""

    def __init__(self, *, data: Path, port: int) -> None:
        """Start the server. Raises DataFolderNotWritable, ServerEnded; MachineError where it would
        be of another version than this program."""
        installed.check_own()
        self._log_file = data / "logs" / "server.log"
        self._began = time.monotonic()
        self._answered = False
        self._fault: MachineError | None = None
        self.process = _start(_command(data, port), self._log_file)

    async def ended(self, on_ready: Callable[[], None]) -> RunEnd:
        """Wait for the server's end. on_ready: called on this loop when the server answers."""
        loop = asyncio.get_running_loop()
        following = loop.run_in_executor(
            None, self._follow, lambda: loop.call_soon_threadsafe(self._ready, on_ready)
        )
        # A caller that is cancelled before the thread begins must let it run, because it closes the
        # pipe.
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
        """Read the server's output until its end, in a thread, and return its exit status."""
        assert self.process.stdout is not None
        with self.process.stdout as output:
            for text_line in output:
                if text_line.startswith(b"http"):
                    on_ready()
                else:
                    self._fault = _refusal(text_line) or self._fault
        return self.process.wait()


def _start(command: Sequence[str], log_file: Path) -> subprocess.Popen[bytes]:
    try:
        log_file.parent.mkdir(parents=True, exist_ok=True)
        errors = log_file.open("a+b")
        log.keep_newest(errors.fileno())
    except OSError as error:
        raise DataFolderNotWritable(
            "log", path=str(log_file.parent), log_file=log_file, why=error
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
    program = (*installed.command(), "server")
    return (*program, "--data", str(data), "--port", str(port), "--log-json", "--for-till")


def _refusal(text_line: bytes) -> MachineError | None:
    try:
        document = json.loads(text_line)
    except ValueError:
        return None
    members = document.get("refused") if isinstance(document, dict) else None
    return from_members(members) if isinstance(members, dict) else None


def _without_a_word(log_file: Path, how: str) -> ServerEnded:
    return ServerEnded("ended", path=str(log_file), how=how)


# --- the keeper --------------------------------------------------------------------------------


_LOOK_SECONDS = 0.1
_ADOPTED_LOOK_SECONDS = 1.0
_STOP_SECONDS = 15.0
_STOP_LOOKS = round(_STOP_SECONDS / _LOOK_SECONDS)


class ServerProcess:
    """Keeps a server of `install` answering on `port` until `run` ends. If the server is a service
    of the computer, only whether it answers is reported."""

    def __init__(self, *, data: Path, install: Install, port: int, adopt: bool) -> None:
        """adopt: a running server of this very version, or a newer one of its series, may go on; an
        older one is replaced, and a demo adopts none."""
        self._data = data
        self._install = install
        self._port = port
        self._adopt = adopt
        self._child: subprocess.Popen[bytes] | None = None
        self._asked = asyncio.Event()
        self._on_fault: list[Callable[[MachineError | None], None]] = []
        self._fault: MachineError | None = None
        self._has_ended_one = False

    def listen(self, on_fault: Callable[[MachineError | None], None]) -> None:
        """Call back with why no server can be started, and with None as soon as one answers."""
        self._on_fault.append(on_fault)

    def try_again(self) -> None:
        self._asked.set()

    @property
    def port(self) -> int:
        return self._port

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None else None

    async def run(self) -> None:
        if is_kept_by_service(self._data):
            await self._watch_service()
        patience, pause = RestartDelay(), 0.0
        while True:
            await self._wait(pause)
            if await self._orphan_goes_on():
                patience = RestartDelay()
            end = await self._run_child()
            if end.fault is not None:
                _log.error("no server can be started: %s", end.fault.what)
                self._report(end.fault)
            if isinstance(end.fault, PortTaken):
                await self._end_one_elsewhere()
            pause = patience.after(end)

    async def _wait(self, seconds: float) -> None:
        """Wait that long, or until a person asks for a start."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._asked.wait()
        self._asked.clear()

    def _report(self, fault: MachineError | None) -> None:
        self._fault = fault
        for listener in self._on_fault:
            listener(fault)

    async def stop(self) -> None:
        """End the child gracefully; after a while, by force."""
        child = self._child
        if child is None or child.poll() is not None:
            return
        if sys.platform == "win32":
            await self._ask_to_stop(f"http://127.0.0.1:{self._port}")
        else:
            child.terminate()
        if not await _ended(child, _STOP_SECONDS):
            child.kill()
            child.wait()
        self._child = None

    # --- the child --------------------------------------------------------------------------

    async def _run_child(self) -> RunEnd:
        """Start a server and wait for its end. A server that can't be started has ended at once."""
        try:
            child = ServerChild(data=self._data, port=self._port)
        except MachineError as error:
            return RunEnd(answered=False, lasted_seconds=0.0, fault=error)
        self._child = child.process
        return await child.ended(on_ready=lambda: self._report(None))

    # --- one that is a service -----------------------------------------------------------------

    async def _watch_service(self) -> Never:
        """Report whether the service's server answers. It is neither started nor stopped."""
        await self._have_service_move()
        fault: MachineError | None = None
        is_reported = False
        while True:
            answer = await self._who_answers(f"http://127.0.0.1:{self._port}")
            before, fault = fault, self._fault_of_service(answer)
            if not is_reported or type(before) is not type(fault):
                self._report(fault)
                is_reported = True
            await self._wait(_ADOPTED_LOOK_SECONDS)

    async def _have_service_move(self) -> None:
        """Ask the service's server to move: it answers at the port of its start, and the settings
        may name another one, with which this till was opened."""
        address = last_address(self._data)
        if address is None or address.endswith(f":{self._port}"):
            return
        if not isinstance(await self._who_answers(address), answers.ServerFacts):
            return
        api = LocalApi(address, self._install)
        try:
            await DoubtHttp(api).move(self._port)
            _log.info("the service's server was asked to answer at another port")
        except RemoteError as error:
            _log.warning("the service's server did not take another port: %s", error.what)
        finally:
            await api.close()

    def _fault_of_service(self, answer: answers.ProofAnswer) -> MachineError | None:
        if isinstance(answer, answers.ServerFacts):
            return None
        version = _version_of(answer)
        is_newer = bool(version) and not _is_old(version)
        return _newer(version) if is_newer else silent_service(self._data)

    # --- one that was left over ----------------------------------------------------------------

    async def _orphan_goes_on(self) -> bool:
        """Wait while a running server may stay; stop an older one. Return whether there was one."""
        address = last_address(self._data)
        if address is None:
            return False
        answer = await self._who_answers(address)
        if self._stays(answer, address):
            _log.info(
                "a running server goes on", extra={"fields": {"version": _version_of(answer)}}
            )
            if not self._is_usable(answer, address):
                self._report(_newer(_version_of(answer)))
            elif self._fault is not None:
                self._report(None)
            while self._stays(answer, address):
                await asyncio.sleep(_ADOPTED_LOOK_SECONDS)
                answer = await self._who_answers(address)
            return True
        if _version_of(answer):
            _log.info("a left-over server is replaced")
            await self._ask_to_stop(address)
        return False

    async def _end_one_elsewhere(self) -> None:
        """Stop a server of this installation at our port that has other data than ours: the folder
        was moved away beneath it, and a copy put back. Only once, because the other data may have a
        till of their own."""
        address = f"http://127.0.0.1:{self._port}"
        answer = await self._who_answers(address)
        is_ours = isinstance(answer, answers.ServerFacts) or _is_old(_version_of(answer))
        if is_ours and not self._has_ended_one:
            self._has_ended_one = True
            _log.warning("a server of this installation, with other data, is stopped")
            await self._ask_to_stop(address)

    def _stays(self, answer: answers.ProofAnswer, address: str) -> bool:
        """Tell whether the server is used, or is a newer one, which the till never stops."""
        version = _version_of(answer)
        if version == __version__:
            return self._is_usable(answer, address)
        return bool(version) and not _is_old(version)

    def _is_usable(self, answer: answers.ProofAnswer, address: str) -> bool:
        """Tell whether that server has this till's series of versions, its port, and its data."""
        fits = isinstance(answer, answers.ServerFacts) and self._adopt
        return fits and address.endswith(f":{self._port}") and self._has_our_data()

    def _has_our_data(self) -> bool:
        """Tell whether a server works with this folder; one that answers at its address may have
        been left with a folder that was moved away."""
        try:
            return is_held(self._data / SERVER_LOCK)
        except DataFolderNotWritable:
            return True  # the start of a server tells it

    async def _who_answers(self, address: str) -> answers.ProofAnswer:
        api = LocalApi(address, self._install)
        try:
            return await FiscalHttp(api).prove()
        finally:
            await api.close()

    async def _ask_to_stop(self, address: str) -> None:
        api = LocalApi(address, self._install)
        try:
            await DoubtHttp(api).stop()
            for _ in range(_STOP_LOOKS):
                if isinstance(await FiscalHttp(api).prove(), answers.NoAnswer):
                    return
                await asyncio.sleep(_LOOK_SECONDS)
            _log.warning("a server that was asked to stop still answers")
        except RemoteError as error:
            _log.warning("a server did not stop when asked: %s", error.what)
        finally:
            await api.close()


async def _ended(child: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        await asyncio.to_thread(child.wait, seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _newer(version: str) -> AlreadyRunning:
    return AlreadyRunning("newer", version=version)


def _version_of(answer: answers.ProofAnswer) -> str:
    """Return the version of a server that proved to be this installation's, "" of any other."""
    match answer:
        case answers.ServerFacts(version=version) | answers.ForeignServer(version=version):
            return version
        case answers.NoAnswer():
            return ""


def _is_old(version: str) -> bool:
    """Tell whether a version is not newer than ours. One that can't be read counts as newer."""
    numbers = _numbers(version)
    return bool(numbers) and numbers <= _numbers(__version__)


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d{1,9}(?:\.\d{1,9})*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()
