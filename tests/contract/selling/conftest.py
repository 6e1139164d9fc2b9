"""The till's file, and the same file after another start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.till import TillDatabase
from tests.fakes.ready_tables import open_ready


@pytest.fixture
def begun(folder: Path) -> Iterator[Begun]:
    made = Begun(folder / "till")
    yield made
    made.store.close()


@pytest.fixture
def store(begun: Begun) -> TillDatabase:
    return begun.store


@pytest.fixture
def reopened(begun: Begun) -> Callable[[], TillDatabase]:
    """The same store after another start of the till."""
    return begun.again


class Begun:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.store = open_ready(folder)

    def again(self) -> TillDatabase:
        self.store.close()
        self.store = open_ready(self._folder)
        return self.store
