"""The screen of a refund after the confirmation: its figures stay, and the drawer opens once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pytest

from pos_app.cashier.acts.act_in_front import Stage
from pos_app.cashier.refund.model import RefundStep
from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.refund.words import figure_content
from pos_app.cashier.sale.last_sale import last_facts
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui import big_button
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import HOME, Frame
from pos_app.cashier.window.screens import REFUND, RefundPlace
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text
from pos_app.domain.receipt.request import InvoiceType
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.settings import PrinterSettings
from tests.fakes.fiscal_server import Fault
from tests.fakes.people_here import quick
from tests.gui.attention.cases import sold_for_cash
from tests.gui.attention.counter import Counter
from tests.gui.parts import in_front
from tests.gui.patience import until
from tests.gui.payment.shop import Shop
from tests.gui.refund import screens
from tests.gui.refund.opened import ID_CARD, notices
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import Shop as WindowShop
from tests.gui.window.test_drawer import WIRED, SlowPapers, wired
from tests.sweep import sampled
from tests.unit.fiscalization.plans.book import Book, sale

OPENS = "open the drawer"
TEXTS = Texts()


@dataclass
class Front:
    """The screen over a shop of its own; after it was left it is made again."""

    shop: Shop
    frame: Frame

    @property
    def screen(self) -> RefundScreen:
        screen: RefundScreen = in_front(self.frame, "refund.title")
        return screen

    @property
    def counter(self) -> Counter:
        room = self.frame.home_room
        assert isinstance(room, Counter)
        return room

    @property
    def opened(self) -> int:
        """The number of times that the drawer was opened."""
        return self.counter.noted.asked.count(OPENS)

    @property
    def last(self) -> Sale:
        return self.shop.store.sales.last(1)[0]

    async def issue(self) -> None:
        self.screen.model.set_document(BuyerDraft(code="20", value=ID_CARD))
        self.screen.right_side.main.click()
        await screens.pause()

    async def go_on(self, steps: int = 12) -> None:
        await screens.settle(self.shop, steps=steps)
        await screens.pause()

    async def reopen(self) -> None:
        self.frame.go_home()
        self.frame.open(REFUND, RefundPlace(screens.NUMBER, HOME))
        await screens.pause()


@asynccontextmanager
async def front(folder: Path, theme: Theme) -> AsyncIterator[Front]:
    shop = Shop(folder)
    printer = PrinterSettings(kind="network", address="10.0.0.7", drawer="pin2")
    settings = shop.services.settings.having(printer=printer)
    shop.services = replace(shop.services, started_with=settings, receipt_printer=SlowPapers())
    shop.server.rates, shop.server.seller_pib = screens.RATES, "106543219"
    holder, screen = screens.framed(shop, UiContext(theme, Texts()))
    holder.resize(1366, 768)
    holder.show()
    await screens.pause()
    yield Front(shop, screen.frame)
    holder.close()
    await screen.frame.tasks.close()
    holder.deleteLater()
    shop.close()


def nothing_left(shop: Shop) -> None:
    """Let the server report from now on that nothing of the receipt is left."""
    told = shop.receipts.details[screens.NUMBER]
    gone = tuple(
        replace(one, left_quantity=Decimal(0), left_total=Money.ZERO) for one in told.overview.lines
    )
    shop.receipts.details[screens.NUMBER] = replace(
        told, overview=replace(told.overview, lines=gone)
    )


async def test_the_sheet_tells_what_was_frozen(tmp_path: Path, theme: Theme) -> None:
    """A later answer about the receipt, with nothing left of it, changes no figure."""
    async with front(tmp_path, theme) as at:
        await screens.begin(at.shop, at.screen)
        gives = amount_text(at.screen.model.hand_gives)
        await at.issue()
        nothing_left(at.shop)
        await at.reopen()
        assert figure_content(at.screen.model, TEXTS).amount == gives
        await at.go_on()
        assert f"Дајте купцу {gives}" in notices(at.screen)
        assert "фиока је отворена" in notices(at.screen)
        assert at.opened == 1


@pytest.mark.parametrize("another", sampled([False, True]))
async def test_the_drawer_stays_shut_once_the_refund_was_left(
    tmp_path: Path, theme: Theme, *, another: bool
) -> None:
    """The cashier went to the sale, or to the refund of another receipt: nobody sees this one."""
    async with front(tmp_path, theme) as at:
        await screens.begin(at.shop, at.screen)
        await at.issue()
        gives = at.screen.model.hand_gives
        at.frame.go_home()
        if another:
            at.frame.open(REFUND, RefundPlace("ABCD1234-ABCD1234-9", HOME))
        await at.go_on()
        assert (at.last.state, at.opened) == (SaleState.DONE, 0)
        given = last_facts(at.last, TEXTS)  # the strip shows what to give
        assert given.label == "Враћено"
        assert given.amount == amount_text(-gives)


@dataclass
class Till:
    """A till with a drawer, at which a refund of a receipt in cash is issued."""

    hands: Hands
    papers: SlowPapers

    @property
    def screen(self) -> RefundScreen:
        screen: RefundScreen = in_front(self.hands.window.frame, "refund.title")
        return screen

    async def answered(self) -> None:
        await self.hands.shop.serve()
        await seen()


async def issuing(shop: WindowShop, sell_in: SellIn) -> Till:
    papers = SlowPapers()
    papers.free.set()
    shop.services.manager.save_pin(quick("2580"))
    told = overview_of(*sold_for_cash(), jobs=(), origin="till")
    shop.receipts.details[screens.NUMBER] = ShownReceipt(told, None)
    hands = sell_in(wired(shop, papers, WIRED))
    await shop.serve()
    till = Till(hands, papers)
    hands.window.frame.open(REFUND, RefundPlace(screens.NUMBER, HOME))
    await until(lambda: till.screen.model.draft is not None)
    hands.scan(ID_CARD)
    hands.press("Enter", "Enter")
    assert till.screen.model.act.stage is Stage.UNDER_WAY
    return till


async def test_the_drawer_stays_shut_under_the_lock(shop: WindowShop, sell_in: SellIn) -> None:
    at = await issuing(shop, sell_in)
    at.hands.press("F11")
    await at.answered()
    assert at.hands.sales()[0].state is SaleState.DONE
    at.hands.type("2580")
    await until(lambda: at.hands.window.frame.is_home)
    assert at.papers.opened == []
    assert "Враћено −842,00" in at.hands.cart.large.accessibleName()


async def test_the_strip_gives_no_money_while_the_refund_is_in_doubt(
    shop: WindowShop, sell_in: SellIn
) -> None:
    at = await issuing(shop, sell_in)
    shop.server.faults.append(Fault.IN_DOUBT)
    await at.answered()
    assert at.hands.sales()[0].state is SaleState.DOUBT
    at.hands.window.frame.go_home()
    assert "Готовина 0,00" in at.hands.cart.large.accessibleName()


async def test_an_enter_too_many_takes_no_figure_away(
    shop: WindowShop, sell_in: SellIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one just after the answer does nothing; a later one leads to the next sale."""
    monkeypatch.setattr(big_button, "REST_MS", 1_000)
    at = await issuing(shop, sell_in)
    at.hands.press("Enter")
    await at.answered()
    at.hands.press("Enter")
    assert "Дајте купцу" in notices(at.screen)
    assert len(at.papers.opened) == 1
    main = at.screen.right_side.main
    await until(lambda: not main.rests)
    at.hands.press("Enter")
    assert at.hands.window.frame.is_home


