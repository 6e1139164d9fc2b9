"""A sale, a proforma or a training with its copies and refunds, at random."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.integration.legal_life import model
from tests.integration.legal_life.desk import BUYER, Desk, Receipt

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
