"""Chains of receipts at random, with what must be refused on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.integration.legal_life import model
from tests.integration.legal_life.desk import BUYER, Desk, Receipt, read_paper

KINDS = {"normal": "ПРОМЕТ", "proforma": "ПРЕДРАЧУН", "training": "ОБУКА"}
DISCOUNTS = ["5", "10", "20", "50", "100", "12.5", "33.33", "0.0001", "99.9999"]
"""Whole percents too: 20 arrives as another type of number than 12.5."""
Taken = list[tuple[model.Good, Decimal]]
"""Lines, each with the quantity that is given back."""


def sold(desk: Desk, kind: str = "normal", *, after: Receipt | None = None) -> Receipt:
    """Issue one, refuse what is wrong with it, and give parts of it back."""
    drawn = desk.drawn
    lines = model.goods(drawn, drawn.randint(1, 5))
    discount = Decimal(drawn.choice(DISCOUNTS)) if drawn.random() < 0.5 else None
    for line in lines:
        if drawn.random() < 0.2:
            line.stated = model.half_up(line.price * line.quantity * drawn.randint(1, 99) / 100)
        line.priced(discount)
    total = sum((line.total for line in lines), model.ZERO)
    payments = model.paid(drawn, total, change=True)
    body: dict[str, Any] = {
        "invoiceType": kind,
        "transactionType": "sale",
        "items": [line.asked() for line in lines],
        "payments": payments or {"cash": 0},
    }
    if discount is not None:
        body["discount"] = discount
    if drawn.random() < 0.5:
        body["totalAmount"] = total
    if after is not None:
        body["referentDocumentNumber"] = after["invoiceNumber"]
    if drawn.random() < 0.2:
        _refusals(desk, body, total)
    receipt: Receipt = desk.get("issue", body)
    whole = [(line, line.quantity, line.total) for line in lines]
    paper = desk.check(
        receipt, f"{KINDS[kind]} ПРОДАЈА", total, payments, refers_to=after, lines=whole
    )
    assert [one.price for one in paper.lines] == [line.printed_price for line in lines]
    _live(desk, kind, receipt, lines)
    return receipt


def _refusals(desk: Desk, body: dict[str, Any], total: Decimal) -> None:
    desk.refused("issue", body | {"payments": {"card": total + model.PARA}})
    desk.refused("issue", body | {"totalAmount": total + model.PARA})
    if total:
        desk.refused("issue", body | {"payments": {"cash": total - model.PARA}})


def _live(desk: Desk, kind: str, sale: Receipt, lines: list[model.Good]) -> None:
    if desk.drawn.random() < 0.3:
        desk.copy(sale)
    for operation in ("advance", "close"):
        if desk.drawn.random() < 0.1:
            desk.refused(operation, {"payments": {"cash": 1}}, desk.name_of(sale))
    for _ in range(desk.drawn.randint(0, 4)):
        if not any(line.quantity_left for line in lines):
            desk.refused("refund", {"buyerId": BUYER, "payments": {}}, desk.name_of(sale))
            return
        _refund(desk, kind, sale, lines)


def _refund(desk: Desk, kind: str, sale: Receipt, lines: list[model.Good]) -> None:
    drawn = desk.drawn
    items, taken = _drawn_items(desk, lines)
    parts = [(line, quantity, line.worth(quantity)) for line, quantity in taken]
    total = sum((worth for _, _, worth in parts), model.ZERO)
    payments = model.paid(drawn, total)
    body: dict[str, Any] = {"buyerId": BUYER, "payments": payments}
    if items:
        body["items"] = items
        beyond = {"quantity": sum((line.quantity_left for line in lines), model.PARA / 10)}
        desk.refused("refund", body | {"items": [items[0] | beyond]}, desk.name_of(sale))
    if drawn.random() < 0.2:
        desk.refused(
            "refund", body | {"payments": {"cash": total + model.PARA}}, desk.name_of(sale)
        )
    by_hand = kind == "normal" and bool(items) and next(iter(items[0])) == "sku"
    if by_hand:
        refund, copy = _by_hand(desk, sale, items, payments), None
    else:
        refund, *rest = desk.get("refund", body, desk.name_of(sale))
        copy = rest[0] if rest else None
    for line, quantity, worth in parts:
        line.quantity_left, line.left_total = line.quantity_left - quantity, line.left_total - worth
    word = KINDS[kind]
    desk.check(refund, f"{word} РЕФУНДАЦИЈА", total, payments, refers_to=sale, lines=parts)
    signs = kind == "normal" and bool(payments.get("cash"))
    if copy is not None:
        assert signs
        copied = "КОПИЈА РЕФУНДАЦИЈА"
        desk.check(copy, copied, total, payments, refers_to=refund, lines=parts)
    elif signs:  # the answer of an issued refund has no copy
        assert by_hand
        desk.signed.append((None, "КОПИЈА РЕФУНДАЦИЈА"))
    if drawn.random() < 0.1:
        desk.copy(refund)
    if drawn.random() < 0.1:
        desk.refused("refund", body, desk.name_of(refund))


def _by_hand(
    desk: Desk, sale: Receipt, items: list[dict[str, Any]], payments: dict[str, Decimal]
) -> Receipt:
    """Refund by the issue operation, which takes names and prices from the refunded receipt."""
    names = [item | {"unitPrice": 1} for item in items]
    body = {
        "invoiceType": "normal",
        "transactionType": "refund",
        "referentDocumentNumber": sale["invoiceNumber"],
        "buyerId": BUYER,
        "items": names,
        "payments": payments or {"cash": Decimal(0)},
    }
    refund: Receipt = desk.get("issue", body)
    return refund


def _drawn_items(desk: Desk, lines: list[model.Good]) -> tuple[list[dict[str, Any]], Taken]:
    """Draw one item by line, one by article, or no item, which gives back all that is left."""
    drawn = desk.drawn
    place = drawn.choice([place for place, line in enumerate(lines) if line.quantity_left])
    line = lines[place]
    how = drawn.choice(["line", "article", "both", "all"])
    if how == "all":
        return [], [(one, one.quantity_left) for one in lines if one.quantity_left]
    same = [line]
    item: dict[str, Any] = {"line": place}
    if line.sku is not None and how == "both":
        item["sku"] = line.sku
    elif line.sku is not None and how == "article":
        same = [one for one in lines if one.sku == line.sku and one.quantity_left]
        item = {"sku": line.sku}
    most = sum((one.quantity_left for one in same), model.ZERO)
    wanted = most if drawn.random() < 0.3 else model.cents(drawn, int(most * 1000)) / 10
    taken: Taken = []
    left = wanted
    for one in same:
        if part := min(left, one.quantity_left):
            taken.append((one, part))
            left -= part
    return [item | {"quantity": wanted}], taken


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
    """Split a payment by label; also the member that states the shares, where it must."""
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


NUMBER = "XYZW1234-XYZW1234-80"
TIME, TOLD = "2026-03-01T09:05:07+01:00", "01.03.2026. 9:05:07"
TOO_LATE, TOO_EARLY = "2999-01-01T10:00:00", "2021-10-31T23:59:59"


def refunded_by_hand(desk: Desk) -> None:
    drawn = desk.drawn
    kind = drawn.choice(["normal", "training", "advance"])
    lines = model.goods(drawn, drawn.randint(1, 3))
    discount = Decimal(drawn.choice(DISCOUNTS)) if drawn.random() < 0.5 else None
    for line in lines[1:] if kind == "advance" else ():
        line.label = lines[0].label
    for line in lines:
        line.priced(discount)
    total = sum((line.total for line in lines), model.ZERO)
    if kind == "advance":
        if total < 1:
            return
        total = model.cents(drawn, int(total * 100))
    payments = model.paid(drawn, total)
    body: dict[str, Any] = {
        "invoiceType": kind,
        "transactionType": "refund",
        "buyerId": BUYER,
        "referentDocumentNumber": NUMBER,
        "referentDocumentDT": TIME,
        "items": [line.asked() for line in lines],
        "payments": payments or {"cash": 0},
        **({"discount": discount} if discount else {}),
    }
    for time in (TOO_LATE, TOO_EARLY):
        desk.refused("issue", body | {"referentDocumentDT": time})
    if kind != "advance":
        desk.refused("issue", body | {"payments": {"cash": total + model.PARA}})
    refund: Receipt = desk.get("issue", body)
    _check(desk, kind, refund, lines, total, payments)
    if kind != "training" and payments.get("cash"):
        desk.signed.append((None, "КОПИЈА РЕФУНДАЦИЈА"))
    desk.copy(refund)
    for operation in ("advance", "close", "refund"):
        asked = {"buyerId": BUYER, "payments": {"cash": 1}}
        desk.refused(operation, asked, desk.name_of(refund))


def _check(
    desk: Desk,
    kind: str,
    refund: Receipt,
    lines: list[model.Good],
    total: Decimal,
    payments: model.Amounts,
) -> None:
    named = (NUMBER, TOLD)
    if kind == "advance":
        shares = {lines[0].label: total}
        desk.check(refund, REFUND, total, payments, refers_to=named, by_label=shares)
        return
    given = [(line, line.quantity, line.total) for line in lines]
    kind_told = f"{KINDS[kind]} РЕФУНДАЦИЈА"
    desk.check(refund, kind_told, total, payments, refers_to=named, lines=given)
