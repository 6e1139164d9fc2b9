"""Pictures of two folders are laid side by side where they differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from tests.gui.crawl.beside import GAP, HEAD, laid_beside

OLD, NEW = QColor("#F4F6F2"), QColor("#7C8880")


def put(folder: Path, name: str, colour: QColor) -> None:
    folder.mkdir(exist_ok=True)
    picture = QImage(40, 30, QImage.Format.Format_RGB32)
    picture.fill(colour)
    picture.save(str(folder / f"{name}.png"))


@pytest.mark.usefixtures("qtbot")
def test_the_old_picture_is_at_the_left_and_equal_ones_are_left_out(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for name, colour in (("sale-empty-en", NEW), ("sale-sale-en", OLD), ("sale-sale-sr", NEW)):
        put(before, name, OLD)
        put(after, name, colour)
    (sheet,) = laid_beside(before, after, "sale-", "en")
    assert sheet == after / "beside" / "sale-empty-en.png"
    picture = QImage(str(sheet))
    assert picture.pixelColor(1, HEAD + 1) == OLD
    assert picture.pixelColor(40 + GAP + 1, HEAD + 1) == NEW
