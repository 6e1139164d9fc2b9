"""Pages of the payment: the buyer, mail to a firm, an advance of unknown amount."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.verification import decode
from pos_app.domain.text.search_text import fold
from pos_app.selling.buyers.buyer_book import BuyerBook, KnownBuyer
from pos_app.selling.sale import receipt_drafts
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.contract.selling.test_sales import bring
from tests.gui.attention.doubts import verification_url
from tests.gui.payment.conftest import Paying
from tests.gui.payment.shop import Shop


def body(pay: Paying) -> str:
    """The frozen request, as the plain codec of the tests writes it."""
    return pay.shop.store.sales.body(pay.confirmed[-1].sale.key).decode()


def test_the_qr_of_an_earlier_receipt_fills_the_buyer(pay: Paying) -> None:
    pay.press("2000")
    receipt = decode(verification_url(buyer="10:123456788"))
    assert pay.panel.receipt_scanned(receipt)
    assert pay.news == "Купац је преузет са рачуна"
    assert pay.button("Купац").accessibleName().endswith("123456788")
    assert not pay.panel.receipt_scanned(decode(verification_url(buyer="")))
    assert pay.button("Купац").accessibleName().endswith("123456788")


ALFA, BETA = BuyerId.parse("10:100000049"), BuyerId.parse("12:100000057:12345")


def with_book(pay: Paying) -> BuyerBook:
    """The book has two firms that were on receipts, Alfa on the last one."""
    pay.anew()
    if not pay.shop.services.buyers.count():
        for buyer, name, email in (
            (BETA, "Градска управа", ""),
            (ALFA, "Алфа Градња д.о.о.", "alfa@example.rs"),
        ):
            pay.shop.services.buyers.take_in([KnownBuyer(buyer, name, email)])
            pay.press("F5", fold(name)[:4], "Enter", "Enter", "Enter")
            bring(pay.shop.store, pay.confirmed[-1].sale.key, SaleState.DONE)
            pay.anew()
    return pay.shop.services.buyers


def test_the_address_of_a_firm_stands_there_once_mail_is_wanted(pay: Paying) -> None:
    with_book(pay)
    ways = (receipt_drafts.DeliveryWay.PDF, receipt_drafts.DeliveryWay.EMAIL)
    pay.panel.model.delivery = receipt_drafts.DeliveryDraft(ways, frozenset(ways[:1]))
    pay.press("F5", "alf", "Enter")
    pay.tap("Рачун купцу")
    pay.tap("Имејл")
    assert pay.form.email.text() == pay.panel.model.delivery.email == "alfa@example.rs"
    pay.press("Enter", "F5", "Back")
    assert pay.panel.model.delivery.email == "", "another firm's address is not this one's"


def test_an_advance_of_unknown_amount_and_a_transfer_of_yesterday(
    shop: Shop, show: Callable[..., Paying]
) -> None:
    pay = show(shop)
    pay.begin(shop.basket(DocumentKind.ADVANCE))
    pay.panel.open_page(receipt_drafts.FaultPart.ADVANCE)
    pay.press("1000", "Tab", "Tab", "600", "Tab", "400")
    form = pay.form
    assert form is not None
    final = form.final
    QTest.keyClick(final, Qt.Key.Key_Right)
    form.day.setFocus()
    pay.press("19.11.2026", "Enter", "Alt+3", "Enter")
    frozen = body(pay)
    assert "unknown_amount_advance=True" in frozen
    assert "datetime.datetime(2026, 11, 19, 11, 0" in frozen
