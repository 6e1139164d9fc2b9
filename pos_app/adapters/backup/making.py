"""Makes one set: SQLite's own copies of the databases as they are at one moment, and the small
files, without disturbing the programs that sell meanwhile.

Source: targets.md ("Backup").
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path

from pos_app import __version__, errors, log, settings
from pos_app.adapters.backup import sets
from pos_app.adapters.backup.contents import holds_of
from pos_app.adapters.backup.drive import missing_drive, remember_drive
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import CA, CATALOGUE, JOURNAL, TILL
from pos_app.adapters.data_folder.install import known_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS
from pos_app.adapters.sqlite import copies, faults
from pos_app.adapters.sqlite.shop_databases import add_missing_checksums
from pos_app.domain.setup.backup import BackupWhy, LastTry, SetHolds

ROOM = 256 * 1024 * 1024
"""Bytes that stay free beside a set: more than the till needs to sell."""
LEDGER = Path("processor", "ledger.db")
PHOTOS = CATALOGUE.parent / "files"
INSTALL = Path("install.json")
_ORDER = (TILL, JOURNAL, CATALOGUE)
"""The till is copied first: the journal then has the outcome of the till's last sales."""
_SMALL = (Path(settings.FILE_NAME), Path("client.json"), Path("secrets.sealed"), CA)
_NOT_OF_PROCESSOR = (LEDGER.name, "processor.lock")
_REST = 1.0
"""The rest after a step, as a multiple of the step's own time; it is at least a millisecond."""
_LONGEST_REST = 0.05

ProgressReport = Callable[[int, int], None]
"""Called with the number of bytes done, and of all bytes."""

_log = log.get(__name__)


def yield_to_others() -> None:
    """Give this process the machine only while no other process wants it."""
    if hasattr(os, "nice"):
        os.nice(15)
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415

        below_normal = 0x4000
        kernel = ctypes.windll.kernel32
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), below_normal)


class _Paced:
    """Reports how far the work is, and rests after each step."""

    def __init__(self, whole: int, report_progress: ProgressReport) -> None:
        self._whole, self._report_progress, self._done = whole, report_progress, 0
        self._since = time.monotonic()

    def __call__(self, size: int) -> None:
        self._done += size
        self._report_progress(min(self._done, self._whole), self._whole)
        took = time.monotonic() - self._since
        time.sleep(min(max(took * _REST, 0.001), _LONGEST_REST))
        self._since = time.monotonic()


def no_report(done: int, whole: int) -> None:
    """Report to nobody."""


def make_set(
    data: Path,
    why: BackupWhy,
    *,
    folder: str = "",
    shop: str = "",
    report_progress: ProgressReport = no_report,
    is_wanted: Callable[[], bool] = lambda: True,
) -> Path | None:
    """Make a set in the data folder, copy it into the second folder, and return its path. It
    returns None where `is_wanted` returns False once no other program can make a set.

    folder: the setting `backup.folder`. shop: the till's name. Older sets are thrown away once this
    one is whole. The outcome is kept (`sets.last_try`), also a failure of the second folder, which
    fails nothing else. Raises AlreadyRunning, NotFound where there is no shop, and MachineError;
    nothing is left behind then, and no earlier set is touched.
    """
    if not any((data / one).exists() for one in _ORDER):
        raise errors.NotFound("shop", data=data)
    with FolderLock(data / sets.LOCK, what="backup"):
        if not is_wanted():
            return None
        at = SystemClock().now()
        sets.clear_drafts(data / BACKUPS)
        try:
            _check_room(data)
            made = _made(
                data,
                why,
                data / BACKUPS / sets.name_of(at),
                at,
                shop=shop,
                report_progress=report_progress,
            )
        except errors.MachineError as error:
            _keep_try(data, LastTry(at, error))
            raise
        sets.forget_older(data / BACKUPS)
        second = _into_second(data, made, folder, report_progress)
        _keep_try(data, LastTry(at, second_words=second))
    _log.info("a backup was made: %s", made)
    return made


