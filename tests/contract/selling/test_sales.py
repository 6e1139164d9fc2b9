"""The contract of every repository of confirmed sales."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import product
from typing import Any

import pytest

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.cart import Cart, CartArticle
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.domain.receipt.states import AnswerClass
from pos_app.errors import NotAllowed, NotFound
from pos_app.selling.receipts.own_sales import OwnSales, own_sales
from pos_app.selling.sale.goods_back import GoodsBack
from pos_app.selling.sale.missed_codes import UnknownCode
from pos_app.selling.sale.sale import (
    AFTER_REFUND,
    JOURNAL_RESTORED,
    KEPT_IN_FRONT,
    PAID_OUT,
    REFUND_REASON,
    MoneyTaken,
    NewSale,
    PendingReason,
    ReceiptFacts,
    RememberedJournal,
    RestoredCopy,
    Sale,
    SoldUnknown,
)
from pos_app.selling.sale.state import ENDED, MOVES, SaleState
from pos_app.selling.sale.ticket import DocumentKind, NewTicket, TypedDetails
from tests.fakes.till import BREAD, CASHIER
from tests.fakes.till_clock import StandingClock

_S = SaleState
NOW = StandingClock().now()
LATER = NOW + timedelta(seconds=4)
WAIT = PendingReason(AnswerClass.WAIT, "40010001", "surely not sent")
CURE = PendingReason(AnswerClass.CURE, "40011500", "PIN needed", "1500", "cashier")
RECEIPT = ReceiptFacts("receipt-1", "ABCD1234-ABCD1234-1", NOW, "https://example.invalid/v/?vl=1")
CASH, CARD = PaymentMethod.CASH, PaymentMethod.CARD
GOODS = GoodsBack(
    "receipt-1",
    "AAAA1111-AAAA1111-7",
    {1: Decimal(1)},
    is_whole=True,
    total=Money(500),
    payments=Payments.of({CASH: Money(500)}),
)
LOAF = CartArticle("bread", None, BREAD.frozen, Money("58.99"))
TAKEN = MoneyTaken(
    tendered=Payments.of({CARD: Money(1000), CASH: Money(1000)}),
    on_receipt=Payments.of({CARD: Money(1000), CASH: Money(1000)}),
    change=Money(325),
    rounding=Money("0.28"),
)

WAYS: dict[SaleState, tuple[SaleState, ...]] = {
    _S.FROZEN: (),
    _S.SENDING: (_S.SENDING,),
    _S.DONE: (_S.SENDING, _S.DONE),
    _S.REFUSED: (_S.SENDING, _S.REFUSED),
    _S.DOUBT: (_S.SENDING, _S.DOUBT),
    _S.CANCELLING: (_S.CANCELLING,),
    _S.CANCELLED: (_S.CANCELLING, _S.CANCELLED),
}


def new_ticket(number: int, kind: DocumentKind = DocumentKind.SALE) -> NewTicket:
    return NewTicket(f"{number:032x}", kind, CASHIER, NOW)


def new_sale(body: bytes = b"{}") -> NewSale:
    return NewSale(body, Money("1674.72"), TAKEN, CASHIER, NOW, shift_id=7)


BACK = replace(new_sale(b"back"), operation=Operation.REFUND, target="receipt-1")


def frozen(store: Any, number: int = 1) -> Sale:
    basket = store.carts.open_cart(training=False) or store.carts.begin(new_ticket(number))
    following = new_ticket(number + 1)
    sale: Sale = store.carts.freeze(basket, sale=new_sale(), following=following)[0]
    return sale


def bring(store: Any, key: str, state: SaleState) -> None:
    for step in WAYS[state]:
        store.sales.move(key, step, at=NOW, receipt=RECEIPT if step is _S.DONE else None)


def test_a_frozen_sale_comes_back_whole(store: Any) -> None:
    sale = frozen(store)
    assert sale == Sale(
        key=f"{1:032x}",
        sequence=1,
        cart_id=1,
        kind=DocumentKind.SALE,
        state=_S.FROZEN,
        total=Money("1674.72"),
        money_taken=TAKEN,
        cashier=CASHIER,
        frozen_at=NOW,
        shift_id=7,
    )
    assert (store.sales.sale(sale.key), store.sales.body(sale.key)) == (sale, b"{}")
    assert list(store.sales.waiting()) == [sale]


def test_freezing_ends_the_cart_and_opens_the_next(store: Any) -> None:
    basket = store.carts.begin(new_ticket(1))
    following = new_ticket(2)
    after = store.carts.freeze(basket, sale=new_sale(), following=following)[1]
    assert (store.carts.open_cart(training=False), after.key) == (after, following.key)
    with pytest.raises(NotAllowed):
        store.carts.freeze(basket, sale=new_sale(b"again"), following=following)
    assert [sale.key for sale in store.sales.last(9)] == [basket.key]
    assert store.carts.open_cart(training=False) == after


def test_sales_are_told_page_by_page(store: Any) -> None:
    assert own_sales(store.sales) == OwnSales((), None)
    sold = [frozen(store, number) for number in range(1, 4)]
    back = refund(store, number=9)
    copy = replace(new_sale(b"copy"), operation=Operation.COPY, target="receipt-1")
    copied = store.carts.freeze_operation(new_ticket(10), sale=copy)
    bring(store, sold[1].key, _S.DONE)
    first = own_sales(store.sales, most=2)
    assert [row.key for row in first.rows] == [copied.key, back.key]
    assert [row.kind for row in first.rows] == [None, (InvoiceType.NORMAL, TransactionType.REFUND)]
    rest = own_sales(store.sales, after=first.go_on, most=3)
    assert [row.key for row in rest.rows] == [one.key for one in reversed(sold)]
    assert rest.go_on is None
    newest, done, _ = rest.rows
    assert (newest.state, newest.number, newest.request_id) == (_S.FROZEN, None, None)
    assert (done.state, done.number, done.request_id) == (
        _S.DONE,
        RECEIPT.fiscal_number,
        RECEIPT.receipt_id,
    )
    assert (done.total, set(done.payments), done.cashier) == (
        Money("1674.72"),
        {CARD, CASH},
        CASHIER,
    )


_ON_ADVANCE = (Operation.ADVANCE, Operation.REFUND)


def refund(store: Any, number: int = 7) -> Sale:
    sale: Sale = store.carts.freeze_operation(new_ticket(number), sale=BACK)
    return sale


def test_an_operation_on_a_receipt_is_kept_beside_the_open_cart(store: Any) -> None:
    first = frozen(store)
    basket = store.carts.open_cart(training=False)
    back = refund(store)
    assert store.sales.sale(back.key) == back
    assert (back.operation, back.target) == (Operation.REFUND, "receipt-1")
    assert store.sales.body(back.key) == b"back"
    assert (first.sequence, back.sequence) == (1, 2)
    assert [one.is_kept_in_front for one in store.sales.queue()] == [False, True]
    assert store.carts.open_cart(training=False) == basket
    assert store.carts.cart_of(back.cart_id).cart.lines == ()
    assert [sale.sequence for sale in store.sales.last(9)] == [2, 1]


def test_what_is_kept_in_front_is_found_while_it_waits(store: Any) -> None:
    frozen(store)
    acts: dict[str, Operation] = {}
    for number, operation in enumerate(set(Operation) - {Operation.ISSUE}, 10):
        new = new_ticket(number)
        asked = replace(new_sale(), operation=operation, target="receipt-1")
        acts[store.carts.freeze_operation(new, sale=asked).key] = operation
    assert {acts[one.key] for one in store.sales.frozen_in_front()} == KEPT_IN_FRONT
    for one in store.sales.frozen_in_front():
        store.sales.move(one.key, _S.REFUSED, at=NOW)
    assert list(store.sales.frozen_in_front()) == []


def test_issued_payments_on_an_advance_are_found_by_its_receipts(store: Any) -> None:
    payment, back = (replace(new_sale(), operation=one, target="receipt-1") for one in _ON_ADVANCE)
    keys = [
        store.carts.freeze_operation(new_ticket(at), sale=one).key
        for at, one in enumerate((payment, back, payment), 10)
    ]
    for at, key in enumerate(keys[:2]):
        store.sales.move(key, _S.SENDING, at=NOW)
        receipt = replace(RECEIPT, receipt_id=f"receipt-{at + 2}")
        store.sales.move(key, _S.DONE, at=NOW, receipt=receipt)
    assert [one.key for one in store.sales.payments_on({"receipt-1"})] == keys[:1]
    assert list(store.sales.payments_on({"receipt-9"})) == []


def correction(store: Any) -> tuple[Sale, Sale]:
    first, second = (new_ticket(one) for one in (20, 21))
    bread = CartArticle("", 90, BREAD.frozen, Money("58.99"))
    cart = Cart().add(bread, Quantity(2))
    both: tuple[Sale, Sale] = store.carts.freeze_correction(
        first,
        second,
        refund=BACK,
        sale=new_sale(b"new"),
        cart=cart,
        typed_details=TypedDetails(buyer_code="10", buyer_value="101234567"),
    )
    return both


def test_a_correction_is_kept_whole(store: Any) -> None:
    frozen(store)
    basket = store.carts.open_cart(training=False)
    back, new = correction(store)
    sales = store.sales
    assert (sales.sale(back.key), sales.sale(new.key)) == (back, new)
    assert (back.state, back.follows, back.sequence) == (_S.FROZEN, None, 2)
    assert (new.state, new.follows, new.sequence) == (_S.REFUSED, back.key, 3)
    assert new.reason == PendingReason(AnswerClass.WAIT, AFTER_REFUND)
    assert [sales.body(one.key) for one in (back, new)] == [b"back", b"new"]
    assert (sales.follower(back.key), sales.follower(new.key)) == (new, None)
    assert list(sales.followers()) == [new]
    kept = store.carts.cart_of(new.cart_id)
    assert [line.quantity for line in kept.cart.lines] == [Quantity(2)]
    assert kept.typed_details.buyer_value == "101234567"
    assert store.carts.open_cart(training=False) == basket


def test_a_new_receipt_is_never_sent_before_its_refund_is_signed(store: Any) -> None:
    back, new = correction(store)
    store.sales.move(new.key, _S.FROZEN, at=LATER)
    assert [one.key for one in store.sales.frozen_in_front()] == [back.key, new.key]
    assert [one.is_kept_in_front for one in store.sales.queue()] == [True, True]
    for state in (_S.SENDING, _S.DOUBT):
        store.sales.move(back.key, state, at=LATER)
        with pytest.raises(NotAllowed):
            store.sales.move(new.key, _S.SENDING, at=LATER)
    store.sales.move(back.key, _S.DONE, at=LATER, receipt=RECEIPT)
    store.sales.move(new.key, _S.SENDING, at=LATER)
    other = replace(RECEIPT, receipt_id="receipt-9")
    store.sales.move(new.key, _S.DONE, at=LATER, receipt=other)
    assert (list(store.sales.followers()), store.sales.follower(back.key).key) == ([], new.key)


def exchanged(store: Any, ticket: Any, first: NewTicket, following: NewTicket) -> Any:
    refund, sale = replace(BACK, is_exchange=True), replace(new_sale(b"new"), is_exchange=True)
    return store.carts.freeze_exchange(ticket, first, refund=refund, sale=sale, following=following)


def test_an_exchange_is_kept_whole_and_ends_its_cart(store: Any) -> None:
    ticket = store.carts.begin(new_ticket(30))
    goods = replace(
        GOODS,
        taken={1: Decimal("0.750"), 4: Decimal(2)},
        is_whole=False,
        given_away=Money("1.50"),
        buyer_code="20",
        buyer_value="007112233",
        reason="не одговара",
    )
    with_goods = replace(ticket, typed_details=TypedDetails(goods_back=goods))
    ticket = store.carts.save(with_goods, was=ticket)
    assert store.carts.open_cart(training=False).typed_details.goods_back == goods
    back, new, opened = exchanged(store, ticket, new_ticket(31), new_ticket(32))
    sales = store.sales
    assert (sales.sale(back.key), sales.sale(new.key)) == (back, new)
    assert (new.key, new.cart_id, new.follows) == (ticket.key, ticket.id, back.key)
    assert (back.is_exchange, new.is_exchange, back.sequence, new.sequence) == (True, True, 1, 2)
    assert (back.state, new.state) == (_S.FROZEN, _S.REFUSED)
    assert new.reason == PendingReason(AnswerClass.WAIT, AFTER_REFUND)
    assert store.carts.open_cart(training=False) == opened
    assert store.carts.cart_of(new.cart_id).typed_details.goods_back == goods
    with pytest.raises(NotAllowed):
        exchanged(store, ticket, new_ticket(33), new_ticket(34))
    assert len(sales.last(9)) == 2


def test_what_a_half_exchange_owes_is_told_until_it_is_used_or_paid_out(store: Any) -> None:
    def cart(number: int, ticket: Any, **back: Any) -> Any:
        kept = TypedDetails(goods_back=replace(GOODS, **back))
        return store.carts.save(replace(ticket, typed_details=kept), was=ticket), new_ticket(number)

    ticket, following = cart(41, store.carts.begin(new_ticket(40)))
    back, new, opened = exchanged(store, ticket, new_ticket(42), following)
    sales = store.sales
    bring(store, back.key, _S.DONE)
    assert list(sales.credits_owed()) == []
    bring(store, new.key, _S.CANCELLED)
    assert [one.key for one in sales.credits_owed()] == [back.key]
    ticket, following = cart(43, opened, refund=back.key, rounding=Money("-0.45"))
    assert store.carts.open_cart(training=False).exchanged == ticket.exchanged
    assert list(sales.credits_owed()) == []
    store.carts.suspend(ticket, at=LATER)
    assert list(sales.credits_owed()) == []
    ticket = store.carts.recall(ticket.id, at=LATER)
    used, opened = store.carts.freeze(
        ticket, sale=replace(new_sale(b"used"), is_exchange=True), following=following
    )
    assert list(sales.credits_owed()) == []
    bring(store, used.key, _S.CANCELLED)
    assert [one.key for one in sales.credits_owed()] == [back.key]
    sales.note_paid_out(back.key, gave=Money(5), by="Мира", at=LATER)
    assert list(sales.credits_owed()) == []
    assert [one.text for one in sales.history(back.key) if one.code == PAID_OUT] == ["Мира"]


def test_only_moves_of_the_table_are_made(store: Any) -> None:
    for number, (old, new) in enumerate(product(SaleState, SaleState), 1):
        key = frozen(store, number).key
        bring(store, key, old)
        receipt = RECEIPT if new is _S.DONE else None
        if new in MOVES[old]:
            assert store.sales.move(key, new, at=LATER, receipt=receipt).state is new
        elif old is not new:
            with pytest.raises(NotAllowed):
                store.sales.move(key, new, at=LATER, receipt=receipt)
            assert store.sales.sale(key).state is old, (old, new)


def test_the_queue_has_what_has_not_ended_and_an_ended_sale_never_changes(store: Any) -> None:
    left = []
    for number, state in enumerate(SaleState, 1):
        key = frozen(store, number).key
        bring(store, key, state)
        left += [] if state in ENDED else [key]
        assert [one.key for one in store.sales.queue()] == left, state
        assert len(store.sales.waiting()) == len(left)
        if state in ENDED:
            before = store.sales.sale(key)
            with pytest.raises(NotAllowed):
                store.sales.note(key, reason=WAIT, at=LATER)
            with pytest.raises(NotAllowed):
                store.sales.request_cancel(key, reason="too late", at=LATER)
            assert store.sales.sale(key) == before


def test_a_done_sale_keeps_its_receipt_and_can_be_ticked_off(store: Any) -> None:
    key = frozen(store).key
    store.sales.move(key, _S.SENDING, at=NOW)
    done = store.sales.move(key, _S.DONE, at=LATER, receipt=RECEIPT)
    assert (done.receipt, done.receipt_id, done.answered_at) == (RECEIPT, "receipt-1", LATER)
    assert store.sales.mark_delivered(key).delivered
    assert store.sales.mark_shown(key).was_shown
    assert store.sales.sale(key).receipt == RECEIPT


def test_a_try_is_counted_and_its_reason_kept(store: Any) -> None:
    key = frozen(store).key
    assert store.sales.move(key, _S.SENDING, at=NOW).attempts == 1
    back = store.sales.move(key, _S.FROZEN, at=NOW, reason=CURE, next_try_at=LATER)
    assert (back.reason, back.next_try_at, back.attempts) == (CURE, LATER, 1)
    assert store.sales.move(key, _S.SENDING, at=NOW).reason is None
    assert store.sales.sale(key).attempts == 2


def test_a_doubt_keeps_the_id_it_was_told(store: Any) -> None:
    key = frozen(store).key
    store.sales.move(key, _S.SENDING, at=NOW)
    store.sales.move(key, _S.DOUBT, at=NOW, receipt_id="receipt-9")
    noted = store.sales.note(key, reason=WAIT, at=LATER)
    assert (noted.receipt_id, noted.reason, noted.state) == ("receipt-9", WAIT, _S.DOUBT)


@pytest.mark.parametrize("is_unreadable", [False, True])
def test_a_wish_to_drop_and_an_unreadable_receipt_are_found_until_they_were_seen(
    store: Any, is_unreadable: bool
) -> None:
    key = frozen(store).key
    receipt = replace(RECEIPT, signed_at=None, verification_url=None) if is_unreadable else RECEIPT
    if not is_unreadable:
        store.sales.request_cancel(key, reason="купац је отишао", at=NOW)
        assert store.sales.queue()[0].cancel_requested
    store.sales.move(key, _S.SENDING, at=NOW)
    assert store.sales.move(key, _S.DONE, at=LATER, receipt=receipt).receipt == receipt
    assert [sale.key for sale in store.sales.done_to_be_seen()] == [key]
    store.sales.mark_shown(key)
    assert list(store.sales.done_to_be_seen()) == []


def test_history_tells_every_step(store: Any) -> None:
    key = frozen(store).key
    store.sales.move(key, _S.SENDING, at=NOW)
    store.sales.move(key, _S.FROZEN, at=LATER, reason=WAIT)
    store.sales.request_cancel(key, reason="одустао", at=LATER)
    told = [(event.old, event.new, event.code, event.text) for event in store.sales.history(key)]
    assert told == [
        (None, _S.FROZEN, "", ""),
        (_S.FROZEN, _S.SENDING, "", ""),
        (_S.SENDING, _S.FROZEN, WAIT.code, WAIT.text),
        (_S.FROZEN, _S.FROZEN, "drop_wished", "одустао"),
    ]


def test_the_reason_of_a_refund_is_an_event_of_it(store: Any) -> None:
    """Nothing that is sent holds the reason, so no receipt has it."""
    new = new_ticket(7)
    asked = replace(new_sale(), operation=Operation.REFUND, target="r-1", reason="није исправно")
    key = store.carts.freeze_operation(new, sale=asked).key
    told = [(event.new, event.code, event.text) for event in store.sales.history(key)]
    assert told == [(_S.FROZEN, "", ""), (_S.FROZEN, REFUND_REASON, "није исправно")]


def restored(last_sequence: int = 0, *, is_journal: bool = False) -> RestoredCopy:
    return RestoredCopy(JournalMark("j", 9, "cd"), "E", last_sequence, "cc" * 16, is_journal)


def test_after_a_restore_what_was_tried_is_in_doubt_and_numbers_go_on(store: Any) -> None:
    tried, refused, never = frozen(store, 1), frozen(store, 2), frozen(store, 3)
    bring(store, refused.key, _S.REFUSED)
    store.sales.move(tried.key, _S.SENDING, at=NOW)
    store.sales.move(tried.key, _S.FROZEN, at=NOW, reason=WAIT)
    store.sales.act_on_restore(restored(7), at=LATER)
    for key in (tried.key, refused.key):
        sale = store.sales.sale(key)
        assert (sale.state, sale.reason.code) == (_S.DOUBT, JOURNAL_RESTORED)
    assert store.sales.sale(never.key) == replace(never, sequence=8)
    assert store.sales.key_of(8) == never.key
    assert store.sales.key_of(3) is None
    assert frozen(store, 50).sequence == 9
    assert store.sales.remembered() == RememberedJournal(JournalMark("j", 9, "cd"), "E", "cc" * 16)


def test_where_the_journal_was_restored_nothing_counts_as_never_tried(store: Any) -> None:
    never = frozen(store, 1)
    store.sales.act_on_restore(restored(is_journal=True), at=LATER)
    assert store.sales.sale(never.key).reason.code == JOURNAL_RESTORED
    assert store.sales.history(never.key)[-1].new is _S.DOUBT
    after = frozen(store, 50)
    assert (never.epoch, after.epoch) == (None, "E")
    assert store.sales.sale(after.key).epoch == "E"


def test_carts_of_a_copy_are_set_aside_under_new_keys(
    store: Any, reopened: Callable[[], Any]
) -> None:
    empty = store.carts.begin(new_ticket(1))
    cart = empty.cart.add(LOAF, Quantity.ONE)
    held = store.carts.save(replace(empty, cart=cart), was=empty)
    store.carts.suspend(held, at=NOW)
    opened = store.carts.begin(new_ticket(2))
    missed = (UnknownCode("8600999000014"),)
    opened = store.carts.save(replace(opened, cart=cart, missed=missed), was=opened)
    store.carts.begin(new_ticket(3, DocumentKind.TRAINING))
    store = reopened()
    store.sales.act_on_restore(restored(), at=LATER)
    assert store.carts.open_cart(training=False) is None
    assert store.carts.open_cart(training=True).is_idle
    aside = store.carts.suspended_by_restore()
    assert [(one.id, one.cart) for one in aside] == [(held.id, cart), (opened.id, cart)]
    assert [one.missed for one in aside] == [(), missed]
    assert not {one.key for one in aside} & {held.key, opened.key}
    with pytest.raises(NotAllowed):
        store.carts.freeze(opened, sale=new_sale(), following=new_ticket(4))
    store.carts.recall(held.id, at=LATER)
    assert [one.id for one in store.carts.suspended_by_restore()] == [opened.id]
    store.carts.mark_suspended_seen()
    assert store.carts.suspended_by_restore() == []
    assert [one.id for one in store.carts.suspended()] == [opened.id]


def test_a_cart_filled_since_the_start_keeps_its_key(
    store: Any, reopened: Callable[[], Any]
) -> None:
    """The copy has an empty cart, and one that was suspended meanwhile."""
    store.carts.begin(new_ticket(1))
    store = reopened()
    empty = store.carts.open_cart(training=False)
    filled = store.carts.save(replace(empty, cart=empty.cart.add(LOAF, Quantity.ONE)), was=empty)
    store.carts.suspend(filled, at=NOW)
    begun = store.carts.begin(new_ticket(2))
    begun = store.carts.save(replace(begun, cart=begun.cart.add(LOAF, Quantity.ONE)), was=begun)
    store.sales.act_on_restore(restored(7, is_journal=True), at=LATER)
    assert store.carts.suspended_by_restore() == []
    assert store.carts.open_cart(training=False) == begun
    assert [one.id for one in store.carts.suspended()] == [filled.id]
    following = new_ticket(4)
    sale, _ = store.carts.freeze(begun, sale=new_sale(), following=following)
    assert (sale.key, sale.sequence, sale.epoch) == (begun.key, 8, "E")


def test_lines_taken_back_may_have_been_sold_after(store: Any, reopened: Callable[[], Any]) -> None:
    """The copy offers the lines of a cancelled sale again."""
    cancelled = frozen(store, 1)
    bring(store, cancelled.key, _S.CANCELLED)
    store = reopened()
    present = store.carts.open_cart(training=False)
    following = new_ticket(9)
    taken = store.carts.take_back(
        present,
        sale=store.sales.sale(cancelled.key),
        cart=present.cart.add(LOAF, Quantity.ONE),
        following=following,
    )
    store.sales.act_on_restore(restored(7, is_journal=True), at=LATER)
    assert [one.id for one in store.carts.suspended_by_restore()] == [taken.id]


def test_what_comes_back_for_a_cart_is_of_a_receipt_that_the_journal_may_lack(store: Any) -> None:
    begun = store.carts.begin(new_ticket(1))
    store.carts.save(replace(begun, typed_details=TypedDetails(goods_back=GOODS)), was=begun)
    store.sales.act_on_restore(restored(is_journal=True), at=LATER)
    assert [one.id for one in store.carts.suspended_by_restore()] == [begun.id]


def test_of_a_copy_a_cart_of_returned_goods_is_kept_and_a_persons_number_is_not(
    store: Any, reopened: Callable[[], Any]
) -> None:
    begun = store.carts.begin(new_ticket(1))
    credited = replace(begun, typed_details=TypedDetails(goods_back=GOODS))
    store.carts.suspend(store.carts.save(credited, was=begun), at=NOW)
    idle = store.carts.begin(new_ticket(2))
    typed = TypedDetails(buyer_code="20", buyer_value="007112233")
    store.carts.save(replace(idle, typed_details=typed), was=idle)
    store = reopened()
    store.sales.act_on_restore(restored(), at=LATER)
    assert [one.typed_details.goods_back for one in store.carts.suspended_by_restore()] == [GOODS]
    assert store.carts.cart_of(idle.id).typed_details == TypedDetails()


def test_an_unknown_sale_is_not_found(store: Any) -> None:
    nobody = "f" * 32
    for act in (
        lambda: store.sales.sale(nobody),
        lambda: store.sales.body(nobody),
        lambda: store.sales.move(nobody, _S.SENDING, at=NOW),
        lambda: store.sales.note(nobody, reason=None, at=NOW),
        lambda: store.sales.mark_shown(nobody),
    ):
        with pytest.raises(NotFound):
            act()


def sold(
    store: Any, number: int, code: str, price: str, kind: DocumentKind = DocumentKind.SALE
) -> Sale:
    """A sale of one line for an unknown code, a bread, and a removed line for another code."""
    training = kind is DocumentKind.TRAINING
    empty = store.carts.open_cart(training=training) or store.carts.begin(new_ticket(number, kind))
    cart = empty.cart
    for unknown in (code, "", "gone"):
        paid = CartArticle("open", None, BREAD.frozen, Money(price), unknown_code=unknown)
        cart = cart.add(paid, Quantity.ONE)
    cart = cart.change(replace(cart.lines[-1], removed=True))
    basket = store.carts.save(replace(empty, cart=cart), was=empty)
    following = new_ticket(number + 1)
    if training:
        following = replace(following, kind=kind)
    sale: Sale = store.carts.freeze(basket, sale=new_sale(), following=following)[0]
    return sale


def test_what_was_sold_for_an_unknown_code_is_told_by_code(store: Any) -> None:
    for number, code, price in (
        (1, "4006381333931", "120.00"),
        (2, "x", "50.00"),
        (3, "4006381333931", "140.00"),
    ):
        sold(store, number, code, price)
    sold(store, 50, "practised", "10.00", DocumentKind.TRAINING)
    cancelled = sold(store, 4, "cancelled", "10.00")
    for state in WAYS[_S.CANCELLED]:
        store.sales.move(cancelled.key, state, at=LATER)
    name, label = BREAD.frozen.name, BREAD.frozen.label
    assert store.sales.sold_unknown() == [
        SoldUnknown("4006381333931", name, label, Money(140), 2, NOW, CASHIER),
        SoldUnknown("x", name, label, Money(50), 1, NOW, CASHIER),
    ]
