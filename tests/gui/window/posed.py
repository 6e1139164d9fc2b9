"""The window of a scene over a shop with the demo's catalogue, for pictures of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from PySide6.QtWidgets import QApplication

from pos_app.cashier.services.till_services import TillServices
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.window.till_window import TillWindow
from tests.gui import pictures
from tests.gui.window.hands import other_program_goes
from tests.gui.window.shop import Shop, copied, demo_catalogue

Pose = Callable[[Shop, TillWindow], None]
"""Brings the shop and its window to the state of the picture."""


@cache
def _demo() -> tempfile.TemporaryDirectory[str]:
    made = tempfile.TemporaryDirectory()
    demo_catalogue(Path(made.name))
    return made


def demo_template() -> Path:
    return Path(_demo().name)


def usual(shop: Shop) -> TillServices:
    return shop.services


@contextmanager
def window_posed(
    application: QApplication,
    shape: pictures.Shape,
    pose: Pose,
    *,
    template: Path | None = None,
    services_of: Callable[[Shop], TillServices] = usual,
) -> Iterator[TillWindow]:
    """The window of one scene in one shape; no window of another program lies over it. template: a
    data folder, without which the shop is the demo's."""
    with (
        pictures.styled(application, pictures.look_of(shape)) as look,
        tempfile.TemporaryDirectory() as made,
    ):
        shop = Shop(copied(template or demo_template(), Path(made)), name="Каса 2")
        shop.services = services_of(shop)
        window = TillWindow(shop.services, UiContext(look, Texts(shape.language)))
        pictures.open_window(window, shape)
        pose(shop, window)
        pictures.settle()
        window.frame.count()
        pictures.settle()
        other_program_goes()
        pictures.settle()
        yield window
        pictures.let_go(window)
        shop.close()
