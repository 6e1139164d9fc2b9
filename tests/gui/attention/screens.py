from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from pos_app.cashier.attention.view import AttentionScreen, AttentionSides
from pos_app.cashier.window.frame import Change, ShopChange
from pos_app.cashier.window.screens import ATTENTION
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.server_status import Alarm, JournalMark, PublicModeState
from pos_app.domain.receipt.states import JobState
from pos_app.domain.setup.release import Version
from pos_app.domain.text.instant import beginning_of, day_of
from pos_app.errors import Refused
from pos_app.selling.attention.pair_decisions import PairDecision
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.sale.sale import RestoredCopy
from pos_app.selling.server.drawer_openings import DrawerShut
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.fakes.fiscal_server import Fault
from tests.gui import pictures
from tests.gui.attention import cases
from tests.gui.attention.counter import TABLE
from tests.gui.crawl.posing import Act, awaited, keys_listed, opened_in
from tests.gui.crawl.posing import framed as in_frame
from tests.gui.parts import only, page_in_front
from tests.gui.payment.shop import Shop
from tests.gui.window.joining import ask_to_join

Scene = Callable[[Shop, Any], Awaitable[None]]


def of(state: Callable[..., Awaitable[object]], *what: object, case: str = "") -> Scene:
    """A state of the shop. what: more that the state is told. case: the one that is open."""

    async def shown(shop: Shop, screen: Any) -> None:
        await state(shop, *what)
        if case:
            screen.model.load()
            screen.model.choose(case)

    return shown


async def nothing_waits(shop: Shop) -> None:
    """Leave the shop without a case."""


def alarm(*alarms: Callable[[Shop], Alarm]) -> Scene:
    return of(lambda shop: cases.alarmed(shop, *(one(shop) for one in alarms)))


def refreshed(_: Shop, screen: Any) -> None:
    screen.refresh()


async def shown(shop: Shop, screen: Any) -> None:
    """What the screen asks the server for when it is refreshed has come."""
    screen.refresh()
    await asyncio.sleep(0.05)


def row(name: str = "") -> Act:
    """Press the row of a case, or the first row."""

    def act(_: Shop, screen: Any) -> None:
        rows = page_in_front(screen.frame, "att.list").rows
        rows[name or screen.model.cases[0].id].click()

    return act


def step(name: str) -> Act:
    """Press a step of the case that is open."""

    async def act(_: Shop, screen: Any) -> None:
        screen.case_view.steps.buttons[name].click()
        await asyncio.sleep(0.05)

    return act


async def credit_owed(shop: Shop, screen: Any) -> None:
    """The refund of an exchange is issued, and its sale was ended without a receipt or a cart."""
    half = await cases.exchange_half_done(shop, Fault.FIX)
    shop.outbox.cancel(half.new.key, reason="gone")
    await cases.settle(shop)


def unreadable_chosen(shop: Shop, screen: Any) -> None:
    screen.model.choose(next(one.key for one in shop.store.sales.done_to_be_seen()))


async def waits(shop: Shop, screen: Any) -> None:
    shop.server.running = False
    cases.sold(shop, "1236.00")
    await cases.settle(shop)


async def unread_pair(shop: Shop, screen: Any) -> None:
    shop.server.open = (cases.half_done_unread(shop), cases.half_done(shop, Operation.REFUND))
    await cases.settle(shop)


async def undone_pair(shop: Shop, screen: Any) -> None:
    told = ("Власник", True, Money("842.50"), Operation.REFUND, "ABCD1234-ABCD1234-8660")
    decision = PairDecision("949d27ba-refund", shop.clock.now(), *told)
    shop.store.decisions.keep_decision(decision)
    screen.refresh()
    only(screen, AttentionSides).show_solved.click()


async def stranger(shop: Shop, screen: Any) -> None:
    shop.server.stranger = "other_install"
    await cases.settle(shop)


