"""docs/settings.md names every setting with its default, and no other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pos_app import settings

PAGE = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")


def shown() -> dict[str, Any]:
    """Name and default of each row, read as the settings file is."""
    rows = re.findall(r"^\| `([\w.]+)` \| `(.*?)` \|", PAGE, re.MULTILINE)
    return {name: tomllib.loads(f"value = {default}")["value"] for name, default in rows}


def flat(folder: Path) -> dict[str, Any]:
    """Name and default of each setting of an installation that sets nothing."""
    loaded = settings.load(folder).as_json()
    names: dict[str, Any] = {}
    del loaded["data"]
    for name, value in loaded.items():
        members = value.items() if isinstance(value, dict) else [("", value)]
        names |= {f"{name}.{member}".rstrip("."): each for member, each in members}
    return names


def test_every_setting_is_told_with_its_default(folder: Path) -> None:
    assert shown() == flat(folder)


def test_the_example_is_taken(folder: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (folder / settings.FILE_NAME).write_text(example, encoding="utf-8")
    read = settings.load(folder)
    assert (read.server.port, read.esir.ib, read.till.name) == (9999, "1234", "Каса 2")


def test_what_is_said_of_the_environment(folder: Path, monkeypatch: Any) -> None:
    told = str(folder / "told")
    (folder / "told").write_text("postgresql://u@db/p", encoding="utf-8")
    for name, value in re.findall(r"`(POS_APP_\w+)=(.*?)`", PAGE):
        monkeypatch.setenv(name, told if name.endswith("_FILE") else value.strip("'"))
    read = settings.load(folder)
    assert (read.server.port, read.server.names) == (9998, ("kasa.local",))
    assert read.platform_server.database_url == "postgresql://u@db/p"
