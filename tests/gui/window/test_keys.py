"""Keys at the sale: what they do with digits in the search, what the numeric pad types, what a
combination does not, and where F1 lists them."""

from __future__ import annotations

from itertools import product

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from pos_app.cashier import commands
from pos_app.cashier.catalogue.columns import CatalogueColumn
from pos_app.cashier.sale.questions import TEXT
from pos_app.cashier.ui.buttons import KeyCap
from pos_app.cashier.ui.typed_keys import typed_text
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from tests.gui.inside import inside
from tests.gui.parts import visible_parts
from tests.gui.patience import until
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


PIN_OF_DIGITS = "147258"


def _edit(hands: Hands) -> QLineEdit:
    found = hands.window.focusWidget()
    assert isinstance(found, QLineEdit)
    return found


@pytest.mark.parametrize("is_on", [False, True], ids=["num-lock-off", "num-lock-on"])
def test_at_the_sale_and_in_the_payment(hands: Hands, is_on: bool) -> None:
    hands.keys.num_lock = is_on
    hands.type_on_pad(f"{BREAD}\r")
    hands.scan("8609951100139")
    assert hands.gtins() == [BREAD_EAN, "8609951100139"]
    current = hands.model.cart.current_line_id
    hands.type_on_pad("9")  # Page Up of a pad without Num Lock
    hands.type_on_pad(".")  # and Delete
    assert (hands.model.cart.current_line_id, len(hands.rows())) == (current, 2)
    assert _edit(hands).text() == "9."
    hands.press("Esc")
    for key, typed in (("F3", "24"), ("F4", "15")):
        hands.press(key)
        hands.type_on_pad(typed)
        assert _edit(hands).text() == typed
        hands.press("Esc")
    hands.press("F12")
    hands.type_on_pad("123.5")
    assert (str(hands.payment.tender.payments.total), _edit(hands).text()) == ("123.50", "123,5")
    hands.press("Esc", "F6")
    hands.scan(BREAD_EAN)
    hands.shop.pause()
    hands.type_on_pad("500")
    hands.pad("+")
    assert hands.sold().money_taken.tendered.total == Money("500")


async def test_the_pin_opens_and_a_cell_of_the_catalogue_takes_a_price(hands: Hands) -> None:
    inside(hands.window).open("catalogue")
    hands.type_on_pad(f"{PIN_OF_DIGITS}\r{PIN_OF_DIGITS}\r")
    screen = inside(hands.window).catalogue
    await until(lambda: screen.model.is_open)
    place = screen.model.listed.index_of(hands.shop.row(BREAD).product_id)
    assert place is not None
    screen.table.setCurrentIndex(screen.area.rows.index(place, CatalogueColumn.PRICE))
    hands.type_on_pad("77.5\r")
    assert hands.shop.row(BREAD).price == Money("77.5")


CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
ALTGR_ON_WINDOWS = CTRL | ALT


def test_altgr_types_its_sign() -> None:
    """On a Serbian layout X11 reports no modifier for it, Windows reports Ctrl and Alt."""

    def typed(sign: str, held: Qt.KeyboardModifier, key: int = Qt.Key.Key_V, **of: bool) -> str:
        return typed_text(QKeyEvent(QEvent.Type.KeyPress, key, held, sign), **of)

    for sign in "@€[]{}\\|":
        assert typed(sign, NONE) == typed(sign, ALTGR_ON_WINDOWS, on_windows=True) == sign
        assert typed(sign, ALTGR_ON_WINDOWS | SHIFT, on_windows=True) == sign
        assert typed(sign, ALTGR_ON_WINDOWS, on_windows=False) == ""
        assert typed(sign, ALT, on_windows=True) == typed(sign, CTRL, on_windows=True) == ""
    assert typed("\x16", CTRL) == ""
    assert typed("Ж", SHIFT) == "Ж"
    assert typed("ђ", ALT, key=0) == "ђ", "composed of Alt and digits"


QUESTIONS = {
    "F3": ({"цифре", "Enter", "Esc"}, "2"),
    "F4": ({"цифре", "Enter", "Esc"}, "5"),
    "unusual": ({"F12", "Enter", "Esc"}, ""),
}


def caps(hands: Hands) -> set[str]:
    assert hands.area.panel is not None
    return {cap.accessibleName() for cap in visible_parts(hands.area.panel, KeyCap)}


@each(("asked", "back"), product(QUESTIONS, ["Esc", "F1", "Enter"]))
def test_f1_in_a_question_shows_its_keys_and_keeps_what_was_typed(
    anew: Anew, asked: str, back: str
) -> None:
    hands = anew.begin()
    promised, typed = QUESTIONS[asked]
    hands.model.entry.enter_code(BREAD)
    hands.press("F3" if asked == "unusual" else asked)
    hands.type(typed or "412")
    if asked == "unusual":
        hands.press("Enter")
    question = hands.model.questions.question
    hands.press("F1")
    assert promised <= caps(hands)
    assert "F6" not in caps(hands)
    hands.press(back)
    assert hands.model.questions.question is question
    assert "F1" not in caps(hands)
    assert hands.area.panel is not None
    assert list(hands.area.panel.entries().values())[:1] == ([typed] if typed else [])
