"""The identities of an installation, made once in its data folder, mode 0600.

`install.json`: till and server know each other by it (exactly-once.md, "Till and server know each
other"). `client.json`: the clientId by which the platform knows this server (platform-contract.md
2.7). A missing clientId is made, but not if public mode had one before, because programs that use
the earlier clientId would never reach this server again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tomllib
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Literal

from pos_app import errors
from pos_app.adapters.data_folder import JOURNAL, TILL
from pos_app.adapters.data_folder.private_files import free_name, mend, read_again, write_private
from pos_app.lazy_dataclass import dataclass
from pos_app.settings import FILE_NAME, LAST_GOOD, PUT_BACK, file_text, is_empty, variable_that_sets

_NAME, _CLIENT = "install.json", "client.json"
_DATABASES = (JOURNAL, TILL)
"""Without the identity that these were written with, nothing that waits in them can go on."""
ANOTHER_CLIENT = (
    "Where there is none, a manager makes a new clientId on the page of the platform, or somebody"
    " starts the server once with public mode off; then those programs have to be told the new one."
)
_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Install:
    """The identity of an installation. token: 64 hex digits, a secret of its own programs."""

    install_id: str
    till_id: str
    environment: str
    token: str = field(repr=False)

    def owner(self) -> dict[str, str]:
        """Return the members that the databases keep."""
        return {
            "install_id": self.install_id,
            "till_id": self.till_id,
            "environment": self.environment,
        }

    def proof(self, *, nonce: str, version: str, journal_id: str) -> str:
        """Return the answer that only this installation's server can give: hex HMAC-SHA256."""
        message = f"{nonce}|{self.install_id}|{self.environment}|{version}|{journal_id}"
        return hmac.new(bytes.fromhex(self.token), message.encode(), hashlib.sha256).hexdigest()


def open_install(folder: Path, *, environment: str, is_shop: bool = True) -> Install:
    """Return the installation of a data folder; make it when there is none.

    is_shop: False for one element of a signer, whose journal names no till. Raises what
    `check_environment` does, SettingsBroken when its file is damaged, or missing where a shop has
    databases, and DataFolderNotWritable.
    """
    path = folder / _NAME
    if is_shop and (how := lost_identity(folder)):
        raise _lost(path, how)
    if not path.exists():
        _write_once(path, _new(environment))
        mend(folder)  # the folder may be older than its shop
    install = _read(path)
    check_environment(folder, install, environment=environment, is_shop=is_shop)
    return install


def check_environment(
    folder: Path, install: Install, *, environment: str, is_shop: bool = True
) -> None:
    """Raise SettingsBroken if the settings name another environment than the installation has; with
    other words if the shop's settings are gone, because the defaults then name another
    environment."""
    if install.environment == environment:
        return
    given_elsewhere = not is_shop or variable_that_sets("environment")
    if not given_elsewhere and _has_data(folder) and is_empty(file_text(folder)):
        path = folder / FILE_NAME
        found = "empty" if path.exists() else "missing"
        raise errors.SettingsBroken(
            "lost_for_good", path=str(path), environment=install.environment, found=found
        )
    raise errors.SettingsBroken(
        "other_shop.environment",
        path=str(folder),
        stored=install.environment,
        environment=environment,
    )


def _new(environment: str) -> dict[str, str]:
    return {
        "install_id": str(uuid.uuid4()),
        "till_id": str(uuid.uuid4()),
        "environment": environment,
        "token": secrets.token_hex(32),
    }


def _lost(path: Path, how: str) -> errors.SettingsBroken:
    return errors.SettingsBroken("identity_lost.here", path=str(path), how=how, cure=PUT_BACK)


Loss = Literal["", "missing", "empty", "damaged"]


def lost_identity(folder: Path, *, of: Iterable[Path] = _DATABASES) -> Loss:
    """Return how the identity of the existing databases was lost; "" where it was not, or where
    nobody can tell. The reader of the file then reports the fault.

    The databases are looked for first: a program that starts beside this one makes the identity
    before them. A disk that lost power may leave an empty file. of: their paths in the folder.
    """
    if not _has_data(folder, of):
        return ""
    try:
        held = read_again(folder / _NAME)
    except FileNotFoundError:
        return "missing"
    except (OSError, errors.MachineError):
        return ""
    if is_empty(held.decode(errors="replace")):
        return "empty"
    try:
        _parsed(held)
    except _DAMAGE:
        return "damaged"
    return ""


