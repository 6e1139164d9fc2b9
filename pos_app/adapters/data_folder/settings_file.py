"""Writes settings.toml as a person would: what is not changed stays as it stands, comments too."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pos_app.adapters.data_folder.private_files import write_private
from pos_app.errors import NotAllowed
from pos_app.settings import FILE_NAME, Settings, check_text, variable_that_sets


def settings_with(data: Path, changes: Mapping[str, object]) -> tuple[Settings, str]:
    """What the settings will be with these, "processor.url" -> value (None: the default), and the
    text of the file then. Nothing is written.

    Raises SettingsBroken; NotAllowed where the environment gives one of them, and would still win.
    """
    import tomlkit  # noqa: PLC0415 - 60 ms, and hardly ever needed

    for name in changes:
        if variable := variable_that_sets(name):
            raise NotAllowed(f'"{name}" is given by {variable}: change it there.', kind="given")
    path = data / FILE_NAME
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    check_text(data, text)  # in words where a person broke it meanwhile
    document: Any = tomlkit.parse(text)
    for name, value in changes.items():
        group, _, member = name.partition(".")
        if value is None:
            if group in document:
                document[group].pop(member, None)
            continue
        if group not in document:
            document[group] = tomlkit.table()
        document[group][member] = _inline(value) if isinstance(value, Mapping) else value
    whole = tomlkit.dumps(document)
    return check_text(data, whole), whole


def _inline(value: Mapping[str, object]) -> object:
    import tomlkit  # noqa: PLC0415

    table = tomlkit.inline_table()
    table.update(value)
    return table


def write_settings(data: Path, text: str) -> None:
    """Raises DataFolderNotWritable."""
    write_private(data / FILE_NAME, text.encode())
