"""Shops for tests, without a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gui.window.shop import Shop, copied, demo_catalogue


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("demo")
    demo_catalogue(made)
    return made


@pytest.fixture(scope="session")
def bare_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's articles without photos, whose painting is a fifth of a window's opening: a folder
    whose tests look at no photo takes it as its `template`."""
    made = tmp_path_factory.mktemp("bare")
    demo_catalogue(made, has_photos=False)
    return made


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some articles of the demo, since to relabel all takes seconds."""
    made = tmp_path_factory.mktemp("few")
    demo_catalogue(made, has_photos=False, share=20)
    return made


@pytest.fixture
def shop_data(template: Path, tmp_path: Path) -> Path:
    return copied(template, tmp_path / "shop")


@pytest.fixture
def shop(shop_data: Path) -> Iterator[Shop]:
    made = Shop(shop_data)
    yield made
    made.close()
