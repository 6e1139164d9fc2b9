"""The real adapters and their fakes, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.adapters.sqlite.till.till import TillDatabase, open_till
from tests.fakes.till_store import MemoryTill


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, folder: Path) -> Iterator[TillDatabase | MemoryTill]:
    """An empty till store."""
    if request.param == "memory":
        yield MemoryTill()
        return
    database = open_till(folder / "till", till_id="till-1")
    yield database
    database.close()
