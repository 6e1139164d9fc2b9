"""Copies the icons of the design from the `python-lucide` package into `resources/icons/`.

    .venv/bin/python packaging/icons.py

Files have the names that the design uses, some of which are older names of the package.
To add an icon, add its name here, run this again and commit the new file.
"""

from __future__ import annotations

import re
import sys
import warnings
from pathlib import Path

import lucide

FOLDER = Path(__file__).parents[1] / "resources" / "icons"
NAMES = """
arrow-up arrow-down
arrow-left lock bell star search calculator chevron-down chevron-up chevron-left chevron-right
x list layout-grid sun moon users user
minus plus trash-2 pause percent
banknote credit-card landmark smartphone file-check-2 ticket ellipsis building-2
message-square-text delete check hand-coins vault
printer printer-x mail copy external-link undo-2 download upload calendar receipt-text qr-code
history
circle-check circle-alert triangle-alert circle-question-mark info clock loader-circle cloud
cloud-off refresh-cw eye eye-off graduation-cap
tag folder barcode scan-barcode image git-compare save
store server shield-check palette keyboard scale database-backup stethoscope file-key file-text
key-round hard-drive usb settings
arrow-big-up arrow-big-up-dash corner-down-left
pencil id-card ban file-spreadsheet
chart-column
monitor
"""


def drawing(name: str) -> str:
    """The SVG of an icon, by its present or an older name. Raises KeyError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        svg = lucide.lucide_icon(name)
    if svg == lucide.create_placeholder_svg(name):
        raise KeyError(name)
    return re.sub(r'\s+class="[^"]*"', "", svg).strip() + "\n"


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    names = NAMES.split()
    for old in FOLDER.glob("*.svg"):
        if old.stem not in names:
            old.unlink()
    for name in names:
        (FOLDER / f"{name}.svg").write_text(drawing(name), encoding="utf-8")
    print(f"{len(names)} icons in {FOLDER}", file=sys.stderr)


if __name__ == "__main__":
    main()
