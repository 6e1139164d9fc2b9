"""Runs synchronisations as children of the till, or of a server without a till: at its start, every
few minutes, and on demand; between two runs it brings the photos of visible products.

Each is `pos-app sync --log-json`: lines of JSON on standard output, its log on standard error. A
run writes its results into the catalogue, where the till reads them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pos_app import installed, log
from pos_app.adapters.clock import SystemClock
from pos_app.domain.receipt.server_status import Synchronisation, SyncState
from pos_app.errors import MachineError
from pos_app.selling.synchronisation.run import SyncEnd, SyncProgress

MINUTE_SECONDS = 60.0
_STOP_SECONDS = 5.0
_COLLECT_SECONDS = 0.3
"""The time after the first missing picture, so that the screen's others come with it."""
_MOST_WANTED = 200
_BUSY_SECONDS = 10.0
"""The pause before the next try if another program's run on the same data is under way."""
_STATES = {
    SyncEnd.DONE: SyncState.DONE,
    SyncEnd.WAITING: SyncState.TO_DECIDE,
    SyncEnd.AWAY: SyncState.AWAY,
}
"""The state after each end of a run. All other ends mean FAILED."""
_ENDS = frozenset(SyncEnd)

_log = log.get(__name__)


class SyncProcess:
    """Runs synchronisations until `run` ends. minutes: between two runs; with 0 only the first run
    and requested runs are made.

    has_platform: without a platform the first run waits for a request, which comes when a platform
    was set up. first_seconds: the time until the first run. Till and server may both synchronise
    the same data: each waits for the end of the other's run.
    """

    def __init__(
        self, *, data: Path, minutes: int, has_platform: bool = True, first_seconds: float = 0.0
    ) -> None:
        self._data = data
        self._first_seconds = first_seconds
        self._has_platform = has_platform
        self._seconds: float | None
        self.every(minutes)
        self._asked = asyncio.Event()
        self._seen = asyncio.Event()
        self._child: subprocess.Popen[bytes] | None = None
        self._progress: SyncProgress | None = None
        self._refused = ("", "")
        self._outcome = Synchronisation()
        self._wanted: dict[str, None] = {}
        self._brought: set[str] = set()

    @property
    def progress(self) -> SyncProgress | None:
        return self._progress

    @property
    def outcome(self) -> Synchronisation:
        """The outcome of the last run; runs of other programs, and pictures, do not count."""
        return self._outcome

    def ask(self) -> None:
        self._asked.set()

    def every(self, minutes: int) -> None:
        self._seconds = minutes * MINUTE_SECONDS or None

    def want_picture(self, product_id: str) -> None:
        if product_id not in self._brought and product_id not in self._wanted:
            if len(self._wanted) >= _MOST_WANTED:  # the product seen longest ago is dropped
                self._wanted.pop(next(iter(self._wanted)))
            self._wanted[product_id] = None
            self._seen.set()

    async def run(self) -> None:
        """Make one run after the other until cancelled, which ends the child."""
        try:
            if not self._has_platform:
                await self._asked.wait()
                self._asked.clear()
            await asyncio.sleep(self._first_seconds)
            while True:
                end = await self._run()
                self._brought.clear()  # missing photos are asked for again
                if end is SyncEnd.BUSY:
                    await self._pictures_until_next(_BUSY_SECONDS)
                    continue
                self._note(end)
                await self._pictures_until_next(self._seconds)
        finally:
            await self._stop()

    def _note(self, end: SyncEnd) -> None:
        now, state = SystemClock().now(), _STATES.get(end, SyncState.FAILED)
        is_answered = end in (SyncEnd.DONE, SyncEnd.WAITING)
        code, words = ("", "") if is_answered else self._refused
        self._outcome = Synchronisation(
            state=state,
            at=now,
            done_at=now if is_answered else self._outcome.done_at,
            code=code,
            words=words,
        )

    async def _pictures_until_next(self, seconds: float | None) -> None:
        """Bring the photos of visible products, until the next run is due or requested. A fetch
        under way when the run is due is dropped: the photo is requested again when painted."""
        asked = asyncio.ensure_future(self._asked.wait())
        try:
            async with asyncio.timeout(seconds):
                while not asked.done():
                    seen = asyncio.ensure_future(self._seen.wait())
                    try:
                        await asyncio.wait({asked, seen}, return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        seen.cancel()
                    if self._seen.is_set():
                        await asyncio.sleep(_COLLECT_SECONDS)
                        await self._bring()
        except TimeoutError:
            await self._stop()
        finally:
            asked.cancel()
            self._asked.clear()

    async def _bring(self) -> None:
        wanted = list(self._wanted)
        self._wanted.clear()
        self._seen.clear()
        self._brought.update(wanted)
        await self._run("--pictures", data=json.dumps(wanted).encode() + b"\n")

    async def _run(self, *arguments: str, data: bytes = b"") -> SyncEnd:
        self._refused = ("", "")
        try:
            installed.check_own()
            child = self._start(arguments, data)
        except MachineError as error:
            _log.warning("no synchronisation is started: %s", error.what)
            self._refused = (error.code, error.what)
            return SyncEnd.FAILED
        except OSError as error:
            _log.error("a synchronisation can't be started: %s", error)
            return SyncEnd.FAILED
        self._child = child
        loop = asyncio.get_running_loop()
        # The thread reads until the child's end, which `_stop` causes when this is cancelled.
        status = await asyncio.shield(loop.run_in_executor(None, self._follow, child))
        self._progress = self._child = None
        _log.info("a synchronisation ended", extra={"fields": {"status": status}})
        return SyncEnd(status) if status in _ENDS else SyncEnd.FAILED

    def _start(self, arguments: Sequence[str], data: bytes) -> subprocess.Popen[bytes]:
        log_file = self._data / "logs" / "sync.log"
        log_file.parent.mkdir(parents=True, exist_ok=True)
        options: dict[str, object] = {"start_new_session": True}
        if sys.platform == "win32":
            options = {"creationflags": subprocess.CREATE_NO_WINDOW}
        with log_file.open("a+b") as errors:
            log.keep_newest(errors.fileno())
            program = (*installed.command(), "sync", *arguments)
            child: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]
                (*program, "--data", str(self._data), "--log-json"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
                **options,
            )
        assert child.stdin is not None
        with contextlib.suppress(BrokenPipeError), child.stdin as asked:
            asked.write(data)
        return child

    def _follow(self, child: subprocess.Popen[bytes]) -> int:
        """Read the child's output until its end, in a thread, and return its exit status."""
        assert child.stdout is not None
        with child.stdout as lines:
            for text_line in lines:
                self._progress = _progress(text_line) or self._progress
                self._refused = _refused(text_line) or self._refused
        return child.wait()

    async def _stop(self) -> None:
        """End the child. Its commits stay; the next run continues from there."""
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


def _progress(text_line: bytes) -> SyncProgress | None:
    try:
        document = json.loads(text_line)
        return SyncProgress(str(document["step"]), int(document["done"]), int(document["of"]))
    except (ValueError, KeyError, TypeError):
        return None


def _refused(text_line: bytes) -> tuple[str, str] | None:
    """Return the fault in the line, as a code and in words, or None for any other line. A run that
    could not begin names no fault, so the code of its error stands for it."""
    try:
        document = json.loads(text_line)
        refused = document["refused"]
        return str(document.get("fault", refused["code"])), str(refused["what"])
    except (ValueError, KeyError, TypeError):
        return None
