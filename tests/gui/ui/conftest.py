"""The look on the one application of the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from pos_app.cashier.ui.metrics import Metrics
from pos_app.cashier.ui.style import apply_style
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.ui.tokens import ThemeName
from tests.gui.pictures import styled

Change = Callable[..., Theme]


@pytest.fixture
def qtbot(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[QtBot]:
    """The bot, which holds its widgets until the test is over.

    A view that nothing holds may be collected as garbage in the middle of its own painting, which
    crashes: pytest-qt still paints after the test function has returned.
    """
    held: list[QWidget] = []
    add = qtbot.addWidget

    def add_and_hold(widget: QWidget) -> None:
        held.append(widget)
        add(widget)

    monkeypatch.setattr(qtbot, "addWidget", add_and_hold)
    yield qtbot
    held.clear()


@pytest.fixture
def change(qapp: QApplication, theme: Theme) -> Change:
    """Change the theme, and apply it to the application."""

    def change(theme_name: ThemeName | None = None, *, metrics: Metrics | None = None) -> Theme:
        other = theme.changed_to(theme=theme_name, metrics=metrics)
        apply_style(qapp, other)
        return other

    return change


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    with styled(qapp, Theme()) as made:
        yield made