def _keep_try(data: Path, last_try: LastTry) -> None:
    try:
        sets.keep_last_try(data, last_try)
    except (errors.MachineError, OSError) as error:  # a full disk has no room for this either
        _log.warning("how a backup ended can't be kept: %s", error)


def write_set(
    data: Path,
    why: BackupWhy,
    folder: Path,
    *,
    shop: str = "",
    report_progress: ProgressReport = no_report,
) -> Path:
    """Make a set in `folder`, for a caller that holds all locks and checked the room. Raises
    MachineError; nothing is left then."""
    return _made(data, why, folder, SystemClock().now(), shop=shop, report_progress=report_progress)


def _made(
    data: Path,
    why: BackupWhy,
    folder: Path,
    at: datetime,
    *,
    shop: str,
    report_progress: ProgressReport,
) -> Path:
    folder = sets.free_name(folder)  # others may have been made within this second
    draft = folder.with_name(f"{folder.name}{sets.PART}")
    try:
        draft.mkdir(parents=True)
        install = _owner(data)
        files, holds = _written(data, draft, report_progress)
        manifest = sets.Manifest(
            __version__,
            at,
            why,
            install.get("install_id", ""),
            install.get("till_id", ""),
            install.get("environment", ""),
            shop,
            tuple(files),
            holds,
        )
        sets.write_manifest(draft, manifest)
        sets.give_name(draft, folder)
    except BaseException as error:
        shutil.rmtree(draft, ignore_errors=True)
        with suppress(OSError):
            draft.parent.rmdir()
        if isinstance(error, OSError):
            raise _unwritten(error, data / BACKUPS) from error
        raise
    return folder


def _unwritten(error: OSError, folder: Path) -> errors.MachineError:
    if error.errno in faults.NO_ROOM:
        return faults.disk_full(error)
    return (
        faults.disk_failed(error)
        if faults.is_of_disk(error)
        else errors.DataFolderNotWritable.of(folder, error)
    )


def _owner(data: Path) -> dict[str, str]:
    """Return the set's owner; nothing if it can't be read: the databases know it too."""
    try:
        install = known_install(data)
    except errors.MachineError as error:
        _log.warning("the backup has no identity: %s", error.what)
        return {}
    return {} if install is None else install.owner()


# --- what is in it -------------------------------------------------------------------------------


def _databases(data: Path) -> list[Path]:
    return [name for name in _ORDER if (data / name).exists()]


def _plain(data: Path) -> list[Path]:
    """Return the files that are copied as they are: small ones, what was kept of replaced
    databases, the processor's, and photos."""
    found = [name for name in _SMALL if (data / name).is_file()]
    for folder, pattern in ((TILL.parent, "till-kept-*.db"), (JOURNAL.parent, "*-kept-*.db")):
        found += [path.relative_to(data) for path in sorted((data / folder).glob(pattern))]
    if (data / LEDGER).exists():
        found += [
            path.relative_to(data)
            for path in sorted((data / LEDGER.parent).iterdir())
            if path.is_file() and not path.name.startswith(_NOT_OF_PROCESSOR)
        ]
    if (data / PHOTOS).is_dir():
        photos = sorted((data / PHOTOS).iterdir())
        found += [path.relative_to(data) for path in photos if not path.name.startswith(".")]
    return found


def _size(data: Path, names: Sequence[Path]) -> int:
    """Return the bytes of these files and of their logs. A vanished file counts as 0."""
    total = 0
    for name in names:
        for one in (data / name, (data / name).with_name(f"{name.name}-wal")):
            with suppress(OSError):
                total += one.stat().st_size
    return total


def _check_room(data: Path) -> None:
    names = [*_databases(data), *_plain(data), *([LEDGER] if (data / LEDGER).exists() else [])]
    wanted, free = _size(data, names) + ROOM, shutil.disk_usage(data).free
    if free < wanted:
        raise errors.DiskFull("backup_room", free=free >> 20, wanted=(wanted >> 20) + 1)


