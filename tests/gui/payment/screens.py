"""Pictures of the payment: the real panel over a real till.db, beside the look's example of a
cart."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from pos_app.cashier.payment.view import PaymentPanel
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.ui.choices import ChipRow
from pos_app.cashier.ui.context import UiContext
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.sale import sell
from pos_app.selling.sale.receipt_drafts import FaultPart
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.printer_setup import IN_THE_SHOP
from tests.gui import pictures
from tests.gui.attention.cases import RETURNED
from tests.gui.crawl.posing import named as scenes_named
from tests.gui.parts import form_of, layout_of, more_of
from tests.gui.payment.shop import Shop, named
from tests.gui.ui.screens import cart_column, frame

Scene = Callable[[Shop, PaymentPanel], None]


def scene(name: str, *acts: Scene) -> Scene:
    """The payment of the pictures after these acts."""

    def pose(shop: Shop, panel: PaymentPanel) -> None:
        for act in acts:
            act(shop, panel)

    pose.__name__ = name
    return pose


def keyed(keys: str) -> Scene:
    def act(shop: Shop, panel: PaymentPanel) -> None:
        for key in keys:
            layout_of(panel).board.pad.key(key).click()

    return act


def by(method: PaymentMethod) -> Scene:
    return lambda _, panel: layout_of(panel).board.buttons.methods[method].click()


def issue(shop: Shop, panel: PaymentPanel) -> None:
    layout_of(panel).issue.click()


def page(part: FaultPart, **texts: str) -> Scene:
    """A page is opened, and its fields are filled."""

    def act(shop: Shop, panel: PaymentPanel) -> None:
        panel.open_page(part)
        for field, text in texts.items():
            getattr(form_of(panel), field).set_text(text)

    return act


def of_kind(kind: DocumentKind) -> Scene:
    return lambda shop, panel: panel.begin(shop.basket(kind))


def bread_scanned(shop: Shop, panel: PaymentPanel) -> None:
    bread = named("Хлеб ражани 400 g", "429.99")
    panel.ticket_changed(shop.add(panel.model.ticket, bread))


def corporate_card(shop: Shop, panel: PaymentPanel) -> None:
    form_of(panel).corporate.click()


def text(shop: Shop, panel: PaymentPanel) -> None:
    panel.open_page(FaultPart.TEXT)
    form_of(panel).edit.setPlainText("Хвала на поверењу.\nРекламације у року од 8 дана.")


def unknown_amount(shop: Shop, panel: PaymentPanel) -> None:
    form = form_of(panel)
    form.final.chosen.emit(1)
    form.final.set_current(1)
    form.label_fields[TaxLabel.E].set_text("600")
    form.label_fields[TaxLabel.DJ].set_text("300")


def with_printer(shop: Shop, panel: PaymentPanel) -> None:
    shop.services.printers.saved = IN_THE_SHOP


def exchange_equal(shop: Shop, panel: PaymentPanel) -> None:
    returned(str(panel.cart_model.ticket.cart.total.amount))(shop, panel)


def returned(cash: str, *, card: str = "0") -> Scene:
    def act(shop: Shop, panel: PaymentPanel) -> None:
        paid = {PaymentMethod.CASH: Money(cash), PaymentMethod.CARD: Money(card)}
        goods = replace(RETURNED, payments=Payments.of(paid), total=Payments.of(paid).total)
        ticket = panel.cart_model.ticket
        details = replace(ticket.typed_details, goods_back=goods)
        panel.begin(sell.add_to_receipt(till=shop.till, ticket=ticket, typed_details=details))

    return act


def change_told(shop: Shop, panel: PaymentPanel) -> None:
    """The cart is that of a refused sale, which told its change."""
    ticket = panel.cart_model.ticket
    given = [(PaymentMethod.CASH, Money("1000"))]
    details = ticket.typed_details.paying(given, Money("941"))
    panel.begin(sell.add_to_receipt(till=shop.till, ticket=ticket, typed_details=details))


def pad_opened(shop: Shop, panel: PaymentPanel) -> None:
    layout_of(panel).head.numbers.click()


def cart_changed(shop: Shop, panel: PaymentPanel) -> None:
    """The cart was changed behind the panel's back."""
    shop.add(panel.model.ticket, named("Переца", "45.00"))


