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
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import apsw

from pos_app import __version__, log, settings
from pos_app.adapters.backup import sets
from pos_app.adapters.backup.making import ROOM, write_set
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS, MARK, OPENED_BY, opened_by
from pos_app.adapters.sqlite.copies import synchronise_folder
from pos_app.adapters.sqlite.copy_before_opening import MIGRATIONS, is_of_another_version
from pos_app.adapters.sqlite.database import open_database
from pos_app.adapters.sqlite.integrity import faults_of
from pos_app.adapters.sqlite.shop_databases import ShopDatabase, databases
from pos_app.domain.backup import BackupWhy
from pos_app.errors import (
    AlreadyRunning,
    DatabaseDamaged,
    DataFolderNotWritable,
    DiskFull,
    MachineError,
)

KEPT = 3
WAIT_SECONDS = 60.0
"""A program that starts waits so long for another's copy or backup, and then opens the shop."""
_PAUSE_SECONDS = 0.1
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
    copies. No program may run on the folder. Raises MachineError; everything is then as it was."""
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


def copy_once(data: Path) -> None:
    """Copy a shop that this version has not opened yet, unless it did so already. While another
    program makes a copy, this one waits for it, at most `WAIT_SECONDS`. Raises nothing: a log line
    tells why no copy could be made."""
    try:
        with _lock_of_copies(data):
            if not is_of_another_version(data) or _is_copied(data):
                return
            existing = [one for one in databases() if (data / one.path).exists()]
            copies = _copied(data, existing)
    except MachineError as error:
        _log.warning("no copy could be made before the upgrade: %s", error.what)
        return
    _log.info("the shop was copied before the upgrade", extra={"fields": {"copies": copies}})
    _forget_older(data)


def _lock_of_copies(data: Path) -> FolderLock:
    """Take the lock under which copies are made. Raises AlreadyRunning, DataFolderNotWritable."""
    until = time.monotonic() + WAIT_SECONDS
    is_told = False
    while True:
        try:
            return FolderLock(data / sets.LOCK, what="backup")
        except AlreadyRunning:
            if time.monotonic() >= until:
                raise
        if not is_told:
            _log.info("another program copies the shop, and this one waits before it opens it")
            is_told = True
        time.sleep(_PAUSE_SECONDS)


def _is_copied(data: Path) -> bool:
    """Tell whether this version has a whole copy, and no version noted since then that it opened
    the databases. So there is one copy, though a second program starts before the first one has
    noted its version, or though no program can note it."""
    noted = _noted(data)
    return any(
        manifest.why is BackupWhy.UPGRADE
        and manifest.version == __version__
        and _noted(copies) == noted
        and all((copies / name).exists() for name in MIGRATIONS if manifest.has(name))
        for copies, manifest in sets.sets_in(data / BACKUPS)
    )


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


def _copied(data: Path, found: Sequence[ShopDatabase]) -> Path:
    """Make the set with a checked copy of each database, and of the small files. Raises DiskFull,
    DatabaseDamaged, DataFolderNotWritable; nothing is left behind then."""
    sets.clear_drafts(data / BACKUPS)
    _check_room(data, found)
    copies = write_set(data, BackupWhy.UPGRADE, _new_folder(data))
    with suppress(OSError):
        shutil.copy2(data / OPENED_BY, copies / OPENED_BY)  # with its time (`_is_copied`)
    return copies


def _drop(copies: Path) -> None:
    """Remove a folder of copies, and the folder of all copies where it was the only one."""
    shutil.rmtree(copies, ignore_errors=True)
    with suppress(OSError):
        copies.parent.rmdir()


def _check_room(data: Path, found: Sequence[ShopDatabase]) -> None:
    """Raise DiskFull where the copies have no room, also without the oldest of `KEPT`."""
    sizes = [_size(data / one.path) for one in found]
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
    for folder in sorted(made, key=lambda one: made[one].made_at)[:-kept]:
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