async def restored_till(shop: Shop, screen: Any) -> None:
    copy = RestoredCopy(
        JournalMark("j", 9, "cd"), "E", last_sequence=7, last_key="cc" * 16, is_journal=False
    )
    shop.store.sales.act_on_restore(copy, at=shop.clock.now())
    screen.refresh()


def paper_waits(act: str) -> Scene:
    """A receipt waits for paper, and an act of its case is done."""
    return awaited(
        lambda shop, _: cases.undelivered(shop, cases.not_printed(shop)[-1]),
        shown,
        lambda _, screen: screen.case_view.steps.give(act),
        lambda *_: asyncio.sleep(0.05),
    )


def nothing_opens(shop: Shop, screen: Any) -> None:
    shown = "/home/kasa/.local/share/pos-app/till/shown/ABCD1234-ABCD1234-8654"
    shop.receipt_files.folder = Path(shown)


async def drawer(shop: Shop, screen: Any) -> None:
    await cases.settle(shop)
    shut = DrawerShut(Refused(what="The drawer stayed shut."), shop.clock.now())
    screen.frame.announce(Change(ShopChange.DRAWER, shut=shut))


async def quiet(shop: Shop, screen: Any) -> None:
    shop.doubts.refused = cases.refused_callers(shop)
    await cases.settle(shop)


def half_a_code(_: Shop, screen: Any) -> None:
    """Half a QR code, and a manager without a name."""
    screen.receipt_scanned("https://suf.purs.gov.rs/v/?vl=AAAA")
    screen.case_view.steps.give("absent")


async def unknown_items(shop: Shop, screen: Any) -> None:
    for number, code in enumerate(("4006381333931", "8600999000014", "4006381333931")):
        cases.sold_unknown(shop, code, f"{120 + 40 * number}.00")
    await cases.settle(shop, 30)


def undo(_: Shop, screen: Any) -> None:
    screen.case_view.steps.fill("manager", "Милан")
    screen.case_view.steps.buttons["reverse"].click()


async def offered(shop: Shop, screen: Any) -> None:
    shop.releases.offer()
    await shop.updates.look()
    screen.refresh()


def half_fetched(shop: Shop, _: Any) -> None:
    shop.updates.fetched = 15_728_640


def started_in_vain(shop: Shop, _: Any) -> None:
    shop.updates.not_installed = Version(3, 3, 0)


def prices_of_tomorrow(shop: Shop, _: Any) -> None:
    now, editor = shop.clock.now(), shop.services.editor
    tomorrow = beginning_of(day_of(now) + timedelta(days=1))
    for name in ("Хлеб", "Млеко", "Бурек"):
        product = Product(id=name, name=name, tax_label=TaxLabel.E, price=Money(120))
        editor.record(NewEdit.adding(product, by="Мира", at=now))
        editor.plan_price(PlannedPrice(name, Money(149), tomorrow), by="Мира", at=now)


