"""The settings file: names that fit on a receipt, and faults that name their place and setting."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from pos_app import settings
from pos_app.adapters.data_folder.settings_file import settings_with, write_settings
from pos_app.adapters.secrets.names import KNOWN, NEXT_PLATFORM_SECRET
from pos_app.errors import DataFolderNotWritable, SettingsBroken
from pos_app.settings.faults import line_of
from pos_app.settings.shapes import PlatformOperation


def written(folder: Path, name: str, value: str) -> Path:
    group, _, member = name.partition(".")
    (folder / settings.FILE_NAME).write_text(f"[{group}]\n{member} = {value}\n", encoding="utf-8")
    return folder


def test_the_server_listens_on_this_machine_or_on_all_its_addresses(folder: Path) -> None:
    for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "::"):
        assert settings.load(written(folder, "server.host", f'"{host}"')).server.host == host
    for host, words in (
        ("192.168.1.5", "use 0.0.0.0 for the LAN, or 127.0.0.1"),
        ("127.0.0.2", "use 0.0.0.0 for the LAN, or 127.0.0.1"),
        ("fd00::5", "use 0.0.0.0 for the LAN, or 127.0.0.1"),
        ("kasa.local", '"kasa.local" does not name this machine; use 127.0.0.1'),
        ("", '"" does not name this machine; use 127.0.0.1'),
    ):
        with pytest.raises(SettingsBroken) as refused:
            settings.load(written(folder, "server.host", f'"{host}"'))
        assert '"server.host"' in refused.value.what
        assert words in refused.value.what
        assert "Value error" not in refused.value.what


@pytest.mark.parametrize(
    ("variable", "text", "named"),
    [
        ("POS_APP_PLATFORM_SERVER__TRUSTED_PROXIES", '["proxy"]', "neither an IP address"),
        ("POS_APP_SERVER__PORT", "many", '"server.port"'),
        ("POS_APP_TILL__TOUCH_MM", "14", '"till.touch_mm"'),
        ("POS_APP_TILL__TOUCH_MM", "large", "POS_APP_TILL__TOUCH_MM"),
        ("POS_APP_SERVER__PROT", "1", '"server.prot"'),
        ("POS_APP_SERVR__PORT", "1", '"servr"'),
        ("POS_APP_TILL__ACTION_KEYS", '["F3", "F3"]', "each stands there once"),
        ("POS_APP_SERVER__PORT__NUMBER", "1", '"server.port"'),
        ("POS_APP_SERVER", "8080", '"server"'),
        ("POS_APP_SERVER__ORIGINS", "https://shop.rs", "POS_APP_SERVER__ORIGINS"),
        ("POS_APP_SERVER__ORIGINS", "[" * 100_000, "POS_APP_SERVER__ORIGINS"),
    ],
)
def test_a_variable_that_makes_no_sense_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, variable: str, text: str, named: str
) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(SettingsBroken, match=named):
        settings.load(folder)


# --- settings.toml is written as a person would write it: unchanged parts keep their text --------


def keep(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / settings.FILE_NAME
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    ["", 'processor.kind = "lpfr"\n', 'processor = { kind = "lpfr" }\n', "\ufeff[till]\n"],
    ids=["no file", "dotted", "inline", "byte order mark"],
)
def test_whatever_form_it_has(folder: Path, text: str) -> None:
    path = keep(folder, text)
    if not text:
        path.unlink()
    labels = {"Ђ": "F", "Е": "E"}
    changes = {"processor.url": "http://127.0.0.1:1", "processor.label_map": labels}
    after, whole = settings_with(folder, changes)
    write_settings(folder, whole)
    assert settings.load(folder) == after
    assert (after.processor.url, after.processor.label_map) == ("http://127.0.0.1:1", labels)
    _, whole = settings_with(folder, {"processor.label_map": None})
    assert "label_map" not in whole


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
