"""The address of a processor is judged by that processor's rule."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.domain.setup import processor_setup
from tests.gui.crawl.painted import painted_by
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page
from tests.gui.window.hands import Hands


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
