"""Files of the till that can't be read or written: the till says so."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.machine import MachineHere
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.cashier.attention.case_list import CaseRow
from pos_app.cashier.services.storage_faults import RETRY
from pos_app.cashier.services.tasks import CoreEvents
from pos_app.cashier.start.app import excepthook_of
from pos_app.cashier.ui.bars import StatusItem
from pos_app.cashier.ui.details import Details
from pos_app.cashier.window.frame import SETTLE_MS
from pos_app.cashier.window.till_window import TICK_MS
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.text.instant import day_of
from pos_app.errors import DatabaseDamaged, DiskFull, FilesReplaced
from pos_app.selling.reports.receivables import Collecting
from pos_app.selling.sale.ticket import NOTHING_ADDED
from tests.fakes.faulty_disk import flip, settle
from tests.fakes.faulty_file import refused, tear
from tests.fakes.inner_connection import connection_of
from tests.fakes.small_disk import small_disk
from tests.gui.attention.cases import RETURNED
from tests.gui.inside import Inside, inside
from tests.gui.parts import in_front, lines_of, only, pass_time, visible_parts
from tests.gui.patience import until
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop
from tests.integration.test_check import page_of
from tests.sweep import each

FULL = apsw.FullError("database or disk is full")
BREAD_EAN, MILK_EAN = "8609910700134", "8609951100139"
HELD = apsw.BusyError("database is locked")
UNREAD = apsw.IOError("disk I/O error")
OPENING = ("F1", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F12")
"""Keys that open something."""


def line(hands: Hands) -> tuple[StatusItem, ...]:
    return hands.window.status.shown_items()


def shown_in_picker(hands: Hands) -> str:
    return " ".join(lines_of(hands.area.sale.picker))


def whats(hands: Hands) -> list[str]:
    return [case.kind for case in inside(hands.window).cases()]


async def a_while(hands: Hands) -> None:
    """Let ten seconds pass in which nobody does anything."""
    for _ in range(2):
        hands.shop.clock.go_on(RETRY)
        pass_time(hands.window, TICK_MS)
        await seen()


async def test_a_full_disk_is_red_on_the_bottom_line_until_something_is_stored(
    hands: Hands,
) -> None:
    hands.scan(BREAD)
    with refused(connection_of(hands.shop.database.sales), FULL):
        hands.scan(MILK)
        await seen()
        assert hands.notice().startswith("Нема места на диску Артикал није додат у корпу.")
        assert (line(hands)[0].subject, line(hands)[0].state) == ("Подаци касе", "диск је пун")
        assert line(hands)[0].kind == "failed"
        assert hands.bottom_line().endswith("Ништа не може да се дода ни потврди; додирните овде")
    assert len(hands.rows()) == 1
    hands.scan(MILK)
    await seen()
    assert len(hands.rows()) == 2
    assert line(hands)[0].subject == "Сервер"
    assert hands.notice() == "", "the article is in the cart by now"


def begin_exchange(hands: Hands) -> None:
    """Let the refund's screen open the exchange; it tells why that is refused."""
    with suppress(DiskFull):
        hands.window.frame.home.begin_exchange(RETURNED, NOTHING_ADDED)


BRINGS_ANOTHER: dict[str, tuple[Callable[[Hands], object], str, int]] = {
    "hold": (lambda hands: hands.press("F6"), "INSERT INTO carts", 0),
    "drop": (lambda hands: hands.press("F9", "#5", "#1", "Enter"), "INSERT INTO carts", 0),
    "recall": (lambda hands: hands.press("F6", "Enter"), "SET state = 'open'", 1),
    "exchange": (begin_exchange, "UPDATE carts SET kind", 0),
}
"""Acts that bring another cart, a statement of their second write, and the rows afterwards."""


@pytest.mark.parametrize("act", BRINGS_ANOTHER)
async def test_a_disk_that_fills_between_two_carts_leaves_the_one_before(
    hands: Hands, act: str
) -> None:
    """The cart that the window shows is the open one, so that the next scan enters it."""
    do, statement, rows = BRINGS_ANOTHER[act]
    hands.scan(BREAD_EAN)
    if act == "recall":
        hands.press("F6")
    before = len(hands.rows())
    with refused(connection_of(hands.shop.database.sales), FULL, only=statement):
        do(hands)
        await seen()
    hands.press("Esc", "Esc")
    hands.scan(MILK_EAN)
    assert len(hands.rows()) == before + 1
    if act == "recall":
        hands.press("F6")  # what was scanned since gives the held one its place
    do(hands)
    assert len(hands.rows()) == rows


