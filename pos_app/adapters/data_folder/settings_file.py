"""Writes settings.toml as a person would: everything else stays as it is, comments too.

Beside it is a copy of the last good settings. A program that starts without settings in a folder
that had some would sign with another processor, so it does not start, and the copy is offered.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from pos_app import log
from pos_app.adapters.data_folder.private_files import free_name, read_again, write_private
from pos_app.errors import DataFolderNotWritable, MachineError, NotAllowed
from pos_app.settings import (
    FILE_NAME,
    LAST_GOOD,
    Settings,
    check_text,
    file_text,
    is_empty,
    variable_that_sets,
)

_log = log.get(__name__)


class SettingsFile:
    """Implements cashier.services.SettingsKeeper with settings.toml.

    check: raises SettingsBroken for settings with which the server would not open the shop; it gets
    the names of the changed settings.
    """

    def __init__(
        self, data: Path, *, check: Callable[[Settings, Collection[str]], None] | None = None
    ) -> None:
        self._data, self._check = data, check

    def given_elsewhere(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if variable_that_sets(name))

    def change(self, changes: Mapping[str, object]) -> Settings:
        made, text = settings_with(self._data, changes)
        if self._check is not None:
            self._check(made, changes.keys())
        write_settings(self._data, text)
        return made


def settings_with(data: Path, changes: Mapping[str, object]) -> tuple[Settings, str]:
    """Return the settings after these changes, "processor.url" -> value (None resets to the
    default), and the text of the file then. Nothing is written.

    Raises SettingsBroken; NotAllowed where the environment sets one of them, and would override the
    file.
    """
    import tomlkit  # noqa: PLC0415 - 60 ms, and hardly ever needed

    for name in changes:
        if variable := variable_that_sets(name):
            raise NotAllowed("given", name=name, where=variable)
    text = file_text(data)
    check_text(data, text)  # explains where a person broke the file meanwhile
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
    """Write the file. Raises DataFolderNotWritable. A change of good settings is kept as good too;
    text that a person wrote meanwhile has to prove itself at the next start."""
    follows = _is_kept(data)
    write_private(data / FILE_NAME, text.encode())
    if follows:
        _save_last_good(data, text.encode())


def keep_good(settings: Settings) -> None:
    """Keep a copy of the settings that the shop was opened with, as far as they come from the file.
    Later changes of the file are not kept. A copy that can't be written now does not stop sales."""
    data = settings.data
    try:
        held = _held(data / FILE_NAME)
        if _is_kept(data) or is_empty(text := file_text(data)):
            return
        is_in_use = check_text(data, text).processor == settings.processor
    except (OSError, MachineError) as error:
        _log.warning("the settings can't be kept a second time: %s", error)
        return
    if is_in_use:
        _save_last_good(data, held)


def put_settings_back(data: Path) -> str | None:
    """Put the last good settings back where the file is missing, empty or damaged. Return the name
    of the file in which a damaged one was set aside, "" if there was none, or None if nothing was
    done. Raises SettingsBroken, DataFolderNotWritable, DiskFailed."""
    good, held = _held(data / LAST_GOOD), _held(data / FILE_NAME)
    is_lost = is_empty(held.decode(errors="replace"))
    if not good or not (is_lost or _is_damaged(held)):
        return None
    check_text(data, good.decode("utf-8-sig"))
    aside = ""
    if not is_lost:
        kept = free_name(data / f"{FILE_NAME}.damaged")
        write_private(kept, held)
        aside = kept.name
    write_private(data / FILE_NAME, good)
    return aside


def is_damaged(data: Path) -> bool:
    """Tell whether the file can't be read as settings, whatever they say."""
    held = _held(data / FILE_NAME)
    return not is_empty(held.decode(errors="replace")) and _is_damaged(held)


def _is_damaged(held: bytes) -> bool:
    try:
        tomllib.loads(held.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return True
    return False


def _save_last_good(data: Path, held: bytes) -> None:
    try:
        write_private(data / LAST_GOOD, held)
    except DataFolderNotWritable as error:
        _log.warning("the settings can't be kept a second time: %s", error.what)


def _is_kept(data: Path) -> bool:
    """Tell whether the copy equals the settings; False where one of them can't be read."""
    try:
        return _held(data / FILE_NAME) == _held(data / LAST_GOOD)
    except (OSError, MachineError) as error:
        _log.warning("the copy of the settings can't be compared: %s", error)
        return False


def _held(path: Path) -> bytes:
    """Read a file; b"" where there is none. Raises what `read_again` does."""
    try:
        return read_again(path)
    except FileNotFoundError:
        return b""
