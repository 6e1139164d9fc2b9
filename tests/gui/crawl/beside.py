"""Pictures of two folders side by side, as a change of the look is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter

SHEETS = "beside"
HEAD, GAP = 32, 16
"""Pixels above the pictures, for their name, and between them."""


def laid_beside(old: Path, new: Path, only: str, shape: str) -> Iterator[Path]:
    """Lay the pictures of `old` at the left and those of `new` at the right, each pair that differs
    into one file of a folder in `new`. A picture that one folder lacks stays blank."""
    sheets = new / SHEETS
    sheets.mkdir(exist_ok=True)
    for file in sheets.glob("*.png"):
        file.unlink()
    for name in sorted({file.name for folder in (old, new) for file in folder.glob("*.png")}):
        if only not in name or shape not in name:
            continue
        before, after = QImage(str(old / name)), QImage(str(new / name))
        if before != after:
            sheet(name.removesuffix(".png"), before, after).save(str(sheets / name))
            yield sheets / name


def sheet(title: str, before: QImage, after: QImage) -> QImage:
    wide = max(before.width(), after.width())
    tall = max(before.height(), after.height())
    made = QImage(2 * wide + GAP, HEAD + tall, QImage.Format.Format_RGB32)
    made.fill(Qt.GlobalColor.white)
    painter = QPainter(made)
    painter.drawText(QRect(GAP, 0, made.width(), HEAD), Qt.AlignmentFlag.AlignVCenter, title)
    painter.drawImage(QPoint(0, HEAD), before)
    painter.drawImage(QPoint(wide + GAP, HEAD), after)
    painter.end()
    return made