def chips_menu(shop: Shop, panel: PaymentPanel) -> None:
    pictures.settle()
    for row in form_of(panel).findChildren(ChipRow)[:1]:
        more_of(row).click()


def keys(shop: Shop, panel: PaymentPanel) -> None:
    QTest.keyClick(panel, Qt.Key.Key_F1)


def with_firms(shop: Shop, panel: PaymentPanel) -> None:
    firms = {
        "10:100000049": "Алфа градња д.о.о.",
        "12:100000057:12345": "Градска управа за финансије",
        "10:100000065": "СЗТР „Градина“",
        "10:100000073": "Виноград Градац д.о.о. Ваљево",
        "10:100000081": "",
    }
    shop.services.buyers.take_in(
        [KnownBuyer(BuyerId.parse(one), name) for one, name in firms.items()]
    )


def four_lines(shop: Shop, panel: PaymentPanel) -> None:
    for method in (PaymentMethod.CARD, PaymentMethod.VOUCHER, PaymentMethod.CHECK):
        by(method)(shop, panel)
        keyed("100")(shop, panel)
    by(PaymentMethod.CASH)(shop, panel)
    keyed("99999999999")(shop, panel)


CARD, CASH = by(PaymentMethod.CARD), by(PaymentMethod.CASH)
BUYER, ADVANCE = FaultPart.BUYER, of_kind(DocumentKind.ADVANCE)
MIXED = (CARD, keyed("1000"), CASH, keyed("1000"))

SCENES = scenes_named(
    scene("mixed", *MIXED),  # card and cash, with change
    scene("empty"),
    scene("remaining", CARD, keyed("1000")),
    scene("excess", CARD, keyed("2000")),
    scene("scanned", *MIXED, bread_scanned),
    scene("buyer", page(BUYER, number="10987654")),  # a digit is missing
    scene("buyer_found", with_firms, page(BUYER, number="град")),
    scene("buyer_known", with_firms, page(BUYER, number="100000065")),
    scene("buyer_new", page(BUYER, number="100000090")),  # a firm without a name
    scene("corporate", page(BUYER, number="123456789"), corporate_card),  # it looks mistyped
    scene("corporate_after_card", CARD, keyed("2000"), page(BUYER), corporate_card),  # goes back
    change_told,
    scene("delivery", page(FaultPart.DELIVERY)),
    scene("discount", page(FaultPart.DISCOUNT, value="10")),
    text,
    scene("advance", ADVANCE, page(FaultPart.ADVANCE, amount="1000"), unknown_amount),
    scene("advance_part", with_printer, ADVANCE, keyed("500")),
    scene("proforma", of_kind(DocumentKind.PROFORMA)),
    scene("refused", cart_changed, CARD, issue),
    scene("numbers", CARD, keyed("1000"), pad_opened),
    scene("wrong", page(BUYER, number="10987654"), issue),  # the form stays and says why
    scene("doubtful", page(BUYER, number="123456789"), issue),  # its check digit does not fit
    scene("unusual", keyed("86009990"), issue),  # the cash is far above the receipt
    keys,
    scene("largest", four_lines),
    scene("menu", page(BUYER), chips_menu),
    scene("exchange_back", returned("2234.50")),  # the goods that came back cost more
    scene("exchange_more", returned("900.00", card="300.00"), keyed("1000")),  # less; a note
    scene("exchange_card", returned("0", card="2234.50")),  # more, by card
    exchange_equal,
)
WITHOUT_A_SALE = ("advance", "advance_part", "proforma")


@contextmanager
def posed(application: QApplication, shape: pictures.Shape, name: str) -> Iterator[QWidget]:
    with (
        pictures.styled(application, pictures.look_of(shape)) as look,
        tempfile.TemporaryDirectory() as made,
    ):
        shop = Shop(Path(made))
        panel = PaymentPanel(shop.services, UiContext(look, Texts(shape.language)))
        panel.confirm_cart = SaleModel(shop.services).confirmation.confirm_cart
        window = frame(look, cart_column(look, shape.width, is_current=False), panel)
        pictures.open_window(window, shape)
        if name not in WITHOUT_A_SALE:
            panel.begin(shop.basket())
        SCENES[name](shop, panel)
        pictures.settle()
        yield window
        pictures.let_go(window)
        shop.close()