def _has_data(folder: Path, databases: Iterable[Path] = _DATABASES) -> bool:
    return any(_is_there(folder / one) for one in databases)


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except PermissionError:  # the folder is closed to this user
        return True


def make_again(folder: Path, *, environment: str, known: Mapping[str, str]) -> Install:
    """Make the lost identity again from what the databases know of it. The token is a new one,
    which till and server read at their next start. A damaged file is kept beside it.

    Raises SettingsBroken, DataFolderNotWritable.
    """
    path, members = folder / _NAME, _new(environment) | dict(known)
    try:
        if lost_identity(folder) == "damaged":
            path.rename(free_name(path.with_name(f"{_NAME}.damaged")))
    except OSError as error:
        raise errors.DataFolderNotWritable.of(folder, error) from error
    write_private(path, json.dumps(members, indent=2).encode())
    return _read(path)


def known_install(folder: Path) -> Install | None:
    """Return a folder's installation, or None; nothing is made. Raises SettingsBroken."""
    return _read(folder / _NAME) if (folder / _NAME).exists() else None


def check_identity(folder: Path) -> None:
    """Read the identity, as far as it exists. Raises SettingsBroken, also where it is missing
    beside databases, or beside settings with which public mode worked."""
    if how := lost_identity(folder):
        raise _lost(folder / _NAME, how)
    known_install(folder)
    if _is_client_lost(folder):
        raise errors.SettingsBroken("client_lost", path=str(folder / _CLIENT))
    if (folder / _CLIENT).exists():
        _client_id(folder / _CLIENT)


def _is_client_lost(folder: Path) -> bool:
    """Tell whether a server worked here in public mode, for which it had made a clientId that is
    now gone. The copy of the settings, which a ready server writes, shows that mode."""
    if _is_there(folder / _CLIENT) or not _is_there(folder / JOURNAL):
        return False
    try:
        document = tomllib.loads(read_again(folder / LAST_GOOD).decode("utf-8-sig"))
        return document["platform"]["public_mode"] is True
    except (OSError, errors.MachineError, *_DAMAGE):
        return False


def open_client_id(folder: Path) -> str:
    """Return the clientId of the installation. It is made if there never was one. If it is lost,
    return "": a person has to put it back, or ask for another one.

    Raises SettingsBroken when it can't be read, DataFolderNotWritable when it can't be made.
    """
    path = folder / _CLIENT
    if _is_client_lost(folder):
        return ""
    if not path.exists():
        _write_once(path, {"client_id": str(uuid.uuid4())})
    return _client_id(path)


def _client_id(path: Path) -> str:
    try:
        return str(uuid.UUID(json.loads(read_again(path))["client_id"]))
    except (OSError, *_DAMAGE) as error:
        raise errors.SettingsBroken("client_damaged", path=str(path)) from error


def renew_client_id(folder: Path) -> str:
    """Make another clientId: a copy of this folder on another computer keeps the earlier one.
    Raises DataFolderNotWritable."""
    client_id = str(uuid.uuid4())
    write_private(folder / _CLIENT, json.dumps({"client_id": client_id}, indent=2).encode())
    return client_id


def _write_once(path: Path, members: Mapping[str, str]) -> None:
    """Write a draft beside the file and link it to the file's name: of two programs that start at
    once, one wins, with a whole file."""
    folder = path.parent
    draft = folder / f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(json.dumps(members, indent=2).encode())
            file.flush()
            os.fsync(file.fileno())
        try:
            _link(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise errors.DataFolderNotWritable.of(folder, error) from error


def _link(draft: Path, path: Path) -> None:
    """Give the draft its name, unless another program came first. FAT and some network drives have
    no links: the file is renamed, and two programs at the same instant may both win."""
    try:
        os.link(draft, path)
    except OSError:
        if not path.exists():
            draft.rename(path)


def _parsed(held: bytes) -> Install:
    """Parse the file. Raises what is in _DAMAGE."""
    members = json.loads(held)
    install = Install(
        install_id=str(uuid.UUID(members["install_id"])),
        till_id=str(uuid.UUID(members["till_id"])),
        environment=str(members["environment"]),
        token=str(members["token"]),
    )
    if len(bytes.fromhex(install.token)) != hashlib.sha256().digest_size:
        raise ValueError("token")
    return install


def _read(path: Path) -> Install:
    try:
        return _parsed(read_again(path))
    except (OSError, *_DAMAGE) as error:
        raise errors.SettingsBroken("identity_damaged", path=str(path)) from error
