"""Additions to a receipt belong to the cart: no way of paying and no way back loses them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pos_app.cashier.ui.field import Field
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.selling.buyers.buyer_book import KnownBuyer
from pos_app.selling.sale.scan import ScanPurpose
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from tests.contract.selling.test_sales import bring
from tests.fakes.verification_url import payload, url
from tests.gui.inside import inside
from tests.gui.parts import lines_of, visible_parts
from tests.gui.patience import waited
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands, SellIn, seen
from tests.gui.window.shop import BREAD, MILK, Shop, copied
from tests.sweep import each

PIB = "100000008"


def add_buyer(hands: Hands, number: str = PIB) -> None:
    """Press F5, type the number, press Enter, and go back to the sale."""
    hands.press("F5", f"#{number}", "Enter")
    while hands.area.is_paying:
        hands.press("Esc")


def add_text(hands: Hands, text: str) -> None:
    hands.press("F12")
    hands.tap_words("Текст")
    hands.press(f"#{text}", "Ctrl+Enter", "Esc")


def issued(hands: Hands) -> dict[str, Any]:
    """What the sale of the case asks the server to sign."""
    made = json.loads(hands.shop.database.sales.body(hands.sold().key))
    assert isinstance(made, dict)
    return made


def sign(hands: Hands) -> str:
    """The sale's words about additions to the receipt, "" without any."""
    shown = hands.cart.added
    return shown.accessibleName() if shown.isVisible() else ""


WAYS: dict[str, Callable[[Hands], object]] = {
    "exact cash": lambda hands: hands.pad("+"),
    "exact card": lambda hands: hands.pad("-"),
    "cash received": lambda hands: (hands.type("200"), hands.pad("+")),
    "the button of exact cash": lambda hands: hands.tap(hands.area.sale.bar.exact),
    "exact cash without a numpad": lambda hands: hands.press("Ctrl+Enter"),
    "the payment": lambda hands: hands.press("F12", "Enter", "Enter"),
}


def next_customer(hands: Hands, number: int) -> None:
    """Sell to the next customer, whose receipt has nothing of an earlier one."""
    hands.enter(MILK)
    assert sign(hands) == ""
    hands.pay("+")
    assert len(hands.sales()) == number
    assert not issued(hands).get("buyerId")
    assert "hvala" not in str(issued(hands))


def test_a_firm_of_an_earlier_receipt_takes_five_presses(anew: Anew) -> None:
    """The cart shows its name, also after it was held; a scan while it is looked for is sold."""
    hands = anew.begin()
    book = hands.shop.database.buyers
    book.take_in([KnownBuyer(BuyerId.parse(f"10:{PIB}"), "Градина д.о.о.")])
    hands.enter(BREAD)
    for typed in ("#g", "#r", "#a"):
        hands.press("F5", typed) if typed == "#g" else hands.press(typed)
        hands.area.payment.keep_typed()
        assert "Недовршено" not in sign(hands), "nothing is wrong with a search under way"
        assert not any(one.error() for one in hands.area.payment.findChildren(Field))
    hands.press("Esc")
    assert "Недовршено" in sign(hands), "none of the firms was taken"
    hands.press("F5", "Enter")
    assert not hands.area.is_paying
    assert f"Градина д.о.о., ПИБ {PIB}" in sign(hands)
    hands.press("F6", "F6", "Enter")
    assert "Градина" in sign(hands)
    hands.press("F5", "#xyz")
    hands.scan("8609951100139")
    assert len(hands.model.cart.active_lines) == 2
    hands.press("Esc")
    assert "Недовршено" in sign(hands), "three letters are no buyer"
    hands.press("F5")
    hands.tap_words("Без купца")
    hands.press("#049", "Esc", "F5", *["Backspace"] * 3, f"#{PIB}", "Enter")
    hands.pay("+")
    assert issued(hands)["buyerId"] == f"10:{PIB}"
    bring(hands.shop.database, hands.sold().key, SaleState.DONE)
    assert [(one.name, one.receipts) for one in book.find("", at_most=9)] == [("Градина д.о.о.", 1)]


def test_a_firm_is_offered_once_its_receipt_is_signed(anew: Anew) -> None:
    hands = anew.begin()
    hands.enter(BREAD)
    hands.press("F5")
    for number, state in enumerate((SaleState.CANCELLED, SaleState.DONE), 1):
        hands.press(f"#{PIB}", "Tab", "#omega", "Enter")
        hands.pay("+")
        assert len(hands.sales()) == number
        bring(hands.shop.database, hands.sold().key, state)
        hands.enter(MILK)
        hands.press("F5", "#ome")
        names = [one.accessibleName() for one in visible_parts(hands.area.payment, OptionButton)]
        assert any("omega" in one for one in names) is (state is SaleState.DONE), names
        hands.press(*["Backspace"] * 3)


