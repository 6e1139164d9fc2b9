"""The sets of copies. Each is a folder, laid out as a data folder, with `set.json`, which names its
files.

    backups/2026-11-24-0531-07/      made by hand or each day; the newest are kept (`domain.backup`)
    backups/before-1.2.0/            made before an upgrade (`sqlite.shop_upgrade`)
    FOLDER/pos-app-1f2e3d4c/…        the same in a second folder, where each till has its own

A set is written as `NAME.part` and gets its name once all of it is on the disk, so that half a set
never counts. A set has neither the installation's token, nor the key of sealed secrets, secrets in
plain text, logs, or files that are made again (the list of receipts, receipts that were shown).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from pos_app import log, wire
from pos_app.adapters.data_folder.install import known_install
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.data_folder.upgrade_mark import BACKUPS
from pos_app.adapters.sqlite.copies import synchronise_folder
from pos_app.domain.setup import backup
from pos_app.domain.text.instant import in_belgrade
from pos_app.errors import Invalid, MachineError
from pos_app.lazy_dataclass import dataclass

MANIFEST = "set.json"
PART = ".part"
LOCK = Path("journal", "backup.lock")
"""Held while a set is made or put back."""
LAST_TRY = BACKUPS / "last-try.json"
_FORMAT = 1
_AT_ONCE = 1 << 20
_DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, Invalid)

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class SetFile:
    """A file of a set. name: its path within the set, with "/"."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """`set.json`. install_id, till_id, environment: identify the owner. shop: the till's name."""

    version: str
    made_at: datetime
    why: backup.BackupWhy
    install_id: str
    till_id: str
    environment: str
    shop: str
    files: tuple[SetFile, ...]
    holds: backup.SetHolds | None = None

    @property
    def size(self) -> int:
        return sum(one.size for one in self.files)

    def has(self, name: Path) -> bool:
        return any(one.name == name.as_posix() for one in self.files)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `set.json`. Raises DataFolderNotWritable."""
    members: Any = wire.records.to_json(Manifest, manifest)
    values = {"format": _FORMAT, **members}
    write_private(folder / MANIFEST, json.dumps(values, ensure_ascii=False, indent=1).encode())


def manifest_of(folder: Path) -> Manifest | None:
    """Read a folder's `set.json`; None where it is no whole set, or has a newer format."""
    try:
        document = json.loads((folder / MANIFEST).read_bytes())
        if document.pop("format") != _FORMAT or folder.name.endswith(PART):
            return None
        manifest = wire.records.from_json(Manifest, document)
    except _DAMAGE as error:
        if not isinstance(error, FileNotFoundError):
            _log.warning("%s can't be read: %s", folder / MANIFEST, error)
        return None
    # A set that names a file outside its folder does not count.
    paths = [PurePosixPath(one.name) for one in manifest.files]
    leads_out = any(path.is_absolute() or ".." in path.parts or ":" in str(path) for path in paths)
    return None if leads_out else manifest


def name_of(made_at: datetime) -> str:
    """Return the name of a new set: the time it was made, in Belgrade."""
    return in_belgrade(made_at).strftime("%Y-%m-%d-%H%M%S")


# --- where they are ------------------------------------------------------------------------------


def second_folder(data: Path, folder: str) -> Path | None:
    """Return the folder of this till's sets in the second folder. It returns None without a second
    folder, or before there is a till. Raises SettingsBroken."""
    install = known_install(data)
    if not folder or install is None:
        return None
    return data / folder / f"pos-app-{install.till_id[:8]}"


def found_sets(data: Path, folder: str) -> tuple[backup.BackupSet, ...]:
    """Return this till's whole sets, the newest first; none of an unreachable folder. Raises
    nothing."""
    folders = [(data / BACKUPS, False)]
    with suppress(MachineError):
        if (second := second_folder(data, folder)) is not None:
            folders.append((second, True))
    found = [
        backup.BackupSet(
            path.name,
            str(path),
            manifest.made_at,
            manifest.why,
            manifest.version,
            manifest.size,
            manifest.holds,
            is_second,
        )
        for parent, is_second in folders
        for path, manifest in sets_in(parent)
    ]
    return tuple(
        sorted(
            found,
            key=lambda backup_set: (backup_set.made_at, not backup_set.is_second),
            reverse=True,
        )
    )


