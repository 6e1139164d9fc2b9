"""Gives articles that are made at this till codes from its own range. It runs within a transaction.

A code that was given is never given again: the highest one is remembered, because the codes of
deleted articles stay taken (platform-contract.md 2.1).
"""

from __future__ import annotations

from dataclasses import replace

import apsw

from pos_app.adapters.sqlite.catalogue.rows import first, number
from pos_app.domain.article.product import Product, Variant

_LAST = "SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM meta WHERE name = ?"
_REMEMBER = "INSERT OR REPLACE INTO meta VALUES (?, ?)"
_TAKEN = "SELECT 1 FROM article WHERE sku = ?"


def give_codes(
    connection: apsw.Connection, product: Product, codes: range | None, *, unsold: bool = False
) -> Product:
    """Return the product with a code for itself and each variant that has none. unsold: the product
    gets a code even if only its variants are sold.

    Without a range, or if the range is exhausted, no code is given here: a platform gives one then.
    """
    if codes is None:
        return product
    if product.sku is None and (unsold or not product.has_variants):
        product = replace(product, sku=_next(connection, codes))
    variants = tuple(give_variant_code(connection, one, codes) for one in product.variants)
    return replace(product, variants=variants)


def give_variant_code(connection: apsw.Connection, variant: Variant, codes: range) -> Variant:
    """Return the variant with a code, where it has none and the range is not exhausted."""
    if variant.sku is not None:
        return variant
    return replace(variant, sku=_next(connection, codes))


def without_codes(product: Product) -> Product:
    variants = tuple(replace(one, sku=None) for one in product.variants)
    return replace(product, sku=None, variants=variants)


def _next(connection: apsw.Connection, codes: range) -> int | None:
    name = f"last_code_{codes.start}"
    code = max(number(connection, _LAST, (name,)) + 1, codes.start)
    while code in codes and first(connection, _TAKEN, (code,)):
        code += 1
    if code not in codes:
        return None
    connection.execute(_REMEMBER, (name, str(code)))
    return code
