"""Pictures of the payment: the real panel over a real till.db, beside the look's example of a
cart."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
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


def type_keys(panel: PaymentPanel, keys: str) -> None:
    for key in keys:
        layout_of(panel).board.pad.key(key).click()


def choose(panel: PaymentPanel, method: PaymentMethod) -> None:
    layout_of(panel).board.buttons.methods[method].click()


def issue(panel: PaymentPanel) -> None:
    layout_of(panel).issue.click()


def empty(shop: Shop, panel: PaymentPanel) -> None:
    """Nothing is given yet."""


def mixed(shop: Shop, panel: PaymentPanel) -> None:
    """The picture's payment: card and cash, with change."""
    choose(panel, PaymentMethod.CARD)
    type_keys(panel, "1000")
    choose(panel, PaymentMethod.CASH)
    type_keys(panel, "1000")


def remaining(shop: Shop, panel: PaymentPanel) -> None:
    """A card has paid a part."""
    choose(panel, PaymentMethod.CARD)
    type_keys(panel, "1000")


def excess(shop: Shop, panel: PaymentPanel) -> None:
    """The card exceeds the receipt."""
    choose(panel, PaymentMethod.CARD)
    type_keys(panel, "2000")


def scanned(shop: Shop, panel: PaymentPanel) -> None:
    """A scan during payment."""
    mixed(shop, panel)
    assert panel.model is not None
    bread = named("Хлеб ражани 400 g", "429.99")
    panel.ticket_changed(shop.add(panel.model.ticket, bread))


def buyer(shop: Shop, panel: PaymentPanel) -> None:
    """A digit of the buyer's number is missing."""
    panel.open_page(FaultPart.BUYER)
    form_of(panel).number.set_text("10987654")


def corporate(shop: Shop, panel: PaymentPanel) -> None:
    """The buyer has a corporate card and a PIB that looks mistyped."""
    panel.open_page(FaultPart.BUYER)
    form_of(panel).number.set_text("123456789")
    form_of(panel).corporate.click()


def delivery(shop: Shop, panel: PaymentPanel) -> None:
    panel.open_page(FaultPart.DELIVERY)


def discount(shop: Shop, panel: PaymentPanel) -> None:
    panel.open_page(FaultPart.DISCOUNT)
    form_of(panel).value.set_text("10")


def text(shop: Shop, panel: PaymentPanel) -> None:
    panel.open_page(FaultPart.TEXT)
    form_of(panel).edit.setPlainText("Хвала на поверењу.\nРекламације у року од 8 дана.")


def advance(shop: Shop, panel: PaymentPanel) -> None:
    """The advance's form, with an unknown amount."""
    panel.begin(shop.basket(DocumentKind.ADVANCE))
    panel.open_page(FaultPart.ADVANCE)
    form = form_of(panel)
    form.amount.set_text("1000")
    form.final.chosen.emit(1)
    form.final.set_current(1)
    form.label_fields[TaxLabel.E].set_text("600")
    form.label_fields[TaxLabel.DJ].set_text("300")


def advance_part(shop: Shop, panel: PaymentPanel) -> None:
    """A part of an advance is given; a receipt printer is set up."""
    shop.services.printers.saved = IN_THE_SHOP
    panel.begin(shop.basket(DocumentKind.ADVANCE))
    type_keys(panel, "500")


def proforma(shop: Shop, panel: PaymentPanel) -> None:
    """The payment of a proforma, with the options' words for it."""
    panel.begin(shop.basket(DocumentKind.PROFORMA))


def exchange_back(shop: Shop, panel: PaymentPanel) -> None:
    """The goods that came back cost more."""
    exchange(shop, panel, "2234.50")


def exchange_more(shop: Shop, panel: PaymentPanel) -> None:
    """The goods that came back cost less, and were paid in two ways; a note is given."""
    exchange(shop, panel, "900.00", card="300.00")
    type_keys(panel, "1000")


