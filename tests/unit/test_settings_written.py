"""settings.toml is written as a person would write it: unchanged parts keep their text."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from pos_app import settings
from pos_app.adapters.data_folder.settings_file import keep_good, settings_with, write_settings
from pos_app.errors import NotAllowed, SettingsBroken

WRITTEN = """\
# Of the shop in Novi Sad.
[till]
name = "Каса 2"   # at the door

[processor]
kind = "lpfr"
url = "http://127.0.0.1:8888" # the small box

[esir]
ib = "1234"
"""


def keep(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / settings.FILE_NAME
    path.write_text(text, encoding="utf-8")
    return path


def test_comments_and_order_stay(folder: Path) -> None:
    path = keep(folder, WRITTEN)
    changes = {"processor.kind": "vpfr", "processor.url": None, "processor.used_here_alone": True}
    after, text = settings_with(folder, changes)
    assert path.read_text(encoding="utf-8") == WRITTEN  # nothing is written yet
    write_settings(folder, text)
    assert settings.load(folder) == after
    assert (after.processor.kind, after.processor.url) == ("vpfr", "")
    assert after.processor.used_here_alone
    kept = [line for line in WRITTEN.splitlines() if "kind" not in line and "url" not in line]
    assert [line for line in text.splitlines() if line in kept] == kept
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_the_copy_of_the_last_good_ones_is_open_to_no_more_users(folder: Path) -> None:
    path = keep(folder, WRITTEN)
    for mode in (0o644, 0o660, 0o600):
        path.chmod(mode)
        (folder / settings.LAST_GOOD).unlink(missing_ok=True)
        keep_good(settings.load(folder))
        copy = (folder / settings.LAST_GOOD).stat()
        assert copy.st_mode & 0o777 == 0o600
        assert copy.st_uid == path.stat().st_uid


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


def test_what_can_t_be_is_told_and_not_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = keep(folder, WRITTEN)
    with pytest.raises(SettingsBroken, match=r"processor\.kind"):
        settings_with(folder, {"processor.kind": "fax"})
    monkeypatch.setenv("POS_APP_PROCESSOR__URL", "http://127.0.0.1:2")
    with pytest.raises(NotAllowed, match="POS_APP_PROCESSOR__URL"):
        settings_with(folder, {"processor.url": "http://127.0.0.1:1"})
    monkeypatch.delenv("POS_APP_PROCESSOR__URL")
    monkeypatch.setenv("POS_APP_PROCESSOR", '{"kind": "lpfr"}')
    with pytest.raises(NotAllowed, match="POS_APP_PROCESSOR"):
        settings_with(folder, {"processor.kind": "vpfr"})
    assert path.read_text(encoding="utf-8") == WRITTEN
