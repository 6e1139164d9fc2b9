"""The screen of a refund after the confirmation, without answers, and of what is unreadable."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtWidgets import QLabel, QWidget

from pos_app.cashier.attention.cases.sale_cases import SEEN
from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.sale.last_sale import last_facts
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import HOME, Frame
from pos_app.cashier.window.screens import REFUND, CorrectionPlace, ReceiptPlace, RefundPlace
from pos_app.errors import NoSuchReceipt
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.state import SaleState
from pos_app.settings import PrinterSettings
from tests.gui.attention.counter import Counter
from tests.gui.correction import screens as correction
from tests.gui.parts import in_front
from tests.gui.payment.shop import Shop
from tests.gui.receipts import screens as receipts
from tests.gui.refund import screens
from tests.gui.refund import screens as refund
from tests.gui.refund.opened import ID_CARD
from tests.gui.window.hands import Hands, seen
from tests.gui.window.test_drawer import SlowPapers

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


async def test_one_that_is_cancelled_elsewhere_is_no_error(tmp_path: Path, theme: Theme) -> None:
    async with front(tmp_path, theme) as at:
        await screens.begin(at.shop, at.screen)
        at.shop.server.running = False
        await at.issue()
        at.shop.outbox.cancel(at.last.key, reason=SEEN)
        at.shop.server.running = True
        await at.go_on(60)
        assert at.last.state is SaleState.CANCELLED
        facts = last_facts(at.last, TEXTS)
        assert (facts.label, facts.amount) == ("Готовина", "0,00"), "nothing is given back"
        assert at.counter.bugs == []
        assert at.screen.model.can_type


NUMBER = refund.NUMBER
NONE = NoSuchReceipt(what="Receipt not found", safe="Nothing was changed.")
SCREENS = {
    "refund": (refund.framed, RefundPlace(NUMBER)),
    "correction": (correction.framed, CorrectionPlace(NUMBER)),
    "receipts": (receipts.framed, ReceiptPlace(NUMBER)),
}


def told(widget: QWidget) -> str:
    return " ".join(one.text() for one in widget.findChildren(QLabel))
