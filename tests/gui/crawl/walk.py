"""One scene in one shape: its picture, and what is wrong with it."""

from __future__ import annotations

import faulthandler
import logging
import os
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.look.look import Look
from pos_app.cashier.look.widget import LookWidget
from tests.gui.crawl.checks import Finding, Seen, findings
from tests.gui.crawl.scenes import SCENES, Scene
from tests.gui.pictures import Shape

FASTEST = 70
"""How hard a picture is pressed: 100 takes no time, and thrice the room."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was seen."""

    title: str
    shape: str


def asked_for(scene: Scene, only: str, shape: str, *, share: bool) -> list[Shape]:
    """The shapes of a scene that are asked for by a part of their name; share: only its own one."""
    shapes = [scene.share()] if share else scene.shapes()
    return [one for one in shapes if shape in one.name] if only in scene.title else []


def walk(
    application: QApplication, scene: Scene, shape: Shape, out: Path | None = None
) -> list[Finding]:
    """Open a scene and look at it. out: where its picture goes; None for nowhere."""
    with scene.posed(application, shape, scene.name) as window:
        seen = Seen(window, look_in(window))
        if out is not None:
            seen.picture.save(str(out / f"{scene.title}-{shape.name}.png"), "PNG", FASTEST)
        return findings(seen)


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


def work_on(title: str, shape: Shape, out: Path | None) -> tuple[Place, list[Finding]]:
    """`walk`, for a scene by its title."""
    scene = next(one for one in SCENES if one.title == title)
    return Place(title, shape.name), walk(_application[0], scene, shape, out)
