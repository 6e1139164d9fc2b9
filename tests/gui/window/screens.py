"""Pictures of the sale: everything is real but the server, also till.db, and catalogue.db with the
demo articles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import apsw
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from pos_app import errors
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.platform_memory import PlatformMemory
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.cashier.commands import TillCommand
from pos_app.cashier.sale import notices, questions
from pos_app.cashier.sale.server_acts import DrawerControl
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.article.barcodes import ReceiptCode, ShortReceiptCode
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import receipt_overview
from pos_app.domain.receipt.cart import Cart
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.server_status import ProcessorState
from pos_app.domain.receipt.verification import decode
from pos_app.selling.sale import sell, ticket
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.sale import ExchangeMoney
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.fakes.delivery_jobs import undelivered_paper
from tests.fakes.faulty_file import refused
from tests.fakes.fiscal_server import Fault
from tests.fakes.inner_connection import connection_of
from tests.fakes.verification_url import payload, url
from tests.gui import pictures
from tests.gui.attention.cases import RETURNED
from tests.gui.crawl.posing import named
from tests.gui.inside import inside
from tests.gui.parts import layout_of, more_of, only, page_in_front
from tests.gui.window.hands import other_program_comes
from tests.gui.window.posed import Pose, window_posed
from tests.gui.window.shop import (
    BANANA_WEIGHED,
    BREAD,
    BUREK,
    CHEESE_WEIGHED,
    COFFEE,
    MILK,
    Shop,
    run,
)


def fill(shop: Shop, window: TillWindow) -> None:
    """A sale is done, and the cart of the pictures is open."""
    model = inside(window).model
    for code in (BREAD, BREAD, MILK):
        model.entry.enter_code(code)
    shop.pause()
    inside(window).work_area.sale.search.search.set_text("1000")
    window.press_key(TillCommand.CASH)
    run(shop.serve())
    for code in (BREAD, BREAD, BUREK, BUREK, BANANA_WEIGHED, MILK, MILK, CHEESE_WEIGHED, COFFEE):
        model.entry.enter_code(code)
    inside(window).model.cart.set_discount(
        model.cart.ticket.cart.lines[-1].id, Percent(Quantity(20).amount)
    )


def filled(name: str, act: Pose = lambda *_: None) -> Pose:
    """The cart of the pictures, and an act on it."""

    def pose(shop: Shop, window: TillWindow) -> None:
        fill(shop, window)
        act(shop, window)

    pose.__name__ = name
    return pose


def typed(words: str) -> Pose:
    return lambda _, window: inside(window).work_area.sale.search.search.set_text(words)


def scanned(*codes: str) -> Pose:
    def act(shop: Shop, window: TillWindow) -> None:
        for code in codes:
            window.on_scan(code)

    return act


def asked(question: questions.Question) -> Pose:
    return lambda _, window: inside(window).model.questions.ask(question)


def told(notice: notices.SaleNotice) -> Pose:
    return lambda _, window: inside(window).model.context.notify(notice)


def bar_code_as_quantity(shop: Shop, window: TillWindow) -> None:
    inside(window).model.entry.type_next_quantity(Quantity(86009990))


def strip_pressed(shop: Shop, window: TillWindow) -> None:
    told(notices.LastNotice(shop.database.sales.last(1)[0]))(shop, window)


def exchange(shop: Shop, window: TillWindow) -> None:
    """Goods came back in exchange for those of the cart."""
    fill(shop, window)
    cart = inside(window).model.cart
    details = replace(cart.ticket.typed_details, goods_back=RETURNED)
    saved = sell.add_to_receipt(till=shop.till, ticket=cart.ticket, typed_details=details)
    cart.ticket_saved(saved)


def exchange_begun(shop: Shop, window: TillWindow) -> None:
    """Goods came back, and no new ones have been scanned yet."""
    inside(window).model.cart.begin_exchange(RETURNED, ticket.NOTHING_ADDED)
    window.press_key(TillCommand.PAY)


def exchange_refused(shop: Shop, window: TillWindow) -> None:
    """Another till refunded first, and the cart is open again."""
    exchange(shop, window)
    told = notices.ExchangeRefused("AAAA1111-AAAA1111-7", "", Money("300.00"))
    inside(window).model.context.notify(told, "attention")


def exchange_credited(shop: Shop, window: TillWindow) -> None:
    """The refund is signed, the sale was refused, and its cart is open again."""
    fill(shop, window)
    money = ExchangeMoney(Money(-234), Money("842.50"), Payments(), Payments())
    inside(window).model.context.notify(notices.GoodsCredited(money), "attention")


def empty(shop: Shop, window: TillWindow) -> None:
    """A sale is done: its change is the largest figure."""
    fill(shop, window)
    shop.pause()
    inside(window).work_area.sale.search.search.set_text("2000")
    window.press_key(TillCommand.CASH)
    run(shop.serve())


def first(shop: Shop, window: TillWindow) -> None:
    """A new till has sold nothing yet."""
    run(shop.serve())


def misread(shop: Shop, window: TillWindow) -> None:
    """A scan broke off while something is weighed and another scan waits."""
    fill(shop, window)
    window.on_scan("16")
    window.on_scan(MILK)
    window.on_misread("lot-00", "")


def misread_price(shop: Shop, window: TillWindow) -> None:
    """A scan broke off while a price is typed."""
    price(shop, window)
    window.on_misread("lot-00", "")


def variants(shop: Shop, window: TillWindow) -> None:
    """A product with variants was tapped."""
    fill(shop, window)
    row = next(one for one in shop.catalogue.page("ајвар", limit=5) if one.articles > 1)
    inside(window).model.entry.tap(row)


def price(shop: Shop, window: TillWindow) -> None:
    """F4 asks for the price."""
    fill(shop, window)
    window.press_key(TillCommand.PRICE)


def create(shop: Shop, window: TillWindow) -> None:
    """A new article is created on the spot."""
    fill(shop, window)
    inside(window).model.questions.ask(questions.NewArticle("8600999000014"))


def held(shop: Shop, window: TillWindow) -> None:
    """Carts are suspended."""
    fill(shop, window)
    window.press_key(TillCommand.SUSPEND)
    inside(window).model.entry.enter_code(MILK)
    window.press_key(TillCommand.SUSPEND)
    window.press_key(TillCommand.SUSPEND)


def removed(shop: Shop, window: TillWindow) -> None:
    """A line is removed, and the pad is open."""
    fill(shop, window)
    inside(window).model.cart.remove_line(inside(window).model.cart.ticket.cart.lines[2].id)
    inside(window).work_area.sale.search.pad.setChecked(True)


def emptied(shop: Shop, window: TillWindow) -> None:
    """The last line is removed, and the received amount with it."""
    begun(shop, window)
    while inside(window).model.cart.active_lines:
        window.press_key(TillCommand.REMOVE)


def payment(shop: Shop, window: TillWindow) -> None:
    """F12 opens the payment."""
    fill(shop, window)
    window.press_key(TillCommand.PAY)


def begun(shop: Shop, window: TillWindow) -> None:
    """The cashier went back from the payment, in which cash was received."""
    payment(shop, window)
    for digit in "2000":
        layout_of(inside(window).work_area.payment).board.pad.key(digit).click()
    window.press_key(TillCommand.BACK)


def practice(shop: Shop, window: TillWindow) -> None:
    """Several payments, under the banner for receipts of training."""
    shop.server.not_fiscal = True
    shop.clock.go_on(20_000)
    payment(shop, window)
    run(shop.serve())
    inside(window).top.show_kind()
    panel = inside(window).work_area.payment
    for method in (PaymentMethod.CARD, PaymentMethod.VOUCHER, PaymentMethod.CASH):
        board = layout_of(panel).board
        board.buttons.methods[method].click()
        for digit in "500":
            board.pad.key(digit).click()


def large(shop: Shop, window: TillWindow) -> None:
    fill(shop, window)
    model = inside(window).model
    lines = model.cart.active_lines[:2]
    for line, quantity in zip(lines, ("12345.678", "860099"), strict=True):
        model.cart.set_quantity(line.id, Quantity(quantity))
    model.entry.set_next_quantity(Quantity(1500000))


def away(shop: Shop, window: TillWindow) -> None:
    """The processor is away: a sale waits, and the bottom line says so."""
    fill(shop, window)
    shop.server.processor = ProcessorState.AWAY
    shop.server.faults.extend([Fault.WAIT] * 10)
    shop.clock.go_on(20_000)
    run(shop.serve(3))
    shop.pause()
    window.press_key(TillCommand.CASH)
    inside(window).model.entry.enter_code(MILK)
    run(shop.serve(3))


def no_platform(shop: Shop, window: TillWindow) -> None:
    """The platform was not reached for three days, and a manager's changes wait for it."""
    fill(shop, window)
    connection = open_writer(catalogue_file(shop.services.settings.data), durable=False)
    memory = PlatformMemory(connection, origin="https://platform.example/v2 key")
    memory.known()
    memory.away(shop.clock.now() - timedelta(days=3), "not_delivered")
    connection.close()
    for row in shop.catalogue.page(limit=12):
        changes = {"subtitle": "нови опис"}
        edit = NewEdit.changing(
            row.product_id, row.product_id, changes, by="Мира", at=shop.clock.now()
        )
        shop.desk.record(edit)


