"""One server for many requests that it must refuse, with receipts of each kind in its journal."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw
import httpx

from pos_app.pfr_emulator.ledger import LEDGER_FILE, LedgerEntry
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.wires import WITHIN, Running, running

RECEIPTS = "/fiscalization/receipts"
DELIVERED = {"receiptDelivery": {"pdf": False}}
BUYER = {"buyerId": "10:123456788"}
CARD = {"buyerCostCenterId": "50:картица 1"}
"""A corporate card: the buyer is named, and the voucher pays."""
FOREIGN = {
    "referentDocumentNumber": "XYZW1234-XYZW1234-80",
    "referentDocumentDT": "2026-03-01T10:00:00+01:00",
}
BREAD: dict[str, Any] = {"sku": 1, "quantity": 3, "unitPrice": 58.99}
COFFEE: dict[str, Any] = {"sku": 2, "quantity": 1, "unitPrice": 100}
GIFT: dict[str, Any] = {
    "quantity": 3,
    "unitPrice": 100,
    "article": {"name": "00: Поклон", "taxRateLabel": "Е"},
}
"""A gift: "other" pays it."""


@dataclass
class Wronged:
    server: Running
    client: httpx.Client
    receipts: dict[str, dict[str, Any]] = field(default_factory=dict)
    seen: tuple[int, int] = (0, 0)
    """The numbers of receipts and requests at the last look."""
    files: list[apsw.Connection] = field(default_factory=list)
    """Its journal and the processor's ledger, opened for reading only."""
    versions: list[Any] = field(default_factory=list)
    """The versions of these files at the last look."""

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self.client.request(method, path, **options)

    def send(self, operation: str, body: Any, *, on: str = "", **options: Any) -> httpx.Response:
        """Send one of the five operations. on: the receipt's name here, or its id or number."""
        named = self.receipts[on]["invoiceNumber"] if on in self.receipts else on
        path = RECEIPTS if operation == "issue" else f"{RECEIPTS}/{quote(named)}/{operation}"
        return self.ask("POST", path, json=body, **options)

    def entries(self) -> list[LedgerEntry]:
        return self.server.shop.ledger()

    def kept(self) -> tuple[int, int]:
        """Return how many receipts the processor signed, and how many requests the journal
        holds."""
        rows = self.ask("GET", "/health").json()["journal"]["rows"]
        return len(self.entries()), rows

    def is_untouched(self) -> bool:
        """Tell whether nothing was written since the last call, or since the server was filled.

        Most refusals write nothing at all, so that there is nothing to count.
        """
        written, self.versions = self.versions, [one.pragma("data_version") for one in self.files]
        if self.versions == written:
            return True
        before, self.seen = self.seen, self.kept()
        return self.seen == before


@contextlib.contextmanager
def wronged(folder: Path) -> Iterator[Wronged]:
    ready: Future[Running] = Future()
    stop = asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        async with running(folder) as server:
            ready.set_result(server)
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), name="the server")
    thread.start()
    try:
        server = ready.result(WITHIN)
        with httpx.Client(
            base_url=server.url, trust_env=False, verify=NO_TLS, timeout=30.0
        ) as client:
            place = server.shop.folder
            with (
                _read(place / "journal" / "journal.db") as journal,
                _read(place / "processor" / LEDGER_FILE) as ledger,
            ):
                yield Wronged(server, client, files=[journal, ledger])
    finally:
        loops[0].call_soon_threadsafe(stop.set)
        thread.join(WITHIN)


def _read(path: Path) -> contextlib.closing[apsw.Connection]:
    return contextlib.closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY))


def fill(shop: Wronged) -> None:
    def done(operation: str, body: dict[str, Any], on: str = "") -> Any:
        answer = shop.send(operation, DELIVERED | body, on=on)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def issued(invoice_type: str, paid: dict[str, Any], *items: Any, **more: Any) -> Any:
        kind = {"invoiceType": invoice_type, "transactionType": "sale"}
        return done("issue", {**kind, "payments": paid, "items": list(items), **more})

    kept = shop.receipts
    whole = {"card": 276.97}
    for name in ("sale", "returned"):
        kept[name] = issued("normal", whole, BREAD, COFFEE)
    kept["copy"] = done("copy", {}, "sale")
    _, kept["copy_of_refund"] = done("refund", BUYER | {"payments": {"cash": 276.97}}, "returned")
    kept["training"] = issued("training", whole, BREAD, COFFEE)
    ten = BREAD | {"quantity": 10}
    for name in ("advance", "closed", "given_back"):
        kept[name] = issued("advance", {"cash": 100}, ten)
    kept["unknown_two_labels"] = issued(
        "advance",
        {"cash": 100},
        BREAD,
        COFFEE,
        unknownAmountAdvance=True,
        advanceSpecification={"Е": 60, "Ђ": 40},
    )
    kept["closed_refund"], _ = done("close", {"payments": {"card": 489.9}}, "closed")
    done("refund", BUYER | {"payments": {"card": 100}}, "given_back")
    kept["on_card"] = issued("normal", {"voucher": 276.97}, BREAD, COFFEE, **BUYER | CARD)
    kept["gift_in_advance"] = issued("advance", {"card": 60}, GIFT, COFFEE)
    kept["gift_paid_in_advance"] = issued("advance", {"other": 300, "card": 60}, GIFT, COFFEE)
    kept["foreign_refund"] = issued(
        "advance", {"card": 60}, BREAD, transactionType="refund", **BUYER, **FOREIGN
    )
    shop.seen = shop.kept()


def error_of(answer: httpx.Response) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(answer.content)
    assert set(body) >= {"code", "errorCode", "name", "class", "message", "validation"}, body
    assert body["code"] == body["errorCode"]
    return body
