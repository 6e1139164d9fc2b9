"""The pages of backups and of diagnostics: what is made, what one lacks, and what is told."""

from __future__ import annotations

import asyncio
import zipfile
from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from pos_app import errors
from pos_app.adapters.machine import MachineHere
from pos_app.adapters.support_bundle import SupportHere
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.ui.big_button import BigButton
from pos_app.cashier.ui.buttons import Button
from pos_app.domain.setup import backup
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.backups import AskedBack, BackupSetup, BackupsHere
from pos_app.selling.file_work import FileProgress
from tests.gui.inside import inside
from tests.gui.parts import lines_of, notices_in, only, page_in_front, visible_parts
from tests.gui.patience import until
from tests.gui.settings.conftest import at_page, save, told
from tests.gui.settings.conftest import says as is_said
from tests.gui.taps import moment, tap
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop

FULL = errors.DiskFull("backup_room", what="x", free=212, wanted=1068)


async def at_backups(hands: Hands) -> SettingsScreen:
    screen, _ = await at_page(hands, PageName.BACKUP)
    screen.tick()
    await until(lambda: screen.model.backup.here is not None)
    return screen


def says(screen: SettingsScreen, words: str) -> bool:
    return is_said(screen.page, words)


def is_under_way(screen: SettingsScreen) -> bool:
    """Whether the page has the button that stops the work."""
    return "Прекини" in [one.accessibleName() for one in visible_parts(screen.page, Button)]


def a_set(hands: Hands, hours: float, **more: object) -> backup.BackupSet:
    made_at = hands.shop.clock.now() - timedelta(hours=hours)
    holds = backup.SetHolds(1_204, made_at, 1_211, 1_211, 0, 450)
    facts = ("/shop/backups", made_at, backup.BackupWhy.DAILY, "4.0.0", 812_000_000, holds)
    return replace(backup.BackupSet(f"set-{hours}", *facts), **more)  # type: ignore[arg-type]


async def test_why_none_was_made_is_told_until_the_next_act(hands: Hands) -> None:
    screen, backups = await at_backups(hands), hands.shop.backups
    hands.tap_words("Сачувај копију сада")
    backups.begun[0].came = errors.AlreadyRunning("backup", what="x")
    await until(lambda: says(screen, "Копија се управо прави"))
    words = hands.window.texts.error(FULL).happened
    hands.tap_words("Сачувај копију сада")
    backups.begun[1].came = FULL
    await until(lambda: screen.model.backup.work is None)
    screen.tick()
    await until(lambda: backups.looks_here >= 2 and screen.model.backup.is_idle)
    assert says(screen, words), "nobody did anything since"
    hands.tap_words("Сачувај копију сада")
    await until(lambda: not says(screen, words))
    backups.told = BackupsHere(last=backup.LastTry(hands.shop.clock.now(), FULL))
    backups.begun[2].came = FULL
    await until(lambda: screen.model.backup.work is None)
    screen.tick()
    await until(lambda: says(screen, "слободно је 212 MB, а треба 1.068 MB"))


async def test_a_second_place_is_typed_cleared_and_saved(hands: Hands, tmp_path: Path) -> None:
    screen, kept_in = await at_backups(hands), hands.shop.backup_settings
    page, model = page_in_front(hands.window.frame, "set.page.backup"), screen.model.backup
    form = page.form
    form.folder.edit.setFocus()
    hands.type("nowhere")
    await save(hands, page)
    await until(lambda: says(screen, "Тог места нема"))
    await until(form.clear.isEnabled)
    hands.tap(form.clear)
    await until(lambda: not form.folder.text())
    form.folder.edit.setFocus()
    hands.type(str(tmp_path))
    form.daily.chosen.emit(1)
    kept_in.refuses = errors.DataFolderNotWritable(what="no", path="/x")
    await save(hands, page)
    await until(lambda: model.failure is not None)
    assert kept_in.setup == BackupSetup()
    kept_in.refuses = None
    await save(hands, page)
    await until(lambda: model.saved_at is not None)
    assert kept_in.setup == BackupSetup(str(tmp_path), daily=False)


def lacking_of_each(*without: str) -> tuple[list[str], backup.Lacking]:
    """What lacks something of each kind: the kinds, and a number of each, from 901 on."""
    others = {"first_sale", "last_sale", "acts", *without}
    kinds = [
        one.name for one in fields(backup.Lacking) if one.type == "int" and one.name not in others
    ]
    numbers: dict[str, Any] = {name: 901 + n for n, name in enumerate(kinds)}
    return kinds, replace(backup.Lacking(), **numbers)


