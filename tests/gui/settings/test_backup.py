"""The page of backups: one is made and can be stopped, a second folder, the data that one lacks."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from pos_app import errors
from pos_app.cashier.attention.case_list import CaseRow
from pos_app.cashier.settings.backup_page import BackupForm
from pos_app.cashier.settings.model import PageName
from pos_app.cashier.settings.view import SettingsScreen
from pos_app.cashier.ui.buttons import BigButton, Button
from pos_app.domain.money.money import Money
from pos_app.domain.setup import backup
from pos_app.domain.text.instant import in_belgrade
from pos_app.selling.backups import DAILY, FOLDER, AskedBack, BackupSetup, BackupsHere
from pos_app.selling.file_work import FileDone, FileProgress
from tests.fakes.people_here import let_in
from tests.gui.inside import inside
from tests.gui.parts import (
    in_front,
    lines_of,
    notices_in,
    only,
    page_in_front,
    page_shown,
    visible_parts,
)
from tests.gui.patience import until
from tests.gui.settings.screens import PIN
from tests.gui.taps import moment, tap
from tests.gui.window.hands import Hands, SellIn
from tests.gui.window.shop import BREAD, Shop
from tests.sweep import sampled


async def at_page(hands: Hands) -> SettingsScreen:
    inside(hands.window).open("settings")
    screen = inside(hands.window).settings
    let_in(screen.model, PIN)
    screen.model.choose(PageName.BACKUP)
    await page_shown(hands.window.frame, "set.page.backup")
    screen.tick()
    await until(lambda: screen.model.backup.here is not None)
    return screen


def form_of(hands: Hands) -> BackupForm:
    form: BackupForm = page_in_front(hands.window.frame, "set.page.backup").form
    return form


def is_under_way(screen: SettingsScreen) -> bool:
    """Whether the page has the button that stops the work."""
    return "Прекини" in [one.accessibleName() for one in visible_parts(screen.page, Button)]


def a_set(hands: Hands, hours: float, **more: object) -> backup.BackupSet:
    made_at = hands.shop.clock.now() - timedelta(hours=hours)
    holds = backup.SetHolds(1_204, made_at, 1_211, 1_211, 0, 450)
    told = backup.BackupSet(
        f"set-{hours}",
        "/shop/backups",
        made_at,
        backup.BackupWhy.DAILY,
        "3.2.0",
        812_000_000,
        holds,
    )
    return replace(told, **more)  # type: ignore[arg-type]


def told_of(one: backup.BackupSet) -> str:
    return in_belgrade(one.made_at).strftime("%d.%m.%Y. %H:%M")


def says(screen: SettingsScreen, words: str) -> bool:
    return any(words in line for line in lines_of(screen.page))


async def test_a_backup_is_made_by_a_press_and_its_list_is_new(hands: Hands) -> None:
    screen, backups = await at_page(hands), hands.shop.backups
    await until(lambda: says(screen, "Још је нема"))
    hands.tap_words("Сачувај копију сада")
    (work,) = backups.begun
    form = form_of(hands)
    await until(lambda: not form.now.isEnabled())
    work.progress = FileProgress(31, 162)
    await until(lambda: says(screen, "31 од 162"))
    backups.told = BackupsHere((a_set(hands, 0),), free=34_000_000_000, folder="/shop/backups")
    work.came = FileDone(1)
    await until(lambda: says(screen, "Копија је сачувана"))
    screen.tick()
    await until(lambda: says(screen, "управо сада"))
    await until(lambda: says(screen, "1.204 рачуна"))
    await until(lambda: says(screen, "34,0 GB"))
    assert form.now.isEnabled()


async def test_one_that_is_stopped_is_told_as_nothing(hands: Hands) -> None:
    screen, backups = await at_page(hands), hands.shop.backups
    hands.tap_words("Сачувај копију сада")
    await until(lambda: is_under_way(screen))
    hands.tap_words("Прекини")
    assert backups.begun[0].is_stopped
    await until(lambda: screen.model.backup.work is None)
    await until(lambda: not is_under_way(screen))
    assert not says(screen, "Копија је сачувана")


async def test_why_none_was_made_is_told(hands: Hands) -> None:
    screen, backups = await at_page(hands), hands.shop.backups
    hands.tap_words("Сачувај копију сада")
    backups.begun[0].came = errors.AlreadyRunning("backup", what="x")
    await until(lambda: says(screen, "Копија се управо прави"))
    error = errors.DiskFull("backup_room", what="x", free=212, wanted=1068)
    backups.told = BackupsHere(last=backup.LastTry(hands.shop.clock.now(), error))
    hands.tap_words("Сачувај копију сада")
    backups.begun[1].came = error
    await until(lambda: screen.model.backup.work is None)
    screen.tick()
    await until(lambda: says(screen, "слободно је 212 MB"))


@pytest.mark.parametrize(
    ("error", "second", "words"),
    sampled(
        [
            (
                errors.DiskFull("backup_room", what="x", free=212, wanted=1068),
                "",
                "слободно је 212 MB",
            ),
            (None, "it is away", "није сачувана на другом месту"),
        ]
    ),
)
async def test_one_that_failed_is_told_in_attention_until_the_next_is_made(
    hands: Hands, error: errors.DiskFull | None, second: str, words: str
) -> None:
    now, backups = hands.shop.clock.now(), hands.shop.backups
    backups.told = BackupsHere(last=backup.LastTry(now, error, second))
    inside(hands.window).open("attention")
    screen = in_front(hands.window.frame, "att.title")
    (row,) = visible_parts(screen, CaseRow)
    assert row.accessibleName().startswith("Последња копија није успела")
    hands.tap(row)
    await until(lambda: words in " ".join(lines_of(screen)))
    backups.told = BackupsHere(last=backup.LastTry(now))
    screen.model.load()
    await until(lambda: not visible_parts(screen, CaseRow))


async def test_it_goes_on_while_another_page_and_theme_is_looked_at(hands: Hands) -> None:
    screen, backups = await at_page(hands), hands.shop.backups
    hands.tap_words("Сачувај копију сада")
    screen.model.choose(PageName.PIN)
    hands.window.change(theme="dark")
    await until(lambda: inside(hands.window).settings is not screen)
    screen = inside(hands.window).settings
    screen.model.choose(PageName.BACKUP)
    await page_shown(hands.window.frame, "set.page.backup")
    await until(lambda: is_under_way(screen))
    backups.begun[0].came = FileDone(1)
    await until(lambda: says(screen, "Копија је сачувана"))


async def test_a_second_place_is_typed_cleared_and_saved(hands: Hands, tmp_path: Path) -> None:
    screen, kept_in = await at_page(hands), hands.shop.backup_settings
    page, model = page_in_front(hands.window.frame, "set.page.backup"), screen.model.backup
    form = form_of(hands)
    form.folder.edit.setFocus()
    hands.type("nowhere")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: says(screen, "Тог места нема"))
    assert kept_in.setup == BackupSetup()
    await until(form.clear.isEnabled)
    hands.tap(form.clear)
    assert model.draft.folder == ""
    await until(lambda: not form.folder.text())
    drive = tmp_path / "disk"
    drive.mkdir()
    form.folder.edit.setFocus()
    hands.type(str(drive))
    form.daily.chosen.emit(1)
    kept_in.refuses = errors.DataFolderNotWritable(what="no", path="/x")
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: model.failure is not None)
    assert kept_in.setup == BackupSetup()
    kept_in.refuses = None
    await until(page.acts.save.isEnabled)
    hands.tap(page.acts.save)
    await until(lambda: model.saved_at is not None)
    assert kept_in.setup == BackupSetup(str(drive), daily=False)


@pytest.mark.long
async def test_what_the_environment_gives_is_not_changed_here(hands: Hands) -> None:
    hands.shop.backup_settings.setup = BackupSetup("/media/x", given_elsewhere=(FOLDER, DAILY))
    screen = await at_page(hands)
    form = form_of(hands)
    await until(lambda: not form.folder.isEnabled())
    assert not form.choose.isEnabled()
    assert not form.clear.isEnabled()
    assert not form.daily.isEnabled()
    await until(lambda: says(screen, "backup.folder"))


@pytest.mark.parametrize("is_twice", sampled([False, True]))
async def test_what_a_set_would_lack_is_told_before_it_is_put_back(
    hands: Hands, is_twice: bool
) -> None:
    backups, now = hands.shop.backups, hands.shop.clock.now()
    one, older = a_set(hands, 3), a_set(hands, 75, is_second=True)
    twice = (replace(one, is_second=True, folder="/media/x"),) if is_twice else ()
    backups.told = BackupsHere((one, *twice, older), folder="/shop/backups")
    backups.lacks = backup.Lacking(
        receipts=21, first_receipt=now, last_receipt=now, sales=22, acts=7
    )
    screen = await at_page(hands)
    await until(lambda: says(screen, "само на другом месту"))
    assert says(screen, "и на другом месту") is is_twice
    await until(lambda: says(screen, "пре 3 сата"))
    hands.tap(hands.button(f"Враћање, {told_of(older)}"))
    await until(lambda: says(screen, "21 издат рачун"))
    assert backups.looked == [older]
    assert says(screen, f"Први од тих рачуна је од {in_belgrade(now):%d.%m.%Y. %H:%M}")
    assert says(screen, "садашње стање се чува са стране")
    assert not says(screen, "ПАК-ом")
    hands.tap_words("Остави како јесте")
    await until(lambda: not says(screen, "21 издат рачун"))
    assert hands.shop.puts_back.asked == []
    backups.lacks, backups.seals_secrets = backup.Lacking(), True
    hands.tap(hands.button(f"Враћање, {told_of(one)}"))
    await until(lambda: says(screen, "ништа не би недостајало"))
    assert says(screen, "ПАК-ом")


async def asked_back(hands: Hands, lacks: backup.Lacking) -> SettingsScreen:
    hands.shop.backups.told = BackupsHere((a_set(hands, 3),), folder="/shop/backups")
    hands.shop.backups.lacks = lacks
    screen = await at_page(hands)
    await until(lambda: says(screen, "пре 3 сата"))
    hands.tap_words("Враћање")
    await until(lambda: screen.model.backup.outlook is not None)
    await until(lambda: notices_in(screen.page))
    return screen


async def test_it_is_put_back_by_a_press_of_its_own(hands: Hands) -> None:
    """The second tap of a double tap has no effect, nor has Enter where the question opens."""
    lacks = backup.Lacking(receipts=2, sales=2)
    screen = await asked_back(hands, lacks)
    hands.press("Enter")
    await until(lambda: not screen.page.findChildren(BigButton))
    hands.tap_words("Враћање")
    await until(lambda: screen.page.findChildren(BigButton))
    yes = only(screen.page, BigButton)
    yes.debounce()
    tap(hands.window, yes.mapTo(hands.window, yes.rect().center()), at=moment())
    assert hands.shop.puts_back.asked == []
    await until(lambda: not yes.rests)
    hands.tap(yes)
    one = screen.model.backup.sets[0][0]
    asked = AskedBack(one.folder, one.made_at, lacks, hands.window.services.cashier, "")
    (told,) = hands.shop.puts_back.asked
    assert replace(told, lifted_by="") == asked
    assert told.lifted_by


@pytest.mark.parametrize(
    ("lacks", "words"),
    sampled(
        [
            (backup.Lacking(sales=2, waiting=1, unsent=Money("1250.50")), "Вреде укупно 1.250,50"),
            (backup.Lacking(doubts=1), "рачун који је можда издат"),
            (backup.Lacking(unread=("till/till.db",)), "не може да се прочита"),
        ]
    ),
)
async def test_what_is_paid_and_may_have_no_receipt_is_never_put_away(
    hands: Hands, lacks: backup.Lacking, words: str
) -> None:
    screen = await asked_back(hands, lacks)
    assert says(screen, words)
    assert says(screen, "нешто је плаћено, а можда нема рачун")
    assert not screen.page.findChildren(BigButton)


async def test_while_a_sale_is_entered_it_is_not_put_back(hands: Hands) -> None:
    hands.tap_article(BREAD)
    screen = await asked_back(hands, backup.Lacking())
    assert says(screen, "продаја је у току")
    assert not screen.page.findChildren(BigButton)


async def test_once_other_work_is_over_it_can_be_put_back(hands: Hands) -> None:
    others = [BREAD]
    inside(hands.window).open("settings")
    inside(hands.window).settings.model.backup.is_busy = lambda: bool(others)
    screen = await asked_back(hands, backup.Lacking(sales=2))
    assert not screen.page.findChildren(BigButton)
    others.clear()
    screen.tick()
    assert only(screen.page, BigButton).isEnabled()


async def test_a_till_that_can_t_put_it_back_says_that_support_does(
    shop: Shop, sell_in: SellIn
) -> None:
    shop.services = replace(shop.services, puts_back=None)
    hands = sell_in(shop)
    screen = await asked_back(hands, backup.Lacking(sales=3))
    assert says(screen, "Враћа је подршка")
    assert says(screen, "set-3")
    assert not screen.page.findChildren(BigButton)


async def test_the_reading_can_be_stopped_and_a_damaged_set_is_told(hands: Hands) -> None:
    backups = hands.shop.backups
    backups.told = BackupsHere((a_set(hands, 3),), folder="/shop/backups")
    backups.lacks = None
    screen = await at_page(hands)
    await until(lambda: says(screen, "пре 3 сата"))
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
    assert not notices_in(screen.page)


async def test_why_the_last_one_was_not_put_back_is_told(hands: Hands) -> None:
    hands.shop.puts_back.fault = errors.DiskFull("backup_room", what="x", free=212, wanted=1068)
    screen = await at_page(hands)
    await until(lambda: says(screen, "Није враћена"))
