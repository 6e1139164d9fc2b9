"""The choices that the law leaves to the shop (fiscal.md 6.2, 6.4, 6.7), and what the ESIR adds."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.esir_part import EsirPart, LoweredLine
from pos_app.domain.receipt.operations import AdvancePayment
from pos_app.domain.receipt.pricing import price
from pos_app.domain.receipt.request import InvoiceType, IssueRequest
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.issue import esir_part, plan_issue
from pos_app.fiscalization.plans.planned import PlannedReceipt
from pos_app.fiscalization.plans.refund import plan_refund
from pos_app.fiscalization.plans.shop_choices import ShopChoices
from tests.sweep import each
from tests.unit.documents.papers import item, request
from tests.unit.fiscalization.plans.book import (
    BASIS,
    PDF,
    Book,
    advance,
    closed,
    closing,
    fitting,
    known,
    line,
    paid_on,
    payments,
    sale,
)
from tests.unit.fiscalization.plans.test_refund import refunding

COFFEE = item("Кафа млевена", "349.99", "2")
CHEESE = item("Сир", "800.00", "0.500", unit="kg", total="320.00")
TENTH = Percent(Decimal(10))


def part_of(asked: IssueRequest) -> EsirPart:
    return esir_part(asked, price(asked))


def test_each_lowered_line_is_told_with_its_percentage_where_one_was_asked_for() -> None:
    asked = request(COFFEE, CHEESE, cash="1000.00", discount=TENTH)

    assert part_of(asked).lowered == (
        LoweredLine("Кафа млевена/ком", Money("699.98"), Money("629.98"), TENTH),
        LoweredLine("Сир/kg", Money("400.00"), Money("320.00"), None),
    )
    at_full_price = request(COFFEE, item("Кеса", "10.00", total="10.00"), cash="800.00")
    assert part_of(at_full_price) == EsirPart()


def test_an_advance_has_achieved_no_discount() -> None:
    asked = request(CHEESE, cash="100.00", invoice_type=InvoiceType.ADVANCE, discount=TENTH)

    assert part_of(asked).lowered == ()
    (planned,) = plan_issue(request=asked, referent=None, chain=Chain(()), basis=BASIS)
    assert planned.esir.lowered == ()
    assert planned.order is not None
    assert planned.order.lowered == (LoweredLine("Сир/kg", Money("400.00"), Money("320.00")),)


@each("kind", [InvoiceType.NORMAL, InvoiceType.ADVANCE])
@each(("count", "fits"), [(1, True), (2, False)])
def test_what_is_saved_is_told_in_one_sum(kind: InvoiceType, count: int, fits: bool) -> None:
    """An advance's saving is printed with the closing, whose lines are the order's."""
    dear = item("Вила", "999999999999.99", total="100.00")
    asked = request(*[dear] * count, cash="200.00" if count == 2 else "100.00", invoice_type=kind)
    with fitting(fits, "items.*12 digits"):
        plan_issue(request=asked, referent=None, chain=Chain(()), basis=BASIS)


# --- the choices that the law leaves to the shop (fiscal.md 6.2, 6.4, 6.7) -----------------------


BREAD = line("Хлеб/ком", "Е", "3", "100.00", sku=1)
IN_CASH = ShopChoices(closing_refund_in_cash=True)
EVERY = ShopChoices(copy_of_every_refund=True)
RESTRICTED = ShopChoices(restricted_payments=True)
Paid = dict[str, str]


def under(rules: ShopChoices) -> Basis:
    return replace(BASIS, rules=rules)


def told(planned: PlannedReceipt) -> Paid:
    return {method.value: str(amount) for method, amount in planned.document.payments}


@each(
    ("rules", "paid", "refunded"),
    [
        (ShopChoices(), {"card": "60.00", "wiretransfer": "40.00"}, None),
        (IN_CASH, {"card": "60.00", "wiretransfer": "40.00"}, {"cash": "100.00"}),
        (IN_CASH, {"cash": "60.00", "check": "40.00"}, {"cash": "100.00"}),
        (IN_CASH, {"mobilemoney": "50.00", "voucher": "30.00", "other": "20.00"},
         {"cash": "50.00", "voucher": "30.00", "other": "20.00"}),
        (RESTRICTED, {"card": "60.00", "wiretransfer": "40.00"},
         {"cash": "60.00", "wiretransfer": "40.00"}),
    ],
)  # fmt: skip
def test_how_the_refund_of_a_closing_is_paid(
    rules: ShopChoices, paid: Paid, refunded: Paid | None
) -> None:
    book = Book(advance(known(BREAD), line("11: Аванс", "Е", "1", "100.00"), **paid))
    refund, sold = closed(book, closing(wiretransfer="200.00"), basis=under(rules))
    assert told(refund) == (refunded or paid)
    assert told(sold) == {"wiretransfer": "200.00"}


@each("kind", [kind for kind in InvoiceType if kind is not InvoiceType.COPY])
@each("method", PaymentMethod)
@each(
    ("rules", "copied"),
    [
        (ShopChoices(), {"cash"}),
        (EVERY, set(PaymentMethod)),
        (RESTRICTED, {"cash", "card", "check", "mobilemoney"}),
    ],
)
def test_which_refunds_have_their_copy(
    kind: InvoiceType, method: PaymentMethod, rules: ShopChoices, copied: set[str]
) -> None:
    order = known(BREAD) if kind is InvoiceType.ADVANCE else None
    book = Book(sale(BREAD, kind=kind, order=order, card="300.00"))
    back, basis = refunding(given=None, **{method.value: "300.00"}), under(rules)
    made = plan_refund(receipt=book.links[0], chain=book.chain, request=back, basis=basis)
    wanted = kind.is_fiscal and method in copied
    seen = [one.document.invoice_type for one in made]
    assert seen == [kind, *([InvoiceType.COPY] if wanted else [])]


RECORDED = {
    "cash": "cash", "card": "cash", "check": "cash", "mobilemoney": "cash",
    "wiretransfer": "wiretransfer", "voucher": "voucher", "other": "other",
}  # fmt: skip


@each("method", PaymentMethod)
def test_how_payments_are_recorded(method: PaymentMethod) -> None:
    paid, recorded = {method.value: "100.00"}, {RECORDED[method]: "100.00"}
    book, basis = Book(), under(RESTRICTED)
    book.add(advance(known(BREAD), line("11: Аванс", "Е", "1", "100.00"), card="100.00"))
    payment = AdvancePayment(payments=payments(**paid), delivery=PDF)
    assert told(paid_on(book, payment, basis)) == recorded
    _, sold = closed(book, closing(**{method.value: "200.00"}), basis=basis)
    asked = request(payments=payments(**{method.value: "354.10"}))
    (bread,) = plan_issue(request=asked, referent=None, chain=Book().chain, basis=basis)
    assert told(sold) == {RECORDED[method]: "200.00"}
    assert told(bread) == {RECORDED[method]: "354.10"}
    several = request(payments=payments(card="300.00", cash="60.00"))
    (sold,) = plan_issue(request=several, referent=None, chain=Book().chain, basis=basis)
    assert told(sold) == {"cash": "360.00"}
    assert sold.document.paid - sold.document.total == Money("5.90"), "change stays change"
