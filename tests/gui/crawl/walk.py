"""One scene in one shape, light and then dark: its pictures, and what is wrong with them.

The window is opened once for both themes, because a theme changes at once in the product too.
"""

from __future__ import annotations

import faulthandler
import logging
import os
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.look.look import Look
from pos_app.cashier.look.widget import LookWidget
from tests.gui.crawl.checks import Finding, findings
from tests.gui.crawl.scenes import SCENES, Scene
from tests.gui.pictures import Shape, settle

Pair = tuple[Shape, ...]
"""Shapes that differ in their theme alone."""
FASTEST = 70
"""How hard a picture is pressed: 100 takes no time, and thrice the room."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was seen."""

    title: str
    shape: str


def pairs(scene: Scene, only: str = "", shape: str = "") -> list[Pair]:
    """The shapes of a scene that are asked for by a part of their name."""
    if only not in scene.title:
        return []
    narrowed = (tuple(one for one in both if shape in one.name) for both in scene.shapes())
    return [both for both in narrowed if both]


def walk(
    application: QApplication, scene: Scene, pair: Pair, out: Path | None
) -> list[tuple[Place, list[Finding]]]:
    """Open the scene, and look at it in each theme. out: where pictures go; None for none."""
    told = []
    with scene.posed(application, pair[0], scene.name) as window:
        look = look_in(window)
        for shape in pair:
            look.change(theme=shape.theme)
            settle()
            if out is not None:
                window.grab().save(str(out / f"{scene.title}-{shape.name}.png"), "PNG", FASTEST)
            told.append((Place(scene.title, shape.name), findings(window, look)))
    return told


def look_in(window: QWidget) -> Look:
    """The look that a window was made with."""
    if isinstance(window, LookWidget):
        return window.look
    return next(one.look for one in window.findChildren(LookWidget))


# --- in a process of its own -------------------------------------------------------------------

_application: list[QApplication] = []


def begin() -> None:
    """What a worker needs once; what scenes log on purpose is not this program's to tell."""
    faulthandler.enable()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false;*.info=false")
    logging.disable(logging.CRITICAL)
    _application.append(QApplication(["crawl"]))


def work_on(title: str, pair: Pair, out: Path | None) -> list[tuple[Place, list[Finding]]]:
    """`walk`, for a scene by its title."""
    scene = next(one for one in SCENES if one.title == title)
    return walk(_application[0], scene, pair, out)
