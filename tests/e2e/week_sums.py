"""The required content of a Z and the reports, added up from the processor's ledger and from the
notes of the people at the till; nothing of the product adds anything here.

Sources: till.md ("Shift", "Reports"), fiscal.md 2 and 6.13.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from typing import Any

from pos_app.pfr_emulator.ledger import LedgerEntry
from tests.e2e.day_of_a_shop import CORRECTIONS, EXCHANGES, REFUNDS, Kind
from tests.e2e.week_person import Noted, ShiftNotes
from tests.e2e.week_tills import BELGRADE

NORMAL, COPY, ADVANCE = 0, 2, 4
METHODS = {1: "cash", 2: "card"}
_PARA, _NOTHING = Decimal("0.01"), Decimal(0)
Sums = dict[str, Decimal]


@dataclass(frozen=True, slots=True)
class Signed:
    """A receipt of the ledger. paid: by method, as it was tendered."""

    number: str
    kind: int
    is_refund: bool
    total: Decimal
    at: datetime
    cashier: str
    referent: str
    paid: Mapping[str, Decimal]
    labels: Mapping[str, Decimal]
    taxes: Mapping[str, Decimal]

    @property
    def is_fiscal(self) -> bool:
        return self.kind in (NORMAL, ADVANCE)

    @property
    def sign(self) -> int:
        return -1 if self.is_refund else 1

    @property
    def net(self) -> Decimal:
        return self.sign * self.total


def signed(entry: LedgerEntry) -> Signed:
    asked, answer = _read(entry.request), _read(entry.answer)
    paid: Sums = defaultdict(Decimal)
    for one in asked["payment"]:
        paid[METHODS[one["paymentType"]]] += Decimal(one["amount"])
    labels: Sums = defaultdict(Decimal)
    for one in asked["items"]:
        (label,) = one["labels"]
        labels[label] += Decimal(one["totalAmount"])
    taxes: Sums = defaultdict(Decimal)
    for one in answer["taxItems"]:
        taxes[one["label"]] += Decimal(one["amount"]).quantize(_PARA, ROUND_HALF_UP)
    return Signed(
        entry.number,
        entry.invoice_type,
        bool(entry.transaction_type),
        entry.total,
        entry.signed_at.astimezone(BELGRADE),
        asked.get("cashier") or "",
        asked.get("referentDocumentNumber") or "",
        paid,
        labels,
        taxes,
    )


def _read(text: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(text, parse_float=Decimal, parse_int=Decimal)
    return told


class Ledger:
    def __init__(self, entries: Iterable[LedgerEntry]) -> None:
        self.all = [signed(one) for one in entries]
        self.by_number = {one.number: one for one in self.all}
        assert len(self.by_number) == len(self.all)

    def advance_of(self, one: Signed) -> Signed | None:
        """The refund of the advance that a sale closes."""
        of = self.by_number.get(one.referent)
        is_closing = of is not None and of.kind == ADVANCE and of.is_refund
        return of if is_closing and one.kind == NORMAL and not one.is_refund else None

    def is_to_be_signed(self, one: Signed) -> bool:
        """Tell whether it is the copy of a refund in cash, which the buyer signs."""
        of = self.by_number.get(one.referent)
        return one.kind == COPY and of is not None and of.is_refund and "cash" in of.paid

    def of(self, noted: Noted) -> list[Signed]:
        """The receipts of an act, with the refund of a closing."""
        found = [self.by_number[number] for number in noted.said.numbers]
        advances = [self.advance_of(one) for one in found]
        return found + [one for one in advances if one is not None]

    def kept(self, one: Signed) -> Sums:
        """The money in by method, less change; a closing has the earlier payment as "advance"."""
        advance = self.advance_of(one)
        before = advance.total if advance is not None else _NOTHING
        sums: Sums = defaultdict(Decimal, one.paid)
        change = sum(one.paid.values(), _NOTHING) + before - one.total
        assert change >= 0
        sums["cash"] -= change
        if before:
            sums["advance"] = before
        return {method: one.sign * amount for method, amount in sums.items() if amount}


def _added(parts: Iterable[Mapping[Any, Decimal]]) -> dict[Any, Decimal]:
    sums: dict[Any, Decimal] = defaultdict(Decimal)
    for part in parts:
        for name, amount in part.items():
            sums[name] += amount
    return {name: amount for name, amount in sums.items() if amount}


def _signed_sums(parts: Iterable[tuple[Signed, Mapping[str, Decimal]]]) -> Sums:
    return _added({name: one.sign * each for name, each in part.items()} for one, part in parts)


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    return sum(amounts, _NOTHING)


def z_of(notes: ShiftNotes, ledger: Ledger) -> dict[str, Any]:
    acts = [one for one in notes.acts if one not in notes.waits]
    fiscal = [(one, [each for each in ledger.of(one) if each.is_fiscal]) for one in acts]
    own = [each for _, receipts in fiscal for each in receipts]
    methods = _added(ledger.kept(one) for one in own)
    closed = [one for one in map(ledger.advance_of, own) if one is not None]
    methods_moved = _added([methods, {"advance": -_sum(one.total for one in closed)}])
    # The refund of a closing gives nothing back, and its sale was paid with it.
    methods_moved = _added(
        [methods_moved, *({m: -a for m, a in ledger.kept(one).items()} for one in closed)]
    )
    return {
        "turnover": _sum(one.net for one in own),
        "receipts": len(own),
        "methods": methods_moved,
        "cashiers": _added({one.by: each.net} for one, receipts in fiscal for each in receipts),
        "labels": _signed_sums((one, one.labels) for one in own),
        "taxes": _signed_sums((one, one.taxes) for one in own),
        "refunds": _done(fiscal, (*REFUNDS, *EXCHANGES), is_refund=True),
        "corrections": _done(fiscal, CORRECTIONS, is_refund=False),
        "closed_advances": (len(closed), -_sum(one.total for one in closed)),
        "unsigned": (len(notes.waits), _sum(one.said.sold for one in notes.waits)),
        "signed_later": (len(notes.earlier), _sum(one.said.sold for one in notes.earlier)),
        "others": (len(notes.others), _sum(amount for _, amount in notes.others)),
        "discounts": (len(notes.discounts), _sum(notes.discounts)),
        "dropped": (len(notes.dropped), _sum(notes.dropped)),
        "float": notes.cash_float,
        "in": _sum(amount for kind, amount in notes.moves if kind == "in"),
        "from_safe": _sum(amount for kind, amount in notes.moves if kind == "change"),
        "out": -_sum(amount for kind, amount in notes.moves if kind == "out"),
        "to_safe": -_sum(amount for kind, amount in notes.moves if kind == "drop"),
        "expected": notes.expected,
        "counted": notes.counted,
        "card": (notes.of_method("card"), notes.slip),
        "stays": notes.stays,
        "taken": notes.counted - notes.stays,
        "opened_by": notes.opened_by,
        "closed_by": notes.closed_by,
    }


def _done(
    fiscal: Sequence[tuple[Noted, Sequence[Signed]]], kinds: Iterable[Kind], *, is_refund: bool
) -> tuple[int, Decimal]:
    """The number and sum of the refunds, or of the other receipts, of acts of these kinds."""
    acts = [receipts for one, receipts in fiscal if one.said.act.kind in kinds]
    found = [each.net for receipts in acts for each in receipts if each.is_refund is is_refund]
    return len(found), _sum(found)


def told_z(text: str) -> dict[str, Any]:
    z = _read(text)
    takings, acts, drawer, server = z["takings"], z["acts"], z["drawer"], z["server"]
    parts = {one["part"]: one["amount"] for one in drawer["parts"]}
    found = {one["method"]: one for one in drawer["differences"]}
    card = found.get("card")

    def pair(of: Mapping[str, Any]) -> tuple[int, Decimal]:
        return int(of["many"]), of["amount"]

    def by_name(rows: Iterable[Mapping[str, Any]]) -> Sums:
        return {one["name"]: one["amount"] for one in rows if one["amount"]}

    return {
        "turnover": takings["turnover"],
        "receipts": int(takings["receipts"]),
        "methods": by_name(takings["methods"]),
        "cashiers": by_name(takings["cashiers"]),
        "labels": {one["label"]: one["total"] for one in server["labels"] if one["total"]},
        "taxes": {one["label"]: one["tax"] for one in server["labels"] if one["tax"]},
        "refunds": pair(takings["refunds"]),
        "corrections": pair(takings["corrections"]),
        "closed_advances": pair(server["closedAdvances"]),
        "unsigned": pair(takings["unsigned"]),
        "signed_later": pair(takings["signedLater"]),
        "others": (
            int(_sum(one["many"] for one in server["others"])),
            _sum(one["amount"] for one in server["others"]),
        ),
        "discounts": (int(acts["discounts"]), acts["discountsTotal"]),
        "dropped": (int(acts["dropped"]), acts["droppedTotal"]),
        **{one: parts.get(one, _NOTHING) for one in ("float", "in", "from_safe", "out", "to_safe")},
        "expected": drawer["expected"],
        "counted": drawer["counted"],
        "card": (card["expected"], card["counted"]) if card else (_NOTHING, _NOTHING),
        "stays": drawer["stays"],
        "taken": drawer["taken"],
        "opened_by": z["openedBy"],
        "closed_by": z["toldBy"],
    }


def differences(name: str, must: Mapping[Any, Any], told: Mapping[Any, Any]) -> list[str]:
    return [
        f"{name}: {line} is {told.get(line)}, and must be {amount}"
        for line, amount in must.items()
        if told.get(line) != amount
    ]


def hours_differ(notes: ShiftNotes, ledger: Ledger, text: str) -> list[str]:
    """The hours' turnover differs; a sale at the end of an hour may be counted in either."""
    told = {int(one["hour"]): one["amount"] for one in _read(text)["takings"]["hours"]}
    told = {hour: amount for hour, amount in told.items() if amount}
    sure: list[dict[int, Decimal]] = []
    unsure: list[tuple[int, int, Decimal]] = []
    for one in notes.acts:
        if one in notes.waits:
            continue
        amount = _sum(each.net for each in ledger.of(one) if each.is_fiscal)
        first, last = one.since.hour, one.until.hour
        if first == last:
            sure.append({first: amount})
        elif amount:
            unsure.append((first, last, amount))
    for choice in product((0, 1), repeat=len(unsure)):
        tried = [{one[at]: one[2]} for one, at in zip(unsure, choice, strict=True)]
        if _added([*sure, *tried]) == told:
            return []
    return [f"shift {notes.number}: hours are {told}, and must be {_added(sure)} with {unsure}"]
