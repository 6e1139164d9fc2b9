"""Pictures of the reports."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from pos_app.cashier.reports.view import ReportsScreen
from pos_app.cashier.window.screens import REPORTS
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.text.instant import day_of
from pos_app.errors import NotDelivered
from pos_app.selling.catalogue.catalogue import PriceCause, PriceChange
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.reports.own import prices_report
from pos_app.selling.reports.periods import Preset
from pos_app.selling.reports.receivables import Collecting
from pos_app.selling.reports.report import ReportName
from tests.fakes.people_here import let_in
from tests.gui import pictures
from tests.gui.crawl.posing import framed, opened_in, pause, settle
from tests.gui.payment.shop import Shop
from tests.gui.reports.weeks import CASHIERS, paid_later, weeks

Scene = Callable[[Shop, ReportsScreen], Awaitable[None]]
PIN = "1234"
NOW = datetime(2026, 11, 20, 20, 20, tzinfo=UTC)


async def begin(shop: Shop, screen: ReportsScreen, name: ReportName = ReportName.DAY) -> None:
    """Let the manager in, and wait for the report."""
    await settle(shop)
    let_in(screen.model, PIN)
    screen.room.choose(name)
    await pause()
    await pause()


async def gate(shop: Shop, screen: ReportsScreen) -> None:
    """Nobody has typed the PIN yet."""
    await settle(shop)


async def by_day(shop: Shop, screen: ReportsScreen) -> None:
    """The picture's report."""
    await begin(shop, screen)


def _of(name: ReportName) -> Scene:
    async def shown(shop: Shop, screen: ReportsScreen) -> None:
        await begin(shop, screen, name)

    return shown


async def by_month(shop: Shop, screen: ReportsScreen) -> None:
    """A year is drawn as a curve."""
    await begin(shop, screen)
    screen.room.choose_preset(Preset.DAYS)
    await pause()
    screen.period.days.first.set_text("21.11.2025.")
    await pause()
    await pause()


async def days(shop: Shop, screen: ReportsScreen) -> None:
    """A period is typed, and one of its days does not exist."""
    await begin(shop, screen)
    screen.room.choose_preset(Preset.DAYS)
    await pause()
    screen.period.days.last.set_text("31.11.")
    await pause()


async def acts(shop: Shop, screen: ReportsScreen) -> None:
    """The acts, each with the person who permitted it."""
    told = (
        (NotedAct.LINE_REMOVED, "Млеко 2,8 % 1 l", "299.98", ""),
        (NotedAct.DISCOUNT, "Кафа млевена 200 g", "", "12.5%"),
        (NotedAct.PRICE, "Бурек са сиром", "189.99", "150.00"),
        (NotedAct.CART_DROPPED, "", "1240.50", ""),
        (NotedAct.DRAWER, "", "", ""),
        (NotedAct.REFUND, "Оштећено", "", "779.80"),
    )
    for place in reversed(range(18)):
        done, subject, before, after = told[place % len(told)]
        at = NOW - timedelta(hours=5 * place)
        with shop.store.here.lifting(CASHIERS[2] if done is NotedAct.PRICE else ""):
            shop.store.acts.write(
                done, by=CASHIERS[place % 3], at=at, subject=subject, before=before, after=after
            )
    await begin(shop, screen, ReportName.ACTS)


async def owed(shop: Shop, screen: ReportsScreen) -> None:
    """What is paid later, with one buyer's receipts, of which two are chosen."""
    shop.receipts.signed += paid_later(NOW, after=len(shop.receipts.signed))
    await begin(shop, screen, ReportName.RECEIVABLES)
    report = screen.model.report
    assert report is not None
    first = report.receivables[0]
    shop.store.collected.collect(
        (Collecting(first.number, first.buyer, Money(500)),),
        key="a", day=day_of(NOW), note="извод 212", by=CASHIERS[0], at=NOW,
    )  # fmt: skip
    screen.room.ask()
    await pause()
    await pause()
    screen.model.unfold(first.group)
    for one in report.receivables[:2]:
        screen.model.tick(one.number)
    screen.room.changed.emit()
    await pause()


async def prices(shop: Shop, screen: ReportsScreen) -> None:
    """Prices that changed, each with its cause."""
    await begin(shop, screen)
    changes = [
        PriceChange(
            f"a{place}", 100 + place, "Кекс Валта 300 g", Money("149.99"),
            Money("164.99"), NOW - timedelta(hours=place), "Јелена Павловић", place, cause,
            Decimal(10) if cause is PriceCause.BULK else None, TaxLabel.DJ, "ком",
        )
        for place, cause in enumerate(PriceCause)
    ]  # fmt: skip
    model = screen.model
    model.name = ReportName.PRICES
    model.take(prices_report(model.choice, changes))
    screen.room.changed.emit()
    await pause()


async def collecting(shop: Shop, screen: ReportsScreen) -> None:
    """The form, with more than is owed."""
    await owed(shop, screen)
    screen.collect_bar.buttons["N"].click()
    await pause()
    screen.collect_page.amount.set_text("99.999,00")
    screen.collect_page.save.click()
    await pause()


async def collected(shop: Shop, screen: ReportsScreen) -> None:
    """What came in, and the question whether the first of it is taken back."""
    await owed(shop, screen)
    screen.collect_bar.buttons["N"].click()
    await pause()
    screen.collect_page.note.set_text("извод 213, стр. 2")
    screen.collect_page.save.click()
    await pause()
    screen.room.choose(ReportName.COLLECTED)
    await pause()
    await pause()
    screen.collect_bar.buttons["U"].click()
    await pause()


async def not_whole(shop: Shop, screen: ReportsScreen) -> None:
    """The list is still being made."""
    shop.receipts.state = ListState(180, 340)
    await begin(shop, screen)


async def away(shop: Shop, screen: ReportsScreen) -> None:
    """The server can't be reached."""
    shop.receipts.fault = NotDelivered(what="The server does not answer.")
    await begin(shop, screen)


async def asking(shop: Shop, screen: ReportsScreen) -> None:
    """A long report is being made, and the one before stays in sight."""
    await begin(shop, screen)
    shop.receipts.answers = asyncio.Event()
    screen.room.choose(ReportName.ARTICLE)
    screen.model.progress = (3_000, 9_898)
    await asyncio.sleep(0.4)
    await pause()


async def nothing(shop: Shop, screen: ReportsScreen) -> None:
    """The period has no receipt."""
    await begin(shop, screen, ReportName.CASHIER)
    screen.room.choose_preset(Preset.DAYS)
    screen.room.choose_days(NOW.date() - timedelta(days=900), NOW.date() - timedelta(days=890))
    await pause()


SCENES: dict[str, Scene] = {
    "gate": gate, "day": by_day, "month": by_month, "days": days, "acts": acts,
    "owed": owed, "collecting": collecting, "came-in": collected,
    "prices": prices,
    "not-whole": not_whole, "away": away, "asking": asking, "nothing": nothing,
    **{
        one.value: _of(one)
        for one in ReportName
        if one
        not in (ReportName.DAY, ReportName.ACTS, ReportName.PRICES, ReportName.COLLECTED)
    },
}  # fmt: skip


def stock(shop: Shop) -> tuple[()]:
    shop.clock.go_on((NOW - shop.clock.now()) // timedelta(milliseconds=1))
    shop.receipts.signed = weeks(NOW)
    return ()


opened = opened_in(framed(REPORTS, "rep.title", hears=False), SCENES, stock=stock)
posed = pictures.posed_by(opened)
