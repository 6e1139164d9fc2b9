"""Paying step by step: one step back leads to where the cashier came from, Enter does what the big
button says, and what was typed belongs to the cart: it is neither forgotten nor taken twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from pos_app.cashier.payment.lines_view import PaymentLine
from pos_app.cashier.ui.labels import ElidedLabel
from pos_app.domain.article.store import PrintMethod
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.selling.sale.ticket import NOTHING_ADDED
from tests.gui.attention.cases import RETURNED
from tests.gui.parts import lines_of, visible_parts
from tests.gui.patience import waited
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD as BREAD_CODE
from tests.gui.window.shop import MILK
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


def _paid(hands: Hands) -> dict[PaymentMethod, str]:
    return {method: str(money) for method, money in hands.payment.tender.paid}


# --- a proforma, for which nobody pays -----------------------------------------------------------


def named(hands: Hands) -> dict[PaymentMethod, str]:
    """The payments that the document names. Nothing is received for it, and nothing given back."""
    taken = hands.sold().money_taken
    assert (taken.tendered, taken.change) == (taken.on_receipt, Money.ZERO)
    return {method: str(amount) for method, amount in taken.on_receipt.by_method}


MONEY = ("Преостало", "примљено", "Кусур", "Тачно", "за наплату", "Наплата")


def test_a_proforma_asks_how_the_customer_would_pay(anew: Anew) -> None:
    hands = anew.begin()
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
