"""The processor's page: trials, saving, faults, addresses, files for a V-PFR, the card's PIN."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.adapters.api_client.receipts import WireCodec
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.processor_model import (
    LARGEST_FILE,
    Entry,
    ProcessorKind,
    ProcessorModel,
)
from pos_app.cashier.ui.labels import Label
from pos_app.domain.receipt.request import InvoiceType, ReceiptDelivery
from pos_app.domain.receipt.states import AnswerClass
from pos_app.domain.setup import processor_setup
from pos_app.domain.setup.processor import PinResult
from pos_app.domain.setup.processor_setup import ProcessorChange, ProcessorTrial
from pos_app.errors import NotDelivered, Refused
from pos_app.selling.sale.sale import PendingReason
from pos_app.selling.server.answers import Issued, RefusedByServer, Unclear
from tests.fakes.fiscal_server import receipt
from tests.fakes.processor_setup import LPFR
from tests.gui.crawl.painted import painted_by
from tests.gui.inside import inside
from tests.gui.parts import visible_parts
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, is_red, says
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop


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


def painted(within: QWidget) -> str:
    """The words that are painted in it, one text per row."""
    every = [one for one in (within, *within.findChildren(QWidget)) if one.isVisible()]
    return "\n".join(text.words for one in every for text in painted_by(one)[0])


def is_painted(within: QWidget, words: str) -> bool:
    return words in painted(within)


def judged(change: processor_setup.ProcessorChange) -> processor_setup.ProcessorTrial:
    """The server's answer to an invalid address."""
    try:
        processor_setup.check_address(change.kind or "", change.url or "")
    except processor_setup.SetupWrong as error:
        return processor_setup.ProcessorTrial(fault=error.kind, message=error.what)
    return processor_setup.ProcessorTrial(fault="away")


async def test_an_address_is_judged_by_the_rule_of_its_processor(hands: Hands) -> None:
    """The empty one of a V-PFR says where it comes from."""
    hands.shop.processor_setup.trial = judged
    screen, page = await at_page(hands, PageName.PROCESSOR)
    await until(lambda: screen.model.processor.setup is not None)
    form = page.form
    await until(form.cards[ProcessorKind.LPFR].isChecked)  # the processor that is set up is chosen
    field = form.fields[Entry.URL]
    for kind, url, words in (
        (ProcessorKind.VPFR, "http://vpfr.rs", "Адреса В-ПФР почиње са https://"),
        (ProcessorKind.LPFR, "192.168.1.40:8888", "Адреса се пише као http://127.0.0.1:8888"),
        (ProcessorKind.LPFR, "", "Упишите адресу процесора"),
    ):
        hands.tap(form.cards[kind])
        await until(form.cards[kind].isChecked)
        await until(field.isVisible)
        field.edit.selectAll()
        QTest.keyClick(field.edit, Qt.Key.Key_Delete)
        if kind is ProcessorKind.VPFR:
            await until(lambda: painted(field) == "из сертификата")
        for letter in url:
            QTest.keyClicks(field.edit, letter)
        await until(form.try_button.isEnabled)
        hands.tap(form.try_button)
        await until(partial(is_painted, field, words))
