"""The settings file: names that fit on a receipt, and words for what is not allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app import settings
from pos_app.errors import SettingsBroken

NAMES = ("server.cashier", "till.cashier", "till.name")


def written(folder: Path, name: str, value: str) -> Path:
    group, _, member = name.partition(".")
    text = f'[{group}]\n{member} = "{value}"\n'
    (folder / settings.FILE_NAME).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", ["А", "Љ" * 50])
def test_a_name_of_1_to_50_characters(folder: Path, name: str, value: str) -> None:
    group, _, member = name.partition(".")
    read = settings.load(written(folder, name, value))
    assert getattr(getattr(read, group), member) == value


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", ["", "   ", "Љ" * 51])
def test_a_name_that_no_processor_takes_is_refused(folder: Path, name: str, value: str) -> None:
    with pytest.raises(SettingsBroken, match=f'"{name}"'):
        settings.load(written(folder, name, value))
