"""Pictures of the look: `python -m tests.gui.ui.gallery OUT.png --theme dark --size 1366x768`.

OUT.png shows the sale (tiles, or the list when the window is narrow); OUT-list.png,
OUT-payment.png, OUT-components.png and OUT-more.png are written beside it. `--touch` and
`--text` set the touch size in millimetres and the text scale in per cent.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.fonts import load_fonts
from pos_app.cashier.ui.metrics import measure
from pos_app.cashier.ui.style import set_up_style
from pos_app.cashier.ui.theme import Theme
from pos_app.resources import folder
from tests.gui.ui.components import components
from tests.gui.ui.more import more
from tests.gui.ui.screens import payment, sale_grid, sale_list


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Pictures of the look.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--size", default="1366x768")
    parser.add_argument("--touch", type=int, choices=(9, 12, 15), default=12)
    parser.add_argument("--text", type=int, default=100, help="text scale in per cent")
    parser.add_argument("--resources", type=Path, default=None)
    return parser.parse_args()


def shoot(widget: QWidget, path: Path, width: int, height: int) -> None:
    widget.resize(width, height)
    widget.show()
    widget.activateWindow()
    for field in widget.findChildren(Field):
        if field.objectName() == "focused":
            field.edit.setFocus(Qt.FocusReason.OtherFocusReason)
    QApplication.sendPostedEvents()
    QApplication.processEvents()
    widget.grab().save(str(path))
    widget.close()
    widget.deleteLater()


def main() -> int:
    """Take the pictures that the command line asks for."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    asked = _arguments()
    width, height = (int(part) for part in asked.size.split("x"))
    application = QApplication(sys.argv[:1])
    resources: Path = asked.resources or folder()
    load_fonts(resources / "fonts")
    metrics = measure(touch_mm=asked.touch, text_percent=asked.text, width=width)
    look = Theme(theme=asked.theme, metrics=metrics, resources=resources)
    set_up_style(application, look)
    out: Path = asked.out
    offline = asked.theme == "dark"
    sale = sale_list(look, width) if metrics.narrow else sale_grid(look, width, offline=offline)
    shoot(sale, out, width, height)
    shoot(sale_list(look, width), out.with_stem(f"{out.stem}-list"), width, height)
    shoot(payment(look, width), out.with_stem(f"{out.stem}-payment"), width, height)
    shoot(components(look), out.with_stem(f"{out.stem}-components"), 750, 900)
    shoot(more(look), out.with_stem(f"{out.stem}-more"), 1100, 720)
    return 0


if __name__ == "__main__":
    sys.exit(main())
