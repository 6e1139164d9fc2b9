"""An advance with its payments, refunds and closing, at random."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.integration.legal_life import model
from tests.integration.legal_life.desk import BUYER, Desk, Receipt
from tests.integration.legal_life.paper import read_paper

SALE, REFUND = "АВАНС ПРОДАЈА", "АВАНС РЕФУНДАЦИЈА"


@dataclass
class Advance:
    """The model's knowledge of one chain. order: gross by label. paid: by label, less refunds."""

    goods: list[model.Good]
    is_known: bool
    buyer: str | None
    order: dict[str, Decimal]
    paid: dict[str, Decimal] = field(default_factory=dict)
    methods: dict[str, Decimal] = field(
        default_factory=lambda: dict.fromkeys(model.METHODS, model.ZERO)
    )
    back: list[model.Amounts] = field(default_factory=list)
    sales: list[Receipt] = field(default_factory=list)
    members: list[Receipt] = field(default_factory=list)

    @property
    def total(self) -> Decimal:
        return sum(self.order.values(), model.ZERO)

    @property
    def paid_in_all(self) -> Decimal:
        return sum(self.paid.values(), model.ZERO)

    @property
    def unpaid(self) -> dict[str, Decimal]:
        return {
            label: gross - self.paid.get(label, model.ZERO) for label, gross in self.order.items()
        }

    def take(self, receipt: Receipt, shares: model.Amounts, payments: model.Amounts) -> None:
        self.sales.append(receipt)
        self.members.append(receipt)
        for label, share in shares.items():
            self.paid[label] = self.paid.get(label, model.ZERO) + share
        for method, amount in payments.items():
            self.methods[method] += amount

    def mirrored(self) -> dict[str, Decimal]:
        """Return the paying methods less what was given back: each refund takes from its own
        method, then from the largest; "other" is no money and comes last for money."""
        kept = dict(self.methods)
        for payments in self.back:
            for told, amount in payments.items():
                method, rest = told, amount
                while rest:
                    if not kept[method]:
                        money = [one for one in kept if kept[one] and one != "other"]
                        among = money if told != "other" and money else kept
                        method = max(among, key=lambda one: kept[one])
                    part = min(rest, kept[method])
                    kept[method] -= part
                    rest -= part
        return kept


def paid_in_advance(desk: Desk) -> None:
    made = _begun(desk)
    for _ in range(desk.drawn.randint(0, 5)):
        match desk.drawn.choice(["pay", "pay", "pay", "copy", "back"]):
            case "pay":
                _pay(desk, made)
            case "copy":
                made.members.append(desk.copy(made.sales[-1]))
            case _:
                _give_back(desk, made)
    match desk.drawn.choice(["close", "close", "close", "refund", "open"]):
        case "close" if made.paid_in_all:
            _close(desk, made)
        case "refund" if made.paid_in_all:
            _give_all_back(desk, made)


def _begun(desk: Desk) -> Advance:
    drawn = desk.drawn
    labels = drawn.sample(list(model.RATES), drawn.randint(1, 3))
    lines = model.goods(drawn, drawn.randint(1, 4), labels)
    discount = drawn.choice([None, Decimal(10), Decimal(25), Decimal("33.33")])
    order: dict[str, Decimal] = {}
    for line in lines:
        line.price += 1  # an order that costs nothing can't be paid for
        line.quantity = line.quantity.to_integral_value() + 1
        line.priced(discount)
        order[line.label] = order.get(line.label, model.ZERO) + line.total
    made = Advance(lines, drawn.random() < 0.6, drawn.choice([None, BUYER]), order)
    amount = model.cents(drawn, int(made.total * 100))
    shares, told = _shares(desk, made, amount)
    payments = model.paid(drawn, amount)
    body: dict[str, Any] = {
        "invoiceType": "advance",
        "transactionType": "sale",
        "items": [line.asked() for line in lines],
        "payments": payments,
        "unknownAmountAdvance": not made.is_known,
        **told,
        **({"discount": discount} if discount else {}),
        **({"buyerId": made.buyer} if made.buyer else {}),
    }
    _first_refusals(desk, made, body)
    receipt: Receipt = desk.get("issue", body)
    desk.check(receipt, SALE, amount, payments, by_label=shares)
    made.take(receipt, shares, payments)
    return made


def _first_refusals(desk: Desk, made: Advance, body: dict[str, Any]) -> None:
    without = {name: value for name, value in body.items() if name != "advanceSpecification"}
    if made.is_known:
        desk.refused("issue", without | {"payments": {"card": made.total + model.PARA}})
    elif len(made.order) > 1:
        desk.refused("issue", without)
    if told := body.get("advanceSpecification"):
        label = next(iter(told))
        wrong = told | {label: told[label] + model.PARA}
        desk.refused("issue", body | {"advanceSpecification": wrong})


def _shares(
    desk: Desk, made: Advance, amount: Decimal
) -> tuple[dict[str, Decimal], model.Amounts | Any]:
    """Split a payment by label; also return the member that states the shares, where the caller
    does."""
    if len(made.order) == 1:
        return dict.fromkeys(made.order, amount), {}
    if made.is_known and desk.drawn.random() < 0.7:
        return model.split(amount, made.order, made.unpaid), {}
    if made.is_known:
        shares = model.split(amount, made.unpaid, made.unpaid)
    else:
        first, second, *_ = made.order
        part = model.cents(desk.drawn, int(amount * 100), 0)
        shares = {first: part, second: amount - part}
    return shares, {"advanceSpecification": shares}


