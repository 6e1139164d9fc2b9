"""Pictures of the refund: `python -m tests.gui.refund.screens FOLDER [--only NAME]`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from pos_app.cashier.refund.view import RefundScreen
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.context import UiContext
from pos_app.cashier.ui.theme import Theme
from pos_app.cashier.window.frame import HOME, Change, Frame, ScreenEntry, ShopChange
from pos_app.cashier.window.screens import REFUND, SCREENS, RefundPlace
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel, TaxRates
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.operations import Operation, RefundedItem, Refunding
from pos_app.domain.receipt.receipt_overview import PaidOfLabel
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.errors import NoSuchReceipt, NotDelivered
from pos_app.fiscalization.plans.advance import advance_lines
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.sale.receipt_drafts import BuyerDraft
from pos_app.selling.sale.sale import Sale
from tests.fakes.fiscal_server import SIGNED_AT, Fault
from tests.fakes.people_here import let_in, quick
from tests.fakes.receipt_files import NotingViewer
from tests.gui import pictures
from tests.gui.attention.counter import Counter, CounterScreen, hold
from tests.gui.attention.screens import over_status
from tests.gui.parts import in_front
from tests.gui.payment.shop import Shop
from tests.unit.fiscalization.plans.book import (
    BASIS,
    BUYER,
    PDF,
    Book,
    advance,
    known,
    line,
    number_of,
    payments,
    sale,
)

Scene = Callable[[Shop, RefundScreen], Awaitable[None]]
NUMBER = number_of(1)
LINES = (
    line("Хлеб бели Сава 500 g/ком", "Е", "2", "58.99", sku=1),
    line("Јогурт 2,8 % 1 l/ком", "Е", "3", "142.99", sku=12),
    line("Банана/kg", "Е", "1.560", "189.99", sku=16, total="296.38"),
    line("Сир млади домаћи/kg", "Е", "0.412", "899.00", sku=13, total="370.39"),
    line("Кафа млевена Златна 200 g/ком", "Ђ", "2", "279.99", sku=20),
    line("Детерџент за веш 3 kg/ком", "Ђ", "1", "1099.00", sku=40),
)
RATES = (TaxRates(SIGNED_AT, {"Ђ": Decimal(20), "Е": Decimal(10)}),)


class WaitedFor(Counter):
    def act_confirmed(self, sale: Sale) -> None:
        self.noted.asked.append(f"send {sale.operation}")

    def open_drawer_for(self, sale: Sale) -> None:
        self.noted.asked.append("open the drawer")


ROOM, SCREEN = WaitedFor, CounterScreen
TABLE = (ScreenEntry(HOME, __name__), *(entry for entry in SCREENS if entry.name != HOME))


def sold(*lines: FiscalLine, **paid: str) -> Book:
    book = Book()
    book.add(sale(*lines, **paid))  # type: ignore[arg-type]
    return book


def give_back(book: Book, *items: RefundedItem, cash: str) -> None:
    """Add a refund that was issued elsewhere."""
    asked = Refunding(payments=payments(cash=cash), delivery=PDF, buyer=BUYER, items=items)
    planned = plan_refund(receipt=book.links[0], chain=book.chain, request=asked, basis=BASIS)
    book.add(*planned, operation=Operation.REFUND)


def usual() -> Book:
    """The picture's sale: bread and a yoghurt went back before."""
    book = sold(*LINES, cash=str(Money.total(one.total for one in LINES)))
    give_back(
        book, RefundedItem(Quantity(2), line=0), RefundedItem(Quantity(1), line=1), cash="260.97"
    )
    return book


def show(shop: Shop, book: Book) -> None:
    """Let the server show the first receipt of the book."""
    told = overview_of(book.links[0], book.chain, jobs=(), origin="till")
    shop.receipts.details[NUMBER] = ShownReceipt(told, None)


async def begin(shop: Shop, screen: RefundScreen, book: Book | None = None) -> None:
    """Open the refund of a receipt, once the server has answered."""
    show(shop, usual() if book is None else book)
    await settle(shop)
    screen.go_to(RefundPlace(NUMBER, HOME))
    await pause()


async def settle(shop: Shop, steps: int = 12) -> None:
    """Let the outbox work for a while of its own time."""
    for _ in range(steps):
        shop.clock.go_on(await shop.outbox.step())


