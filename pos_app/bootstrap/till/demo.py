"""The demo shop: a filled catalogue on the development processor, in a folder of its own."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

from pos_app import errors, resources, settings
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.install import (
    check_environment,
    known_install,
    lost_identity,
    open_install,
)
from pos_app.adapters.data_folder.lock import is_held
from pos_app.adapters.server_process.address import SERVER_LOCK, last_server
from pos_app.adapters.sqlite.catalogue.catalogue import is_filled
from pos_app.adapters.sqlite.copy_before_opening import (
    MIGRATIONS,
    copy_before_opening,
    is_unreleased,
)
from pos_app.bootstrap.till.core import server_port
from pos_app.cashier.texts.lookup import Language
from pos_app.settings import FILE_NAME, Settings, check_folder

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
    """Return the default folder of the demo shop: beside a real shop, never in it."""
    real = settings.default_data_folder()
    return real.with_name(f"{real.name}-demo")


def prepare_demo(
    folder: Path | None,
    *,
    tell: Callable[[str], None],
    refill: bool = False,
    language: Language = "sr-Cyrl",
) -> Settings:
    """Fill the demo shop, or find it as it was left; return its settings. refill: an existing shop
    gets the demo's store and articles again, despite later changes. language: the language of a new
    demo's till. A shop that is filled is not opened, so that the till copies it first and shows how
    far that is.

    Raises SettingsBroken when the folder belongs to a real shop, or has the databases of a shop
    without the file that says of which one, and what the files raise. It is as it was then.
    """
    data = (folder or demo_folder()).absolute()
    check_folder(data)
    if lost_identity(data, of=MIGRATIONS):
        raise errors.SettingsBroken("other_shop.nameless", path=str(data))
    _write_settings(data, language)
    shop = settings.load(data)
    if (install := known_install(data)) is not None:
        check_environment(data, install, environment=shop.environment)
    if shop.environment != "demo":
        raise errors.SettingsBroken("other_shop.real", path=str(data))
    if is_unreleased(data) and not is_held(data / SERVER_LOCK):
        _set_aside(data, tell)
        return prepare_demo(data, tell=tell, language=language)
    open_install(data, environment="demo")
    if not refill and is_filled(catalogue_file(data)):
        tell(f"Demo shop in {data}, as it was left; --refill makes its articles anew.")
        return shop
    copy_before_opening(data)
    from pos_app.bootstrap.synchronisation.sync import run_sync  # it loads the client of a platform

    source = resources.folder() / "demo" / "catalogue.json"
    report = run_sync(settings=shop, source=source, progress=tell)
    tell(f"Demo shop in {data}: {report.listed} articles.")
    return shop


def _set_aside(data: Path, tell: Callable[[str], None]) -> None:
    """Set a demo aside that a build before the first release made: nothing of it is fiscal."""
    taken = {one.name for one in data.parent.iterdir()}
    names = (f"{data.name}-old-{number}" for number in itertools.count(1))
    aside = data.with_name(next(name for name in names if name not in taken))
    try:
        data.rename(aside)
    except OSError as error:
        raise errors.DataFolderNotWritable.of(data, error) from error
    tell(f"The demo of an unreleased build is set aside in {aside}; a new one is made.")


def demo_at_its_port(shop: Settings) -> Settings:
    """Return the settings of a demo that opens now, with the port of its server. Raises
    AlreadyRunning when a person runs a server on this folder: the demo may not stop it, and two
    servers can't share a folder."""
    _check_nobodys_server(shop.data)
    return settings.load(shop.data, server=shop.server.given | {"port": server_port(shop)})


def _check_nobodys_server(data: Path) -> None:
    seen = last_server(data)
    if seen is None or not seen.by_hand or not is_held(data / SERVER_LOCK):
        return
    raise errors.AlreadyRunning(
        "server_by_hand", program="server", address=seen.address, path=str(data)
    )


def _write_settings(data: Path, language: Language) -> None:
    path = data / FILE_NAME
    if path.exists() or (data / "install.json").exists():
        return
    try:
        data.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{FILE_NAME}.{os.getpid()}")
        draft.write_text(f'{_SETTINGS}language = "{language}"\n', encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise errors.DataFolderNotWritable.of(data, error) from error
