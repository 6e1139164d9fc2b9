"""The faults of settings, in words: which file and line, which setting, what was meant."""

from __future__ import annotations

import difflib
import ipaddress
import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pos_app.errors import OR_SUPPORT, DataFolderNotWritable, SettingsBroken
from pos_app.lazy_dataclass import dataclass

_UNTOUCHED = "Nothing was changed; what was sold before is kept."
_ALL_NAMES = f"docs/settings.md lists all settings. {OR_SUPPORT}"
_NEAR_ENOUGH = 0.6
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
LAST_GOOD = "settings.last-good.toml"
"""Beside the settings: a copy of those with which the shop's server last opened the shop."""


def check_folder(folder: Path) -> None:
    """Raise DataFolderNotWritable when the data folder, or one around it, is a file."""
    for place in (folder, *folder.parents):
        try:
            if place.is_dir():
                return
            is_file = place.exists()
        except PermissionError:  # opening a file in it will give a better reason
            return
        if is_file:
            raise DataFolderNotWritable(
                f"The data folder can't be {folder}: {place} is a file.",
                safe=_UNTOUCHED,
                do=f"Name a folder with --data; one that is not there yet is made. {OR_SUPPORT}",
                kind="file",
                path=str(place),
            )


def read_file(path: Path) -> tuple[dict[str, Any], str]:
    """The settings file as TOML, and its text; both empty for a shop that never had settings.

    Raises SettingsBroken naming the line, also when settings that the shop had are missing: with
    the defaults another processor would sign its receipts. A byte order mark is no fault.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        if path.is_symlink():
            raise SettingsBroken(
                f"The settings file {path} is a link to a file that is not there.",
                safe=_UNTOUCHED,
                do=f"Bring that file back. {_last_good(path)}{OR_SUPPORT}",
                path=str(path),
            ) from error
        raw = b""
    except OSError as error:
        raise SettingsBroken(
            f"The settings file {path} can't be read: {error.strerror}.",
            safe=_UNTOUCHED,
            do=f"It has to be a file that this user has the right to read. {OR_SUPPORT}",
            path=str(path),
        ) from error
    text = _decoded(path, raw)
    if is_empty(text) and path.with_name(LAST_GOOD).exists():
        raise _lost(path)
    return parsed(path, text), text


def is_empty(text: str) -> bool:
    """Tell whether a file has no content; a disk that lost power may leave zeros."""
    return not text.strip("\0 \t\r\n")


def _lost(path: Path) -> SettingsBroken:
    found = "empty" if path.exists() else "missing"
    return SettingsBroken(
        f"The settings file {path} is {found}, though this shop has settings.",
        safe="Nothing was started or changed; confirmed sales are kept, and wait.",
        do=f'{_last_good(path)}"pos-app check --put-back" puts them back. {OR_SUPPORT}',
        kind="lost",
        path=str(path),
        last=str(path.with_name(LAST_GOOD)),
    )


def _last_good(path: Path) -> str:
    """A sentence, ending with a space, that names the copy's path; "" without a copy."""
    copy = path.with_name(LAST_GOOD)
    return f"The settings with which the shop worked last are in {copy}. " if copy.exists() else ""


def parsed(path: Path, text: str) -> dict[str, Any]:
    """The text of the file at `path` as TOML. Raises SettingsBroken naming the line."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = _line_told_by(error, text)
        raise SettingsBroken(
            f"The settings file {path} is not valid TOML in line {line}: {error}.",
            safe=_UNTOUCHED,
            do=f"Mend line {line}, and keep the rest. {_last_good(path)}{OR_SUPPORT}",
            kind="toml",
            line=line,
            path=str(path),
        ) from error


def _decoded(path: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 if raw.startswith(_UTF16) else raw.count(b"\n", 0, error.start) + 1
        found = "it is UTF-16" if raw.startswith(_UTF16) else f"byte 0x{raw[error.start]:02x}"
        raise SettingsBroken(
            f"The settings file {path} is not saved as UTF-8: line {line}, {found}.",
            safe=_UNTOUCHED,
            do="Open it in an editor, save it with the encoding UTF-8, and look at its letters."
            f" {OR_SUPPORT}",
            kind="encoding",
            line=line,
            path=str(path),
        ) from error


def _line_told_by(error: Exception, text: str) -> int:
    told = re.search(r"at line (\d+)", str(error))
    return int(told[1]) if told else text.count("\n") + 1


# --- one setting ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivenSetting:
    """A setting and its source. variable: that of the environment, "" when it is in the file.

    text: of the file; by_command: whether it was on the command line, which wins over both.
    """

    name: str
    path: Path
    text: str
    variable: str = ""
    by_command: bool = False

    def where(self) -> str:
        """The source in words, to go on after a name."""
        if self.by_command:
            return "on the command line"
        if self.variable:
            return f"in the environment variable {self.variable}"
        line = line_of(self.name, self.text)
        return f"in line {line} of {self.path}" if line else f"in {self.path}"


def line_of(name: str, text: str) -> int | None:
    """The line number of a setting or group in a TOML file, or None when it can't be found."""
    group, table = "", re.compile(r"\s*\[\s*([\w.\"-]+)\s*\]")
    for number, line in enumerate(text.splitlines(), start=1):
        if found := table.match(line):
            group = found[1].replace('"', "")
            if group == name:
                return number
        elif key := re.match(r'\s*"?([\w.-]+)"?\s*=', line):
            whole = f"{group}.{key[1]}" if group else key[1]
            if whole == name or name.startswith(f"{whole}."):
                return number
    return None


def unknown(given: GivenSetting, known: Collection[str]) -> SettingsBroken:
    """The error for a name that no setting has. known: all settings, and their groups."""
    near = _nearest(given.name, known)
    meant = f' Did you mean "{near}"?' if near else ""
    return SettingsBroken(
        f'There is no setting "{given.name}", as it stands {given.where()}.{meant}',
        safe=_UNTOUCHED,
        do=f"Correct the name, or take it out. {_ALL_NAMES}",
        kind="near" if near else "unknown",
        name=given.name,
        near=near,
        path=str(given.path),
    )


def not_allowed(given: GivenSetting, why: str) -> SettingsBroken:
    return SettingsBroken(
        f'The setting "{given.name}", {given.where()}, has a value that is not allowed: {why}.',
        safe=_UNTOUCHED,
        do=f"Mend it there. {_ALL_NAMES}",
        kind="host" if given.name == "server.host" else "value",
        name=given.name,
        path=str(given.path),
    )


def why_not_here(host: str) -> str:
    """The reason why the server listens there neither for this machine nor for its network."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return f'"{host}" does not name this machine; use 127.0.0.1'
    return (
        "one address may be gone when the machine starts without its network; use 0.0.0.0 for"
        " the LAN, or 127.0.0.1"
    )


def _nearest(name: str, known: Collection[str]) -> str:
    """The setting that was probably meant; "" when none is near."""
    group, _, last = name.rpartition(".")
    beside = {one.rpartition(".")[2]: one for one in known if one.rpartition(".")[0] == group}
    longer = [member for member in beside if member.startswith(last)]
    found = difflib.get_close_matches(last, beside, n=1, cutoff=_NEAR_ENOUGH) or longer[:1]
    if found:
        return beside[found[0]]
    elsewhere = [one for one in known if one.rpartition(".")[2] == last]
    return elsewhere[0] if len(elsewhere) == 1 else ""
