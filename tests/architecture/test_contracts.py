"""Breaks each import contract of `pyproject.toml` on purpose, in a package made of nothing else.

A contract that names a package wrongly would hold for ever; here each must find its break.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = (
    "bootstrap",
    "bootstrap.issuing",
    "bootstrap.server",
    "adapters",
    "adapters.printers",
    "local_api",
    "platform_api",
    "platform_api.database",
    "platform_api.products",
    "platform_api.relay",
    "http_front",
    "cashier",
    "cashier.attention",
    "cashier.catalogue",
    "cashier.payment",
    "cashier.sale",
    "cashier.scanner",
    "cashier.services",
    "cashier.start",
    "cashier.texts",
    "cashier.ui",
    "cashier.window",
    "fiscalization",
    "fiscalization.issuing",
    "fiscalization.lane",
    "fiscalization.outcomes",
    "selling",
    "selling.catalogue",
    "selling.outbox",
    "selling.sale",
    "selling.server",
    "pfr_emulator",
    "documents",
    "wire",
    "domain",
    "domain.article",
    "domain.money",
    "domain.receipt",
)
MODULES = (
    "__main__",
    "settings",
    "log",
    "resources",
    "clock",
    "keep_running",
    "errors",
    "characters",
    "installed",
    "lazy_dataclass",
    "po_file",
    "tls_faults",
    "adapters.printers.a4_process",
    "wire.pfr",
    "platform_api.app",
    "platform_api.receipt_routes",
    "platform_api.relay.hub",
    "platform_api.relay.service",
    "platform_api.relay.presence",
    "cashier.commands",
    "cashier.start.app",
)

FLOORS = "Floors: an arrow points down, never sideways"
SALES = "selling and fiscalization never see each other"
FISCAL = "fiscalization never sees selling or the till"
MAIN = "The command line knows bootstrap only"
QT = "Qt lives in cashier alone"
QT_JOINED = "Qt is not joined in bootstrap either"
A4 = "The A4 process is started, never imported"
LOCAL = "The local API has no SQL and knows no processor"
PLATFORM = "The platform knows neither Qt nor the till"
HOSTED = "The platform's rooms: an arrow points down"
RELAYED = "The relay's rooms: an arrow points down"
SELLING = "The rooms of selling: an arrow points down"
PROGRAMS = "The programs' rooms: an arrow points down"
LIBRARIES = "The platform's libraries stay in the platform"
TILL = "The till has no SQL, no HTTP, no fiscalization, no wire"
ROOMS = "The till's rooms: an arrow points down, and no screen sees another"
DOMAIN_ROOMS = "The domain's rooms: an arrow points down"
WIDGETS = "Widgets and texts know no selling"
RECEIPTS = "Fiscalization: from the request down to what is proven"
CORES = "The cores have no HTTP, no SQL, no JSON"
EMULATOR = "The emulator shares nothing of ours but errors, log, settings"
EMULATED = "The emulator is imported by bootstrap only"
WIRED = "The wire is used by adapters and the two HTTP fronts only"
WIRE = "The wire is shapes: no I/O, no settings"
DOCUMENTS = "Documents are pure layout"
DOMAIN = "The domain is pure and complete in itself"

BREAKS = (
    (FLOORS, "domain", "pos_app.documents"),
    (FLOORS, "errors", "pos_app.log"),
    (FLOORS, "local_api", "pos_app.adapters"),
    (FLOORS, "documents", "pos_app.wire"),
    (FLOORS, "cashier.start.app", "pos_app.adapters"),
    (FLOORS, "adapters", "pos_app.bootstrap"),
    (SALES, "selling", "pos_app.fiscalization"),
    (SALES, "selling", "pos_app.local_api"),
    (FISCAL, "fiscalization", "pos_app.selling"),
    (MAIN, "__main__", "pos_app.adapters"),
    (MAIN, "__main__", "pos_app.domain"),
    (QT, "adapters", "PySide6"),
    (QT, "selling", "qasync"),
    (QT, "platform_api.app", "PySide6"),
    (QT_JOINED, "bootstrap", "PySide6"),
    (A4, "bootstrap", "pos_app.adapters.printers.a4_process"),
    (LOCAL, "local_api", "apsw"),
    (LOCAL, "local_api", "pos_app.wire.pfr"),
    (LOCAL, "local_api", "pos_app.adapters"),
    (PLATFORM, "platform_api.app", "pos_app.selling"),
    (PLATFORM, "platform_api.app", "apsw"),
    (HOSTED, "platform_api.receipt_routes", "pos_app.platform_api.app"),
    (HOSTED, "platform_api.relay.hub", "pos_app.platform_api.products"),
    (HOSTED, "platform_api.relay.hub", "pos_app.platform_api.receipt_routes"),
    (RELAYED, "platform_api.relay.presence", "pos_app.platform_api.relay.hub"),
    (SELLING, "selling.catalogue", "pos_app.selling.sale"),
    (SELLING, "selling.server", "pos_app.selling.outbox"),
    (PROGRAMS, "bootstrap.issuing", "pos_app.bootstrap.server"),
    (LIBRARIES, "bootstrap", "sqlalchemy"),
    (LIBRARIES, "wire", "nh3"),
    (FLOORS, "http_front", "pos_app.local_api"),
    (TILL, "cashier.start.app", "apsw"),
    (TILL, "cashier.start.app", "httpx"),
    (TILL, "cashier.start.app", "pos_app.fiscalization"),
    (TILL, "cashier.start.app", "pos_app.wire"),
    (ROOMS, "cashier.payment", "pos_app.cashier.sale"),
    (ROOMS, "cashier.attention", "pos_app.cashier.payment"),
    (ROOMS, "cashier.window", "pos_app.cashier.payment"),
    (ROOMS, "cashier.commands", "pos_app.cashier.sale"),
    (ROOMS, "cashier.ui", "pos_app.cashier.services"),
    (ROOMS, "cashier.texts", "pos_app.cashier.ui"),
    (ROOMS, "cashier.scanner", "pos_app.cashier.sale"),
    (DOMAIN_ROOMS, "domain.money", "pos_app.domain.receipt"),
    (DOMAIN_ROOMS, "domain.receipt", "pos_app.domain.article"),
    (WIDGETS, "cashier.ui", "pos_app.selling"),
    (WIDGETS, "cashier.texts", "pos_app.settings"),
    (RECEIPTS, "fiscalization.lane", "pos_app.fiscalization.issuing"),
    (RECEIPTS, "fiscalization.outcomes", "pos_app.fiscalization.lane"),
    (CORES, "fiscalization", "json"),
    (CORES, "fiscalization", "apsw"),
    (CORES, "selling", "httpx"),
    (CORES, "selling", "sqlite3"),
    (EMULATOR, "pfr_emulator", "pos_app.domain"),
    (EMULATOR, "pfr_emulator", "pos_app.wire"),
    (EMULATED, "adapters", "pos_app.pfr_emulator"),
    (WIRED, "bootstrap", "pos_app.wire"),
    (WIRED, "selling", "pos_app.wire"),
    (WIRE, "wire", "httpx"),
    (DOCUMENTS, "documents", "pathlib"),
    (DOMAIN, "domain", "pydantic"),
    (DOMAIN, "domain", "pathlib"),
    (DOMAIN, "domain", "pos_app.settings"),
)
ALLOWED = (
    ("__main__", "pos_app.bootstrap"),
    ("bootstrap", "pos_app.pfr_emulator"),
    ("bootstrap", "pos_app.cashier"),
    ("adapters", "pos_app.wire"),
    ("adapters", "pos_app.fiscalization"),
    ("adapters.printers.a4_process", "PySide6"),
    ("local_api", "pos_app.fiscalization"),
    ("platform_api.app", "pos_app.wire"),
    ("platform_api.app", "pos_app.http_front"),
    ("platform_api.app", "sqlalchemy"),
    ("platform_api.relay.service", "pos_app.platform_api.relay.hub"),
    ("platform_api.receipt_routes", "pos_app.platform_api.relay"),
    ("http_front", "pos_app.wire"),
    ("cashier.start.app", "pos_app.selling"),
    ("cashier.start.app", "PySide6"),
    ("cashier.sale", "pos_app.cashier.window"),
    ("cashier.sale", "pos_app.cashier.commands"),
    ("cashier.payment", "pos_app.cashier.ui"),
    ("cashier.ui", "pos_app.cashier.texts"),
    ("fiscalization", "pos_app.documents"),
    ("fiscalization.issuing", "pos_app.fiscalization.lane"),
    ("selling", "pos_app.domain"),
    ("selling", "pos_app.log"),
    ("selling.outbox", "pos_app.selling.sale"),
    ("bootstrap.server", "pos_app.bootstrap.issuing"),
    ("pfr_emulator", "json"),
    ("pfr_emulator", "pos_app.settings"),
    ("wire", "pydantic"),
    ("domain", "pos_app.errors"),
    ("log", "json"),
    ("settings", "json"),
)


def build_house(folder: Path, imports: tuple[tuple[str, str], ...]) -> None:
    """Make a package `pos_app` of empty packages with these imports (package -> what it
    imports)."""
    (folder / "pos_app").mkdir()
    (folder / "pos_app/__init__.py").touch()
    for room in PACKAGES:
        path = folder / "pos_app" / room.replace(".", "/")
        path.mkdir()
        (path / "__init__.py").touch()
    for room in MODULES:
        (folder / "pos_app" / (room.replace(".", "/") + ".py")).touch()
    for room, imported in imports:
        path = folder / "pos_app" / room.replace(".", "/")
        file = path / "__init__.py" if room in PACKAGES else path.with_suffix(".py")
        with file.open("a", encoding="utf-8") as source:
            source.write(f"import {imported}\n")
    (folder / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())


def verdicts(folder: Path) -> tuple[int, str]:
    """Exit status and output of lint-imports over the package in `folder`."""
    environment = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "COLUMNS": "200"}
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout + done.stderr


def contract_names() -> set[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]}


@pytest.fixture(scope="module")
def broken_house(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Name of a contract -> what lint-imports says about it where each is broken."""
    folder = tmp_path_factory.mktemp("broken")
    build_house(folder, tuple((room, imported) for _, room, imported in BREAKS))
    status, words = verdicts(folder)
    assert status == 1, words
    _, _, details = words.partition("Broken contracts")
    parts = re.split(r"^(.+)\n-+$", details, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(("contract", "room", "imported"), BREAKS)
def test_contract_sees_its_break(
    broken_house: dict[str, str], contract: str, room: str, imported: str
) -> None:
    assert f"pos_app.{room} -> {imported} (l." in broken_house[contract]


def test_every_contract_has_a_break() -> None:
    assert {contract for contract, _, _ in BREAKS} == contract_names()


def test_a_house_as_drawn_keeps_every_contract(tmp_path: Path) -> None:
    build_house(tmp_path, ALLOWED)
    status, words = verdicts(tmp_path)
    assert status == 0, words


def test_a_room_nobody_drew_is_refused(tmp_path: Path) -> None:
    build_house(tmp_path, ())
    (tmp_path / "pos_app/helpers.py").touch()
    status, words = verdicts(tmp_path)
    assert status == 1
    assert "pos_app.helpers" in words
