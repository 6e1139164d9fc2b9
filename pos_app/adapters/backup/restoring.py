"""Puts a set back: its files replace those of the data folder, which are set aside.

First the whole set is copied beside the files and read there, then a mark is written, then files
are renamed, which needs no room and can be continued from any step: a program that starts and finds
the mark continues first. No replaced file is deleted: it is moved to `backups/set-aside-…`.

The journal is marked as put back before it is put there, so that nothing old is sent without being
looked up (exactly-once.md, "Restores"); the till learns of that when it asks its server. The key of
sealed secrets and the installation's token are in no set, so the data folder keeps its own.
"""

from __future__ import annotations

import json
import secrets
import shutil
import tomllib
from collections.abc import Callable, Collection, Iterable
from contextlib import closing, nullcontext
from datetime import datetime
from pathlib import Path

from pos_app import errors, log, settings
from pos_app.adapters.backup import sets
from pos_app.adapters.backup.contents import lacking_with, without_first_manager, without_setting_up
from pos_app.adapters.backup.making import INSTALL, PHOTOS
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import CA, CATALOGUE, JOURNAL, TILL
from pos_app.adapters.data_folder.first_start_file import NAME as FIRST_START
from pos_app.adapters.data_folder.install import Install, known_install
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.data_folder.upgrade_mark import ASIDE, BACKUPS, RESTORE_MARK
from pos_app.adapters.secrets.keepers import keepers
from pos_app.adapters.secrets.sealed_file import FILE_NAME as SEALED
from pos_app.adapters.secrets.sealed_file import SealedFile
from pos_app.adapters.sqlite import faults
from pos_app.adapters.sqlite.checksums import with_checksums
from pos_app.adapters.sqlite.copies import synchronise, synchronise_folder
from pos_app.adapters.sqlite.database import open_database
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.shop_databases import databases
from pos_app.adapters.sqlite.till.people import ActTable
from pos_app.adapters.sqlite.till.unsent import take_along
from pos_app.domain.receipt.states import RestoreFound
from pos_app.domain.setup.backup import Lacking, Outlook
from pos_app.domain.text.instant import in_belgrade
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.backups import AskedBack
from pos_app.selling.people.acts import AtTheTill, NotedAct

ROOM = 64 * 1024 * 1024
_STAGED = "putting-back"
_LOGS = ("", "-wal", "-shm", "-journal")
_CLIENT, _SETTINGS = Path("client.json"), Path(settings.FILE_NAME)
_SMALL = (INSTALL, _CLIENT, _SETTINGS, CA)
_DATABASES = (JOURNAL, TILL, CATALOGUE)
_LAST_GOOD = Path(settings.LAST_GOOD)
_MEMORY = (Path("witness.json"), Path(FIRST_START))
_WHEN = "%d.%m.%Y. %H:%M"

_log = log.get(__name__)


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """The changes that a restore would make. names: files that replace those here. away: files that
    are set aside, and that nothing replaces."""

    folder: Path
    manifest: sets.Manifest
    names: tuple[Path, ...]
    away: tuple[Path, ...]
    outlook: Outlook

    @property
    def lacking(self) -> Lacking:
        return self.outlook.lacking


def find_set(data: Path, given: str, second: Path | None) -> Path:
    """Return the folder of the set that has this name or path. Raises NotFound."""
    folders = [Path(given).absolute(), data / BACKUPS / given]
    if second is not None:
        folders.append(second / given)
    for one in folders:
        if sets.manifest_of(one) is not None:
            return one
    known = [path.name for path, _ in sets.sets_in(data / BACKUPS)]
    words = f"Those here: {', '.join(known)}." if known else f"There are none in {data / BACKUPS}."
    raise errors.NotFound("backup.given", given=given, told=words)


