"""Keeps in `witness.json`, outside the journal's folder, how far the journal had come. The file
names the computer too, so that a copy of the folder on another computer is noticed.

The file is never ahead of the journal, because everything in it was committed before.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from pos_app import log
from pos_app.adapters.data_folder.private_files import read_again
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.errors import DataFolderNotWritable, DiskFailed, MachineError
from pos_app.fiscalization.outcomes.restore_detection import LastSeen
from pos_app.fiscalization.ports import Restores
from pos_app.fiscalization.startup_recovery import Recovery

KEEP_EACH_SECONDS = 2.0
WITNESS = "witness.json"
_DAMAGE = (OSError, ValueError, KeyError, TypeError, RecursionError)
_UNREAD = (DiskFailed, DataFolderNotWritable)
_log = log.get(__name__)


class WitnessFile:
    def __init__(self, folder: Path, *, machine: str) -> None:
        self._path = folder / WITNESS
        self._machine = machine
        self._remembered: tuple[JournalMark, str | None] | None = None
        self._writing = threading.Lock()

    def read(self) -> LastSeen | None:
        """Read what was kept last, or None where there is no readable file."""
        try:
            return self._read()
        except FileNotFoundError:
            return None
        except (*_DAMAGE, *_UNREAD) as error:
            _log.error("the witness of the journal can't be read: %s", error)
            return None

    def is_damaged(self) -> bool:
        """Tell whether an existing file makes no sense. Raises DiskFailed,
        DataFolderNotWritable."""
        try:
            self._read()
        except FileNotFoundError:
            return False
        except _DAMAGE:
            return True
        return False

    def _read(self) -> LastSeen:
        members = json.loads(read_again(self._path))
        value = members["journal"]
        tip = JournalMark(str(value["id"]), int(value["rows"]), str(value["hash"]))
        epoch = members["epoch"]
        return LastSeen(tip, None if epoch is None else str(epoch), str(members["machine"]))

    def save(self, tip: JournalMark, epoch: str | None) -> None:
        """Keep the mark, if it moved. A mark that can't be written now does not stop sales. epoch:
        the epoch of the journal's last restore."""
        with self._writing:  # a thread that nobody awaits any more may still write
            self._save(tip, epoch)

    def _save(self, tip: JournalMark, epoch: str | None) -> None:
        if (tip, epoch) == self._remembered:
            return
        members = {
            "journal": {"id": tip.id, "rows": tip.rows, "hash": tip.hash},
            "epoch": epoch,
            "machine": self._machine,
        }
        draft = self._path.with_suffix(".new")
        try:
            file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "wb") as out:
                out.write(json.dumps(members).encode())
                out.flush()
                os.fsync(out.fileno())
            draft.replace(self._path)
        except OSError as error:
            _log.warning("the witness of the journal can't be kept: %s", error)
            return
        self._remembered = tip, epoch


@asynccontextmanager
async def witnessed(
    file: WitnessFile, restores: Restores, recovery: Recovery
) -> AsyncIterator[None]:
    """Keep the file's mark of the journal up to date while inside, and at the end. The mark that
    the file had at the start is not replaced before the recovery has acted on it."""
    # A thread of its own: where the loop's threads are at work, the loop would begin one more.
    thread = ThreadPoolExecutor(1, thread_name_prefix="witness")
    keeping = asyncio.create_task(
        recovery.before(lambda: _save_again_and_again(file, restores, thread))(),
        name="witness of the journal",
    )
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)
        if recovery.is_settled:
            await _remember(file, restores, thread)
        thread.shutdown(wait=False)


async def _save_again_and_again(file: WitnessFile, restores: Restores, thread: Executor) -> None:
    while True:
        await _remember(file, restores, thread)
        await asyncio.sleep(KEEP_EACH_SECONDS)


async def _remember(file: WitnessFile, restores: Restores, thread: Executor) -> None:
    try:
        tip, epoch = restores.tip, restores.last_epoch()
        await asyncio.get_running_loop().run_in_executor(thread, file.save, tip, epoch)
    except MachineError as error:
        _log.error("the journal can't be witnessed now: %s", error.what)
