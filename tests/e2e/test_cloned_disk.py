"""A disk was cloned and both machines run: one installation exists twice, at one processor.

Each server asks the processor before it sends a request that may be signed already, so that a sale
is signed twice only when both send it at the same moment. The one whose receipt came first then
finds the other's under its own RequestId, which proves a copy, and sends only new requests from
then on. Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e.shop import Program, Shop, opened
from tests.fakes.no_tls import NO_TLS
from tests.ports import free_ports
from tests.proofs import Proof

WAITING = 2
SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 100},
    "items": [{"sku": 1, "quantity": 1, "unitPrice": 100}],
    "receiptDelivery": {"pdf": False},
}


@contextmanager
def cloned(shop: Shop) -> Iterator[Shop]:
    """The same installation, on a machine that only has another port."""
    (port,) = free_ports(1)
    folder = shop.folder / "clone"
    shutil.copytree(shop.data, folder / "data")
    clone = Shop(folder, port, shop.processor_port, shop.control_port, nursery=shop.nursery)
    (clone.data / "settings.toml").write_text(f"[server]\nport = {port}\n", encoding="utf-8")
    try:
        yield clone
    finally:
        clone.close()


def waits_with_sales(shop: Shop) -> None:
    """One sale was signed, so that the lane is known; then the processor was away."""
    processor, server = shop.processor(), shop.server()
    assert shop.robot(total=1).wait() == 0
    processor.stop()
    till = shop.robot(total=1 + WAITING)
    till.until(lambda: len(till.lines("key")) >= WAITING)
    till.kill()
    server.stop()


def has_tried_all(till: Program) -> bool:
    """Tell whether each of its sales is done, or waits for a person."""
    ended = {line[1] for one in ("done", "doubt", "refused") for line in till.lines(one)}
    keys = {line[1] for line in till.lines("key")}
    return len(keys) >= WAITING and keys <= ended


def signed_since(shop: Shop, before: int) -> Counter[str]:
    """The number of signatures for each RequestId."""
    return Counter(str(entry.request_id) for entry in read_entries(shop.ledger_folder)[before:])


@pytest.mark.long
@pytest.mark.faults
@pytest.mark.deadline(3600)
def test_sales_that_wait_on_both(
    tmp_path: Path, catalogue: Path, nursery: Path, times: int, proof: Proof
) -> None:
    """No sale is lost. The first is signed twice where both send it at the same moment, and then no
    other one is: before servers asked, all waiting sales were."""
    for turn in range(1 if times <= 50 else times // 20):
        with opened(tmp_path / f"turn{turn}", catalogue, nursery) as shop:
            waits_with_sales(shop)
            with cloned(shop) as clone:
                shop.processor()
                before = len(read_entries(shop.ledger_folder))
                for one in (shop, clone):
                    one.server()
                tills = [one.robot(total=1 + WAITING) for one in (shop, clone)]
                for till in tills:
                    till.until(partial(has_tried_all, till))
                signed = signed_since(shop, before)
        proof.tried += WAITING
        proof.lost += WAITING - len(signed)
        assert len(signed) == WAITING
        assert sum(signed.values()) <= WAITING + 1


def ask(shop: Shop, method: str, path: str, **more: Any) -> httpx.Response:
    with httpx.Client(base_url=shop.url, trust_env=False, verify=NO_TLS, timeout=30) as client:
        return client.request(method, path, **more)


def sold(key: str, shop: Shop) -> httpx.Response:
    headers = {"Idempotency-Key": key}
    return ask(shop, "POST", "/fiscalization/receipts", json=SALE, headers=headers)


def status_of(shop: Shop) -> dict[str, Any]:
    install = json.loads((shop.data / "install.json").read_text())
    headers = {"X-Pos-Token": install["token"], "X-Pos-Install": install["install_id"]}
    told: dict[str, Any] = ask(shop, "GET", "/till/status", headers=headers).json()
    return told


def test_keys_that_another_program_sends_to_both(
    tmp_path: Path, catalogue: Path, nursery: Path
) -> None:
    """The first is sent at the very same moment; each is answered truly, and no further key is
    doubled."""
    with opened(tmp_path / "shop", catalogue, nursery) as shop:
        shop.processor()
        server = shop.server()
        assert sold("key-of-the-first-sale", shop).status_code == 200
        server.stop()
        with cloned(shop) as clone, ThreadPoolExecutor(2) as both:
            for one in (shop, clone):
                one.server()
                assert ask(one, "GET", "/health").status_code == 200
            before = len(read_entries(shop.ledger_folder))
            for number in range(4):
                for _ in range(2):
                    shop.fault("late_signing", seconds=0.3)
                list(both.map(partial(sold, f"key-of-both-number-{number}"), (shop, clone)))
            signed = signed_since(shop, before)
            told = [status_of(one) for one in (shop, clone)]
        assert sorted(signed.values())[:-1] == [1] * (len(signed) - 1), signed
        assert len(signed) == 4
        assert [one["restored"]["why"] for one in told if one["restored"]] == ["twin"]
        assert {"late_receipt", "foreign_traffic"} <= {
            alarm["what"] for one in told for alarm in one["alarms"]
        }