async def test_what_a_set_would_lack_is_told_before_it_is_put_back(hands: Hands) -> None:
    backups, now = hands.shop.backups, hands.shop.clock.now()
    one, older = a_set(hands, 3), a_set(hands, 75, is_second=True)
    twice = replace(one, is_second=True, folder="/media/x")
    backups.told = BackupsHere((one, twice, older), folder="/shop/backups")
    backups.lacks = backup.Lacking(
        receipts=21, first_receipt=now, last_receipt=now, sales=22, acts=7
    )
    screen = await at_backups(hands)
    await until(lambda: says(screen, "само на другом месту"))
    assert says(screen, "и на другом месту")
    await until(lambda: says(screen, "пре 3 сата"))
    hands.tap_words(f"Враћање, {in_belgrade(older.made_at):%d.%m.%Y. %H:%M}")
    await until(lambda: says(screen, "21 издат рачун"))
    assert backups.looked == [older]
    assert says(screen, f"Први од тих рачуна је од {in_belgrade(now):%d.%m.%Y. %H:%M}")
    assert says(screen, "садашње стање се чува са стране")
    assert not says(screen, "ПАК-ом")
    hands.tap_words("Остави како јесте")
    await until(lambda: not says(screen, "21 издат рачун"))
    assert hands.shop.puts_back.asked == []
    assert not says(screen, "Подешавања остају")
    counts, backups.lacks = lacking_of_each()
    hands.tap_words(f"Враћање, {in_belgrade(older.made_at):%d.%m.%Y. %H:%M}")
    await until(lambda: notices_in(screen.page))
    assert [name for n, name in enumerate(counts) if not says(screen, f"{901 + n} ")] == []
    hands.press("Esc")
    await until(lambda: not notices_in(screen.page))
    backups.lacks, backups.seals_secrets, backups.keeps_settings = backup.Lacking(), True, True
    hands.tap_words(f"Враћање, {in_belgrade(one.made_at):%d.%m.%Y. %H:%M}")
    await until(lambda: says(screen, "ништа не би недостајало"))
    assert says(screen, "ПАК-ом")
    assert says(screen, f"Прочитајте јој ово име: {one.name}.")


async def with_a_set(hands: Hands) -> SettingsScreen:
    hands.shop.backups.told = BackupsHere((a_set(hands, 3),), folder="/shop/backups")
    screen = await at_backups(hands)
    await until(lambda: says(screen, "пре 3 сата"))
    return screen


async def ask_back(hands: Hands, screen: SettingsScreen, lacks: backup.Lacking) -> None:
    """Ask for a set, and wait for what it lacks."""
    hands.shop.backups.lacks = lacks
    hands.tap_words("Враћање")
    await until(lambda: screen.model.backup.outlook is not None)
    await until(lambda: notices_in(screen.page))


async def test_it_is_put_back_by_a_press_of_its_own(hands: Hands) -> None:
    """The second tap of a double tap has no effect, nor has Enter where the question opens."""
    lacks = backup.Lacking(receipts=2, sales=2)
    screen = await with_a_set(hands)
    await ask_back(hands, screen, lacks)
    await until(screen.page.findChildren(BigButton)[0].isVisible)
    keys = [hands.button("Остави како јесте"), screen.page.findChildren(BigButton)[0]]
    safe, act = (QRect(one.mapToGlobal(QPoint()), one.size()) for one in keys)
    gap = act.top() - safe.bottom() if act.top() > safe.bottom() else act.left() - safe.right()
    assert gap > screen.theme.metrics.s6, "what destroys stands apart"
    assert "Враћање копије" in lines_of(screen.head)
    hands.press("Enter")
    await until(lambda: not screen.page.findChildren(BigButton))
    hands.tap_words("Враћање")
    await until(lambda: screen.page.findChildren(BigButton))
    yes = only(screen.page, BigButton)
    yes.debounce()
    tap(hands.window, yes.mapTo(hands.window, yes.rect().center()), at=moment())
    assert hands.shop.puts_back.asked == []
    await until(lambda: not only(screen.page, BigButton).rests)
    hands.tap(only(screen.page, BigButton))
    one = screen.model.backup.sets[0][0]
    asked = AskedBack(one.folder, one.made_at, lacks, hands.window.services.cashier, "")
    (told,) = hands.shop.puts_back.asked
    assert replace(told, lifted_by="") == asked
    assert told.lifted_by


async def test_while_a_sale_is_entered_or_other_work_runs_it_is_not_put_back(hands: Hands) -> None:
    others = [BREAD]
    inside(hands.window).open("settings")
    inside(hands.window).settings.model.backup.is_busy = lambda: bool(others)
    screen = await with_a_set(hands)
    await ask_back(hands, screen, backup.Lacking(sales=2))
    assert not screen.page.findChildren(BigButton)
    others.clear()
    screen.tick()
    assert only(screen.page, BigButton).isEnabled()
    hands.tap_words("Остави како јесте")
    inside(hands.window).go_home()
    hands.tap_article(BREAD)
    screen = await with_a_set(hands)
    await ask_back(hands, screen, backup.Lacking())
    assert says(screen, "продаја је у току")
    assert not screen.page.findChildren(BigButton)


async def test_a_till_that_can_t_put_it_back_says_that_support_does(
    shop: Shop, sell_in: SellIn
) -> None:
    shop.services = replace(shop.services, puts_back=None)
    hands = sell_in(shop)
    screen = await with_a_set(hands)
    await ask_back(hands, screen, backup.Lacking(sales=3))
    assert says(screen, "Враћа је подршка")
    assert says(screen, "set-3")
    assert not screen.page.findChildren(BigButton)


async def test_the_reading_can_be_stopped_and_a_damaged_set_is_told(hands: Hands) -> None:
    """Why the last one was not put back is told too."""
    backups = hands.shop.backups
    hands.shop.puts_back.fault = FULL
    backups.lacks = None
    screen = await with_a_set(hands)
    await until(lambda: says(screen, "Није враћена"))
    hands.tap_words("Враћање")
    backups.looks[-1].progress = FileProgress(212, 812)
    await until(lambda: says(screen, "212 од 812"))
    hands.tap_words("Прекини")
    await until(lambda: not is_under_way(screen))
    assert backups.looks[-1].is_stopped
    assert screen.model.backup.asked is None
    hands.tap_words("Враћање")
    backups.looks[-1].came = errors.DatabaseDamaged("backup", what="x", path="/shop/backups/set-3")
    await until(lambda: says(screen, "Ова копија је оштећена"))
    assert screen.model.backup.outlook is None


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
