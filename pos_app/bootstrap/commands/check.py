"""The program `pos-app check`: it says whether the files of a data folder are whole and belong
together, who can open its secrets, and how long the processor's certificate is valid. A database
that is whole but outdated is reported in the same way as by the program that uses it.

A damaged index is rebuilt, unless a till or server that uses the file runs, or nothing can be
written; then the file is only read. A file that this user may not read is reported as not checked,
because it may be damaged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TextIO

import apsw

from pos_app import errors, settings
from pos_app.adapters.backup.sets import MANIFEST, faults_of_set, manifest_of
from pos_app.adapters.catalogue_files.catalogue_pictures import LocalPhoto, is_as_noted
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import CATALOGUE, RECEIPT_INDEX
from pos_app.adapters.data_folder.install import check_identity
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.machine_mark import machine_mark
from pos_app.adapters.data_folder.private_files import read_again
from pos_app.adapters.data_folder.witness_file import WitnessFile
from pos_app.adapters.secrets.key_keeper import KEY_FILE
from pos_app.adapters.sqlite.catalogue.lists import noted_pictures
from pos_app.adapters.sqlite.catalogue.rows import FILES
from pos_app.adapters.sqlite.checksums import add_checksums
from pos_app.adapters.sqlite.database import FileVersion, numbered_version, open_reader, version_of
from pos_app.adapters.sqlite.faults import disk_failed, is_of_disk
from pos_app.adapters.sqlite.integrity import faults_of, rebuild_indexes
from pos_app.adapters.sqlite.journal.contents import journal_contents
from pos_app.adapters.sqlite.read_only import can_be_written, readable, reading
from pos_app.adapters.sqlite.shop_databases import ShopDatabase, databases
from pos_app.adapters.sqlite.till.contents import till_contents
from pos_app.bootstrap.commands import belonging, put_back
from pos_app.domain.setup.certificate import ends_soon
from pos_app.domain.text.counted import counted
from pos_app.settings import FILE_NAME

WHOLE, DAMAGED, WARNED = 0, 1, 4
"""The exit codes. WHOLE: every existing file is whole, or was made so. DAMAGED: a file is damaged
or unreadable, or keeps the shop from being opened. WARNED: all files are whole, but one of them
lacks something, or may lack it, and nobody has handled that."""

PLATFORM = Path("platform", "platform.db")
_OLDER = (
    "whole, of an earlier version: its rows are compared once a program of this version opened it"
)
_NEWER = (
    "made by a newer version. It is not damaged, and this version does not open it: use the newer"
    " one"
)
_EMPTY = (
    "There is nothing in it: it was copied without its log ({0}-wal), which had all of it. Delete"
    " nothing where it came from: close all programs there, and copy it again with its log."
)


def check_command(
    data: Path, *, out: TextIO, is_named: bool = True, puts_back: bool = False
) -> int:
    """Read each file whole, print a line for each, and return the exit code.

    is_named: a person named the folder. puts_back: missing files with known content are put back
    before. Raises NotFound where a named folder is missing; a missing usual folder only means that
    no shop was set up yet. Raises what `put_missing_back` does.
    """
    try:
        if is_there := data.is_dir():
            next(data.iterdir(), None)
    except OSError as error:
        _not_given(data, error, out)
        return DAMAGED
    if not is_there:
        if is_named:
            raise errors.NotFound("folder", data=data)
        print(f"{data}: not there; no shop is set up yet.", file=out)
        return WHOLE
    if (data / MANIFEST).exists():
        return _set_checked(data, out)
    for done in belonging.put_missing_back(data) if puts_back else ():
        print(done, file=out)
    results = {_checked(database, data, out) for database in databases()}
    for checked, names in _BESIDE.items():
        is_read = sum(not _is_given(data, name, out) for name in names) == 0
        results.add(checked(data, out) if is_read else DAMAGED)
    return next((worst for worst in (DAMAGED, WARNED) if worst in results), WHOLE)


def _set_checked(folder: Path, out: TextIO) -> int:
    """Check that a backup's files are as they were written, and that its databases are whole. A
    backup has no identity and is only read."""
    manifest = manifest_of(folder)
    if manifest is None:
        print(f"{folder}: no whole backup, or one of a newer version.", file=out)
        return DAMAGED
    try:
        faults = faults_of_set(folder, manifest)
    except OSError as error:
        _not_given(folder, error, out)
        return DAMAGED
    for fault in faults:
        print(f"{folder}: damaged: {fault}.", file=out)
    results = {DAMAGED} if faults else set[int]()
    for one in databases():
        if manifest.has(one.path):
            results.add(_copy_checked(folder, one, out))
    return max(results, default=WHOLE)


def _copy_checked(folder: Path, database: ShopDatabase, out: TextIO) -> int:
    path, version = folder / database.path, FileVersion.CURRENT
    try:
        with closing(open_reader(path)) as connection:
            faults = faults_of(connection)
            if not faults:
                version = version_of(connection, path, database.migrations)
            if version is not FileVersion.NEWER:
                faults = faults or database.contradicted(connection)
    except errors.MachineError as error:
        faults = [error.what]
    except (OSError, apsw.Error) as error:
        faults = [str(error)]
    for fault in faults[:1]:
        print(f"{database.path}: damaged: {fault}. Take another backup.", file=out)
        return DAMAGED
    return _print_version(database.path, version, [], out)


def _print_version(name: Path, version: FileVersion, warnings: list[str], out: TextIO) -> int:
    """Print the state of a file without faults, and return the exit code."""
    if version is FileVersion.NEWER:
        print(f"{name}: {_NEWER}.", file=out)
        return DAMAGED
    what = _OLDER if version is FileVersion.OLDER else "whole"
    return _print_state(name, warnings, out, what=what)


def _is_given(data: Path, name: str, out: TextIO) -> bool:
    """Tell whether a file can be read or is missing; otherwise print the reason."""
    try:
        read_again(data / name, most=1)
    except FileNotFoundError:
        return True
    except (OSError, errors.MachineError) as error:
        _not_given(Path(name), error, out)
        return False
    return True


def _not_given(name: Path, error: OSError | errors.MachineError, out: TextIO) -> None:
    """Print why a file or folder can't be read, which says nothing about its content."""
    match error:
        case PermissionError() | errors.DataFolderNotWritable():
            words = (
                "this user has no right to read it. Run the check as the user whose programs use"
                " it, or as an administrator."
            )
        case OSError():
            reason = error.strerror
            words = f"the system does not give it ({reason}). Delete nothing, and call support."
        case _:
            words = f"{error.what} {error.do}"
    print(f"{name}: not checked: {words}", file=out)