def unreadable(shop: Shop, window: TillWindow) -> None:
    """A signed sale that the server can't read: the strip, and its notice."""
    fill(shop, window)
    shop.server.damaged = True
    shop.server.faults.append(Fault.ANSWER_LOST)
    shop.clock.go_on(20_000)
    window.press_key(TillCommand.CASH)
    run(shop.serve())
    inside(window).model.entry.enter_code(BREAD)
    inside(window).model.context.notify(notices.LastNotice(shop.database.sales.last(1)[0]))


def dead_printer(shop: Shop, window: TillWindow) -> None:
    """The last receipt was issued, and its paper was not printed."""
    fill(shop, window)
    tell_unprinted(shop)


def dead_printer_empty(shop: Shop, window: TillWindow) -> None:
    """The last receipt's paper was not printed, and the cart is empty."""
    empty(shop, window)
    tell_unprinted(shop)


def drawer_shut(shop: Shop, window: TillWindow) -> None:
    """The printer is dead, and the drawer at it did not open with the sale."""
    dead_printer(shop, window)
    only(window, DrawerControl).note_shut(errors.Refused(what="The drawer stayed shut."))


def tell_unprinted(shop: Shop) -> None:
    """Let the server report that the paper of the last sale waits for a printer that is away."""
    last = shop.database.sales.last(1)[0]
    assert last.receipt is not None
    shop.server.jobs = (undelivered_paper(last.receipt.fiscal_number, shop.clock.now()),)
    shop.clock.go_on(20_000)
    run(shop.serve())


