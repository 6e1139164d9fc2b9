"""The correction of a receipt, compared with the server's plan, and at the outbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments, settle
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId
from pos_app.domain.receipt.cart import Cart, CartArticle
from pos_app.domain.receipt.operations import Operation, Refunding
from pos_app.domain.receipt.receipt_overview import ReceiptOverview, WhyNot
from pos_app.domain.receipt.request import FrozenArticle, InvoiceType, IssueRequest, TransactionType
from pos_app.errors import NotAllowed
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.issue import plan_issue
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.receipts import correction, frozen_pair
from pos_app.selling.receipts.refund_draft import RefundDraft
from pos_app.selling.sale.sale import AFTER_REFUND
from pos_app.selling.sale.state import SaleState
from pos_app.wire.operations import READERS, operation_to_json
from pos_app.wire.strict_json import loads
from tests.fakes.counter import Counter
from tests.fakes.fiscal_server import Fault
from tests.fakes.till import CASHIER
from tests.sweep import each
from tests.unit.fiscalization.plans.book import BASIS, BUYER, PDF, SELLER, Book, advance, known
from tests.unit.fiscalization.plans.book import line as sold_line
from tests.unit.fiscalization.plans.book import sale as planned_sale

WHOLE = {"in_whole_dinars": True}
_S, _C = SaleState, frozen_pair.PairStage


def issued(request: IssueRequest) -> PlannedReceipt:
    """The receipt that the server plans for the body as it is sent."""
    read = READERS[Operation.ISSUE](loads(operation_to_json(request)))
    assert isinstance(read, IssueRequest)
    (receipt,) = plan_issue(request=read, referent=None, chain=Chain(()), basis=BASIS)
    return receipt


def overview(book: Book, place: int = 0) -> ReceiptOverview:
    return overview_of(book.links[place], book.chain, jobs=(), origin="till")


def some_cart(random: Random) -> Cart:
    """Pieces and weights, discounts on lines and on the whole, totals of price labels."""
    cart = Cart()
    for number in range(1, random.randint(2, 7)):
        unit = random.choice(("ком", "кг", "", "м/2"))
        name = random.choice(("Хлеб", "Ам/фм радио", "00:Шоља"))
        frozen = FrozenArticle(f"{name} {number}", random.choice([*TaxLabel]), unit)
        each = Money(Decimal(random.randint(1, 99999)) / 100)
        article = CartArticle("", number, frozen, each, by_weight=unit == "кг")
        whole = Quantity(random.randint(1, 12))
        quantity = random.choice((whole, Quantity(Decimal(random.randint(1, 5000)) / 1000)))
        stated = Money(Decimal(random.randint(1, 99999)) / 100) if random.random() < 0.2 else None
        cart = cart.add(article, quantity, stated_total=stated)
        if random.random() < 0.3 and cart.lines[-1].full:
            cart = cart.change(replace(cart.lines[-1], discount=Percent(random.randint(1, 100))))
    discount = Percent(random.randint(1, 50)) if random.random() < 0.3 else None
    return replace(cart, discount=discount)


def some_request(random: Random) -> IssueRequest:
    cart = some_cart(random)
    free = Money.total(
        total
        for line, total in zip(cart.active, cart.totals, strict=True)
        if line.article.frozen.name.startswith("00:")
    )
    paid, by = cart.total - free, random.choice(("cash", "card", "both"))
    part = Money.rounded(paid.amount / 3)
    amounts: Mapping[PaymentMethod, Money] = {
        "cash": {PaymentMethod.CASH: paid + (Money(500) if paid and not free else Money.ZERO)},
        "card": {PaymentMethod.CARD: paid},
        "both": {PaymentMethod.CARD: part, PaymentMethod.CASH: paid - part},
    }[by]
    return IssueRequest(
        invoice_type=InvoiceType.NORMAL,
        transaction_type=TransactionType.SALE,
        items=cart.items(),
        payments=Payments.of({**amounts, PaymentMethod.OTHER: free}),
        delivery=PDF,
        buyer=random.choice((None, BUYER)),
        additional_text=random.choice(("", "Хвала на поверењу")),
        total=cart.total,
    )


def corrected(draft: correction.CorrectionDraft) -> PlannedReceipt:
    settlement = settle(draft.overview.total, draft.tendered, in_whole_dinars=True)
    assert settlement.on_receipt is not None
    cart = correction.cart_of(draft.overview)
    return issued(correction.new_request(draft, cart, settlement.on_receipt, PDF))


@each("seed", range(150))
def test_the_new_receipt_says_the_same_but_for_what_is_put_right(seed: int) -> None:
    book = Book()
    first = issued(some_request(Random(seed)))
    book.add(first)
    told = overview(book)
    draft = correction.CorrectionDraft.of(told, **WHOLE)
    assert not draft.is_changed(**WHOLE)
    as_it_was = corrected(draft)
    assert (as_it_was.document, as_it_was.esir) == (first.document, first.esir)
    other = BuyerId.parse("10:106006802")
    buyer = corrected(replace(draft, buyer=other))
    assert buyer.document == replace(first.document, buyer=str(other))
    by_card = replace(draft, tendered=correction.paid_by(told, PaymentMethod.CARD, **WHOLE))
    paid = corrected(by_card).document
    assert replace(paid, payments=first.document.payments) == first.document
    in_cash = set() if told.total else {PaymentMethod.CASH}
    assert {one for one, _ in paid.payments} <= {PaymentMethod.CARD, PaymentMethod.OTHER, *in_cash}
    assert paid.paid == paid.total


@each(
    ("paid", "method", "moved"),
    [
        ({"cash": "1674.72"}, PaymentMethod.CARD, "-1675"),
        ({"cash": "2000"}, PaymentMethod.CARD, "-1675"),
        ({"card": "1674.72"}, PaymentMethod.CASH, "1675"),
        ({"card": "1000", "cash": "674.72"}, PaymentMethod.CARD, "-675"),
        ({"cash": "2000"}, None, "0"),  # only the buyer is put right
        ({"card": "1000", "cash": "674.72"}, None, "0"),
    ],
)
def test_the_sum_of_the_drawer_moves_by_what_was_wrongly_in_it(
    paid: dict[str, str], method: PaymentMethod | None, moved: str
) -> None:
    told = receipt(**paid)
    right = replace(correction.CorrectionDraft.of(told, **WHOLE), buyer=BUYER)
    if method is not None:
        right = replace(right, tendered=correction.paid_by(told, method, **WHOLE))
    begun = begin(Counter(), right)
    back, new = begun.refund.money_taken, begun.new.money_taken
    exact_change = new.on_receipt.total - begun.new.total
    went_in = new.on_receipt.cash + new.rounding - exact_change
    came_out = back.on_receipt.cash - back.rounding
    assert str((went_in - came_out).amount.normalize() + 0) == moved
    others = new.on_receipt.total - new.on_receipt.cash
    assert new.tendered.total == new.tendered.cash + others


LINES = (sold_line("Хлеб/ком", "Е", "2", "500.00", sku=1), sold_line("Сир/кг", "Ђ", "1", "674.72"))


def receipt(**paid: str) -> ReceiptOverview:
    book = Book(planned_sale(*LINES, **paid))  # type: ignore[arg-type]
    return overview(book)


def begin(counter: Counter, draft: correction.CorrectionDraft) -> frozen_pair.FrozenPair:
    begun = correction.confirm_correction(
        till=counter.till, sales=counter.store.sales, draft=draft, seller=SELLER, delivery=PDF,
        cashier=CASHIER, **WHOLE,
    )  # fmt: skip
    counter.outbox.wake()
    return begun


def by_card(told: ReceiptOverview) -> correction.CorrectionDraft:
    draft = correction.CorrectionDraft.of(told, **WHOLE)
    return replace(draft, tendered=correction.paid_by(told, PaymentMethod.CARD, **WHOLE))


def test_what_can_not_be_corrected_says_why() -> None:
    book = Book(planned_sale(*LINES, cash="1674.72"))
    assert correction.correction_fault(overview(book)) is None
    with pytest.raises(NotAllowed, match="different"):
        begin(Counter(), correction.CorrectionDraft.of(overview(book), **WHOLE))
    part = RefundDraft(overview(book)).with_quantity(0, Quantity(1))
    refund(book, part)
    assert correction.correction_fault(overview(book)) is correction.CorrectionFault.PARTLY_REFUNDED
    with pytest.raises(NotAllowed):
        begin(Counter(), by_card(overview(book)))
    refund(book, RefundDraft.whole(overview(book)))
    assert correction.correction_fault(overview(book)) is WhyNot.REFUNDED
    assert correction.correction_fault(overview(book, 1)) is correction.CorrectionFault.NOT_A_SALE
    other = Book(advance(known(*LINES), sold_line("10: Аванс", "Ђ", "1", "100"), cash="100"))
    assert correction.correction_fault(overview(other)) is correction.CorrectionFault.NOT_A_SALE


def refund(book: Book, draft: RefundDraft) -> None:
    request = Refunding(payments=draft.way.payments, delivery=PDF, buyer=BUYER, items=draft.items())
    planned = plan_refund(receipt=book.links[0], chain=book.chain, request=request, basis=BASIS)
    book.add(*planned, operation=Operation.REFUND)


def stage(counter: Counter, begun: frozen_pair.FrozenPair) -> frozen_pair.PairStage:
    sales = counter.store.sales
    found = frozen_pair.pair_with(sales, sales.sale(begun.refund.key))
    assert found is not None
    assert frozen_pair.pair_with(sales, found.new) == found
    return frozen_pair.stage_of(found)


async def test_the_refund_goes_out_and_the_new_receipt_behind_it() -> None:
    counter = Counter()
    told = receipt(cash="1674.72")
    begun = begin(counter, by_card(told))
    assert stage(counter, begun) is _C.REFUNDING
    assert begun.new.reason is not None
    assert begun.new.reason.code == AFTER_REFUND
    assert begun.new.follows == begun.refund.key
    assert (begun.refund.target, begun.new.target) == (told.receipt_id, None)
    with pytest.raises(NotAllowed, match="already"):
        begin(counter, by_card(told))
    await counter.until(lambda: stage(counter, begun) is _C.DONE)
    assert counter.server.ledger == [begun.refund.key, begun.new.key]
    assert frozen_pair.unfinished_pairs(counter.store.sales) == []


async def test_a_refund_that_is_refused_issues_nothing_and_both_end() -> None:
    counter = Counter()
    counter.server.faults.append(Fault.FIX)
    begun = begin(counter, by_card(receipt(cash="1674.72")))
    await counter.until(lambda: stage(counter, begun) is _C.NOT_BEGUN)
    with pytest.raises(NotAllowed):
        counter.outbox.try_again(begun.new.key)
    counter.outbox.cancel(begun.refund.key, reason="correction")
    await counter.until(lambda: counter.state(begun.new) is _S.CANCELLED)
    assert stage(counter, begun) is _C.GIVEN_UP
    assert counter.server.ledger == []
    assert frozen_pair.unfinished_pairs(counter.store.sales) == []


@each("fault", [Fault.WAIT, Fault.CURE, Fault.FIX, Fault.NOT_DELIVERED, None])
async def test_a_new_receipt_that_is_not_issued_waits_for_a_person(fault: Fault | None) -> None:
    """Without a fault of its own it waits where the till was started again meanwhile."""
    counter = Counter()
    if fault is None:
        counter.server.faults.append(Fault.ANSWER_LOST)
    begun = begin(counter, by_card(receipt(cash="1674.72")))
    if fault is None:
        await counter.until(lambda: bool(counter.server.handed))
        counter.restart()
    else:
        await counter.until(lambda: counter.state(begun.refund) is _S.DONE)
        counter.server.faults.append(fault)
    await counter.until(lambda: stage(counter, begun) is _C.HALF)
    await counter.steps(50)
    assert counter.server.ledger == [begun.refund.key]
    (left,) = frozen_pair.unfinished_pairs(counter.store.sales)
    counter.outbox.try_again(left.next_part.key)
    await counter.until(lambda: stage(counter, begun) is _C.DONE)
