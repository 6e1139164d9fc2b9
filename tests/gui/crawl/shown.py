"""The pictures in the README and the docs, and those of the look's rules: `python -m
tests.gui.crawl.shown`.

They have few colours, so that each is a small file; those in the README are 900 px wide. The file
`version` beside them says of which version they are, and a test holds it against the product's.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pos_app import __version__
from pos_app.cashier.ui.tokens import ThemeName
from tests.gui.crawl.scenes import SCENES
from tests.gui.crawl.walk import begin, loop_of_scene
from tests.gui.pictures import Shape

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"
WIDTH = 900
Shown = tuple[str, str, tuple[int, int], ThemeName, bool]
SHOWN: tuple[Shown, ...] = (
    ("sale-grid", "sale-sale", (1366, 768), "light", False),
    ("sale-list", "sale-search-list", (1024, 768), "light", True),
    ("sale-dark", "sale-away", (1366, 768), "dark", False),
    ("payment", "payment-mixed", (1366, 768), "light", False),
    ("attention", "attention-doubt", (1366, 768), "light", False),
    ("catalogue", "catalogue-edited", (1366, 768), "light", False),
    ("processor", "settings-lpfr_tried", (1366, 768), "light", False),
)
"""Name of the file, title of the scene, size, theme, and whether the picker is a list."""
RULES = FOLDER.parent / "reference"
OF_RULES: Mapping[str, str] = {
    "mock-01-sale-grid": "sale-sale",
    "mock-03-payment": "payment-mixed",
    "mock-04-attention": "attention-doubt",
    "mock-08-settings-processor": "settings-lpfr_tried",
    "mock-12-receipts": "receipts-list",
    "mock-13-refund": "refund-refund",
    "mock-14-correct": "correction-correction",
    "mock-14a-correct-start": "correction-start",
    "mock-15-advances": "advances-open_ones",
    "mock-16-sign-in": "sign_in-wrong",
    "mock-16b-lock": "sign_in-locked",
    "mock-17-count": "shift-counting",
    "mock-18-shift-z": "shift-difference",
    "mock-19-reports": "reports-day",
    "mock-20a-customer-total": "display-selling",
    "mock-20b-customer-change": "display-signed",
    "mock-21-rights": "settings-rights",
    "mock-22-done": "refund-done",
    "mock-23-empty": "receipts-nothing",
    "mock-24-form": "settings-store",
    "mock-25-destroys": "settings-backup_asked",
    "mock-26-more": "sale-more",
    "mock-27-refused-save": "settings-printers_wrong",
}
"""The scene by which each picture of a rule is made anew, at 1366×768 in the light theme."""
IN_OTHER_SHAPES: tuple[Shown, ...] = (
    ("mock-02-sale-list", "sale-search-list", (1024, 768), "light", True),
    ("mock-06-catalogue", "catalogue-edited", (1920, 1080), "light", False),
    ("mock-09-sale-grid-dark", "sale-away", (1366, 768), "dark", False),
    ("mock-11-components", "look-components", (1100, 720), "light", False),
    ("mock-11a-components-dark", "look-components", (1100, 720), "dark", False),
)
"""Other pictures of rules, as in `SHOWN`."""


def save_small(picture: QImage, file: Path) -> None:
    """Save a picture with 256 colours, chosen so that grounds that are nearly white stay apart."""
    plain = picture.convertToFormat(QImage.Format.Format_RGB888)
    size = plain.width(), plain.height()
    pixels = bytes(plain.constBits())
    made = Image.frombuffer("RGB", size, pixels, "raw", "RGB", plain.bytesPerLine())
    few = made.quantize(method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(file, compress_level=6)


def main() -> int:
    begin()
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    FOLDER.mkdir(parents=True, exist_ok=True)
    usual: list[Shown] = [
        (name, title, (1366, 768), "light", False) for name, title in OF_RULES.items()
    ]
    for name, title, size, theme, as_list in (*SHOWN, *usual, *IN_OTHER_SHAPES):
        scene = next(one for one in SCENES if one.title == title)
        shape = Shape(name, *size, theme, as_list=as_list)
        with loop_of_scene(), scene.posed(application, shape, scene.name) as seen:
            picture = seen.grab().toImage()
        file = RULES / f"{name}.png"
        if (name, title, size, theme, as_list) in SHOWN:
            file = FOLDER / file.name
            picture = picture.scaledToWidth(WIDTH, Qt.TransformationMode.SmoothTransformation)
        save_small(picture, file)
        sys.stdout.write(f"{file}: {file.stat().st_size // 1000} kB\n")
    (FOLDER / "version").write_text(f"{__version__}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
