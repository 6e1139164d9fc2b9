"""The pictures in the README and the docs: `python -m tests.gui.crawl.shown`.

They are 900 px wide and have few colours, so that each is a small file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pos_app.cashier.ui.tokens import ThemeName
from tests.gui.crawl.scenes import SCENES
from tests.gui.crawl.walk import begin
from tests.gui.pictures import Shape

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"
WIDTH = 900
SHOWN: tuple[tuple[str, str, tuple[int, int], ThemeName, bool], ...] = (
    ("sale-grid", "sale-sale", (1366, 768), "light", False),
    ("sale-list", "sale-search-list", (1024, 768), "light", True),
    ("sale-dark", "sale-away", (1366, 768), "dark", False),
    ("payment", "payment-mixed", (1366, 768), "light", False),
    ("attention", "attention-doubt", (1366, 768), "light", False),
    ("catalogue", "catalogue-edited", (1366, 768), "light", False),
    ("processor", "settings-lpfr_tried", (1366, 768), "light", False),
)
"""Name of the file, title of the scene, size, theme, and whether the picker is a list."""


def save_small(picture: QImage, file: Path) -> None:
    """Save a picture with 256 colours, in a third of the time and room that all colours need."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB888)
    size = plain.width(), plain.height()
    pixels = bytes(plain.constBits())
    made = Image.frombuffer("RGB", size, pixels, "raw", "RGB", plain.bytesPerLine())
    few = made.quantize(method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, compress_level=6)


def main() -> int:
    begin()
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, title, size, theme, as_list in SHOWN:
        scene = next(one for one in SCENES if one.title == title)
        shape = Shape(name, *size, theme, as_list=as_list)
        with scene.posed(application, shape, scene.name) as seen:
            picture = seen.grab().toImage()
        file = FOLDER / f"{name}.png"
        save_small(picture.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation), file)
        sys.stdout.write(f"{file}: {file.stat().st_size // 1000} kB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