def _settings_checked(data: Path, out: TextIO) -> int:
    """Check the settings; print nothing where the shop can be opened with them."""
    try:
        belonging.check_settings(data)
    except errors.MachineError as error:
        words = (error.what, error.do, belonging.cure_of_settings(data))
        print(f"settings: {' '.join(filter(None, words))}", file=out)
        return DAMAGED
    return WHOLE


def _clear_text_checked(data: Path, out: TextIO) -> int:
    """Tell which secrets and receipts would travel, or travel, without encryption."""
    warned, told = belonging.clear_text_words(data)
    for words in (*warned, *told):
        print(f"settings: {words}", file=out)
    return WARNED if warned else WHOLE


def _identity_checked(data: Path, out: TextIO) -> int:
    """Check the identity of till and server; print nothing if it is whole or missing."""
    try:
        check_identity(data)
        foreign = belonging.strangers(data)
    except errors.MachineError as error:
        print(f"identity of the installation: {error.what} {error.do}", file=out)
        return DAMAGED
    for name, words in foreign.items():
        print(f"{name}: {words}", file=out)
    if not foreign:
        return WHOLE
    return WARNED if set(foreign) == {CATALOGUE} else DAMAGED


def _witness_checked(data: Path, out: TextIO) -> int:
    try:
        is_damaged = WitnessFile(data, machine=machine_mark()).is_damaged()
    except errors.MachineError as error:
        _not_given(Path("witness.json"), error, out)
        return DAMAGED
    if not is_damaged:
        return WHOLE
    words = "so nobody knows whether the journal is the one that was here last"
    print(f"witness.json: it can't be read, {words}. The server writes it anew.", file=out)
    return DAMAGED


