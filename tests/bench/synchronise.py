"""Measures `pos-app sync` with a platform of ours: first run, a hundred changes, nothing new.

`--only sync` runs it alone. Targets: targets.md (Speed). The platform answers in a process of its
own; each run is the program with its start.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count, islice
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import insert, update

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.money.money import Money
from pos_app.domain.setup.platform_key import KeyTerms
from pos_app.platform_api.accounts import make_account
from pos_app.platform_api.database import tables
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.keys import ALL_SCOPES, make_key
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from pos_app.wire.strict_json import dumps
from tests.bench import assortment
from tests.bench.figures import Figure, Target

BEGAN = datetime(2026, 9, 1, 5, 30, tzinfo=UTC)
CHANGES = 100
FIRST, SCANS = Target(10_000, 10_000), Target(p99=16)
CHANGED = Target(1_000, 1_000)


def figures(articles: int, repeats: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with filled_platform(folder / "platform", articles) as told:
            shop = folder / "shop"
            shop.mkdir()
            (shop / "settings.toml").write_text(told, encoding="utf-8")
            yield from _first(shop, articles)
            starts = [_took(shop, "-h") for _ in range(repeats)]
            start = Figure.of("  the start of such a program alone", starts)
            yield start
            rest = [_took(shop) - start.median for _ in range(repeats)]
            yield Figure.of("  nothing new: 304, the start apart", rest)
            _change(_platform_of(told), CHANGES)
            yield Figure.single(f"  {CHANGES} changes over there", _took(shop), target=CHANGED)
            _edit(shop, CHANGES, apart=articles // CHANGES)
            yield Figure.single(f"  {CHANGES} edits of this till", _took(shop))


@contextmanager
def filled_platform(folder: Path, articles: int) -> Iterator[str]:
    """A platform with `articles` articles and its secret in the environment; yields a till's
    settings."""
    key, secret = fill(folder, articles)
    with _platform(folder) as url:
        os.environ["POS_APP_PLATFORM_SECRET"] = secret
        told = f'[platform]\nurl = "{url}/v2"\nkey = "{key}"\n'
        _change(_platform_of(told), 1)  # the last write is one that the platform remembers
        yield told


def _first(shop: Path, articles: int) -> Iterator[Figure]:
    """Measure the first run, while this process looks articles up as scans do."""
    path = catalogue_file(shop)
    chance, times = random.Random(1), []
    with SqliteCatalogue(path) as catalogue:
        before = _children_cpu()
        began = time.perf_counter()
        child = _started(shop, [])
        while child.poll() is None:
            code = ArticleCode(assortment.ean_of(chance.randrange(1, articles)))
            asked = time.perf_counter()
            catalogue.by_code(code)
            times.append((time.perf_counter() - asked) * 1000)
            time.sleep(0.005)
        took = (time.perf_counter() - began) * 1000
        assert catalogue.count() > articles * 0.9, "the run failed"
    own = _children_cpu() - before
    yield Figure.single("first run, all articles from a platform", took, target=FIRST)
    yield Figure.single("  of which its own processor time", own)
    yield Figure.of("  meanwhile: EAN look-up", times, SCANS)


def _children_cpu() -> float:
    """Milliseconds of processor time of all programs that this one has started and that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def _took(shop: Path, *arguments: str) -> float:
    began = time.perf_counter()
    _started(shop, list(arguments)).wait()
    return (time.perf_counter() - began) * 1000


def _started(shop: Path, arguments: list[str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pos_app", "sync", "--data", str(shop), *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _edit(shop: Path, count: int, *, apart: int) -> None:
    """Change articles that are so many articles apart."""
    path = catalogue_file(shop)
    with SqliteCatalogue(path) as catalogue, SqliteCatalogueEditor(path) as desk:
        for number in range(1, count + 1):
            (found, *_) = catalogue.by_code(ArticleCode(assortment.ean_of(number * apart)))
            changes = {"price": Money(number)}
            ids, at = (found.article.product_id, found.article.id), datetime.now(UTC)
            desk.record(NewEdit.changing(*ids, changes, by="Мира", at=at))


# --- the platform ------------------------------------------------------------------------------


def fill(folder: Path, articles: int, address: str = "") -> tuple[str, str]:
    """Write an account with `articles` articles as the platform keeps them; returns its key and
    secret. address: the database's, or "" for SQLite."""
    return asyncio.run(_fill(folder, articles, address))


async def _fill(folder: Path, articles: int, address: str) -> tuple[str, str]:
    database = await Database.open(address, folder=folder / "platform")
    parts = assortment.small_parts()
    try:
        async with database.writing() as connection:
            account = await make_account(connection, name="Робна кућа", now=BEGAN)
            key = await make_key(connection, account, KeyTerms("x", ALL_SCOPES), now=BEGAN)
            for table, name in (
                (tables.STORE, "stores"),
                (tables.UNIT, "units"),
                (tables.CATEGORY, "categories"),
            ):
                rows = [_row(account, one, n) for n, one in enumerate(parts[name], 1)]
                await connection.execute(insert(table), rows)
            moments = (BEGAN + timedelta(milliseconds=number) for number in count(1))
            products = zip(count(1), moments, assortment.products(articles), strict=False)
            while batch := list(islice(products, 1000)):
                rows = [
                    _row(account, one | {"updatedAt": _text(at)}, n, at) for n, at, one in batch
                ]
                await connection.execute(insert(tables.PRODUCT), rows)
            await connection.execute(update(tables.ACCOUNT).values(revision=articles))
    finally:
        await database.close()
    return key.id, key.secret


def _platform_of(told: str) -> httpx.Client:
    """A program that changes the platform's articles. told: the settings of a till."""
    its = tomllib.loads(told)["platform"]
    who = (its["key"], os.environ["POS_APP_PLATFORM_SECRET"])
    return httpx.Client(base_url=its["url"], auth=who, trust_env=False, timeout=60.0)


def _change(platform: httpx.Client, count: int) -> None:
    with platform:
        listed = platform.get("/products").raise_for_status().json()
        priced = [one for one in listed if not one["variants"]]
        for number, product in enumerate(priced[:count], 1):
            answer = platform.patch(f"/products/{product['id']}", json={"price": number + 0.5})
            answer.raise_for_status()


def _row(
    account: str, document: dict[str, Any], number: int, at: datetime = BEGAN
) -> dict[str, Any]:
    return {
        "id": document["id"],
        "account_id": account,
        "number": number,
        "revision": number,
        "created_at": BEGAN,
        "updated_at": at,
        "deleted_at": None,
        "document": dumps(document).decode(),
    }


def _text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@contextmanager
def _platform(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "pos_app", "platform", "--data", str(folder), "--port", "0"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield child.stdout.readline().decode().strip()
    finally:
        child.send_signal(signal.SIGTERM)
        child.wait()
        child.stdout.close()
