"""The units and categories that products name.

Source: platform-contract.md 2.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Row, Table, and_, select

from pos_app.domain.article.product import Product
from pos_app.platform_api.accounts import CatalogueWrite
from pos_app.platform_api.database.tables import CATEGORY, PRODUCT, UNIT
from pos_app.platform_api.errors import NameGone

_MOST = 500
"""Ids in one query."""


async def products_naming(
    write: CatalogueWrite, name_id: str, *, most: int | None = None
) -> Sequence[Row[Any]]:
    """Return the products that are not deleted and name this unit or category."""
    query = (
        select(PRODUCT)
        .where(
            and_(
                PRODUCT.c.account_id == write.account_id,
                PRODUCT.c.deleted_at.is_(None),
                PRODUCT.c.document.contains(f'"{name_id}"'),
            )
        )
        .limit(most)
    )
    return (await write.connection.execute(query)).all()


async def check_names(write: CatalogueWrite, product: Product, before: Product | None) -> None:
    """Raise NameGone where a product names a deleted unit or category that it did not name before.
    An id that the account never had passes: other services have ids of their own."""
    named_before = set() if before is None else {(table, one) for table, _, one in _named(before)}
    new = [one for one in _named(product) if (one[0], one[2]) not in named_before]
    for of_table in (UNIT, CATEGORY):
        paths = {one: path for table, path, one in reversed(new) if table is of_table}
        ids = [*paths]
        for at in range(0, len(ids), _MOST):
            query = select(of_table.c.id).where(
                and_(
                    of_table.c.account_id == write.account_id,
                    of_table.c.id.in_(ids[at : at + _MOST]),
                    of_table.c.deleted_at.is_not(None),
                )
            )
            for gone in (await write.connection.execute(query)).scalars():
                raise NameGone(field=paths[gone], id=gone)


def _named(product: Product) -> Iterator[tuple[Table, str, str]]:
    """Iterate over the table, the member and the id of each unit and category in a product."""
    owners = [("", product), *((f"variants[{n}].", one) for n, one in enumerate(product.variants))]
    for path, one in owners:
        if one.sale_unit_id:
            yield UNIT, f"{path}saleUnitId", one.sale_unit_id
        if one.base_unit_id:
            yield UNIT, f"{path}baseUnitId", one.base_unit_id
        for category in one.categories:
            yield CATEGORY, f"{path}categories", category