def refused_last(shop: Shop, window: TillWindow) -> None:
    """The server refused the last sale; the next one has begun."""
    refused_empty(shop, window)
    for code in (BREAD, MILK):
        inside(window).model.entry.enter_code(code)


def refused_empty(shop: Shop, window: TillWindow) -> None:
    """The server refused the last sale, and the cart is empty."""
    fill(shop, window)
    shop.server.faults.append(Fault.FIX)
    shop.clock.go_on(20_000)
    inside(window).work_area.sale.search.search.set_text("2000")
    window.press_key(TillCommand.CASH)
    run(shop.serve())


def quantity_typed(shop: Shop, window: TillWindow) -> None:
    """F3 was pressed again after Esc."""
    fill(shop, window)
    window.press_key(TillCommand.QUANTITY)
    page_in_front(window.frame, "ask.quantity").field.edit.insert("25")
    window.press_key(TillCommand.BACK)
    window.press_key(TillCommand.QUANTITY)


def full(shop: Shop, window: TillWindow) -> None:
    """The disk is full while an item is scanned."""
    fill(shop, window)
    with refused(connection_of(shop.database.sales), apsw.FullError("full")):
        inside(window).model.entry.enter_code(MILK)
        window.frame.count()


def full_attention(shop: Shop, window: TillWindow) -> None:
    """The disk is full, and Attention is open."""
    full(shop, window)
    inside(window).open("attention")


