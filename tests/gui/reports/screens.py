from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from pos_app.cashier.reports.view import ReportsScreen
from pos_app.cashier.window.screens import REPORTS
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.receipt_list import ListState
from pos_app.domain.text.instant import day_of
from pos_app.selling.catalogue.catalogue import PriceCause, PriceChange
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.reports.own import prices_report
from pos_app.selling.reports.periods import Preset
from pos_app.selling.reports.receivables import Collecting
from pos_app.selling.reports.report import ReportName
from tests.fakes.people_here import let_in
from tests.gui import pictures
from tests.gui.crawl.posing import Act, awaited, framed, opened_in, pause, receipts_fail, settle
from tests.gui.payment.shop import Shop
from tests.gui.reports.weeks import CASHIERS, paid_later, weeks

PIN = "1234"
NOW = datetime(2026, 11, 20, 20, 20, tzinfo=UTC)


SHOWN_OTHERWISE = (ReportName.DAY, ReportName.ACTS, ReportName.PRICES, ReportName.COLLECTED)


async def begin(shop: Shop, screen: ReportsScreen, name: ReportName = ReportName.DAY) -> None:
    """Let the manager in, and wait for the report."""
    await settle(shop)
    let_in(screen.model, PIN)
    screen.room.choose(name)
    await pause()
    await pause()


def begun(name: ReportName) -> Act:
    return lambda shop, screen: begin(shop, screen, name)


def days_typed(field: str, day: str) -> Act:
    async def act(_: Shop, screen: ReportsScreen) -> None:
        screen.room.choose_preset(Preset.DAYS)
        await pause()
        getattr(screen.period.days, field).set_text(day)
        await pause()
        await pause()

    return act


def acts_noted(shop: Shop, _: ReportsScreen) -> None:
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


async def owed(shop: Shop, screen: ReportsScreen) -> None:
    """What is paid later, with one buyer's receipts, of which two are chosen."""
    shop.receipts.signed += paid_later(NOW, after=len(shop.receipts.signed))
    await begin(shop, screen, ReportName.RECEIVABLES)
    report = screen.model.report
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


async def prices_changed(_: Shop, screen: ReportsScreen) -> None:
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


async def form_opened(_: Shop, screen: ReportsScreen) -> None:
    screen.collect_bar.buttons["N"].click()
    await pause()


async def too_much(_: Shop, screen: ReportsScreen) -> None:
    screen.collect_page.amount.set_text("99.999,00")
    screen.collect_page.save.click()
    await pause()


async def collected(_: Shop, screen: ReportsScreen) -> None:
    screen.collect_page.note.set_text("извод 213, стр. 2")
    screen.collect_page.save.click()
    await pause()
    screen.room.choose(ReportName.COLLECTED)
    await pause()
    await pause()
    screen.collect_bar.buttons["U"].click()
    await pause()


def being_made(shop: Shop, _: ReportsScreen) -> None:
    shop.receipts.state = ListState(180, 340)


async def asking(shop: Shop, screen: ReportsScreen) -> None:
    shop.receipts.answers = asyncio.Event()
    screen.room.choose(ReportName.ARTICLE)
    screen.model.progress = (3_000, 9_898)
    await asyncio.sleep(0.4)
    await pause()


SCENES: dict[str, Act] = {
    "gate": settle,
    "day": begin,
    "month": awaited(begin, days_typed("first", "21.11.2025.")),  # a year is drawn as a curve
    "days": awaited(begin, days_typed("last", "31.11.")),
    "acts": awaited(acts_noted, begun(ReportName.ACTS)),
    "owed": owed,
    "collecting": awaited(owed, form_opened, too_much),
    "came-in": awaited(owed, form_opened, collected),
    "prices": awaited(begin, prices_changed),
    "not-whole": awaited(being_made, begin),
    "away": awaited(receipts_fail, begin),
    "asking": awaited(begin, asking),
    "nothing": awaited(  # before the first receipt
        begun(ReportName.CASHIER),
        days_typed("first", "3.6.2024."),
        days_typed("last", "13.6.2024."),
    ),
    **{one.value: begun(one) for one in ReportName if one not in SHOWN_OTHERWISE},
}


def stock(shop: Shop) -> tuple[()]:
    shop.clock.go_on((NOW - shop.clock.now()) // timedelta(milliseconds=1))
    shop.receipts.signed = weeks(NOW)
    return ()


opened = opened_in(framed(REPORTS, "rep.title", hears=False), SCENES, stock=stock)
posed = pictures.posed_by(opened)
