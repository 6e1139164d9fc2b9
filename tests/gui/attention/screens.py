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
from tests.gui.crawl.posing import framed as in_frame
from tests.gui.crawl.posing import named, opened_in
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


def press_row(screen: Any, name: str = "") -> None:
    rows = page_in_front(screen.frame, "att.list").rows
    rows[name or screen.model.cases[0].id].click()


async def doubt(shop: Shop, screen: Any) -> None:
    await cases.solved(shop)
    await cases.doubtful(shop)
    await cases.waiting(shop, "1236.00", "359.98")


async def acts_refused(shop: Shop, screen: Any) -> None:
    """A refund that was not sent while the buyer waited, and a closing that the server refused."""
    await cases.act_refused(shop, Fault.WAIT)
    await cases.act_refused(shop, Fault.FIX, Operation.CLOSE)


async def corrections(shop: Shop, screen: Any) -> None:
    """Three corrections: nothing of the first is issued, only the refund of the second, and the
    server refuses the new receipt of the third."""
    await cases.correction_half_done(shop, Fault.FIX)
    await cases.correction_half_done(shop)
    await cases.correction_not_begun(shop)


async def exchanges(shop: Shop, screen: Any) -> None:
    """Two exchanges: the server refuses the sale of one, and nothing of the other is issued."""
    await cases.exchange_half_done(shop, Fault.FIX)
    await cases.exchange_not_begun(shop)


async def credit_owed(shop: Shop, screen: Any) -> None:
    """The refund of an exchange is issued, and its sale was ended without a receipt or a cart."""
    half = await cases.exchange_half_done(shop, Fault.FIX)
    shop.outbox.cancel(half.new.key, reason="gone")
    await cases.settle(shop)


async def unreadable(shop: Shop, screen: Any) -> None:
    await cases.unreadable(shop)
    await cases.refused(shop)
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


async def server(shop: Shop, screen: Any) -> None:
    await waits(shop, screen)
    shop.outbox.take_server_fault(cases.newer_journal())


async def stranger(shop: Shop, screen: Any) -> None:
    shop.server.stranger = "other_install"
    await cases.settle(shop)


async def restored_till(shop: Shop, screen: Any) -> None:
    copy = RestoredCopy(
        JournalMark("j", 9, "cd"), "E", last_sequence=7, last_key="cc" * 16, is_journal=False
    )
    shop.store.sales.act_on_restore(copy, at=shop.clock.now())
    screen.refresh()


async def prints(shop: Shop, screen: Any) -> None:
    await cases.undelivered(shop, *cases.not_printed(shop))


def papers(state: JobState, case: str, *, asks: str = "") -> Scene:
    """Many receipts without paper. asks: the act whose question is asked."""

    async def pose(shop: Shop, screen: Any) -> None:
        await cases.many_papers(shop, state)
        screen.refresh()
        await asyncio.sleep(0.05)
        press_row(screen, case)
        if asks:
            screen.case_view.steps.buttons[asks].click()
            await asyncio.sleep(0.05)

    return pose


async def paper_waits(shop: Shop, screen: Any, act: str) -> None:
    await cases.undelivered(shop, cases.not_printed(shop)[-1])
    screen.refresh()
    await asyncio.sleep(0.05)
    screen.case_view.steps.give(act)
    await asyncio.sleep(0.05)


async def repeated(shop: Shop, screen: Any) -> None:
    await paper_waits(shop, screen, "again")
    press_row(screen, screen.model.current_id)
    await cases.undelivered(shop)


async def not_opened(shop: Shop, screen: Any) -> None:
    shown = "/home/kasa/.local/share/pos-app/till/shown/ABCD1234-ABCD1234-8654"
    shop.receipt_files.folder = Path(shown)
    await paper_waits(shop, screen, "pdf")


async def drawer(shop: Shop, screen: Any) -> None:
    await cases.settle(shop)
    shut = DrawerShut(Refused(what="The drawer stayed shut."), shop.clock.now())
    screen.frame.announce(Change(ShopChange.DRAWER, shut=shut))


async def keys(shop: Shop, screen: Any) -> None:
    await doubt(shop, screen)
    screen.refresh()
    screen.toggle_keys()


