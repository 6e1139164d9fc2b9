"""A manager at a page of the settings."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.values import choices_of
from pos_app.cashier.settings.values_page import ValueRow
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.choices import Segment
from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.tokens import LIGHT
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.server.ports import ServerDecisions
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of, only, page_shown, visible_parts
from tests.gui.patience import until
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands
from tests.gui.window.shop import NoDoubts, Shop


async def at_page(hands: Hands, name: PageName) -> tuple[SettingsScreen, Any]:
    """A page of the settings behind the manager's PIN, with its screen."""
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    if not screen.model.is_open:
        let_in(screen.model, PIN)
    screen.model.choose(name)
    return screen, await page_shown(hands.window.frame, f"set.page.{name}")


def told(within: QWidget) -> str:
    return " | ".join(lines_of(within))


def says(within: QWidget, words: str) -> bool:
    return any(words in line for line in lines_of(within))


def esc_keys(hands: Hands) -> list[Button]:
    """The keys that show Esc."""
    return [one for one in visible_parts(hands.window, Button) if one.spec.key == "Esc"]


def is_red(field: QWidget) -> bool:
    """Whether the edge of a field is painted as that of a wrong one, with the focus too."""
    edge = field.grab().toImage().pixelColor(0, field.height() // 2)
    return edge == QColor(LIGHT.danger)


def type_over(hands: Hands, field: Field, text: str) -> None:
    """Replace the text of a field, by keys."""
    field.edit.setFocus()
    field.edit.selectAll()
    hands.type(text)


def choose_value(hands: Hands, row: ValueRow, option_id: str) -> None:
    """Press a part of the segment of a setting's choices."""
    hands.choose(only(row, Segment), choices_of(row.setting).index(option_id))


async def save(hands: Hands, page: Any) -> None:
    """Press "save" once the page allows it."""
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)


async def saved(hands: Hands, page: Any) -> None:
    await save(hands, page)
    await until(lambda: page.acts.words.startswith("Сачувано"))


def written(shop: Shop) -> dict[str, dict[str, object]]:
    """The settings in their file."""
    path = shop.services.settings.data / "settings.toml"
    return tomllib.loads(path.read_text()) if path.exists() else {}


class Reopened(NoDoubts):
    """A server that notes each request to open the shop again."""

    def __init__(self) -> None:
        self.reopened: list[str] = []

    async def reopen(self, *, by: str) -> None:
        self.reopened.append(by)


@pytest.fixture
def reopened(shop: Shop) -> Reopened:
    """The fixture is applied before the window of the shop is made."""
    made = Reopened()
    shop.services = replace(shop.services, server_decisions=cast("ServerDecisions", made))
    return made


def settings_acts(shop: Shop) -> list[ActRow]:
    """The rows about settings in the table of acts."""
    day, now = timedelta(days=1), shop.clock.now()
    acts = shop.services.acts.acts(since=now - day, until=now + day)
    return [one for one in acts if one.done is NotedAct.SETTINGS]
