"""A shop whose work on files of the catalogue is a process of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.gui.window.shop import Shop


@pytest.fixture
def shop(shop_data: Path) -> Iterator[Shop]:
    made = Shop(shop_data, file_work=child(CATALOGUE_FILES))
    yield made
    made.close()
