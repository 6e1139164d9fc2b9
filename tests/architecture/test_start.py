"""Limits the modules that the till loads before its window is shown, and those of a
synchronisation, which mostly finds that nothing changed."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.architecture.test_rules import ROOT, tree_of

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


def loaded_by(*programs: str) -> set[str]:
    """All modules that are loaded with these: our own modules, and the packages of others.

    An import in a function, or for types alone, loads nothing here.
    """
    loaded: set[str] = set()
    open_ones = [name for one in programs for name in _with_packages(one)]
    while open_ones:
        name = open_ones.pop()
        if name in loaded:
            continue
        loaded.add(name)
        if (file := _file_of(name)) is not None:
            open_ones += [one for told in _imports(tree_of(file).body) for one in _named(told)]
    return loaded


def _imports(body: Iterable[ast.stmt]) -> Iterator[str]:
    """The imported modules, and the names imported from them, which may be modules too."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If):
            if ast.unparse(node.test) != "TYPE_CHECKING":
                yield from _imports([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from _imports([*node.body, *node.orelse])


def _named(told: str) -> list[str]:
    if told.partition(".")[0] != "pos_app":
        return [told.partition(".")[0]]
    return _with_packages(told if _file_of(told) is not None else told.rpartition(".")[0])


def _with_packages(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[: count + 1]) for count in range(len(parts))]


def _file_of(name: str) -> Path | None:
    place = ROOT / name.replace(".", "/")
    files = (place.with_suffix(".py"), place / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def test_till_loads_at_its_start_only_what_is_seen() -> None:
    loaded = loaded_by(*PROGRAM)
    foreign = {name for name in loaded if not name.startswith("pos_app")}
    assert foreign - sys.stdlib_module_names == LIBRARIES
    assert sorted(name for name in loaded if name.startswith(LATER)) == []


def test_what_is_looked_for_is_found() -> None:
    shown_later = loaded_by("pos_app.cashier.catalogue.view", "pos_app.bootstrap.till.demo")
    assert {"pos_app.cashier.catalogue.view", "pos_app.cashier.catalogue.bulk"} <= shown_later
    assert "httpx" in loaded_by("pos_app.bootstrap.synchronisation.sync")
    assert "pydantic" in loaded_by("pos_app.adapters.catalogue_files.catalogue_list")


def test_synchronisation_loads_nothing_of_other_programs() -> None:
    assert {*OF_OTHERS, "pydantic"} & loaded_by(*SYNCHRONISATION) == set()
    assert loaded_by("pos_app.bootstrap.till.core", "pos_app.bootstrap.till.till") >= OF_OTHERS


def test_http_client_is_loaded_without_its_command_line() -> None:
    told = "import pos_app.adapters.platform_http.client, sys; print(sorted(sys.modules))"
    done = subprocess.run((sys.executable, "-c", told), capture_output=True, check=True, cwd=ROOT)
    loaded = set(ast.literal_eval(done.stdout.decode()))
    assert "httpx" in loaded
    assert not loaded & {"click", "pygments", "rich"}


def test_window_is_loaded_without_reading_sources() -> None:
    told = (
        "import pos_app.cashier.window.till_window, builtins, linecache;"
        "print(builtins.__import__.__name__, len(linecache.cache))"
    )
    program = f"import pos_app.cashier.start.app; {told}"
    done = subprocess.run(
        (sys.executable, "-c", program), capture_output=True, check=True, cwd=ROOT
    )
    name, read = done.stdout.decode().split()
    assert name != "__feature_import__"
    assert int(read) < 5, "PySide6 reads the source of each module that is imported"
