"""The page of diagnostics by real presses: findings, logs, copies and the saved bundle."""

from __future__ import annotations

import asyncio
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from pos_app.adapters.machine import MachineHere
from pos_app.adapters.support_bundle import SupportHere
from pos_app.cashier.settings.model import PageName
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, told
from tests.gui.window.hands import Hands
from tests.gui.window.shop import Shop

TOKEN = "ab" * 32


@pytest.fixture
def supported(shop: Shop) -> Shop:
    """Set support up as the program does, before the window of the shop is made."""
    data = shop.services.settings.data
    logs = data / "logs"
    logs.mkdir()
    (logs / "till.log").write_text(
        "2026-11-24 05:00:00,001 INFO    pos_app.till: the till starts\n"
        f"2026-11-24 05:00:01,001 WARNING pos_app.till: {TOKEN} was refused\n",
        encoding="utf-8",
    )
    (logs / "server.log").write_text(
        "2026-11-24 05:00:02,001 ERROR   pos_app.server: the printer is away\n", encoding="utf-8"
    )
    support = SupportHere(data, token=TOKEN, clock=shop.clock)
    shop.services = replace(shop.services, support=support, machine=MachineHere(data))
    return shop


def files_in(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir() if one.is_file()]


async def test_each_subject_is_told_with_its_value_and_again_on_demand(
    supported: Shop, hands: Hands
) -> None:
    """The log beside it is read, filtered and copied without its secrets."""
    screen, page = await at_page(hands, PageName.DIAGNOSTICS)
    await until(lambda: "На диску" in told(page.test))
    for subject in ("Сервер", "Процесор", "Штампач", "Сат", "Резервне копије", "Каталог"):
        assert subject in told(page.test)
    model = screen.model.diagnostics
    made = [model.findings]

    def note() -> None:
        if model.findings is not made[-1]:
            made.append(model.findings)

    model.listen(note)
    hands.tap(page.test.button)
    await until(lambda: len(made) == 3)  # at once, and with the machine's answer
    assert all(made)
    await until(lambda: "На диску" in told(page.test))
    text = page.log.lines
    await until(lambda: "was refused" in text.toPlainText())
    assert "the till starts" not in text.toPlainText()
    assert TOKEN not in text.toPlainText()
    assert text.isReadOnly()
    hands.tap(page.log.warnings)
    await until(lambda: "the till starts" in text.toPlainText())
    hands.tap(page.log.copy)
    copied = QGuiApplication.clipboard().text()
    assert copied == text.toPlainText()
    page.log.which.chosen.emit("server")
    await until(lambda: "the printer is away" in text.toPlainText())
    page.log.which.chosen.emit("sync")
    await until(lambda: "Нема ничега" in text.toPlainText())
    assert not page.log.copy.isEnabled()


@pytest.mark.deadline(90)
async def test_a_bundle_is_saved_in_the_folder_that_was_chosen(
    supported: Shop, hands: Hands, tmp_path: Path
) -> None:
    screen, page = await at_page(hands, PageName.DIAGNOSTICS)
    await until(lambda: "На диску" in told(page.test))
    model = screen.model.diagnostics
    steps: list[object] = []
    ended = asyncio.Event()

    def note() -> None:
        steps.append(model.progress)
        if model.bundle is not None or model.failure is not None:
            ended.set()

    model.listen(note)
    hands.tap(page.bundle.button)
    await until(lambda: page.findChildren(QFileDialog))
    (chooser,) = page.findChildren(QFileDialog)
    chooser.fileSelected.emit(str(tmp_path))
    chooser.reject()
    await until(lambda: model.running == "bundle")
    await until(lambda: not page.bundle.button.isEnabled())
    await asyncio.wait_for(ended.wait(), 60)  # it runs `check`, a program of its own
    assert model.bundle is not None
    assert files_in(tmp_path) == [model.bundle.name]
    await until(lambda: model.bundle is not None and model.bundle.name in told(page.bundle))
    assert (0, 8) in steps
    assert page.bundle.button.isEnabled()
    with zipfile.ZipFile(model.bundle) as bundle:
        assert "На диску" in bundle.read("self-test.txt").decode()
