from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from pos_app.cashier.customer_display.model import BuyersModel
from pos_app.cashier.customer_display.view import DisplayView
from pos_app.cashier.customer_display.words import words_of
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.sale_screen import SaleRoom
from pos_app.cashier.texts.lookup import Texts
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui import pictures
from tests.gui.crawl.posing import named
from tests.gui.inside import inside
from tests.gui.window.posed import window_posed
from tests.gui.window.shop import (
    BANANA_WEIGHED,
    BREAD,
    BUREK,
    CHEESE_WEIGHED,
    COFFEE,
    MILK,
    RATES,
    Shop,
    run,
)

LONG_URL = "https://suf.purs.gov.rs/v/?vl=" + "A1b2C3d4E5f6G7h8" * 50
"""An address as long as that of a receipt."""
ITEMS = (BREAD, BREAD, BUREK, BUREK, BANANA_WEIGHED, MILK, MILK, CHEESE_WEIGHED, COFFEE)


@dataclass
class Buyer:
    """The till behind the display, and its models."""

    shop: Shop
    window: TillWindow
    model: BuyersModel
    view: DisplayView
    picture: QImage | None = None

    @property
    def sale(self) -> SaleModel:
        return inside(self.window).model

    def sell(self, *codes: str) -> None:
        for code in codes:
            self.sale.entry.enter_code(code)
            self.model.cart_changed()
        self.shop.pause()

    def confirmed(self, sale: Sale) -> None:
        """Sign the sale, and give its receipt a code as long as that of a processor."""
        run(self.shop.serve())
        done = self.shop.database.sales.sale(sale.key)
        assert done.receipt is not None
        facts = replace(done.receipt, verification_url=LONG_URL)
        self.model.sale_moved(replace(done, receipt=facts))


def idle(_: Buyer) -> None:
    """Nothing is sold: the shop's name is shown."""


def picture(buyer: Buyer) -> None:
    buyer.picture = QImage(QSize(1200, 700), QImage.Format.Format_RGB32)
    buyer.picture.fill(QColor("#C9A227"))


def selling(buyer: Buyer) -> None:
    buyer.sell(*ITEMS)
    line = buyer.sale.cart.current_line
    buyer.sale.cart.set_discount(line.id, Percent(20))


def selling_long(buyer: Buyer) -> None:
    buyer.sell(*(str(number) for number in range(1, 31)))


def paying(buyer: Buyer) -> None:
    selling(buyer)
    panel = inside(buyer.window).work_area
    panel.pay()
    model = panel.payment.model
    model.give(model.tender.choose(PaymentMethod.CARD))
    for key in "1000":
        model.give(model.tender.key(key))


def changing(buyer: Buyer) -> None:
    paying(buyer)
    model = inside(buyer.window).work_area.payment.model
    model.give(model.tender.choose(PaymentMethod.CASH).note(Money(1000)))


def confirmed(buyer: Buyer) -> Sale:
    """The sale is confirmed, and not signed yet."""
    selling(buyer)
    buyer.sale.confirmation.pay_cash(Money(2000))
    return buyer.shop.database.sales.last(1)[0]


def signed(buyer: Buyer) -> None:
    buyer.confirmed(confirmed(buyer))


def next_sale(buyer: Buyer) -> None:
    signed(buyer)
    buyer.sell(BREAD)


def training(buyer: Buyer) -> None:
    inside(buyer.window).set_kind(DocumentKind.TRAINING)
    buyer.sell(*ITEMS)


def advance(buyer: Buyer) -> None:
    inside(buyer.window).set_kind(DocumentKind.ADVANCE)
    buyer.sell(*ITEMS)


SCENES = named(
    idle, picture, selling, selling_long, paying, changing, confirmed, signed, next_sale, training,
    advance,
)  # fmt: skip


@contextmanager
def posed(application: QApplication, shape: pictures.Shape, name: str) -> Iterator[DisplayView]:
    """The display of one scene in one shape, over a till that is not seen."""
    till = replace(shape, width=1366, height=768)
    shops: list[Shop] = []
    with window_posed(application, till, lambda shop, _: shops.append(shop)) as window:
        shop = shops[0]
        shop.server.rates = (RATES,)
        run(shop.serve())
        room = window.frame.home_room
        assert isinstance(room, SaleRoom)
        model = BuyersModel(room.model, room.payment)
        room.model.context.listen(lambda _: model.cart_changed(), SalePart.CART)
        room.model.confirmation.listen_confirmed(model.sale_confirmed)
        texts = Texts(shape.language)
        view = DisplayView(pictures.look_of(shape), texts, window)
        view.setWindowFlag(Qt.WindowType.FramelessWindowHint)
        view.resize(shape.width, shape.height)
        buyer = Buyer(shop, window, model, view)
        SCENES[name](buyer)
        view.show_words(words_of(model.content(), texts))
        view.show_picture(buyer.picture)
        view.show()
        pictures.settle()
        yield view
        view.hide()
        view.deleteLater()
