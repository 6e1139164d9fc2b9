"""Loads the scripts of packaging/, which is no Python package."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

PACKAGING = Path(__file__).parents[1] / "packaging"


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
