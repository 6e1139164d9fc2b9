"""Screens for a till that has none: one as in the mocks, and beside it one for the buyer.

Qt's offscreen platform has a screen of 800 by 800, on which the till draws everything smaller, and
twice as many tiles.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

SIZE = (1366, 768)
BUYERS = "buyer"
"""The name of the second monitor, as large as the first."""


def use(folder: Path) -> None:
    """Have Qt draw on these screens; called before there is an application. Their file stays in
    `folder`."""
    screens = [
        {
            "name": name,
            "x": x,
            "y": 0,
            "width": SIZE[0],
            "height": SIZE[1],
            "logicalDpi": 96,
            "logicalBaseDpi": 96,
            "dpr": 1,
        }
        for name, x in ((BUYERS, SIZE[0]), ("till", 0))  # the last one is the primary
    ]
    file = folder / "screen.json"
    told = {"synchronousWindowSystemEvents": False, "windowFrameMargins": False}
    file.write_text(json.dumps(told | {"screens": screens}), encoding="utf-8")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"
