"""A fault of the settings names its position, its setting and the intended word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from pos_app import settings
from pos_app.adapters.secrets.names import KNOWN, NEXT_PLATFORM_SECRET
from pos_app.errors import DataFolderNotWritable, SettingsBroken
from pos_app.settings.faults import line_of
from pos_app.settings.shapes import PlatformOperation


def refused(folder: Path, file: str | bytes) -> SettingsBroken:
    path = folder / settings.FILE_NAME
    path.write_bytes(file.encode() if isinstance(file, str) else file)
    with pytest.raises(SettingsBroken) as error:
        settings.load(folder)
    told = error.value
    assert str(path) in told.what
    assert told.values["path"] == str(path)
    assert told.safe
    assert told.do
    return told


@pytest.mark.parametrize(
    ("setting", "value", "words"),
    [
        ("server.port", "'many'", "it is a number"),
        ("server.port", "[9999]", "it is a number"),
        ("server.port", "1.5", "it is a whole number"),
        ("server.port", "true", "it is a number, not true or false"),
        ("server.port", "70000", "it is a number from 0 to 65535"),
        ("printer.baud", "0", "it is a number of at least 1"),
        ("processor.quiet_seconds", "nan", "it is a number from 0 to 86400"),
        ("processor.quiet_seconds", "0", "it is more than 0"),
        ("server.api_enabled", "'perhaps'", "it is true or false"),
        ("till.theme", "'blue'", 'it is one of "light", "dark"'),
        ("till.touch_mm", "10", "it is one of 9, 12, 15"),
        ("till.name", "7", "it is a text, in quotation marks"),
        ("till.name", "'  '", "nothing of it can be seen"),
        ("till.name", f"'{'Љ' * 51}'", "it has at most 50 characters"),
        ("server.names", "'kasa'", "it is a list"),
        ("server.names", "[1]", "it is a text, in quotation marks"),
        ("shift.terminals", "['1', '2', '3', '4', '5', '6', '7']", "it has at most 6 entries"),
        ("shift.terminals", "['1', ' 1 ']", "each stands there once"),
        ("processor.label_map", "['Ђ']", "it is a table of names and values"),
        ("esir.seller_pib", "'12'", "it is nine digits, or empty"),
        ("scales.layouts", "['26AAAAADDDDD', '3']", "it is twelve signs, such as 21AAAAAGGGGG"),
        ("scales.layouts", "['20AAAAAGGGGG', '20AAAAADDDDD']", "each prefix stands there once"),
        ("server", "[1]", "it is a group of settings, not a value"),
    ],
)
def test_why_a_value_is_not_allowed_is_told_in_plain_words(
    folder: Path, setting: str, value: str, words: str
) -> None:
    told = refused(folder, f"{setting} = {value}\n")
    assert f'"{setting}", in line 1 of' in told.what
    assert told.what.endswith(f"has a value that is not allowed: {words}.")


def test_what_comes_from_elsewhere_is_not_looked_for_in_the_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SettingsBroken, match=r'"server\.port", on the command line'):
        settings.load(folder, server={"port": -1})
    monkeypatch.setenv("POS_APP_SERVER__PROT", "1")
    with pytest.raises(SettingsBroken, match="environment variable POS_APP_SERVER__PROT") as error:
        settings.load(folder)
    assert error.value.values["near"] == "server.port"
    for name in ("server.names", "server"):
        assert line_of(name, "[till]\nname = 1\n# server.names = 1\n") is None


@pytest.mark.parametrize("below", ["", "a", "a/b"])
def test_a_data_folder_that_is_a_file(folder: Path, below: str) -> None:
    file = folder / "shop.txt"
    file.write_text("")
    with pytest.raises(DataFolderNotWritable) as error:
        settings.load(file / below)
    assert f"{file} is a file" in error.value.what
    assert error.value.safe
    assert "--data" in error.value.do
    (folder / settings.FILE_NAME).mkdir()
    with pytest.raises(SettingsBroken, match="can't be read"):
        settings.load(folder)


# --- docs/reference/settings.md names every setting with its default, and no other ---------------


PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "settings.md").read_text(
    encoding="utf-8"
)


def test_each_secret_and_each_operation_of_a_platform_is_told_and_no_other() -> None:
    table = PAGE.partition("| name | what it is |")[2].partition("\n\n")[0]
    told = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    assert {*told, NEXT_PLATFORM_SECRET} == set(KNOWN)
    listed = PAGE.partition("`platform.operations` may name")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", listed)) == set(get_args(PlatformOperation))
