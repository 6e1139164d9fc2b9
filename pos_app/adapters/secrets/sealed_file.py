"""secrets.sealed: each secret encrypted with AES-256-GCM; the key lies elsewhere (`keepers`).

    {"version": 1, "owner": "…", "keeper": "keyring", "values": {"processor_pac": "base64"}}

owner is random and made with the file; each value is bound to the owner and to its own name, so
that it can't be moved to another name or file. This module is loaded only for such a file.
"""

from __future__ import annotations

import base64
import json
import os
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path

from pos_app import errors
from pos_app.adapters.data_folder.private_files import read_again, write_private
from pos_app.adapters.secrets.keepers import keepers
from pos_app.adapters.secrets.key_keeper import KeyKeeper, KeyLost
from pos_app.adapters.secrets.names import KNOWN
from pos_app.lazy_dataclass import dataclass

FILE_NAME = "secrets.sealed"
_VERSION = 1
_KEY_BYTES, _NONCE_BYTES = 32, 12
_DO = (
    "Delete and move nothing: run the server as the user, and on the machine, that sealed them."
    " Where there is none any more, support has them typed anew."
)

Keepers = Sequence[Callable[[], KeyKeeper | None]]


@dataclass(frozen=True, slots=True)
class _Contents:
    owner: str
    keeper: str
    values: Mapping[str, str] = field(repr=False)


class SealedFile:
    """The sealed secrets of a data folder. key_keepers: the keepers of the key, the best first."""

    def __init__(self, data: Path, key_keepers: Keepers | None = None) -> None:
        self._path = data / FILE_NAME
        self._keepers = keepers(data) if key_keepers is None else key_keepers

    def names(self) -> frozenset[str]:
        """Return the names of the sealed secrets; no key is needed. Raises SettingsBroken."""
        contents = self._read()
        return frozenset() if contents is None else frozenset(contents.values)

    def words(self) -> str | None:
        """Return a sentence that says who can open them, if any. Raises SettingsBroken."""
        contents = self._read()
        return None if contents is None else self._keeper(contents).words

    def open(self, name: str) -> str:
        """Return the secret, "" where there is none. Raises SettingsBroken."""
        contents = self._read()
        if contents is None or name not in contents.values:
            return ""
        return self._opened(contents, name, self._key(contents))

    def change(self, changes: Mapping[str, str | None]) -> None:
        """Seal these secrets, and forget those that are None. Raises SettingsBroken,
        DataFolderNotWritable."""
        contents = self._read()
        if contents is None:
            contents, key = self._begun()
        else:
            key = self._key(contents)
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        values = dict(contents.values)
        for name, text in changes.items():
            if text is None:
                values.pop(name, None)
                continue
            nonce = os.urandom(_NONCE_BYTES)
            sealed = AESGCM(key).encrypt(nonce, text.encode(), _bound_to(contents.owner, name))
            values[name] = base64.b64encode(nonce + sealed).decode()
        self._write(replace(contents, values=values))

    def _begun(self) -> tuple[_Contents, bytes]:
        owner, key = uuid.uuid4().hex, os.urandom(_KEY_BYTES)
        why: KeyLost | None = None
        for find in self._keepers:
            keeper = find()
            if keeper is None:
                continue
            try:
                keeper.store(key, owner=owner)
            except KeyLost as error:
                why = error
                continue
            return _Contents(owner, keeper.name, {}), key
        raise self._broken(f"their key can be kept nowhere: {why or 'no place is known'}")

    def _keeper(self, contents: _Contents) -> KeyKeeper:
        for find in self._keepers:
            keeper = find()
            if keeper is not None and keeper.name == contents.keeper:
                return keeper
        raise self._broken(f'the place of their key ("{contents.keeper}") is not there')

    def _key(self, contents: _Contents) -> bytes:
        try:
            return self._keeper(contents).key(owner=contents.owner)
        except (KeyLost, ValueError) as error:
            raise self._broken(f"{error}".rstrip(".")) from error

    def _opened(self, contents: _Contents, name: str, key: bytes) -> str:
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        try:
            raw = base64.b64decode(contents.values[name], validate=True)
            nonce, sealed = raw[:_NONCE_BYTES], raw[_NONCE_BYTES:]
            return AESGCM(key).decrypt(nonce, sealed, _bound_to(contents.owner, name)).decode()
        except (InvalidTag, ValueError) as error:
            raise self._broken(f'"{name}" was not sealed with their key') from error

    def _read(self) -> _Contents | None:
        try:
            members = json.loads(read_again(self._path))
            values = {str(name): str(value) for name, value in members["values"].items()}
            if members["version"] != _VERSION or not set(values) <= set(KNOWN):
                raise self._broken("a newer version of the product wrote it")
            return _Contents(str(members["owner"]), str(members["keeper"]), values)
        except FileNotFoundError:
            return None
        except (
            errors.DiskFailed,
            errors.DataFolderNotWritable,
        ) as error:  # these do not concern the content
            raise self._broken("it can't be read", do=error.do) from error
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._broken(f"it can't be read ({type(error).__name__})") from error

    def _write(self, contents: _Contents) -> None:
        members = {
            "version": _VERSION,
            "owner": contents.owner,
            "keeper": contents.keeper,
            "values": dict(contents.values),
        }
        write_private(self._path, json.dumps(members, indent=2).encode())

    def _broken(self, what: str, *, do: str = _DO) -> errors.SettingsBroken:
        return errors.SettingsBroken("secrets.sealed", path=str(self._path), why=what, advice=do)


def _bound_to(owner: str, name: str) -> bytes:
    return f"{owner}|{name}".encode()