def exchange_card(shop: Shop, panel: PaymentPanel) -> None:
    """The goods that came back cost more, and were paid by card."""
    exchange(shop, panel, "0", card="2234.50")


def exchange_equal(shop: Shop, panel: PaymentPanel) -> None:
    """The goods that came back cost the same."""
    assert panel.cart_model is not None
    exchange(shop, panel, str(panel.cart_model.ticket.cart.total.amount))


def exchange(shop: Shop, panel: PaymentPanel, cash: str, *, card: str = "0") -> None:
    paid = {PaymentMethod.CASH: Money(cash), PaymentMethod.CARD: Money(card)}
    goods = replace(RETURNED, payments=Payments.of(paid), total=Payments.of(paid).total)
    assert panel.cart_model is not None
    ticket = panel.cart_model.ticket
    details = replace(ticket.typed_details, goods_back=goods)
    panel.begin(sell.add_to_receipt(till=shop.till, ticket=ticket, typed_details=details))


def numbers(shop: Shop, panel: PaymentPanel) -> None:
    """The folded pad is open."""
    remaining(shop, panel)
    layout_of(panel).head.numbers.click()


def refused(shop: Shop, panel: PaymentPanel) -> None:
    """The cart was changed behind the panel's back."""
    assert panel.model is not None
    shop.add(panel.model.ticket, named("Переца", "45.00"))
    choose(panel, PaymentMethod.CARD)
    issue(panel)


def wrong(shop: Shop, panel: PaymentPanel) -> None:
    """Enter was pressed on half a number: the form stays and says why."""
    buyer(shop, panel)
    issue(panel)


def doubtful(shop: Shop, panel: PaymentPanel) -> None:
    """Enter was pressed on a number whose check digit does not fit."""
    panel.open_page(FaultPart.BUYER)
    form_of(panel).number.set_text("123456789")
    issue(panel)


def unusual(shop: Shop, panel: PaymentPanel) -> None:
    """The cash is far above the receipt."""
    type_keys(panel, "86009990")
    issue(panel)


def menu(shop: Shop, panel: PaymentPanel) -> None:
    """The menu of the kinds of buyers that have no room in their row."""
    panel.open_page(FaultPart.BUYER)
    pictures.settle()
    for row in form_of(panel).findChildren(ChipRow)[:1]:
        more_of(row).click()


def keys(shop: Shop, panel: PaymentPanel) -> None:
    QTest.keyClick(panel, Qt.Key.Key_F1)


def largest(shop: Shop, panel: PaymentPanel) -> None:
    """The largest amount is typed into one of four payments."""
    for method in (PaymentMethod.CARD, PaymentMethod.VOUCHER, PaymentMethod.CHECK):
        choose(panel, method)
        type_keys(panel, "100")
    choose(panel, PaymentMethod.CASH)
    type_keys(panel, "99999999999")


SCENES = scenes_named(
    mixed, empty, remaining, excess, scanned, buyer, corporate, delivery, discount, text, advance,
    advance_part, proforma, refused, numbers, wrong, doubtful, unusual, keys, largest, menu,
    exchange_back, exchange_more, exchange_card, exchange_equal,
)  # fmt: skip


@contextmanager
def posed(application: QApplication, shape: pictures.Shape, name: str) -> Iterator[QWidget]:
    scene = SCENES[name]
    with (
        pictures.styled(application, pictures.look_of(shape)) as look,
        tempfile.TemporaryDirectory() as made,
    ):
        shop = Shop(Path(made))
        panel = PaymentPanel(shop.services, UiContext(look, Texts(shape.language)))
        panel.confirm_cart = SaleModel(shop.services).confirmation.confirm_cart
        window = frame(look, cart_column(look, shape.width, is_current=False), panel)
        pictures.open_window(window, shape)
        if scene not in (advance, advance_part, proforma):
            panel.begin(shop.basket())
        scene(shop, panel)
        pictures.settle()
        yield window
        pictures.let_go(window)
        shop.close()
