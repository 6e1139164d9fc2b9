"""Measures the platform's lists on both databases: all products at once, to a client that reads
them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import httpx
from sqlalchemy import insert, update

from pos_app import settings
from pos_app.adapters.clock import SystemClock
from pos_app.bootstrap.platform.accounts import FOLDER, add_account, add_key
from pos_app.domain.article.product import Product, ProductType
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import ACCOUNT, PRODUCT
from pos_app.platform_api.resource import rendered
from pos_app.wire.catalogue import product_to_json
from pos_app.wire.row import members_of
from tests.bench.figures import Figure, NotMeasured, Target
from tests.bench.machine import cpu_seconds
from tests.bench.place import Place
from tests.bench.platform_requests import megabytes
from tests.fakes.no_tls import NO_TLS
from tests.fakes.postgresql import postgresql_cluster

_LISTS = 5
_LIST_MILLISECONDS = 2000.0
_MOST_MEGABYTES = 32.0
_PIECE = 1 << 20


def measure(place: Place) -> Iterator[Figure]:
    """Measure the whole list, the server's memory for it, and the list that the client already
    has."""
    yield from _platform(place, "SQLite", "")
    with postgresql_cluster(is_durable=True) as cluster:
        yield from _platform(place, "PostgreSQL", cluster.address)


def _platform(place: Place, database: str, address: str) -> Iterator[Figure]:
    folder = place.folder / f"platform-lists-{database}"
    folder.mkdir()
    key = asyncio.run(_filled(folder, place.size.articles, address))
    words = ["-m", "pos_app", "platform", "--data", str(folder), "--port", "0"]
    words += ["--database-url", address] if address else []
    program = place.shop.run(*words, name="platform")
    try:
        program.until(lambda: bool(program.told), seconds=60)
        at = next(iter(program.told))[1]
        yield from _lists(at, key, program.child.pid, f"{place.size.articles:,}, {database}")
    finally:
        program.child.terminate()
        program.wait()


async def _filled(folder: Path, count: int, address: str) -> tuple[str, str]:
    """Key and secret of an account with `count` products."""
    shop = settings.load(folder, platform_server={"database_url": address})
    account = await add_account(shop, "bench")
    key = await add_key(shop, account)
    now = SystemClock().now()
    database = await Database.open(address, folder=folder / FOLDER)
    rows = []
    for number in range(1, count + 1):
        product = Product(
            id=str(uuid4()),
            name=f"Артикал број {number} са дужим именом",
            tax_label=TaxLabel.DJ,
            sku=number,
            price=Money("123.45"),
            product_type=ProductType.PRODUCT,
            ean=f"86{number:011d}",
            categories=(str(uuid4()),),
            has_variants=False,
        )
        at = now + timedelta(milliseconds=number)
        text = rendered(product.id, members_of(product_to_json(product)), at, at, None)
        rows.append(
            {
                "id": product.id,
                "account_id": account,
                "number": number,
                "revision": number,
                "created_at": at,
                "updated_at": at,
                "document": text,
            }
        )
    async with database.writing() as connection:
        await connection.execute(insert(PRODUCT), rows)
        values = {"revision": count, "written_at": now + timedelta(milliseconds=count)}
        await connection.execute(update(ACCOUNT).values(values))
    await database.close()
    return key.id, key.secret


def _lists(address: str, key: tuple[str, str], server: int, what: str) -> Iterator[Figure]:
    for encoding, words in (("identity", what), ("gzip", f"{what}, in gzip")):
        yield from _in_form(address, key, server, words, encoding)


def _in_form(
    address: str, key: tuple[str, str], server: int, what: str, encoding: str
) -> Iterator[Figure]:
    took, memory, tag, size = [], [], "", 0
    headers = {"Accept-Encoding": encoding}
    with httpx.Client(
        auth=key, headers=headers, trust_env=False, verify=NO_TLS, timeout=120
    ) as client:
        before, used = megabytes(server), cpu_seconds(server)
        for _ in range(_LISTS):
            began = time.perf_counter()
            with client.stream("GET", f"{address}/v2/products") as answer:
                tag = answer.headers["ETag"]
                size = 0
                for piece in answer.iter_raw(_PIECE):
                    size += len(piece)
                    memory.append(megabytes(server))
            took.append((time.perf_counter() - began) * 1000)
        if not size:
            raise NotMeasured("the platform listed nothing")
        words = f"GET /products of {what}"
        each = (cpu_seconds(server) - used) / _LISTS
        target = Target(_LIST_MILLISECONDS, _LIST_MILLISECONDS)
        yield Figure.of(
            words, took, target, note=f"{size / 1e6:.0f} MB; {each:.2f} s of the worker's processor"
        )
        grown = max(memory) - before
        yield Figure.single(
            "  what its server's memory grows by", grown, "MB", Target(_MOST_MEGABYTES)
        )
        known = []
        for _ in range(20):
            began = time.perf_counter()
            answer = client.get(f"{address}/v2/products", headers={"If-None-Match": tag})
            known.append((time.perf_counter() - began) * 1000)
            if answer.status_code != 304:
                raise NotMeasured(f"a known list was answered {answer.status_code}")
        yield Figure.of("  the same, known already (304)", known)