def torn(shop: Shop, window: TillWindow) -> None:
    """The catalogue can't be read, but the cart can be paid."""
    fill(shop, window)
    with refused(connection_of(shop.catalogue), apsw.CorruptError("torn")):
        inside(window).model.entry.enter_code(MILK)
        inside(window).work_area.sale.picker.rows.reload()
        inside(window).work_area.sale.picker.set_as_list(
            inside(window).work_area.sale.picker.rows.as_list
        )
        window.frame.count()


def attention(shop: Shop, window: TillWindow) -> None:
    """A sale is in doubt, and Attention is open."""
    fill(shop, window)
    shop.server.faults.extend([Fault.IN_DOUBT])
    shop.pause()
    window.press_key(TillCommand.CASH)
    run(shop.serve())
    inside(window).open("attention")


def doubted(shop: Shop, window: TillWindow) -> None:
    """A PIB whose check digit does not fit; exact cash was refused for it."""
    fill(shop, window)
    added = ticket.TypedDetails(buyer_value="123456789")
    inside(window).model.cart.ticket_saved(
        sell.add_to_receipt(
            till=shop.services.till, ticket=inside(window).model.cart.ticket, typed_details=added
        )
    )
    shop.clock.go_on(20_000)
    inside(window).work_area.sale.cash()


def offered(shop: Shop, window: TillWindow) -> None:
    """A proforma was issued: it is shown large, with nothing to collect."""
    fill(shop, window)
    inside(window).set_kind(ticket.DocumentKind.PROFORMA)
    shop.clock.go_on(20_000)
    inside(window).work_area.sale.cash()
    run(shop.serve())


def offered_before(shop: Shop, window: TillWindow) -> None:
    """The strip of a proforma over the next sale, and its notice."""
    offered(shop, window)
    for code in (BREAD, MILK):
        inside(window).model.entry.enter_code(code)
    last = inside(window).model.confirmation.last
    assert last is not None
    inside(window).model.context.notify(notices.LastNotice(last))


def goods_of_an_advance(shop: Shop, window: TillWindow) -> None:
    """An advance of another system was closed by hand: its goods are in the cart."""
    cart = inside(window).model.cart
    refund = ticket.Referent("ABCD1234-ABCD1234-7", shop.clock.now(), Money(120))
    details = ticket.TypedDetails(buyer_value="106543219", referent=refund)
    opened = sell.open_with(
        till=shop.services.till,
        ticket=cart.ticket,
        kind=ticket.DocumentKind.SALE,
        cart=Cart(),
        typed_details=details,
    )
    cart.show(opened, current=None)
    for code in (BREAD, MILK):
        inside(window).model.entry.enter_code(code)


def goods_paid(shop: Shop, window: TillWindow) -> None:
    """The payment of those goods, for the remaining amount."""
    goods_of_an_advance(shop, window)
    window.frame.run(TillCommand.PAY)


def advance_in_practice(shop: Shop, window: TillWindow) -> None:
    """The banner of an advance where all receipts are training."""
    fill(shop, window)
    shop.server.not_fiscal = True
    run(shop.serve())
    inside(window).set_kind(ticket.DocumentKind.ADVANCE)


def training(shop: Shop, window: TillWindow) -> None:
    """Training has a cart of its own, and a banner."""
    fill(shop, window)
    inside(window).set_kind(ticket.DocumentKind.TRAINING)
    inside(window).model.entry.enter_code(BUREK)


def no_articles(shop: Shop, window: TillWindow) -> None:
    """A shop before its first article was imported."""
    connection = open_writer(catalogue_file(shop.services.settings.data), durable=False)
    connection.execute("DELETE FROM product")
    connection.close()
    inside(window).work_area.sale.picker.rows.reload()
    inside(window).work_area.sale.picker.set_as_list(
        inside(window).work_area.sale.picker.rows.as_list
    )


