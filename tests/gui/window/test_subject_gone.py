"""A panel ends with what it is about."""

from __future__ import annotations

from collections.abc import Callable

from pos_app.cashier.sale.notices import TypedNotTaken
from pos_app.cashier.sale.questions import UnusualAmountQuestion
from tests.gui.window.anew import Anew
from tests.gui.window.hands import Hands
from tests.sweep import each

BREAD, MILK = "8609910700134", "8609951100139"


OPENED: dict[str, Callable[[Hands], object]] = {
    "quantity": lambda hands: hands.press("F3"),
    "price": lambda hands: hands.press("F4"),
    "whether 9,000 pieces are right": lambda hands: hands.press("F3", "#9000", "Enter"),
    "why it is voided": lambda hands: hands.model.cart.ask_void(),
}
UNUSUAL = "whether 9,000 pieces are right"


def _sells_on(hands: Hands) -> None:
    """A scan enters, and Esc leads back."""
    model = hands.model
    assert (model.questions.question, hands.area.panel) == (None, None)
    assert not model.entry.waiting
    before = sum(line.quantity.amount for line in model.cart.active_lines)
    hands.scan(MILK)
    assert sum(line.quantity.amount for line in model.cart.active_lines) == before + 1
    hands.press("F3")
    assert hands.area.panel is not None
    hands.press("Esc")
    assert hands.area.panel is None


@each("opened", OPENED)
@each("button", ["remove", "minus"])
def test_a_panel_ends_with_the_only_row(anew: Anew, opened: str, button: str) -> None:
    hands = anew.begin()
    hands.scan(BREAD)
    OPENED[opened](hands)
    assert isinstance(hands.model.questions.question, UnusualAmountQuestion) is (opened == UNUSUAL)
    hands.tap_cart(button, len(hands.rows()) - 1)
    _sells_on(hands)


@each("opened", [*OPENED][:3])
def test_a_panel_ends_with_its_row_and_the_others_stay(anew: Anew, opened: str) -> None:
    """Scans that waited enter, and what was typed is told."""
    hands = anew.begin()
    hands.scan(MILK, BREAD)
    OPENED[opened](hands)
    assert isinstance(hands.model.questions.question, UnusualAmountQuestion) is (opened == UNUSUAL)
    if opened != UNUSUAL:
        hands.type("7")
    hands.scan(MILK)
    assert hands.model.entry.waiting
    hands.tap_cart("remove", len(hands.rows()) - 1)
    if opened != UNUSUAL:
        (told,) = hands.model.context.notices
        assert isinstance(told, TypedNotTaken)
        assert told.typed_text == "7"
        assert "Хлеб" in told.name
        assert "7" in hands.notice()
    assert [one.quantity.amount for one in hands.model.cart.active_lines] == [2]
    _sells_on(hands)