def _receipt_index_checked(data: Path, out: TextIO) -> int:
    """Check the list of receipts. Nothing is lost with it, so a list that can't be written is
    skipped, and only a damaged one is printed."""
    path = data / RECEIPT_INDEX
    if not path.exists() or not can_be_written(path):
        return WHOLE
    try:
        with closing(open_reader(path)) as connection:
            faults = faults_of(connection)
    except errors.MachineError as error:
        faults = [error.what]
    except (OSError, apsw.Error) as error:
        faults = [str(error)]
    for fault in faults[:1]:
        cure = "Nothing is lost: the server makes it again of the journal."
        print(f"{RECEIPT_INDEX}: damaged: {fault}. {cure}", file=out)
    return WHOLE


def _pictures_checked(data: Path, out: TextIO) -> int:
    """Compare the articles' pictures with what the catalogue notes of them; print nothing where all
    are here and whole. A catalogue that can't be read has a line of its own."""
    folder = CATALOGUE.parent / FILES
    try:
        wrong = _wrong_pictures(_noted_pictures(data), data / folder)
    except OSError as error:
        _not_given(folder, error, out)
        return DAMAGED
    # A program that brings pictures throws others away meanwhile.
    noted = _noted_pictures(data) if wrong else []
    results = {WHOLE}
    for what, result in (("missing", WARNED), ("damaged", DAMAGED)):
        names = [one.name for one in noted if wrong.get(one.name) == what]
        if names:
            words = f"{counted(len(names), 'picture')} {what}, {names[0]} first."
            cure = "Selling goes on; choose them anew in the catalogue."
            print(f"{folder}: {words} {cure}", file=out)
            results.add(result)
    return next((worst for worst in (DAMAGED, WARNED) if worst in results), WHOLE)


def _noted_pictures(data: Path) -> list[LocalPhoto]:
    if not (data / CATALOGUE).exists():
        return []
    try:
        with reading(data / CATALOGUE) as connection:
            return noted_pictures(connection)
    except (errors.MachineError, apsw.Error):
        return []


def _wrong_pictures(noted: Iterable[LocalPhoto], folder: Path) -> dict[str, str]:
    """Return what is wrong, by the picture's name. Raises OSError where the disk or a right keeps
    one from being read."""
    wrong = {}
    for photo in noted:
        try:
            if not is_as_noted(photo, folder):
                wrong[photo.name] = "damaged"
        except FileNotFoundError:
            wrong[photo.name] = "missing"
    return wrong


def _platform_checked(data: Path, out: TextIO) -> int:
    """Check the database of a platform that is hosted here; print nothing where there is none."""
    path = data / PLATFORM
    if not path.exists():
        return WHOLE
    from pos_app.platform_api.database.damage import find_damage
    from pos_app.platform_api.database.lost_log import losses_of

    name = path.relative_to(data)
    losses: list[str] = []
    version = FileVersion.CURRENT
    try:
        with readable(path) as file:
            faults = find_damage(file)
            if not faults:
                version = _version_of_platform(file)
            losses = losses_of(file) if version is FileVersion.CURRENT and not faults else []
    except errors.MachineError as error:
        faults = [error.what]
    for fault in faults:
        print(f"{name}: damaged: {fault}", file=out)
    if faults:
        print(f"{name}: Stop the platform, {errors.PUT_BACK}.", file=out)
        return DAMAGED
    return _print_version(name, version, losses, out)


def _version_of_platform(file: Path) -> FileVersion:
    """Tell which version made a platform's database. Raises DatabaseDamaged for a file of another
    program, and for one that lacks a table of this version."""
    from pos_app.platform_api.database.damage import check_tables_of, steps_made

    made = steps_made(file)
    if not made:
        raise errors.DatabaseDamaged("stranger", path=str(file))
    version = _version_by_steps(made)
    if version is FileVersion.CURRENT:
        check_tables_of(file)
    return version


