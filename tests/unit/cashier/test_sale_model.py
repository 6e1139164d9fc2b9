"""The sale without a window: codes, questions, lines, carts, exact payment, on real databases."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from pos_app.cashier.sale import questions
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.domain.money.money import Money, Quantity
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.fakes.people_here import CASHIERS_LACK
from tests.gui.window.shop import BANANA_WEIGHED, BREAD, Shop

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
