"""The sale without a window: codes, questions, lines, carts, exact payment, on real databases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

from pos_app.cashier.sale import notices, questions
from pos_app.cashier.sale.context import SalePart
from pos_app.cashier.sale.model import SaleModel
from pos_app.domain.money.money import Money, Quantity
from pos_app.selling.sale.sale import Sale
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.fakes.faulty_file import refused
from tests.fakes.inner_connection import connection_of
from tests.fakes.people_here import CASHIERS_LACK
from tests.gui.window.shop import BANANA, BANANA_WEIGHED, BREAD, MILK, Shop

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


def ask_line(desk: Desk) -> None:
    desk.articles(BREAD)
    desk.model.questions.ask(questions.LineQuantity(1), typed_text="86099107")
    desk.model.entry.answer_quantity(EAN_AS_NUMBER)


def ask_weighed(desk: Desk) -> None:
    desk.articles(BANANA)
    desk.model.entry.answer_quantity(EAN_AS_NUMBER)


def ask_price(desk: Desk) -> None:
    desk.articles(BREAD)
    desk.model.questions.ask(questions.LinePrice(1))
    desk.model.entry.answer_price(Money(86099107))


def ask_open_price(desk: Desk) -> None:
    desk.model.entry.add(desk.shop.catalogue.open_price_articles()[0])
    desk.model.entry.answer_price(Money(86099107))


@pytest.mark.parametrize("ask", [ask_next, ask_line, ask_weighed, ask_price, ask_open_price])
def test_a_number_far_above_the_usual_is_asked_about_before_it_counts(
    desk: Desk, ask: Callable[[Desk], None]
) -> None:
    ask(desk)
    before = desk.model.cart.ticket
    question = desk.model.questions.question
    assert isinstance(question, questions.UnusualAmountQuestion)
    assert desk.shop.tones.played[-1] == "attention"
    desk.scan(MILK_EAN)
    assert (desk.model.cart.ticket, desk.waiting()) == (before, [MILK_EAN])
    desk.model.questions.ask_again()
    assert desk.model.questions.question == question.before
    desk.model.questions.put_away()
    assert ("Млеко", "1") in desk.rows()
    assert not any(line.quantity == EAN_AS_NUMBER for line in desk.model.cart.active_lines)


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


def test_a_refused_code_stays_told_though_another_cart_gets_it(desk: Desk) -> None:
    """The first cart still lacks it; a code that is entered there takes the notice away."""
    desk.articles(MILK)
    with refused(connection_of(desk.shop.database.carts), apsw.FullError("full"), only="UPDATE"):
        desk.scan(BREAD_EAN)
    (told,) = desk.model.context.notices
    assert isinstance(told, notices.ActFailed)
    desk.model.cart.suspend()
    desk.scan(BREAD_EAN)
    assert desk.rows() == [("Хлеб", "1")]
    assert desk.model.context.notices == (told,)
    desk.model.cart.suspend()
    desk.model.cart.recall(desk.model.cart.suspended()[0].id)
    assert desk.rows() == [("Млеко", "1")]
    desk.scan(BREAD_EAN)
    assert desk.model.context.notices == ()


@pytest.mark.parametrize(
    ("key", "typed", "refused"),
    [
        ("cash", "", None),
        ("cash", " 100 ", None),
        ("cash", "kafa", "typed_no_amount"),
        ("shown", "kafa", None),
        ("card", "58,99", None),
        ("card", "100", "typed_by_card"),
        ("card", "kafa", "typed_by_card"),
    ],
)
def test_what_a_key_of_payment_takes_of_what_was_typed(
    desk: Desk, key: str, typed: str, refused: str | None
) -> None:
    desk.articles(BREAD)
    confirmation = desk.model.confirmation
    pay = {
        "cash": confirmation.pay_typed_cash,
        "shown": confirmation.pay_shown_cash,
        "card": confirmation.pay_typed_card,
    }
    pay[key](typed)
    told = desk.model.context.failed
    assert (told and told.kind, len(desk.confirmed)) == (refused, 0 if refused else 1)


@pytest.mark.parametrize("milliseconds", [0, 200, 399])
def test_a_finger_pays_nothing_just_after_a_scan(desk: Desk, milliseconds: int) -> None:
    desk.scan(BREAD_EAN)
    desk.shop.clock.go_on(milliseconds)
    confirmation = desk.model.confirmation
    for press in (confirmation.pay_shown_card, lambda: confirmation.pay_shown_cash("")):
        press()
        told = desk.model.context.failed
        assert (told and told.kind, desk.confirmed) == ("soon_after_scan", [])
    desk.shop.clock.go_on(400 - milliseconds)
    confirmation.pay_shown_cash("")
    assert len(desk.confirmed) == 1
    assert desk.paid() is None, "an empty cart"
    desk.articles(BREAD, BANANA)
    assert desk.paid() is None, "a question is open"
    desk.model.questions.put_away()
    assert desk.paid() is not None


def test_a_price_has_at_most_twelve_digits(desk: Desk) -> None:
    desk.articles(BREAD)
    desk.model.cart.set_quantity(1, Quantity(20))
    desk.model.questions.ask(questions.LinePrice(1))
    desk.model.entry.answer_price(Money(999_999_999_999))
    assert isinstance(desk.model.context.notices[-1], notices.ActFailed)
    assert desk.model.cart.ticket.cart.total == Money("1179.80")


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
