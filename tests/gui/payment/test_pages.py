"""The pages of the payment: buyer, corporate card, delivery, discount, text, advance."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from pos_app.cashier.ui.button_face import ButtonKind
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.verification import decode
from pos_app.domain.text.search_text import fold
from pos_app.errors import DatabaseBusy, PosError
from pos_app.selling.buyers.buyer_book import BuyerBook, KnownBuyer
from pos_app.selling.sale import receipt_drafts
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.contract.selling.test_sales import bring
from tests.gui.attention.doubts import verification_url
from tests.gui.parts import lines_of, visible_parts, words_on
from tests.gui.patience import waited
from tests.gui.payment.conftest import Paying
from tests.gui.payment.shop import Shop, named
from tests.sweep import each

JMBG = "0101990710008"


def body(pay: Paying) -> str:
    """The frozen request, as the plain codec of the tests writes it."""
    return pay.shop.store.sales.body(pay.confirmed[-1].sale.key).decode()


def a_buyer_by_keyboard(pay: Paying) -> None:
    pay.press("F5", "123456788", "Enter", "Enter", "Enter")
    assert "BuyerId(10:123456788)" in body(pay)


@each("key", ["Enter", "F12"])
def test_a_wrong_number_keeps_its_page_open_and_the_digits_in_it(pay: Paying, key: str) -> None:
    pay.anew()
    pay.press("F5", "1234", key)
    form = pay.form
    assert form is not None
    assert form.number.error() == "ПИБ има 9 цифара, уписано је 4"
    assert pay.news == "Скенирани артикал улази у корпу", "the fault stands once"
    assert pay.head_icon == ("info", "ink_2")
    assert pay.shop.tones.played == ["no"]
    pay.press("5")
    assert (pay.focused_text, pay.panel.model.tender.payments.total) == ("12345", Money(0))
    assert pay.news == "Скенирани артикал улази у корпу"
    pay.press("6788", key)
    assert pay.form is None


def half_an_address_keeps_the_page_of_delivery_open(pay: Paying) -> None:
    model = pay.panel.model
    assert model is not None
    model.delivery = receipt_drafts.DeliveryDraft(
        (receipt_drafts.DeliveryWay.PDF, receipt_drafts.DeliveryWay.EMAIL),
        frozenset({receipt_drafts.DeliveryWay.EMAIL}),
        "ime@",
    )
    pay.tap("Рачун купцу")
    pay.press("Enter")
    form = pay.form
    assert form is not None
    assert form.email.error().startswith("Ово није имејл адреса")


def a_doubtful_number_is_agreed_to_by_another_key_than_the_one_that_asked(pay: Paying) -> None:
    pay.press("F5", "123")
    number = pay.form.number
    assert not number.error(), "it is being typed"
    pay.press("Enter")
    assert number.error() == "ПИБ има 9 цифара, уписано је 3"
    pay.press("456789")
    assert not number.error()
    pay.press("Enter", "Enter")
    assert "Контролна цифра" in number.error()
    issue = pay.layout.issue
    assert (issue.accessibleName(), issue.kind) == ("Потврди погрешан број", ButtonKind.PLAIN)
    waited(issue)
    pay.press("F12")
    assert pay.form is None
    assert pay.panel.model.buyer.sure


def without_a_buyer_again(pay: Paying) -> None:
    pay.press("F5", "123456788")
    pay.tap("Без купца")
    pay.press("Enter", "Enter", "Enter")
    assert "BuyerId" not in body(pay)


def the_qr_of_an_earlier_receipt_fills_the_buyer(pay: Paying) -> None:
    pay.press("2000")
    receipt = decode(verification_url(buyer="10:123456788"))
    assert pay.panel.receipt_scanned(receipt)
    assert pay.news == "Купац је преузет са рачуна"
    assert pay.button("Купац").accessibleName().endswith("123456788")
    assert not pay.panel.receipt_scanned(decode(verification_url(buyer="")))
    assert pay.button("Купац").accessibleName().endswith("123456788")


def test_a_personal_number_is_in_no_log_and_in_no_later_payment(
    pay: Paying, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    pay.tap("Купац")
    pay.tap("ЈМБГ")
    pay.press(JMBG, "Esc")
    assert JMBG not in pay.button("Купац").accessibleName()
    pay.press("Enter", "Enter")
    assert len(pay.confirmed) == 1
    assert JMBG not in caplog.text
    pay.begin(pay.confirmed[0].ticket)
    model = pay.panel.model
    assert model is not None
    assert model.buyer.value == ""


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


def listed(pay: Paying) -> list[str]:
    return [row.accessibleName() for row in visible_parts(pay.form, OptionButton)]


@each(
    ("keys", "buyer"),
    [
        (("049", "Enter"), ALFA),
        (("100000", "Down", "Enter"), BETA),
        (("100000", "Down", "Down", "Up", "Enter"), ALFA),
        (("grad upr", "Enter"), BETA),
        (("100000065", "Enter"), BuyerId.parse("10:100000065")),
    ],
)
def test_a_firm_is_taken_by_keys(pay: Paying, keys: tuple[str, ...], buyer: BuyerId) -> None:
    with_book(pay)
    pay.press("F5", *keys)
    assert pay.form is None
    assert pay.panel.model is not None
    assert pay.panel.model.buyer.buyer() == buyer


def test_a_firm_is_taken_by_a_finger_and_may_be_another_one(pay: Paying) -> None:
    with_book(pay)
    pay.press("F5", "100")
    pay.tap("ПИБ и ЈБКЈС 100000057:12345")
    assert listed(pay) == []
    assert "Градска управа" in lines_of(pay.form)
    pay.press(*["Back"] * 7)
    assert listed(pay) == ["ПИБ и ЈБКЈС 100000057:12345: Градска управа"]
    pay.press("Enter")
    assert pay.form is None


def test_a_new_firm_gets_its_name_once(pay: Paying) -> None:
    book = with_book(pay)
    pay.press("F5", "100000065", "Tab", "Gama", "Enter", "Enter", "Enter")
    bring(pay.shop.store, pay.confirmed[-1].sale.key, SaleState.DONE)
    known = book.find("гам", at_most=9)
    assert [(str(one.id), one.receipts) for one in known] == [("10:100000065", 1)]
    assert "Gama" not in body(pay)
    pay.anew()
    pay.press("F5", "100000065")
    assert "Gama" in lines_of(pay.form)
    assert not pay.form.name.isVisible()


def test_a_number_that_was_on_a_receipt_is_asked_about_no_more(pay: Paying) -> None:
    odd = "123456789"
    pay.panel.model.buyer = receipt_drafts.BuyerDraft(value=odd, sure=True)
    pay.press("Enter", "Enter")
    bring(pay.shop.store, pay.confirmed[-1].sale.key, SaleState.DONE)
    pay.anew()
    pay.press("F5", odd)
    assert "Контролна цифра" not in " ".join(lines_of(pay.form))
    pay.press("Enter")
    assert pay.form is None
    assert pay.panel.model.buyer.sure


def test_no_person_is_kept_and_no_name_of_one(pay: Paying) -> None:
    book = with_book(pay)
    pay.press("F5", "100000065", "Tab", "Ana Anic")
    pay.tap("ЈМБГ")
    assert not pay.form.name.isVisible()
    pay.form.number.set_text(JMBG)
    assert listed(pay) == []
    pay.press("Enter", "Enter", "Enter")
    assert len(pay.confirmed) == 1
    assert book.find("", at_most=9) == book.find("град", at_most=9)
    cart = pay.shop.store.carts.cart_of(pay.confirmed[0].sale.cart_id)
    assert cart.typed_details.buyer_name == ""


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


def test_a_book_that_cant_be_read_keeps_no_number_from_the_receipt(
    pay: Paying, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise DatabaseBusy("till.db")

    with_book(pay)
    for name in ("find", "buyer"):
        monkeypatch.setattr(type(pay.shop.services.buyers), name, fails)
    pay.press("F5", "100000049", "Enter", "Enter", "Enter")
    assert "BuyerId(10:100000049)" in body(pay)


def a_corporate_card_is_one_button(pay: Paying) -> None:
    pay.tap("Купац")
    pay.tap("Корпоративна картица")
    pay.press("123456788", "Tab", "Tab")
    form = pay.form
    assert form is not None
    assert pay.layout.issue.accessibleName() == "Упишите ознаку картице"
    form.centre.setFocus()
    pay.press("4711", "Enter")
    assert not pay.button("Готовина").isEnabled()
    assert pay.button("Готовина").toolTip().startswith("Корпоративна картица")
    pay.press("Enter")
    taken = dict(pay.confirmed[0].sale.money_taken.tendered.by_method)
    assert taken == {PaymentMethod.VOUCHER: Money("1674.72")}
    assert "CostCentre(code='50', value='4711')" in body(pay)


def a_discount_as_an_amount_by_finger_and_its_removal(pay: Paying) -> None:
    pay.press("F4")
    form = pay.form
    assert form is not None
    kind = form.kind
    right = kind.rect().center() + QPoint(kind.width() // 4, 0)
    QTest.mouseClick(kind, Qt.MouseButton.LeftButton, pos=right)
    for key in ("1", "0", "0"):
        pay.tap(key)
    pay.tap("Готово")
    assert pay.saved[-1].cart.discount == Money(100)
    pay.press("F4")
    pay.tap("Без попуста")
    assert pay.saved[-1].cart.discount is None


@each("typed", ["101", "0", ","])
def test_a_discount_that_can_not_be_stays_open_with_its_reason(pay: Paying, typed: str) -> None:
    pay.anew()
    pay.press("F4", typed, "Enter")
    assert pay.saved == []
    assert pay.form is not None
    assert pay.form.value.error()
    assert words_on(pay.layout.issue)[0] == "Исправите попуст"
    assert pay.layout.issue.is_missing


def test_a_corrected_discount_is_told_as_wrong_no_longer(pay: Paying) -> None:
    pay.anew()
    pay.press("F4", "130", "Enter")
    assert pay.form.value.error().startswith("Попуст мора")
    assert not any("Попуст мора" in one for one in lines_of(pay.layout)), "it stands once"
    pay.press("Backspace", "Backspace", "Backspace", "3")
    assert pay.form.value.error() == ""


def test_the_key_of_the_typed_percentage_is_marked(pay: Paying) -> None:
    def marked() -> list[str]:
        keys = visible_parts(pay.form, Button)
        return [one.spec.words for one in keys if one.kind is ButtonKind.CHOSEN]

    pay.anew()
    pay.press("F4", "10")
    assert marked() == ["10\u00a0%"]
    pay.tap("Попуст на рачун 10\u00a0%")
    assert marked() == ["10\u00a0%"], "a second press leaves it"
    pay.tap("Попуст на рачун 5\u00a0%")
    assert marked() == ["5\u00a0%"]
    pay.press("0")
    assert marked() == []


def a_text_of_two_lines(pay: Paying) -> None:
    pay.tap("Текст на рачуну")
    assert pay.form.accessibleName() == "Текст на рачуну"
    assert words_on(pay.layout.issue) == ["Готово", "Ctrl+Enter"]
    pay.press("ab", "Enter", "cd", "Ctrl+Enter")
    assert "Enter" in words_on(pay.layout.issue)
    assert pay.form is None
    assert pay.button("Текст на рачуну").accessibleName() == "Текст на рачуну: ab cd"
    pay.press("Enter", "Enter")
    assert json.dumps("ab\ncd")[1:-1] in body(pay)


@each("text", ["хвала\x07", "\x1b[31mхвала", "a\x0bb"])
def test_a_sign_that_the_server_refuses_is_told_before_the_money_is_taken(
    pay: Paying, text: str
) -> None:
    pay.anew()
    pay.tap("Текст на рачуну")
    form = pay.form
    form.edit.setPlainText(text)
    assert "У тексту је знак који не може да се одштампа" in " ".join(lines_of(form))
    pay.press("Ctrl+Enter", "Enter", "Enter")
    assert not pay.shop.store.sales.waiting()


@each(
    "step",
    [
        a_doubtful_number_is_agreed_to_by_another_key_than_the_one_that_asked,
        a_buyer_by_keyboard, half_an_address_keeps_the_page_of_delivery_open, without_a_buyer_again,
        the_qr_of_an_earlier_receipt_fills_the_buyer, a_corporate_card_is_one_button,
        a_discount_as_an_amount_by_finger_and_its_removal, a_text_of_two_lines,
    ],
)  # fmt: skip
def test_what_is_said_on_the_pages(pay: Paying, step: Callable[[Paying], None]) -> None:
    """Each begins with a cart of its own."""
    step(pay.anew())


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


@each(
    ("typed", "arrived"),
    [
        (["28.12."], datetime(2025, 12, 28, 11, 0, tzinfo=UTC)),
        (["29.2."], datetime(2024, 2, 29, 11, 0, tzinfo=UTC)),
        (["20.11."], None),
        (["20.11.", "Tab", "9:00"], None),
    ],
)
def test_a_transfer_has_a_time_of_an_earlier_day_alone(
    shop: Shop, show: Callable[..., Paying], typed: list[str], arrived: datetime | None
) -> None:
    """The server refuses a time of today; without a year a day is the last such day."""
    pay = show(shop)
    pay.begin(shop.basket(DocumentKind.ADVANCE))
    pay.panel.open_page(receipt_drafts.FaultPart.ADVANCE)
    assert pay.form is not None
    pay.form.day.setFocus()
    pay.press(*typed, "Enter", "Alt+3", "Enter", "Enter")
    assert f"pos_time={arrived!r}" in body(pay)


def test_an_advance_takes_no_money_for_a_gift(shop: Shop, show: Callable[..., Paying]) -> None:
    """The server refuses more money than the goods cost that are not given away."""
    pay = show(shop)
    ticket = shop.small_basket("100.00", DocumentKind.ADVANCE)
    pay.begin(shop.add(ticket, named("00: Шоља", "300.00")))
    told: list[PosError] = []
    pay.panel.failed.connect(told.append)
    pay.press("101", "Enter", "Enter")
    assert (pay.confirmed, [one.kind for one in told]) == ([], ["free_exceeds"])
