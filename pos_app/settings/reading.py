"""Reads the settings of an installation.

Order of precedence: command line, environment (`POS_APP_SERVER__PORT=…`, or the file that
`POS_APP_SERVER__PORT_FILE=…` names), `settings.toml` in the data folder, defaults.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pos_app.errors import SettingsBroken
from pos_app.installed import default_data_folder
from pos_app.settings import faults
from pos_app.settings.kinds import SettingKind, SettingRefused, group_of, is_group, kinds
from pos_app.settings.shapes import Settings

FILE_NAME = "settings.toml"
PREFIX = "pos_app_"
"""The beginning of environment variables that are settings, in upper or lower case."""
BETWEEN = "__"
"""Stands between a group and its setting in the name of an environment variable."""
IN_FILE = "_file"
"""Ends the variable of a setting whose value is in a file, as containers and systemd give
secrets."""
_MISSPELT = 0.75
"""The word before `BETWEEN` counts as misspelt when its likeness to a group's name is at least
this."""


def named(group: str, *members: str) -> tuple[str, ...]:
    """The names of some settings of one group: "till.theme", "till.language"."""
    return tuple(f"{group}.{member}" for member in members)


def folder_mark(data: Path) -> str:
    """24 hex digits that stand for a data folder in any spelling of its path."""
    spelt = os.path.normcase(data.resolve())
    return hashlib.sha256(spelt.encode()).hexdigest()[:24]


def load(data: Path | None = None, **given: Any) -> Settings:
    """Read the settings of the installation in `data`; `given` wins over file and environment.
    Raises SettingsBroken naming the setting and its source, DataFolderNotWritable when `data` is a
    file."""
    folder = (data or default_data_folder()).absolute()
    faults.check_folder(folder)
    return _settings(folder, *faults.read_file(folder / FILE_NAME), given)


def file_text(data: Path) -> str:
    """The present text of the settings file, "" for a shop that never had one. Raises
    SettingsBroken."""
    return faults.read_file(data / FILE_NAME)[1]


def check_text(data: Path, text: str) -> Settings:
    """The settings as they will be read once the file holds this text. Raises SettingsBroken."""
    path = data / FILE_NAME
    return _settings(data, faults.parsed(path, text), text, {})


def _settings(
    folder: Path, file: Mapping[str, object], text: str, given: Mapping[str, object]
) -> Settings:
    path = folder / FILE_NAME
    environment = from_environment(os.environ)
    try:
        outside = _merged(environment, {"data": folder, **given})
        return _whole_paths(group_of(Settings, _merged(file, outside)))
    except SettingRefused as error:
        stands = faults.GivenSetting(
            ".".join(error.path),
            path,
            text,
            variable=_variable(error.path) if _holds(environment, error.path) else "",
            by_command=_holds(given, error.path),
        )
        if error.is_unknown:
            raise faults.unknown(stands, names()) from error
        raise faults.not_allowed(stands, error.why) from error


def _whole_paths(read: Settings) -> Settings:
    """Make each `ca_file` an absolute path, taken from the data folder, because the current folder
    of a service is `/`."""
    paths = {
        name: group.having(ca_file=str(read.data / group.ca_file))
        for name, group in (
            ("processor", read.processor),
            ("mail", read.mail),
            ("platform", read.platform),
        )
        if group.ca_file
    }
    return read.having(**paths)


def refused(settings: Settings, name: str, why: str) -> SettingsBroken:
    """The error for a setting that only the program which uses it can refuse, in the form of
    `load`."""
    path = settings.data / FILE_NAME
    return faults.not_allowed(faults.GivenSetting(name, path, faults.read_file(path)[1]), why)


def names() -> frozenset[str]:
    """All settings that a file may hold, as "server.port", and their groups."""
    found = set[str]()
    for name, kind in kinds(Settings).items():
        members = kind.plain.__annotations__ if is_group(kind.plain) else {}
        found |= {name, *(f"{name}.{member}" for member in members)}
    return frozenset(found - {"data"})


def variable_that_sets(name: str) -> str:
    """The environment variable that sets "processor.url" or the like, which wins over the file; ""
    without one."""
    parts = name.split(".")
    if not _holds(from_environment(os.environ), parts):
        return ""
    own = _variable(parts)
    entries = set(map(str.upper, os.environ))
    return next(
        (one for one in (own, own + IN_FILE.upper()) if one in entries), _variable(parts[:1])
    )


def _variable(path: Sequence[str]) -> str:
    return (PREFIX + BETWEEN.join(path)).upper()


def _holds(settings: Mapping[str, object], path: Sequence[str]) -> bool:
    found: object = settings
    for part in path:
        if not isinstance(found, Mapping):
            return True
        if part not in found:
            return False
        found = found[part]
    return True


def from_environment(variables: Mapping[str, str]) -> dict[str, object]:
    """The settings of environment variables, in the form of the file.

    `POS_APP_SERVER__PORT=8080` sets one value; lists, tables and whole groups are JSON, as in
    `POS_APP_SERVER__ORIGINS=["https://shop.rs"]`; a variable of one setting wins over its group's
    JSON. `POS_APP_SERVER__PORT_FILE=/run/port` sets the content of that file, unless the variable
    itself is there. A variable whose first word is no setting (`POS_APP_TEST_…`) is somebody
    else's, unless it is nearly one (`POS_APP_SERVR__PORT`).

    Raises SettingsBroken naming the variable when its JSON or its file can't be read.
    """
    variables = _with_files(variables)
    read: dict[str, object] = {}
    for name in sorted(variables):  # a group comes before its members
        path = name.lower().removeprefix(PREFIX).split(BETWEEN)
        if not name.lower().startswith(PREFIX):
            continue
        if path[0] in kinds(Settings) or _is_misspelt(path):
            value: object = variables[name]
            if _is_json(path):
                value = _json_of(name, variables[name])
            for part in reversed(path):
                value = {part: value}
            assert isinstance(value, dict)
            read = _merged(read, value)
    return read


def _is_misspelt(path: Sequence[str]) -> bool:
    """Tell whether a variable was meant as a setting; it is then read as one, and reported as
    unknown."""
    near = difflib.get_close_matches(path[0], kinds(Settings), n=1, cutoff=_MISSPELT)
    return len(path) > 1 and bool(near)


def _with_files(variables: Mapping[str, str]) -> Mapping[str, str]:
    values, known = dict(variables), names()
    given = {name.lower() for name in variables}
    for name, path in variables.items():
        plain = name.lower().removesuffix(IN_FILE)
        setting = plain.removeprefix(PREFIX).replace(BETWEEN, ".")
        own = name.lower().removeprefix(PREFIX).replace(BETWEEN, ".")
        if own == name.lower() or own == setting or own in known or setting not in known:
            continue
        del values[name]
        if plain not in given:
            values[name[: -len(IN_FILE)]] = _value_in(name, Path(path))
    return values


def _value_in(name: str, file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise SettingsBroken(
            "value.file", name=name, path=FILE_NAME, why=why or "it is no text in UTF-8"
        ) from error


def _is_json(path: Sequence[str]) -> bool:
    """Tell whether the setting at `path` holds more than one value."""
    kind = SettingKind(Settings)
    for part in path:
        if not is_group(kind.plain):
            return False
        kind = kinds(kind.plain).get(part, SettingKind(None))
    return kind.is_many


def _json_of(name: str, text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SettingsBroken("value.json", name=name, path=FILE_NAME, why=error) from error
    return value


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """Both merged, group by group; a value of `above` wins."""
    whole = dict(below)
    for name, value in above.items():
        old = whole.get(name)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            whole[name] = _merged(old, value)
        else:
            whole[name] = value
    return whole