def plan(
    data: Path,
    folder: Path,
    only: Collection[str],
    *,
    report_progress: Callable[[int, int], None] = lambda _done, _whole: None,
) -> RestorePlan:
    """Return what putting the set back would do; nothing is written. only: names of databases, or
    "settings"; empty for the whole set. report_progress: called with the bytes read, and with all
    bytes of the set.

    The set is read whole. Raises DatabaseDamaged where it was changed, NotAllowed where another
    shop sold something in the folder, Invalid where the set lacks the requested files, DiskFull
    where the disk has no room for it.
    """
    manifest = sets.manifest_of(folder)
    if manifest is None:
        raise errors.NotFound("backup.folder", folder=folder)
    _check_whole(folder, manifest, _counted(manifest.files, report_progress))
    install, is_known = _install_here(data)
    is_other = install is not None and manifest.install_id not in ("", install.install_id)
    if install is not None and is_other:
        _check_sold_nothing(data, manifest, install)
    away: tuple[Path, ...] = ()
    seals_secrets = False
    if only:
        names = _asked_for(manifest, only)
    else:
        begins = is_other or (install is None and is_known)
        names = _chosen(data, manifest, is_other=is_other, begins=begins, is_known=is_known)
        seals_secrets = _seals_secrets(data, folder, manifest, names, is_other=is_other)
        away = _away(names, is_other=is_other)
    planned = RestorePlan(
        folder,
        manifest,
        tuple(names),
        away,
        Outlook(
            _lacking(data, folder, [*names, *away], is_other=is_other),
            seals_secrets=seals_secrets,
            keeps_settings=not only and _keeps_settings(data, folder, manifest, names),
        ),
    )
    _check_room(data, planned)
    return planned


def _counted(
    files: Iterable[sets.SetFile], report_progress: Callable[[int, int], None]
) -> Callable[[int], None]:
    """Return a function that adds up the sizes of parts read or written, and reports the sum."""
    done, whole = 0, sum(one.size for one in files)

    def count_bytes(size: int) -> None:
        nonlocal done
        done += size
        report_progress(done, whole)

    return count_bytes


def _check_whole(folder: Path, manifest: sets.Manifest, count_bytes: Callable[[int], None]) -> None:
    try:
        found = sets.faults_of_set(folder, manifest, count_bytes=count_bytes)
    except OSError as error:
        raise _faulty(error, folder) from error
    if found:
        raise errors.DatabaseDamaged("backup.damaged", path=str(folder), found=found[0])


def _check_sold_nothing(data: Path, manifest: sets.Manifest, install: Install) -> None:
    """Raise NotAllowed where something was sold here, or nobody can tell."""
    held = without_first_manager(lacking_with(data, None, _DATABASES))
    if held.receipts or held.doubts or held.sales or held.unread:
        raise errors.NotAllowed(
            "backup_of_other", theirs=manifest.till_id, data=data, ours=install.till_id, held=held
        )


def _lacking(data: Path, folder: Path, names: Collection[Path], *, is_other: bool) -> Lacking:
    here = [name for name in _DATABASES if name in names]
    if not is_other:
        return lacking_with(data, folder, here)
    return without_setting_up(lacking_with(data, None, here))


def _asked_for(manifest: sets.Manifest, only: Collection[str]) -> list[Path]:
    by_word = {"journal": JOURNAL, "till": TILL, "catalogue": CATALOGUE, "settings": _SETTINGS}
    names = [by_word[word] for word in by_word if word in only]
    for name in names:
        if not manifest.has(name):
            raise errors.Invalid("backup_lacks", name=name.as_posix())
    return names


def _chosen(
    data: Path, manifest: sets.Manifest, *, is_other: bool, begins: bool, is_known: bool
) -> list[Path]:
    """Return the files to replace. begins: whether the folder has no shop that stays."""
    names = [
        name
        for name in (Path(one.name) for one in manifest.files)
        if name not in {*_SMALL, Path(SEALED)} and not _is_same_photo(data / name, name)
    ]
    # Small files of this shop that stand here are newer than those of the set.
    names += [
        name for name in _SMALL if manifest.has(name) and (is_other or not (data / name).is_file())
    ]
    if not is_known and manifest.has(INSTALL) and INSTALL not in names:
        names.append(INSTALL)
    if begins and manifest.has(_SETTINGS) and _SETTINGS not in names and _is_of_setup(data):
        names.append(_SETTINGS)
    return names


def _is_of_setup(data: Path) -> bool:
    """Tell whether the settings hold at most the language, which Windows's setup writes."""
    try:
        document = tomllib.loads((data / _SETTINGS).read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError):
        return False
    till = document.pop("till", {})
    return not document and isinstance(till, dict) and till.keys() <= {"language"}


def _keeps_settings(
    data: Path, folder: Path, manifest: sets.Manifest, names: Collection[Path]
) -> bool:
    if not manifest.has(_SETTINGS) or _SETTINGS in names:
        return False
    try:
        return (data / _SETTINGS).read_bytes() != (folder / _SETTINGS).read_bytes()
    except OSError:
        return True


