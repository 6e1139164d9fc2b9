"""A shop is set up from nothing and sells, with real parts: our platform over HTTP, the development
V-PFR with a client certificate, and a network receipt printer."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import httpx
import pytest

from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e.certified import PAC, PASSWORD
from tests.e2e.nursery import Life, door
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.fakes.no_tls import NO_TLS
from tests.fakes.processor_key import give_key
from tests.integration.test_server_program import program, run
from tests.ports import free_ports

BREAD = {"name": "Хлеб", "taxRateLabel": "Е", "price": 58.99, "ean": "8600001000015", "sku": 1}
PICTURES = os.environ.get("POS_APP_TEST_PICTURES", "")
"""A folder that gets a picture of each step."""


@pytest.mark.deadline(200)
async def test_a_shop_with_real_parts_sells_within_three_minutes(tmp_path: Path) -> None:
    vpfr, hosted, shop = tmp_path / "vpfr", tmp_path / "platform", tmp_path / "shop"
    port, platform_port = free_ports(2)
    give_key(vpfr / "processor")
    order = ["--issue-certificate", str(tmp_path / "shop.pfx"), "--password", PASSWORD]
    order += ["--url", f"https://127.0.0.1:{port}"]
    assert run("processor", "--data", str(vpfr), *order).returncode == 0
    account = json.loads(
        run("platform", "account", "add", "Моја", "--json", "--data", str(hosted)).stdout
    )
    added = run("platform", "key", "add", account["account"], "--json", "--data", str(hosted))
    key = json.loads(added.stdout)
    device = EscposDevice()
    words = ("platform", "--data", str(hosted), "--port", str(platform_port))
    signs = ("processor", "--data", str(vpfr), "--mode", "vpfr", "--port", str(port))
    with program(*words) as (_, platform), program(*signs):
        client = httpx.AsyncClient(
            base_url=f"{platform}/v2", auth=(key["key"], key["secret"]), verify=NO_TLS
        )
        async with client:
            for path, body in (("/stores", {"name": "Пекара код Мире"}), ("/products", BREAD)):
                made = await client.post(path, json=body)
                assert made.is_success, made.text
        async with on_network(device) as printer:
            given = {
                "url": f"{platform}/v2",
                **key,
                "pfx": str(tmp_path / "shop.pfx"),
                "password": PASSWORD,
                "pac": PAC,
                "ca": str(vpfr / "processor" / "authority.pem"),
                "printer": f"127.0.0.1:{printer}",
                "pictures": PICTURES,
            }
            told, errors = await set_up(shop, given)
    *steps, sold = told.splitlines()
    assert steps == [
        "platform answers",
        "store Пекара код Мире",
        "processor answers",
        "printer answers",
    ], errors
    assert sold.startswith("sold done Мира Мирић "), errors
    assert int(sold.split()[-1]) < 180
    (receipt,) = read_entries(vpfr / "processor")
    assert "Мира Мирић" in receipt.answer
    assert device.printed


async def set_up(shop: Path, given: dict[str, str]) -> tuple[str, str]:
    words = ["-m", "tests.e2e.people_at_till", "sets-up", str(shop), json.dumps(given)]
    env = {"QT_QPA_PLATFORM": os.environ.get("POS_APP_TEST_PLATFORM", "offscreen")}
    till = Life(door(), words, env=os.environ | env)
    try:
        out, errors = await asyncio.to_thread(till.communicate)
    finally:
        till.kill()
    assert run("stop", "--data", str(shop), is_real=True).returncode == 0
    return out, errors[-4000:]
