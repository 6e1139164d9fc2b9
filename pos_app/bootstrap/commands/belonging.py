"""Tells `check` whether the files of a data folder belong together: settings, identity and
databases of one shop. Each file may be whole and yet belong to another shop, or be missing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import apsw

from pos_app import settings
from pos_app.adapters.data_folder import CATALOGUE, JOURNAL, TILL
from pos_app.adapters.data_folder.install import (
    Install,
    check_environment,
    known_install,
    lost_identity,
    make_again,
)
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.settings_file import is_damaged, put_settings_back
from pos_app.adapters.secrets.names import PLATFORM_SECRET, variable_of
from pos_app.adapters.secrets.reading import platform_secret
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.journal.fiscal_mark import is_fiscal
from pos_app.adapters.sqlite.owner import owner_of
from pos_app.adapters.sqlite.read_only import readable
from pos_app.adapters.sqlite.till.till import LOCK_NAME
from pos_app.bootstrap.issuing.processor_access import not_fiscal
from pos_app.domain.setup.safe_connection import CLEAR_TEXT, Place, clear_text_place, platform_fault
from pos_app.errors import MachineError, SettingsBroken


@contextmanager
def reader_of(data: Path, name: Path) -> Iterator[apsw.Connection | None]:
    """Open a database for reading; yield None where it is missing or unreadable, which the check of
    that file reports."""
    with ExitStack() as stack:
        connection = None
        try:
            if (data / name).exists():
                file = stack.enter_context(readable(data / name))
                connection = stack.enter_context(closing(open_reader(file)))
        except (MachineError, OSError):
            connection = None
        yield connection


# --- settings ------------------------------------------------------------------------------------


def check_settings(data: Path) -> None:
    """Raise SettingsBroken where no program starts with the settings, where they name another
    environment than the shop's, or where the development processor would sign sales that wait for a
    real one. An unreadable identity is reported elsewhere."""
    shop = settings.load(data)
    try:
        install = known_install(data)
    except MachineError:
        install = None
    if install is not None:
        check_environment(data, install, environment=shop.environment)
    if shop.processor.kind != "development":
        return
    with reader_of(data, JOURNAL) as journal:
        if journal is not None and _is_fiscal(journal):
            raise not_fiscal(data)


def _is_fiscal(journal: apsw.Connection) -> bool:
    try:
        return is_fiscal(journal)
    except apsw.Error:  # the check of the file reports damage
        return False


def platform_secret_missing(data: Path) -> str:
    """Return, in sentences, why the platform of the settings can't be asked: the key is there
    without its secret. Otherwise return "", also for unreadable settings, which are reported
    elsewhere. Raises SettingsBroken for secrets that can't be read."""
    try:
        platform = settings.load(data).platform
    except MachineError:
        return ""
    if (
        not (platform.url and platform.key)
        or platform_secret(platform.key, data=data, variables=os.environ).reveal()
    ):
        return ""
    return (
        f"{PLATFORM_SECRET} is missing, though the settings name the platform and its key: neither"
        " articles nor receipts of other programs come from there. Type it in anew on the page of"
        " the platform, or write it into secrets.toml; where the server is given it as"
        f" {variable_of(PLATFORM_SECRET)}, run the check with that."
    )


def clear_text_words(data: Path) -> tuple[list[str], list[str]]:
    """Return, in sentences, where secrets or receipts would travel without encryption against the
    rule (`domain.safe_connection`), and where they do within it. Unreadable settings are reported
    elsewhere."""
    try:
        shop = settings.load(data)
    except MachineError:
        return [], []
    platform, processor = shop.platform, shop.processor
    warned, told = list[str](), list[str]()
    if (fault := platform_fault(platform)) is not None:
        warned.append(f"platform.url: {CLEAR_TEXT[fault].format(url=platform.url)}")
    elif platform.url and platform.url == platform.clear_text_allowed:
        told.append(
            f"platform.url: key and articles go to {platform.url} without encryption, as a manager"
            " allowed."
        )
    place = clear_text_place(processor.url)
    if processor.kind == "lpfr" and place not in (None, Place.MACHINE):
        words = (
            f"processor.url: receipts and the card's PIN go to {processor.url} without encryption"
        )
        if place is Place.ELSEWHERE:
            warned.append(
                f"{words}, over a network that is not the shop's own. Put the L-PFR into the shop's"
                " network, or use its address with https://."
            )
        else:
            told.append(f"{words}, within the shop's own network.")
    return warned, told


