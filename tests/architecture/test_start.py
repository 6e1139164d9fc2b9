"""Limits the modules that the till loads before its window is shown, and those of a
synchronisation, which mostly finds that nothing changed."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = ("pos_app.__main__", "pos_app.bootstrap.till.till")
LIBRARIES = {"PySide6", "apsw", "platformdirs", "qasync", "shiboken6"}
LATER = (
    "pos_app.adapters.pdf",
    "pos_app.adapters.platform_http",
    "pos_app.adapters.secrets",
    "pos_app.adapters.updates",
    "pos_app.bootstrap.synchronisation",
    "pos_app.cashier.catalogue.view",
    "pos_app.cashier.first_start.view",
    "pos_app.cashier.settings.view",
)
"""Modules of screens that are opened by hand, or of what few tills need."""

SYNCHRONISATION = ("pos_app.bootstrap.programs", "pos_app.bootstrap.synchronisation.sync")
OF_OTHERS = {
    "asyncio",
    "pos_app.adapters.sqlite.catalogue.catalogue",
    "pos_app.domain.receipt.receipt_list",
    "pos_app.selling.backups",
    "pos_app.selling.first_start",
}
"""Modules that a synchronisation does not need and that other programs of the command line load."""


def told_by(program: str) -> list[str]:
    words = (sys.executable, "-c", program)
    done = subprocess.run(words, capture_output=True, check=True, cwd=ROOT, text=True)
    return done.stdout.split()


def loaded_by(*modules: str) -> set[str]:
    told = "import sys; print(*(name for name in sys.modules if sys.modules[name] is not None))"
    return {*told_by(f"import {', '.join(modules)}; {told}")}


def test_till_loads_at_its_start_only_what_is_seen() -> None:
    loaded = loaded_by(*PROGRAM)
    packages = {name.partition(".")[0] for name in loaded} & packages_distributions().keys()
    assert packages - {"pos_app", "_distutils_hack"} == LIBRARIES
    assert sorted(name for name in loaded if name.startswith(LATER)) == []


def test_synchronisation_loads_nothing_of_other_programs() -> None:
    assert {*OF_OTHERS, "pydantic"} & loaded_by(*SYNCHRONISATION) == set()
    assert loaded_by("pos_app.bootstrap.till.core", "pos_app.bootstrap.till.till") >= OF_OTHERS


def test_http_client_is_loaded_without_its_command_line() -> None:
    loaded = loaded_by("pos_app.adapters.platform_http.client")
    assert "httpx" in loaded
    assert not loaded & {"click", "pygments", "rich"}


def test_window_is_loaded_without_reading_sources() -> None:
    told = (
        "import pos_app.cashier.window.till_window, builtins, linecache;"
        "print(builtins.__import__.__name__, len(linecache.cache))"
    )
    name, read = told_by(f"import pos_app.cashier.start.app; {told}")
    assert name != "__feature_import__"
    assert int(read) < 5, "PySide6 reads the source of each module that is imported"