async def test_a_read_that_fails_behind_a_hold_does_not_undo_it(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    with refused(connection_of(hands.shop.database.sales), UNREAD, only="WHERE state = 'held'"):
        hands.press("F6")
        await seen()
        assert hands.rows() == []
    hands.scan(MILK_EAN)
    assert len(hands.rows()) == 1


@each("is_paying", [False, True])
def test_a_cart_that_is_open_no_more_gives_way_to_the_one_that_is(
    hands: Hands, *, is_paying: bool
) -> None:
    """Else each later act would be refused until the till starts anew."""
    hands.scan(BREAD_EAN)
    hands.press(*["F12", "#7"] if is_paying else [])
    hands.shop.database.carts.suspend(hands.ticket, at=hands.shop.clock.now())
    hands.press(*["Esc"] if is_paying else ["Del"])
    assert "Корпа је у међувремену измењена" in " ".join(lines_of(hands.window))
    assert (hands.rows(), hands.area.is_paying) == ([], False)
    hands.scan(MILK_EAN)
    assert len(hands.rows()) == 1
    hands.press("Del")


async def test_what_is_over_is_no_longer_told_though_nobody_asks(hands: Hands) -> None:
    for fault in (HELD, UNREAD):
        with refused(connection_of(hands.shop.database.sales), fault):
            hands.window.frame.count()
            await seen()
            assert line(hands)[0].subject == "Подаци касе"
        await a_while(hands)
        assert line(hands)[0].subject == "Сервер"
        assert not hands.top.bell.isVisible()


@each(("key", "fault"), zip(OPENING, cycle([HELD, UNREAD]), strict=False))
async def test_no_key_calls_a_file_that_can_t_be_read_a_bug_or_half_opens(
    hands: Hands,
    key: str,
    fault: apsw.Error,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    hands.scan(BREAD)
    await until(lambda: len(hands.rows()) == 1)
    monkeypatch.setattr(sys, "excepthook", excepthook_of(hands.window))
    with refused(connection_of(hands.shop.database.sales), fault):
        hands.press(key)
        await seen()
        assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []
        is_open = hands.area.panel is not None
        assert is_open == (hands.model.questions.question is not None)
        for _ in range(3):
            hands.press("Esc")
            await seen()
    hands.scan(MILK)
    await until(lambda: len(hands.rows()) == 2)
    hands.window.frame.go_home()
    while hands.model.context.notices:
        hands.model.context.dismiss()
    hands.model.cart.void("test")
    hands.press("Esc")


async def test_the_outbox_s_fault_is_told_and_ends_with_it(hands: Hands) -> None:
    """Attention says what to do about it."""
    only(hands.window, CoreEvents).storage_failed.emit(DiskFull(what="The disk is full."))
    await seen()
    assert line(hands)[0].state == "диск је пун"
    assert hands.top.bell.isVisible()
    hands.scan(BREAD)  # success here does not show what the outbox could not store
    await seen()
    assert line(hands)[0].state == "диск је пун"
    hands.tap(hands.window.status)
    assert whats(hands) == ["storage_fails"]
    assert inside(hands.window).attention.case_view is not None
    assert inside(hands.window).attention.model.current_id == "storage storage_fails"
    only(hands.window, CoreEvents).storage_failed.emit(None)
    await seen()
    assert whats(hands) == []
    assert line(hands)[0].subject == "Сервер"
    assert not hands.top.bell.isVisible()


def put_back(path: Path) -> None:
    """Put a backup in place of the file, as a person does while the till is open."""
    copy = path.with_name("backup")
    shutil.copyfile(path, copy)
    copy.replace(path)


def pays(hands: Hands) -> None:
    """Pay a bread by exact cash."""
    hands.scan(BREAD)
    hands.press("F12", "Enter", "Enter")


@pytest.mark.logs_error(r"till\.db was replaced while it was open; what was open is kept in")
async def test_nothing_is_confirmed_into_a_file_that_nobody_will_find(hands: Hands) -> None:
    """The sales confirmed before, which would be lost with the till, are copied beside it."""
    path = hands.shop.services.settings.data / "till" / "till.db"
    pays(hands)
    await seen()
    (confirmed,) = hands.shop.database.sales.last(10)
    put_back(path)
    pays(hands)
    await seen()
    assert len(hands.rows()) == 1
    assert [one.key for one in hands.shop.database.sales.last(10)] == [confirmed.key]
    assert (line(hands)[0].subject, line(hands)[0].state) == ("Подаци касе", "замењени су")
    assert whats(hands)[0] == "storage_fails"
    (copy,) = path.parent.glob("till-kept-*.db")
    with closing(open_reader(copy)) as kept:
        assert kept.execute("SELECT key FROM sales").fetchall() == [(confirmed.key,)]
    with pytest.raises(FilesReplaced):
        await hands.shop.outbox.step()
    hands.tap(hands.window.status)
    case_view = inside(hands.window).attention.case_view
    assert case_view is not None
    assert "прочитајте шта пише под „Детаљи“" in " ".join(lines_of(case_view))
    assert str(path.parent) not in " ".join(lines_of(case_view))
    hands.tap(only(case_view, Details).button)
    assert all(str(one) in " ".join(lines_of(case_view)) for one in (path, copy))


async def test_a_lock_that_lets_a_second_till_in_ends_selling(hands: Hands) -> None:
    folder = hands.shop.services.settings.data / "till"
    (folder / "till.lock").unlink()
    with closing(open_till(folder, till_id="till-1")) as second:
        pays(hands)
        await seen()
        assert second.sales.last(10) == []
    assert line(hands)[0].state == "замењени су"
    assert not list(folder.glob("till-kept-*"))


@pytest.fixture
def damaged(shop_data: Path) -> Iterator[Shop]:
    """A shop whose till's file has a damaged page, on which only a payment of a receipt lies."""
    before, paid = Shop(shop_data), Collecting("A-1", "", Money(5))
    now = before.clock.now()
    before.database.collected.collect([paid], key="k", day=day_of(now), note="n", by="Б", at=now)
    before.close()
    path = shop_data / "till" / "till.db"
    settle(path)
    flip(path, page_of(path, "collected"), 4000)
    made = Shop(shop_data, first_key=100)
    yield made
    made.close()


@pytest.mark.logs_error(r"till\.db is damaged .* run \"pos-app check\"")
async def test_a_damaged_page_of_the_till_is_told_though_sales_go_on(
    damaged: Shop, sell_in: SellIn
) -> None:
    hands = sell_in(damaged)
    assert whats(hands) == ["till_damaged"]
    assert hands.top.bell.isVisible()
    inside(hands.window).open("attention")
    await seen()
    told = " ".join(lines_of(hands.window.frame.top))
    assert "Датотека ове касе је оштећена" in told
    assert "Ништа не бришите" in told
    with pytest.raises(DatabaseDamaged) as fault:
        damaged.database.collected.of_press("k")
    words = hands.window.frame.ui.texts.error(fault.value)
    assert "сачувано" not in words.safe
    hands.window.frame.go_home()
    pays(hands)
    assert len(damaged.database.sales.last(10)) == 1


UNREAD_PAGE = r"the catalogue can't be read \(page\): .* the checksum of a page"


@pytest.mark.logs_error(UNREAD_PAGE)
async def test_with_a_torn_catalogue_the_cart_is_paid(hands: Hands) -> None:
    hands.scan(BREAD)
    tear(catalogue_file(hands.shop.services.settings.data))
    for _ in range(2):
        hands.scan(MILK)
        await seen()
        assert line(hands)[0].subject == "Сервер", "it is the catalogue's fault"
    assert hands.notice().startswith("Подаци сада не могу да се прочитају ни упишу")
    catalogue = line(hands)[-1]
    assert (catalogue.subject, catalogue.state) == ("Каталог", "читање не успева")
    assert hands.bottom_line().endswith(
        "Артикли сада не могу да се прочитају; корпа може да се наплати"
    )
    hands.type("sir")
    assert shown_in_picker(hands).startswith("Артикли сада не могу да се прочитају")
    hands.press("Esc", "F12", "Enter", "Enter")
    assert hands.rows() == []
    pass_time(hands.window, SETTLE_MS)
    pass_time(hands.window, TICK_MS)
    await seen()
    assert whats(hands) == ["catalogue_fails", "waits_for_server"]
    assert not hands.shop.tones.played.count("attention")


def tap_first(of: Inside) -> None:
    row = of.work_area.sale.picker.rows.window.row(0)
    assert row is not None
    of.model.entry.tap(row)


READS: dict[str, Callable[[Hands], object]] = {
    "tap": lambda hands: tap_first(inside(hands.window)),
    "search": lambda hands: hands.type("sir"),
    "reload": lambda hands: hands.area.sale.picker.rows.reload(),
    "tick": lambda hands: pass_time(hands.window, TICK_MS),
    "unknown code": lambda hands: hands.window.on_scan("8600999000014"),
}


@pytest.mark.logs_error(
    r"the catalogue can't be read \(\w+\): (Another program holds the database|The disk failed)"
)
@each(("act", "fault"), zip(READS, cycle([HELD, UNREAD]), strict=False))
async def test_a_catalogue_that_can_t_be_read_now_is_said_and_read_again(
    hands: Hands, act: str, fault: apsw.Error
) -> None:
    with refused(connection_of(hands.shop.catalogue), fault):
        READS[act](hands)
        hands.window.frame.count()
        await seen()
        state = "заузима други програм" if fault is HELD else "диск не ради исправно"
        assert (line(hands)[-1].subject, line(hands)[-1].state) == ("Каталог", state)
    await a_while(hands)
    assert line(hands)[-1].subject == "Усклађено"
    hands.area.sale.search.clear()
    hands.area.sale.picker.rows.reload()
    assert hands.area.sale.picker.rows.rowCount() > 0


@pytest.mark.logs_error(r"the catalogue can't be read \(store\): .* the checksum of a page")
def test_a_till_opens_over_a_torn_catalogue(shop: Shop, sell_in: Callable[[Shop], Hands]) -> None:
    tear(catalogue_file(shop.services.settings.data))
    with pytest.raises(DatabaseDamaged):
        shop.catalogue.store()
    hands = sell_in(shop)
    assert line(hands)[-1].state == "читање не успева"


@pytest.fixture
def disk(shop: Shop, tmp_path: Path) -> Iterator[Path]:
    """A disk of 700 MB, which the shop's program measures as its own."""
    with small_disk(tmp_path / "disk", megabytes=700) as place:
        shop.services = replace(shop.services, machine=MachineHere(place))
        yield place


async def test_a_disk_that_fills_is_a_quiet_row_until_there_is_room(
    disk: Path, hands: Hands
) -> None:
    hands.window.frame.open("attention")
    screen = in_front(hands.window.frame, "att.title")
    await until(lambda: bool(visible_parts(screen, CaseRow)))
    (row,) = visible_parts(screen, CaseRow)
    assert row.accessibleName().startswith("Диск се пуни")
    hands.tap(row)
    await until(lambda: "слободно је још само 734 MB" in " ".join(lines_of(screen)))
    told = " ".join(lines_of(screen))
    assert "списак рачуна више не расте" in told
    assert "не потписују" in told
    assert hands.window.frame.home_room is not None
    hands.press("Esc")
    larger = ("mount", "-o", "remount,size=1400m", str(disk))
    subprocess.run(larger, check=True)  # noqa: ASYNC221 - at once, of a file system in memory
    hands.window.frame.open("attention")
    await until(lambda: not visible_parts(screen, CaseRow))


def create(hands: Hands) -> bool:
    """Let a manager add an article on the spot."""
    return hands.model.entry.create_article(
        code="", name="Нов", price=Money(10), label=TaxLabel.E, unit_id=None
    )


async def test_a_catalogue_that_takes_no_new_article_is_not_the_till_s_fault(hands: Hands) -> None:
    with refused(connection_of(hands.shop.desk), HELD):
        assert not create(hands)
        await seen()
    assert hands.notice().startswith("Податке сада користи други програм")
    assert [item.subject for item in line(hands)][::3] == ["Сервер", "Каталог"]
    await a_while(hands)
    assert line(hands)[-1].subject == "Усклађено"
    assert create(hands)