# --- owners --------------------------------------------------------------------------------------


def strangers(data: Path) -> dict[Path, str]:
    """Return the databases that install.json does not belong to, each with the reason in a
    sentence. Raises SettingsBroken."""
    install = known_install(data)
    if install is None:
        return {}
    found = {name: _known_by(data, name) for name in (TILL, JOURNAL, CATALOGUE)}
    return {
        name: f"It belongs to another till ({owner['till_id']}) than install.json"
        f" ({install.till_id}). Delete and move nothing, for what is in it may be nowhere else;"
        " call support."
        for name, owner in found.items()
        if not _agrees(owner, install)
    }


def _agrees(owner: dict[str, str], install: Install) -> bool:
    known = install.owner()
    return all(known[name] == value for name, value in owner.items())


def _known_by(data: Path, name: Path) -> dict[str, str]:
    with reader_of(data, name) as connection:
        if connection is None:
            return {}
        try:
            if name != TILL:
                return owner_of(connection)
            row = connection.execute("SELECT till_id FROM meta").fetchone()
            return {} if row is None else {"till_id": str(row[0])}
        except apsw.Error:  # another version made it, or it is damaged
            return {}


# --- put back ------------------------------------------------------------------------------------


def put_missing_back(data: Path) -> list[str]:
    """Put back missing files whose content is known: the last good settings, and the identity that
    the databases know. A damaged identity is replaced too, and damaged settings are set aside.
    Return what was done, in sentences. Raises SettingsBroken, AlreadyRunning,
    DataFolderNotWritable."""
    done, aside = [], put_settings_back(data)
    if aside is not None:
        was = f"it was damaged, and is kept as {aside}; " if aside else ""
        done.append(f"{settings.FILE_NAME}: {was}put back, as the shop worked with it last.")
    elif is_damaged(data):
        done.append(f"{settings.FILE_NAME}: not put back. {cure_of_settings(data)}")
        return done
    if lost_identity(data):
        environment = settings.load(data).environment
        with ExitStack() as alone:
            for lock, what in ((Path("till", LOCK_NAME), "till"), (SERVER_LOCK, "server")):
                if (data / lock).parent.is_dir():
                    alone.enter_context(FolderLock(data / lock, what=what))
            install = make_again(data, environment=environment, known=_identity(data))
        done.append(f"install.json: made again of what the databases know ({install.till_id}).")
    return done


def cure_of_settings(data: Path) -> str:
    """Return, in a sentence, what helps where the settings are damaged; "" where they are not."""
    if not is_damaged(data):
        return ""
    if (data / settings.LAST_GOOD).exists():
        return (
            f"`pos-app check --put-back` keeps the damaged file under another name and puts back"
            f" {settings.LAST_GOOD}, with which the shop worked last."
        )
    return (
        "There is no copy of them here. With all programs closed, put the settings of a backup"
        " back: `pos-app restore SET --only settings`."
    )


def _identity(data: Path) -> dict[str, str]:
    """Return the identity that the databases know. Raises SettingsBroken where they name two, or
    where an unreadable database may name another."""
    known: dict[str, str] = {}
    for name in (TILL, JOURNAL, CATALOGUE):
        owner = _known_by(data, name)
        if any(known.get(member, value) != value for member, value in owner.items()):
            raise _unknown_identity(data, "the databases are of two tills")
        known |= owner
    if "till_id" not in known and (data / TILL).exists():
        raise _unknown_identity(data, f"{TILL} can't be read")
    if "till_id" not in known and lost_identity(data) == "damaged":
        raise _unknown_identity(data, "no database knows it")
    return known


def _unknown_identity(data: Path, why: str) -> SettingsBroken:
    return SettingsBroken("identity_lost.anew", path=str(data / "install.json"), why=why)
