"""One scene in one shape: its picture and its faults."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import logging
import os
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import starmap
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.ui.theme import Theme, ThemedWidget
from tests.gui.crawl.checks import Finding, Seen, findings
from tests.gui.crawl.floating import floating, with_menus
from tests.gui.crawl.refusing import refused
from tests.gui.crawl.scenes import SCENES, Scene
from tests.gui.pictures import Shape

Done = TypeVar("Done")
LOOK = "look"
"""A sheet of examples, as high and wide as these are: no till shows it."""


@dataclass(frozen=True, slots=True)
class Place:
    title: str
    shape: str


def asked_for(scene: Scene, only: str, shape: str, *, share: int | None) -> list[Shape]:
    """The shapes of a scene that are requested by a part of their name. share: if given, only the
    scene's own shape, and only if the scene belongs to that share."""
    if share is not None and not scene.is_in_share(share):
        return []
    shapes = scene.shapes() if share is None else [scene.share()]
    return [one for one in shapes if shape in one.name] if only in scene.title else []


def walk(
    application: QApplication, scene: Scene, shape: Shape, out: Path | None = None
) -> list[Finding]:
    """Open a scene and look at it. out: the folder of its picture; without one no picture is
    saved."""
    with loop_of_scene(), scene.posed(application, shape, scene.name) as window:
        seen = Seen(window, look_in(window))
        if out is not None:
            with_menus(seen).save(str(out / f"{scene.title}-{shape.name}.png"))
        seen_faults = [*findings(seen), *floating(seen)]
        if scene.room == LOOK:  # its keys do nothing
            return seen_faults
        seen_faults = [*_larger(window, shape), *seen_faults]
        return [*seen_faults, *dict.fromkeys(refused(window, seen.theme))]


def _larger(window: QWidget, shape: Shape) -> list[Finding]:
    """A fault for a window that does not fit its screen: its contents need more room."""
    size = window.size()
    if size.width() <= shape.width and size.height() <= shape.height:
        return []
    told = f"{size.width()} × {size.height()} px on {shape.width} × {shape.height}"
    return [Finding("large", told)]


@contextmanager
def loop_of_scene() -> Iterator[None]:
    """A loop for work that a scene starts while no loop runs: it stands still with the picture, and
    its work ends before it begins."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        yield
    finally:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            loop.run_until_complete(asyncio.wait(tasks))
        loop.close()


def look_in(window: QWidget) -> Theme:
    if isinstance(window, ThemedWidget):
        return window.theme
    return next(one.theme for one in window.findChildren(ThemedWidget))


# --- in a program of its own -------------------------------------------------------------------

_application: list[QApplication] = []


class _Here(Executor):
    """Does each work at once, in this process, which saves another one its imports."""

    def __init__(self, initializer: Callable[[], None]) -> None:
        initializer()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def as_done(
    pool: Executor, work: Callable[..., Done], todo: Iterable[tuple[Any, ...]]
) -> Iterator[Done]:
    """The results of a work on each of these, as soon as they are there; this process alone does
    one after the other, so that between them its progress can be told."""
    if isinstance(pool, _Here):
        yield from starmap(work, todo)
    else:
        works = [pool.submit(work, *each) for each in todo]
        yield from (one.result() for one in as_completed(works))


def workers(jobs: int, initializer: Callable[[], None]) -> Executor:
    """As many processes for scenes; one job has this process alone."""
    if jobs == 1:
        return _Here(initializer)
    return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=initializer)


SCREENS = Path(__file__).with_name("screens.json")
"""A screen of each size, side by side: Qt keeps menus on the screen of their window, and has one of
800 px by itself."""


def offscreen() -> str:
    """The platform of Qt with the screens. Its words are divided by colons, so that a path with a
    drive can't be told: there the screen is as it was."""
    file = os.path.relpath(SCREENS) if SCREENS.drive == Path.cwd().drive else ":"
    return "offscreen" if ":" in file else f"offscreen:configfile={file}"


def begin() -> None:
    """Prepare a worker; the log records of scenes are not this program's to print."""
    faulthandler.enable()
    gc.set_threshold(50_000)  # a scene makes many objects; looking them through often took a tenth
    os.environ.setdefault("QT_QPA_PLATFORM", offscreen())
    os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false;*.info=false")
    logging.disable(logging.CRITICAL)
    application = QApplication(["crawl"])
    application.setQuitOnLastWindowClosed(False)  # or a window that closes stops the loop
    _application.append(application)


def work_on(title: str, shape: Shape, out: Path | None) -> tuple[Place, list[Finding]]:
    """Run `walk` for a scene by its title. A scene that can't be posed is a finding, and the others
    are walked."""
    scene, place = next(one for one in SCENES if one.title == title), Place(title, shape.name)
    try:
        return place, walk(_application[0], scene, shape, out)
    except Exception as error:  # noqa: BLE001 - of the scene's own code, or of the product
        at = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__}: {error} at {Path(at.filename).name}:{at.lineno}"
        return place, [Finding("broken", told)]
