"""Carts that are held under a name and found again by it."""

from __future__ import annotations

from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.ui.buttons import OptionButton
from tests.gui.parts import lines_of, visible_parts
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, COFFEE, MILK
from tests.sweep import each

EAN_OF_MILK = "8609951100139"


def panel(hands: Hands) -> QuestionPanel:
    assert hands.area.panel is not None
    return hands.area.panel


def hold(hands: Hands, code: str, *keys: str) -> None:
    hands.press(f"#{code}", "Enter", *keys)


def listed(hands: Hands) -> list[str]:
    """The values on the buttons of the open list."""
    rows = visible_parts(panel(hands), OptionButton)
    return [row.accessibleName().split(": ")[1] for row in rows]


def three_held(hands: Hands) -> None:
    hold(hands, BREAD, "F6")
    hold(hands, MILK, "Ctrl+F6", "#Marko Car", "Enter")
    hold(hands, COFFEE, "Ctrl+F6", "#sto 7", "Enter")
    hands.press("F6")


THREE = ["58,99 · Хлеб бели Сава 500 g", "Marko Car · 139,99", "sto 7 · 349,99"]


def test_a_cart_is_held_under_a_name_or_at_once_without_one(anew: Anew) -> None:
    hands = anew.begin()
    three_held(hands)
    assert listed(hands) == THREE
    row = visible_parts(panel(hands), OptionButton)[1].accessibleName()
    cashier = hands.shop.services.cashier
    assert row.startswith("1 ставка · ")
    assert row.endswith(f" · {cashier}: Marko Car · 139,99")
    hands.press("Esc")
    hold(hands, BREAD, "Ctrl+F6", "Enter", "F6")
    assert listed(hands)[-1].startswith("58,99"), "none is needed"


@each(
    ("typed", "found"),
    [
        ("mar", [1]), ("car ma", [1]), ("hle", [0]), ("kafa", [2]), ("arko", []), ("sto 7", [2]),
    ],
)  # fmt: skip
def test_letters_find_a_held_cart(anew: Anew, typed: str, found: list[int]) -> None:
    hands = anew.begin()
    three_held(hands)
    hands.press(f"#{typed}")
    assert listed(hands) == [THREE[one] for one in found]
    if found:
        hands.press("Enter")
        assert hands.model.questions.question is None
        assert len(hands.model.cart.active_lines) == 1
    else:
        assert "Нема такве остављене корпе" in lines_of(panel(hands))
        hands.press("Enter", "Backspace", "Backspace", "Backspace", "Backspace", "Down", "Enter")
        assert hands.rows()[0].startswith("1 × Хлеб")


def test_digits_and_arrows_choose_as_before(anew: Anew) -> None:
    hands = anew.begin()
    three_held(hands)
    hands.press("2")
    assert hands.rows()[0].startswith("1 × Млеко")
    hands.press("F6", "F6", "Enter")
    assert hands.rows()[0].startswith("1 × Хлеб")


def test_the_name_stays_with_the_cart(anew: Anew) -> None:
    hands = anew.begin()
    hold(hands, MILK, "Ctrl+F6", "#Marko", "Enter", "F6", "Enter")
    hold(hands, BREAD, "F6", "F6")
    assert listed(hands) == ["Marko · 198,98"]
    hands.press("Enter", "Ctrl+F6", "#Ana", "Enter", "F6")
    assert listed(hands) == ["Ana · 198,98"]
    hands.press("Enter")
    hands.pay("+")
    hold(hands, MILK, "F6", "F6")
    assert listed(hands)[0].startswith("139,99"), "the next customer's has none"


def test_scans_wait_until_the_name_is_given_or_put_away(anew: Anew) -> None:
    hands = anew.begin()
    hold(hands, BREAD, "Ctrl+F6", "#Mar")
    hands.scan(EAN_OF_MILK)
    assert hands.rows() == ["1 × Хлеб бели Сава 500 g, 58,99"]
    hands.press("#ko", "Enter")
    assert hands.rows()[0].startswith("1 × Млеко")
    hands.press("F6", "F6")
    assert listed(hands)[0] == "Marko · 58,99"
    hands.press("1", "Ctrl+F6", "#X")
    hands.scan(EAN_OF_MILK)
    hands.press("Esc")
    assert len(hands.model.cart.active_lines) == 2
    hands.press("Ctrl+F6")
    assert hands.model.questions.question is not None


def test_without_a_cart_the_key_shows_the_held_ones(anew: Anew) -> None:
    hands = anew.begin()
    hands.press("Ctrl+F6")
    assert "Нема остављених корпи" in lines_of(panel(hands))