def keyboard(shop: Shop, window: TillWindow) -> None:
    """The keyboard for touch, over the form of a new article."""
    create(shop, window)
    QApplication.processEvents()
    window.typing.open()


def keyboard_text(shop: Shop, window: TillWindow) -> None:
    """The keyboard for touch, over the payment's text."""
    fill(shop, window)
    inside(window).work_area.pay(FaultPart.TEXT)
    QApplication.processEvents()
    window.typing.open()


def training_attention(shop: Shop, window: TillWindow) -> None:
    """A sale in doubt while training is on."""
    attention(shop, window)
    inside(window).go_home()
    inside(window).set_kind(ticket.DocumentKind.TRAINING)
    inside(window).open("attention")


def behind(shop: Shop, window: TillWindow) -> None:
    """Another program is in front of a till whose receipts are all training, once it is shown."""
    advance_in_practice(shop, window)


def put_back(shop: Shop, window: TillWindow) -> None:
    """An older copy of the till was put back."""
    fill(shop, window)
    shop.server.sequences[500] = "f" * 32
    shop.server.grow(1)
    shop.clock.go_on(10_000)
    run(shop.serve())


def amount_off(shop: Shop, window: TillWindow) -> None:
    """A discount of a line in dinars."""
    fill(shop, window)
    line = inside(window).model.cart.ticket.cart.lines[-1]
    inside(window).model.cart.set_quantity(line.id, Quantity(3))
    inside(window).model.cart.set_discount(line.id, Money(50))
    window.press_key(TillCommand.PRICE)
    panel = page_in_front(window.frame, "ask.price_head")
    QTest.keyClick(panel.segment, Qt.Key.Key_Right)
    panel.field.edit.insert("70")


def no_number(shop: Shop, window: TillWindow) -> None:
    """A letter is typed in a field for a number."""
    fill(shop, window)
    window.press_key(TillCommand.QUANTITY)
    page_in_front(window.frame, "ask.quantity").field.edit.insert("25x")


def asks_price(shop: Shop, window: TillWindow) -> None:
    """The next code only shows its price."""
    fill(shop, window)
    inside(window).model.entry.set_purpose(ScanPurpose.SHOW_PRICE)


def takes_off(shop: Shop, window: TillWindow) -> None:
    """The next code removes one piece."""
    fill(shop, window)
    inside(window).model.entry.set_purpose(ScanPurpose.TAKE_OFF)


def one_voided(shop: Shop, window: TillWindow) -> None:
    """One piece was removed."""
    takes_off(shop, window)
    inside(window).model.entry.enter_code(MILK)


def price_told(shop: Shop, window: TillWindow) -> None:
    """A price is shown on request."""
    asks_price(shop, window)
    inside(window).model.entry.enter_code(MILK)


def pack_told(shop: Shop, window: TillWindow) -> None:
    """The price of a weighed pack is shown on request."""
    asks_price(shop, window)
    inside(window).model.entry.enter_code(CHEESE_WEIGHED)


def menu(shop: Shop, window: TillWindow) -> None:
    """The menu of the categories that have no room in their row."""
    fill(shop, window)
    pictures.settle()
    more_of(inside(window).work_area.sale.picker.chips).click()


PARTLY_REFUNDED = receipt_overview.ReceiptOverview(
    receipt_id="r-1",
    number="ABCD1234-WXYZ9876-11389",
    counter="8652/11389ПП",
    time=datetime(2024, 1, 1, 11, tzinfo=UTC),
    origin="local",
    operation=Operation.ISSUE,
    invoice_type=InvoiceType.NORMAL,
    transaction_type=TransactionType.SALE,
    total=Money("1674.72"),
    cashier="Касир 3",
    payments=(),
    left_by_method=(),
    deliveries=(),
    lines=(
        receipt_overview.SoldLine(
            0,
            "Хлеб",
            TaxLabel("Ђ"),
            Decimal(1),
            Money("1674.72"),
            Money("1674.72"),
            left_quantity=Decimal(1),
            left_total=Money("1000.00"),
            is_given_away=False,
        ),
    ),
    chain=(),
    acts=(
        receipt_overview.ActAllowed(receipt_overview.ReceiptAct.REFUND),
        receipt_overview.ActAllowed(receipt_overview.ReceiptAct.COPY),
    ),
    asks_e_invoice=False,
)