def _version_by_steps(made: int) -> FileVersion:
    from pos_app.platform_api.database.migrations import check_is_released, step_after

    check_is_released(made)
    if made == step_after():
        return FileVersion.CURRENT
    return FileVersion.OLDER if made < step_after() else FileVersion.NEWER


def _platform_at_its_address_checked(data: Path, out: TextIO) -> int:
    """Check the tables of a platform on PostgreSQL; print nothing where the settings name none."""
    try:
        address = settings.load(data).platform_server.database_url
    except errors.MachineError:
        return WHOLE  # the settings have a line of their own
    if not address:
        return WHOLE
    from pos_app.platform_api.database.damage import steps_at

    name = Path("database of the platform")
    try:
        made = steps_at(address)
    except errors.DatabaseBusy as error:
        _not_given(name, error, out)
        return DAMAGED
    except errors.MachineError as error:
        print(f"{name}: {error.what} {error.do}", file=out)
        return DAMAGED
    if made is None:
        return _print_state(name, [], out, what="not there")
    return _print_version(name, _version_by_steps(made), [], out)


def _print_state(name: Path, warnings: list[str], out: TextIO, *, what: str = "whole") -> int:
    for warning in warnings:
        print(f"{name}: {warning}", file=out)
    print(f"{name}: {what}.", file=out)
    return WARNED if warnings else WHOLE


def _secrets_checked(data: Path, out: TextIO) -> int:
    """Check the secrets; print nothing where there are none. A certificate that ends is no fault of
    a file."""
    from pos_app.adapters.pfr.certificate import CertificateWrong
    from pos_app.adapters.secrets.reading import check_sealed, who_can_open
    from pos_app.bootstrap.issuing.processor_access import stored_certificate

    try:
        if words := who_can_open(data):
            print(f"secrets.sealed: {words}", file=out)
        check_sealed(data)
        if words := belonging.platform_secret_missing(data):
            print(f"secrets: {words}", file=out)
            return DAMAGED
        certificate = stored_certificate(data)
    except errors.CertificateUnread as error:
        print(f"certificate of the processor: {error.what}", file=out)
        return WARNED
    except (errors.MachineError, CertificateWrong) as error:
        print(f"secrets: {error.what}", file=out)
        return DAMAGED
    if certificate is not None:
        facts, now = certificate.facts, SystemClock().now()
        left = (
            f"{counted(facts.days_left(now), 'day')} left"
            if now < facts.expires
            else "it has ended"
        )
        more = ": ask for a new one." if ends_soon(facts.expires, now) else "."
        begins = f"not valid before {facts.valid_from:%Y-%m-%d}, " * (now < facts.valid_from)
        certificate_words = (
            f"{facts.uid}, {begins}valid until {facts.expires:%Y-%m-%d}, {left}{more}"
        )
        print(f"certificate of the processor: {certificate_words}", file=out)
    return WHOLE


def _checked(database: ShopDatabase, data: Path, out: TextIO) -> int:
    name, path = database.path, data / database.path
    if not _is_given(data, str(name), out):
        return DAMAGED
    if not path.exists():
        return _print_state(name, _missed(database, data), out, what="not there")
    is_writable = can_be_written(path)
    with ExitStack() as stack:
        is_ours = is_writable and _is_ours(database, data, stack)
        try:
            faults, version, warnings = _checked_file(
                database, data, out, is_ours=is_ours, is_writable=is_writable
            )
        except errors.MachineError as error:
            _not_given(name, error, out)
            return DAMAGED
    if not faults:
        return _print_version(name, version, warnings, out)
    for fault in faults:
        print(f"{name}: damaged: {fault}", file=out)
    hint = ""
    if not is_writable:
        hint = "Nothing can be written there, so it was only read. "
    elif database.lock is not None and not is_ours:
        hint = "A program has it open, so it was only read. "
    print(f"{name}: {hint}{database.cure}", file=out)
    return DAMAGED


