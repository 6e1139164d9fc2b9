"""Loads the scripts of packaging/, which is no Python package, and runs them in another folder."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
PACKAGING = ROOT / "packaging"
MADE_HERE = (".git", ".venv", ".system", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
"""Files that are in a checkout and in no commit."""


def script(name: str) -> ModuleType:
    """Load a script anew, by its path without the ending: "windows/build"."""
    place = PACKAGING / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name.replace("/", "_"), place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def copied(place: Path) -> Path:
    """Copy the files of this checkout that a build reads."""
    shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*MADE_HERE))
    return place


def built_by_another(place: Path, epoch: int, *words: str) -> str:
    """Run a script in a copy, as a builder with other ways would; returns what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"SOURCE_DATE_EPOCH": str(epoch), "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"}
    environment |= {"PYTHONHASHSEED": "7", "LOGNAME": "other"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=place,
        env=environment,
        umask=0o077,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout
