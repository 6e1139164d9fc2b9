"""Draws the product's icon, `pos-app.ico` beside this file: a receipt with a tick, on blue; and
`finish.bmp`, which the last page of the installer shows beside its words.

    .venv/bin/python packaging/windows/draw_icon.py

Small sizes have fewer and thicker lines, so each size is drawn by itself and none is shrunk.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image, ImageDraw

FILE = Path(__file__).with_name("pos-app.ico")
SIZES = (16, 20, 24, 32, 40, 48, 64, 96, 128, 256)
GROUND, PAPER, LINE, TICK = "#1F5FD1", "#FFFFFF", "#9DB4DC", "#14845A"
BESIDE_FILE = FILE.with_name("finish.bmp")
BESIDE = (164, 314)
"""Pixels of the picture of the last page, as NSIS measures it."""
FINER = 8
"""The factor by which each is drawn larger before it is averaged."""


def drawn(size: int) -> Image.Image:
    """One size, in pixels of width and height."""
    unit = size * FINER / 64
    picture = Image.new("RGBA", (size * FINER, size * FINER))
    pen = ImageDraw.Draw(picture)

    def box(left: float, top: float, right: float, bottom: float) -> tuple[float, ...]:
        return (left * unit, top * unit, right * unit, bottom * unit)

    pen.rounded_rectangle(box(0, 0, 63.9, 63.9), radius=13 * unit, fill=GROUND)
    teeth = 3 if size < 32 else 5
    step = 36 / teeth
    edge = [(14.0, 10.0), (50.0, 10.0), (50.0, 54.0)]
    for number in range(teeth):
        right = 50 - number * step
        edge += [(right - step / 2, 48.5), (right - step, 54.0)]
    pen.polygon([(x * unit, y * unit) for x, y in edge], fill=PAPER)
    lines = ((19, 36),) if size < 32 else ((17, 40), (23.5, 45), (30, 34))
    thick = 5.0 if size < 32 else 3.0
    for top, right in lines:
        pen.rounded_rectangle(box(20, top, right, top + thick), radius=unit, fill=LINE)
    width = round((7.5 if size < 32 else 5.5) * unit)
    tick = [(25.0, 37.0), (32.0, 44.0), (46.0, 27.5)]
    pen.line([(x * unit, y * unit) for x, y in tick], fill=TICK, width=width, joint="curve")
    for x, y in (tick[0], tick[-1]):
        round_end = width / unit / 2
        pen.ellipse(box(x - round_end, y - round_end, x + round_end, y + round_end), fill=TICK)
    return picture.resize((size, size), Image.Resampling.BOX)


def main() -> None:
    pictures = [drawn(size) for size in SIZES]
    largest = pictures.pop()
    largest.save(FILE, sizes=[(size, size) for size in SIZES], append_images=pictures)
    beside = Image.new("RGB", BESIDE, GROUND)
    icon = drawn(96)
    beside.paste(icon, ((BESIDE[0] - 96) // 2, 56), icon)
    beside.quantize(64).save(BESIDE_FILE)
    print(f"{FILE}: {len(SIZES)} sizes", file=sys.stderr)


if __name__ == "__main__":
    main()