def _looked_back(database: ShopDatabase, data: Path, connection: apsw.Connection) -> list[str]:
    """Return what a whole file lacks, in sentences. Raises MachineError, apsw.Error."""
    if database.contents is journal_contents:
        return put_back.put_back_words(data, connection)
    return (
        put_back.till_put_back_words(data, connection) if database.contents is till_contents else []
    )


def _missed(database: ShopDatabase, data: Path) -> list[str]:
    """Return, in sentences, what a missing file held according to the other files. An unreadable
    file among these is reported in its own line."""
    try:
        if database.contents is journal_contents:
            return put_back.put_back_words(data, None)
        if database.contents is till_contents:
            return put_back.missing_till_words(data)
        return put_back.missing_catalogue_words(data) if database.path == CATALOGUE else []
    except (errors.MachineError, apsw.Error):
        return []


def _checked_file(
    database: ShopDatabase, data: Path, out: TextIO, *, is_ours: bool, is_writable: bool
) -> tuple[list[str], FileVersion, list[str]]:
    """Return the faults of the file, and for a whole one its version and what it may lack, in
    words. is_ours: indexes are rebuilt. What another program wrote is taken over as the file's own
    programs do it, who take no lock for a file that several of them write. Raises DiskFailed and
    DataFolderNotWritable, which say nothing about the file's content."""
    path, version = data / database.path, FileVersion.CURRENT
    takes_over = is_ours or (database.lock is None and is_writable)
    try:
        with readable(path) as file:
            if takes_over or file != path:
                add_checksums(file, database.contradicted)
            with closing(open_reader(file)) as connection:
                return _of_open(database, data, connection, out, is_ours=is_ours)
    except (errors.DiskFailed, errors.DataFolderNotWritable):
        raise
    except errors.DatabaseTooNew:
        return [], FileVersion.NEWER, []
    except errors.MachineError as error:
        return [error.what], version, []
    except (OSError, apsw.Error) as error:
        if is_of_disk(error):
            raise disk_failed(error) from error
        return [str(error)], version, []


def _of_open(
    database: ShopDatabase, data: Path, connection: apsw.Connection, out: TextIO, *, is_ours: bool
) -> tuple[list[str], FileVersion, list[str]]:
    """Do the same for an open file. One of a newer version is never written."""
    faults, is_newer = faults_of(connection), _is_newer(database, connection)
    if faults and is_ours and not is_newer and _is_mended(connection):
        print(f"{database.path}: an index was damaged; it was made anew from its table.", file=out)
        faults = []
    if faults:
        return faults, FileVersion.CURRENT, []
    version = version_of(connection, data / database.path, database.migrations)
    match version:
        case FileVersion.EMPTY:
            return [], version, [_EMPTY.format(database.path.name)]
        case FileVersion.NEWER:
            return [], version, []
    faults = database.contradicted(connection)
    if faults or version is FileVersion.OLDER:
        return faults, version, []
    return [], version, _looked_back(database, data, connection)


def _is_newer(database: ShopDatabase, connection: apsw.Connection) -> bool:
    number = connection.pragma("user_version")
    return numbered_version(number, database.migrations) is FileVersion.NEWER


def _is_mended(connection: apsw.Connection) -> bool:
    connection.pragma("query_only", False)
    return rebuild_indexes(connection)


def _is_ours(database: ShopDatabase, data: Path, stack: ExitStack) -> bool:
    """Tell whether no other program writes the database until the stack is closed."""
    if database.lock is None:
        return False
    try:
        stack.enter_context(FolderLock(data / database.lock, what="program"))
    except errors.AlreadyRunning:
        return False
    return True


_BESIDE: dict[Callable[[Path, TextIO], int], tuple[str, ...]] = {
    _settings_checked: (FILE_NAME,),
    _clear_text_checked: (),
    _identity_checked: ("install.json", "client.json"),
    _witness_checked: ("witness.json",),
    _receipt_index_checked: (),
    _pictures_checked: (),
    _platform_checked: (str(PLATFORM),),
    _platform_at_its_address_checked: (),
    _secrets_checked: ("secrets.toml", "secrets.sealed", KEY_FILE),
}
"""The checks beside the databases, each with the files that it reads."""
