"""A price and the unit that it is of: a person decides about both, so that no article is sold at
the price of one side and in the unit of the other one. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pos_app.domain.article.product import Product, ProductFields
from pos_app.domain.money.money import Money
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation import catalogue_edits

_PAIR = ("price", "sale_unit_id")
_PRICE_PAIR = frozenset(_PAIR)
_PRICE_FIELDS = _PRICE_PAIR | {catalogue_edits.VARIANTS}


@dataclass(frozen=True, slots=True)
class SeenPrices:
    """before: the platform's product as it was listed the last time; here: as the till shows it.
    words_before, words: those of the units then and now, by id."""

    before: Product
    here: Product | None
    words_before: Mapping[str, str]
    words: Mapping[str, str]


def mixed(
    edit: catalogue_edits.CatalogueEdit,
    unsent: catalogue_edits.Changes,
    both: Collection[str],
    seen: SeenPrices | None,
    theirs: Product,
) -> set[str]:
    """Our fields by which an article would be sold at a price of one side and in a unit of the
    other one, whichever answer the fields get that `both` sides changed."""
    ours = {name: value for name, value in unsent.items() if name in _PRICE_FIELDS}
    if seen is None or not ours:
        return set()
    own = {name: value for name, value in edit.changes.items() if name in _PRICE_FIELDS}
    wished = catalogue_edits.with_changes(seen.before, edit.article_id, own)
    here = _prices_of(wished, seen.words_before)
    shown = {} if seen.here is None else _prices_of(seen.here, seen.words_before)
    there = _prices_of(theirs, seen.words)
    mixed: set[str] = set()
    for kept in (ours, {name: value for name, value in ours.items() if name not in both}):
        sold = catalogue_edits.with_changes(theirs, edit.article_id, kept)
        for article_id, price in _prices_of(sold, seen.words).items():
            known = (here.get(article_id), shown.get(article_id), there.get(article_id))
            if known[0] is None or price in known:
                continue
            old = there.get(article_id, (None, None))
            differing = {n for n, x, y in zip(_PAIR, price, old, strict=True) if x != y}
            mixed |= differing & ours.keys() or {catalogue_edits.VARIANTS} & ours.keys()
    return mixed


def kept_beside(
    edit: catalogue_edits.CatalogueEdit,
    mixed: set[str],
    seen: SeenPrices | None,
    theirs: ProductFields,
) -> catalogue_edits.Changes:
    """The other one of a mixed price and unit, as the till has it, where the platform's is another:
    until a person decides, the till sells by its own data, and by no pair that neither side has."""
    here = None if seen is None else seen.here
    if here is None or len(mixed & _PRICE_PAIR) != 1 or edit.changes.keys() >= _PRICE_PAIR:
        return {}
    (other,) = _PRICE_PAIR - mixed
    owner = catalogue_edits.owner_in(here, edit.article_id)
    value = None if owner is None else pair_of(owner)[other]
    value = pair_of(here)[other] if value is None else value
    return {} if value == pair_of(theirs)[other] else {other: value}


def pair_of(owner: ProductFields) -> dict[str, catalogue_edits.FieldValue]:
    return catalogue_edits.values_of(owner, dict.fromkeys(_PAIR))


def with_pair(
    sides: Mapping[str, catalogue_edits.EditSide], asked: Collection[str]
) -> Mapping[str, catalogue_edits.EditSide]:
    """The answers, of which one about a price is about its unit too, and the other way round."""
    answers = {sides[name] for name in _PAIR if name in sides}
    if len(answers) != 1 or not _PRICE_PAIR.issubset(asked):
        return sides
    return {**sides, **dict.fromkeys(_PAIR, *answers)}


def _prices_of(
    product: Product, words: Mapping[str, str]
) -> dict[str, tuple[Money | None, str | None]]:
    """The price and the unit of each article, which a variant without its own has of its
    product."""
    return {
        one.id: (
            product.price if one.price is None else one.price,
            words.get(unit := one.sale_unit_id or product.sale_unit_id or "", unit),
        )
        for one in (product, *product.variants)
    }
