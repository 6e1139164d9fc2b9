"""The pictures of the demo articles exist, are small, of one make, and drawn from the drawings."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PIL import Image, ImageChops

Member = dict[str, Any]


@pytest.fixture(scope="session")
def pictured(every: list[Member]) -> list[Member]:
    return [article for article in every if article["coverImage"]]


def test_every_file_named_exists_and_no_other(demo: Path, pictured: list[Member]) -> None:
    named = {url for article in pictured for url in article["coverImage"]["urls"].values()}
    there = {path.relative_to(demo).as_posix() for path in (demo / "pictures").iterdir()}
    assert named == there


def test_pictures_are_those_of_the_drawings(
    demo: Path, painter: ModuleType, tmp_path: Path
) -> None:
    drawings = sorted((demo / "art").glob("*.svg"))
    assert drawings
    for art in drawings:
        drawn = painter.draw(art, tmp_path)
        with Image.open(drawn) as new, Image.open(demo / "pictures" / drawn.name) as shipped:
            # Another Qt or Pillow may smooth an edge differently: alike, not equal to the byte.
            small = [image.convert("RGB").resize((32, 32)) for image in (new, shipped)]
        apart = ImageChops.difference(*small).tobytes()
        assert max(apart) <= 12, art.name