def read(
    answer: receipt_overview.ReceiptOverview | errors.PosError, *, copying: bool = False
) -> notices.ReceiptRead:
    """The notice of a scanned receipt with the server's answer; its code names a buyer. copying:
    the next press issues the copy."""
    code = ReceiptCode(decode(url(payload(buyer=b"10:109876542"))))
    return notices.ReceiptRead(code, answer, copying)


def scans_held(shop: Shop, window: TillWindow) -> None:
    """Another program holds the till's file for as long as the picture takes."""
    fill(shop, window)
    connection = connection_of(shop.database.sales)
    shop.until_closed.enter_context(refused(connection, apsw.BusyError("database is locked")))
    window.on_scan(MILK)
    window.on_scan(BREAD)


KEPT = Path("/home/kasa/.local/share/pos-app/till/shown/ABCD1234-ABCD1234-1.pdf")
MISSED = ("8600999000014", "8600999000021", "8600999000038")
SHORT = ShortReceiptCode(11389)
"""The bars below a receipt, which contain only the end of its number."""

SCENES = named(
    filled("sale"),
    filled("search", typed("sir")),  # words, and the list shows their hits
    empty, first,
    filled("unknown", scanned("8600999000014")),  # nobody has this code
    filled("weighs", scanned("16", MILK, BREAD)),  # no weight yet, and scans wait
    variants, price,
    filled("more", asked(questions.More())),
    filled("language", asked(questions.LanguageAndTheme())),
    filled("keys", asked(questions.KeysOfScreen())),
    filled("drop", asked(questions.VoidQuestion())),
    create, held, removed, emptied, payment, begun, away, no_platform, attention, training,
    practice,
    filled("unusual", bar_code_as_quantity),
    filled("nobodys", typed("99999")),  # digits that no article has
    filled("zero", typed("0*")),  # a quantity of zero
    large, full, full_attention, torn,
    filled("last", strip_pressed),
    filled("no_drawer", lambda _, window: window.press_key(TillCommand.DRAWER)),
    filled("shut", told(notices.NotDone("drawer", errors.NotDelivered(what="away")))),
    filled("kept_file", told(notices.FileKept(KEPT))),  # no program opens a PDF here
    quantity_typed, doubted, offered, offered_before, advance_in_practice, behind,
    goods_of_an_advance, goods_paid, dead_printer, dead_printer_empty, drawer_shut, refused_last,
    refused_empty, unreadable, no_articles, keyboard, keyboard_text, training_attention, put_back,
    scans_held, asks_price, takes_off, price_told, pack_told, one_voided,
    filled("codes_missed", scanned(*MISSED)),  # they sold nothing, one on top of others
    amount_off, no_number, misread, misread_price, menu, exchange, exchange_begun,
    exchange_refused, exchange_credited,
    filled("scanned_receipt", told(read(PARTLY_REFUNDED))),
    filled("scanned_short", told(notices.ReceiptRead(SHORT, PARTLY_REFUNDED))),
    filled("scanned_elsewhere", told(read(errors.NoSuchReceipt(what="none")))),
    filled("scanned_copying", told(read(PARTLY_REFUNDED, copying=True))),
)  # fmt: skip


@contextmanager
def posed(application: QApplication, shape: pictures.Shape, name: str) -> Iterator[TillWindow]:
    def pose(shop: Shop, window: TillWindow) -> None:
        inside(window).work_area.sale.picker.set_as_list(shape.as_list)
        SCENES[name](shop, window)

    with window_posed(application, shape, pose) as window:
        if name == behind.__name__:
            other_program_comes()
            pictures.settle()
        yield window
