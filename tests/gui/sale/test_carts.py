"""Carts: held under a name, found by it, and what is told once one is collected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pos_app.cashier.sale.last_sale import last_facts
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.panels.frame import QuestionPanel
from pos_app.cashier.sale.questions import RemovedLines
from pos_app.cashier.ui.option_button import OptionButton
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.receipts.correction import CorrectionDraft, confirm_correction
from pos_app.selling.sale.ticket import DocumentKind
from tests.gui.attention.cases import sold_for_cash
from tests.gui.parts import lines_of, page_in_front, visible_parts
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.gui.window.shop import BREAD, COFFEE, MILK
from tests.sweep import each
from tests.unit.fiscalization.plans.book import BUYER, SELLER

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


THREE = ["Хлеб бели Сава 500 g · 58,99", "Marko Car · 139,99", "sto 7 · 349,99"]


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
    assert listed(hands)[-1] == THREE[0], "none is needed"


@each(
    ("typed", "found"),
    [
        ("mar", [1]), ("car ma", [1]), ("hle", [0]), ("kafa", [2]), ("arko", []), ("sto 7", [2]),
        ("7", [2]),  # a digit that chooses none
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


def test_the_name_stays_with_the_cart(anew: Anew) -> None:
    hands = anew.begin()
    hold(hands, MILK, "Ctrl+F6", "#Marko", "Enter", "F6", "Enter")
    hold(hands, BREAD, "F6", "F6")
    assert listed(hands) == ["Marko · 198,98"]
    hands.press("Enter", "Ctrl+F6", "#Ana", "Enter", "F6")
    assert listed(hands) == ["Ana · 198,98"]
    hands.press("Enter")
    assert hands.cart.added.accessibleName() == "Корпа: Ana"
    hands.pay("+")
    hold(hands, MILK, "F6", "F6")
    assert listed(hands)[0].startswith("Млеко"), "the next customer's has none"


def test_a_removed_piece_is_told_by_its_number(hands: Hands) -> None:
    services = hands.shop.services
    till = services.settings.till.having(keep_batch=True)
    services.settings_here.saved = services.settings.having(till=till)
    hands.scan("010860995110013921S-9")
    (line,) = hands.model.cart.active_lines
    hands.model.cart.remove_line(line.id)
    hands.model.questions.ask(RemovedLines())
    assert listed(hands) == ["Млеко свеже 2,8 % 1 l, бр. S-9"]


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


def told(hands: Hands) -> tuple[str, str, str]:
    last = hands.sold()
    facts = last_facts(last, hands.window.texts)
    return facts.label, facts.amount, facts.total


def exact_cash_says_what_to_collect(hands: Hands) -> None:
    button = hands.area.sale.bar.exact
    for code in (BREAD, MILK):
        hands.enter(code)  # 58,99 and 139,99
    assert button.accessibleName() == "Готовина тачно 199,00"
    hands.type("500")
    assert button.accessibleName().endswith("500,00")
    hands.press(*["Esc"] * 3)
    assert button.accessibleName() == "Готовина тачно 199,00"
    hands.pad("+")
    assert told(hands) == ("Готовина", "199,00", "198,98")
    assert button.accessibleName() == "Готовина тачно"


def a_card_is_told_as_card(hands: Hands) -> None:
    hands.enter(BREAD)
    hands.pay("-")
    assert told(hands) == ("Картица", "58,99", "58,99")


async def test_no_coin_moves_for_a_correction(hands: Hands) -> None:
    """Nothing is given back for its refund, and nothing collected for its new receipt."""
    shop = hands.shop
    told = overview_of(*sold_for_cash(), jobs=(), origin="till")
    draft = CorrectionDraft.of(told, in_whole_dinars=True)
    begun = confirm_correction(
        till=shop.till,
        sales=shop.database.sales,
        seller=SELLER,
        delivery=ReceiptDelivery(),
        draft=replace(draft, buyer=BUYER),
        cashier="Касир 3",
        in_whole_dinars=True,
    )
    hands.window.frame.home.act_confirmed(begun.refund)
    large = hands.cart.large
    assert large.accessibleName().startswith("Готовина 0,00. Исправка")
    hands.window.frame.home.act_confirmed(begun.new)
    assert large.accessibleName().startswith("Готовина 0,00. ")
    hands.enter(MILK)
    assert "Враћено" not in hands.cart.strip.accessibleName()


def a_training_never_stands_under_a_sale(hands: Hands) -> None:
    hands.enter(BREAD)
    hands.pad("+")
    model, large = hands.model, hands.cart.large
    sold = large.accessibleName()
    model.cart.set_kind(DocumentKind.TRAINING)
    assert "Готовина" not in large.accessibleName()
    hands.enter(MILK)
    hands.pad("+")
    assert model.cart.ticket.kind is DocumentKind.SALE  # training ends with its receipt
    assert hands.notice().startswith("Обука")
    assert large.accessibleName() == sold
    assert SaleModel(hands.window.services).confirmation.last == hands.sale()


def digits_after_a_tap_on_a_part_of_the_price_go_to_the_field(hands: Hands) -> None:
    hands.enter(BREAD)
    hands.press("F4")
    panel = page_in_front(hands.window.frame, "ask.price_head")
    for _ in range(2):  # the second tap is on the part that is chosen already
        hands.choose(panel.segment, 1)
        panel.field.set_text("")
        hands.type("45")
        assert panel.field.text() == "45"
    panel.field.set_text("")
    panel.segment.setFocus()
    hands.type("7")
    assert panel.field.text() == "7"


def an_emptied_cart_is_dropped_and_the_count_on_the_key_is_of_the_mode(hands: Hands) -> None:
    button = hands.area.sale.bar.buttons["F6"]
    for number, code in enumerate((BREAD, MILK)):
        hands.enter(code)
        assert button.accessibleName() == ("Остави 1" if number else "Остави")
        hands.press("F6")
        assert button.accessibleName() == f"Узми {number + 1}"
    hands.model.cart.set_kind(DocumentKind.TRAINING)
    assert "2" not in button.accessibleName()
    assert hands.model.cart.suspended_count == len(hands.model.cart.suspended()) == 0
    hands.model.cart.set_kind(DocumentKind.SALE)
    hands.enter(BREAD)
    hands.press("Del")
    hands.tap(button)
    hands.type("1")
    assert (hands.model.cart.suspended_count, len(hands.rows())) == (1, 1)


@each("act", [
    exact_cash_says_what_to_collect, a_card_is_told_as_card, a_training_never_stands_under_a_sale,
    digits_after_a_tap_on_a_part_of_the_price_go_to_the_field,
    an_emptied_cart_is_dropped_and_the_count_on_the_key_is_of_the_mode,
])  # fmt: skip
def test_what_is_told_and_where_digits_go(anew: Anew, act: Callable[[Hands], None]) -> None:
    act(anew.begin())
