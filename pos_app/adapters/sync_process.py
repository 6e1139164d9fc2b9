"""Synchronisations as child processes of the till: when it opens, every few minutes, on demand.

Each is `pos-app sync --log-json`: lines of JSON on standard output, its log on standard error.
What a run found out it writes into the catalogue, where the till reads it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

from pos_app import log
from pos_app.selling.synchronise import SyncProgress

_STOP_SECONDS = 5.0

_log = log.get(__name__)


class SyncProcess:
    """Runs them while `keep` runs. minutes: between two; 0: only the first and what is asked."""

    def __init__(self, *, data: Path, minutes: int) -> None:
        self._data = data
        self._seconds = minutes * 60.0 or None
        self._asked = asyncio.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._progress: SyncProgress | None = None

    @property
    def progress(self) -> SyncProgress | None:
        return self._progress

    def ask(self) -> None:
        self._asked.set()

    async def keep(self) -> None:
        """One run after the other until it is cancelled, which ends the child."""
        try:
            while True:
                self._asked.clear()
                await self._run()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._seconds):
                        await self._asked.wait()
        finally:
            await self._stop()

    async def _run(self) -> None:
        try:
            child = self._start()
        except OSError as error:
            _log.error("a synchronisation can't be started: %s", error)
            return
        self._child = child
        loop = asyncio.get_running_loop()
        # The thread reads until the child's end, which `_stop` brings about when this is cancelled.
        status = await asyncio.shield(loop.run_in_executor(None, self._follow, child))
        self._progress = self._child = None
        _log.info("a synchronisation ended", extra={"fields": {"status": status}})

    def _start(self) -> subprocess.Popen[bytes]:
        log_file = self._data / "logs" / "sync.log"
        log_file.parent.mkdir(parents=True, exist_ok=True)
        options: dict[str, object] = {"start_new_session": True}
        if sys.platform == "win32":
            options = {"creationflags": subprocess.CREATE_NO_WINDOW}
        with log_file.open("a+b") as errors:
            log.keep_newest(errors.fileno())
            return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
                (sys.executable, "-m", "pos_app", "sync", "--data", str(self._data), "--log-json"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
                **options,
            )

    def _follow(self, child: subprocess.Popen[bytes]) -> int:
        """In a thread: read what it prints until its end; its status."""
        assert child.stdout is not None
        with child.stdout as lines:
            for line in lines:
                self._progress = _progress(line) or self._progress
        return child.wait()

    async def _stop(self) -> None:
        """What was committed stays; the next run goes on from there."""
        child, self._child = self._child, None
        if child is None or child.poll() is not None:
            return
        child.terminate()
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(None, child.wait, _STOP_SECONDS)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _progress(line: bytes) -> SyncProgress | None:
    """How far it is, as the line says; None for any other line."""
    try:
        told = json.loads(line)
        return SyncProgress(str(told["step"]), int(told["done"]), int(told["of"]))
    except (ValueError, KeyError, TypeError):
        return None