def next_day(shop: Shop, _: Any) -> None:
    shop.clock.go_on(timedelta(days=1) // timedelta(milliseconds=1))


def other_account(shop: Shop, _: Any) -> None:
    ask_to_join(shop.services.settings.data / "catalogue.db")


DOUBT = awaited(  # the picture's case: one doubt, two sales behind it
    of(cases.solved), of(cases.doubtful), of(cases.waiting, "1236.00", "359.98")
)
DOUBT_SHOWN = awaited(DOUBT, refreshed)
PAPERS_WAIT = awaited(of(cases.many_papers, JobState.WAITING), shown, row("papers_wait"))
PAPERS_FAILED = awaited(of(cases.many_papers, JobState.FAILED), shown, row("papers_failed"))
PAPERS_UNPROVEN = awaited(of(cases.many_papers, JobState.UNPROVEN), shown, row("papers_unproven"))
NEW_VERSION = awaited(offered, row("new version"))
REFUSED = partial(cases.public_mode, state=PublicModeState.REFUSED, code="taken", by="Каса 2")
SCENES: dict[str, Scene] = {
    "empty": of(nothing_waits),
    "pair": of(cases.half_pair),
    "refused": of(cases.refused),
    "papers_wait": PAPERS_WAIT,
    "papers_none": awaited(PAPERS_WAIT, step("end_all")),
    "papers_failed": PAPERS_FAILED,
    "papers_printing": awaited(PAPERS_FAILED, step("print_all")),
    "papers_unproven": awaited(PAPERS_UNPROVEN, step("end_all")),
    "restored": of(cases.put_back),
    "new_element": of(cases.put_back, case="element NEWC4RD1"),
    "set_aside": of(cases.put_back, case="carts set aside"),
    "goods_left": of(cases.closed_by_hand),
    "half_done_here": of(partial(cases.half_done_here, was_refused=False)),
    "alarms": alarm(cases.late_receipt, cases.foreign_traffic),
    "foreign": alarm(cases.foreign_traffic),
    "damaged_catalogue": alarm(cases.catalogue_damaged),
    "certificate": of(partial(cases.certified, days=12), case="certificate_ends"),
    "status_unread": of(cases.unread, "allTaxRates", case="status_unread"),
    "cloned": of(cases.cloned),
    "public_refused": of(REFUSED),
    "public_notice": of(cases.newcomer_refused, case="public_notice"),
    "restored_till": restored_till,
    "unread_pair": unread_pair,
    "undone_pair": undone_pair,
    "undo": awaited(of(cases.half_pair, Operation.REFUND), shown, undo),
    "doubt": DOUBT,
    "unreadable": awaited(of(cases.unreadable), of(cases.refused), unreadable_chosen),
    "acts_refused": awaited(  # one was not sent while the buyer waited
        of(cases.act_refused, Fault.WAIT), of(cases.act_refused, Fault.FIX, Operation.CLOSE)
    ),
    "corrections": awaited(  # of one the refund alone is issued, of another nothing
        of(cases.correction_half_done, Fault.FIX),
        of(cases.correction_half_done),
        of(cases.correction_not_begun),
    ),
    "credit_owed": credit_owed,
    "exchanges": awaited(of(cases.exchange_half_done, Fault.FIX), of(cases.exchange_not_begun)),
    "waits": waits,
    "server": awaited(waits, lambda shop, _: shop.outbox.take_server_fault(cases.newer_journal())),
    "stranger": stranger,
    "prints": of(lambda shop: cases.undelivered(shop, *cases.not_printed(shop))),
    "repeated": awaited(  # the server does not report it any more
        paper_waits("again"),
        lambda shop, screen: row(screen.model.current_id)(shop, screen),
        of(cases.undelivered),
    ),
    "not_opened": awaited(nothing_opens, paper_waits("pdf")),
    "drawer": drawer,
    "keys": awaited(DOUBT_SHOWN, keys_listed),
    "callers": awaited(quiet, shown, row()),
    "quiet": quiet,
    "lines": awaited(DOUBT_SHOWN, lambda _, screen: screen.case_view.toggle_lines()),
    "done": awaited(
        DOUBT_SHOWN, lambda _, screen: page_in_front(screen.frame, "att.list").solved_button.click()
    ),
    "wrong": awaited(DOUBT_SHOWN, half_a_code),
    "complete": awaited(unknown_items, refreshed, row()),
    "new_version": NEW_VERSION,
    "version_fetched": awaited(NEW_VERSION, half_fetched),
    "not_installed": awaited(started_in_vain),
    "joining": awaited(other_account, refreshed, row("joining to decide")),
    "labels_of_tomorrow": awaited(prices_of_tomorrow, refreshed, row()),
    "labels_of_today": awaited(prices_of_tomorrow, next_day, refreshed, row()),
}


framed = in_frame(ATTENTION, "att.title", table=TABLE, opens_files=False, hears=False)
posed = pictures.posed_by(
    opened_in(framed, SCENES, show=AttentionScreen.refresh, focus=AttentionScreen.take_focus)
)