@each("key", ["pad plus", "pad -", "Ctrl+Enter"])
def test_an_unfinished_buyer_stops_the_exact_keys_with_a_word(anew: Anew, key: str) -> None:
    hands = anew.begin()
    hands.enter(BREAD)
    add_buyer(hands, "12345")
    assert "Недовршено" in sign(hands)
    hands.press(key)
    assert hands.sale() is None
    assert "Подаци о купцу" in hands.notice()
    assert "F5" in hands.notice()


DOUBTED = "123456789"
"""A PIB whose check digit does not fit."""


@each("way", ["recalled", *WAYS])
def test_a_doubted_buyer_stops_every_way_of_paying_until_confirmed(anew: Anew, way: str) -> None:
    """Then each signs buyer and text, which the next customer's receipt has not."""
    hands = anew.begin()
    hands.shop.database.buyers.remove(BuyerId.parse(f"10:{DOUBTED}"))  # of the case before
    hands.enter(BREAD)
    add_text(hands, "hvala")
    add_buyer(hands, DOUBTED)
    assert f"{DOUBTED} – потврдите број" in sign(hands)
    if way == "recalled":
        hands.press("F6", "F6", "Enter")
    pay = WAYS.get(way, WAYS["exact cash"])
    hands.shop.pause()
    pay(hands)
    assert hands.sale() is None
    if way == "exact cash":
        assert "није потврђен" in hands.notice()
        assert "F5" in hands.notice()
    confirm_doubted(hands)
    assert DOUBTED in sign(hands)
    assert "потврдите" not in sign(hands)
    pay(hands)
    assert issued(hands)["buyerId"] == f"10:{DOUBTED}"
    assert "hvala" in str(issued(hands))
    next_customer(hands, 2)


def confirm_doubted(hands: Hands) -> None:
    """Press F5, then confirm the doubted number, and go back to the sale."""
    if not hands.area.is_paying:
        hands.press("F5", "Enter")
    waited(hands.paying.issue)
    hands.press("F12")
    while hands.area.is_paying:
        hands.press("Esc")


def add_corporate_card(hands: Hands) -> None:
    hands.press("F5", f"#{PIB}")
    hands.tap_words("Корпоративна")
    hands.press("#123", "Enter", "Esc")


def exact_cash_goes_on_with_a_corporate_card(hands: Hands) -> None:
    hands.enter(BREAD)
    add_corporate_card(hands)
    hands.pay("+")
    assert hands.sale() is None
    assert [method for method, _ in hands.payment.tender.paid] == [PaymentMethod.VOUCHER]


def hold_and_recall_keep_the_buyer_to_his_cart(hands: Hands) -> None:
    hands.enter(BREAD)
    add_buyer(hands)
    hands.press("F6")
    next_customer(hands, 1)
    hands.press("F6", "Enter")
    assert PIB in sign(hands)
    hands.pad("+")
    assert issued(hands)["buyerId"] == f"10:{PIB}"


def exact_cash_takes_the_part_that_an_advance_asks_for(hands: Hands) -> None:
    hands.model.cart.set_kind(DocumentKind.ADVANCE)
    hands.enter(MILK)
    hands.press("F12")
    hands.tap_words("Аванс")
    hands.press("#50", "Enter", "Esc")
    assert "Аванс: 50,00" in sign(hands)
    assert hands.area.sale.bar.exact.accessibleName() == "Готовина тачно 50,00"
    hands.pay("+")
    assert str(hands.sold().total) == "50.00"


TAKEN_OFF: dict[str, Callable[[Hands], object]] = {
    "Delete": lambda hands: hands.press("Del"),
    "the button": lambda hands: hands.tap_cart("remove", 0),
    "minus": lambda hands: hands.tap_cart("minus", 0),
    "a scan": lambda hands: (
        hands.model.entry.set_purpose(ScanPurpose.TAKE_OFF), hands.enter(BREAD)
    ),
    "dropped": lambda hands: hands.model.cart.void("Купац је одустао"),
}  # fmt: skip


@each("way", TAKEN_OFF)
def test_the_next_customer_has_nothing_of_an_emptied_cart(anew: Anew, way: str) -> None:
    hands = anew.begin()
    hands.enter(BREAD)
    add_buyer(hands)
    add_text(hands, "hvala")
    TAKEN_OFF[way](hands)
    assert sign(hands) == ""
    next_customer(hands, 1)


