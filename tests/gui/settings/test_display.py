"""The page of the customer display: a monitor is chosen, tried, saved, and used at once."""

from __future__ import annotations

from pathlib import Path

from pos_app.cashier.services.display_setup import DisplaySetup, Monitor
from pos_app.cashier.settings.model import PageName
from pos_app.errors import DataFolderNotWritable
from tests.fakes.display import DisplayOfMonitors
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, save, says
from tests.gui.window.hands import Hands

TILL, BUYER = Monitor("KASA", 1366, 768, True), Monitor("KUPAC", 1920, 1080, False)


async def test_a_monitor_is_chosen_tried_saved_and_stays_chosen_while_it_is_pulled_out(
    hands: Hands, tmp_path: Path
) -> None:
    services, kept_in = hands.shop.services, hands.shop.display_settings
    display = DisplayOfMonitors(TILL, BUYER)
    services.display_here.control = display
    screen, page = await at_page(hands, PageName.DISPLAY)
    form, model = page.form, screen.model.display
    assert not form.try_button.isEnabled(), "no monitor is chosen"
    form.monitor.chosen.emit(TILL.name)
    assert not form.try_button.isEnabled(), "the till stands there"
    form.monitor.chosen.emit(BUYER.name)
    await until(form.try_button.isEnabled)
    hands.tap(form.try_button)
    assert display.tried == [DisplaySetup("KUPAC")]
    assert services.customer_display == DisplaySetup()
    form.pictures.edit.setFocus()
    hands.type("nowhere")
    await save(hands, page)
    await until(lambda: says(page, "Тог места нема"))
    assert kept_in.kept == []
    saved = DisplaySetup("KUPAC", str(tmp_path), "dark")
    model.change(saved)
    kept_in.refuses = DataFolderNotWritable(what="no", path="/x")
    await save(hands, page)
    await until(lambda: model.failure is not None)
    assert (services.customer_display, display.followed) == (DisplaySetup(), 0)
    kept_in.refuses = None
    await save(hands, page)
    await until(lambda: model.saved_at is not None)
    assert (kept_in.kept, services.customer_display, display.followed) == ([saved], saved, 1)
    display.connected = (TILL,)
    await until(lambda: "KUPAC: сада није прикључен" in form.monitor.accessibleName())
    assert not form.try_button.isEnabled()
    display.connected = (TILL, BUYER)
    await until(form.try_button.isEnabled)
    assert "KUPAC, 1920 × 1080" in form.monitor.accessibleName()
