"""The window names no screen: the table does."""

from __future__ import annotations

from pathlib import Path

from pos_app.cashier.catalogue.view import CatalogueScreen
from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.window import till_window as window_module
from pos_app.cashier.window.screens import SCREENS


def test_the_window_names_no_screen() -> None:
    """The frame opens screens by the table."""
    words = Path(window_module.__file__).read_text(encoding="utf-8")
    rooms = [entry.home.removeprefix("pos_app.cashier.").split(".")[0] for entry in SCREENS]
    assert [room for room in rooms if f"pos_app.cashier.{room}" in words] == []
    assert CatalogueScreen.__name__ not in words
    assert len(words.splitlines()) <= 400


FILLED, PLAIN = ButtonKind.FILLED, ButtonKind.PLAIN