async def pause() -> None:
    """Let Qt deliver queued events."""
    for _ in range(5):
        await asyncio.sleep(0.01)


async def whole(shop: Shop, screen: RefundScreen) -> None:
    """The refund as it is opened: all remaining lines are ticked."""
    await begin(shop, screen)


async def refund(shop: Shop, screen: RefundScreen) -> None:
    """The picture's refund: three lines, one of them in part, and the buyer's identity card."""
    await begin(shop, screen)
    screen.left_side.nothing.click()
    for place in (2, 4, 5):
        screen.model.tick(place)
    screen.model.type_quantity(2, "0,750")
    screen.model.rest_quantity(2)
    screen.model.type_quantity(4, "1")
    screen.model.rest_quantity(4)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.model.choose(5)
    screen.room.changed.emit()
    await pause()
    screen.right_side.document.focus_number()


async def of_advance(shop: Shop, screen: RefundScreen) -> None:
    """An advance is refunded by amounts of each tax label."""
    order = known(LINES[0], LINES[5])
    book = Book()
    shares = {TaxLabel.DJ: Money("800.00"), TaxLabel.E: Money("100.50")}
    book.add(advance(order, *advance_lines(shares), buyer="20:008412357", cash="900.50"))
    await begin(shop, screen, book)
    screen.model.choose(0)
    screen.left_side.lines.open_field(sign="9")


async def quantity(shop: Shop, screen: RefundScreen) -> None:
    """A quantity above the remainder is typed."""
    await begin(shop, screen)
    screen.model.choose(2)
    screen.left_side.lines.open_field(sign="9")


async def nothing(shop: Shop, screen: RefundScreen) -> None:
    """No line is ticked, and the refund is confirmed."""
    await begin(shop, screen)
    screen.left_side.nothing.click()
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()


async def doubted(shop: Shop, screen: RefundScreen) -> None:
    """The check digit of a PIB does not fit."""
    await begin(shop, screen)
    screen.model.set_document(BuyerDraft(code="10", value="106543218"))
    screen.right_side.main.click()
    await pause()


async def no_document(shop: Shop, screen: RefundScreen) -> None:
    """The refund is confirmed without a document."""
    await begin(shop, screen)
    screen.right_side.document.focus_number()
    screen.right_side.main.click()


async def own_error(shop: Shop, screen: RefundScreen) -> None:
    """F5 fills in the shop's own PIB."""
    await begin(shop, screen)
    screen.right_side.document.own_error.click()


async def mixed(shop: Shop, screen: RefundScreen) -> None:
    """The sale was paid by card and cash together."""
    book = sold(*LINES[:3], card="600.00", cash="243.33")
    await begin(shop, screen, book)
    screen.model.choose_way(1)


async def mixed_asked(shop: Shop, screen: RefundScreen) -> None:
    """A document is doubted below five ways of giving back."""
    await mixed(shop, screen)
    screen.right_side.main.click()
    screen.model.set_document(BuyerDraft(code="20", value="12"))
    screen.right_side.main.click()
    await pause()


async def card(shop: Shop, screen: RefundScreen) -> None:
    """The sale was paid by card: no cash is given back."""
    await begin(shop, screen, sold(*LINES[:3], card="843.33"))


async def corporate(shop: Shop, screen: RefundScreen) -> None:
    """The sale was paid by a corporate card: the refund is paid by voucher."""
    paid = sale(*LINES[:3], buyer="10:123456788", voucher="843.33")
    book = Book()
    book.add(replace(paid, document=replace(paid.document, cost_centre="50:1234")))
    await begin(shop, screen, book)


async def long(shop: Shop, screen: RefundScreen) -> None:
    """A sale of forty lines with long names and large amounts."""
    lines = [
        line(f"{number}. {one.name}", one.label.value, "987.123", "98765.43", sku=number)
        for number, one in enumerate(LINES * 7, start=100)
    ]
    total = str(Money.total(one.total for one in lines))
    await begin(shop, screen, sold(*lines, cash=total))


