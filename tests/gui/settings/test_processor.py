"""The processor's page: trials, saving, faults, files for a V-PFR, and the card's PIN."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from pos_app.adapters.api_client.receipts import WireCodec
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.processor_model import (
    LARGEST_FILE,
    Entry,
    ProcessorKind,
    ProcessorModel,
)
from pos_app.cashier.settings.processor_page import ProcessorForm
from pos_app.cashier.ui.labels import Label
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup.processor import PinResult
from pos_app.domain.setup.processor_setup import ProcessorChange, ProcessorTrial
from pos_app.errors import NotDelivered, Refused
from pos_app.pfr_emulator.authority import Authority
from pos_app.pfr_emulator.caller import CertifiedCaller
from pos_app.selling.sale.sale import PendingReason
from pos_app.selling.server.answers import Issued, RefusedByServer, Unclear
from tests import pfx_files
from tests.fakes.fiscal_server import receipt
from tests.fakes.processor_setup import LPFR
from tests.gui.inside import inside
from tests.gui.parts import page_shown, visible_parts
from tests.gui.patience import until
from tests.gui.pictures import settle
from tests.gui.settings.conftest import at_page, is_red, says
from tests.gui.settings.screens import PIN
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import Shop
from tests.integration.fiscalization.test_vpfr import vpfr
from tests.integration.test_processor_page import running


async def loaded(shop: Shop) -> ProcessorModel:
    made = ProcessorModel(shop.services)
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
    model.choose_kind(ProcessorKind.VPFR)
    await model.take_file(Entry.PFX, file)
    model.type(Entry.PASSWORD, "tajna")
    model.type(Entry.PAC, " AB12CD ")
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
    model.choose_kind(ProcessorKind.LPFR)
    assert model.saved_at is None
    assert model.trial is None, "it was of something else"


async def test_faults_are_told_at_their_field_and_nothing_typed_is_lost(
    shop: Shop, tmp_path: Path
) -> None:
    model, desk = await loaded(shop), shop.processor_setup
    desk.trial = lambda _: ProcessorTrial(fault="password", message="wrong")
    model.choose_kind(ProcessorKind.VPFR)
    await model.try_out()
    assert model.faults == {Entry.PASSWORD: "password"}
    model.type(Entry.PAC, "1")
    for kind, faults, fault in (
        ("pac", {Entry.PAC: "pac"}, ""),
        ("number", {Entry.ESIR: "number"}, ""),
        ("given", {}, "given"),
    ):
        desk.refuses = Refused(kind, what="no")
        await model.save()
        assert (model.faults, model.fault, model.failure) == (faults, fault, None)
        assert model.pac == "1"
    desk.refuses = Refused("number", what="no")
    await model.save()
    model.type(Entry.ESIR, "1234-5")
    assert not model.faults
    desk.refuses = NotDelivered(what="away")
    await model.save()
    assert isinstance(model.failure, NotDelivered)
    (tmp_path / "big.pfx").write_bytes(b"x" * (LARGEST_FILE + 1))
    for name in ("none.pfx", "big.pfx"):
        await model.take_file(Entry.PFX, tmp_path / name)
        assert model.faults.pop(Entry.PFX) == "unread"
    model.drop()
    assert (model.kind, model.has_changes) == (ProcessorKind.LPFR, False)


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
    model.type(Entry.URL, "http://10.0.0.9:8888")
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
    await until(lambda: row.hasFocus() and screen.model.processor.setup is not None)
    form = (await page_shown(hands.window.frame, "set.page.processor")).form
    field = form.fields[Entry.URL]
    for _ in range(40):
        if not field.edit.hasFocus():
            hands.press("Tab")
    assert field.edit.hasFocus()
    below = [one for one in (*form.fields.values(), form.alone) if one.isVisible()]
    settle()
    places = [one.mapTo(form, QPoint()) for one in below]
    field.edit.selectAll()
    hands.type("http://10.0.0.9:8888")
    await until(lambda: screen.model.processor.changes_processor)
    settle()
    assert [one.mapTo(form, QPoint()) for one in below] == places
    hands.press("Enter")
    await until(lambda: desk.changes == [ProcessorChange(url="http://10.0.0.9:8888")])
    hands.press("Esc")
    assert not inside(hands.window).is_in("settings")
    inside(hands.window).open("settings")
    assert inside(hands.window).settings.gate.isVisible(), "each visit asks"


async def test_attention_leads_to_the_cards_pin_without_a_manager(hands: Hands) -> None:
    desk = hands.shop.processor_setup
    desk.told = replace(LPFR)
    inside(hands.window).open_card_pin()
    card_pin = inside(hands.window).settings.card_pin
    panel = card_pin.panel
    (field,) = panel.fields.values()
    desk.pin = PinResult.WRONG
    hands.type("4321")
    assert not is_red(field)
    hands.press("Enter")
    await until(lambda: says(card_pin, "1 погрешан унос заредом"))
    assert (is_red(field), field.edit.hasFocus(), field.text()) == (True, True, "")
    (wrong,) = (one for one in visible_parts(card_pin, Label) if "погрешан" in one.text())
    gap = wrong.mapTo(panel, QPoint()).y() - field.geometry().bottom()
    assert gap < field.theme.metrics.s3, "the words stand below the field"
    desk.pin = PinResult.ACCEPTED
    for digit in "1234":
        hands.tap(panel.pad.key(digit))
    assert not is_red(field)
    assert not says(card_pin, "погрешан унос")
    hands.tap(panel.enter)
    await until(lambda: desk.pins == ["4321", "1234"])
    await until(lambda: says(card_pin, "примила"))
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


@pytest.mark.deadline(120)
async def test_the_page_says_why_a_file_can_not_be_used(
    shop: Shop, sell_in: SellIn, tmp_path: Path
) -> None:
    """Each file is chosen, its password typed, and "Test" pressed."""
    made = tmp_path / "made"
    async with vpfr(tmp_path / "vpfr") as one, running(tmp_path / "data") as server:
        files = {
            "више кључева": pfx_files.of_two_keys(made),
            "преслаб": pfx_files.pfx(made, key=pfx_files.RSA_1024),
            "још не важи": of_later(one.authority, one.url),
        }
        authorities = tmp_path / "authorities.pem"
        authorities.write_bytes((tmp_path / "vpfr" / "authority.pem").read_bytes())
        shop.services = replace(shop.services, processor_setup=server.desk)
        hands = sell_in(shop)
        screen, page = await at_page(hands, PageName.PROCESSOR)
        form: ProcessorForm = page.form
        await until(lambda: screen.model.processor.setup is not None)
        QTest.mouseClick(form.cards[ProcessorKind.VPFR], Qt.MouseButton.LeftButton)
        form.take_file(Entry.CA, authorities)
        for words, content in files.items():
            file = tmp_path / f"{words}.pfx"
            file.write_bytes(content)
            form.take_file(Entry.PFX, file)
            await until(partial(is_taken, form, file.name))
            for entry, typed in {
                Entry.PASSWORD: pfx_files.PASSWORD,
                Entry.PAC: "DEV123",
                Entry.URL: one.url,
            }.items():
                field = form.fields[entry].edit
                field.clear()
                QTest.keyClicks(field, typed)
            QTest.mouseClick(form.try_button, Qt.MouseButton.LeftButton)
            await until(form.fields[Entry.PFX].error)
            assert words in form.fields[Entry.PFX].error()
        values = [fact.value for fact in form.facts.facts]
        assert any("· још не важи" in value for value in values), values


def is_taken(form: ProcessorForm, name: str) -> bool:
    return form.fields[Entry.PFX].text() == name


def of_later(authority: Authority, url: str) -> bytes:
    caller = CertifiedCaller("VPFR0001", "990000019", "ЛИПА", "1000001-ЛИПА 2")
    return authority.issue(caller, url=url, password=pfx_files.PASSWORD, begins_in_days=3)
