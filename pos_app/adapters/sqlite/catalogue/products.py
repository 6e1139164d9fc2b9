"""Products of `catalogue.db` with the till's open edits in them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.catalogue.rows import SELECT_EDITS, edit, first
from pos_app.domain.article.barcodes import code_key
from pos_app.domain.article.product import Product
from pos_app.selling.synchronisation.catalogue_edits import CatalogueEdit, effective
from pos_app.wire.strict_json import loads

_LISTED = """
SELECT document FROM source WHERE product = (SELECT id FROM product WHERE uuid = ?)
"""
_OPEN = """
WHERE e.product_uuid = ? AND e.state IN ('waiting', 'sending', 'conflict', 'refused')
ORDER BY e.id
"""
_ADDED = """
SELECT document FROM edit
WHERE product_uuid = ? AND kind = 'add' AND state IN ('waiting', 'sending', 'conflict', 'refused')
"""
_OF_EAN = """
SELECT a.product_uuid FROM article a JOIN product p ON p.id = a.product
WHERE a.ean_key = ?1 AND a.product_uuid <> ?2 AND p.origin <> '' AND (?3 IS NULL OR p.origin = ?3)
"""


def platform_product(connection: apsw.Connection, product_uuid: str) -> Product | None:
    """Return the product as its platform listed it last, or None when it never did."""
    row = first(connection, _LISTED, (product_uuid,))
    return None if row is None else wire.catalogue.product_from_json(loads(row[0]))


def added_product(connection: apsw.Connection, product_uuid: str) -> Product | None:
    """Return the product as it was made at this till, while no platform has it."""
    row = first(connection, _ADDED, (product_uuid,))
    return None if row is None else wire.catalogue.product_from_json(loads(row[0]))


def open_edits(connection: apsw.Connection, product_uuid: str) -> tuple[CatalogueEdit, ...]:
    """Return the edits that the till shows the product with, the oldest first."""
    rows = connection.execute(SELECT_EDITS + _OPEN, (product_uuid,)).fetchall()
    return tuple(edit(row) for row in rows)


def effective_product(connection: apsw.Connection, product_uuid: str) -> Product | None:
    """Return the product as the till shows it, or None when it is deleted or unknown."""
    edits = open_edits(connection, product_uuid)
    added = added_product(connection, product_uuid) if edits else None
    return effective(platform_product(connection, product_uuid), edits, added)


def with_same_ean(
    connection: apsw.Connection,
    product: Product,
    *,
    news: Mapping[str, Product] = MappingProxyType({}),
    origin: str | None = None,
) -> Product | None:
    """Return the platform's article that has the EAN of an article made here. The platform would
    refuse ours under any code. Variants are ignored.

    news: products by their EAN (`code_key`) that are not in the catalogue yet. origin: the origin
    of the platform's products, or None for any.
    """
    if product.ean is None or product.variants:
        return None
    key = code_key(product.ean)
    if key in news:
        return news[key]
    row = first(connection, _OF_EAN, (key, product.id, origin))
    found = None if row is None else effective_product(connection, str(row[0]))
    return None if found is None or found.variants else found
