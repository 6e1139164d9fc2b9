"""Shops of real programs; the demo's catalogue is brought in once a run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.figures import PROPERTY, Figures
from tests.e2e.nursery import door
from tests.e2e.shop import CATALOGUE, Shop, opened


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo's articles in it."""
    folder = tmp_path_factory.mktemp("catalogue")
    words = [sys.executable, "-m", "pos_app", "sync", str(CATALOGUE), "--data", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def nursery() -> Path:
    """Where programs are born that start in some milliseconds; its socket."""
    return door()


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """What a test counts; shown at the end of the run as it stands when the test ends."""
    counted = Figures(request.node.name)
    request.node.user_properties.append((PROPERTY, vars(counted)))
    return counted


@pytest.fixture
def shop(tmp_path: Path, catalogue: Path) -> Iterator[Shop]:
    """A shop whose programs are started by the test, and ended after it."""
    with opened(tmp_path / "shop", catalogue) as made:
        yield made


@pytest.fixture
def swift(tmp_path: Path, catalogue: Path, nursery: Path) -> Iterator[Shop]:
    """A shop whose programs start in some milliseconds: there are thousands of lives."""
    with opened(tmp_path / "shop", catalogue, nursery) as made:
        yield made
