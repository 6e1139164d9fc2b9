"""Asks the server, and holds each answer against what the model expects."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from pos_app.wire.strict_json import dumps
from tests.integration.legal_life import model
from tests.integration.legal_life.open_chains import check_open_advances
from tests.integration.legal_life.paper import Line, Paper, read_paper
from tests.integration.local_api.wronged import RECEIPTS, Wronged

BUYER = "10:123456788"
LOOKED_AFTER = 5
"""After so many answers the open advances are checked, in the middle of chains too."""
Receipt = dict[str, Any]
Lines = Iterable[tuple[model.Good, Decimal, Decimal]]
"""Goods, each with quantity and total as the receipt has them."""


@dataclass
class Desk:
    """One caller. signed: the receipts that the ledger must hold in the end; done: how often each
    operation was done."""

    shop: Wronged
    drawn: random.Random
    signed: list[tuple[str | None, str]] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)

    def ask(self, what: str, body: Mapping[str, Any], on: str = "") -> tuple[int, Any]:
        """Return status and document. on: the id or number of the receipt that it acts on."""
        path = f"{RECEIPTS}/{on}/{what}" if on else RECEIPTS
        sent = dumps({"receiptDelivery": {"pdf": False}, **body})
        headers = {"Content-Type": "application/json"}
        answer = self.shop.ask("POST", path, content=sent, headers=headers)
        return answer.status_code, json.loads(answer.content, parse_float=Decimal)

    def get(self, what: str, body: Mapping[str, Any], on: str = "") -> Any:
        """Return the document of a request that must succeed."""
        status, told = self.ask(what, body, on)
        assert status == 200, (what, told, body)
        self.done[what] += 1
        if self.done.total() % LOOKED_AFTER == 0:
            check_open_advances(self.shop)
        return told

    def refused(self, what: str, body: Mapping[str, Any], on: str = "") -> None:
        """It must be refused for good; the ledger shows whether anything was signed."""
        status, told = self.ask(what, body, on)
        assert (status, told.get("class")) == (400, "fix"), (what, told, body)
        self.done[f"{what} refused"] += 1

    def name_of(self, receipt: Receipt) -> str:
        return str(self.drawn.choice([receipt["invoiceNumber"], receipt["id"]]))

    def check(
        self,
        receipt: Receipt,
        kind: str,
        total: Decimal,
        payments: model.Amounts,
        *,
        refers_to: Receipt | tuple[str, str] | None = None,
        lines: Lines = (),
        by_label: model.Amounts | None = None,
    ) -> Paper:
        paper = read_paper(receipt["journal"])
        self.signed.append((receipt["invoiceNumber"], kind))
        assert paper.kind == kind
        assert receipt["totalAmount"] == paper.total == total
        given = {method: amount for method, amount in payments.items() if amount}
        assert paper.payments == (given or {"cash": model.ZERO})
        assert paper.reference == _reference(refers_to)
        expected = _advance_lines(by_label) if by_label is not None else list(_lines(lines))
        printed = [(one.name, one.label, one.quantity, abs(one.total)) for one in paper.lines]
        assert printed == expected
        is_refund = kind.endswith("РЕФУНДАЦИЈА")
        assert all(one.total <= 0 if is_refund else one.total >= 0 for one in paper.lines)
        _check_tax(receipt, paper.lines)
        return paper

    def copy(self, receipt: Receipt) -> Receipt:
        """Copy a receipt: the copy says the same, and is neither copied nor refunded."""
        paper = read_paper(receipt["journal"])
        copied: Receipt = self.get("copy", {}, self.name_of(receipt))
        again = read_paper(copied["journal"])
        assert again.kind == f"КОПИЈА {paper.kind.split()[1]}"
        assert (again.lines, again.total) == (paper.lines, paper.total)
        assert (again.payments, again.buyer) == (paper.payments, paper.buyer)
        assert again.reference == _reference(receipt)
        self.signed.append((copied["invoiceNumber"], again.kind))
        self.refused("copy", {}, copied["invoiceNumber"])
        self.refused("refund", {"buyerId": BUYER, "payments": {"card": 1}}, self.name_of(copied))
        return copied


def _reference(receipt: Receipt | tuple[str, str] | None) -> tuple[str, str] | None:
    """Return number and time, as the journal of a receipt that refers to it prints them."""
    if receipt is None or isinstance(receipt, tuple):
        return receipt
    return receipt["invoiceNumber"], read_paper(receipt["journal"]).time


def _lines(lines: Lines) -> Iterable[tuple[str, str, Decimal, Decimal]]:
    for good, quantity, total in lines:
        yield f"{good.name}/kg", good.label, quantity, total


def _advance_lines(by_label: model.Amounts) -> list[tuple[str, str, Decimal, Decimal]]:
    shares = [(label, amount) for label, amount in by_label.items() if amount]
    return [(model.ADVANCE_NAMES[label], label, Decimal(1), amount) for label, amount in shares]


def _check_tax(receipt: Receipt, lines: Sequence[Line]) -> None:
    """The tax is the one inside the gross amount, by label, to 4 decimals."""
    gross: dict[str, Decimal] = {}
    for line in lines:
        gross[line.label] = gross.get(line.label, model.ZERO) + abs(line.total)
    unit = Decimal("0.0001")
    told = {item["label"]: item["amount"] for item in receipt["taxItems"]}
    assert told == {
        label: model.half_up(amount * model.RATES[label] / (100 + model.RATES[label]), unit)
        for label, amount in gross.items()
    }
