"""Skus and barcodes, which are unique in an account's products and variants.

A sku stays taken when its product or variant is gone, because receipts name it; a barcode may be
used again then. Source: platform-contract.md 2.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import and_, delete, exists, func, insert, select

from pos_app.lazy_dataclass import dataclass
from pos_app.platform_api.accounts import CatalogueWrite
from pos_app.platform_api.database.tables import PRODUCT_CODE
from pos_app.platform_api.errors import Duplicate


@dataclass(frozen=True, slots=True)
class ArticleCodes:
    """The codes of one product or variant. path: the path of its members in the body. document: the
    document of a variant that its product no longer has; the barcode of such a variant is free.
    """

    owner_id: str
    sku: int | None
    ean: str | None
    path: str = ""
    document: str | None = None


async def next_skus(write: CatalogueWrite, count: int, used: set[int]) -> list[int]:
    """Return the next free skus after the last assigned one. used: further taken skus."""
    found: list[int] = []
    start = write.last_sku + 1
    while len(found) < count:
        end = start + count - len(found)
        taken = used | await _taken(write, start, end)
        free = [sku for sku in range(start, end) if sku not in taken]
        found += free
        start = end if free else await _end_of_run(write, end - 1) + 1
    write.last_sku = max([write.last_sku, *found])
    return found


async def _taken(write: CatalogueWrite, start: int, end: int) -> set[int]:
    query = select(PRODUCT_CODE.c.sku).where(
        and_(
            PRODUCT_CODE.c.account_id == write.account_id,
            PRODUCT_CODE.c.sku >= start,
            PRODUCT_CODE.c.sku < end,
        )
    )
    return set((await write.connection.execute(query)).scalars())


async def _end_of_run(write: CatalogueWrite, sku: int) -> int:
    """Return the last taken sku of the uninterrupted run from `sku` on, or `sku` itself if it is
    free."""
    after = PRODUCT_CODE.alias()
    query = select(func.min(PRODUCT_CODE.c.sku)).where(
        and_(
            PRODUCT_CODE.c.account_id == write.account_id,
            PRODUCT_CODE.c.sku >= sku,
            ~exists().where(
                and_(after.c.account_id == write.account_id, after.c.sku == PRODUCT_CODE.c.sku + 1)
            ),
        )
    )
    found: int | None = (await write.connection.execute(query)).scalar()
    first_is_taken = bool(await _taken(write, sku, sku + 1))
    return found if found is not None and first_is_taken else sku


async def check_unique(
    write: CatalogueWrite, codes: Iterable[ArticleCodes], *, product_id: str, own: Mapping[str, Any]
) -> None:
    """Raise Duplicate for a sku or barcode of another product or variant. own: the product's
    present codes, by owner."""
    codes = list(codes)
    for member in ("sku", "ean"):
        seen: dict[object, ArticleCodes] = {}
        for code in codes:
            value = getattr(code, member)
            if value is None:
                continue
            if value in seen:
                raise _duplicate(code, member, value)
            seen[value] = code
        unknown = {
            value: code
            for value, code in seen.items()
            if getattr(own.get(code.owner_id), member, None) != value
        }
        if not unknown:
            continue
        column = PRODUCT_CODE.c[member]
        query = select(column).where(
            and_(
                PRODUCT_CODE.c.account_id == write.account_id,
                column.in_(list(unknown)),
                PRODUCT_CODE.c.product_id != product_id,
            )
        )
        found = (await write.connection.execute(query)).scalars().all()
        for value, code in unknown.items():
            if value in found:
                raise _duplicate(code, member, value)


def _duplicate(code: ArticleCodes, member: str, value: object) -> Duplicate:
    field = f"{code.path}{member}"
    return Duplicate(field=field, value=value)


async def own_codes(write: CatalogueWrite, product_id: str) -> dict[str, Any]:
    """Return the rows of a product and its variants by owner, also of variants that it has no
    more."""
    query = select(PRODUCT_CODE).where(PRODUCT_CODE.c.product_id == product_id)
    return {row.owner_id: row for row in await write.connection.execute(query)}


async def write_codes(
    write: CatalogueWrite, product_id: str, codes: Iterable[ArticleCodes], *, is_new: bool = False
) -> None:
    if not is_new:
        old = PRODUCT_CODE.c.product_id == product_id
        await write.connection.execute(delete(PRODUCT_CODE).where(old))
    rows = [
        {
            "owner_id": code.owner_id,
            "account_id": write.account_id,
            "product_id": product_id,
            "sku": code.sku,
            "ean": code.ean,
            "document": code.document,
        }
        for code in codes
    ]
    await write.connection.execute(insert(PRODUCT_CODE), rows)
