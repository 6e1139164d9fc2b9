"""The demo store as it is shipped, and the scripts that make it."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.scripts import script

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
def categories(document: dict[str, list[Member]]) -> dict[str, str]:
    """Names of categories by id."""
    return {category["id"]: category["name"] for category in document["categories"]}


@pytest.fixture(scope="session")
def writer() -> ModuleType:
    return script("demo_catalogue")


@pytest.fixture(scope="session")
def painter() -> ModuleType:
    return script("demo_pictures")
