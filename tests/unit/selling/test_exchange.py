"""Goods back for others: both receipts, and the cash that is handed over between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest

from pos_app.domain.money.money import Money, whole_dinars
from pos_app.domain.money.payment import PaymentMethod, Payments, check_cover
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.errors import Invalid, NotAllowed
from pos_app.fiscalization.plans.shop_choices import ShopChoices
from pos_app.selling.receipts.credit import is_credit_owed, open_credit, signed_refund
from pos_app.selling.receipts.exchanged import ExchangeFault, exchange_fault
from pos_app.selling.receipts.frozen_pair import copy_follows
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import ConfirmedSale, ReceiptDetails
from pos_app.selling.sale.exchange import confirm_exchange
from pos_app.selling.sale.goods_back import GoodsBack, Netting
from pos_app.selling.sale.sale import ExchangeMoney, MoneyTaken, Sale
from pos_app.selling.sale.sell import ItemAdded
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind, Ticket, TypedDetails
from tests.fakes.counter import Counter
from tests.fakes.fiscal_server import Fault
from tests.fakes.till import CASHIER, ON_PAPER, article
from tests.sweep import each
from tests.unit.selling.test_correction import receipt

CASH, CARD, VOUCHER, OTHER = (
    PaymentMethod.CASH, PaymentMethod.CARD, PaymentMethod.VOUCHER, PaymentMethod.OTHER,
)  # fmt: skip
Amounts = Mapping[PaymentMethod, str]


def payments(amounts: Amounts) -> Payments:
    return Payments.of({method: Money(amount) for method, amount in amounts.items()})


def goods(back: Amounts, *, given_away: str = "0") -> GoodsBack:
    paid = payments(back)
    return GoodsBack(
        "receipt-1",
        "AAAA1111-AAAA1111-7",
        {0: Decimal(1)},
        is_whole=False,
        total=paid.total,
        payments=paid,
        given_away=Money(given_away),
        buyer_code="20",
        buyer_value="007112233",
    )


def cart_for(counter: Counter, back: GoodsBack, new: str | None) -> Ticket:
    till = counter.till
    ticket = sell.begin_exchange(
        till=till, ticket=sell.start(till=till, cashier=CASHIER), goods=back
    )
    if new is None:
        return ticket
    added = sell.add_item(till=till, ticket=ticket, article=article("Јакна", new))
    assert isinstance(added, ItemAdded)
    return added.ticket


def exchanged(
    counter: Counter,
    ticket: Ticket,
    given: Amounts,
    *,
    whole: bool = True,
    details: ReceiptDetails = ON_PAPER,
) -> ConfirmedSale:
    assert ticket.exchanged is not None
    return confirm_exchange(
        till=counter.till,
        ticket=ticket,
        goods=ticket.exchanged,
        tendered=payments(given),
        receipt_details=details,
        cashier=CASHIER,
        in_whole_dinars=whole,
    )


def hand(refund: MoneyTaken, sale: MoneyTaken) -> Money:
    """The cash in less change and cash out, as both rows of a count have it."""
    return sale.tendered.cash - sale.change - (refund.tendered.cash - refund.rounding)


TABLE = [
    # name, back, given away, new, given beside | on the new receipt, hand, back beside cash
    ("equal", {CASH: "500.00"}, "0", "500.00", {}, {CASH: "500.00"}, "0", {}),
    ("more, in cash", {CASH: "100.40"}, "0", "150.95", {CASH: "51"}, {CASH: "150.95"}, "51", {}),
    ("more, a note", {CASH: "100.40"}, "0", "150.95", {CASH: "200"}, {CASH: "300.40"}, "51", {}),
    ("more, by card", {CASH: "100.40"}, "0", "150.95", {CARD: "50.55"},
     {CASH: "100.40", CARD: "50.55"}, "0", {}),
    ("less, with para", {CASH: "257.97"}, "0", "138.50", {}, {CASH: "138.50"}, "-119", {}),
    ("less than half a dinar back", {CASH: "100.40"}, "0", "100.00", {}, {CASH: "100.00"}, "0", {}),
    ("less than half a dinar more", {CASH: "100.00"}, "0", "100.40", {}, {CASH: "100.40"}, "0", {}),
    ("card, dearer, cash", {CARD: "1000.00"}, "0", "1200.30", {CASH: "200"},
     {CARD: "1000.00", CASH: "200.30"}, "200", {}),
    ("card, cheaper", {CARD: "1000.00"}, "0", "765.66", {}, {CARD: "765.66"}, "0",
     {CARD: "234.34"}),
    ("cash and card, cheaper than the card", {CASH: "500.00", CARD: "500.00"}, "0", "300.00", {},
     {CARD: "300.00"}, "-500", {CARD: "200.00"}),
    ("cash and card, dearer than the card", {CASH: "500.00", CARD: "500.00"}, "0", "700.30", {},
     {CARD: "500.00", CASH: "200.30"}, "-300", {}),
    ("beside goods that were given away", {CASH: "100.00", OTHER: "50.00"}, "50.00", "120.00",
     {CASH: "20"}, {CASH: "120.00"}, "20", {}),
    ("given away alone", {OTHER: "50.00"}, "50.00", "120.00", {CASH: "120"}, {CASH: "120.00"},
     "120", {}),
    ("a corporate card's voucher, dearer", {VOUCHER: "800.00"}, "0", "900.00", {VOUCHER: "100.00"},
     {VOUCHER: "900.00"}, "0", {}),
    ("a corporate card's voucher, cheaper", {VOUCHER: "800.00"}, "0", "650.00", {},
     {VOUCHER: "650.00"}, "0", {VOUCHER: "150.00"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("back", "free", "new", "given", "shown", "moved", "beside"),
    [row[1:] for row in TABLE],
    ids=[row[0] for row in TABLE],
)
def test_the_hand_moves_what_is_between(
    back: Amounts, free: str, new: str, given: Amounts, shown: Amounts, moved: str, beside: Amounts
) -> None:
    counter, came = Counter(), goods(back, given_away=free)
    done = exchanged(counter, cart_for(counter, came, new), given)
    refund, money = counter.store.sales.sale(done.sale.follows or ""), done.sale.money_taken
    assert (refund.total, refund.money_taken.on_receipt) == (came.total, came.payments)
    assert done.sale.total == Money(new)
    assert dict(money.on_receipt.by_method) == dict(payments(shown).by_method)
    check_cover(done.sale.total, money.on_receipt)
    assert hand(refund.money_taken, money) == Money(moved)
    told = ExchangeMoney.of(refund, done.sale)
    assert told.taken == Money(moved)
    assert dict(told.back.by_method) == dict(payments(beside).by_method)


@each("new", ["300.00", "500.00", "500.40"])
@each("given", [{CASH: "100"}, {CARD: "0.40"}])
def test_nothing_is_received_from_who_has_nothing_to_pay(new: str, given: Amounts) -> None:
    counter = Counter()
    ticket = cart_for(counter, goods({CASH: "500.00"}), new)
    with pytest.raises(Invalid):
        exchanged(counter, ticket, given)
    assert counter.store.sales.last(1) == []


@each(
    ("back", "given", "moved", "in_cash", "why"),
    [
        ({CASH: "500.00"}, {CASH: "200", OTHER: "100.00"}, "200", {CASH: "300"}, "given_away"),
        ({CASH: "900.00"}, {OTHER: "100.00"}, "-200", {CASH: "100"}, "above_total"),
        ({CASH: "900.00"}, {OTHER: "100.00"}, "-200", {OTHER: "100", CASH: "50"},
         "above_total"),
    ],
)  # fmt: skip
def test_a_gift_among_the_new_goods_is_paid_by_other(
    back: Amounts, given: Amounts, moved: str, in_cash: Amounts, why: str
) -> None:
    """A jacket for 700 and a present for 100: the credit never pays for the present."""
    counter = Counter()
    with_jacket = cart_for(counter, goods(back), "700.00")
    present = article("00: Поклон", "100.00")
    added = sell.add_item(till=counter.till, ticket=with_jacket, article=present)
    assert isinstance(added, ItemAdded)
    with pytest.raises(Invalid) as refused:
        exchanged(counter, added.ticket, in_cash)
    assert refused.value.kind == why
    assert counter.store.sales.last(1) == []
    done = exchanged(counter, added.ticket, given)
    refund, money = counter.store.sales.sale(done.sale.follows or ""), done.sale.money_taken
    assert dict(money.on_receipt.by_method) == {CASH: Money(700), OTHER: Money(100)}
    assert hand(refund.money_taken, money) == Money(moved)


@each("on_paper", [True, False])
def test_what_is_signed_of_the_refund_stays_in_the_shop(on_paper: bool) -> None:
    counter = Counter()
    ticket = cart_for(counter, goods({CASH: "500.00"}), "500.00")
    mailed = ReceiptDelivery(thermal=on_paper, email="kupac@example.com")
    done = exchanged(counter, ticket, {}, details=replace(ON_PAPER, delivery=mailed))
    sales = counter.store.sales
    refund, sale = (sales.body(key).decode() for key in (done.sale.follows or "", done.sale.key))
    kept = ReceiptDelivery(thermal=on_paper, pdf=not on_paper)
    assert f"delivery={kept!r}" in refund
    assert f"delivery={mailed!r}" in sale


@each("restricted", [True, False])
@each("of_every", [True, False])
@each("method", list(PaymentMethod))
def test_a_copy_is_told_where_the_server_adds_one_and_no_part_paid_by_card_is_exchanged(
    method: PaymentMethod, of_every: bool, restricted: bool
) -> None:
    rules = ShopChoices(copy_of_every_refund=of_every, restricted_payments=restricted)
    added = rules.wants_copy(rules.recorded(((method, Money(5)),)))
    assert copy_follows([method], of_every=of_every, restricted_payments=restricted) is added
    told = receipt(voucher="300.00", cash="700.00")
    part_by_card = replace(told, most_in_money=Money("700.00"))
    assert exchange_fault(part_by_card) is ExchangeFault.PART_BY_CARD
    for whole in (told, replace(told, most_in_money=Money.ZERO)):
        assert exchange_fault(whole) is None


# --- the cart ------------------------------------------------------------------------------------


def test_a_cart_is_kept_with_what_comes_back() -> None:
    counter, came = Counter(), goods({CASH: "500.00"})
    till = counter.till
    ticket = cart_for(counter, came, None)
    held = sell.suspend(till=till, ticket=ticket)
    assert (ticket.is_idle, held.is_idle) == (False, True)
    back = sell.recall(till=till, ticket=held, cart_id=ticket.id)
    assert back.exchanged == came
    added = sell.add_item(till=till, ticket=back, article=article("Јакна", "800.00"))
    assert isinstance(added, ItemAdded)
    with_none = sell.remove_line(till=till, ticket=added.ticket, line_id=added.line.id)
    assert with_none.id == ticket.id
    assert sell.start(till=till, cashier=CASHIER).exchanged == came
    with pytest.raises(NotAllowed):
        sell.set_kind(till=till, ticket=with_none, kind=DocumentKind.ADVANCE, cashier=CASHIER)
    again = goods({CASH: "300.00"})
    changed = sell.begin_exchange(till=till, ticket=with_none, goods=again)
    assert (changed.id, changed.exchanged) == (ticket.id, again)
    left = sell.end_exchange(till=till, ticket=changed)
    assert (left.is_idle, left.id == ticket.id) == (True, False)


# --- at the outbox -------------------------------------------------------------------------------


async def test_a_refused_refund_ends_both_and_the_cart_comes_back_with_all_of_it() -> None:
    counter, came = Counter(), goods({CASH: "500.00"})
    counter.server.faults.append(Fault.FIX)
    done = exchanged(counter, cart_for(counter, came, "800.00"), {CASH: "1000"})
    refund = done.sale.follows or ""
    sales = counter.store.sales
    await counter.until(lambda: sales.sale(refund).state is SaleState.REFUSED)
    counter.outbox.cancel(refund, reason="correction")
    await counter.until(lambda: counter.state(done.sale) is SaleState.CANCELLED)
    assert counter.server.ledger == []
    again = sell.take_back(till=counter.till, ticket=done.ticket, sale=sales.sale(done.sale.key))
    assert again.exchanged == came
    assert again.typed_details.paid == ((CASH, Money(1000)),)


async def half_done(counter: Counter, came: GoodsBack, new: str, given: Amounts) -> Sale:
    """An exchange whose refund is signed and whose sale was refused and cancelled for its cart."""
    done = exchanged(counter, cart_for(counter, came, new), given)
    refund, sales = done.sale.follows or "", counter.store.sales
    await counter.until(lambda: sales.sale(refund).state is SaleState.DONE)
    assert sales.credits_owed() == []
    counter.server.faults.append(Fault.FIX)
    await cancelled(counter, done.sale)
    return sales.sale(done.sale.key)


async def cancelled(counter: Counter, sale: Sale) -> None:
    await counter.until(lambda: counter.state(sale) is SaleState.REFUSED)
    counter.outbox.cancel(sale.key, reason="correction")
    await counter.until(lambda: counter.state(sale) is SaleState.CANCELLED)


def taken_back(counter: Counter, sale: Sale) -> Ticket:
    till, sales = counter.till, counter.store.sales
    refund = signed_refund(till, sales, sale)
    assert refund is not None
    ticket = sell.start(till=till, cashier=CASHIER)
    is_owed = is_credit_owed(sales, refund)
    return sell.take_back(till=till, ticket=ticket, sale=sale, refund=refund, is_owed=is_owed)


async def test_the_credit_of_a_half_exchange_outlives_the_lines_of_the_cart() -> None:
    counter, came = Counter(), goods({CASH: "500.00"})
    sale = await half_done(counter, came, "800.00", {CASH: "300"})
    till, sales = counter.till, counter.store.sales
    refund = sales.sale(sale.follows or "")
    assert [one.key for one in sales.credits_owed()] == [refund.key]
    again = taken_back(counter, sale)
    assert again.exchanged == came.signed(refund.key, Money.ZERO)
    assert again.typed_details.paid == ((CASH, Money(300)),)
    assert sales.credits_owed() == []
    empty = sell.remove_line(till=till, ticket=again, line_id=again.cart.active[0].id)
    assert (empty.id, empty.is_idle) == (again.id, False)
    sell.void(till=till, ticket=empty, reason="купац је отишао")
    assert [one.key for one in sales.credits_owed()] == [refund.key]
    ticket = sell.start(till=till, cashier=CASHIER)
    begun = open_credit(till=till, sales=sales, ticket=ticket, refund=refund)
    assert (begun.exchanged, begun.typed_details.paid) == (again.exchanged, ())
    with pytest.raises(NotAllowed):
        open_credit(till=till, sales=sales, ticket=begun, refund=refund)
    sell.void(till=till, ticket=begun, reason="исплаћено")
    sales.note_paid_out(refund.key, gave=Money(0), by="Мира", at=till.clock.now())
    assert sales.credits_owed() == []


USED = [
    # name, back, first new, given beside, then new, given beside | on the receipt, hand in all
    ("the same", {CASH: "500.00"}, "800.00", {CASH: "300"}, "800.00", {CASH: "300"},
     {CASH: "800.00"}, "300"),
    ("cheaper", {CASH: "500.00"}, "800.00", {CASH: "300"}, "300.45", {}, {CASH: "300.45"}, "-200"),
    ("dearer, para before", {CASH: "500.00"}, "300.45", {}, "500.00", {}, {CASH: "500.00"}, "0"),
    ("card", {CARD: "500.00"}, "800.00", {CASH: "300"}, "300.00", {}, {CARD: "300.00"}, "0"),
    ("a note", {CASH: "500.00"}, "500.00", {}, "600.40", {CASH: "200"}, {CASH: "700.00"}, "100"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("back", "first", "beside", "new", "given", "shown", "moved"),
    [row[1:] for row in USED],
    ids=[row[0] for row in USED],
)
async def test_a_credit_is_used_by_a_sale_alone_and_the_drawer_agrees(
    back: Amounts, first: str, beside: Amounts, new: str, given: Amounts, shown: Amounts, moved: str
) -> None:
    counter = Counter()
    sale = await half_done(counter, goods(back), first, beside)
    till, sales = counter.till, counter.store.sales
    refund = sales.sale(sale.follows or "")
    again = taken_back(counter, sale)
    less = sell.remove_line(till=till, ticket=again, line_id=again.cart.active[0].id)
    added = sell.add_item(till=till, ticket=less, article=article("Капут", new))
    assert isinstance(added, ItemAdded)
    used = exchanged(counter, added.ticket, given).sale
    assert (used.follows, used.is_exchange, used.total) == (None, True, Money(new))
    assert dict(used.money_taken.on_receipt.by_method) == dict(payments(shown).by_method)
    assert hand(refund.money_taken, used.money_taken) == Money(moved)
    taken = used.money_taken
    assert taken.tendered.total - taken.change == used.total + taken.rounding
    counter.server.faults.append(Fault.FIX)
    await cancelled(counter, used)
    assert [one.key for one in sales.credits_owed()] == [refund.key]
    once_more = taken_back(counter, sales.sale(used.key))
    assert once_more.exchanged == again.exchanged
    assert dict(once_more.typed_details.paid) == dict(payments(given).by_method)


async def test_a_credit_that_was_paid_out_does_not_come_back_with_the_lines() -> None:
    counter = Counter()
    sale = await half_done(counter, goods({CASH: "500.00"}), "800.00", {CASH: "300"})
    sales = counter.store.sales
    sales.note_paid_out(sale.follows or "", gave=Money(0), by="Мира", at=counter.till.clock.now())
    again = taken_back(counter, sale)
    assert again.exchanged is None
    assert again.typed_details == TypedDetails(paid=((CASH, Money(300)),))


def test_without_rounding_the_hand_moves_it_to_the_para() -> None:
    counter = Counter()
    done = exchanged(counter, cart_for(counter, goods({CASH: "257.97"}), "138.50"), {}, whole=False)
    refund = counter.store.sales.sale(done.sale.follows or "")
    assert hand(refund.money_taken, done.sale.money_taken) == Money("-119.47")
    dearer = cart_for(counter, goods({CASH: "100.00"}), "100.40")
    with pytest.raises(Invalid):
        exchanged(counter, dearer, {}, whole=False)
    plain = sell.end_exchange(till=counter.till, ticket=dearer)
    assert (plain.id, plain.exchanged, len(plain.cart.active)) == (dearer.id, None, 1)


def test_any_exchange_comes_out_to_the_dinar() -> None:
    """Both are exact, and both rows differ by less than a coin from their difference."""
    random = Random(24)
    for _ in range(400):
        counter, whole = Counter(), random.random() < 0.8
        amounts = {
            method: str(Decimal(random.randint(1, 99999)) / 100)
            for method in random.sample([CASH, CARD, VOUCHER], random.randint(1, 3))
        }
        came, new = goods(amounts), Money(Decimal(random.randint(1, 199999)) / 100)
        cart = cart_for(counter, came, str(new.amount))
        rest = Netting.of(came, cart.cart).owed(in_whole_dinars=whole)
        by_card = rest if random.random() < 0.3 else Money.ZERO
        cash = rest - by_card
        given = {
            CARD: str(by_card.amount),
            CASH: str((whole_dinars(cash) if whole else cash).amount + random.choice((0, 500))),
        }
        if not rest:
            given = {}
        done = exchanged(counter, cart, given, whole=whole)
        refund = counter.store.sales.sale(done.sale.follows or "")
        check_cover(new, done.sale.money_taken.on_receipt)
        told = ExchangeMoney.of(refund, done.sale)
        exact = new - came.total
        moved = told.taken + told.paid.total - told.back.total
        assert abs((moved - exact).amount) <= (Decimal("0.5") if whole else 0)
        if whole:
            assert told.taken.amount == told.taken.amount.to_integral_value()
        rounded = done.sale.money_taken.rounding + refund.money_taken.rounding
        assert moved - exact == rounded
