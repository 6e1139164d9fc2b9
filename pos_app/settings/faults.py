"""The faults of settings, in words: which file and line, which setting, what was meant."""

from __future__ import annotations

import difflib
import ipaddress
import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any, Literal

from pos_app.errors import DataFolderNotWritable, SettingsBroken
from pos_app.lazy_dataclass import dataclass

_NEAR_ENOUGH = 0.6
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
LAST_GOOD = "settings.last-good.toml"
"""A file beside the settings: a copy of the settings with which the server last opened the shop."""
PUT_BACK = "pos-app check --put-back"
"""The command that brings back what a copy on this machine has."""


def check_folder(folder: Path) -> None:
    """Raise DataFolderNotWritable when the data folder or one of its parents is a file."""
    for path in (folder, *folder.parents):
        try:
            if path.is_dir():
                return
            is_file = path.exists()
        except PermissionError:  # opening a file in it will give a better reason
            return
        if is_file:
            raise DataFolderNotWritable("file", path=str(path), folder=folder)


def read_file(path: Path) -> tuple[dict[str, Any], str]:
    """The settings file as TOML, and its text; both empty for a shop that never had settings.
    Raises SettingsBroken naming the line, also when settings that the shop had are missing: with
    the defaults another processor would sign its receipts. A byte order mark is no fault."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        if path.is_symlink():
            raise _with_last_good("link", path) from error
        raw = b""
    except OSError as error:
        raise SettingsBroken("unread", path=str(path), why=error.strerror) from error
    text = _decoded(path, raw)
    if is_empty(text) and path.with_name(LAST_GOOD).exists():
        raise _lost(path)
    return parsed(path, text), text


def is_empty(text: str) -> bool:
    """Tell whether a file has no content; a disk that lost power may leave zeros."""
    return not text.strip("\0 \t\r\n")


def _lost(path: Path) -> SettingsBroken:
    found = "empty" if path.exists() else "missing"
    return _with_last_good("lost", path, found=found)


def _with_last_good(
    kind: Literal["link", "lost", "toml", "encoding"], path: Path, **values: Any
) -> SettingsBroken:
    """The error that names the copy of the last good settings where there is one, and the command
    that brings settings back."""
    last = path.with_name(LAST_GOOD)
    whole, cure = f"{kind}.alone", "pos-app restore SET --only settings"
    if last.exists():
        whole, cure = f"{kind}.copied", PUT_BACK
    return SettingsBroken(whole, path=str(path), last=str(last), cure=cure, **values)


def parsed(path: Path, text: str) -> dict[str, Any]:
    """The text of the file at `path` as TOML. Raises SettingsBroken naming the line."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = _line_named_by(error, text)
        raise _with_last_good("toml", path, line=line, why=error) from error


def _decoded(path: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 if raw.startswith(_UTF16) else raw.count(b"\n", 0, error.start) + 1
        found = "it is UTF-16" if raw.startswith(_UTF16) else f"byte 0x{raw[error.start]:02x}"
        raise _with_last_good("encoding", path, line=line, found=found) from error


def _line_named_by(error: Exception, text: str) -> int:
    match = re.search(r"at line (\d+)", str(error))
    return int(match[1]) if match else text.count("\n") + 1


# --- one setting ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GivenSetting:
    """A setting and its source. variable: the variable of the environment, "" if the file has the
    setting. text: the text of the file. by_command: whether the command line has it, which wins
    over both.
    """

    name: str
    path: Path
    text: str
    variable: str = ""
    by_command: bool = False

    def where(self) -> str:
        """The source in words that fit behind the setting's name."""
        if self.by_command:
            return "on the command line"
        if self.variable:
            return f"in the environment variable {self.variable}"
        line = line_of(self.name, self.text)
        return f"in line {line} of {self.path}" if line else f"in {self.path}"


def line_of(name: str, text: str) -> int | None:
    group, table = "", re.compile(r"\s*\[\s*([\w.\"-]+)\s*\]")
    for number, text_line in enumerate(text.splitlines(), start=1):
        if found := table.match(text_line):
            group = found[1].replace('"', "")
            if group == name:
                return number
        elif key := re.match(r'\s*"?([\w.-]+)"?\s*=', text_line):
            whole = f"{group}.{key[1]}" if group else key[1]
            if whole == name or name.startswith(f"{whole}."):
                return number
    return None


def unknown(given: GivenSetting, known: Collection[str]) -> SettingsBroken:
    """The error for a name that no setting has. known: all settings, and their groups."""
    near = _nearest(given.name, known)
    return SettingsBroken(
        "near" if near else "unknown",
        name=given.name,
        where=given.where(),
        near=near,
        path=str(given.path),
    )


def not_allowed(given: GivenSetting, why: str) -> SettingsBroken:
    return SettingsBroken(
        "host" if given.name == "server.host" else "value.setting",
        name=given.name,
        where=given.where(),
        why=why,
        path=str(given.path),
    )


def why_not_here(host: str) -> str:
    """The reason why `host` is neither this machine alone nor all of its network addresses."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return f'"{host}" does not name this machine; use 127.0.0.1'
    return (
        "one address may be gone when the machine starts without its network; use 0.0.0.0 for"
        " the LAN, or 127.0.0.1"
    )


def _nearest(name: str, known: Collection[str]) -> str:
    group, _, last = name.rpartition(".")
    beside = {one.rpartition(".")[2]: one for one in known if one.rpartition(".")[0] == group}
    longer = [member for member in beside if member.startswith(last)]
    found = difflib.get_close_matches(last, beside, n=1, cutoff=_NEAR_ENOUGH) or longer[:1]
    if found:
        return beside[found[0]]
    elsewhere = [one for one in known if one.rpartition(".")[2] == last]
    return elsewhere[0] if len(elsewhere) == 1 else ""
