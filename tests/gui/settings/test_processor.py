"""The processor's page: trials, saving, faults, and the card's PIN."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit

from pos_app.adapters.api_client.receipts import WireCodec
from pos_app.cashier.settings import processor_model
from pos_app.cashier.settings.model import PageName
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup.processor import PinResult
from pos_app.domain.setup.processor_setup import ProcessorChange, ProcessorTrial
from pos_app.errors import NotDelivered, Refused
from pos_app.selling.sale.sale import PendingReason
from pos_app.selling.server.answers import Issued, RefusedByServer, Unclear
from tests.fakes.fiscal_server import receipt
from tests.fakes.processor_setup import LPFR
from tests.gui.inside import inside
from tests.gui.parts import page_shown
from tests.gui.patience import until
from tests.gui.pictures import settle
from tests.gui.settings.conftest import at_page
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop


async def loaded(shop: Shop) -> processor_model.ProcessorModel:
    made = processor_model.ProcessorModel(shop.services)
    await made.load()
    return made


async def test_only_what_was_typed_is_sent_and_secrets_are_forgotten(
    shop: Shop, tmp_path: Path
) -> None:
    model = await loaded(shop)
    desk = shop.processor_setup
    assert not model.has_changes
    await model.save()
    assert not desk.changes
    file = tmp_path / "lipa.pfx"
    file.write_bytes(b"\x30\x82")
    model.choose_kind(processor_model.ProcessorKind.VPFR)
    await model.take_file(processor_model.Entry.PFX, file)
    model.type(processor_model.Entry.PASSWORD, "tajna")
    model.type(processor_model.Entry.PAC, " AB12CD ")
    assert model.changes_processor
    await model.try_out()
    wanted = ProcessorChange(kind="vpfr", url="", pfx=b"\x30\x82", password="tajna", pac="AB12CD")
    assert desk.tried == [wanted]
    assert model.trial is not None
    await model.save()
    assert desk.changes == [wanted]
    assert model.saved_at is not None
    assert not model.has_changes
    assert (model.pfx, model.password, model.pac) == (None, "", "")
    assert "tajna" not in repr(wanted)
    model.choose_kind(processor_model.ProcessorKind.LPFR)
    assert model.saved_at is None
    assert model.trial is None, "it was of something else"


async def test_faults_are_told_at_their_field_and_nothing_typed_is_lost(
    shop: Shop, tmp_path: Path
) -> None:
    model = await loaded(shop)
    desk = shop.processor_setup
    desk.trial = lambda _: ProcessorTrial(fault="password", message="wrong")
    model.choose_kind(processor_model.ProcessorKind.VPFR)
    await model.try_out()
    assert model.faults == {processor_model.Entry.PASSWORD: "password"}
    desk.refuses = Refused("pac", what="no")
    model.type(processor_model.Entry.PAC, "1")
    await model.save()
    assert (model.faults, model.failure, model.pac) == (
        {processor_model.Entry.PAC: "pac"},
        None,
        "1",
    )
    desk.refuses = Refused("number", what="no")
    await model.save()
    assert (model.faults, model.fault) == ({processor_model.Entry.ESIR: "number"}, "")
    model.type(processor_model.Entry.ESIR, "1234-5")
    assert not model.faults
    desk.refuses = Refused("given", what="no")
    await model.save()
    assert (model.faults, model.fault) == ({}, "given")
    desk.refuses = NotDelivered(what="away")
    await model.save()
    assert isinstance(model.failure, NotDelivered)
    for name, content in (
        ("none.pfx", None),
        ("big.pfx", b"x" * (processor_model.LARGEST_FILE + 1)),
    ):
        file = tmp_path / name
        if content is not None:
            file.write_bytes(content)
        await model.take_file(processor_model.Entry.PFX, file)
        assert model.faults.pop(processor_model.Entry.PFX) == "unread"
    model.drop()
    assert model.kind is processor_model.ProcessorKind.LPFR
    assert not model.has_changes


async def test_the_cards_pin_is_given_once_and_wrong_ones_are_counted(shop: Shop) -> None:
    model = await loaded(shop)
    shop.processor_setup.pin = PinResult.WRONG
    await model.enter_pin("1111")
    await model.enter_pin("2222")
    assert (model.pin_result, model.wrong_pins) == (PinResult.WRONG, 2)
    shop.processor_setup.pin = PinResult.ACCEPTED
    await model.enter_pin("3333")
    assert (model.pin_result, model.wrong_pins) == (PinResult.ACCEPTED, 0)
    assert shop.processor_setup.pins == ["1111", "2222", "3333"]
    assert not [name for name, value in vars(model).items() if value == "3333"]


async def test_a_training_receipt_keeps_its_key_until_its_outcome_is_known(shop: Shop) -> None:
    model, desk = await loaded(shop), shop.processor_setup
    waits = PendingReason(AnswerClass.WAIT, "40080009")
    signed = Issued("r-1", receipt(7))
    desk.answers = [Unclear(waits), RefusedByServer(waits), signed, signed]
    for _ in range(3):
        await model.issue_training()
    keys = [key for key, _ in desk.issued]
    assert keys[0] == keys[1] != keys[2]
    await model.load()
    assert model.training == signed, "asked anew, because a receipt was signed"
    request = WireCodec().decode(desk.issued[0][1])
    assert request.invoice_type is InvoiceType.TRAINING
    assert request.delivery == ReceiptDelivery()
    model.type(processor_model.Entry.URL, "http://10.0.0.9:8888")
    assert model.training is None, "it was of another processor"
    await model.issue_training()
    assert len(desk.issued) == 3, "what is typed is no processor yet"


async def test_a_manager_changes_the_address_by_keys_alone(hands: Hands) -> None:
    """No field moves meanwhile: a notice above the fields came with the first letter."""
    desk = hands.shop.processor_setup
    hands.press("F9")
    hands.tap_words("продавница, процесор, штампачи")
    screen = inside(hands.window).settings
    assert screen.gate.isVisible()
    for _ in range(2):
        hands.type(PIN)
        hands.press("Enter")
    row = screen.list.rows[PageName.PROCESSOR]
    await until(
        lambda: hands.window.focusWidget() is row and screen.model.processor.setup is not None
    )
    page = await page_shown(hands.window.frame, "set.page.processor")
    form = page.form
    field = form.fields[processor_model.Entry.URL]
    for _ in range(40):
        if hands.window.focusWidget() is field.edit:
            break
        hands.press("Tab")
    assert hands.window.focusWidget() is field.edit
    below = [one for one in (*form.fields.values(), form.alone) if one.isVisible()]
    settle()
    places = [one.mapTo(form, QPoint()) for one in below]
    assert isinstance(field.edit, QLineEdit)
    field.edit.selectAll()
    hands.type("http://10.0.0.9:8888")
    await until(lambda: screen.model.processor.changes_processor)
    settle()
    assert [one.mapTo(form, QPoint()) for one in below] == places
    hands.press("Enter")
    await until(lambda: len(desk.changes) == 1)
    assert desk.changes[0] == ProcessorChange(url="http://10.0.0.9:8888")
    hands.press("Esc")
    assert not inside(hands.window).is_in("settings")
    inside(hands.window).open("settings")
    assert inside(hands.window).settings.gate.isVisible(), "each visit asks"


async def test_attention_leads_to_the_cards_pin_without_a_manager(hands: Hands) -> None:
    desk = hands.shop.processor_setup
    desk.told = replace(LPFR)
    inside(hands.window).open_card_pin()
    screen = inside(hands.window).settings
    for digit in "1234":
        hands.tap(screen.card_pin.panel.pad.key(digit))
    hands.tap(screen.card_pin.panel.enter)
    await until(lambda: desk.pins == ["1234"])
    await until(lambda: "примила" in screen.card_pin.panel.result_label.text())
    hands.press("Esc")
    assert not inside(hands.window).is_in("settings")


async def test_the_managers_pin_is_changed_by_keys_and_taken_away(hands: Hands) -> None:
    manager = hands.shop.services.manager
    _, page = await at_page(hands, PageName.PIN)
    page.focus_first()
    for typed in ("1111", "4321", "4321"):
        hands.type(typed)
        hands.press("Enter")
    await until(lambda: bool(page.panel.fields["old"].error()))
    assert manager.pin_check()(PIN)
    hands.type(PIN)  # the new PINs are still filled in
    hands.press("Enter")
    await until(page.panel.result_label.isVisible)
    assert manager.pin_check()("4321")
    assert not any(field.text() for field in page.panel.fields.values())
    hands.type("4321")
    hands.tap(page.remove)
    await until(lambda: not manager.is_set())
    assert page.panel.result_label.isVisible()
