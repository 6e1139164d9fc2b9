"""The rule "every scan counts", over random histories of a counter (hypothesis)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pos_app.cashier.sale.questions import More, SuspendedCarts, WeightQuestion
from pos_app.domain.money.money import Quantity
from pos_app.selling.sale.ticket import DocumentKind
from tests.fakes.inner_connection import connection_of
from tests.gui.window.shop import BANANA, Shop
from tests.sweep import examples
from tests.unit.cashier import test_sale_model

ACTS = (
    "bread", "milk", "banana", "answer", "away", "hold", "recall", "pay", "menu", "drop", "list",
    "train", "sell", "remove", "back",
)  # fmt: skip


def acts_of(
    desk: test_sale_model.Desk, scanned: list[str], brought_back: set[int]
) -> dict[str, Callable[[], None]]:
    """The acts of a history by name. brought_back: carts whose lines were sold on at their end."""
    model = desk.model

    def scan(code: str) -> None:
        scanned.append(code)
        desk.scan(code)

    def recall() -> None:
        for basket in model.cart.suspended()[:1]:
            model.cart.recall(basket.id)

    def remove() -> None:
        for line in model.cart.active_lines[-1:]:
            model.cart.remove_line(line.id)

    def back() -> None:
        emptied = model.cart.ticket.emptied
        for line in model.cart.removed_lines[:1]:
            model.cart.put_back_line(line.id)
            if emptied is not None and model.cart.ticket.emptied is None:
                brought_back.add(emptied.id)

    return {
        "bread": lambda: scan(test_sale_model.BREAD_EAN),
        "milk": lambda: scan(test_sale_model.MILK_EAN),
        "banana": lambda: model.entry.enter_code(BANANA),
        "answer": lambda: _answer(desk),
        "away": model.questions.put_away,
        "hold": model.cart.suspend_or_recall,
        "recall": recall,
        "pay": lambda: _pay(desk),
        "menu": lambda: model.questions.ask(More()),
        "drop": model.cart.ask_void,
        "list": lambda: model.questions.ask(SuspendedCarts()),
        "remove": remove,
        "back": back,
        "train": lambda: model.cart.set_kind(DocumentKind.TRAINING),
        "sell": lambda: model.cart.set_kind(DocumentKind.SALE),
    }


def _answer(desk: test_sale_model.Desk) -> None:
    if isinstance(desk.model.questions.question, WeightQuestion):
        desk.model.entry.answer_quantity(Quantity("0.5"))


def _pay(desk: test_sale_model.Desk) -> None:
    desk.shop.pause()
    desk.paid()


def pieces(desk: test_sale_model.Desk, brought_back: set[int]) -> int:
    """Bread and milk, removed pieces too, in carts of any state but those of `brought_back`."""
    count = 0
    row = connection_of(desk.shop.database.carts).execute("SELECT max(id) FROM carts").get
    for cart_id in set(range(1, row + 1)) - brought_back:
        for line in desk.shop.till.carts.cart_of(cart_id).cart.lines:
            if not line.article.by_weight:
                count += int(line.quantity.amount)
    return count


@given(history=st.lists(st.sampled_from(ACTS), max_size=40))
@example(history=["banana", "bread", "hold", "bread"])
@example(history=["banana", "bread", "train", "away", "sell"])
@example(history=["bread", "remove", "back", "milk"])
@settings(
    max_examples=examples(100, share=8),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_no_scan_is_lost_or_doubled(history: list[str], shop_data: Path) -> None:
    for file in (shop_data / "till").glob("till.db*"):
        file.unlink()
    shop = Shop(shop_data)
    try:
        desk = test_sale_model.desk_of(shop)
        scanned: list[str] = []
        brought_back: set[int] = set()
        acts = acts_of(desk, scanned, brought_back)
        for name in history:
            acts[name]()
            assert desk.model.questions.is_asked or not desk.model.entry.waiting, name
            assert pieces(desk, brought_back) + len(desk.model.entry.waiting) == len(scanned), name
        desk.model.questions.put_away()
        while desk.model.questions.question is not None:
            desk.model.questions.put_away()
        assert desk.model.entry.waiting == ()
        assert pieces(desk, brought_back) == len(scanned)
    finally:
        shop.close()
