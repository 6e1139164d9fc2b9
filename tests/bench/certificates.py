"""Certificate mode: receipts a second of one signer, with one element and with many, through the
platform to the development V-PFR; and the processor time of each program for a receipt.

Run by hand: python -m tests.bench.certificates
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path

import httpx

from tests.e2e.certified import RECEIPTS, Certificate, Hosted, hosted
from tests.fakes.no_tls import NO_TLS

SECONDS = 15.0
SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [
        {"article": {"name": "Хлеб", "taxRateLabel": "Ђ"}, "quantity": 1, "unitPrice": 58.99}
    ],
    "receiptDelivery": {"pdf": False},
}


def main() -> None:
    """Print a line for each number of elements."""
    with tempfile.TemporaryDirectory() as folder, hosted(Path(folder), signers=1) as platform:
        for number in (1, 20):
            shops = [platform.certificate(f"B{number:02}X{one:04}") for one in range(number)]
            print(f"{number} elements:", asyncio.run(_measured(platform, shops)), flush=True)


async def _measured(platform: Hosted, shops: list[Certificate]) -> str:
    programs = {
        "signer": platform.signer(0),
        "platform": platform.running[1].child.pid,
        "V-PFR": platform.running[0].child.pid,
    }
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{platform.ports[2]}/v2",
        auth=platform.credentials,
        verify=NO_TLS,
        trust_env=False,
        timeout=25.0,
        limits=httpx.Limits(max_connections=100, max_keepalive_connections=100),
    ) as caller:
        for shop in shops:
            await _sell(caller, platform, shop, "first")
        before = {name: _cpu(process) for name, process in programs.items()}
        began = time.monotonic()
        taken: list[float] = []
        await asyncio.gather(*(_keep_on(caller, platform, shop, taken) for shop in shops))
        passed = time.monotonic() - began
    own = {name: 1000 * (_cpu(pid) - before[name]) / len(taken) for name, pid in programs.items()}
    taken.sort()
    figures = ", ".join(f"{name} {spent:.1f} ms" for name, spent in own.items())
    return (
        f"{len(taken) / passed:.1f} receipts/s, median {1000 * taken[len(taken) // 2]:.0f} ms,"
        f" p99 {1000 * taken[int(len(taken) * 0.99)]:.0f} ms; processor time a receipt: {figures}"
    )


async def _keep_on(
    caller: httpx.AsyncClient, platform: Hosted, shop: Certificate, taken: list[float]
) -> None:
    end, number = time.monotonic() + SECONDS, 0
    while time.monotonic() < end:
        began, number = time.monotonic(), number + 1
        await _sell(caller, platform, shop, f"{number}")
        taken.append(time.monotonic() - began)


async def _sell(caller: httpx.AsyncClient, platform: Hosted, shop: Certificate, name: str) -> None:
    headers = shop.headers | {"Idempotency-Key": f"bench-{shop.uid}-{name}-of-certificates"}
    answer = await caller.post(
        RECEIPTS, json=SALE | {"cashierId": platform.cashier}, headers=headers
    )
    assert answer.status_code == httpx.codes.OK, answer.text


def _cpu(process: int) -> float:
    """Seconds of processor time that it used."""
    told = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
