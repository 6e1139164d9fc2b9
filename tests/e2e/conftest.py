"""Shops of real programs; the demo's catalogue is brought in once a run."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.shop import CATALOGUE, Shop, opened


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo's articles in it."""
    folder = tmp_path_factory.mktemp("catalogue")
    words = [sys.executable, "-m", "pos_app", "sync", str(CATALOGUE), "--data", str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def shop(tmp_path: Path, catalogue: Path) -> Iterator[Shop]:
    """A shop whose programs are started by the test, and ended after it."""
    with opened(tmp_path / "shop", catalogue) as made:
        yield made
