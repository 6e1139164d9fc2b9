"""The demo store as it is shipped, and the scripts that make it."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]

Member = dict[str, Any]


@pytest.fixture(scope="session")
def demo() -> Path:
    return ROOT / "resources" / "demo"


@pytest.fixture(scope="session")
def document(demo: Path) -> dict[str, list[Member]]:
    """catalogue.json; amounts as Decimal, spelled as in the file."""
    text = (demo / "catalogue.json").read_text(encoding="utf-8")
    read: dict[str, list[Member]] = json.loads(text, parse_float=Decimal)
    return read


@pytest.fixture(scope="session")
def sold(document: dict[str, list[Member]]) -> list[Member]:
    """The articles that can be sold: products, and in place of a parent its variants."""
    return [
        article
        for product in document["products"]
        for article in (product["variants"] if product["hasVariants"] else [product])
    ]


@pytest.fixture(scope="session")
def every(document: dict[str, list[Member]]) -> list[Member]:
    """Products, parents and variants."""
    return [
        article for product in document["products"] for article in (product, *product["variants"])
    ]


@pytest.fixture(scope="session")
def units(document: dict[str, list[Member]]) -> dict[str, str]:
    """Symbols of units by id."""
    return {unit["id"]: unit["symbol"] for unit in document["units"]}


@pytest.fixture(scope="session")
def categories(document: dict[str, list[Member]]) -> dict[str, str]:
    """Names of categories by id."""
    return {category["id"]: category["name"] for category in document["categories"]}


@pytest.fixture(scope="session")
def writer() -> Iterator[ModuleType]:
    """packaging/demo_catalogue.py; loaded by path, as `packaging` is no package of ours."""
    yield from _loaded("demo_catalogue")


@pytest.fixture(scope="session")
def painter() -> Iterator[ModuleType]:
    """packaging/demo_pictures.py."""
    yield from _loaded("demo_pictures")


def _loaded(name: str) -> Iterator[ModuleType]:
    spec = importlib.util.spec_from_file_location(name, ROOT / "packaging" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[name]