async def less_left(shop: Shop, screen: RefundScreen) -> None:
    """Another till refunded a part of it meanwhile."""
    await begin(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()
    book = usual()
    give_back(book, RefundedItem(Quantity(1), line=4), cash="279.99")
    show(shop, book)
    shop.server.faults.append(Fault.FIX)
    await settle(shop)
    await pause()


async def refused(shop: Shop, screen: RefundScreen) -> None:
    """The server refused the refund."""
    await begin(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()
    shop.server.faults.append(Fault.FIX)
    await settle(shop)
    await pause()


async def under_way(shop: Shop, screen: RefundScreen) -> None:
    """The refund is being issued."""
    await begin(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()
    shop.clock.go_on(9_000)
    await pause()


async def done(shop: Shop, screen: RefundScreen) -> None:
    """The sheet after the refund."""
    await under_way(shop, screen)
    await settle(shop)
    await pause()


async def done_by_card(shop: Shop, screen: RefundScreen) -> None:
    """The sheet after a refund without cash."""
    await card(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()
    await settle(shop)
    await pause()


async def doubt(shop: Shop, screen: RefundScreen) -> None:
    """Nobody knows whether the refund was issued."""
    await under_way(shop, screen)
    shop.server.faults.append(Fault.IN_DOUBT)
    await settle(shop, 60)
    await pause()


async def away(shop: Shop, screen: RefundScreen) -> None:
    """The server does not answer about the receipt."""
    shop.receipts.fault = NotDelivered(what="nobody there")
    await begin(shop, screen)


async def unknown(shop: Shop, screen: RefundScreen) -> None:
    """The server has no such receipt."""
    shop.receipts.fault = NoSuchReceipt(what="Receipt not found", safe="Nothing was changed.")
    await begin(shop, screen)


async def waits(shop: Shop, screen: RefundScreen) -> None:
    """Server and processor are away when the refund is confirmed."""
    await begin(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    shop.server.running = False
    await settle(shop)
    screen.right_side.main.click()
    await pause()


async def all_gone(shop: Shop, screen: RefundScreen) -> None:
    """The whole receipt was refunded before."""
    book = sold(*LINES[:2], cash="546.95")
    give_back(book, cash="546.95")
    await begin(shop, screen, book)


FOREIGN = ForeignReceipt(
    "XYZA1234-XYZA1234-512",
    "500/512",
    Money("1236.00"),
    SIGNED_AT,
    ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
)


async def hand_pin(shop: Shop, screen: RefundScreen) -> None:
    """A receipt of another system: the manager's PIN is asked for."""
    shop.services.manager.save_pin(quick("4711"))
    await settle(shop)
    screen.go_to(RefundPlace(FOREIGN.number, HOME, FOREIGN))
    await pause()


async def filled_by_hand(shop: Shop, screen: RefundScreen) -> None:
    """The contents of its code are filled in, and an amount is typed."""
    await hand_pin(shop, screen)
    let_in(screen.model.lock, "4711")
    await pause()
    screen.hand_page.amounts[TaxLabel.DJ].set_text("349,99")


async def hand_of_other_till(shop: Shop, screen: RefundScreen) -> None:
    """Another till of the shop has the receipt: all that it reported is filled in."""
    shop.services.manager.save_pin(quick("4711"))
    await settle(shop)
    parts = (PaidOfLabel(TaxLabel.DJ, Money("1000.00")), PaidOfLabel(TaxLabel.E, Money("236.00")))
    screen.go_to(RefundPlace(FOREIGN.number, HOME, replace(FOREIGN, till="Каса 2", by_label=parts)))
    await pause()
    let_in(screen.model.lock, "4711")
    await pause()


async def hand_wrong(shop: Shop, screen: RefundScreen) -> None:
    """An amount above the receipt's total is typed."""
    await filled_by_hand(shop, screen)
    screen.hand_page.amounts[TaxLabel.E].set_text("1000")
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()


async def hand_typed(shop: Shop, screen: RefundScreen) -> None:
    """The server has no such receipt, and a manager goes on by hand."""
    shop.services.manager.save_pin(quick("4711"))
    await unknown(shop, screen)
    screen.right_side.main.click()
    let_in(screen.model.lock, "4711")
    await pause()


async def hand_done(shop: Shop, screen: RefundScreen) -> None:
    """The refund by hand is issued."""
    await filled_by_hand(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()
    await settle(shop)
    await pause()


REASONS = ("Погрешно откуцано", "Неисправна роба", "Купац се предомислио", "Погрешна величина")


async def reason(shop: Shop, screen: RefundScreen) -> None:
    """The shop's question for the reason, once all else is filled in."""
    await begin(shop, screen)
    screen.model.set_document(BuyerDraft(code="20", value="008412357"))
    screen.right_side.main.click()
    await pause()


async def pin(shop: Shop, screen: RefundScreen) -> None:
    """In this shop only a manager refunds."""
    shop.services.manager.save_pin(quick("4711"))
    await begin(shop, screen)


TOLD: dict[str, dict[str, object]] = {
    "reason": {"refund_reasons": REASONS},
    "pin": {"refund_needs_manager": True},
}
"""The till's settings in a state that needs more than the usual ones."""


async def hand_closes(shop: Shop, screen: RefundScreen) -> None:
    """An advance of another system, whose goods are handed over."""
    shop.services.manager.save_pin(quick("4711"))
    await settle(shop)
    advance = replace(
        FOREIGN,
        kind=ReceiptKind(InvoiceType.ADVANCE, TransactionType.SALE),
        buyer_id="10:106543219",
    )
    screen.go_to(RefundPlace(advance.number, HOME, advance, closes=True))
    await pause()
    let_in(screen.model.lock, "4711")
    await pause()
    screen.hand_page.amounts[TaxLabel.DJ].set_text("6000")


async def hand_closes_by_several(shop: Shop, screen: RefundScreen) -> None:
    """The advance was paid by several methods, whose sum is not yet the paid amount."""
    await hand_closes(shop, screen)
    screen.hand_page.paid[PaymentMethod.CASH].set_text("2000")
    screen.hand_page.paid[PaymentMethod.OTHER].set_text("3000")
    screen.right_side.main.click()
    await pause()


async def keys(shop: Shop, screen: RefundScreen) -> None:
    await begin(shop, screen)
    screen.toggle_keys()


_ALL: tuple[Scene, ...] = (
    refund, whole, of_advance, quantity, nothing, doubted, no_document, own_error, mixed,
    mixed_asked, card, corporate, long, less_left, refused, under_way, done, done_by_card, doubt,
    away, unknown, waits, all_gone, reason, pin, keys,
    hand_pin, filled_by_hand, hand_of_other_till, hand_wrong, hand_typed, hand_done,
    hand_closes, hand_closes_by_several,
)  # fmt: skip
SCENES = {scene.__name__: scene for scene in _ALL}


def framed(shop: Shop, ui: UiContext) -> tuple[QWidget, RefundScreen]:
    holder = QWidget()
    frame = Frame(TABLE, shop.services, ui, viewer=NotingViewer(), acts={}, parent=holder)
    shop.outbox.listen(
        on_sale=lambda sale: frame.announce(Change(ShopChange.SALES, sale)),
        on_server=lambda _: frame.announce(Change(ShopChange.SERVER)),
    )
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(hold(frame, ui))
    frame.open(REFUND)
    return holder, in_front(frame, "refund.title")


@asynccontextmanager
async def opened(shape: pictures.Shape, theme: Theme, name: str) -> AsyncIterator[QWidget]:
    """The window of one state in one shape, on the running loop."""
    with tempfile.TemporaryDirectory() as made:
        shop = Shop(Path(made), **TOLD.get(name, {}))  # type: ignore[arg-type]
        shop.server.rates, shop.server.seller_pib = RATES, "106543219"
        holder, screen = framed(shop, UiContext(theme, Texts(shape.language)))
        window = over_status(theme, holder)
        pictures.open_window(window, shape)
        await SCENES[name](shop, screen)
        await pause()
        window.activateWindow()
        await pause()
        yield window
        window.close()
        await screen.frame.tasks.close()
        counter = screen.frame.home_room
        assert isinstance(counter, Counter)
        assert not counter.bugs, counter.bugs
        window.deleteLater()
        shop.close()


posed = pictures.posed_by(opened)


if __name__ == "__main__":
    sys.exit(
        pictures.main("the refund", [(shape, tuple(SCENES)) for shape in pictures.SHAPES], posed)
    )