def _pay(desk: Desk, made: Advance) -> None:
    rest = made.total - made.paid_in_all
    name = desk.name_of(desk.drawn.choice(made.members))
    if made.is_known:
        desk.refused("advance", {"payments": {"card": rest + model.PARA}}, name)
        if not rest:
            return
    amount = model.cents(desk.drawn, int((rest if made.is_known else made.total) * 100))
    if desk.drawn.random() < 0.2:
        amount = rest if made.is_known else amount
    shares, told = _shares(desk, made, amount)
    payments = model.paid(desk.drawn, amount)
    receipt: Receipt = desk.get("advance", {"payments": payments, **told}, name)
    desk.check(receipt, SALE, amount, payments, refers_to=made.sales[-1], by_label=shares)
    made.take(receipt, shares, payments)


def _give_back(desk: Desk, made: Advance) -> None:
    most = made.paid_in_all
    if not most:
        return
    over = {"buyerId": BUYER, "payments": {"card": most + model.PARA}}
    desk.refused("refund", over, desk.name_of(made.sales[0]))
    amount = model.cents(desk.drawn, int(most * 100))
    if amount == most:
        return  # `_give_all_back` ends an advance
    kept = {label: share for label, share in made.paid.items() if share}
    body: dict[str, Any] = {"buyerId": BUYER, "payments": model.paid(desk.drawn, amount)}
    if len(kept) == 1:
        shares = dict.fromkeys(kept, amount)
    elif made.is_known and desk.drawn.random() < 0.6:
        shares = model.split(amount, made.order, kept)
    else:
        shares = model.split(amount, kept, kept)
        body["advanceSpecification"] = shares
    _given_back(desk, made, body, amount, shares)


def _give_all_back(desk: Desk, made: Advance) -> None:
    amount = made.paid_in_all
    body = {"buyerId": BUYER, "payments": model.paid(desk.drawn, amount)}
    _given_back(desk, made, body, amount, dict(made.paid))
    for operation in ("advance", "close", "refund"):
        body = {"buyerId": BUYER, "payments": {"cash": 1}}
        desk.refused(operation, body, desk.name_of(made.sales[0]))


def _given_back(
    desk: Desk, made: Advance, body: dict[str, Any], amount: Decimal, shares: model.Amounts
) -> None:
    payments = body["payments"]
    refund, *copies = desk.get("refund", body, desk.name_of(desk.drawn.choice(made.sales)))
    desk.check(refund, REFUND, amount, payments, refers_to=made.sales[-1], by_label=shares)
    assert len(copies) == (1 if payments.get("cash") else 0)
    for copy in copies:
        desk.check(copy, "КОПИЈА РЕФУНДАЦИЈА", amount, payments, refers_to=refund, by_label=shares)
    made.members += [refund, *copies]
    made.back.append(payments)
    for label, share in shares.items():
        made.paid[label] -= share


def _close(desk: Desk, made: Advance) -> None:
    drawn, before = desk.drawn, made.paid_in_all
    sold, body = made.goods, dict[str, Any]()
    total = made.total
    if not made.is_known and len(made.goods) == 1 and drawn.random() < 0.5:
        (line,) = made.goods
        total = before + model.cents(drawn, 99_999, 0)
        line.total = total
    elif not made.is_known:
        sold = model.goods(drawn, drawn.randint(1, 3), list(made.order))
        sold[0].stated = before + model.cents(drawn, 99_999, 0)
        for line in sold:
            line.priced(None)
        total = sum((line.total for line in sold), model.ZERO)
        body["items"] = [line.asked() for line in sold]
        low = [sold[0].asked() | {"totalAmount": before - model.PARA}]
        name = desk.name_of(made.sales[0])
        desk.refused("close", {"payments": {}, "items": low, "buyerId": BUYER}, name)
    fixed = made.is_known or "items" in body
    payments = model.paid(drawn, total - before, change=fixed)
    name = desk.name_of(drawn.choice(made.members))
    if fixed:
        over = {"card": total - before + model.PARA}
        desk.refused("close", body | {"payments": over}, name)
    back, sale = desk.get("close", body | {"payments": payments}, name)
    last = made.sales[-1]
    paper = desk.check(back, REFUND, before, made.mirrored(), refers_to=last, by_label=made.paid)
    lines = [(line, line.quantity, line.total) for line in sold]
    real = desk.check(sale, "ПРОМЕТ ПРОДАЈА", total, payments, refers_to=back, lines=lines)
    assert (paper.buyer, real.buyer) == (made.buyer or f"10:{back['tin']}", made.buyer)
    assert read_paper(sale["journal"]).kind == real.kind
    for operation in ("close", "advance"):
        desk.refused(operation, {"payments": {"cash": 1}}, desk.name_of(drawn.choice(made.members)))
    _refund_of_closing(desk, sale, total, lines)


def _refund_of_closing(
    desk: Desk, sale: Receipt, total: Decimal, lines: list[tuple[model.Good, Decimal, Decimal]]
) -> None:
    payments = {"card": total}
    refund, *copies = desk.get("refund", {"buyerId": BUYER, "payments": payments}, sale["id"])
    assert not copies
    desk.check(refund, "ПРОМЕТ РЕФУНДАЦИЈА", total, payments, refers_to=sale, lines=lines)
