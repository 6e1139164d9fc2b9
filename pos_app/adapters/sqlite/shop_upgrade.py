"""Brings a shop's databases to this version, or puts them back as they were.

`backups/before-VERSION/` is a backup like any other (`adapters.backup.sets`), made before anything
is changed; the last three of these are kept. `backups/under-way.json` is there from the first
change to the last check: the next run that finds it puts the copies back first. A program that
opens the databases meanwhile removes it (`upgrade_mark`): no copy may overwrite its writes.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import apsw

from pos_app import __version__, log, settings
from pos_app.adapters.backup import sets
from pos_app.adapters.backup.making import ROOM, ProgressReport, no_report, write_set
from pos_app.adapters.data_folder.lock import FolderLock, lock_within
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS, MARK, OPENED_BY, opened_by
from pos_app.adapters.sqlite.copies import synchronise_folder
from pos_app.adapters.sqlite.copy_before_opening import (
    EARLIER,
    MIGRATIONS,
    is_of_another_version,
    version_at,
)
from pos_app.adapters.sqlite.database import FileVersion, open_database
from pos_app.adapters.sqlite.integrity import faults_of
from pos_app.adapters.sqlite.shop_databases import ShopDatabase, databases
from pos_app.domain.setup.backup import BackupWhy
from pos_app.errors import (
    DatabaseDamaged,
    DatabaseTooNew,
    DataFolderNotWritable,
    DiskFull,
    MachineError,
)

KEPT = 3
WAIT_SECONDS = 60.0
"""A program that starts waits so long for another's copy or backup, and then opens the shop."""
_BESIDE = (settings.FILE_NAME, "client.json")
_LOGS = ("-wal", "-shm")

_log = log.get(__name__)


def put_back_broken_off(data: Path) -> None:
    """Put everything back as it was before an interrupted upgrade. No program may run on the
    folder. Raises DataFolderNotWritable."""
    if (mark := _mark(data)) is not None:
        _log.warning("an upgrade was broken off: the copies are put back first")
        _put_back(data, data / BACKUPS / mark["copies"])


def bring_to_this_version(data: Path, databases: Sequence[ShopDatabase]) -> Path:
    """Copy these existing databases, bring them to this version, and return the folder of the
    copies. No program may run on the folder. Raises MachineError; everything is then as it was, and
    no copy is made for DatabaseTooNew."""
    for one in databases:
        if version_at(data / one.path, one.migrations) is FileVersion.NEWER:
            raise DatabaseTooNew("database", path=str(data / one.path))
    copies = _copied(data, databases)
    try:
        write_private(data / MARK, json.dumps({"copies": copies.name}).encode())
        for one in databases:
            _bring(data / one.path, one)
    except BaseException:
        _put_back(data, copies)
        raise
    (data / MARK).unlink()
    _forget_older(data)
    return copies


def copy_once(data: Path, *, report_progress: ProgressReport = no_report) -> MachineError | None:
    """Copy a shop that this version has not opened yet, unless it did so already. While another
    program makes a copy, this one waits for it, at most `WAIT_SECONDS`. Raises nothing: a log line
    tells why no copy could be made, and the error is returned."""
    try:
        with _lock_of_copies(data):
            if not is_of_another_version(data) or is_copied(data):
                return None
            existing = [one for one in databases() if (data / one.path).exists()]
            size = sum(_size(data / one.path) for one in existing) >> 20
            _log.info("the shop is copied before the upgrade", extra={"fields": {"mb": size}})
            copies = _copied(data, existing, report_progress)
    except MachineError as error:
        _log.warning("no copy could be made before the upgrade: %s", error.what)
        return error
    _log.info("the shop was copied before the upgrade", extra={"fields": {"copies": copies}})
    _forget_older(data)
    return None


def _lock_of_copies(data: Path) -> FolderLock:
    """Take the lock under which copies are made. Raises AlreadyRunning, DataFolderNotWritable."""
    words = "another program copies the shop, and this one waits before it opens it"
    return lock_within(
        data / sets.LOCK, what="backup", seconds=WAIT_SECONDS, on_wait=lambda: _log.info(words)
    )


def is_copied(data: Path) -> bool:
    """Tell whether this version has a whole copy that nothing has outdated. So there is one copy,
    though a second program starts before the first one has noted its version, though no program can
    note it, or though the first one opened only a part of the databases."""
    return any(
        manifest.why is BackupWhy.UPGRADE
        and manifest.version == __version__
        and all((copies / name).exists() for name in MIGRATIONS if manifest.has(name))
        and (_noted(copies) == _noted(data) or _holds_all_earlier(copies, manifest, data))
        for copies, manifest in sets.sets_in(data / BACKUPS)
    )


def _holds_all_earlier(copies: Path, manifest: sets.Manifest, data: Path) -> bool:
    """Tell whether this version opened databases since it made the copy, no other version did, and
    those that still lack migrations were not written since."""
    earlier = [name for name in MIGRATIONS if version_at(data / name, MIGRATIONS[name]) in EARLIER]
    return opened_by(data) == __version__ != opened_by(copies) and all(
        manifest.has(name) and _written_at(data / name) <= manifest.made_at.timestamp()
        for name in earlier
    )


