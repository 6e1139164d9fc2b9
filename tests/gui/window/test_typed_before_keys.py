"""Digits in the search are money or an article when another key is pressed: the key takes them,
leaves them there, or says that it does not take them."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier import commands
from pos_app.cashier.sale.questions import TEXT
from pos_app.domain.money.payment import PaymentMethod
from pos_app.errors import DatabaseBusy
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD
from tests.sweep import each

BREAD_EAN = "8609910700134"
TYPED = "200"
SALE_KEYS = [
    key.sequences[0]
    for key in commands.KEYS
    if commands.KeyPage.SALE in key.help_texts
    and key.sequences
    and key.command is not commands.TillCommand.BACK  # it erases the typed text: its purpose
]


def press(hands: Hands, key: str) -> None:
    names = {f"{commands.KEYPAD}+": "pad plus", "Ctrl+Return": "Ctrl+Enter"}
    hands.press(names.get(key, key).replace("Return", "Enter"))


def whereabouts(hands: Hands) -> str:
    """The fate of the digits; "" where they are gone and nobody said so."""
    area = hands.area
    if area.is_paying:
        return "told" if TYPED in hands.paying.head.news_text() else ""
    if area.sale.search.text():
        return "left"
    if area.panel is not None:
        return "taken" if TYPED in area.panel.entries().get(TEXT, "") else ""
    if (sale := hands.sale()) is not None:
        paid = dict(sale.money_taken.tendered.by_method)
        return "taken" if str(paid.get(PaymentMethod.CASH)) == f"{TYPED}.00" else ""
    return "told" if f"Раније укуцано {TYPED} није узето" in hands.notice() else ""


@each(("key", "lines"), [(key, lines) for key in SALE_KEYS for lines in (1, 0)])
def test_no_key_drops_typed_digits_in_silence(anew: Anew, key: str, lines: int) -> None:
    hands = anew.begin()
    for _ in range(lines):
        hands.scan(BREAD_EAN)
    hands.shop.pause()
    hands.type(TYPED)
    assert hands.area.sale.search.text() == TYPED
    press(hands, key)
    expected = {"F3": "taken", "F4": "taken" if lines else "left"}
    assert whereabouts(hands), key
    assert whereabouts(hands) == expected.get(key, whereabouts(hands))


def set_aside(hands: Hands) -> None:
    hands.press("F6")


def void(hands: Hands) -> None:
    hands.model.cart.ask_void()
    hands.press("Enter")
    hands.type("1")
    hands.press("Enter")


def begin_training(hands: Hands) -> None:
    hands.choose(hands.top.segment, 3)


def remove_the_last_line(hands: Hands) -> None:
    hands.tap_cart("remove", 0)


def recall(hands: Hands) -> None:
    hands.press("F6")
    hands.area.sale.search.search.edit.setText(TYPED)
    hands.press("F6")
    hands.press("Enter")


@each("leave", [set_aside, void, begin_training, remove_the_last_line, recall])
def test_another_cart_says_that_the_digits_were_not_taken(
    anew: Anew, leave: Callable[[Hands], None]
) -> None:
    hands = anew.begin()
    before = hands.ticket.key
    hands.scan(BREAD_EAN)
    hands.type(TYPED)
    leave(hands)
    assert hands.ticket.key != before or leave is recall
    assert hands.area.sale.search.text() == ""
    assert any(TYPED in str(one) for one in hands.model.context.notices)
    while "укуцано" not in hands.notice():  # beneath the act's own notices
        assert hands.model.context.notices
        hands.press("Esc")
    assert hands.notice().startswith(f"Раније укуцано {TYPED} није узето")


def test_digits_stay_while_scans_wait_for_a_file(hands: Hands) -> None:
    """No number is asked for then, so none is taken from the search."""
    hands.model.entry.enter_code(BREAD)
    hands.model.context.blocked_by = DatabaseBusy(what="another program holds till.db")
    hands.type(TYPED)
    for key in ("F3", "F4"):
        hands.press(key)
        assert whereabouts(hands) == "left"
        assert hands.shop.tones.played[-1] == "no"


def test_words_are_a_search_and_need_no_word(hands: Hands) -> None:
    hands.scan(BREAD_EAN)
    hands.type("sir")
    hands.press("F6")
    assert hands.area.sale.search.text() == ""
    assert hands.notice() == ""
