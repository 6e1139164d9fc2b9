"""The payment of one cart: figure, papers, and the frozen sale, over a till in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pos_app.cashier.payment.model import FigureKind, PaymentModel, ScannedWhilePaying
from pos_app.domain.article.store import PrintMethod, Store
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import ConfirmedSale, confirm
from pos_app.selling.sale.ports import Till
from pos_app.selling.sale.receipt_drafts import AdvanceDraft, BuyerDraft, FaultPart
from pos_app.selling.sale.ticket import DocumentKind, Ticket
from tests.fakes.memory_till import MemoryTill
from tests.fakes.till import CASHIER, article, till_of
from tests.fakes.till_clock import StandingClock

STORE = Store(
    id="s",
    name="Липа",
    print_method=PrintMethod(thermal=True),
    payment_methods_order=(("card", "cash"), ("voucher",)),
)


@pytest.fixture
def till() -> Till:
    return till_of(MemoryTill().carts, StandingClock())


def sold(till: Till, *prices: str, kind: DocumentKind = DocumentKind.SALE) -> Ticket:
    """A cart with one article for each price; the second has another tax label."""
    basket = sell.start(till=till, cashier=CASHIER)
    if kind is not DocumentKind.SALE:
        basket = sell.set_kind(till=till, ticket=basket, kind=kind, cashier=CASHIER)
    for number, price in enumerate(prices):
        label = TaxLabel.DJ if number == 1 else TaxLabel.E
        basket = added(till, basket, f"Роба {number}", price, label)
    return basket


def added(
    till: Till, ticket: Ticket, name: str, price: str, label: TaxLabel = TaxLabel.E
) -> Ticket:
    what = replace(article(name, price), label=label)
    done = sell.add_item(till=till, ticket=ticket, article=what, quantity=Quantity.ONE)
    assert isinstance(done, sell.ItemAdded)
    return done.ticket


def confirmed(model: PaymentModel, till: Till) -> ConfirmedSale:
    return confirm(
        till=till,
        ticket=model.ticket,
        tendered=model.tender.payments,
        receipt_details=model.drafts.receipt_details(model.ticket, till.clock.now()),
        cashier=CASHIER,
        in_whole_dinars=model.in_whole_dinars,
    )


def paying(ticket: Ticket, store: Store | None = None) -> PaymentModel:
    return PaymentModel(ticket, store=store, in_whole_dinars=True)


def keys(model: PaymentModel, text: str) -> None:
    for key in text:
        model.tender = model.tender.key(key)


@pytest.mark.parametrize(
    ("typed", "kind", "amount", "rounding"),
    [
        ("", FigureKind.REMAINING, "1675", "0"),
        ("2000", FigureKind.CHANGE, "325", "0.28"),
        ("500", FigureKind.REMAINING, "1175", "0"),
    ],
)
def test_the_figure(till: Till, typed: str, kind: FigureKind, amount: str, rounding: str) -> None:
    model = paying(sold(till, "1674.72"))
    keys(model, typed)
    figure = model.figure()
    assert (figure.kind, figure.amount, figure.rounding) == (kind, Money(amount), Money(rounding))


def test_a_scan_keeps_what_was_given_and_names_the_item(till: Till) -> None:
    basket = sold(till, "100.00")
    model = paying(basket)
    keys(model, "100")
    told = model.take_ticket(added(till, basket, "Млеко", "139.99"))
    assert told == ScannedWhilePaying("Млеко", Money("239.99"))
    assert model.tender.payments.cash == Money(100)
    assert model.figure().amount == Money(140)


def test_buyer_text_and_delivery_go_on_the_receipt(till: Till) -> None:
    model = paying(sold(till, "100.00"), STORE)
    model.buyer = BuyerDraft("10", "123456788")
    model.text = "  Хвала  "
    papers = model.drafts.receipt_details(model.ticket, till.clock.now())
    assert str(papers.buyer) == "10:123456788"
    assert papers.additional_text == "Хвала"
    assert (papers.delivery.pdf, papers.delivery.thermal) == (True, False)


def test_a_corporate_card_is_voucher_with_cost_centre_and_buyer(till: Till) -> None:
    model = paying(sold(till, "100.00"))
    keys(model, "50")
    model.pay_by_corporate_card(True)
    model.buyer = replace(model.buyer, value="123456788", centre_value="4711")
    assert model.faults(till.clock.now()) == ()
    assert dict(model.tender.payments.by_method) == {PaymentMethod.VOUCHER: Money(100)}
    model.choose(PaymentMethod.CASH)
    assert dict(model.tender.payments.by_method) == {PaymentMethod.VOUCHER: Money(100)}
    assert (
        str(model.drafts.receipt_details(model.ticket, till.clock.now()).cost_centre) == "50:4711"
    )
    assert confirmed(model, till).sale.total == Money(100)


def test_a_discount_is_stored_with_the_cart_and_payments_stay(till: Till) -> None:
    model = paying(sold(till, "100.00"))
    keys(model, "100")
    stored = model.discount_receipt(Percent(Quantity(10).amount), till=till)
    assert stored is not None
    assert (model.due, model.figure().amount) == (Money(90), Money(10))
    assert model.discount_receipt(stored.cart.discount, till=till) is None
    with pytest.raises(Invalid):
        model.discount_receipt(Money(500), till=till)


def test_the_store_says_which_method_is_first(till: Till) -> None:
    model = paying(sold(till, "100.00"), STORE)
    assert model.first is PaymentMethod.CARD
    assert model.methods[:3] == (PaymentMethod.CARD, PaymentMethod.CASH, PaymentMethod.VOUCHER)
    assert len(model.methods) == 7


def test_an_advance_asks_for_its_part_and_keeps_no_change(till: Till) -> None:
    model = paying(sold(till, "1000.00", "674.72", kind=DocumentKind.ADVANCE))
    model.change_advance(AdvanceDraft("1000"))
    keys(model, "2000")
    assert model.figure().amount == Money(1000)
    done = confirmed(model, till)
    assert done.sale.total == Money(1000)
    assert done.sale.money_taken.on_receipt.total == Money(1000)


def test_an_unknown_advance_of_two_labels_needs_its_split(till: Till) -> None:
    model = paying(sold(till, "1000.00", "674.72", kind=DocumentKind.ADVANCE))
    model.change_advance(AdvanceDraft("500", unknown=True))
    keys(model, "500")
    assert FaultPart.ADVANCE in {fault.part for fault in model.faults(till.clock.now())}
    parts = {TaxLabel.E: "300", TaxLabel.DJ: "200"}
    model.change_advance(AdvanceDraft("500", unknown=True, texts_by_label=parts))
    done = confirmed(model, till)
    assert done.sale.total == Money(500)
