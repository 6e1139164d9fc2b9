"""The till's file, and the same file after another start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.till import TillDatabase
from tests.fakes.ready_tables import open_ready


@pytest.fixture
def stores(folder: Path) -> Iterator[list[TillDatabase]]:
    """The last one is open."""
    made = [open_ready(folder / "till")]
    yield made
    made[-1].close()


@pytest.fixture
def store(stores: list[TillDatabase]) -> TillDatabase:
    return stores[-1]


@pytest.fixture
def reopened(stores: list[TillDatabase], folder: Path) -> Callable[[], TillDatabase]:
    """The same store after another start of the till."""

    def again() -> TillDatabase:
        stores[-1].close()
        stores.append(open_ready(folder / "till"))
        return stores[-1]

    return again
