"""The page of VAT: a saved change holds at once, but never among the items of a sale."""

from __future__ import annotations

import pytest

from pos_app.cashier.settings.cashier_form import CashierForm
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.domain.receipt.request import cashier_fault
from pos_app.errors import DataFolderNotWritable
from pos_app.selling.sale import cashier_setup
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import lines_of, page_in_front, page_shown
from tests.gui.patience import until
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD


async def at_page(hands: Hands) -> SettingsScreen:
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    assert screen is not None
    if screen.model.services.manager.is_set():
        let_in(screen.model, PIN)
    else:
        let_in(screen.model, PIN)
    screen.model.choose(PageName.VAT)
    await page_shown(hands.window.frame, "set.page.vat")
    return screen


def form_of(hands: Hands) -> CashierForm:
    form: CashierForm = page_in_front(hands.window.frame, "set.page.vat").form
    return form


async def test_a_manager_changes_the_system_of_vat(hands: Hands) -> None:
    kept_in, services = hands.shop.cashier_settings, hands.shop.services
    screen = await at_page(hands)
    form, model = form_of(hands), screen.model.cashier
    assert form.cards[True].isChecked()
    assert not form.name.isVisible(), "people have a page of their own"
    hands.tap(form.cards[False])
    await until(lambda: any("добијају А" in line for line in lines_of(screen.page)))
    kept_in.refuses = DataFolderNotWritable(what="no", path="/x")
    hands.tap_words("Сачувај")
    await until(lambda: bool(hands.buttons("Само сачувај")))
    hands.tap_words("Само сачувај")
    await until(lambda: model.failure is not None)
    assert (services.cashier, services.in_vat) == ("Касир 3", True)
    kept_in.refuses = None
    await until(hands.button("Сачувај").isEnabled)
    hands.tap_words("Сачувај")
    await until(lambda: bool(hands.buttons("Само сачувај")))
    hands.tap_words("Само сачувај")
    await until(lambda: model.saved_at is not None)
    assert kept_in.kept == [cashier_setup.CashierSetup("Касир 3", in_vat=False)]
    hands.press("Esc")
    inside(hands.window).open("catalogue")
    catalogue = inside(hands.window).catalogue.model
    let_in(catalogue, PIN)
    catalogue.add()
    assert catalogue.current is not None
    assert catalogue.current.owner.tax_label.value == "А"


async def test_it_waits_for_the_end_of_a_sale(hands: Hands) -> None:
    inside(hands.window).model.entry.enter_code(BREAD)
    screen = await at_page(hands)
    model = screen.model.cashier
    model.choose(in_vat=False)
    await until(lambda: any("Продаја је у току" in line for line in lines_of(screen.page)))
    assert not hands.button("Сачувај").isEnabled()
    await model.save()
    assert not hands.shop.cashier_settings.kept
    inside(hands.window).model.cart.suspend_or_recall()
    model.announce()
    await until(hands.button("Сачувај").isEnabled)


@pytest.mark.long
async def test_what_the_environment_gives_is_not_changed_here(hands: Hands) -> None:
    kept_in = hands.shop.cashier_settings
    kept_in.given = (cashier_setup.NAME, cashier_setup.IN_VAT)
    await at_page(hands)
    form = form_of(hands)
    assert not form.cards[False].isEnabled()
    assert "esir.in_vat" in lines_of(form)


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Мира", ""), (" Мира ", ""), ("", "blank"), (" \u00ad", "blank"), ("М" * 51, "long"),
        (" " + "М" * 50, ""), ("Ми\nра", "signs"),
    ],
)  # fmt: skip
def test_which_names_a_receipt_takes(name: str, fault: str) -> None:
    assert cashier_fault(name) == fault
