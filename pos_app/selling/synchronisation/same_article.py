"""Whether a product that was made here, or stands in a shop's file, and one of the platform's list
are one article, and which variants of both are one. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pos_app.domain.article.product import Product
from pos_app.domain.text.search_text import fold
from pos_app.selling.synchronisation.own_names import is_uuid


def is_added_here(added: Product, theirs: Product, *, was_sent: bool) -> bool:
    """Whether a product of the list is the one made here whose article code it has; else a person
    decides.

    was_sent: `added` may have reached the platform, where somebody may have changed it since.

    | sent | name  | EAN   | price and label | it is     |
    | no   | same  | same  | same            | ours      |
    | no   | same  | same  | other           | collision |
    | yes  | same  | any   | any             | ours      |
    | yes  | other | same  | any             | ours      |
    | yes  | other | none, or other | any    | collision |
    """
    same_name = added.name.strip() == theirs.name.strip()
    same_ean = added.ean == theirs.ean
    if was_sent:
        return same_name or (same_ean and added.ean is not None)
    fiscal = (added.price, added.tax_label) == (theirs.price, theirs.tax_label)
    return same_name and same_ean and fiscal


def match_joined(theirs: Iterable[Product]) -> Callable[[Product], Product | None]:
    """Returns a function that finds an article of a shop's file among a platform's products; each
    is found once.

    | same code | same EAN | same name | it is      |
    | yes       | any      | yes       | the same   |
    | yes       | yes      | any       | the same   |
    | no        | yes      | yes       | the same   |
    | yes       | no       | no        | another    |
    """
    by_id: dict[str, Product] = {}
    by_code: dict[int, Product] = {}
    by_ean: dict[str, Product] = {}
    for one in theirs:
        if not one.is_deleted:
            by_id[one.id] = one
            by_code |= dict.fromkeys(codes_of(one), one)
            by_ean |= dict.fromkeys(_eans_of(one), one)
    taken: set[str] = set()

    def match(ours: Product) -> Product | None:
        same_id = [by_id[ours.id]] if ours.id in by_id else []
        coded = [by_code[code] for code in sorted(codes_of(ours)) if code in by_code]
        scanned = [by_ean[ean] for ean in sorted(_eans_of(ours)) if ean in by_ean]
        for one in (*same_id, *coded, *scanned):
            if one.id not in taken and is_same_article(ours, one):
                taken.add(one.id)
                return one
        return None

    return match


def is_same_article(ours: Product, theirs: Product) -> bool:
    """Whether two of code, EAN and name agree, as in the table of `match_joined`."""
    same_name = fold(ours.name) == fold(theirs.name)
    same_code = not codes_of(ours).isdisjoint(codes_of(theirs))
    same_ean = not _eans_of(ours).isdisjoint(_eans_of(theirs))
    return same_name + same_code + same_ean >= 2


def is_same_account(same_ids: Iterable[tuple[Product, Product]]) -> bool:
    """Whether products of two accounts, each pair with one id, say that the two are one account.

    A UUID belongs to one account alone. Any other id, such as a number, many accounts have: then
    at least half of the articles have to agree.
    """
    agree = [is_uuid(ours.id) or is_same_article(ours, theirs) for ours, theirs in same_ids]
    return any(agree) and 2 * sum(agree) >= len(agree)


def _eans_of(product: Product) -> frozenset[str]:
    owners = (product, *product.variants)
    return frozenset(one.ean for one in owners if one.ean)


def codes_of(product: Product) -> frozenset[int]:
    owners = (product, *product.variants)
    return frozenset(one.sku for one in owners if one.sku is not None)


def costs_the_same(ours: Product, theirs: Product) -> bool:
    """Whether each article that both sell has one price; variants are matched by their codes."""
    if not ours.variants and not theirs.variants:
        return ours.price == theirs.price
    prices = {one.sku: one.price for one in (theirs, *theirs.variants) if one.sku is not None}
    return all(
        prices.get(one.sku, one.price) == one.price
        for one in (ours, *ours.variants)
        if one.sku is not None
    )


def variant_ids(added: Product, theirs: Product) -> dict[str, str]:
    """The platform's ids of the product and its variants, by the ids that they had here."""
    ids = {added.id: theirs.id}
    by_code = {one.sku: one.id for one in theirs.variants if one.sku is not None}
    for index, one in enumerate(added.variants):
        beside = theirs.variants[index].id if index < len(theirs.variants) else None
        found = by_code.get(one.sku) if one.sku is not None else beside
        if found is not None:
            ids[one.id] = found
    return ids
