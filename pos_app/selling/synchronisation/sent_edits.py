"""What the platform's next list tells of edits that were sent or are done: that one came late, that
one was lost, or that nothing else has changed. Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields

from pos_app.domain.article.product import Product, ProductFields
from pos_app.selling.synchronisation import catalogue_edits
from pos_app.selling.synchronisation.conflicts import is_same


def came_late(
    done: catalogue_edits.CatalogueEdit, before: Product | None, theirs: Product
) -> catalogue_edits.Changes:
    """What an edit that is done wished last, of the fields that the platform has by now as they
    were sent earlier without a clear answer. before: as the platform had it, and as it was wished.
    """
    owners = [catalogue_edits.owner_in(one, done.article_id) for one in (before, theirs) if one]
    fields = [catalogue_edits.values_of(one, done.sent) for one in owners if one is not None]
    if len(fields) < 2:
        return {}
    was, now = fields
    return {
        name: done.changes[name]
        for name, sent in done.sent.items()
        if name in done.changes
        and is_same(name, done.changes[name], was[name])
        and not is_same(name, sent, was[name])
        and is_same(name, sent, now[name])
    }


def lost_of(
    done: Iterable[catalogue_edits.CatalogueEdit], before: Product, now: Product
) -> dict[str, catalogue_edits.Changes]:
    """What the platform had by these edits of one product, and lacks since it was put back from an
    older copy, by the article. A variant is compared by itself, whichever list brought or took it.

    | sent      | before | now | lost      |
    | 12        | 12     | 10  | 12        |
    | 12        | 12     | 12  |           |
    | 12        | 13     | 10  |           |
    | a variant | yes    | no  | it        |
    | one less  | no     | yes | that less |
    """
    wished: dict[str, dict[str, catalogue_edits.FieldValue]] = {now.id: {}}
    is_wished: dict[str, bool] = {}
    for one in done:
        changes = dict(one.changes)
        lists = (
            one.base.get(catalogue_edits.VARIANTS, ()),
            changes.pop(catalogue_edits.VARIANTS, ()),
        )
        was, new = ({variant.id: variant for variant in variants} for variants in lists)
        if catalogue_edits.VARIANTS in one.changes:
            is_wished |= {id_: id_ in new for id_ in was.keys() ^ new.keys()}
            for id_ in was.keys() & new.keys():
                wished.setdefault(id_, {}).update(_differing(was[id_], new[id_]))
        wished.setdefault(one.article_id, {}).update(changes)
    lost = {id_: _lacking(fields, id_, before, now) for id_, fields in wished.items()}
    lost[now.id] |= _lacking_variants(is_wished, before, now)
    return {id_: fields for id_, fields in lost.items() if fields}


def _differing(was: ProductFields, new: ProductFields) -> catalogue_edits.Changes:
    names = dict.fromkeys(catalogue_edits.EDITABLE & {one.name for one in fields(was)})
    old = catalogue_edits.values_of(was, names)
    return {n: v for n, v in catalogue_edits.values_of(new, names).items() if v != old[n]}


def _lacking(
    wished: catalogue_edits.Changes, article_id: str, before: Product, now: Product
) -> dict[str, catalogue_edits.FieldValue]:
    owners = [catalogue_edits.owner_in(one, article_id) for one in (before, now)]
    both = [catalogue_edits.values_of(one, wished) for one in owners if one is not None]
    if len(both) < 2:
        return {}
    was, is_now = both
    return {
        name: value
        for name, value in wished.items()
        if is_same(name, value, was[name]) and not is_same(name, value, is_now[name])
    }


def _lacking_variants(
    is_wished: Mapping[str, bool], before: Product, now: Product
) -> dict[str, catalogue_edits.FieldValue]:
    """The variants of now with those that this till had added, and without those it had removed."""
    was, there = ({one.id: one for one in product.variants} for product in (before, now))
    lost = {
        id_: is_there
        for id_, is_there in is_wished.items()
        if (id_ in was) is is_there and (id_ in there) is not is_there
    }
    if not lost:
        return {}
    kept = [one for id_, one in there.items() if id_ not in lost]
    back = [was[id_] for id_, is_there in lost.items() if is_there]
    return {catalogue_edits.VARIANTS: (*kept, *back)}


def is_as_sent(
    edit: catalogue_edits.CatalogueEdit, before: ProductFields, theirs: ProductFields
) -> bool:
    """Whether the platform changed nothing of a product but what this till sent it. before: the
    product as it was listed the last time."""
    names = dict.fromkeys(catalogue_edits.EDITABLE - {catalogue_edits.COVER})
    was, now = (catalogue_edits.values_of(one, names) for one in (before, theirs))
    return all(
        was[name] == now[name] or (name in edit.sent and is_same(name, edit.sent[name], now[name]))
        for name in names
    )
