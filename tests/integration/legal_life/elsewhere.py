"""A refund of a receipt that another system issued: only the caller's words about it are known."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.integration.legal_life import model
from tests.integration.legal_life.advances import REFUND
from tests.integration.legal_life.desk import BUYER, Desk, Receipt
from tests.integration.legal_life.sales import DISCOUNTS, KINDS

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
