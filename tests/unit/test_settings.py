"""The settings file: names that fit on a receipt, and words for forbidden values."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.data_folder.settings_file import settings_with, write_settings
from pos_app.errors import SettingsBroken


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
