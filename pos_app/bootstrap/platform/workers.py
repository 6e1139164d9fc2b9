"""Runs several processes that answer on the same sockets, and keeps them running.

The parent listens and answers nothing itself. A worker that ends is started again; when the parent
ends, in whatever way, its workers notice it and end too. Once the files of the program were
exchanged no worker is started; the last one's end is the parent's, whose service starts it anew.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from json import dumps
from pathlib import Path

from pos_app import installed, log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.http_server.listening import reachable
from pos_app.adapters.http_server.serving import listening, stop_on_signals
from pos_app.errors import ServerEnded, SettingsBroken
from pos_app.platform_api.metrics import FOLDER_VARIABLE, worker_ended
from pos_app.settings import Settings, load

PORT_SETTING = "platform_server.port"
_OF_PLATFORM = "POS_APP_PLATFORM_SERVER__"
_AGAIN_MS = 1_000
_READY_SECONDS = 60.0

_log = log.get(__name__)


async def run_workers(
    settings: Settings, *, log_json: bool, ready: Callable[[str], None], take_over: bool = False
) -> None:
    """Listen, and keep the workers of the settings running until SIGTERM. Raises SettingsBroken
    where several workers can't share the database, PortTaken, ServerEnded where a worker does not
    start, MachineError where none runs and one that is started now would be of another version."""
    hosting = settings.platform_server
    check_workers(settings)
    stop = asyncio.Event()
    with stop_on_signals(stop):
        sockets = await listening(
            hosting.host,
            hosting.port,
            setting=PORT_SETTING,
            waits=lambda: take_over and not stop.is_set(),
        )
        counts = tempfile.TemporaryDirectory(prefix="pos-platform-")
        try:
            begun = [
                _worker(settings, sockets, log_json=log_json, counts=counts.name)
                for _ in range(hosting.workers)
            ]
            tasks = [asyncio.create_task(_closed_at(stop, sockets))]
            keepers = [asyncio.create_task(worker.run(stop)) for worker in begun]
            tasks += keepers
            try:
                await _all_ready(begun, keepers, stop)
                if not stop.is_set():
                    ready(f"http://{reachable(hosting.host)}:{sockets[0].getsockname()[1]}")
                await asyncio.gather(*keepers)
                if not stop.is_set():
                    installed.check_own()
            finally:
                stop.set()
                await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            counts.cleanup()
            for each in sockets:
                each.close()


async def _closed_at(stop: asyncio.Event, sockets: Iterable[socket.socket]) -> None:
    """Close the parent's sockets at the stop. From then on only the workers listen, and they accept
    the last callers. A caller whose connection waits in a socket that only the parent keeps would
    never be answered, and would be reset at the end."""
    await stop.wait()
    for each in sockets:
        each.close()


def check_workers(settings: Settings) -> None:
    """Raise SettingsBroken where several workers are impossible."""
    hosting = settings.platform_server
    if hosting.workers > 1 and (not hosting.database_url or sys.platform == "win32"):
        needs = "Linux" if hosting.database_url else "PostgreSQL"
        raise SettingsBroken("workers", workers=hosting.workers, needs=needs)


def no_core_files() -> None:
    """Keep this process's memory off the disk when it crashes."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


async def until_parent_ends(stop: asyncio.Event) -> None:
    """Set `stop` when the other end of standard input is closed, as it is when the parent ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    try:
        await reader.read()
    finally:
        transport.close()
    stop.set()


async def _all_ready(
    workers: list[Child], keepers: list[asyncio.Task[None]], stop: asyncio.Event
) -> None:
    """Return when all workers answer, or after a stop. Raises ServerEnded if a worker does not
    begin."""

    async def begin() -> None:
        for worker in workers:
            await worker.is_ready.wait()

    tasks = [asyncio.create_task(begin()), asyncio.create_task(stop.wait()), *keepers]
    try:
        done, _ = await asyncio.wait(
            tasks, timeout=_READY_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
    finally:
        for task in tasks[:2]:
            task.cancel()
    if not done:
        raise ServerEnded("worker_silent")
    for task in done:
        await task


def _worker(
    settings: Settings, sockets: Iterable[socket.socket], *, log_json: bool, counts: str
) -> Child:
    """Make a worker. counts: the folder where the workers count for /metrics."""
    files = [each.fileno() for each in sockets]
    words = ["--worker", ",".join(map(str, files))]
    environment = _differs_from_file(settings) | {
        f"{_OF_PLATFORM}WORKERS": "1",
        FOLDER_VARIABLE: counts,
    }

    def on_end(process_id: int) -> None:
        worker_ended(process_id, counts)

    return Child(settings.data, words, environment, files=files, log_json=log_json, on_end=on_end)


def _differs_from_file(settings: Settings) -> dict[str, str]:
    """Return the command line's settings as variables. A worker reads files and variables itself,
    so that a password from a file reaches neither an environment nor the list of processes."""
    plain, hosting = load(settings.data).platform_server, settings.platform_server
    return {
        f"{_OF_PLATFORM}{name.upper()}": value if isinstance(value, str) else dumps(value)
        for name, value in hosting.values().items()
        if value != getattr(plain, name)
    }


class Child:
    """A process of the platform that its parent keeps running, and that ends with it. words,
    environment: the words and variables of this process, beside those of all processes. files:
    descriptors that it inherits. on_end: called with the id of the ended process."""

    def __init__(
        self,
        data: Path,
        words: Iterable[str],
        environment: Mapping[str, str],
        *,
        files: Sequence[int] = (),
        log_json: bool,
        on_end: Callable[[int], None] | None = None,
    ) -> None:
        self._files = files
        self._on_end = on_end
        self._words = ["platform", "--data", str(data), *words]
        self._words += ["--log-json"] if log_json else []
        self._environment = os.environ | environment
        self.is_ready = asyncio.Event()

    async def run(self, stop: asyncio.Event, *, must_begin: bool = True) -> None:
        """Run the child until `stop`, and again whenever it ends; not again once it would be of
        another version. Raises ServerEnded if it must begin and never did."""
        while not stop.is_set():
            await self._run_once(stop)
            if stop.is_set():
                return
            if must_begin and not self.is_ready.is_set():
                installed.check_own()
                raise ServerEnded("worker")
            await SystemClock().pause(_AGAIN_MS, until=stop)
            if await asyncio.to_thread(installed.is_replaced):
                _log.error(
                    "a process of the platform ended and is not started again: another version of"
                    " the program was installed; start the platform anew"
                )
                return
            _log.warning("a process of the platform ended and is started again")

    async def _run_once(self, stop: asyncio.Event) -> None:
        process = await asyncio.create_subprocess_exec(
            *installed.command(),
            *self._words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=self._environment,
            pass_fds=self._files,
        )
        stopping = asyncio.create_task(stop.wait())
        ended = asyncio.create_task(self._ended(process))
        try:
            await asyncio.wait({stopping, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    process.terminate()
            await ended

    async def _ended(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        if await process.stdout.readline():
            if await asyncio.to_thread(installed.is_replaced):  # meanwhile: it may be of both
                process.terminate()
            else:
                self.is_ready.set()
        await process.stdout.read()
        await process.wait()
        if self._on_end is not None:
            self._on_end(process.pid)
