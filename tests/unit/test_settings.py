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


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_the_server_listens_on_the_loopback(folder: Path, host: str) -> None:
    assert settings.load(written(folder, "server.host", host)).server.host == host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "kasa.local", "127.0.0.2", ""])
def test_a_server_on_the_lan_is_refused_in_words(folder: Path, host: str) -> None:
    with pytest.raises(SettingsBroken) as refused:
        settings.load(written(folder, "server.host", host))
    assert '"server.host"' in refused.value.what
    assert "needs a shared token, which this version can't keep yet" in refused.value.what
    assert "Value error" not in refused.value.what


def test_the_command_line_can_not_open_it_either(folder: Path) -> None:
    with pytest.raises(SettingsBroken, match="shared token"):
        settings.load(folder, server={"host": "0.0.0.0"})
