"""Files that a manager brings for a V-PFR, at the real page and a real server."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.processor_model import Entry, ProcessorKind
from pos_app.cashier.settings.processor_page import ProcessorForm
from pos_app.pfr_emulator.authority import Authority
from pos_app.pfr_emulator.caller import CertifiedCaller
from tests import pfx_files
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page
from tests.gui.window.hands import SellIn
from tests.gui.window.shop import Shop
from tests.integration.fiscalization.test_vpfr import vpfr
from tests.integration.test_processor_page import running


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
