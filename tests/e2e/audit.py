"""Compares the till's frozen sales with the processor's ledger: key, RequestId and content."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import apsw

from pos_app.fiscalization.outcomes.pfr_request_id import pfr_request_id
from pos_app.fiscalization.service import body_hash
from pos_app.pfr_emulator.ledger import LedgerEntry, read_entries
from pos_app.wire.strict_json import canonical, loads
from tests.e2e.shop import Shop
from tests.proofs import Proof

Line = tuple[str, Decimal, Decimal]
"""Name as printed, quantity, total."""


@dataclass(frozen=True, slots=True)
class Frozen:
    """A confirmed sale as `till.db` holds it, and the RequestId that it must have."""

    key: str
    state: str
    total: Decimal
    number: str | None
    reason: str | None
    body: Any
    request_id: str

    @property
    def lines(self) -> list[Line]:
        return [_line(item) for item in self.body["items"]]


def frozen_sales(data: Path) -> list[Frozen]:
    """Every confirmed sale of a data folder, in its order; the till may run meanwhile."""
    path = data / "till" / "till.db"
    if not path.exists():
        return []
    till_id = json.loads((data / "install.json").read_text())["till_id"]
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(5000)
    try:
        rows = connection.execute(
            "SELECT key, state, total, fiscal_number, reason_code, body FROM sales"
            " ORDER BY sequence"
        ).fetchall()
    except apsw.SQLError:  # killed before its tables were made
        rows = []
    finally:
        connection.close()
    origin = f"till:{till_id}"
    return [_frozen(origin, row) for row in rows]


def _frozen(origin: str, row: Sequence[Any]) -> Frozen:
    key, state, total, number, why, body = row
    read = loads(body)
    digest = body_hash(canonical(read))
    request_id = pfr_request_id(origin=origin, key=key, child=0, body_hash=digest)
    return Frozen(key, state, Decimal(total) / 100, number, why, read, request_id)


def _line(item: Any) -> Line:
    article = item["article"]
    unit = article.get("unit")
    name = f"{article['name']}/{unit}" if unit else article["name"]
    return name, Decimal(str(item["quantity"])), Decimal(str(item["totalAmount"]))


def ledger(shop: Shop) -> list[LedgerEntry]:
    return read_entries(shop.ledger_folder)


def faults(shop: Shop, *, keys: Collection[str] = ()) -> list[str]:
    """Sales that are lost, doubled, or signed otherwise; without `keys` also stray receipts."""
    sales, entries = frozen_sales(shop.data), ledger(shop)
    looked_at = [sale for sale in sales if not keys or sale.key in keys]
    found = [fault for sale in looked_at for fault in _faults_of(sale, entries)]
    known = {sale.request_id for sale in sales}
    stray = [entry.number for entry in entries if entry.request_id not in known]
    if stray and not keys:
        found.append(f"signed, and of no sale: {stray}")
    return found


def _faults_of(sale: Frozen, entries: Sequence[LedgerEntry]) -> list[str]:
    own = [entry for entry in entries if entry.request_id == sale.request_id]
    if len(own) != 1:
        return [f"{sale.key} is signed {len(own)} times; {sale.state} ({sale.reason})"]
    entry = own[0]
    signed = [
        (item["name"], Decimal(str(item["quantity"])), Decimal(str(item["totalAmount"])))
        for item in json.loads(entry.request)["items"]
    ]
    found = []
    if entry.total != sale.total:
        found.append(f"{sale.key}: {sale.total} was frozen, {entry.total} signed")
    if Counter(signed) != Counter(sale.lines):
        found.append(f"{sale.key}: other items were signed than frozen")
    if (sale.state, sale.number) != ("done", entry.number):
        found.append(f"{sale.key}: the till says {sale.state} {sale.number}, not {entry.number}")
    return found


def count(shop: Shop, proof: Proof) -> int:
    """Count lost and doubled receipts by till and ledger; returns the number of sales."""
    sales = frozen_sales(shop.data)
    signed = Counter(entry.request_id for entry in ledger(shop))
    for sale in sales:
        proof.lost += not signed[sale.request_id]
        proof.doubled += max(0, signed[sale.request_id] - 1)
    return len(sales)


def url_of(entry: LedgerEntry) -> str:
    url: str = json.loads(entry.answer)["verificationUrl"]
    return url
