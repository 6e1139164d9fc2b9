"""What buyers pay later, from the list of receipts: one entry for each receipt, with what refunds
gave back of it. Source: till.md ("Reports")."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from decimal import Decimal
from itertools import groupby
from typing import Any

import apsw

from pos_app.adapters.sqlite.receipt_index.schema import LATER, METHODS, ROLES
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receivables import PaidLater, owed_in_chain
from pos_app.domain.receipt.reports import Receivable
from pos_app.fiscalization.found_by import number_of, shown_buyer

_PAID = (
    "SELECT chain, row, method, day, amount, role, head, counter, referent, buyer FROM paid_later"
    " WHERE day < ? AND method IN ({0}) ORDER BY chain, row"
)
_NAMES = "SELECT id, text FROM name WHERE sort IN ('head', 'buyer')"


def receivables_at(
    connection: apsw.Connection, methods: Collection[PaymentMethod], *, end: int
) -> tuple[Receivable, ...]:
    """Return the receipts before the day `end` that were paid by one of the methods, the oldest
    first. Refunds from that day on do not count yet."""
    asked = [index for index in LATER if METHODS[index] in methods]
    paid = connection.execute(_PAID.format(", ".join(map(str, asked))), (end,))
    names: dict[int, str] = dict(connection.execute(_NAMES))
    found = list[tuple[int, Receivable]]()
    for _, of_chain in groupby(paid, lambda row: row[0]):
        found += _of_chain(of_chain, names)
    found.sort(key=lambda placed: (placed[1].day, placed[0]))
    return tuple(receivable for _, receivable in found)


def _of_chain(rows: Any, names: dict[int, str]) -> Iterator[tuple[int, Receivable]]:
    """Return the receivables of a chain, each with its place in the history."""
    paid_later = list[PaidLater]()
    about = dict[str, tuple[Any, ...]]()
    methods = dict[str, list[PaymentMethod]]()
    for _, row, method, day, amount, role, head, counter, referent, buyer in rows:
        number = number_of(names[head], counter)
        key = number.upper()
        paid_later.append(PaidLater(key, ROLES[role], amount, (referent or "").upper()))
        about.setdefault(key, (row, number, day, buyer))
        methods.setdefault(key, []).append(METHODS[method])
    for key, owed in owed_in_chain(paid_later).items():
        row, number, day, buyer = about[key]
        yield (
            row,
            Receivable(
                number=number,
                day=date.fromordinal(day),
                methods=tuple(methods[key]),
                amount=Decimal(owed.paid).scaleb(-2),
                given_back=Decimal(owed.given_back).scaleb(-2),
                buyer=None if buyer is None else shown_buyer(names[buyer]),
                buyer_key=buyer,
            ),
        )