def _written_at(path: Path) -> float:
    """Return when a database was written last, in seconds. An empty log does not count, because a
    reader makes one."""
    found = [one.stat() for one in (path, path.with_name(f"{path.name}-wal")) if one.exists()]
    return max(one.st_mtime for one in found if one.st_size)


def _noted(folder: Path) -> tuple[str, int] | None:
    """Return the version that opened the databases of this folder last, and when it noted that, in
    nanoseconds; None where it is not known."""
    version = opened_by(folder)
    try:
        return (version, (folder / OPENED_BY).stat().st_mtime_ns) if version else None
    except OSError:
        return None


def _mark(data: Path) -> dict[str, str] | None:
    """Return the mark of an interrupted upgrade, when its copies exist."""
    try:
        document = json.loads((data / MARK).read_bytes())
        whole = sets.manifest_of(data / BACKUPS / document["copies"]) is not None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return document if whole else None


# --- the copies ----------------------------------------------------------------------------------


def _copied(
    data: Path, databases: Sequence[ShopDatabase], report_progress: ProgressReport = no_report
) -> Path:
    """Make the set with a checked copy of each database, and of the small files. Raises DiskFull,
    DatabaseDamaged, DataFolderNotWritable; nothing is left behind then."""
    sets.clear_drafts(data / BACKUPS)
    _check_room(data, databases)
    copies = write_set(data, BackupWhy.UPGRADE, _new_folder(data), report_progress=report_progress)
    with suppress(OSError):
        shutil.copy2(data / OPENED_BY, copies / OPENED_BY)  # with its time (`is_copied`)
    return copies


def _drop(copies: Path) -> None:
    """Remove a folder of copies, and the folder of all copies where it was the only one."""
    shutil.rmtree(copies, ignore_errors=True)
    with suppress(OSError):
        copies.parent.rmdir()


def _check_room(data: Path, databases: Sequence[ShopDatabase]) -> None:
    """Raise DiskFull where the copies have no room, also without the oldest of `KEPT`."""
    sizes = [_size(data / one.path) for one in databases]
    wanted = sum(sizes) + max(sizes) + ROOM
    if shutil.disk_usage(data).free < wanted:
        _forget_older(data, kept=KEPT - 1)
    if (free := shutil.disk_usage(data).free) < wanted:
        raise DiskFull("upgrade_room", free=free >> 20, wanted=(wanted >> 20) + 1)


def _size(path: Path) -> int:
    both = (path, path.with_name(f"{path.name}-wal"))
    return sum(one.stat().st_size for one in both if one.exists())


def _new_folder(data: Path) -> Path:
    """Return a new folder: another run of the same version overwrites nothing of an earlier one."""
    name = f"before-{__version__}"
    taken = [one.name.removeprefix(name) for one in (data / BACKUPS).glob(f"{name}*")]
    numbers = [int(rest[1:] or "1") for rest in taken if re.fullmatch(r"(-\d{1,9})?", rest)]
    number = max(numbers, default=0) + 1
    return data / BACKUPS / (name if number == 1 else f"{name}-{number}")


def _forget_older(data: Path, *, kept: int = KEPT) -> None:
    """Throw away all but the last folders of copies; one that can't be removed stays."""
    made = {
        path: manifest
        for path, manifest in sets.sets_in(data / BACKUPS)
        if manifest.why is BackupWhy.UPGRADE
    }
    for folder in sorted(made, key=lambda copy: made[copy].made_at)[:-kept]:
        sets.throw_away(folder)


# --- to this version, or back --------------------------------------------------------------------


def _bring(path: Path, database: ShopDatabase) -> None:
    """Carry out the missing migrations, and read the file whole. Raises MachineError."""
    connection = open_database(
        path, migrations=database.migrations, contents=database.contents, durable=True
    )
    with closing(connection):
        try:
            found = faults_of(connection)
        except apsw.Error as error:
            found = [str(error)]
        if found:
            raise DatabaseDamaged("before_upgrade", path=str(path), found=found[0])


def _put_back(data: Path, copies: Path) -> None:
    """Move the copies to their original paths. It needs no room, and the next run continues an
    interrupted one. Raises DataFolderNotWritable."""
    manifest = sets.manifest_of(copies)
    names = [one.path for one in databases() if manifest is not None and manifest.has(one.path)]
    try:
        for name in names:
            path = data / name
            if not (copy := copies / name).exists():
                continue  # it was moved already
            for one in _LOGS:
                path.with_name(f"{path.name}{one}").unlink(missing_ok=True)
            copy.replace(path)
        for beside in _BESIDE:
            if (copies / beside).exists():
                (copies / beside).replace(data / beside)
        (data / MARK).unlink(missing_ok=True)
        _drop(copies)
    except OSError as error:
        raise DataFolderNotWritable.of(data, error) from error
    for folder in {data, *((data / name).parent for name in names)}:
        synchronise_folder(folder)
