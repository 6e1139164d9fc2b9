"""The page of the customer display: a monitor is chosen, tried, saved, and used at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from pos_app.cashier.services import display_setup
from pos_app.cashier.settings.display_page import DisplayForm
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.errors import DataFolderNotWritable
from tests.fakes.display import DisplayOfMonitors
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of, page_in_front, page_shown
from tests.gui.patience import until
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands

TILL, BUYER = (
    display_setup.Monitor("KASA", 1366, 768, True),
    display_setup.Monitor("KUPAC", 1920, 1080, False),
)


async def at_page(hands: Hands) -> SettingsScreen:
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    let_in(screen.model, PIN)
    screen.model.choose(PageName.DISPLAY)
    await page_shown(hands.window.frame, "set.page.display")
    return screen


def form_of(hands: Hands) -> DisplayForm:
    form: DisplayForm = page_in_front(hands.window.frame, "set.page.display").form
    return form


@pytest.fixture
def display(hands: Hands) -> DisplayOfMonitors:
    """Two monitors; the till stands on the first."""
    made = DisplayOfMonitors(TILL, BUYER)
    hands.shop.services.display_here.control = made
    return made


async def save(hands: Hands) -> None:
    """Save once the page allows it."""
    await until(hands.button("Сачувај").isEnabled)
    hands.tap_words("Сачувај")


async def test_a_monitor_is_chosen_tried_and_saved(
    hands: Hands, display: DisplayOfMonitors, tmp_path: Path
) -> None:
    services, kept_in = hands.shop.services, hands.shop.display_settings
    screen = await at_page(hands)
    form, model = form_of(hands), screen.model.display
    assert not form.try_button.isEnabled(), "no monitor is chosen"
    form.monitor.chosen.emit(TILL.name)
    assert not form.try_button.isEnabled(), "the till stands there"
    form.monitor.chosen.emit(BUYER.name)
    await until(form.try_button.isEnabled)
    hands.tap(form.try_button)
    assert display.tried == [display_setup.DisplaySetup("KUPAC")]
    assert services.customer_display == display_setup.DisplaySetup()
    form.pictures.edit.setFocus()
    hands.type("nowhere")
    await save(hands)
    await until(lambda: any("Тог места нема" in line for line in lines_of(screen.page)))
    assert kept_in.kept == []
    pictures = tmp_path / "slike"
    pictures.mkdir()
    model.change(display_setup.DisplaySetup("KUPAC", str(pictures), "dark"))
    kept_in.refuses = DataFolderNotWritable(what="no", path="/x")
    await save(hands)
    await until(lambda: model.failure is not None)
    assert (services.customer_display, display.followed) == (display_setup.DisplaySetup(), 0)
    kept_in.refuses = None
    await save(hands)
    await until(lambda: model.saved_at is not None)
    saved = display_setup.DisplaySetup("KUPAC", str(pictures), "dark")
    assert (kept_in.kept, services.customer_display, display.followed) == ([saved], saved, 1)


async def test_a_monitor_that_is_pulled_out_stays_chosen(
    hands: Hands, display: DisplayOfMonitors
) -> None:
    hands.shop.services.display_here.saved = display_setup.DisplaySetup("KUPAC")
    display.connected = (TILL,)
    await at_page(hands)
    form = form_of(hands)
    assert "KUPAC: сада није прикључен" in form.monitor.accessibleName()
    assert not form.try_button.isEnabled()
    display.connected = (TILL, BUYER)
    await until(form.try_button.isEnabled)
    assert "KUPAC, 1920 × 1080" in form.monitor.accessibleName()


@pytest.mark.long
async def test_what_the_environment_gives_is_not_changed_here(
    hands: Hands, display: DisplayOfMonitors
) -> None:
    hands.shop.display_settings.given = (
        display_setup.MONITOR,
        display_setup.PICTURES,
        display_setup.THEME,
    )
    await at_page(hands)
    form = form_of(hands)
    parts = (form.monitor, form.pictures, form.choose, form.look)
    assert [part.isEnabled() for part in parts] == [False] * 4
    assert f"{display_setup.MONITOR}, {display_setup.PICTURES}, {display_setup.THEME}" in lines_of(
        form
    )
