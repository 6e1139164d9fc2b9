"""A new till: its folder has no article and no store yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from tests.e2e.nursery import CATALOGUE_FILES, child
from tests.fakes.services_in_memory import FirstStartInMemory
from tests.gui.window.hands import sell_in, theme
from tests.gui.window.shop import Shop

__all__ = ["desk", "new_shop", "sell_in", "theme"]


@pytest.fixture
def desk() -> FirstStartInMemory:
    return FirstStartInMemory()


@pytest.fixture
def new_shop(tmp_path: Path, desk: FirstStartInMemory) -> Iterator[Shop]:
    path = catalogue_file(tmp_path)
    path.parent.mkdir(parents=True)
    SqliteCatalogue(path).close()
    made = Shop(tmp_path, file_work=child(CATALOGUE_FILES))
    made.services = replace(made.services, first_start=desk)
    yield made
    made.close()
