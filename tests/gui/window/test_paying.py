"""Paying step by step: one step back leads to where the cashier came from, Enter does what the big
button says, and what was typed belongs to the cart: it is neither forgotten nor taken twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.payment.lines_view import PaymentLine
from pos_app.cashier.sale.panels.choices import ChoicePanel
from pos_app.cashier.ui.buttons import Button
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.domain.article.store import PrintMethod
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.selling.sale.ticket import NOTHING_ADDED
from tests.gui.attention.cases import RETURNED
from tests.gui.parts import is_page_in_front, lines_of, visible_parts
from tests.gui.patience import waited
from tests.gui.window.anew import Anew
from tests.gui.window.hands import PLACES, Hands, SellIn
from tests.gui.window.shop import BREAD as BREAD_CODE
from tests.gui.window.shop import MILK, Shop, copied
from tests.sweep import each

BREAD = "8609910700134"
PIB = "100000008"
SALE, PAYMENT = None, ""


def page(hands: Hands) -> str | None:
    """The form over the payment, "" for the payment itself, None for the sale."""
    if not hands.area.is_paying:
        return SALE
    form = hands.paying.page
    return type(form).__name__ if form is not None else PAYMENT


STEPS: dict[str, list[tuple[tuple[str, ...], str | None]]] = {
    "from the sale and back": [(("F5", "#1000"), "BuyerForm"), (("Esc",), SALE)],
    "from the payment and back": [
        (("F12", "F5"), "BuyerForm"), (("Esc",), PAYMENT), (("Esc",), SALE),
    ],
    "another page over the buyer": [
        (("F5", "F4"), "DiscountForm"), (("Esc",), PAYMENT), (("F5", "Esc"), PAYMENT),
    ],
    "done, from the sale": [(("F5", f"#{PIB}", "Enter"), SALE), (("F12",), PAYMENT)],
    "done by a finger": [(("F5", f"#{PIB}", "Готово"), SALE), (("F12",), PAYMENT)],
    "done, from the payment": [(("F12", "F5", f"#{PIB}", "Enter"), PAYMENT)],
    "on to the payment": [(("F5", f"#{PIB}", "F12"), PAYMENT)],
    "a number that looks mistyped": [
        (("F5", "#123456789", "Enter", "Enter"), "BuyerForm"), (("F12",), PAYMENT),
    ],
    "keys of the payment": [(("F12", "F1"), "KeysPage"), (("Enter",), PAYMENT)],
    "an unusual amount of cash": [
        (("F12", "#99999", "Enter"), "ConfirmAmount"), (("Enter",), PAYMENT),
    ],
}  # fmt: skip
"""Keys, "#" before what is typed, words of a button; and where they lead."""


@each("steps", STEPS.values())
def test_each_step_leads_where_it_came_from(
    anew: Anew, steps: list[tuple[tuple[str, ...], str | None]]
) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    typed = ""
    for keys, leads_to in steps:
        for key in keys:
            if key.startswith("#"):
                typed = key[1:]
                hands.type(typed)
            elif key == "Готово":
                hands.tap_words(key)
            else:
                if hands.area.is_paying:
                    waited(hands.paying.issue)
                hands.press(key)
        assert page(hands) == leads_to, keys
    assert hands.sale() is None
    kept = hands.ticket.typed_details
    assert typed in ("", "99999", kept.buyer_value)
    assert kept.buyer_sure is (typed == "123456789")


def test_cash_that_the_law_limits_is_asked_about_once(shop_data: Path, sell_in: SellIn) -> None:
    """The amount that stays in the drawer counts, without change; cards have no limit."""
    shop = Shop(shop_data, ask_from_cash=60)
    hands = sell_in(shop)
    hands.scan(BREAD)
    hands.press("F12", "#100", "Enter")
    assert page(hands) is SALE, "58,99 stays: less than the limit"
    for _ in range(2):
        hands.scan(BREAD)
    hands.press("F12", "#200", "Enter")
    assert page(hands) == "ConfirmAmount"
    assert "10.000 евра" in hands.paying.page.accessibleName()
    hands.press("F12")
    assert len(hands.sales()) == 2
    shop.close()


def says(hands: Hands) -> str:
    """The word and amount on the big button, as a screen reader reads them."""
    return hands.paying.issue.accessibleName()


def paying(hands: Hands) -> None:
    """Open the payment of one bread."""
    hands.scan("8609910700134")
    hands.shop.pause()
    hands.press("F12")


def the_first_enter_takes_the_exact_amount_and_the_second_issues(hands: Hands) -> None:
    paying(hands)
    for told in ("Упиши тачан износ 59,00", "Издај рачун 58,99"):
        assert (says(hands), hands.sale()) == (told, None)
        hands.press("Enter")
    assert hands.sale()


def what_is_typed_changes_what_it_says(hands: Hands) -> None:
    paying(hands)
    hands.type("50")
    assert says(hands) == "Још 9,00"
    hands.press("Enter")
    assert hands.sale() is None
    hands.press("Del", "#200")
    assert says(hands) == "Издај рачун 58,99"
    hands.press("Enter")
    assert hands.sale()


def the_rest_in_another_way_is_told_with_its_amount(hands: Hands) -> None:
    paying(hands)
    hands.tap_words("Картица")
    hands.type("20")
    assert says(hands) == "Упиши остатак 39,00"
    hands.press("Enter")
    assert (says(hands), hands.sale()) == ("Издај рачун 58,99", None)


def a_part_that_is_given_is_the_advance(hands: Hands) -> None:
    for method in ("Готовина", "Картица"):
        hands.choose(hands.top.segment, 1)
        paying(hands)
        hands.tap_words(method)
        for part in ("50", "20"):  # another amount is another advance
            hands.press("Del", f"#{part}")
            assert says(hands) == f"Узми као аванс {part},00"
            hands.press("Enter")
            assert says(hands) == f"Издај аванс {part},00"
        hands.press("Enter")
    assert [str(one.total) for one in hands.sales()] == ["20.00", "20.00"]


def cash_that_is_a_part_of_an_advance_is_told_the_way_to_it(hands: Hands) -> None:
    hands.choose(hands.top.segment, 1)
    hands.model.entry.enter_code(BREAD_CODE)
    hands.type("20")
    hands.pad("+")
    assert "За мањи аванс: F12, упишите износ, па Enter." in hands.notice()


def a_finger_that_typed_need_not_wait_to_issue(hands: Hands) -> None:
    paying(hands)
    waited(hands.button("Упиши"))
    hands.type("200")
    QTest.mouseClick(hands.button("Издај рачун"), Qt.MouseButton.LeftButton)
    assert hands.sale()


def it_follows_settings_that_changed_since_it_was_left(hands: Hands) -> None:
    paying(hands)
    hands.press("Esc")
    services, desk = hands.shop.services, hands.shop.desk
    before, store = services.settings, services.catalogue.store()
    assert store is not None
    till, mail = before.till.having(cash_rounding="none"), before.mail.having(host="primer.rs")
    services.settings_here.saved = before.having(till=till, mail=mail)
    desk.keep_store(replace(store, print_method=PrintMethod(email=True)))
    hands.press("F12")
    assert says(hands) == "Упиши тачан износ 58,99"
    hands.tap_words("Рачун купцу")
    assert hands.buttons("Имејл")
    hands.press("Esc", "Esc")
    desk.keep_store(replace(store, payment_methods_order=((CARD, CASH),)))
    hands.press("F12", "Enter")
    assert _paid(hands) == {CARD: "58.99"}
    services.settings_here.saved = before
    desk.keep_store(store)


PARA = "Готовина се уписује у целим динарима, без децимала"


def _errors(hands: Hands) -> dict[str, str]:
    """What is said to be wrong below the amounts, by method."""
    lines = visible_parts(hands.paying.board.lines, PaymentLine)
    said = [[label.text() for label in visible_parts(line, ElidedLabel)] for line in lines]
    wrong = ("више", PARA)
    return {words[0]: words[1] for words in said if words[1:] and words[1].startswith(wrong)}


def only_what_is_not_cash_is_too_much(hands: Hands) -> None:
    """Change is given from cash, so that less cash would mend nothing."""
    paying(hands)
    hands.press("Alt+2", "#70", "Alt+1", "#500")
    for steps in ([], ["Esc", "F6", "F6", "Enter", "F12"]):
        hands.press(*steps)
        assert says(hands) == "Смањите за 11,01"
        assert _errors(hands) == {"Платна картица": "више за 11,01"}
    hands.press("Up", "Del", "#50")
    assert _errors(hands) == {}
    assert says(hands) == "Издај рачун 58,99"


def where_nothing_is_received_each_amount_is_too_much(hands: Hands) -> None:
    """Both were received before cheaper goods were taken, so that the credit pays for them."""
    credit = Payments.of({CARD: Money(335), CASH: Money(200)})
    goods = replace(RETURNED, total=credit.total, payments=credit)
    hands.model.cart.begin_exchange(goods, NOTHING_ADDED)
    hands.scan(BREAD, *(MILK,) * 5)
    hands.shop.pause()
    hands.press("F12", "#200", "Alt+2", "#50", "Esc", "Del")
    both = {"Готовина": "више за 200,00", "Платна картица": "више за 50,00"}
    for steps in (["F12"], ["Up"], ["Esc", "F6", "F6", "Enter", "F12"]):
        hands.press(*steps)
        assert says(hands) == "Смањите за 250,00"
        assert _errors(hands) == both, steps
    hands.press("Del")
    assert _errors(hands) == {"Платна картица": "више за 50,00"}


def no_para_are_received_in_cash(hands: Hands) -> None:
    """There are no such coins; but the exact price may be typed."""
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type("100,05")
    hands.pad("+")
    assert hands.notice().startswith(PARA)
    assert (hands.sales(), hands.area.sale.search.text()) == ([], "100,05")
    hands.press("Esc", "F12", "#100,05", "Enter")
    assert (_errors(hands), hands.sales()) == ({"Готовина": PARA}, [])
    assert says(hands) == "Упишите целе динаре"
    hands.press("Del", "#12,50")
    for method in ("Alt+2", "Alt+1"):
        hands.press(method, "Enter")
        assert _errors(hands) == {"Готовина": PARA}, "what is filled in around it mends nothing"
        assert hands.sales() == []
        hands.press("Del")
    hands.press("Up", "Del", "#58,99")
    assert (_errors(hands), says(hands)) == ({}, "Издај рачун 58,99")
    hands.press("Enter")
    assert str(hands.sold().money_taken.tendered.cash) == "58.99"


@each("act", [
    the_first_enter_takes_the_exact_amount_and_the_second_issues,
    what_is_typed_changes_what_it_says, the_rest_in_another_way_is_told_with_its_amount,
    a_part_that_is_given_is_the_advance, cash_that_is_a_part_of_an_advance_is_told_the_way_to_it,
    a_finger_that_typed_need_not_wait_to_issue,
    it_follows_settings_that_changed_since_it_was_left,
    only_what_is_not_cash_is_too_much, where_nothing_is_received_each_amount_is_too_much,
    no_para_are_received_in_cash,
])  # fmt: skip
def test_it_does_what_it_says(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


CASH, CARD, VOUCHER = PaymentMethod.CASH, PaymentMethod.CARD, PaymentMethod.VOUCHER
KEYS = ["pad plus", "pad -", "Ctrl+Enter", "Ctrl+Shift+Enter"]


def method_key(hands: Hands, method: PaymentMethod) -> Button:
    return hands.paying.board.buttons.methods[method]


def _half_by_card(hands: Hands) -> None:
    """20,00 were charged on the terminal; the rest is still to be paid."""
    hands.scan(BREAD)
    hands.press("F12")
    hands.tap(method_key(hands, CARD))
    hands.type("20")


def _received(hands: Hands) -> None:
    """200,00 were received in cash, and the payment was left."""
    hands.scan(BREAD)
    hands.press("F12", "#200", "Esc")
    hands.shop.pause()


def test_enter_confirms_no_payment_that_the_key_before_has_opened(hands: Hands) -> None:
    """It was left with enough cash, so that one Enter issues the receipt."""
    _received(hands)
    for apart in (3, 300):
        hands.press("Esc", "F12")
        hands.keys.now += apart
        hands.keys.tap(PLACES["Enter"])
        assert not hands.sales(), f"issued {apart} ms after it was opened"
    hands.press("Enter")
    assert len(hands.sales()) == 1


def _paid(hands: Hands) -> dict[PaymentMethod, str]:
    return {method: str(money) for method, money in hands.payment.tender.paid}


def _stored(hands: Hands) -> tuple[tuple[PaymentMethod, Money | None], ...]:
    cart = hands.shop.database.carts.open_cart(training=False)
    assert cart is not None
    return cart.typed_details.paid


def it_is_there_after_hold_and_recall(hands: Hands) -> None:
    _half_by_card(hands)
    hands.press("Esc")
    assert hands.button("Настави").isVisible()
    assert "Примљено 20,00" in hands.cart.total.accessibleDescription()
    hands.press("F6")
    assert hands.button("Наплата").isVisible()
    hands.press("F6")
    hands.press("Enter") if hands.ticket.cart.is_empty else None
    hands.press("F12")
    assert _paid(hands) == {CARD: "20.00"}


def a_part_of_a_number_is_never_stored(hands: Hands) -> None:
    _half_by_card(hands)
    before = _stored(hands)
    hands.type("0")
    assert _stored(hands) == before
    hands.rest()
    assert _stored(hands) == ((CARD, Money(200)),)


@each("act", [it_is_there_after_hold_and_recall, a_part_of_a_number_is_never_stored])
def test_it_belongs_to_the_cart(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


def test_it_is_there_after_a_restart_and_cash_is_given_beside_the_card(
    hands: Hands, shop: Shop, sell_in: SellIn
) -> None:
    _half_by_card(hands)
    hands.window.close()
    assert _stored(hands) == ((CARD, Money(20)),)
    again = sell_in(shop)
    again.press("F12")
    assert _paid(again) == {CARD: "20.00"}
    again.tap(method_key(again, CASH))
    assert _paid(again) == {CARD: "20.00", CASH: "39.00"}


@each("key", KEYS)
def test_a_payment_key_takes_it_no_second_time(anew: Anew, key: str) -> None:
    hands = anew.begin()
    _half_by_card(hands)
    hands.press("Esc")
    hands.shop.pause()
    hands.press(key)
    assert hands.sale() is None
    assert _paid(hands) == {CARD: "20.00"}


@each("key", KEYS)
def test_a_payment_key_takes_cash_as_it_was_received(anew: Anew, key: str) -> None:
    """Digits that were typed since are told: nobody knows for what they are."""
    hands = anew.begin()
    _received(hands)
    hands.press("#500", key)
    assert _paid(hands) == {CASH: "200.00"}
    assert "Раније укуцано 500 није узето" in lines_of(hands.area.payment)
    hands.press("Enter")
    taken = hands.sold().money_taken
    assert dict(taken.tendered.by_method) == {CASH: Money(200)}
    assert str(taken.change) == "141.00"
    assert hands.button("Наплата").isVisible()


@each("typed", ["500", "8609910700134", "1.000", "12,345"])
def test_what_is_typed_before_the_key_of_the_card_is_refused_and_stays(
    anew: Anew, typed: str
) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.shop.pause()
    hands.type(typed)
    for key in ("Ctrl+Shift+Enter", "pad -"):
        hands.press(key)
        assert hands.sale() is None
        assert hands.notice().startswith("Овај тастер наплаћује тачан износ картицом")
        assert hands.area.sale.search.text() == typed
    hands.press("Esc")
    hands.type("58,99")  # the exact amount may be typed
    hands.press("pad -")
    assert set(dict(hands.sold().money_taken.tendered.by_method)) == {CARD}


# --- a corporate card, for which only a voucher pays ---------------------------------------------


def corporate_card(hands: Hands) -> None:
    """Charge 58,99 to a card, and turn the payment to a corporate card."""
    hands.scan(BREAD)
    hands.press("F12", "Alt+2", "F5", f"#{PIB}")
    hands.tap_words("Корпоративна картица")


def what_was_received_before_goes_back(hands: Hands) -> None:
    corporate_card(hands)
    assert hands.paying.head.news_text() == "Вратите купцу: Картица 58,99"
    hands.press("#123", "Enter")
    assert _paid(hands) == {VOUCHER: "58.99"}
    assert hands.paying.head.news_text() == "Вратите купцу: Картица 58,99"
    hands.press("Esc")
    assert hands.notice().startswith("Вратите купцу 58,99 РСД")
    assert "Картица 58,99" in hands.notice()
    hands.press("F12", "Enter")
    assert named(hands) == {VOUCHER: "58.99"}
    assert hands.notice() == ""


def pressing_it_again_brings_that_back(hands: Hands) -> None:
    for again in ("Корпоративна картица", "Без купца"):
        corporate_card(hands)
        hands.tap_words(again)
        assert "Вратите" not in hands.paying.head.news_text()
        assert _paid(hands) == {CARD: "58.99"}
        hands.press("Esc", "Esc")
        assert (_stored(hands), hands.notice()) == (((CARD, Money("58.99")),), "")
        hands.press("Del")


def what_it_filled_in_goes_with_it(hands: Hands) -> None:
    """Nobody gave that voucher, however long ago the button was pressed."""
    corporate_card(hands)
    hands.press("#123", "Enter", "Esc", "F6", "F6", "Enter", "F12")
    assert hands.paying.head.news_text() == "Вратите купцу: Картица 58,99"
    hands.scan(BREAD)
    hands.press("Del", "Enter")
    assert _paid(hands) == {VOUCHER: "117.98"}
    hands.press("F5")
    hands.tap_words("Корпоративна картица")
    hands.press("Esc")
    assert (_paid(hands), says(hands)) == ({CARD: "58.99"}, "Упиши остатак 59,00")
    assert "Вратите" not in hands.paying.head.news_text()
    hands.press("Esc")
    assert (_stored(hands), hands.notice()) == (((CARD, Money("58.99")),), "")


def a_cart_that_ends_gives_no_voucher_back(hands: Hands) -> None:
    corporate_card(hands)
    hands.press("#123", "Enter", "Esc", "Del")
    assert "Картица 58,99" in hands.notice()


def a_voucher_that_was_typed_stays_without_it(hands: Hands) -> None:
    corporate_card(hands)
    hands.press("#123", "Enter", "Del", "#20", "Enter", "Esc", "F6", "F6", "Enter", "F12", "F5")
    hands.tap_words("Без купца")
    hands.press("Esc")
    assert _paid(hands) == {CARD: "58.99", VOUCHER: "20.00"}


def what_is_scanned_later_is_paid_by_voucher_too(hands: Hands) -> None:
    corporate_card(hands)
    hands.press("#123", "Enter")
    hands.scan(BREAD)
    assert says(hands).startswith("Још")
    hands.press("Enter")
    assert _paid(hands) == {VOUCHER: "58.99"}
    hands.press("Esc", "F6", "F6", "Enter", "F12", "Del", "Enter")
    assert _paid(hands) == {VOUCHER: "117.98"}


def what_goes_back_stands_beside_all_news(hands: Hands) -> None:
    """A part is taken as an advance, and another code comes, before the confirm."""
    hands.press("Ctrl+2")
    corporate_card(hands)
    hands.press("#123", "Enter", "Del", "#20", "Enter")
    back = "Вратите купцу: Картица 58,99"
    assert hands.paying.head.news_text() == f"{back} · Аванс је 20,00"
    hands.press("Esc", "Ctrl+1", "F12")
    hands.scan("8609910700141")
    assert hands.paying.head.news_text().startswith(f"{back} · ")


@each("act", [
    what_goes_back_stands_beside_all_news,
    what_was_received_before_goes_back, pressing_it_again_brings_that_back,
    what_it_filled_in_goes_with_it, a_cart_that_ends_gives_no_voucher_back,
    a_voucher_that_was_typed_stays_without_it,
    what_is_scanned_later_is_paid_by_voucher_too,
])  # fmt: skip
def test_a_corporate_card_leaves_no_money_out(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())


# --- a proforma, for which nobody pays -----------------------------------------------------------


def named(hands: Hands) -> dict[PaymentMethod, str]:
    """The payments that the document names. Nothing is received for it, and nothing given back."""
    taken = hands.sold().money_taken
    assert (taken.tendered, taken.change) == (taken.on_receipt, Money.ZERO)
    return {method: str(amount) for method, amount in taken.on_receipt.by_method}


MONEY = ("Преостало", "примљено", "Кусур", "Тачно", "за наплату", "Наплата")


def it_asks_how_the_customer_would_pay(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("Ctrl+3", "F12")
    words = [*lines_of(hands.paying), hands.paying.figure.accessibleName()]
    assert [one for one in words if any(word in one for word in MONEY)] == []
    assert hands.buttons("Новчаница") == hands.buttons("Тачан износ") == []
    assert says(hands) == "Издај предрачун 58,99"
    hands.press("#100", "Backspace")
    assert "новац" in hands.paying.head.news_text()
    hands.press("Alt+2", "Enter")
    assert named(hands) == {CARD: "58.99"}
    assert "Износ 58,99" in hands.cart.large.accessibleName()


def digits_are_no_cash_received(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("Ctrl+3")
    hands.shop.pause()
    hands.type("100")
    for pay in (lambda: hands.pad("+"), lambda: hands.tap(hands.area.sale.bar.exact)):
        pay()
        assert hands.sale() is None
        assert "новац" in hands.notice()
        assert hands.area.sale.search.text() == "100"
    hands.press("Esc")
    hands.pad("+")
    assert named(hands) == {CASH: "58.99"}


def received_100(hands: Hands) -> None:
    hands.scan(BREAD)
    hands.press("F12", "#60", "Alt+2", "#40", "Esc")


def offered_while_paying(hands: Hands) -> None:
    hands.press("F12", "Ctrl+3")
    assert hands.area.is_paying


def offered_after_it_was_held(hands: Hands) -> None:
    hands.press("F6", "F6", "Enter", "Ctrl+3")


def offered_as_an_advance_first(hands: Hands) -> None:
    hands.press("Ctrl+2", "Ctrl+3")


@each(
    "offer",
    [
        lambda hands: hands.press("Ctrl+3"), offered_while_paying, offered_after_it_was_held,
        offered_as_an_advance_first, lambda hands: hands.press("Ctrl+4", "Ctrl+1", "Ctrl+3"),
    ],
)  # fmt: skip
@each("then", ["proforma", "held", "sale"])
def test_what_was_received_goes_back_where_a_cart_becomes_a_proforma(
    anew: Anew, offer: Callable[[Hands], None], then: str
) -> None:
    hands = anew.begin()
    received_100(hands)
    offer(hands)
    told = hands.paying.head.news_text() if hands.area.is_paying else hands.notice()
    assert told.startswith("Вратите купцу 100,00"), told
    assert hands.ticket.typed_details.paid == ()
    if then == "held":
        hands.press(*["Esc"] * hands.area.is_paying, "F6", "F6", "Enter")
    elif then == "sale":
        hands.press("Ctrl+1")
    hands.shop.pause()
    if not hands.area.is_paying:
        hands.press("F12")
    if then == "sale":
        assert _paid(hands) == {}, "it asks anew"
        assert "Преостало" in hands.paying.figure.accessibleName()
        hands.press("Enter")
    hands.press("Enter")
    assert hands.sold().money_taken.on_receipt.total == Money("58.99")


def test_after_a_restart_too(
    hands: Hands, shop_data: Path, tmp_path: Path, sell_in: SellIn
) -> None:
    received_100(hands)
    hands.filter.remove()
    hands.window.hide()
    # The files of a running till equal those of a killed one.
    after = Shop(copied(shop_data, tmp_path / "after"), first_key=100)
    try:
        again = sell_in(after)
        again.keys.now = hands.keys.now + 1_000
        again.press("Ctrl+3")
        assert again.notice().startswith("Вратите купцу 100,00")
        assert again.window.frame.received == Money.ZERO
        again.press("F12", "Ctrl+1")
        assert _paid(again) == {}
        again.window.close()
    finally:
        after.close()


def a_line_that_is_put_back_brings_no_money_with_it(hands: Hands) -> None:
    received_100(hands)
    hands.press("Del", "Ctrl+3", "F9", "3", "1", "Ctrl+1")
    assert hands.notice().startswith("Вратите купцу 100,00")
    hands.press("F12")
    assert _paid(hands) == {}


@each("step", [
    it_asks_how_the_customer_would_pay, digits_are_no_cash_received,
    a_line_that_is_put_back_brings_no_money_with_it,
])  # fmt: skip
def test_a_proforma_takes_no_money(anew: Anew, step: Callable[[Hands], None]) -> None:
    step(anew.begin())


@each("way", ["dropped", "the last line removed"])
def test_what_was_received_for_a_cart_that_ends_goes_back(anew: Anew, way: str) -> None:
    hands = anew.begin()
    received_100(hands)
    if way == "dropped":
        hands.press("F9", "5", "1", "Enter")
    else:
        hands.press("Del")
    assert hands.ticket.cart.is_empty
    assert "Вратите купцу 100,00" in hands.notice()
    assert "Готовина 60,00, Картица 40,00" in hands.notice()
    hands.scan(BREAD)
    assert "Вратите купцу 100,00" in hands.notice(), "it stays until it is read"


@each("opened", ["F9", "F1"])
@each("key", ["pad plus", "pad -", "Ctrl+Enter", "Ctrl+Shift+Enter"])
def test_no_receipt_is_issued_while_a_list_lies_over_the_keys_of_it(
    anew: Anew, opened: str, key: str
) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    hands.shop.pause()
    hands.press(opened, key)
    assert hands.sale() is None
    hands.press("Esc", key)
    assert hands.sale() is not None


def test_no_digit_of_the_menu_chooses_what_shows_a_key_of_its_own(
    shop_data: Path, sell_in: SellIn
) -> None:
    """Where the bar has no room for F3, "More" shows it first with that key."""
    shop = Shop(shop_data, action_keys=("F6",))
    hands = sell_in(shop)
    hands.scan(BREAD)
    hands.press("F9")
    panel = hands.area.panel
    assert isinstance(panel, ChoicePanel)
    assert "Количина ставке" in panel.buttons[0].accessibleName()
    hands.type("1")
    assert hands.area.panel is not panel
    assert not is_page_in_front(hands.window.frame, "ask.quantity")
    hands.press("Esc", "F9", "F3")
    assert is_page_in_front(hands.window.frame, "ask.quantity")
    hands.window.close()
    shop.close()
