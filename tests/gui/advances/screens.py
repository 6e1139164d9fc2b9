from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from pos_app.cashier.advances.room import Wanted
from pos_app.cashier.advances.view import AdvancesScreen
from pos_app.cashier.payment.advance_form import AdvanceForm
from pos_app.cashier.window.screens import ADVANCES
from pos_app.documents.shown_receipt import ShownReceipt
from pos_app.domain.receipt.open_advances import OpenAdvance, OpenAdvances
from pos_app.domain.receipt.operations import AdvancePayment, Closing, Operation
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
from tests.gui.crawl.posing import (
    Act,
    answered,
    answered_with,
    awaited,
    framed,
    keys_listed,
    opened_in,
    pause,
    receipts_fail,
    settle,
)
from tests.gui.parts import layout_of, only
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
    shop.receipts.open = OpenAdvances(tuple(told(*one) for one in books), is_whole)
    for book, _ in books:
        show(shop, book)


def show(shop: Shop, book: Book) -> None:
    for link in book.links:
        overview = overview_of(link, book.chain, jobs=(), origin="till")
        shop.receipts.details[link.receipt.invoice_number] = ShownReceipt(overview, None)


async def listed(shop: Shop, screen: AdvancesScreen) -> None:
    await settle(shop)
    screen.room.ask()
    await pause()
    await pause()


async def begin(shop: Shop, screen: AdvancesScreen, *books: tuple[Book, int]) -> None:
    tell(shop, *(books or USUAL))
    await listed(shop, screen)


def chosen(place: int) -> Act:
    async def act(__: Shop, screen: AdvancesScreen) -> None:
        for _ in range(place):
            screen.model.step(1)
        screen.room.open_chosen()
        await pause()

    return act


def wanted(what: Wanted) -> Act:
    async def act(_: Shop, screen: AdvancesScreen) -> None:
        screen.want(what)
        await pause()

    return act


def searched(words: str) -> Act:
    async def act(_: Shop, screen: AdvancesScreen) -> None:
        screen.list.list.search.edit.setFocus()
        screen.list.list.search.edit.insert(words)
        await pause()

    return act


async def sixty(shop: Shop, screen: AdvancesScreen) -> None:
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


async def typed(_: Shop, screen: AdvancesScreen) -> None:
    for key in "1500":
        layout_of(screen.payment).board.pad.pressed.emit(key)
    await pause()


async def parts_typed(_: Shop, screen: AdvancesScreen) -> None:
    for field in only(screen, AdvanceForm).label_fields.values():
        field.set_text("10")
        field.end_typing()
    await pause()


async def few_goods(_: Shop, screen: AdvancesScreen) -> None:
    screen.items.quantities[0].set_text("10")
    await pause()


async def past_day(_: Shop, screen: AdvancesScreen) -> None:
    screen.items.ask_about_day(
        FoundArticle(article("Млеко 2,8 % 1 l"), good_until=date(2017, 12, 31))
    )
    await pause()


async def issue(_: Shop, screen: AdvancesScreen) -> None:
    layout_of(screen.payment).issue.click()
    await pause()


async def issued_with_change(shop: Shop, screen: AdvancesScreen) -> None:
    model = screen.payment.model
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
    for counter in range(1, 20):  # the numbers that the server in memory signs with
        details = shop.receipts.details
        details.setdefault(f"ABCD1234-ABCD1234-{counter}", details["ABCD1234-ABCD1234-8598"])
    shop.receipts.open = OpenAdvances(tuple(told(*one) for one in USUAL[1:]), True)
    await answered(shop)
    await pause()


PAYMENT = awaited(begin, wanted(Wanted.PAYMENT))
CLOSING = awaited(begin, wanted(Wanted.CLOSING))
UNDER_WAY = awaited(CLOSING, issue)
NOT_KNOWN = awaited(begin, chosen(2))  # the final amount is unknown
ITEMS = awaited(NOT_KNOWN, wanted(Wanted.CLOSING))
SPLIT = awaited(  # a payment on an unknown amount with two labels
    NOT_KNOWN,
    wanted(Wanted.PAYMENT),
    typed,
    lambda _, screen: screen.payment.open_page(FaultPart.ADVANCE),
    pause,
)
SCENES = {
    "open_ones": begin,
    "empty": awaited(lambda shop, _: tell(shop), listed),
    "away": awaited(receipts_fail, listed),
    "not_whole": awaited(lambda shop, _: tell(shop, *USUAL, is_whole=False), listed),
    "search_typed": awaited(begin, searched("торт")),
    "none_found": awaited(begin, searched("999")),
    "paid": awaited(begin, chosen(4)),
    "not_known": NOT_KNOWN,
    "many": awaited(sixty, chosen(5)),
    "payment": awaited(PAYMENT, typed),
    "payment_nothing": PAYMENT,
    "split": SPLIT,
    "split_wrong": awaited(SPLIT, parts_typed),
    "closing": CLOSING,
    "items": ITEMS,
    "items_below": awaited(ITEMS, few_goods),
    "items_past_day": awaited(ITEMS, past_day),
    "rest_unknown": awaited(begin, chosen(5), wanted(Wanted.CLOSING)),
    "under_way": UNDER_WAY,
    "done": awaited(CLOSING, issued_with_change),
    "refused": awaited(UNDER_WAY, answered_with(Fault.FIX)),
    "doubt": awaited(UNDER_WAY, answered_with(Fault.IN_DOUBT, steps=60)),
    "keys": awaited(begin, keys_listed),
}
opened = opened_in(framed(ADVANCES, "adv.title"), SCENES, stock=stock)
posed = pictures.posed_by(opened)
