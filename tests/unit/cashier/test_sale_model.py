"""The sale without a window: codes, questions, lines, carts; and every scan counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pos_app.cashier.sale import questions
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.cashier.sale.questions import More, SuspendedCarts, WeightQuestion
from pos_app.domain.money.money import Money, Quantity
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.fakes.inner_connection import connection_of
from tests.fakes.people_here import CASHIERS_LACK
from tests.gui.window.shop import BANANA, BANANA_WEIGHED, BREAD, Shop
from tests.sweep import examples
from tests.unit.cashier import test_sale_model

BREAD_EAN, MILK_EAN = "8609910700134", "8609951100139"


@dataclass
class Desk:
    """The models of one sale, and the changes that they reported."""

    shop: Shop
    model: SaleModel
    told: list[frozenset[SalePart]]
    confirmed: list[Sale]

    def rows(self) -> list[tuple[str, str]]:
        return [
            (line.article.frozen.name.split()[0], str(line.quantity))
            for line in self.model.cart.ticket.cart.active
        ]

    def scan(self, code: str) -> None:
        self.model.entry.scan(self.model.entry.read_code(code))

    def waiting(self) -> list[str]:
        return [code.text for code in self.model.entry.waiting]

    def paid(self, *, received: Money | None = None, by_card: bool = False) -> Sale | None:
        """The sale that one key confirmed, None where it was not confirmed."""
        before = len(self.confirmed)
        if by_card:
            self.model.confirmation.pay_card()
        else:
            self.model.confirmation.pay_cash(received)
        return self.confirmed[-1] if len(self.confirmed) > before else None

    def articles(self, *codes: str) -> None:
        """Enter codes as if typed."""
        for code in codes:
            self.model.entry.enter_code(code)


def desk_of(shop: Shop) -> Desk:
    desk = Desk(shop, SaleModel(shop.services), [], [])
    desk.model.context.listen(desk.told.append, *SalePart)
    desk.model.confirmation.listen_confirmed(desk.confirmed.append)
    return desk


@pytest.fixture
def desk(shop: Shop) -> Desk:
    return desk_of(shop)


EAN_AS_NUMBER = Quantity(86099107)


def ask_next(desk: Desk) -> None:
    desk.model.entry.type_next_quantity(EAN_AS_NUMBER)


def test_a_large_next_quantity_is_asked_about_once_and_counts(desk: Desk) -> None:
    ask_next(desk)
    question = desk.model.questions.question
    assert isinstance(question, questions.UnusualAmountQuestion)
    desk.model.questions.answered(question.agreed)
    desk.scan(BREAD_EAN)
    assert desk.rows() == [("Хлеб", "86099107")]


def test_a_price_that_changed_meanwhile_stays_and_is_told(desk: Desk) -> None:
    desk.articles(BREAD)
    line = desk.model.cart.ticket.cart.active[0]
    bread, now = line.article.article_id, desk.shop.clock.now()
    price = NewEdit.changing(bread, bread, {"price": Money(70)}, by="Шеф", at=now)
    desk.shop.desk.record(price)
    desk.model.cart.check_articles()
    assert desk.model.cart.new_prices == {bread: Money(70)}
    assert desk.model.cart.total == Money("58.99")
    desk.articles(BREAD)
    assert [str(one.price) for one in desk.model.cart.ticket.cart.active] == ["58.99", "70.00"]


def test_training_has_its_own_cart_and_needs_a_manager(shop_data: Path) -> None:
    shop = Shop(shop_data, forbids=CASHIERS_LACK)
    desk = desk_of(shop)
    desk.articles(BREAD)
    desk.model.cart.set_kind(DocumentKind.TRAINING)
    assert desk.model.cart.ticket.kind is DocumentKind.SALE
    assert desk.rows() == [("Хлеб", "1")]
    shop.close()


def test_more_of_what_is_weighed_asks(desk: Desk) -> None:
    desk.scan(BANANA_WEIGHED)
    line = desk.model.cart.ticket.cart.active[0].id
    desk.model.cart.increase(line)
    assert desk.model.questions.question == questions.LineQuantity(line)


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