async def quiet(shop: Shop, screen: Any) -> None:
    shop.doubts.refused = cases.refused_callers(shop)
    await cases.settle(shop)


async def callers(shop: Shop, screen: Any) -> None:
    await quiet(shop, screen)
    screen.refresh()
    await asyncio.sleep(0.05)
    press_row(screen)


async def lines(shop: Shop, screen: Any) -> None:
    await doubt(shop, screen)
    screen.refresh()
    screen.case_view.toggle_lines()


async def done(shop: Shop, screen: Any) -> None:
    await doubt(shop, screen)
    screen.refresh()
    page_in_front(screen.frame, "att.list").solved_button.click()


async def wrong(shop: Shop, screen: Any) -> None:
    await doubt(shop, screen)
    screen.refresh()
    screen.receipt_scanned("https://suf.purs.gov.rs/v/?vl=AAAA")
    screen.case_view.steps.give("absent")


async def complete(shop: Shop, screen: Any) -> None:
    for number, code in enumerate(("4006381333931", "8600999000014", "4006381333931")):
        cases.sold_unknown(shop, code, f"{120 + 40 * number}.00")
    await cases.settle(shop, 30)
    screen.refresh()
    press_row(screen)


async def undo(shop: Shop, screen: Any) -> None:
    await cases.half_pair(shop, Operation.REFUND)
    screen.refresh()
    await asyncio.sleep(0.05)
    screen.case_view.steps.fill("manager", "Милан")
    screen.case_view.steps.buttons["reverse"].click()


async def new_version(shop: Shop, screen: Any) -> None:
    shop.releases.offer()
    await shop.updates.look()
    screen.refresh()
    press_row(screen, "new version")


async def version_fetched(shop: Shop, screen: Any) -> None:
    await new_version(shop, screen)
    shop.updates.fetched = 15_728_640


async def not_installed(shop: Shop, screen: Any) -> None:
    shop.updates.not_installed = Version(3, 3, 0)


async def labels_of_tomorrow(shop: Shop, screen: Any) -> None:
    now, editor = shop.clock.now(), shop.services.editor
    tomorrow = beginning_of(day_of(now) + timedelta(days=1))
    for name in ("Хлеб", "Млеко", "Бурек"):
        product = Product(id=name, name=name, tax_label=TaxLabel.E, price=Money(120))
        editor.record(NewEdit.adding(product, by="Мира", at=now))
        editor.plan_price(PlannedPrice(name, Money(149), tomorrow), by="Мира", at=now)
    screen.refresh()
    press_row(screen)


async def joining(shop: Shop, screen: Any) -> None:
    ask_to_join(shop.services.settings.data / "catalogue.db")
    screen.refresh()
    press_row(screen, "joining to decide")


REFUSED = partial(cases.public_mode, state=PublicModeState.REFUSED, code="taken", by="Каса 2")
SCENES: dict[str, Scene] = {
    "empty": of(nothing_waits),
    "pair": of(cases.half_pair),
    "refused": of(cases.refused),
    "papers_wait": papers(JobState.WAITING, "papers_wait"),
    "papers_none": papers(JobState.WAITING, "papers_wait", asks="end_all"),
    "papers_failed": papers(JobState.FAILED, "papers_failed"),
    "papers_printing": papers(JobState.FAILED, "papers_failed", asks="print_all"),
    "papers_unproven": papers(JobState.UNPROVEN, "papers_unproven", asks="end_all"),
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
    **named(
        restored_till, unread_pair, undone_pair, undo, doubt, unreadable, acts_refused, corrections,
        credit_owed, exchanges, waits, server, stranger, prints, repeated, not_opened, drawer, keys,
        callers, quiet, lines, done, wrong, complete, new_version, version_fetched, not_installed,
        joining, labels_of_tomorrow,
    ),
}  # fmt: skip


framed = in_frame(ATTENTION, "att.title", table=TABLE, opens_files=False, hears=False)
posed = pictures.posed_by(
    opened_in(framed, SCENES, show=AttentionScreen.refresh, focus=AttentionScreen.take_focus)
)
