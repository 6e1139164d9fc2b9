"""The tested installers, and a Windows for each module: `make installer-test`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.windows_installer import wine
from tests.windows_installer.wine import Windows

FOLDER = os.environ.get("POS_APP_TEST_INSTALLERS", "")
"""Holds new-setup.exe, old-setup.exe of the version before, and the note of that one's source."""
PICTURES = wine.ROOT / "build" / "windows" / "pictures"

collect_ignore_glob = [] if FOLDER else ["test_*.py"]


@pytest.fixture(scope="session")
def new_setup() -> Path:
    return Path(FOLDER) / "new-setup.exe"


@pytest.fixture(scope="session")
def old_setup() -> Path:
    return Path(FOLDER) / "old-setup.exe"


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    with wine.screen(178) as name:
        yield name


@pytest.fixture(scope="session")
def blank(display: str) -> Path:
    """The disk of a Windows with nothing on it."""
    prefix = wine.ROOT / "build" / "windows" / "blank"
    wine.new_windows(prefix, display).shut_down()
    return prefix


@pytest.fixture(scope="module")
def windows(blank: Path, display: str, request: pytest.FixtureRequest) -> Iterator[Windows]:
    prefix = blank.with_name(f"wine-{request.module.__name__.rpartition('.')[2]}")
    shutil.rmtree(prefix, ignore_errors=True)
    shutil.copytree(blank, prefix, symlinks=True)
    made = Windows(prefix, display)
    yield made
    made.shut_down()


@pytest.fixture(scope="session")
def pictures() -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES
