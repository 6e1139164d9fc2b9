"""Pictures of the sale: everything is real but the server, also till.db, and catalogue.db with the
demo articles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

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
from pos_app.cashier.services.till_services import ToneName
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
    sold_for("1000")(shop, window, BREAD, BREAD, MILK)
    enter(window, BREAD, BREAD, BUREK, BUREK, BANANA_WEIGHED, MILK, MILK, CHEESE_WEIGHED, COFFEE)
    cart = inside(window).model.cart
    cart.set_discount(cart.ticket.cart.lines[-1].id, Percent(Quantity(20).amount))


def enter(window: TillWindow, *codes: str) -> None:
    for code in codes:
        inside(window).model.entry.enter_code(code)


def filled(name: str, *acts: Pose) -> Pose:
    def pose(shop: Shop, window: TillWindow) -> None:
        for act in (fill, *acts):
            act(shop, window)

    pose.__name__ = name
    return pose


def typed(words: str) -> Pose:
    return lambda _, window: inside(window).work_area.sale.search.search.set_text(words)


def entered(*codes: str) -> Pose:
    return lambda _, window: enter(window, *codes)


def pressed(*keys: TillCommand) -> Pose:
    def act(shop: Shop, window: TillWindow) -> None:
        for key in keys:
            window.press_key(key)

    return act


def scanned(*codes: str) -> Pose:
    def act(shop: Shop, window: TillWindow) -> None:
        for code in codes:
            window.on_scan(code)

    return act


def batches_kept(shop: Shop, window: TillWindow) -> None:
    services = shop.services
    till = services.settings.till.having(keep_batch=True)
    services.settings_here.saved = services.settings.having(till=till)
    scanned("01086099107001341024-117", "010860995110013921S-900417")(shop, window)


def asked(question: questions.Question) -> Pose:
    return lambda _, window: inside(window).model.questions.ask(question)


def reason_tapped(_: Shop, window: TillWindow) -> None:
    page_in_front(window.frame, "ask.drop").reasons[0].click()


def held_as(name: str) -> Pose:
    return lambda _, window: inside(window).model.cart.suspend_named(name)


def looked_for(words: str) -> Pose:
    return lambda _, window: page_in_front(window.frame, "ask.held").field.set_text(words)


def told(notice: notices.SaleNotice, tone: ToneName | None = None) -> Pose:
    return lambda _, window: inside(window).model.context.notify(notice, tone)


def meant(purpose: ScanPurpose) -> Pose:
    """The next code has another meaning than to be sold."""
    return lambda _, window: inside(window).model.entry.set_purpose(purpose)


def of_kind(kind: ticket.DocumentKind) -> Pose:
    return lambda _, window: inside(window).set_kind(kind)


def sold_for(cash: str) -> Callable[..., None]:
    """Cash was received for the cart, and the server was asked."""

    def act(shop: Shop, window: TillWindow, *codes: str) -> None:
        enter(window, *codes)
        shop.pause()
        typed(cash)(shop, window)
        window.press_key(TillCommand.CASH)
        run(shop.serve())

    return act


def broken(shop: Shop, window: TillWindow) -> None:
    window.on_misread("lot-00", "")


def bar_code_as_quantity(shop: Shop, window: TillWindow) -> None:
    inside(window).model.entry.type_next_quantity(Quantity(86009990))


def price_of_nothing(shop: Shop, window: TillWindow) -> None:
    inside(window).model.entry.create_typed_article(
        code=NOBODYS, name="Кеса трегерица", price=Money.ZERO, label=TaxLabel.DJ, unit_id=None
    )


def last_told(shop: Shop, window: TillWindow) -> None:
    told(notices.LastNotice(shop.database.sales.last(1)[0]))(shop, window)


def goods_back(shop: Shop, window: TillWindow) -> None:
    add_details(shop, window, goods_back=RETURNED)


def add_details(shop: Shop, window: TillWindow, **details: Any) -> None:
    cart = inside(window).model.cart
    typed_details = replace(cart.ticket.typed_details, **details)
    cart.ticket_saved(
        sell.add_to_receipt(till=shop.till, ticket=cart.ticket, typed_details=typed_details)
    )


def exchange_begun(shop: Shop, window: TillWindow) -> None:
    inside(window).model.cart.begin_exchange(RETURNED, ticket.NOTHING_ADDED)
    window.press_key(TillCommand.PAY)


def first(shop: Shop, window: TillWindow) -> None:
    run(shop.serve())


def with_variants(shop: Shop, window: TillWindow) -> None:
    row = next(one for one in shop.catalogue.page("ајвар", limit=5) if one.articles > 1)
    inside(window).model.entry.tap(row)


def line_removed(shop: Shop, window: TillWindow) -> None:
    cart = inside(window).model.cart
    cart.remove_line(cart.ticket.cart.lines[2].id)
    inside(window).work_area.sale.search.pad.setChecked(True)


def all_removed(shop: Shop, window: TillWindow) -> None:
    while inside(window).model.cart.active_lines:
        window.press_key(TillCommand.REMOVE)


def received(shop: Shop, window: TillWindow) -> None:
    window.press_key(TillCommand.PAY)
    give(window, "2000")
    window.press_key(TillCommand.BACK)


def give(window: TillWindow, digits: str) -> None:
    for digit in digits:
        layout_of(inside(window).work_area.payment).board.pad.key(digit).click()
    inside(window).work_area.payment.keep_typed()  # as 0.7 s after the last digit


def practice(shop: Shop, window: TillWindow) -> None:
    shop.server.not_fiscal = True
    shop.clock.go_on(20_000)
    window.press_key(TillCommand.PAY)
    run(shop.serve())
    inside(window).top.show_kind()
    for method in (PaymentMethod.CARD, PaymentMethod.VOUCHER, PaymentMethod.CASH):
        layout_of(inside(window).work_area.payment).board.buttons.methods[method].click()
        give(window, "500")


def large(shop: Shop, window: TillWindow) -> None:
    model = inside(window).model
    lines = model.cart.active_lines[:2]
    for line, quantity in zip(lines, ("12345.678", "860099"), strict=True):
        model.cart.set_quantity(line.id, Quantity(quantity))
    model.entry.set_next_quantity(Quantity(1500000))


def away(shop: Shop, window: TillWindow) -> None:
    shop.server.processor = ProcessorState.AWAY
    shop.server.faults.extend([Fault.WAIT] * 10)
    shop.clock.go_on(20_000)
    run(shop.serve(3))
    shop.pause()
    window.press_key(TillCommand.CASH)
    enter(window, MILK)
    run(shop.serve(3))


def no_platform(shop: Shop, window: TillWindow) -> None:
    fill(shop, window)
    connection = open_writer(catalogue_file(shop.services.settings.data), durable=False)
    memory = PlatformMemory(connection, origin="https://platform.example/v2 key")
    memory.known()
    memory.away(shop.clock.now() - timedelta(days=3), "not_delivered")
    connection.close()
    for row in shop.catalogue.page(limit=12):
        of, changes, now = row.product_id, {"subtitle": "нови опис"}, shop.clock.now()
        shop.desk.record(NewEdit.changing(of, of, changes, by="Мира", at=now))


def unreadable(shop: Shop, window: TillWindow) -> None:
    shop.server.damaged = True
    shop.server.faults.append(Fault.ANSWER_LOST)
    shop.clock.go_on(20_000)
    window.press_key(TillCommand.CASH)
    run(shop.serve())
    enter(window, BREAD)


def unprinted(shop: Shop, window: TillWindow) -> None:
    last = shop.database.sales.last(1)[0]
    shop.server.jobs = (undelivered_paper(last.receipt.fiscal_number, shop.clock.now()),)
    shop.clock.go_on(20_000)
    run(shop.serve())


def drawer_stayed_shut(shop: Shop, window: TillWindow) -> None:
    only(window, DrawerControl).note_shut(errors.Refused(what="The drawer stayed shut."))


def server_refuses(shop: Shop, window: TillWindow) -> None:
    shop.clock.go_on(20_000)
    shop.server.faults.append(Fault.FIX)
    sold_for("2000")(shop, window)


def quantity(words: str) -> Pose:
    def act(shop: Shop, window: TillWindow) -> None:
        window.press_key(TillCommand.QUANTITY)
        page_in_front(window.frame, "ask.quantity").field.edit.insert(words)

    return act


def disk_full(shop: Shop, window: TillWindow) -> None:
    with refused(connection_of(shop.database.sales), apsw.FullError("full")):
        enter(window, MILK)
        window.frame.count()


def in_attention(shop: Shop, window: TillWindow) -> None:
    inside(window).open("attention")


def torn(shop: Shop, window: TillWindow) -> None:
    with refused(connection_of(shop.catalogue), apsw.CorruptError("torn")):
        enter(window, MILK)
        read_again(window)
        window.frame.count()


def read_again(window: TillWindow) -> None:
    picker = inside(window).work_area.sale.picker
    picker.rows.reload()
    picker.set_as_list(picker.rows.as_list)


def in_doubt(shop: Shop, window: TillWindow) -> None:
    shop.server.faults.extend([Fault.IN_DOUBT])
    shop.pause()
    window.press_key(TillCommand.CASH)
    run(shop.serve())


def buyer_doubted(shop: Shop, window: TillWindow) -> None:
    add_details(shop, window, buyer_value="123456789")
    shop.clock.go_on(20_000)
    inside(window).work_area.sale.cash()


def issued(shop: Shop, window: TillWindow) -> None:
    shop.clock.go_on(20_000)
    inside(window).work_area.sale.cash()
    run(shop.serve())


def goods_of_an_advance(shop: Shop, window: TillWindow) -> None:
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
    enter(window, BREAD, MILK)


def goods_paid(shop: Shop, window: TillWindow) -> None:
    goods_of_an_advance(shop, window)
    window.frame.run(TillCommand.PAY)


def not_fiscal(shop: Shop, window: TillWindow) -> None:
    shop.server.not_fiscal = True
    run(shop.serve())


def no_articles(shop: Shop, window: TillWindow) -> None:
    connection = open_writer(catalogue_file(shop.services.settings.data), durable=False)
    connection.execute("DELETE FROM product")
    connection.close()
    read_again(window)


def with_keyboard(shop: Shop, window: TillWindow) -> None:
    QApplication.processEvents()
    window.typing.open()


def text_page(shop: Shop, window: TillWindow) -> None:
    inside(window).work_area.pay(FaultPart.TEXT)


def training_in_attention(shop: Shop, window: TillWindow) -> None:
    inside(window).go_home()
    of_kind(ticket.DocumentKind.TRAINING)(shop, window)
    in_attention(shop, window)


def copy_put_back(shop: Shop, window: TillWindow) -> None:
    shop.server.sequences[500] = "f" * 32
    shop.server.grow(1)
    shop.clock.go_on(10_000)
    run(shop.serve())


def dinars_off(shop: Shop, window: TillWindow) -> None:
    cart = inside(window).model.cart
    line = cart.ticket.cart.lines[-1]
    cart.set_quantity(line.id, Quantity(3))
    cart.set_discount(line.id, Money(50))
    window.press_key(TillCommand.PRICE)
    panel = page_in_front(window.frame, "ask.price_head")
    QTest.keyClick(panel.segment, Qt.Key.Key_Right)
    panel.field.edit.insert("70")


def discounts_that_go(shop: Shop, window: TillWindow) -> None:
    """Less of a line is asked for than its amount off, and that of the cart."""
    model = inside(window).model
    line = model.cart.ticket.cart.lines[-1]
    model.cart.set_quantity(line.id, Quantity(4))
    model.cart.set_discount(line.id, Money(400))
    ticket = sell.discount_receipt(
        till=shop.services.till, ticket=model.cart.ticket, discount=Money(1800)
    )
    model.cart.ticket_saved(ticket)
    window.press_key(TillCommand.QUANTITY)
    page_in_front(window.frame, "ask.quantity").field.edit.insert("1")


def discounts_gone(shop: Shop, window: TillWindow) -> None:
    discounts_that_go(shop, window)
    page_in_front(window.frame, "ask.quantity").enter()


def chips_menu(shop: Shop, window: TillWindow) -> None:
    pictures.settle()
    more_of(inside(window).work_area.sale.picker.chips).click()


def scans_wait(shop: Shop, window: TillWindow) -> None:
    """Another program holds the till's file for as long as the picture takes."""
    connection = connection_of(shop.database.sales)
    shop.until_closed.enter_context(refused(connection, apsw.BusyError("database is locked")))
    scanned(MILK, BREAD)(shop, window)


PARTLY_REFUNDED = receipt_overview.ReceiptOverview(
    receipt_id="r-1", number="ABCD1234-WXYZ9876-11389", counter="8652/11389ПП",
    time=datetime(2024, 1, 1, 11, tzinfo=UTC), origin="local", operation=Operation.ISSUE,
    invoice_type=InvoiceType.NORMAL, transaction_type=TransactionType.SALE,
    total=Money("1674.72"), cashier="Касир 3", payments=(), left_by_method=(), deliveries=(),
    lines=(
        receipt_overview.SoldLine(
            0, "Хлеб", TaxLabel("Ђ"), Decimal(1), Money("1674.72"), Money("1674.72"),
            left_quantity=Decimal(1), left_total=Money("1000.00"), is_given_away=False,
        ),
    ),
    chain=(),
    acts=(
        receipt_overview.ActAllowed(receipt_overview.ReceiptAct.REFUND),
        receipt_overview.ActAllowed(receipt_overview.ReceiptAct.COPY),
    ),
    asks_e_invoice=False,
)  # fmt: skip


def read(
    answer: receipt_overview.ReceiptOverview | errors.PosError, *, copying: bool = False
) -> notices.ReceiptRead:
    """The notice of a scanned receipt with the server's answer; its code names a buyer. copying:
    the next press issues the copy."""
    code = ReceiptCode(decode(url(payload(buyer=b"10:109876542"))))
    return notices.ReceiptRead(code, answer, copying)


KEPT = Path("/home/kasa/.local/share/pos-app/till/shown/ABCD1234-ABCD1234-1.pdf")
MISSED = ("8600999000014", "8600999000021", "8600999000038")
SHORT = ShortReceiptCode(11389)
"""The bars below a receipt, which contain only the end of its number."""

NOBODYS = "8600999000014"
REFUSED = notices.ExchangeRefused("AAAA1111-AAAA1111-7", "", Money("300.00"))
CREDITED = notices.GoodsCredited(
    ExchangeMoney(Money(-234), Money.ZERO, Money("842.50"), Payments(), Payments())
)
TAKEN = Payments.of({PaymentMethod.CASH: Money(59)})
PUT_ASIDE = notices.CartPutAside(Money("1674.72"), TAKEN)
TRAINS, OFFERS = of_kind(ticket.DocumentKind.TRAINING), of_kind(ticket.DocumentKind.PROFORMA)
ADVANCE = of_kind(ticket.DocumentKind.ADVANCE)
TELLS, TAKES_OFF = meant(ScanPurpose.SHOW_PRICE), meant(ScanPurpose.TAKE_OFF)
HOLD, PAY, PRICE = TillCommand.SUSPEND, TillCommand.PAY, TillCommand.PRICE

many_held = [
    act
    for name in ("Марко Петровић", "", "Сто 7", "Марија, плава јакна", "Сервис „Точак“ Марковић")
    for act in (entered(MILK, BREAD), held_as(name))
]

SCENES = named(
    filled("sale"),
    filled("search", typed("sir")),  # words, and the list shows their hits
    filled("empty", sold_for("2000")),  # the change of the last sale is the largest figure
    first,
    filled("unknown", scanned(NOBODYS)),  # nobody has this code
    filled("weighs", scanned("16", MILK, BREAD)),  # no weight yet, and scans wait
    filled("variants", with_variants),
    filled("price", pressed(PRICE)),
    filled("more", asked(questions.More())),
    filled("language", asked(questions.LanguageAndTheme())),
    filled("keys", asked(questions.KeysOfScreen())),
    filled("drop", asked(questions.VoidQuestion())),
    filled("drop_chosen", asked(questions.VoidQuestion()), reason_tapped),
    filled("create", asked(questions.NewArticle(NOBODYS))),
    filled("held", pressed(HOLD), entered(MILK), pressed(HOLD, HOLD)),  # suspended carts
    filled("held_named", *many_held, pressed(HOLD)),
    filled("held_found", *many_held, pressed(HOLD), looked_for("мар")),
    filled("held_unknown", *many_held, pressed(HOLD), looked_for("жжж")),
    filled("hold_name", pressed(TillCommand.SUSPEND_NAMED)),
    filled("removed", line_removed),
    filled("emptied", received, all_removed),
    filled("payment", pressed(PAY)),
    filled("begun", received),
    filled("away", away),
    no_platform,
    filled("attention", in_doubt, in_attention),
    filled("training", TRAINS, entered(BUREK)),
    filled("practice", practice),
    filled("unusual", bar_code_as_quantity),
    filled("free", asked(questions.NewArticle(NOBODYS)), price_of_nothing),
    filled("nobodys", typed("99999")),  # digits that no article has
    filled("zero", typed("0*")),  # a quantity of zero
    filled("large", large),
    filled("full", disk_full),
    filled("full_attention", disk_full, in_attention),
    filled("torn", torn),
    filled("last", last_told),
    filled("no_drawer", pressed(TillCommand.DRAWER)),
    filled("shut", told(notices.NotDone("drawer", errors.NotDelivered(what="away")))),
    filled("kept_file", told(notices.FileKept(KEPT))),  # no program opens a PDF here
    filled("quantity_typed", quantity("25"), pressed(TillCommand.BACK, TillCommand.QUANTITY)),
    filled("doubted", buyer_doubted),
    filled("offered", OFFERS, issued),
    filled("offered_before", OFFERS, issued, entered(BREAD, MILK), last_told),
    filled("advance_in_practice", not_fiscal, ADVANCE),
    filled("behind", not_fiscal, ADVANCE),  # once it is shown, another program comes to the front
    goods_of_an_advance,
    goods_paid,
    filled("dead_printer", unprinted),
    filled("dead_printer_empty", sold_for("2000"), unprinted),
    filled("drawer_shut", unprinted, drawer_stayed_shut),
    filled("refused_last", server_refuses, entered(BREAD, MILK)),
    filled("refused_empty", server_refuses),
    filled("unreadable", unreadable, last_told),
    no_articles,
    filled("keyboard", asked(questions.NewArticle(NOBODYS)), with_keyboard),
    filled("keyboard_text", text_page, with_keyboard),
    filled("training_attention", in_doubt, in_attention, training_in_attention),
    filled("put_back", copy_put_back),
    filled("scans_held", scans_wait),
    filled("asks_price", TELLS),
    filled("takes_off", TAKES_OFF),
    filled("price_told", TELLS, entered(MILK)),
    filled("pack_told", TELLS, entered(CHEESE_WEIGHED)),
    filled("batches", batches_kept),
    filled("pack_expired", scanned("(01)08609910700134(17)171231")),
    filled("one_voided", TAKES_OFF, entered(MILK)),
    filled("codes_missed", scanned(*MISSED)),  # they sold nothing, one on top of others
    filled("amount_off", dinars_off),
    filled("discounts_that_go", discounts_that_go),
    filled("discounts_gone", discounts_gone),
    filled("no_number", quantity("25x")),  # a letter in a field for a number
    filled("misread", scanned("16", MILK), broken),  # while another scan waits
    filled("misread_price", pressed(PRICE), broken),
    filled("menu", chips_menu),
    filled("exchange", goods_back),
    exchange_begun,
    filled("exchange_refused", goods_back, told(REFUSED, "attention")),  # another till was first
    filled("exchange_credited", told(CREDITED, "attention")),  # its sale was refused
    filled("put_aside", told(PUT_ASIDE, "attention")),  # a proforma took the cart's place
    filled("change_told", told(notices.ChangeTold(Money(941), Money(59)), "attention")),
    filled("give_back_told", told(notices.GiveBack(TAKEN, Money(941)), "attention")),
    filled("scanned_receipt", told(read(PARTLY_REFUNDED))),
    filled("scanned_short", told(notices.ReceiptRead(SHORT, PARTLY_REFUNDED))),
    filled("scanned_elsewhere", told(read(errors.NoSuchReceipt(what="none")))),
    filled("scanned_copying", told(read(PARTLY_REFUNDED, copying=True))),
)


@contextmanager
def posed(application: QApplication, shape: pictures.Shape, name: str) -> Iterator[TillWindow]:
    def pose(shop: Shop, window: TillWindow) -> None:
        inside(window).work_area.sale.picker.set_as_list(shape.as_list)
        SCENES[name](shop, window)

    with window_posed(application, shape, pose) as window:
        if name == "behind":
            other_program_comes()
            pictures.settle()
        yield window
