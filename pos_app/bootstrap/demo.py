"""The demo shop: a filled catalogue on the development processor, in a folder of its own."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from pos_app import resources, settings
from pos_app.adapters.install import open_install
from pos_app.bootstrap.sync import run_sync
from pos_app.errors import DataFolderNotWritable, SettingsBroken
from pos_app.settings import FILE_NAME, Settings

_SETTINGS = """\
# The demo shop. Nothing that is issued here is fiscal.
environment = "demo"

[processor]
kind = "development"
quiet_seconds = 5.0
used_here_alone = true

[till]
name = "Каса 1"
cashier = "Касир 1"
"""


def demo_folder() -> Path:
    """Where the demo shop lives unless told otherwise: beside a real shop, never in it."""
    real = settings.default_data_folder()
    return real.with_name(f"{real.name}-demo")


def prepare_demo(folder: Path | None, *, say: Callable[[str], None]) -> Settings:
    """Fill the demo shop, or find it as it was left; its settings.

    Raises SettingsBroken when the folder belongs to a real shop, and what the files raise.
    """
    data = (folder or demo_folder()).absolute()
    _write_settings(data)
    shop = settings.load(data)
    if shop.environment != "demo":
        raise SettingsBroken(
            f"The data folder {data} belongs to a real shop.",
            safe="Nothing was changed.",
            do="Choose another folder with --data.",
            kind="other_shop",
            path=str(data),
        )
    open_install(data, environment="demo")
    source = resources.folder() / "demo" / "catalogue.json"
    report = run_sync(settings=shop, source=source, progress=say)
    say(f"Demo shop in {data}: {report.articles} articles.")
    return shop


def _write_settings(data: Path) -> None:
    """The settings of a new demo shop; those of any folder in use stay as they are."""
    path = data / FILE_NAME
    if path.exists() or (data / "install.json").exists():
        return
    try:
        data.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{FILE_NAME}.{os.getpid()}")
        draft.write_text(_SETTINGS, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise DataFolderNotWritable(
            f"The data folder {data} can't be written to: {error}.",
            safe="Nothing was changed.",
            do="Give this user the right to write there, or choose another folder with --data.",
            path=str(data),
        ) from error
