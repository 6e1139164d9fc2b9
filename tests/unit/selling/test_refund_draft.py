"""A refund as the cashier drafts it, from a receipt of the server or by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from random import Random

import pytest

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.fiscal_document import FiscalLine
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.operations import Operation, Refunding
from pos_app.domain.receipt.receipt_overview import PaidBy, ReceiptOverview
from pos_app.domain.receipt.request import InvoiceType, ReceiptKind, TransactionType
from pos_app.errors import Invalid, NotFound
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.selling.receipts.refund_by_hand import HandDraft
from pos_app.selling.receipts.refund_draft import RefundDraft, WayFault
from tests.sweep import each
from tests.unit.fiscalization.plans.book import BASIS, BUYER, PDF, Book, line, planned, sale
from tests.unit.fiscalization.plans.test_foreign_advance import SALE, given_back
from tests.unit.selling.test_correction import overview

BREAD = line("Хлеб/ком", "Е", "3", "58.99", sku=1)
CHEESE = replace(
    line("Сир/кг", "Ђ", "1.560", "189.99", sku=2, total="296.38"), gtin="8600000000018"
)
EGGS = line("Јаја/ком", "Е", "3", "3.33", sku=3, total="10.00")


def sold(*lines: FiscalLine, **paid: str) -> Book:
    return Book(sale(*lines, **paid))  # type: ignore[arg-type]


def signed(book: Book, draft: RefundDraft) -> tuple[str, dict[str, str]]:
    """The total and the payments by method that the server signs for the draft."""
    request = Refunding(payments=draft.way.payments, delivery=PDF, buyer=BUYER, items=draft.items())
    planned = plan_refund(receipt=book.links[0], chain=book.chain, request=request, basis=BASIS)
    book.add(*planned, operation=Operation.REFUND)
    document = planned[0].document
    return str(document.total), {way.value: str(amount) for way, amount in document.payments}


def test_all_of_a_receipt_goes_back_as_it_was_paid() -> None:
    book = sold(BREAD, CHEESE, cash="173.35", card="300.00")
    draft = RefundDraft.whole(overview(book))
    assert (draft.total, draft.items()) == (Money("473.35"), ())
    assert [(way.method, way.fault) for way in draft.ways] == [
        (None, None),
        (PaymentMethod.CASH, None),
        (PaymentMethod.WIRE_TRANSFER, None),
        (PaymentMethod.CARD, WayFault.LESS_WAS_PAID),
        (PaymentMethod.VOUCHER, WayFault.LESS_WAS_PAID),
    ]
    cheese = replace(RefundDraft(draft.overview), method=PaymentMethod.CARD).ticked(1, on=True)
    assert cheese.way.method is PaymentMethod.CARD
    assert cheese.ticked(0, on=True).way.method is None, "it holds while it is possible"
    with pytest.raises(Invalid):
        cheese.ticked(1, on=False).items()
    assert signed(book, draft) == ("473.35", {"card": "300.00", "cash": "173.35"})
    gone = overview(book)
    assert gone.left_by_method == ()
    assert RefundDraft.whole(gone).taken == {}


def test_a_part_by_weight_costs_its_share_and_the_last_part_the_rest() -> None:
    book = sold(BREAD, CHEESE, card="473.35")
    draft = RefundDraft(overview(book)).with_quantity(1, Quantity("0.750"))
    assert draft.total == Money("142.49")
    assert signed(book, draft) == ("142.49", {"card": "142.49"})
    rest = RefundDraft.whole(overview(book)).ticked(0, on=False)
    assert rest.total == Money("153.89")
    assert signed(book, rest) == ("153.89", {"card": "153.89"})
    with pytest.raises(NotFound):
        RefundDraft(overview(book)).ticked(1, on=True)
    with pytest.raises(Invalid) as told:
        RefundDraft(overview(book)).with_quantity(0, Quantity("3.001"))
    assert told.value.values["left"] == Quantity(3)


def test_a_scan_leaves_out_all_others_and_counts() -> None:
    book = sold(BREAD, CHEESE, EGGS, cash="483.35")
    draft = RefundDraft.whole(overview(book))
    for many in (1, 2, 3):
        draft = draft.scanned(gtin=None, sku=3)
        assert draft.taken == {2: many}
    with pytest.raises(NotFound):
        draft.scanned(gtin=None, sku=3)
    draft = draft.scanned(gtin="8600000000018", sku=None)
    assert draft.taken == {2: 3, 1: Decimal("1.560")}
    with pytest.raises(NotFound):
        draft.scanned(gtin="8600000000025", sku=None)
    assert signed(book, draft) == ("306.38", {"cash": "306.38"})


def test_the_label_of_a_scale_tells_how_much_goes_back() -> None:
    pack = replace(CHEESE, quantity=Quantity("0.412"), total=Money("78.28"))
    told = overview(sold(CHEESE, pack, cash="374.66"))

    def scanned(draft: RefundDraft, **label: object) -> dict[int, Decimal]:
        made = draft.scanned(gtin=None, sku=2, **label)  # type: ignore[arg-type]
        return dict(made.taken)

    whole = RefundDraft.whole(told)
    assert scanned(whole, quantity=Quantity("0.412")) == {1: Decimal("0.412")}
    assert scanned(whole, quantity=Quantity("0.600")) == {0: Decimal("0.600")}
    assert scanned(whole, quantity=Quantity("9")) == {0: Decimal("1.560")}
    assert scanned(whole, price=Money("78.28")) == {1: Decimal("0.412")}
    assert scanned(whole, price=Money("10.00")) == {0: Decimal("1.560")}
    first = whole.scanned(gtin=None, sku=2, quantity=Quantity("0.600"))
    assert scanned(first, quantity=Quantity("0.960")) == {0: Decimal("1.560")}
    assert scanned(first, quantity=Quantity("0.412")) == {0: Decimal("0.600"), 1: Decimal("0.412")}


@each(
    ("name", "quantity", "taken"),
    [
        ("Сир/kg", "2.000", "2.000"), ("Сир/кг.", "2", "2"), ("Шафран/g", "3", "3"),
        ("Каблови/m", "1.500", "1.500"), ("Каблови/m", "2", "1"), ("Хлеб/ком", "2", "1"),
        ("Млеко 1/1", "2", "1"), ("kg", "2", "1"),
    ],
)  # fmt: skip
def test_a_scan_takes_all_of_what_is_weighed_and_one_of_what_is_counted(
    name: str, quantity: str, taken: str
) -> None:
    book = sold(line(name, "Ђ", quantity, "100.00", sku=2), cash="500.00")
    draft = RefundDraft.whole(overview(book)).scanned(gtin=None, sku=2)
    assert draft.taken == {0: Decimal(taken)}


def test_what_a_corporate_card_paid_goes_back_by_voucher() -> None:
    paid = sale(BREAD, buyer="10:123456788", voucher="176.97")
    card = replace(paid, document=replace(paid.document, cost_centre="50:1234"))
    book = Book(card)
    draft = RefundDraft.whole(overview(book))
    assert [(way.method, way.fault) for way in draft.ways] == [
        (PaymentMethod.VOUCHER, None),
        (PaymentMethod.CASH, WayFault.VOUCHER_ALONE),
        (PaymentMethod.WIRE_TRANSFER, WayFault.VOUCHER_ALONE),
    ]
    assert signed(book, draft) == ("176.97", {"voucher": "176.97"})


GIFT = line("00:Шоља/ком", "Ђ", "1", "500.00", sku=9)


def test_goods_given_away_go_back_by_other_alone() -> None:
    book = sold(BREAD, GIFT, card="176.97", other="500.00")
    told = overview(book)
    gift = RefundDraft(told).ticked(1, on=True)
    by_other = ((PaymentMethod.OTHER, Money("500.00")),)
    assert [way.payments.by_method for way in gift.ways] == [by_other]
    bread = RefundDraft(told).ticked(0, on=True)
    assert [(way.method, way.fault) for way in bread.ways] == [
        (PaymentMethod.CARD, None),
        (PaymentMethod.CASH, None),
        (PaymentMethod.WIRE_TRANSFER, None),
        (PaymentMethod.VOUCHER, WayFault.LESS_WAS_PAID),
    ]
    whole = RefundDraft.whole(told)
    for way in [one for one in whole.ways if one.fault is None]:
        again = sold(BREAD, GIFT, card="176.97", other="500.00")
        assert signed(again, replace(whole, method=way.method))[0] == "676.97"
    assert signed(book, bread) == ("176.97", {"card": "176.97"})
    assert signed(book, RefundDraft.whole(overview(book))) == ("500.00", {"other": "500.00"})


def test_what_other_paid_beside_a_gift_goes_back_by_it() -> None:
    book = sold(BREAD, GIFT, card="76.97", other="600.00")
    bread = RefundDraft(overview(book)).ticked(0, on=True)
    assert signed(book, bread) == ("176.97", {"card": "76.97", "other": "100.00"})


@each(
    ("paid", "price", "left"),
    [
        ({"cash": 0}, 60, {}),
        ({"card": 40}, 100, {"card": "40.00"}),
        ({"cash": 50}, 100, {"cash": "50.00"}),
        ({"voucher": 40}, 100, {"voucher": "40.00"}),
    ],
)
def test_the_sale_that_ends_an_advance_of_another_system(
    paid: dict[str, int], price: int, left: dict[str, str]
) -> None:
    """Payments at another system are unknown here, and go back in cash."""
    book = given_back()
    body = SALE | {"payments": paid, "items": [SALE["items"][0] | {"unitPrice": price}]}
    book.add(*planned(body, book, 0))
    told = overview(book, 1)
    assert {one.method.value: str(one.amount) for one in told.left_by_method} == left
    draft = RefundDraft.whole(told)
    assert draft.way.payments.total == draft.total == told.total


def drafts(random: Random, told: ReceiptOverview) -> Iterator[RefundDraft]:
    """Drafts for some of the lines that are left, whole or in part."""
    draft = RefundDraft(told)
    for one in told.lines:
        if one.left_quantity and random.random() < 0.7:
            part = Decimal(random.randint(1, int(one.left_quantity * 1000))) / 1000
            draft = draft.with_quantity(
                one.index, Quantity(random.choice((part, one.left_quantity)))
            )
    if draft.taken:
        yield draft


@each("seed", range(40))
@each("paid", ["cash", "mixed"])
def test_the_server_takes_each_draft_and_its_sum(seed: int, paid: str) -> None:
    """Refunds until nothing is left: no sum is refused, and all add up to what was sold."""
    random = Random(seed)
    lines = [
        line(
            f"{number}/ком",
            random.choice("ЂЕГ"),
            str(Decimal(random.randint(1, 5000)) / 1000),
            str(Decimal(random.randint(1, 99999)) / 100),
            sku=number,
        )
        for number in range(1, 1 + random.randint(1, 5))
    ]
    total = Money.total(one.total for one in lines)
    half = Money.rounded(total.amount / 2)
    by = {"cash": str(total)} if paid == "cash" else {"card": str(half), "cash": str(total - half)}
    book, back = sold(*lines, **by), Money.ZERO
    for _ in range(30):
        for draft in drafts(random, overview(book)):
            assert Money(signed(book, draft)[0]) == draft.total
            back += draft.total
    rest = RefundDraft.whole(overview(book))
    if rest.taken:
        assert Money(signed(book, rest)[0]) == rest.total
    assert back + rest.total == total
    assert overview(book).left_by_method == ()


CASH, CARD = PaymentMethod.CASH, PaymentMethod.CARD


@pytest.mark.parametrize(
    ("paid", "method", "amounts"),
    [
        ((), None, {}),
        ((PaidBy(CARD, Money(600)),), CARD, {}),
        ((PaidBy(CARD, Money(600)), PaidBy(CASH, Money(0))), CARD, {}),
        (
            (PaidBy(CASH, Money("100.50")), PaidBy(CARD, Money("499.50"))),
            None,
            {CASH: "100,50", CARD: "499,50"},
        ),
    ],
)
def test_one_method_is_chosen_and_several_have_their_amounts(
    paid: tuple[PaidBy, ...], method: PaymentMethod | None, amounts: dict[PaymentMethod, str]
) -> None:
    foreign = ForeignReceipt(
        number="XYZW1234-XYZW1234-8652",
        counter="8652/11389",
        total=Money(600),
        time=datetime(2026, 3, 1, 10, tzinfo=UTC),
        kind=ReceiptKind(InvoiceType.NORMAL, TransactionType.SALE),
        payments=paid,
    )
    draft = HandDraft.of(foreign.number, foreign, goods="-")
    assert (draft.method, draft.paid) == (method, amounts)
    assert (draft.day, draft.time) == ("01.03.2026.", "11:00")
