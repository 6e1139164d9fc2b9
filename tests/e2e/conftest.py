"""Shops of real programs; the demo's catalogue is imported once a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.nursery import door, ended
from tests.e2e.shop import CATALOGUE, Shop, opened
from tests.e2e.town import Town, town_of


@pytest.fixture(scope="session")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("catalogue")
    done = ended("sync", str(CATALOGUE), "--data", str(folder))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="session")
def nursery() -> Path:
    """The socket of the process from which programs start within some milliseconds."""
    return door()


@pytest.fixture(scope="module")
def town(
    tmp_path_factory: pytest.TempPathFactory, catalogue: Path, nursery: Path
) -> Iterator[Town]:
    """A platform and a connected shop for the tests of a file, which leave it as it was."""
    folder = tmp_path_factory.mktemp("town")
    with opened(folder / "shop", catalogue, nursery) as shop, town_of(shop) as made:
        made.connected()
        yield made


@pytest.fixture
def shop(tmp_path: Path, catalogue: Path, nursery: Path) -> Iterator[Shop]:
    with opened(tmp_path / "shop", catalogue, nursery) as made:
        yield made
