"""Reads the catalogue's articles by a receipt's codes at the moment of its hand-over.

Source: platform-contract.md 2.7 and 2.13.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import and_, select

from pos_app.domain.article.article import Article, sellable_articles
from pos_app.domain.article.product import Product, Unit
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.request import MOST_ITEMS, PlatformArticle
from pos_app.platform_api.database import tables
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.slow_work import SlowWork
from pos_app.wire.catalogue import read_product, unit_from_json
from pos_app.wire.number import LARGEST_INTEGER
from pos_app.wire.relay import written_articles
from pos_app.wire.strict_json import loads

_BY_CATALOGUE = frozenset({Operation.ISSUE, Operation.CLOSE})
"""The operations whose items may have a code of the catalogue alone."""
_AT_ONCE = 16
"""The products in memory at once: one may be as large as a body."""


def codes_asked(operation: Operation, document: Mapping[str, Any]) -> frozenset[int]:
    """Return the codes of items without an article; none where the items are too many, which the
    application refuses."""
    items = document.get("items")
    if operation not in _BY_CATALOGUE or not isinstance(items, list) or len(items) > MOST_ITEMS:
        return frozenset()
    return frozenset(
        item["sku"]
        for item in items
        if isinstance(item, dict) and item.get("article") is None and _is_code(item.get("sku"))
    )


def _is_code(sku: object) -> bool:
    return type(sku) is int and 0 < sku <= LARGEST_INTEGER  # no article has another code


async def written_sold(
    database: Database, slow_work: SlowWork, account: str, skus: Collection[int]
) -> str:
    """Return the articles in the form of a hand-over. Raises MachineError."""
    found: dict[int, list[PlatformArticle]] = {}
    rest = sorted(skus)
    while rest:
        found |= await _sold(database, slow_work, account, rest[:_AT_ONCE])
        del rest[:_AT_ONCE]
    return written_articles(found)


async def _sold(
    database: Database, slow_work: SlowWork, account: str, skus: Sequence[int]
) -> dict[int, list[PlatformArticle]]:
    mine = and_(tables.PRODUCT_CODE.c.account_id == account, tables.PRODUCT_CODE.c.sku.in_(skus))
    asked = (
        select(tables.PRODUCT_CODE.c.sku, tables.PRODUCT.c.id, tables.PRODUCT.c.document)
        .join(tables.PRODUCT, tables.PRODUCT.c.id == tables.PRODUCT_CODE.c.product_id)
        .where(mine)
    )
    async with database.reading() as connection:
        rows = (await connection.execute(asked)).all()
    documents = {row.id: row.document for row in rows}.values()
    products = await slow_work.done(account, sum(map(len, documents)), _read, documents)
    named = {unit for product in products for unit in _units_of(product)}
    units: Mapping[str, Unit] = {}
    if named:
        of = and_(tables.UNIT.c.account_id == account, tables.UNIT.c.id.in_(sorted(named)))
        async with database.reading() as connection:
            entries = (await connection.execute(select(tables.UNIT.c.document).where(of))).all()
        units = {one.id: one for one in (unit_from_json(loads(row[0])) for row in entries)}
    sold: dict[int, list[PlatformArticle]] = {row.sku: [] for row in rows}
    for article in _articles(products, units):
        if article.sku in sold:
            sold[article.sku].append(PlatformArticle(article.id, article.frozen))
    return sold


def _read(documents: Collection[str]) -> list[Product]:
    """Read products. The platform's own address is left out of their photos' addresses: no receipt
    has them."""
    return [
        read_product(loads(one.replace(tables.HERE, "")), with_description=False)[0]
        for one in documents
    ]


def _units_of(product: Product) -> Iterable[str]:
    return filter(None, (one.sale_unit_id for one in (product, *product.variants)))


def _articles(products: Iterable[Product], units: Mapping[str, Unit]) -> Iterable[Article]:
    for product in products:
        yield from sellable_articles(product, units=units, marks={})
