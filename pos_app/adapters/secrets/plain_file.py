"""secrets.toml: plain text for installations that are set up without a person; its mode is 0600."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

from pos_app import errors
from pos_app.adapters.data_folder.private_files import read_again
from pos_app.adapters.secrets.names import KNOWN
from pos_app.characters import escaped

FILE_NAME = "secrets.toml"
_LONGEST_NAME = 40
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def plain_secrets(data: Path) -> dict[str, str]:
    """Return the secrets in the file by name; empty when there is no file.

    Raises SettingsBroken for a file that can't be read, that others can read too, or that has an
    unknown name: a secret under a misspelt name would be missed in silence.
    """
    path = data / FILE_NAME
    members = _members(path)
    if unknown := [member for member in members if member not in KNOWN]:
        known = ", ".join(KNOWN)
        raise secrets_broken(
            path,
            f'there is no secret "{escaped(unknown[0][:_LONGEST_NAME])}"; there are: {known}',
            do="Correct the name, or take it out.",
        )
    values: dict[str, str] = {}
    for name, value in members.items():
        if not isinstance(value, str):
            raise secrets_broken(path, f'"{name}" is not a text', do=f'Put "{name}" in quotes.')
        values[name] = value
    return values


def refuse_readable_by_others(path: Path) -> None:
    """Check the rights. Raises SettingsBroken, and FileNotFoundError where there is no file."""
    if os.name == "posix" and path.stat().st_mode & _OTHERS:
        do = f"Take that right away: chmod 600 {path}."
        raise secrets_broken(path, "other users have rights to it", do=do)


def _members(path: Path) -> dict[str, object]:
    try:
        refuse_readable_by_others(path)
        return tomllib.loads(read_again(path).decode())
    except FileNotFoundError:
        return {}
    except (
        errors.DiskFailed,
        errors.DataFolderNotWritable,
    ) as error:  # these do not concern the content
        raise secrets_broken(path, "it can't be read", do=error.do) from error
    except (OSError, ValueError) as error:
        # tomllib's words may quote the file, so they are not repeated.
        kind = type(error).__name__
        do = "Correct it in an editor; what is in it is nowhere else."
        raise secrets_broken(path, f"it can't be read ({kind})", do=do) from None


def secrets_broken(path: Path, what: str, *, do: str) -> errors.SettingsBroken:
    return errors.SettingsBroken("secrets.plain", path=str(path), why=what, advice=do)
