"""Reads and writes the secrets of a data folder.

A secret is looked for in the environment (`POS_APP_MAIL_PASSWORD`), then in `secrets.toml` (plain,
for installations that are set up without a person), then among those that a person typed and the
server sealed (`secrets.sealed`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pos_app.adapters.secrets import plain_file
from pos_app.adapters.secrets.names import NEXT_PLATFORM_SECRET, PLATFORM_SECRET, variable_of
from pos_app.adapters.secrets.plain_file import plain_secrets
from pos_app.adapters.secrets.sealed_file import Keepers, SealedFile
from pos_app.adapters.secrets.secret import Secret
from pos_app.errors import NotAllowed


def read_secret(
    name: str, *, data: Path, variables: Mapping[str, str], keepers: Keepers | None = None
) -> Secret:
    """Return the secret of that name, one of `names.KNOWN`; empty when there is none.

    Raises SettingsBroken for a file that can't be read, that others can read too, or that has an
    unknown name. keepers: keepers of the key, for tests.
    """
    if (variable := variable_of(name)) in variables:
        return Secret(variables[variable])
    plain = plain_secrets(data)
    if name in plain:
        return Secret(plain[name])
    return Secret(SealedFile(data, keepers).open(name))


def platform_secret(key: str, *, data: Path, variables: Mapping[str, str]) -> Secret:
    """Return the secret of a platform's key, empty for none. Raises as `read_secret`."""
    if not given_elsewhere(PLATFORM_SECRET, data=data, variables=variables):
        key_of_next, _, secret = SealedFile(data).open(NEXT_PLATFORM_SECRET).partition(" ")
        if secret and key_of_next == key:
            return Secret(secret)
    return read_secret(PLATFORM_SECRET, data=data, variables=variables)


@contextmanager
def platform_secret_changed(
    key: str, secret: Secret, *, data: Path, variables: Mapping[str, str]
) -> Iterator[None]:
    """Change the secret; the caller writes the new key into the settings while inside. Key and
    secret are in two files. Until the settings have the new key, its secret is kept beside the
    earlier one, so that key and secret fit even if the program ends in between. Raises as
    `write_secrets`, before anything is changed."""
    next_secret = Secret(f"{key} {secret.reveal()}") if secret else None
    change = {PLATFORM_SECRET: secret or None}
    _check_sealed_alone(change, data=data, variables=variables)
    write_secrets({NEXT_PLATFORM_SECRET: next_secret}, data=data, variables=variables)
    yield
    write_secrets({**change, NEXT_PLATFORM_SECRET: None}, data=data, variables=variables)


def check_secrets(data: Path) -> None:
    """Raise SettingsBroken for files that `read_secret` refuses, even if nothing in them is needed
    now: a fault is reported before the day on which it matters. The sealed secrets are not opened,
    so their key may be missing."""
    plain_secrets(data)
    SealedFile(data).names()


def check_sealed(data: Path) -> None:
    """Open all sealed secrets, as the server would. Raises SettingsBroken where their key is gone,
    is another one, or can be read by others."""
    sealed = SealedFile(data)
    for name in sorted(sealed.names()):
        sealed.open(name)


def given_elsewhere(name: str, *, data: Path, variables: Mapping[str, str]) -> str:
    """Return the variable or file in which a person set the secret without the server, or ""."""
    if (variable := variable_of(name)) in variables:
        return variable
    return plain_file.FILE_NAME if name in plain_secrets(data) else ""


def write_secrets(
    changes: Mapping[str, Secret | None],
    *,
    data: Path,
    variables: Mapping[str, str],
    keepers: Keepers | None = None,
) -> None:
    """Seal these secrets, and forget those that are None.

    Raises NotAllowed if a variable or `secrets.toml` sets one of them, because that value would
    still take precedence; SettingsBroken, DataFolderNotWritable.
    """
    _check_sealed_alone(changes, data=data, variables=variables)
    sealed = SealedFile(data, keepers)
    sealed.change({name: None if one is None else one.reveal() for name, one in changes.items()})


def _check_sealed_alone(names: Iterable[str], *, data: Path, variables: Mapping[str, str]) -> None:
    for name in names:
        if where := given_elsewhere(name, data=data, variables=variables):
            raise NotAllowed("given", name=name, where=where)


def who_can_open(data: Path) -> str | None:
    """Return a sentence that says who can open the sealed secrets, if any. Raises
    SettingsBroken."""
    return SealedFile(data).words()