def a_line_that_is_put_back_brings_all_that_went_with_it(hands: Hands) -> None:
    hands.enter(BREAD)
    hands.enter(MILK)
    hands.press("F4", "#10", "Enter")
    add_buyer(hands)
    hands.press("F12", "#500", "Esc")
    before = hands.ticket
    hands.press("Del", "Del")
    assert [row for row in hands.rows() if "Млеко" in row]
    assert (hands.total(), sign(hands)) == ("Укупно 0,00 РСД", "")
    assert hands.ticket.typed_details.paid == ()
    hands.tap_cart("restore", 1)
    hands.tap_cart("restore", 0)
    assert (hands.ticket.cart, hands.ticket.typed_details) == (before.cart, before.typed_details)
    assert PIB in sign(hands)
    hands.pay("+")
    assert given(hands) == {PaymentMethod.CASH: "500.00"}
    hands.press("Enter")
    assert issued(hands)["buyerId"] == f"10:{PIB}"


async def test_the_buyer_of_a_scanned_receipt_goes_on_a_cart_whose_payment_was_begun(
    hands: Hands,
) -> None:
    hands.enter(BREAD)
    add_text(hands, "hvala")
    hands.press("F12", "F4", "#5", "Esc", "Esc")
    hands.scan(url(payload(buyer=f"10:{PIB}".encode())))
    await seen()
    hands.tap_words("Купац")
    assert PIB in sign(hands)
    hands.press("F12", "F4")
    assert hands.payment.discount_draft.text == "5", "it is not given yet"
    hands.press("Esc", "Enter", "Enter")
    assert issued(hands)["buyerId"] == f"10:{PIB}"
    assert "hvala" in str(issued(hands))


def test_a_till_that_was_killed_finds_the_buyer(
    hands: Hands, shop_data: Path, tmp_path: Path, sell_in: SellIn
) -> None:
    hands.enter(BREAD)
    hands.press("F5")
    hands.type(PIB)  # no Enter
    hands.rest()
    # The files of a running till equal those of a killed one.
    after = Shop(copied(shop_data, tmp_path / "after"), first_key=100)
    try:
        again = sell_in(after)
        assert PIB in sign(again)
        again.press("F12")
        assert again.payment.buyer.value == PIB
        again.press("Esc")
        again.pad("+")
        assert issued(again)["buyerId"] == f"10:{PIB}"
        again.window.close()
    finally:
        after.close()


def given(hands: Hands) -> dict[PaymentMethod, str]:
    """The received amounts of the open payment."""
    payment = hands.payment
    return {method: str(money) for method, money in payment.tender.paid}


def an_emptied_cart_stays_a_proforma(hands: Hands) -> None:
    inside(hands.window).set_kind(DocumentKind.PROFORMA)
    hands.enter(BREAD)
    hands.press("Del")
    hands.enter(MILK)
    assert hands.ticket.kind is DocumentKind.PROFORMA


def an_advance_says_what_it_is_for_where_the_buyer_asks(hands: Hands) -> None:
    """The items are those of the cart when it is issued, also where one was added after the tick;
    without it they are told no longer."""
    for ticks in (1, 2):
        hands.choose(hands.top.segment, 1)
        hands.enter(BREAD)
        add_text(hands, "Hvala")
        for _ in range(ticks):
            hands.press("F12")
            hands.tap_words("Аванс")
            hands.tap(hands.button("Штампај намену"))
            hands.press("Enter", "Esc")
        hands.enter(MILK)
        hands.press("F12", "#100", "Enter", "Enter")
        first, *lines = issued(hands)["additionalText"].splitlines()
        assert first == "Hvala"
        assert [line[:2] for line in lines] == (["Ав", "– ", "– "] if ticks == 1 else [])
        assert ticks == 2 or lines[1].endswith(": 58,99")


def the_buyers_page_says_that_an_e_invoice_follows(hands: Hands) -> None:
    for press in ("ПИБ и ЈБКЈС", "Корпоративна картица"):
        hands.enter(BREAD)
        hands.press("F5")
        said = "После овог рачуна следи е-фактура."
        assert said not in lines_of(hands.area.payment)
        hands.tap_words(press)
        assert said in lines_of(hands.area.payment)
        hands.press("Esc", "Del")


@each(
    "act",
    [
        exact_cash_goes_on_with_a_corporate_card, hold_and_recall_keep_the_buyer_to_his_cart,
        exact_cash_takes_the_part_that_an_advance_asks_for,
        a_line_that_is_put_back_brings_all_that_went_with_it, an_emptied_cart_stays_a_proforma,
        an_advance_says_what_it_is_for_where_the_buyer_asks,
        the_buyers_page_says_that_an_e_invoice_follows,
    ],
)  # fmt: skip
def test_what_belongs_to_the_cart(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
