"""The printers' page: typed, found, tried and saved values; the trial page; the till's
knowledge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.cashier.settings import printer_model
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.printer_model import PrinterModel
from pos_app.domain.receipt.states import JobState
from pos_app.domain.setup import printer_setup
from pos_app.errors import NotDelivered, Refused
from pos_app.selling.sale.receipt_drafts import DeliveryWay
from tests.gui.parts import page_in_front
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop

RECEIPT, A4 = printer_setup.PrinterUse.RECEIPT, printer_setup.PrinterUse.A4


async def loaded(shop: Shop) -> PrinterModel:
    made = PrinterModel(shop.services)
    await made.load()
    await made.look_for()
    return made


async def test_what_is_typed_is_tried_saved_and_known_to_the_till_without_a_restart(
    shop: Shop,
) -> None:
    model, desk, services = await loaded(shop), shop.printer_setup, shop.services
    assert not model.has_changes
    assert DeliveryWay.THERMAL not in services.ways_here
    model.choose_kind(printer_setup.PrinterKind.USB)
    assert not model.can_save, "it has no address"
    assert [one.address for one in model.found_for(RECEIPT)] == ["/dev/usb/lp0"]
    model.type(RECEIPT, " /dev/usb/lp0 ")
    model.choose_kind(printer_setup.PrinterKind.NETWORK)
    assert model.draft.address == ""
    model.choose_kind(printer_setup.PrinterKind.USB)
    assert model.draft.address == " /dev/usb/lp0 ", "each kind keeps its own"
    model.set(width_mm=58, drawer="pin2")
    model.type(A4, "Kancelarija")
    wanted = printer_setup.PrinterChange(
        kind="usb", address="/dev/usb/lp0", width_mm=58, drawer="pin2", a4_queue="Kancelarija"
    )
    await model.try_out(RECEIPT)
    assert desk.tried == [(RECEIPT, wanted)]
    await model.print_page(RECEIPT)
    assert not desk.pages, "only the printer that is set prints"
    await model.save()
    assert desk.changes == [wanted]
    assert (model.saved_at is None, model.has_changes) == (False, False)
    assert {DeliveryWay.THERMAL, DeliveryWay.A4} <= services.ways_here
    model.choose_kind(printer_setup.PrinterKind.NONE)
    await model.save()
    assert desk.changes[1] == printer_setup.PrinterChange(kind="none")
    assert DeliveryWay.THERMAL not in services.ways_here


async def test_a_trial_page_waits_for_a_server_that_opens_anew_and_what_is_typed_hides_old_news(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printer_model, "AWAY_PAUSE", 0.0)
    model, desk = await loaded(shop), shop.printer_setup
    desk.away = 3
    await model.print_page(A4)
    assert (desk.pages, model.pages[A4].state) == ([A4], JobState.DONE)
    desk.away = 1_000_000
    monkeypatch.setattr(printer_model, "AWAY_SECONDS", 0.05)
    await model.print_page(RECEIPT)
    assert isinstance(model.failure, NotDelivered)
    desk.trial = printer_setup.PrinterTrial(use=A4, fault="offline")
    await model.try_out(A4)
    model.type(A4, "x")
    assert not model.trials
    assert not model.pages
    desk.refuses = Refused("queue", what="no")
    await model.save()
    assert (model.fault, model.failure, model.draft.a4_queue) == ("queue", None, "x")
    model.drop()
    assert (model.draft, model.fault) == (model.setup, "")


async def test_a_manager_types_a_printer_saves_it_and_reads_what_became_of_its_page(
    hands: Hands,
) -> None:
    desk = hands.shop.printer_setup
    desk.job = replace(desk.job, state=JobState.FAILED, trouble="paper_out")
    screen, _ = await at_page(hands, PageName.PROCESSOR)
    await until(screen.list.isVisible)
    screen.list.rows[PageName.PROCESSOR].setFocus()
    hands.press("Down")
    assert screen.model.page is PageName.PRINTERS
    await until(lambda: screen.model.printers.found_printers is not None)
    form = page_in_front(hands.window.frame, "set.page.printers").form
    hands.tap(form.cards[printer_setup.PrinterKind.NETWORK])  # arrows need an active window
    assert screen.model.printers.draft.kind == printer_setup.PrinterKind.NETWORK
    await until(form.receipt.address.isVisible)
    reached(hands, form.receipt.address.edit)
    hands.type("10.0.0.9")
    hands.press("Enter")
    wanted = printer_setup.PrinterChange(kind="network", address="10.0.0.9")
    await until(lambda: desk.changes == [wanted])
    await until(form.receipt.page_button.isEnabled)
    reached(hands, form.receipt.page_button)
    hands.press("Enter")
    await until(lambda: desk.pages == [RECEIPT])
    await until(lambda: any("нема папира" in fact.value for fact in form.receipt.facts.facts))


def reached(hands: Hands, widget: object) -> None:
    """Press Tab until the widget has the focus."""
    for _ in range(60):
        if hands.window.focusWidget() is widget:
            return
        hands.press("Tab")
    raise AssertionError(widget)
