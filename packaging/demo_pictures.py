"""Draws the demo store's pictures: `resources/demo/art/*.svg` → `resources/demo/pictures/*.png`.

Run it after a drawing changed, then `packaging/demo_catalogue.py` (the catalogue names each
picture's size in bytes):

    python packaging/demo_pictures.py            draws all
    python packaging/demo_pictures.py --sheet P  also writes a contact sheet to P, for looking

Pictures are 256×256 and opaque, on a pastel background of the article's category, because the till
crops them square onto a tile. They are stored with a palette, which keeps each below 15 KB.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from PIL import Image
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

DEMO = Path(__file__).resolve().parent.parent / "resources" / "demo"
SIZE = 256
TILE = 48  # px of the picture on a tile, at which it must still be recognised
COLOURS = 128  # flat drawings: more only encodes the edges' noise
SHEET_COLUMNS = 6


def main() -> None:
    arguments = argparse.ArgumentParser(description="Draw the demo store's pictures.")
    arguments.add_argument("--sheet", type=Path, help="write a contact sheet here as well")
    chosen = arguments.parse_args()
    drawn = [draw(art, DEMO / "pictures") for art in sorted((DEMO / "art").glob("*.svg"))]
    for picture in drawn:
        print(f"{picture.name:20} {picture.stat().st_size:6} bytes")
    if chosen.sheet is not None:
        contact_sheet(drawn).save(chosen.sheet)


def draw(art: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / f"{art.stem}.png"
    flat = render(art.read_bytes())
    palette = flat.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    palette.save(picture, optimize=True)
    return picture


def render(svg: bytes) -> Image.Image:
    """The drawing at SIZE × SIZE. Raises ValueError where Qt can't read the SVG."""
    drawing = QSvgRenderer(QByteArray(svg))
    if not drawing.isValid():
        raise ValueError("not an SVG that Qt can draw")
    # Twice the size, then halved: the edges are smoother than with Qt's antialiasing.
    image = QImage(2 * SIZE, 2 * SIZE, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    drawing.render(painter)
    painter.end()
    pixels = bytes(image.constBits())
    large = Image.frombytes("RGB", (2 * SIZE, 2 * SIZE), pixels, "raw", "BGRX")
    return large.resize((SIZE, SIZE), Image.Resampling.LANCZOS)


def contact_sheet(pictures: list[Path]) -> Image.Image:
    cell = (SIZE + 16, SIZE + TILE + 24)
    rows = -(-len(pictures) // SHEET_COLUMNS)
    sheet = Image.new("RGB", (SHEET_COLUMNS * cell[0], rows * cell[1]), "white")
    for number, path in enumerate(pictures):
        left, top = (number % SHEET_COLUMNS) * cell[0], (number // SHEET_COLUMNS) * cell[1]
        with Image.open(path) as picture:
            full = picture.convert("RGB")
        sheet.paste(full, (left, top))
        small = full.resize((TILE, TILE), Image.Resampling.LANCZOS)
        sheet.paste(small, (left, top + SIZE + 8))
    return sheet


if __name__ == "__main__":
    main()
