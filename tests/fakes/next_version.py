"""The version after this one: its files have a step more, so that files of this one are older.

A test that becomes it sees what a shop sees at an update, before a second step is released.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from pos_app import installed
from pos_app.adapters.sqlite import copy_before_opening
from pos_app.adapters.sqlite.catalogue import schema as catalogue_schema
from pos_app.adapters.sqlite.journal import schema as journal_schema
from pos_app.adapters.sqlite.migrations import version_after
from pos_app.adapters.sqlite.till import schema as till_schema
from tests.e2e.nursery import NEXT_VERSION

_CLIENT = Path(__file__).parents[1] / "e2e" / "in_nursery.py"
STEP = "CREATE TABLE of_the_next_version (one INTEGER PRIMARY KEY) STRICT;"
STEP_OF_PLATFORM = "CREATE TABLE of_the_next_version (one BIGINT NOT NULL PRIMARY KEY)"
SCHEMAS = (catalogue_schema.MIGRATIONS, till_schema.TILL_MIGRATIONS, journal_schema.MIGRATIONS)
THIS = version_after(catalogue_schema.MIGRATIONS)
"""The version of a catalogue that this version made."""
NEXT = THIS + 1


def become_next(patched: pytest.MonkeyPatch, door: Path) -> None:
    """Make this process, and the programs that it starts at the door of a nursery, the next
    version, as long as `patched` lasts."""
    longer: list[tuple[Any, Any]] = [(one, (*one, STEP)) for one in SCHEMAS]
    alike = journal_schema.READ_ALIKE
    longer.append((alike, range(alike.start, alike.stop + 1)))
    for name, module in list(sys.modules.items()):
        if name.startswith("pos_app."):
            for attribute, value in list(vars(module).items()):
                for old, new in longer:
                    if value is old:
                        patched.setattr(module, attribute, new)
    _lengthen_platform(patched)
    for path, steps in copy_before_opening.MIGRATIONS.items():
        patched.setitem(copy_before_opening.MIGRATIONS, path, (*steps, STEP))
    patched.setenv(NEXT_VERSION, str(door))
    child = (sys.executable, "-I", "-S", str(_CLIENT), str(door), "-m")
    patched.setattr(installed, "command", lambda module="pos_app": (*child, module))


def _lengthen_platform(patched: pytest.MonkeyPatch) -> None:
    """Give the platform its step, where it is loaded: few programs load it, and that takes long."""
    migrations = sys.modules.get("pos_app.platform_api.database.migrations")
    if migrations is not None:
        longer = (*migrations.STEPS, (STEP_OF_PLATFORM,))
        patched.setattr(migrations, "STEPS", longer)
        patched.setattr(migrations.step_after, "__defaults__", (longer,))
        patched.setattr(migrations.migrate, "__defaults__", (longer,))
