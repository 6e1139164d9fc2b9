"""Measures certificate mode: receipts a second of one signer, with one secure element and with
many, through the platform to the development V-PFR; and each program's processor time for a
receipt."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Iterator

import httpx

from tests.bench.figures import Figure
from tests.bench.machine import cpu_seconds
from tests.bench.place import Place
from tests.e2e import certified
from tests.fakes.no_tls import NO_TLS

SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [
        {"article": {"name": "Хлеб", "taxRateLabel": "Ђ"}, "quantity": 1, "unitPrice": 58.99}
    ],
    "receiptDelivery": {"pdf": False},
}


def measure(place: Place) -> Iterator[Figure]:
    """Measure a signer with one element, then with many."""
    with certified.hosted(place.folder / "certificates", signers=1) as platform:
        for number in (1, place.size.elements):
            shops = [platform.certificate(f"B{number:02}X{one:04}") for one in range(number)]
            yield from asyncio.run(_measured(platform, shops, place.size.loaded))


async def _measured(
    platform: certified.Hosted, shops: list[certified.Certificate], seconds: float
) -> list[Figure]:
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
        before = {name: cpu_seconds(process) for name, process in programs.items()}
        began = time.monotonic()
        taken: list[float] = []
        end = began + seconds
        await asyncio.gather(*(_keep_on(caller, platform, shop, taken, end) for shop in shops))
        passed = time.monotonic() - began
    own = {
        name: 1000 * (cpu_seconds(pid) - before[name]) / len(taken)
        for name, pid in programs.items()
    }
    spent = ", ".join(f"{name} {each:.1f} ms" for name, each in own.items())
    mode = f"certificate mode, elements: {len(shops)}"
    note = f"processor time a receipt: {spent}"
    return [
        Figure.single(f"{mode}: receipts/s", len(taken) / passed, "/s", note=note),
        Figure.of(f"{mode}: POST receipts", taken),
    ]


async def _keep_on(
    caller: httpx.AsyncClient,
    platform: certified.Hosted,
    shop: certified.Certificate,
    taken: list[float],
    end: float,
) -> None:
    """Sell until `end`, at least once, and add the milliseconds of each receipt to `taken`."""
    for number in itertools.count(1):
        began = time.monotonic()
        await _sell(caller, platform, shop, f"{number}")
        taken.append((time.monotonic() - began) * 1000)
        if time.monotonic() >= end:
            break


async def _sell(
    caller: httpx.AsyncClient, platform: certified.Hosted, shop: certified.Certificate, name: str
) -> None:
    headers = shop.headers | {"Idempotency-Key": f"bench-{shop.uid}-{name}-of-certificates"}
    answer = await caller.post(
        certified.RECEIPTS, json=SALE | {"cashierId": platform.cashier}, headers=headers
    )
    assert answer.status_code == httpx.codes.OK, answer.text
