"""Secrets that the shop typed: from the environment, else from a file that others can't read.

The file is plain text under the rights of the server's user, mode 0600.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path

from pos_app.adapters.secret import Secret
from pos_app.characters import escaped
from pos_app.errors import OR_SUPPORT, SettingsBroken

FILE_NAME = "secrets.toml"
MAIL_PASSWORD, LAN_TOKEN, PLATFORM_SECRET = "mail_password", "lan_token", "platform_secret"
KNOWN = (MAIL_PASSWORD, LAN_TOKEN, PLATFORM_SECRET)
_LONGEST_NAME = 40
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_secret(name: str, *, data: Path, variables: Mapping[str, str]) -> Secret:
    """The secret of that name, one of KNOWN; empty when there is none.

    "mail_password" is the variable POS_APP_MAIL_PASSWORD, or the member of the file. Raises
    SettingsBroken for a file that can't be read, that others can read too, or that has a name which
    is none of ours: a secret under a misspelt one would be missed in silence.
    """
    variable = f"POS_APP_{name.upper()}"
    if variable in variables:
        return Secret(variables[variable])
    return Secret(_told(data / FILE_NAME).get(name, ""))


def check_secrets(data: Path) -> None:
    """Raise SettingsBroken for a file that `read_secret` refuses, even if nothing in it is
    needed now: what is wrong is told before the day that it is."""
    _told(data / FILE_NAME)


def _told(path: Path) -> dict[str, str]:
    members = _members(path)
    if unknown := [member for member in members if member not in KNOWN]:
        known = ", ".join(KNOWN)
        raise _broken(
            path,
            f'there is no secret "{escaped(unknown[0][:_LONGEST_NAME])}"; there are: {known}',
            do="Correct the name, or take it out.",
        )
    told: dict[str, str] = {}
    for name, value in members.items():
        if not isinstance(value, str):
            raise _broken(path, f'"{name}" is not a text', do=f'Put "{name}" in quotes.')
        told[name] = value
    return told


def _members(path: Path) -> dict[str, object]:
    try:
        if os.name == "posix" and path.stat().st_mode & _OTHERS:
            do = f"Take that right away: chmod 600 {path}."
            raise _broken(path, "other users have rights to it", do=do)
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        # tomllib's words may quote the file, so they are not told.
        kind = type(error).__name__
        raise _broken(path, f"it can't be read ({kind})", do="Mend it, or move it away.") from None


def _broken(path: Path, what: str, *, do: str) -> SettingsBroken:
    return SettingsBroken(
        f"The file of secrets {path}: {what}.",
        safe="Nothing was changed.",
        do=f"{do} {OR_SUPPORT}",
        kind="secrets",
        path=str(path),
    )