def sets_in(path: Path) -> Iterator[tuple[Path, Manifest]]:
    try:
        folders = sorted(one for one in path.iterdir() if one.is_dir())
    except OSError:
        return
    for folder in folders:
        if (manifest := manifest_of(folder)) is not None:
            yield folder, manifest


def newest(data: Path, *, until: datetime | None = None) -> datetime | None:
    """Return when the newest set in the data folder was made. until: later sets don't count,
    because a clock that was ahead made them."""
    made = [manifest.made_at for _, manifest in sets_in(data / BACKUPS)]
    return max((one for one in made if until is None or one <= until), default=None)


# --- made and thrown away ------------------------------------------------------------------------


def free_name(path: Path) -> Path:
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found


def give_name(draft: Path, folder: Path) -> None:
    """Give a whole draft its name. Raises OSError."""
    for subfolder in {path.parent for path in draft.rglob("*")}:
        synchronise_folder(subfolder)
    draft.rename(folder)
    synchronise_folder(folder.parent)


def clear_drafts(folder: Path) -> None:
    """Remove the drafts of an interrupted run, while LOCK is held."""
    with suppress(OSError):
        for one in folder.glob(f"*{PART}"):
            shutil.rmtree(one, ignore_errors=True)


def forget_older(folder: Path) -> None:
    """Throw away older sets, as far as possible. An upgrade throws its own away."""
    made = {
        path: manifest.made_at
        for path, manifest in sets_in(folder)
        if manifest.why != backup.BackupWhy.UPGRADE
    }
    kept = backup.to_keep(made.values())
    for path, moment in made.items():
        if moment not in kept:
            throw_away(path)


def throw_away(folder: Path) -> None:
    """Make the set a draft first: half a set never looks whole, and what a kill leaves of it is
    removed with the other drafts."""
    with suppress(OSError):
        shutil.rmtree(folder.rename(folder.with_name(f"{folder.name}{PART}")), ignore_errors=True)


def hashed(path: Path, name: str, *, count_bytes: Callable[[int], None]) -> SetFile:
    """Return the manifest's entry for a file of a set. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while read := file.read(_AT_ONCE):
            digest.update(read)
            size += len(read)
            count_bytes(len(read))
    return SetFile(name, size, digest.hexdigest())


def copied(source: Path, target: Path, name: str, *, count_bytes: Callable[[int], None]) -> SetFile:
    """Copy a file to the disk, and return its entry. Raises OSError."""
    digest, size = hashlib.sha256(), 0
    target.parent.mkdir(parents=True, exist_ok=True)
    with source.open("rb") as file, target.open("xb") as out:
        while read := file.read(_AT_ONCE):
            digest.update(read)
            out.write(read)
            size += len(read)
            if size % (8 * _AT_ONCE) == 0:
                out.flush()
                os.fsync(out.fileno())
            count_bytes(len(read))
        out.flush()
        os.fsync(out.fileno())
    return SetFile(name, size, digest.hexdigest())


def faults_of_set(
    folder: Path, manifest: Manifest, *, count_bytes: Callable[[int], None] = lambda _: None
) -> list[str]:
    """Return a sentence for each file that differs from the manifest. Raises OSError."""
    found = []
    for one in manifest.files:
        try:
            here = hashed(folder / one.name, one.name, count_bytes=count_bytes)
        except FileNotFoundError:
            found.append(f"{one.name} is missing")
            continue
        if here != one:
            found.append(f"{one.name} is not what was written")
    return found


# --- how the last attempt ended ------------------------------------------------------------------


def keep_last_try(data: Path, last_try: backup.LastTry) -> None:
    """Keep the outcome of the last attempt. Raises DataFolderNotWritable."""
    (data / BACKUPS).mkdir(parents=True, exist_ok=True)
    members: Any = wire.records.to_json(backup.LastTry, last_try)
    write_private(data / LAST_TRY, json.dumps(members, ensure_ascii=False).encode())


def last_try(data: Path) -> backup.LastTry | None:
    try:
        return wire.records.from_json(backup.LastTry, json.loads((data / LAST_TRY).read_bytes()))
    except _DAMAGE:
        return None