def _written(
    data: Path, draft: Path, report_progress: ProgressReport
) -> tuple[list[sets.SetFile], SetHolds | None]:
    names, plain = _databases(data), _plain(data)
    add_missing_checksums(data)
    has_ledger = (data / LEDGER).exists()
    # Each byte of a database is copied once and read once more.
    whole = 2 * _size(data, [*names, *([LEDGER] if has_ledger else [])]) + _size(data, plain)
    paced = _Paced(whole, report_progress)
    files: list[sets.SetFile] = []
    with ExitStack() as stack:
        readers = stack.enter_context(copies.held_readers([data / name for name in names]))
        by_name = dict(zip(names, readers, strict=True))
        # The processor is copied last: it may know more than the journal, and never less.
        ledger = stack.enter_context(copies.held_plain(data / LEDGER)) if has_ledger else None
        holds = holds_of(by_name)
        for name in names:
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            copies.copy_held(by_name[name], data / name, draft / name, between=paced)
            by_name[name].execute("COMMIT")
            files.append(sets.hashed(draft / name, name.as_posix(), count_bytes=paced))
        if ledger is not None:
            (draft / LEDGER).parent.mkdir(parents=True, exist_ok=True)
            copies.copy_plain(ledger, data / LEDGER, draft / LEDGER, between=paced)
            files.append(sets.hashed(draft / LEDGER, LEDGER.as_posix(), count_bytes=paced))
    for name in plain:
        with suppress(FileNotFoundError):  # a photo may have been thrown away meanwhile
            files.append(_taken(data / name, draft / name, name, paced))
    if identity := _owner(data):
        write_private(draft / INSTALL, json.dumps(identity, indent=2).encode())
        files.append(sets.hashed(draft / INSTALL, INSTALL.as_posix(), count_bytes=paced))
    return files, holds


def _taken(source: Path, target: Path, name: Path, paced: Callable[[int], None]) -> sets.SetFile:
    """Copy a file into the set; a photo, which never changes, is linked where a disk has links."""
    if name.parent == PHOTOS:
        with suppress(OSError):
            target.parent.mkdir(parents=True, exist_ok=True)
            os.link(source, target)
            return sets.hashed(target, name.as_posix(), count_bytes=paced)
        target.unlink(missing_ok=True)
    return sets.copied(source, target, name.as_posix(), count_bytes=paced)


# --- the second place ----------------------------------------------------------------------------


def _into_second(data: Path, made: Path, folder: str, report_progress: ProgressReport) -> str:
    """Copy the set into the second folder. It returns why that failed, or "" where it was done or
    there is no such folder. Older sets there are thrown away only afterwards."""
    draft: Path | None = None
    try:
        path = sets.second_folder(data, folder)
        if path is None:
            return ""
        if not path.parent.is_dir():
            return f"{path.parent} is not there"
        if (drive := missing_drive(data, path.parent)) is not None:
            return f"no drive is connected at {drive}"
        path.mkdir(exist_ok=True)
        sets.clear_drafts(path)
        manifest = sets.manifest_of(made)
        assert manifest is not None, "it was just made"
        draft = path / f"{made.name}{sets.PART}"
        paced = _Paced(manifest.size, report_progress)
        for one in manifest.files:
            if sets.copied(made / one.name, draft / one.name, one.name, count_bytes=paced) != one:
                return "what was copied is not what was read"
        sets.write_manifest(draft, manifest)
        sets.give_name(draft, path / made.name)
        sets.forget_older(path)
        remember_drive(data, path.parent)
    except (OSError, errors.MachineError) as error:
        _log.warning("a backup is not in the second place: %s", error)
        words = error.strerror if isinstance(error, OSError) else error.what
        return words or str(error)
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)
    return ""