async def test_a_doubt_that_ends_later_opens_no_drawer(tmp_path: Path, theme: Theme) -> None:
    async with front(tmp_path, theme) as at:
        await screens.begin(at.shop, at.screen)
        at.shop.server.faults.append(Fault.IN_DOUBT)
        await at.issue()
        await at.go_on(60)
        assert at.screen.model.next_enter(at_document=False) is RefundStep.ATTENTION
        at.shop.server.find_out(signed=True)
        await at.go_on(60)
        assert (at.last.state, at.opened) == (SaleState.DONE, 0)
        assert "Дајте купцу" in notices(at.screen)
        assert "фиока је отворена" not in notices(at.screen).lower()


@pytest.mark.parametrize("kind", sampled([InvoiceType.PROFORMA, InvoiceType.TRAINING]))
async def test_for_what_nobody_paid_nothing_is_given(
    tmp_path: Path, theme: Theme, kind: InvoiceType
) -> None:
    async with front(tmp_path, theme) as at:
        book = Book()
        book.add(sale(*screens.LINES[:2], kind=kind, cash="546.95"))
        await screens.begin(at.shop, at.screen, book)
        told = figure_content(at.screen.model, TEXTS)
        assert (told.title, told.words) == (
            "Враћа се само на папиру",
            "За њега није узет новац, па се ништа не даје.",
        )
        await at.issue()
        await at.go_on()
        assert "па се ништа не даје" in notices(at.screen)
        assert "Дајте" not in notices(at.screen)
        assert "Из фиоке: ништа" in notices(at.screen)
        facts = last_facts(at.last, TEXTS)
        assert (at.last.state, facts.label, facts.amount) == (
            SaleState.DONE,
            "Износ",
            amount_text(Money("-546.95")),
        )
