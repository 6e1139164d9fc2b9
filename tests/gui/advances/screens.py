"""Pictures of the advances."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from pos_app.cashier.advances.room import Wanted
from pos_app.cashier.advances.view import AdvancesScreen
from pos_app.cashier.window.screens import ADVANCES
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.receipt.open_advances import OpenAdvance, OpenAdvances
from pos_app.domain.receipt.operations import AdvancePayment, Closing, Operation
from pos_app.errors import NotDelivered
from pos_app.fiscalization.open_advances import open_advance
from pos_app.fiscalization.plans.advance import advance_lines, plan_advance
from pos_app.fiscalization.plans.close import plan_closing
from pos_app.fiscalization.plans.planned import AdvanceOrder
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.catalogue.catalogue import FoundArticle
from pos_app.selling.sale.receipt_drafts import FaultPart
from tests.fakes.fiscal_server import Fault
from tests.fakes.till import article
from tests.gui import pictures
from tests.gui.crawl.posing import answered, framed, named, opened_in, pause, settle
from tests.gui.parts import layout_of
from tests.gui.payment.shop import Shop
from tests.gui.refund.screens import stock
from tests.unit.fiscalization.plans.book import (
    BASIS,
    NOON,
    PDF,
    Book,
    advance,
    known,
    line,
    payments,
    unknown,
)

CAKE = line("Торта чоколадна 2 kg/ком", "Ђ", "1", "6400.00", sku=1)
PIE = line("Пита са вишњама 1 kg/ком", "Ђ", "2", "1250.00", sku=2)
ROOM = line("Закуп сале/дан", "Ђ", "2", "24000.00", sku=3)
SNACK = line("Ужина за децембар/ком", "Е", "120", "300.00", sku=4)
MILK = line("Јогурт 2,8 % 1 l/ком", "Ђ", "120", "120.00", sku=5)


def begun(number: int, order: AdvanceOrder, *, buyer: str | None = None, **paid: str) -> Book:
    """A chain with its first payment. number: the number of that receipt."""
    book = Book()
    label = order.lines[0].label
    shares = {label: payments(**paid).total}
    book.add(advance(order, *advance_lines(shares), buyer=buyer, **paid))
    return numbered(book, number)


def numbered(book: Book, number: int) -> Book:
    """Give that number to the receipt that was added last."""
    link = book.links[-1]
    assert link.receipt is not None
    receipt = replace(link.receipt, invoice_number=f"ABCD1234-ABCD1234-{number}")
    book.links[-1] = replace(link, id=f"request-{number}", receipt=receipt)
    return book


def paid_again(book: Book, number: int, **paid: str) -> Book:
    request = AdvancePayment(payments=payments(**paid), delivery=PDF)
    (planned,) = plan_advance(
        receipt=book.links[-1], chain=book.chain, request=request, basis=BASIS
    )
    book.add(planned, operation=Operation.ADVANCE)
    return numbered(book, number)


SIMIC = paid_again(
    begun(8117, known(CAKE, PIE), buyer="20:008412357", cash="3000.00"), 8391, card="2000.00"
)
HOTEL = begun(8377, known(ROOM), buyer="10:104982316", wiretransfer="24000.00")
SCHOOL = begun(8295, unknown(SNACK, MILK), buyer="12:101453722:12345", wiretransfer="36000.00")
COOKIES = begun(8240, known(line("Колачи за славу/ком", "Ђ", "1", "12750.00")), cash="3000.00")
PAID = begun(
    8106, known(line("Печење/ком", "Ђ", "1", "15000.00")), buyer="10:107716255", card="15000.00"
)
RENT = begun(7980, unknown(ROOM), cash="10000.00")
OLD = begun(2318, known(line("Рођенданска торта/ком", "Ђ", "1", "6000.00")), cash="4500.00")
USUAL = ((SIMIC, 6), (HOTEL, 3), (SCHOOL, 6), (COOKIES, 8), (PAID, 13), (RENT, 20), (OLD, 400))
"""The chains, with the number of days since each began."""


def told(book: Book, days: int) -> OpenAdvance:
    row = open_advance(book.chain)
    assert row is not None
    since = NOON - timedelta(days=days)
    touched = since + timedelta(days=min(days, 2))
    return replace(row, since=since, touched=touched, time=touched)


def tell(shop: Shop, *books: tuple[Book, int], is_whole: bool = True) -> None:
    """Let the server list these advances from now on."""
    shop.receipts.open = OpenAdvances(tuple(told(*one) for one in books), is_whole)
    for book, _ in books:
        show(shop, book)


def show(shop: Shop, book: Book) -> None:
    """Let the server show each receipt of a chain."""
    for link in book.links:
        assert link.receipt is not None
        overview = overview_of(link, book.chain, jobs=(), origin="till")
        shop.receipts.details[link.receipt.invoice_number] = ShownReceipt(overview, None)


async def begin(shop: Shop, screen: AdvancesScreen, *books: tuple[Book, int]) -> None:
    tell(shop, *(books or USUAL))
    await settle(shop)
    screen.room.ask()
    await pause()
    await pause()


async def choose(screen: AdvancesScreen, place: int) -> None:
    for _ in range(place):
        screen.model.step(1)
    screen.room.open_chosen()
    await pause()


async def open_ones(shop: Shop, screen: AdvancesScreen) -> None:
    """The open advances of the picture."""
    await begin(shop, screen)


async def empty(shop: Shop, screen: AdvancesScreen) -> None:
    """There is no open advance."""
    shop.receipts.open = OpenAdvances((), True)
    await settle(shop)
    screen.room.ask()
    await pause()


async def away(shop: Shop, screen: AdvancesScreen) -> None:
    """The server does not answer."""
    shop.receipts.fault = NotDelivered(what="nobody there")
    await settle(shop)
    screen.room.ask()
    await pause()


async def not_whole(shop: Shop, screen: AdvancesScreen) -> None:
    """The server is still making its list."""
    tell(shop, *USUAL, is_whole=False)
    await settle(shop)
    screen.room.ask()
    await pause()
    await pause()


async def search_typed(shop: Shop, screen: AdvancesScreen) -> None:
    """A search is typed."""
    await begin(shop, screen)
    screen.list.list.search.edit.setFocus()
    screen.list.list.search.edit.insert("торт")
    await pause()


async def none_found(shop: Shop, screen: AdvancesScreen) -> None:
    await begin(shop, screen)
    screen.list.list.search.edit.setFocus()
    screen.list.list.search.edit.insert("999")
    await pause()


async def paid(shop: Shop, screen: AdvancesScreen) -> None:
    """The advance is paid whole."""
    await begin(shop, screen)
    await choose(screen, 4)


async def not_known(shop: Shop, screen: AdvancesScreen) -> None:
    """The final amount is unknown."""
    await begin(shop, screen)
    await choose(screen, 2)


async def many(shop: Shop, screen: AdvancesScreen) -> None:
    """Sixty advances of large amounts, with long names and chains."""
    order = known(
        *(line(f"Намештај по мери број {at}/ком", "Ђ", "1", "999999.99") for at in range(9))
    )
    books = []
    for at in range(60):
        book = begun(9000 + at, order, buyer="10:123456788", cash="123456.78")
        for more in range(at % 6):
            paid_again(book, 9100 + 10 * at + more, card="111111.11")
        books.append((book, 6 * at))
    await begin(shop, screen, *books)
    await choose(screen, 5)


async def payment(shop: Shop, screen: AdvancesScreen) -> None:
    """A further payment is typed."""
    await begin(shop, screen)
    screen.want(Wanted.PAYMENT)
    await pause()
    for key in "1500":
        layout_of(screen.payment).board.pad.pressed.emit(key)
    await pause()


async def payment_nothing(shop: Shop, screen: AdvancesScreen) -> None:
    """A further payment is open, before anything is given."""
    await begin(shop, screen)
    screen.want(Wanted.PAYMENT)
    await pause()


async def split(shop: Shop, screen: AdvancesScreen) -> None:
    """A payment on an unknown amount with two labels is split."""
    await begin(shop, screen)
    await choose(screen, 2)
    screen.want(Wanted.PAYMENT)
    await pause()
    screen.payment.open_page(FaultPart.ADVANCE)
    await pause()


async def closing(shop: Shop, screen: AdvancesScreen) -> None:
    """The closing, with the remaining amount filled in."""
    await begin(shop, screen)
    screen.want(Wanted.CLOSING)
    await pause()


async def items(shop: Shop, screen: AdvancesScreen) -> None:
    """Several items of an unknown amount are to be named."""
    await begin(shop, screen)
    await choose(screen, 2)
    screen.want(Wanted.CLOSING)
    await pause()


async def items_below(shop: Shop, screen: AdvancesScreen) -> None:
    """The items cost less than was paid."""
    await items(shop, screen)
    assert screen.items is not None
    screen.items.quantities[0].set_text("10")
    await pause()


async def items_past_day(shop: Shop, screen: AdvancesScreen) -> None:
    """A pack whose last day is over is scanned at the closing."""
    await items(shop, screen)
    assert screen.items is not None
    screen.items.ask_about_day(
        FoundArticle(article("Млеко 2,8 % 1 l"), good_until=date(2017, 12, 31))
    )
    await pause()


async def rest_unknown(shop: Shop, screen: AdvancesScreen) -> None:
    """One line of unknown amount is closed at the amount that is paid."""
    await begin(shop, screen)
    await choose(screen, 5)
    screen.want(Wanted.CLOSING)
    await pause()


async def under_way(shop: Shop, screen: AdvancesScreen) -> None:
    """The closing is being issued."""
    await closing(shop, screen)
    layout_of(screen.payment).issue.click()
    await pause()


async def done(shop: Shop, screen: AdvancesScreen) -> None:
    """The closing is issued, with change."""
    await begin(shop, screen)
    screen.want(Wanted.CLOSING)
    await pause()
    model = screen.payment.model
    assert model is not None
    model.give(model.tender.note(payments(cash="5000").total))
    layout_of(screen.payment).issue.click()
    request = Closing(payments=payments(cash="5000.00"), delivery=PDF)
    book = Book()
    book.links = [*SIMIC.links]
    refund, sold = plan_closing(
        receipt=book.links[-1], chain=book.chain, request=request, items=(), basis=BASIS
    )
    book.add(refund, sold, operation=Operation.CLOSE)
    show(shop, numbered(book, 8598))
    for number in list_numbers(book):
        shop.receipts.details.setdefault(number, shop.receipts.details["ABCD1234-ABCD1234-8598"])
    shop.receipts.open = OpenAdvances(tuple(told(*one) for one in USUAL[1:]), True)
    await answered(shop)
    await pause()


def list_numbers(book: Book) -> tuple[str, ...]:
    """The numbers that the fake server of receipts gives to signed receipts."""
    return tuple(f"ABCD1234-ABCD1234-{counter}" for counter in range(1, 20))


async def refused(shop: Shop, screen: AdvancesScreen) -> None:
    """The server refused the closing."""
    await under_way(shop, screen)
    shop.server.faults.append(Fault.FIX)
    await answered(shop)


async def doubt(shop: Shop, screen: AdvancesScreen) -> None:
    """Nobody knows whether the closing was issued."""
    await under_way(shop, screen)
    shop.server.faults.append(Fault.IN_DOUBT)
    await answered(shop, 60)


async def keys(shop: Shop, screen: AdvancesScreen) -> None:
    await begin(shop, screen)
    screen.toggle_keys()


SCENES = named(
    open_ones, empty, away, not_whole, search_typed, none_found, paid, not_known, many, payment,
    payment_nothing, split, closing, items, items_below, items_past_day, rest_unknown, under_way,
    done, refused,
    doubt, keys,
)  # fmt: skip
opened = opened_in(framed(ADVANCES, "adv.title"), SCENES, stock=stock)
posed = pictures.posed_by(opened)
