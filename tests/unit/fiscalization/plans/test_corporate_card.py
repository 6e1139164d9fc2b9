"""A corporate card (cost centre 50) is paid, and given back, by voucher (fiscal.md 5 and 6.7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.buyer import BuyerId, CostCentre
from pos_app.domain.receipt.operations import AdvancePayment, Closing, Operation
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.advance import plan_advance
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.reversal import plan_reversal
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    BASIS,
    BUYER,
    PDF,
    SELLER,
    Book,
    advance,
    closed,
    fitting,
    known,
    line,
    payments,
    sale,
)
from tests.unit.fiscalization.plans.test_refund import refunded, refunding

CARD = CostCentre.parse("50:картица 1")
PLACE = CostCentre.parse("20:9876543")
BREAD = line("Хлеб/ком", "Е", "3", "100.00", sku=1)
PART = line("11: Аванс", "Е", "1", "100.00")


def on_card(planned: PlannedReceipt) -> PlannedReceipt:
    document = replace(planned.document, buyer=str(BUYER), cost_centre=str(CARD))
    return replace(planned, document=document)


def closing(
    book: Book, *, buyer: BuyerId | None = None, centre: CostCentre | None = None, **paid: str
) -> tuple[PlannedReceipt, PlannedReceipt]:
    paid_now = payments(**paid) if paid else Payments()
    request = Closing(payments=paid_now, delivery=PDF, buyer=buyer, cost_centre=centre)
    return closed(book, request)


@each(
    ("centre", "method"),
    [(CARD, PaymentMethod.VOUCHER), (PLACE, PaymentMethod.CASH), (None, PaymentMethod.CASH)],
)
def test_nothing_is_paid_by_the_method_of_the_card(
    centre: CostCentre | None, method: PaymentMethod
) -> None:
    book = Book(on_card(advance(known(PART), PART, voucher="100.00")))
    _, sold = closing(book, centre=centre)
    assert [(by, amount.amount) for by, amount in sold.document.payments] == [(method, 0)]


@each(
    ("of_chain", "given", "fits"),
    [(str(BUYER), None, True), (None, BUYER, True), (None, None, False)],
)
def test_a_centre_belongs_to_the_buyer_that_the_document_carries(
    of_chain: str | None, given: BuyerId | None, fits: bool
) -> None:
    """A further payment and a closing that name no buyer have the buyer of the chain."""
    book = Book(advance(known(BREAD), PART, buyer=of_chain, card="100.00"))
    payment = AdvancePayment(
        payments=payments(card="100.00"), delivery=PDF, buyer=given, cost_centre=PLACE
    )
    first, chain = book.links[0], book.chain
    made: list[PlannedReceipt] = []
    with fitting(fits, "buyerCostCenterId"):
        made += plan_advance(receipt=first, chain=chain, request=payment, basis=BASIS)
    with fitting(fits, "buyerCostCenterId"):
        made += closing(book, buyer=given, centre=PLACE, card="200.00")[1:]
    carried = {(one.document.buyer, one.document.cost_centre) for one in made}
    assert carried == ({(str(BUYER), str(PLACE))} if fits else set())


# --- what a card paid never comes back as money -------------------------------------------------


@each("method", [one for one in PaymentMethod if one != "voucher"])
def test_a_sale_on_a_card_is_given_back_by_voucher_alone(method: PaymentMethod) -> None:
    book = Book(on_card(sale(BREAD, voucher="300.00")))
    with pytest.raises(Invalid, match="by voucher") as refusal:
        refunded(book, refunding((1, "1"), given=None, **{method.value: "100.00"}))
    assert refusal.value.field == "payments"
    (back,) = refunded(book, refunding((1, "1"), voucher="100.00"))
    assert back.document.cost_centre == str(CARD)


@each(
    ("buyer", "named", "carried"),
    [
        (BUYER, None, str(CARD)),
        (SELLER, None, None),  # this shop's own mistake: the card is not the shop's
        (BUYER, CostCentre.parse("60:01012026_31012026"), "60:01012026_31012026"),
    ],
)
def test_the_refund_names_the_card_of_its_buyer(
    buyer: BuyerId, named: CostCentre | None, carried: str | None
) -> None:
    book = Book(on_card(sale(BREAD, voucher="300.00")))
    request = replace(refunding(voucher="300.00"), buyer=buyer, cost_centre=named)
    assert refunded(book, request)[0].document.cost_centre == carried
    at_place, sold = Book(), sale(BREAD, buyer=str(BUYER), card="300.00")
    at_place.add(replace(sold, document=replace(sold.document, cost_centre=str(PLACE))))
    (back, *_) = refunded(at_place, refunding(cash="300.00"))
    assert back.document.cost_centre is None, "a centre that is no card is not carried over"


@each(
    ("back", "fits"),
    [
        ({"cash": "100.00"}, True),
        ({"cash": "100.01"}, False),
        ({"voucher": "200.00", "cash": "100.00"}, True),
        ({"voucher": "199.99", "cash": "100.01"}, False),
    ],
)
def test_of_an_advance_no_more_money_comes_back_than_came(back: dict[str, str], fits: bool) -> None:
    book = Book(advance(known(BREAD), PART, buyer=str(BUYER), card="100.00"))
    second = on_card(advance(known(BREAD), line("11: Аванс", "Е", "1", "200.00"), voucher="200.00"))
    book.add(replace(second, order=None), operation=Operation.ADVANCE)
    with fitting(fits, r"200\.00 was paid by a corporate card"):
        refunded(book, refunding(given=None, **back))


@each(("again", "fits"), [("100.00", True), ("200.00", False)])
def test_nor_in_parts_nor_after_a_refund_that_was_undone(again: str, fits: bool) -> None:
    """After a closing, too, what the card paid in advance comes back by voucher; the sale that
    undid a refund is paid by voucher, but it brought no money."""
    book = Book(on_card(advance(known(BREAD), PART, voucher="100.00")))
    book.add(*closing(book, cash="200.00"), operation=Operation.CLOSE)
    book.add(*refunded(book, refunding((1, "1"), cash="100.00"), of=2), operation=Operation.REFUND)
    with fitting(fits, r"100\.00 was paid by a corporate card"):
        refunded(book, refunding((1, "1" if fits else "2"), cash=again), of=2)
    undone = Book(on_card(advance(known(BREAD), PART, voucher="100.00")))
    refund, refused = closing(undone, cash="200.00")
    reversal = plan_reversal(refund=refund, refused=refused, basis=BASIS)
    undone.add(refund, reversal, operation=Operation.CLOSE)
    with pytest.raises(Invalid, match=r"100\.00 was paid by a corporate card"):
        refunded(undone, refunding(cash="0.01"))
    refunded(undone, refunding(voucher="100.00"))
