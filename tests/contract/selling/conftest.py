"""The real adapters and their fakes, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.till import TillDatabase
from tests.fakes.memory_till import MemoryTill
from tests.fakes.ready_tables import open_ready


@pytest.fixture(params=["sqlite", "memory"])
def begun(request: pytest.FixtureRequest, folder: Path) -> Iterator[Begun]:
    made = Begun(folder / "till" if request.param == "sqlite" else None)
    yield made
    made.close()


@pytest.fixture
def store(begun: Begun) -> TillDatabase | MemoryTill:
    return begun.store


@pytest.fixture
def reopened(begun: Begun) -> Callable[[], TillDatabase | MemoryTill]:
    """The same store after another start of the till."""
    return begun.again


class Begun:
    """A till store that can be opened again. folder: the file's, None for a store in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.store: TillDatabase | MemoryTill
        self.store = MemoryTill() if folder is None else open_ready(folder)

    def again(self) -> TillDatabase | MemoryTill:
        if self._folder is None:
            assert isinstance(self.store, MemoryTill)
            self.store = self.store.reopened()
        else:
            self.close()
            self.store = open_ready(self._folder)
        return self.store

    def close(self) -> None:
        if isinstance(self.store, TillDatabase):
            self.store.close()
