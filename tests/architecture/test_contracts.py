"""Breaks each import contract of `pyproject.toml` on purpose, in a package made of nothing else.

A contract that names a package wrongly would hold for ever; here each must find its break.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
BREAKS = {
    "Floors: an arrow points down, never sideways": (
        "domain > pos_app.documents, errors > pos_app.log, local_api > pos_app.adapters, "
        "documents > pos_app.wire, cashier.start.app > pos_app.adapters, "
        "adapters > pos_app.bootstrap, http_front > pos_app.local_api"
    ),
    "selling and fiscalization never see each other": (
        "selling > pos_app.fiscalization, selling > pos_app.local_api"
    ),
    "fiscalization never sees selling or the till": "fiscalization > pos_app.selling",
    "The command line knows bootstrap only": (
        "__main__ > pos_app.adapters, __main__ > pos_app.domain"
    ),
    "Qt lives in cashier alone": "adapters > PySide6, selling > qasync, platform_api.app > PySide6",
    "Qt is not joined in bootstrap either": "bootstrap > PySide6",
    "The A4 process is started, never imported": "bootstrap > pos_app.adapters.printers.a4_process",
    "The local API has no SQL and knows no processor": (
        "local_api > apsw, local_api > pos_app.wire.pfr, local_api > pos_app.adapters"
    ),
    "The platform knows neither Qt nor the till": (
        "platform_api.app > pos_app.selling, platform_api.app > apsw"
    ),
    "The platform's rooms: an arrow points down": (
        "platform_api.receipt_routes > pos_app.platform_api.app, "
        "platform_api.relay.hub > pos_app.platform_api.products, "
        "platform_api.relay.hub > pos_app.platform_api.receipt_routes"
    ),
    "The relay's rooms: an arrow points down": (
        "platform_api.relay.presence > pos_app.platform_api.relay.hub"
    ),
    "The rooms of selling: an arrow points down": (
        "selling.catalogue > pos_app.selling.sale, selling.server > pos_app.selling.outbox"
    ),
    "The programs' rooms: an arrow points down": "bootstrap.issuing > pos_app.bootstrap.server",
    "The platform's libraries stay in the platform": "bootstrap > sqlalchemy, wire > nh3",
    "The till has no SQL, no HTTP, no fiscalization, no wire": (
        "cashier.start.app > apsw, cashier.start.app > httpx, "
        "cashier.start.app > pos_app.fiscalization, cashier.start.app > pos_app.wire"
    ),
    "The till's rooms: an arrow points down, and no screen sees another": (
        "cashier.payment > pos_app.cashier.sale, cashier.attention > pos_app.cashier.payment, "
        "cashier.window > pos_app.cashier.payment, cashier.commands > pos_app.cashier.sale, "
        "cashier.ui > pos_app.cashier.services, cashier.texts > pos_app.cashier.ui, "
        "cashier.scanner > pos_app.cashier.sale"
    ),
    "The domain's rooms: an arrow points down": (
        "domain.money > pos_app.domain.receipt, domain.receipt > pos_app.domain.article"
    ),
    "Widgets and texts know no selling": (
        "cashier.ui > pos_app.selling, cashier.texts > pos_app.settings"
    ),
    "Fiscalization: from the request down to what is proven": (
        "fiscalization.lane > pos_app.fiscalization.issuing, "
        "fiscalization.outcomes > pos_app.fiscalization.lane"
    ),
    "The cores have no HTTP, no SQL, no JSON": (
        "fiscalization > json, fiscalization > apsw, selling > httpx, selling > sqlite3"
    ),
    "The emulator shares nothing of ours but errors, log, settings": (
        "pfr_emulator > pos_app.domain, pfr_emulator > pos_app.wire"
    ),
    "The emulator is imported by bootstrap only": "adapters > pos_app.pfr_emulator",
    "The wire is used by adapters and the two HTTP fronts only": (
        "bootstrap > pos_app.wire, selling > pos_app.wire"
    ),
    "The wire is shapes: no I/O, no settings": "wire > httpx",
    "Documents are pure layout": "documents > pathlib",
    "The domain is pure and complete in itself": (
        "domain > pydantic, domain > pathlib, domain > pos_app.settings"
    ),
}
"""By contract: a part of the product, and what it imports."""
ALLOWED = (
    "__main__ > pos_app.bootstrap, bootstrap > pos_app.pfr_emulator, "
    "bootstrap > pos_app.cashier, adapters > pos_app.wire, adapters > pos_app.fiscalization, "
    "adapters.printers.a4_process > PySide6, local_api > pos_app.fiscalization, "
    "platform_api.app > pos_app.wire, platform_api.app > pos_app.http_front, "
    "platform_api.app > sqlalchemy, "
    "platform_api.relay.service > pos_app.platform_api.relay.hub, "
    "platform_api.receipt_routes > pos_app.platform_api.relay, http_front > pos_app.wire, "
    "cashier.start.app > pos_app.selling, cashier.start.app > PySide6, "
    "cashier.sale > pos_app.cashier.window, cashier.sale > pos_app.cashier.commands, "
    "cashier.payment > pos_app.cashier.ui, cashier.ui > pos_app.cashier.texts, "
    "fiscalization > pos_app.documents, fiscalization.issuing > pos_app.fiscalization.lane, "
    "selling > pos_app.domain, selling > pos_app.log, selling.outbox > pos_app.selling.sale, "
    "bootstrap.server > pos_app.bootstrap.issuing, pfr_emulator > json, "
    "pfr_emulator > pos_app.settings, wire > pydantic, domain > pos_app.errors, log > json, "
    "settings > json"
)
"""Imports that break none."""


def imports_in(words: str) -> Iterator[tuple[str, str]]:
    for one in words.split(", "):
        room, _, imported = one.partition(" > ")
        yield room, imported


def build_house(folder: Path, *imports: str) -> None:
    """Make a package with the modules of `pos_app`, all empty but for these imports."""
    for path in (ROOT / "pos_app").rglob("*.py"):
        made = folder / path.relative_to(ROOT)
        made.parent.mkdir(parents=True, exist_ok=True)
        made.touch()
    for words in imports:
        for room, imported in imports_in(words):
            path = folder / "pos_app" / room.replace(".", "/")
            file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
            with file.open("a", encoding="utf-8") as source:
                source.write(f"import {imported}\n")
    (folder / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())


def verdicts(folder: Path) -> tuple[int, str]:
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


def test_each_contract_sees_its_breaks(tmp_path: Path) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    assert BREAKS.keys() == {contract["name"] for contract in contracts}
    build_house(tmp_path, *BREAKS.values())
    (tmp_path / "pos_app/helpers.py").touch()
    status, words = verdicts(tmp_path)
    assert status == 1, words
    assert "pos_app.helpers" in words, "a room that nobody drew"
    _, _, details = words.partition("Broken contracts")
    parts = re.split(r"^(.+)\n-+$", details, flags=re.MULTILINE)
    told = dict(zip(parts[1::2], parts[2::2], strict=True))
    unseen = [
        f"{contract}: {room} > {imported}"
        for contract, breaks in BREAKS.items()
        for room, imported in imports_in(breaks)
        if f"pos_app.{room} -> {imported} (l." not in told[contract]
    ]
    assert unseen == []


def test_a_house_as_drawn_keeps_every_contract(tmp_path: Path) -> None:
    build_house(tmp_path, ALLOWED)
    status, words = verdicts(tmp_path)
    assert status == 0, words
