"""Drafts of a further payment and a closing, compared with the server's plans."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import operations
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.pricing import priced_goods
from pos_app.domain.receipt.receipt_overview import ReceiptOverview
from pos_app.domain.receipt.request import TransactionType
from pos_app.errors import Invalid
from pos_app.fiscalization.plans.advance import advance_lines, plan_advance
from pos_app.fiscalization.plans.close import plan_closing
from pos_app.fiscalization.plans.issue import fiscal_line
from pos_app.fiscalization.plans.planned import AdvanceOrder
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.receipt_overview import overview_of
from pos_app.selling.receipts.advance_draft import ClosingDraft, FurtherPayment, advance_of
from pos_app.selling.receipts.refund_draft import RefundDraft, refundable
from pos_app.selling.sale.advance_items import lists_items, with_items, without_items
from tests.sweep import each
from tests.unit.fiscalization.plans.book import (
    BASIS,
    BUYER,
    PDF,
    Book,
    advance,
    known,
    line,
    payments,
    sale,
    unknown,
)
from tests.unit.selling.test_confirm_checks import ticket_of

CAKE = line("Торта/ком", "Ђ", "1", "6400.00", sku=1)
PIE = line("Пита/ком", "Е", "2", "1250.00", sku=2)


def begun(order: AdvanceOrder, **paid: str) -> Book:
    """A chain with its first payment, split as the server splits it."""
    book = Book()
    total = payments(**paid).total
    labels = {one.label: one.total for one in order.lines}
    first = {next(iter(labels)): total}
    book.add(advance(order, *advance_lines(first), buyer="10:123456788", **paid))
    return book


def overview(book: Book) -> ReceiptOverview:
    newest = next(one for one in reversed(book.links) if one.kind[1] is TransactionType.SALE)
    return overview_of(newest, book.chain, jobs=(), origin="till")


def advanced(book: Book, payment: FurtherPayment) -> dict[str, object]:
    """The amounts that the server signs for the payment."""
    kept, parts = payment.money_taken().on_receipt, payment.amounts_by_label
    asked = operations.AdvancePayment(payments=kept, delivery=PDF, specification=parts)
    (planned,) = plan_advance(receipt=book.links[-1], chain=book.chain, request=asked, basis=BASIS)
    book.add(planned, operation=operations.Operation.ADVANCE)
    document = planned.document
    return {"total": document.total, "by_label": document.by_label}


def closed(book: Book, draft: ClosingDraft) -> tuple[Money, Money, Money, Money | None]:
    """As signed: the refund, the sale, what is left to pay, and the tax in advance."""
    request = operations.Closing(
        payments=draft.money_taken().on_receipt, delivery=PDF, items=draft.items
    )
    items = tuple(map(fiscal_line, priced_goods(draft.items)))
    refund, sold = plan_closing(
        receipt=book.links[-1], chain=book.chain, request=request, items=items, basis=BASIS
    )
    book.add(refund, sold, operation=operations.Operation.CLOSE)
    figures = sold.esir.advance
    assert figures is not None
    return refund.document.total, sold.document.total, figures.remaining, figures.vat


def told(draft: ClosingDraft) -> tuple[Money, Money, Money, Money | None]:
    """The same amounts as they are shown before the key is pressed."""
    advance = draft.advance
    return advance.paid, draft.total, draft.due, advance.vat


@each(
    ("remains", "given", "amount"),
    [
        ("1674.72", {}, "0"),
        ("1674.72", {"card": "500.00"}, "500.00"),
        ("1674.72", {"cash": "1675.00"}, "1674.72"),
        ("1674.30", {"cash": "1674.00"}, "1674.30"),
        ("1674.72", {"cash": "2000.00"}, "1674.72"),
        ("1674.72", {"card": "2000.00"}, "1674.72"),
        ("", {"cash": "2000.00"}, "2000.00"),
    ],
)
def test_what_is_paid_by_what_is_given(remains: str, given: dict[str, str], amount: str) -> None:
    lines = line("Роба/ком", "Ђ", "1", str(Money(remains or "1") + Money(100)))
    order = known(lines) if remains else unknown(lines)
    payment = FurtherPayment(overview(begun(order, cash="100.00")), payments(**given))
    assert payment.amount == Money(amount)


def test_a_payment_gives_change_in_cash_alone_and_signs_what_is_kept() -> None:
    book = begun(known(CAKE, PIE), cash="5000.00")
    told = overview(book)
    payment = FurtherPayment(told, payments(cash="4000.00"))
    money = payment.money_taken()
    assert (money.change, money.on_receipt) == (Money(100), payments(cash="3900.00"))
    assert advanced(book, payment) == {"total": Money(3900), "by_label": dict(payment.shares)}
    assert advance_of(overview(book)).remaining == Money.ZERO
    with pytest.raises(Invalid, match="only cash"):
        FurtherPayment(told, payments(card="4000.00")).money_taken()
    with pytest.raises(Invalid) as nothing:
        FurtherPayment(told).money_taken()
    assert nothing.value.kind == "nothing"
    sold = Book(sale(CAKE, cash="6400.00"))
    with pytest.raises(Invalid) as no_advance:
        ClosingDraft.of(overview(sold), in_whole_dinars=True)
    assert no_advance.value.kind == "no_advance", "a sale is none"


def test_an_unknown_amount_of_several_labels_asks_for_the_split() -> None:
    book = begun(unknown(CAKE, PIE), cash="5000.00")
    told = overview(book)
    payment = FurtherPayment(told, payments(card="1000.00"))
    assert payment.needs_split
    with pytest.raises(Invalid):
        _ = payment.shares
    split = {TaxLabel.DJ: Money(700), TaxLabel.E: Money(300)}
    parted = FurtherPayment(told, payments(card="1000.00"), split)
    assert advanced(book, parted) == {"total": Money(1000), "by_label": split}
    assert not FurtherPayment(overview(begun(known(CAKE, PIE), cash="1.00"))).needs_split


def test_several_lines_of_unknown_amount_are_named() -> None:
    book = begun(unknown(CAKE, PIE), cash="5000.00")
    draft = ClosingDraft.of(overview(book), in_whole_dinars=True)
    assert (draft.names_items, draft.due) == (True, Money(3900))
    fewer = ClosingDraft(draft.overview, items=draft.items[1:])
    assert fewer.too_much_paid == Money(2500)
    with pytest.raises(Invalid) as below:
        fewer.money_taken()
    assert below.value.kind == "below_paid"
    with pytest.raises(Invalid):
        ClosingDraft(draft.overview).money_taken()
    dearer = replace(draft.items[0], quantity=Quantity("1.500"), total=None)
    named = ClosingDraft(draft.overview, payments(card="7200.00"), (dearer, draft.items[1]))
    assert (named.total, named.due) == (Money(12100), Money(7100))


METHODS = (PaymentMethod.CASH, PaymentMethod.CARD, PaymentMethod.WIRE_TRANSFER)


def ordered(random: Random) -> AdvanceOrder:
    lines: list[FiscalLine] = [
        line(
            f"{number}/ком",
            random.choice("ЂЕГ"),
            str(Decimal(random.randint(1, 9000)) / 1000),
            str(Decimal(random.randint(100, 99999)) / 100),
            sku=number,
        )
        for number in range(1, 1 + random.randint(1, 5))
    ]
    return known(*lines) if random.random() < 0.7 else unknown(*lines)


def some(random: Random, most: Money) -> Payments:
    """A random part of an amount, by one method or two."""
    para = max(1, int(most.amount * 100))
    amounts = {
        method: Money(Decimal(random.randint(1, para)) / 100)
        for method in random.sample(METHODS, random.randint(1, 2))
    }
    return Payments.of(amounts)


@each("seed", range(120))
def test_the_server_plans_what_was_shown(seed: int) -> None:
    """Payments one after the other, then the closing: no sum is refused, and all agree."""
    random = Random(seed)
    order = ordered(random)
    book = begun(order, cash="0.01") if order.lines[0].total else begun(known(CAKE), cash="1.00")
    whole = random.random() < 0.5
    for _ in range(random.randint(0, 4)):
        now = overview(book)
        remaining = advance_of(now).remaining
        if remaining is not None and not remaining:
            break
        given = some(random, remaining or Money(500))
        if remaining is not None and given.total - given.cash > remaining:
            given = Payments.of({PaymentMethod.CASH: given.total})
        payment = FurtherPayment(now, given, in_whole_dinars=whole)
        if payment.needs_split:
            labels = list(payment.labels)
            first = Money.rounded(payment.amount.amount / 3)
            parts = {labels[0]: first, labels[1]: payment.amount - first}
            payment = FurtherPayment(now, given, parts, in_whole_dinars=whole)
        expected = {"total": payment.amount, "by_label": dict(payment.shares)}
        assert advanced(book, payment) == expected
    draft = ClosingDraft.of(overview(book), in_whole_dinars=whole)
    if draft.too_much_paid:
        return
    rest = Money(100) if draft.takes_what_is_given else draft.due
    given = Payments.of({random.choice(METHODS[1:]): rest})
    draft = ClosingDraft(draft.overview, given, draft.items, in_whole_dinars=whole)
    shown = told(draft)
    assert closed(book, draft) == shown
    assert advance_of(overview(book)).is_closed


@each("seed", range(60))
def test_the_server_takes_each_part_of_an_advance_that_goes_back(seed: int) -> None:
    """Refunds one after the other, by amounts of each label, until nothing is left."""
    random = Random(seed)
    book = Book()
    shares = {TaxLabel(label): Money(random.randint(1, 99999)) for label in "ЂЕГ"}
    card = str(Money.total(shares.values()))
    order = unknown(CAKE, PIE, SHELF)
    book.add(advance(order, *advance_lines(shares), buyer="10:123456788", card=card))
    back = Money.ZERO
    for _ in range(6):
        now = refundable(overview(book))
        draft = RefundDraft(now)
        for one in now.lines:
            if one.left_quantity and random.random() < 0.7:
                part = Decimal(random.randint(1, int(one.left_quantity * 100))) / 100
                quantity = Quantity(random.choice((part, one.left_quantity)))
                draft = draft.with_quantity(one.index, quantity)
        back += given_back(book, draft) if draft.taken else Money.ZERO
    rest = RefundDraft.whole(refundable(overview(book)))
    back += given_back(book, rest) if rest.taken else Money.ZERO
    assert back == Money(card)
    assert RefundDraft.whole(refundable(overview(book))).taken == {}


SHELF = line("Полица/ком", "Г", "1", "900.00")


def given_back(book: Book, draft: RefundDraft) -> Money:
    """The total that the server signs for a refund of the advance, compared with the shown one."""
    request = operations.Refunding(
        payments=draft.way.payments,
        delivery=PDF,
        buyer=BUYER,
        items=draft.items(),
        specification=draft.specification(),
    )
    planned = plan_refund(receipt=book.links[0], chain=book.chain, request=request, basis=BASIS)
    lines = draft.overview.lines
    shown = {lines[place].label: draft.part(place) for place in draft.taken}
    assert planned[0].document.by_label == shown
    assert planned[0].document.total == draft.total
    book.add(*planned, operation=operations.Operation.REFUND)
    return draft.total


@each("typed", ["0,001", "1000,005", "1.234", "0", "0,00"])
def test_what_goes_back_of_an_advance_is_typed_as_an_amount(typed: str) -> None:
    """As a quantity 0,001 was a refund of 0,00, which the server refuses, and 1.234 was 1,23."""
    draft = RefundDraft.whole(refundable(overview(begun(unknown(CAKE), cash="4000.00"))))
    with pytest.raises(Invalid):
        draft.with_typed(0, typed)
    part = draft.with_typed(0, "1.000,05")
    assert (part.total, part.specification()) == (Money("1000.05"), {TaxLabel.DJ: Money("1000.05")})


def test_the_items_stand_below_what_was_typed_and_go_without_it() -> None:
    told = with_items("Испорука у петак", ticket_of("100.00", "20.00"), longest=4000)
    assert told.splitlines()[:2] == ["Испорука у петак", "Аванс за:"]
    assert len(told.splitlines()) == 4
    assert lists_items(told)
    assert without_items(told) == "Испорука у петак"
    assert with_items(told, ticket_of("5.00"), longest=4000).count("– ") == 1
    for typed in ("Аванс за:", "Аванс за:\nкухињу", "– 1 Роба: 5,00"):
        assert not lists_items(typed)
        assert without_items(typed) == typed


def test_what_finds_no_room_is_counted() -> None:
    told = with_items("", ticket_of(*(f"{price}.00" for price in range(1, 41))), longest=200)
    assert len(told) <= 200
    shown = told.count("Роба")
    assert told.endswith(f"– + {40 - shown}")
