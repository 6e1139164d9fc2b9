"""What buyers pay later, from the list of receipts: one entry for each receipt, with what refunds
gave back of it. Source: till.md ("Reports")."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from datetime import date
from decimal import Decimal
from itertools import groupby
from typing import Any

import apsw

from pos_app.adapters.sqlite.receipt_index.schema import LATER, METHODS, ROLES
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.reports import Receivable
from pos_app.fiscalization.found_by import number_of, shown_buyer
from pos_app.lazy_dataclass import dataclass

_PAID = (
    "SELECT chain, row, method, day, amount, role, head, counter, referent, buyer FROM paid_later"
    " WHERE day < ? AND method IN ({0}) ORDER BY chain, row"
)
_NAMES = "SELECT id, text FROM name WHERE sort IN ('head', 'buyer')"


@dataclass(slots=True)
class _Entry:
    """A receipt that was paid later; amounts in para. back: what refunds that refer to it gave
    back, which may be more than was paid later on it."""

    row: int
    day: int
    number: str
    buyer: int | None
    methods: list[int] = field(default_factory=list)
    paid: int = 0
    back: int = 0


def receivables_at(
    connection: apsw.Connection, methods: Collection[PaymentMethod], *, end: int
) -> tuple[Receivable, ...]:
    """Return the receipts before the day `end` that were paid by one of the methods, the oldest
    first. Refunds from that day on do not count yet."""
    asked = [index for index in LATER if METHODS[index] in methods]
    paid = connection.execute(_PAID.format(", ".join(map(str, asked))), (end,))
    names: dict[int, str] = dict(connection.execute(_NAMES))
    entries = list[_Entry]()
    for _, of_chain in groupby(paid, lambda row: row[0]):
        entries += _entries(list(of_chain), names)
    entries.sort(key=lambda entry: (entry.day, entry.row))
    return tuple(_receivable(entry, names) for entry in entries)


def _entries(rows: Sequence[Any], names: dict[int, str]) -> Iterable[_Entry]:
    """Return the entries of a chain. A refund takes off from the receipt that it refers to. What it
    gives back beyond that, as the refund of a closed advance may, takes off from the others of the
    chain, the oldest first; more than all of them was paid in another way, and nobody owes less by
    it."""
    entries = dict[str, _Entry]()
    targets = dict[str, str | None]()
    beyond = 0
    for _, row, method, day, amount, role, head, counter, referent, buyer in rows:
        number, of = number_of(names[head], counter), (referent or "").upper()
        match ROLES[role]:
            case "sale":
                entry = entries.setdefault(number.upper(), _Entry(row, day, number, buyer))
                entry.methods.append(method)
                entry.paid += amount
                continue
            case "refund":
                target, sign = of if of in entries else "", 1
                targets[number.upper()] = target
            case "reversal":
                target, sign = targets.get(of), -1
            case _:
                continue
        if target:
            entries[target].back += sign * amount
        elif target is not None:
            beyond += sign * amount
    for entry in entries.values():
        beyond += max(entry.back - entry.paid, 0)
        entry.back = min(entry.back, entry.paid)
    for entry in entries.values():
        taken = min(beyond, entry.paid - entry.back)
        entry.back += taken
        beyond -= taken
    return entries.values()


def _receivable(entry: _Entry, names: dict[int, str]) -> Receivable:
    return Receivable(
        number=entry.number,
        day=date.fromordinal(entry.day),
        methods=tuple(METHODS[index] for index in entry.methods),
        amount=Decimal(entry.paid).scaleb(-2),
        given_back=Decimal(entry.back).scaleb(-2),
        buyer=None if entry.buyer is None else shown_buyer(names[entry.buyer]),
        buyer_key=entry.buyer,
    )