def _seals_secrets(
    data: Path, folder: Path, manifest: sets.Manifest, names: list[Path], *, is_other: bool
) -> bool:
    """Add the sealed secrets to the files to replace where this shop's are lost and the set's open
    here; tell whether they don't."""
    if not manifest.has(Path(SEALED)) or (not is_other and _opens(data, data)):
        return False
    if not _opens(folder, data):
        return True
    names.append(Path(SEALED))
    return False


def _away(names: Collection[Path], *, is_other: bool) -> tuple[Path, ...]:
    """Return the files that remember the shop that was here before, and are set aside with it."""
    if not is_other:
        return _MEMORY if JOURNAL in names else ()
    all_of_it = (*_MEMORY, *_DATABASES, *_SMALL, _LAST_GOOD)
    return tuple(one for one in all_of_it if one not in names)


def _install_here(data: Path) -> tuple[Install | None, bool]:
    """Return this folder's installation, and whether it is known: a damaged file names none."""
    try:
        return known_install(data), True
    except errors.SettingsBroken:
        return None, False


def _is_same_photo(path: Path, name: Path) -> bool:
    """Tell whether the photo is already here: photos are named by their content."""
    return name.parent == PHOTOS and path.is_file()


def _opens(folder: Path, data: Path) -> bool:
    """Tell whether sealed secrets lie in a folder and open with the key that is here."""
    sealed = SealedFile(folder, keepers(data))
    try:
        names = sealed.names()
        for name in names:
            sealed.open(name)
    except errors.SettingsBroken:
        return False
    return bool(names)


# --- done ----------------------------------------------------------------------------------------


def carry_out(
    data: Path,
    planned: RestorePlan,
    *,
    asked: AskedBack | None = None,
    report_progress: Callable[[int, int], None] = lambda _done, _whole: None,
) -> Path | None:
    """Put the set back, and return where the replaced files are, or None where there were none. No
    program may run on the folder. Raises MachineError; everything is then as it was, or `go_on`
    continues the restore.

    asked: who wants it, which is kept in the till's file that is put back. report_progress: called
    with the bytes copied, and with all bytes.
    """
    at = SystemClock().now()
    staged = data / BACKUPS / _STAGED
    shutil.rmtree(staged, ignore_errors=True)
    try:
        _check_room(data, planned)
        files = [one for one in planned.manifest.files if Path(one.name) in planned.names]
        _stage(data, staged, planned, at, asked, count_bytes=_counted(files, report_progress))
        mark = {
            "names": [name.as_posix() for name in planned.names],
            "away": [name.as_posix() for name in planned.away],
            "aside": sets.free_name(data / BACKUPS / f"{ASIDE}{sets.name_of(at)}").name,
        }
        write_private(data / RESTORE_MARK, json.dumps(mark).encode())
    except BaseException as error:
        shutil.rmtree(staged, ignore_errors=True)
        if isinstance(error, OSError):
            raise _faulty(error, data) from error
        raise
    return go_on(data)


def _check_room(data: Path, planned: RestorePlan) -> None:
    sizes = {one.name: one.size for one in planned.manifest.files}
    wanted = sum(sizes[name.as_posix()] for name in planned.names) + ROOM
    free = shutil.disk_usage(next(one for one in (data, *data.parents) if one.exists())).free
    if free < wanted:
        raise errors.DiskFull("restoring_room", free=free >> 20, wanted=(wanted >> 20) + 1)


def _stage(
    data: Path,
    staged: Path,
    planned: RestorePlan,
    at: datetime,
    asked: AskedBack | None,
    *,
    count_bytes: Callable[[int], None],
) -> None:
    """Write all files as they will be to the disk. Raises OSError, MachineError."""
    known = {one.name: one for one in planned.manifest.files}
    for name in planned.names:
        posix_name = name.as_posix()
        if (
            sets.copied(planned.folder / name, staged / name, posix_name, count_bytes=count_bytes)
            != known[posix_name]
        ):
            raise errors.DatabaseDamaged("backup.changed", path=str(planned.folder))
    if INSTALL in planned.names:
        document = json.loads((staged / INSTALL).read_bytes())
        document["token"] = secrets.token_hex(32)
        write_private(staged / INSTALL, json.dumps(document, indent=2).encode())
    for one in databases():
        if one.path in planned.names:
            # The databases are upgraded here, where a failure loses nothing.
            open_database(
                staged / one.path, migrations=one.migrations, contents=one.contents
            ).close()
    if TILL in planned.names and (data / TILL).exists():
        take_along(staged / TILL, data / TILL)
    if JOURNAL in planned.names:
        _mark(staged / JOURNAL, at)
    if asked is not None and TILL in planned.names:
        _keep_act(staged / TILL, asked, at)
    _make_firm(staged, planned)


