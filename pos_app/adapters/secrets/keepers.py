"""Finds a keeper for the key that opens the sealed secrets: the account's keyring, or a file.

Only keyrings that are known to encrypt are used. By itself `keyring` takes any plug-in that is
installed, such as keyrings.alt, which stores plain text in silence; so it is never asked to choose.
Source: exactly-once.md, "Other holes".
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pos_app import log
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.secrets.key_keeper import KEY_FILE, KeyKeeper, KeyLost
from pos_app.adapters.secrets.plain_file import refuse_readable_by_others

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_ON_WINDOWS = sys.platform == "win32"
_SERVICE = "pos-app"
_KEYRING_SECONDS = 60.0
"""The time for an answer: a locked keyring asks a person for its password."""
_REAL = {
    "win32": (("Windows", "WinVaultKeyring"),),
    "darwin": (("macOS", "Keyring"),),
    "linux": (("SecretService", "Keyring"), ("kwallet", "DBusKeyring"), ("libsecret", "Keyring")),
}

T = TypeVar("T")
_log = log.get(__name__)


class AccountKeyring:
    """The keyring of the account that the server runs as."""

    name = "keyring"

    def __init__(self, backend: KeyringBackend) -> None:
        self._backend = backend

    @property
    def words(self) -> str:
        kind = type(self._backend).__module__.rpartition(".")[2]
        return f"The key is in this account's keyring ({kind})."

    def store(self, key: bytes, *, owner: str) -> None:
        text = base64.b64encode(key).decode()
        _within(lambda: self._backend.set_password(_SERVICE, owner, text))
        if self.key(owner=owner) != key:
            raise KeyLost("The keyring does not give back what it was given.")

    def key(self, *, owner: str) -> bytes:
        text = _within(lambda: self._backend.get_password(_SERVICE, owner))
        if not text:
            raise KeyLost("This account's keyring does not have their key.")
        return base64.b64decode(text)


class KeyFile:
    """A file for the server's user alone; copies of the folder without it are protected."""

    name = "file"
    words = (
        "This account has no keyring, so their key is a file beside them: whoever can read the"
        " files of the server's user can open them."
    )

    def __init__(self, data: Path) -> None:
        self._path = data / KEY_FILE

    def store(self, key: bytes, *, owner: str) -> None:
        write_private(self._path, base64.b64encode(key))

    def key(self, *, owner: str) -> bytes:
        try:
            refuse_readable_by_others(self._path)
            return base64.b64decode(self._path.read_bytes(), validate=True)
        except FileNotFoundError as error:
            raise KeyLost(f"Their key is missing: {self._path}.") from error
        except (OSError, ValueError) as error:
            raise KeyLost(f"Their key can't be read: {self._path}.") from error


def keepers(data: Path) -> list[Callable[[], KeyKeeper | None]]:
    """Return the keepers of this machine, the best first; each is looked for when called."""
    if not _ON_WINDOWS:
        return [account_keyring, partial(KeyFile, data)]
    from pos_app.adapters.secrets import dpapi  # noqa: PLC0415 - on Windows alone

    machine = partial(dpapi.MachineKey, data)
    # A service's account has no lasting keyring.
    return [machine] if dpapi.is_service() else [account_keyring, machine]


def account_keyring() -> KeyKeeper | None:
    """Return the first real keyring that works here, or None where there is none."""
    for module, name in _REAL.get(sys.platform, ()):
        try:
            kind = getattr(importlib.import_module(f"keyring.backends.{module}"), name)
            if _within(partial(getattr, kind, "viable")):
                return AccountKeyring(kind())
        except (ImportError, KeyLost) as error:
            _log.info("a keyring can't be used (%s): %s", module, type(error).__name__)
    return None


def _within(act: Callable[[], T]) -> T:
    """Ask a keyring in a thread, and wait at most `_KEYRING_SECONDS`. The thread of a keyring that
    does not answer stays, and the program's exit waits for it. Raises KeyLost for `_errors`."""
    with_one = ThreadPoolExecutor(1, thread_name_prefix="keyring")
    try:
        return with_one.submit(act).result(_KEYRING_SECONDS)
    except _errors() as error:
        raise KeyLost(
            f"The keyring of this account can't be asked ({type(error).__name__})."
        ) from error
    finally:
        with_one.shutdown(wait=False)


def _errors() -> tuple[type[BaseException], ...]:
    """Return the errors that keyrings raise: their own, and those of the bus beneath them."""
    from keyring.errors import KeyringError  # noqa: PLC0415

    found: list[type[BaseException]] = [
        KeyringError,
        RuntimeError,
        OSError,
        TimeoutError,
        ValueError,
    ]
    for module, name in (
        ("secretstorage", "SecretStorageException"),
        ("jeepney", "DBusErrorResponse"),
    ):
        with contextlib.suppress(ImportError):
            found.append(getattr(importlib.import_module(module), name))
    return tuple(found)