def _make_firm(staged: Path, planned: RestorePlan) -> None:
    """Bring all staged files to the disk, each database as one file. Raises MachineError."""
    for one in databases():
        if one.path in planned.names:
            _make_one_file(staged / one.path)
    for folder in {path.parent for path in staged.rglob("*")}:
        synchronise_folder(folder)


def _make_one_file(path: Path) -> None:
    """Bring a database's log into its file, because only that is moved. Raises MachineError."""
    with (
        faults.translated_errors(path.name),
        closing(with_checksums(path, make=False)) as connection,
    ):
        connection.execute("PRAGMA journal_mode=DELETE").fetchall()
    for end in _LOGS[1:]:
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    synchronise(path)


def _keep_act(path: Path, asked: AskedBack, at: datetime) -> None:
    """Write the restore as an act into the till's file that is put back. Raises MachineError."""
    here = AtTheTill()
    with (
        faults.translated_errors(path.name),
        closing(with_checksums(path, make=False)) as connection,
        here.lifting(asked.lifted_by) if asked.lifted_by else nullcontext(),
    ):
        ActTable(connection, here).write(
            NotedAct.PUT_BACK, by=asked.by, at=at, subject=f"{in_belgrade(asked.made_at):{_WHEN}}"
        )


def _mark(path: Path, at: datetime) -> None:
    """Mark the journal as put back. The requests that its copy holds under way are settled before:
    what moves behind the mark counts as newer than the restore, but they may have been signed since
    the copy was made."""
    with closing(SqliteJournal(path)) as journal:
        journal.recover(now=at)
        journal.restores.mark_restored(RestoreFound.PUT_BACK, now=at)


def go_on(data: Path) -> Path | None:
    """Move the staged files to their final paths, from whatever step it was interrupted at. No
    program may run on the folder. Raises DataFolderNotWritable."""
    document = json.loads((data / RESTORE_MARK).read_bytes())
    staged, aside = data / BACKUPS / _STAGED, data / BACKUPS / str(document["aside"])
    try:
        for name in map(Path, document["names"]):
            if (staged / name).exists():
                _set_aside(data, aside, name)
                (data / name).parent.mkdir(parents=True, exist_ok=True)
                (staged / name).replace(data / name)
                _begin_log(data / name)
        for name in map(Path, document["away"]):
            if (data / name).exists() and not (aside / name).exists():
                _set_aside(data, aside, name)
        for changed in {data, *((data / one).parent for one in document["names"])}:
            synchronise_folder(changed)
        shutil.rmtree(staged, ignore_errors=True)
        (data / RESTORE_MARK).unlink()
    except OSError as error:
        raise _half_done(error, aside) from error
    synchronise_folder(data / BACKUPS)
    if not aside.exists():
        _log.warning("a backup was put back")
        return None
    _log.warning("a backup was put back; what stood there is in %s", aside)
    return aside


def _set_aside(data: Path, aside: Path, name: Path) -> None:
    """Set the file aside with its logs; those that are there already were moved before."""
    for end in _LOGS:
        here = (data / name).with_name(f"{name.name}{end}")
        there = (aside / name).with_name(f"{name.name}{end}")
        if here.exists() and not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True)
            here.rename(there)


def _begin_log(path: Path) -> None:
    """Make an empty log. A database without one counts as written by another program, and the next
    start would read it whole, which takes long."""
    if path.suffix == ".db":
        path.with_name(f"{path.name}-wal").touch(mode=0o600)


def _half_done(error: OSError, aside: Path) -> errors.MachineError:
    return errors.DataFolderNotWritable(
        "half_restored", path=str(aside.parent.parent), aside=str(aside), why=error
    )


def _faulty(error: OSError, folder: Path) -> errors.MachineError:
    if error.errno in faults.NO_ROOM:
        return faults.disk_full(error)
    return (
        faults.disk_failed(error)
        if faults.is_of_disk(error)
        else errors.DataFolderNotWritable.of(folder, error)
    )
