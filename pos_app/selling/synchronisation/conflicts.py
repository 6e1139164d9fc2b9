"""Compares an edit with the platform's present product: what is still to be sent, what both sides
changed, and the effect of a person's answers; and whether removals wait for such an answer.

Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields, replace

from pos_app.domain.article.product import Product, ProductFields, Variant
from pos_app.domain.money.money import Money
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation import catalogue_edits, variant_lists

_THEIRS = catalogue_edits.EditSide.THEIRS


@dataclass(frozen=True, slots=True)
class EditMatch:
    """The remainder of an edit when the platform's product is seen again.

    changes: the changes that are still to be made. base: the platform's present values of the
    fields.
    """

    changes: catalogue_edits.Changes
    base: catalogue_edits.Changes
    conflicts: tuple[catalogue_edits.FieldConflict, ...]

    @property
    def is_met(self) -> bool:
        return not self.changes


def meet(
    edit: catalogue_edits.CatalogueEdit, theirs: Product | None, seen: SeenPrices | None = None
) -> EditMatch:
    """Compare an edit with the platform's present product, field by field.

    | base | sent | ours | theirs | becomes                             |
    | 10   |      | 12   | 10     | still to be sent                    |
    | 10   |      | 12   | 12     | done, nothing to send               |
    | 10   |      | 12   | 11     | a conflict: a person decides        |
    | 10   |      | 10   | 11     | done, theirs counts                 |
    | 10   | 12   | 10   | 12     | still to be sent                    |
    | 10   | 12   | 13   | 12     | still to be sent                    |
    | 10   | 12   | 10   | 10     | done, it did not arrive so far       |
    | 10   | 12   | 13   | 10     | still to be sent                    |
    | 10   | 12   | 13   | 11     | a conflict: a person decides        |
    | 10   | 12   | 10   | 11     | done, theirs counts                 |

    sent: what this till sent without a clear answer; where the platform has it, the field is based
    on it. theirs is None when the platform no longer has the product. Of a change that the platform
    lost (`was_lost`) base is what it had by it, so that an older value is a conflict. A field that
    is in conflict stays so, whatever its values become, until a person decides or both are equal.
    seen: the earlier prices. Where one side changed a price, and the other one the unit that it is
    of, a person decides about both. Of a list of variants each variant is compared by itself.
    """
    owner = None if theirs is None else catalogue_edits.owner_in(theirs, edit.article_id)
    if theirs is None or owner is None:
        comes = theirs is not None and _comes_with_its_list(edit, seen)
        return EditMatch(edit.changes, edit.base, ()) if comes else _of_gone(edit)
    seen_edit, edit = edit, _with_their_variants(edit, theirs)
    asked, now = edit.asked, catalogue_edits.values_of(owner, edit.changes)
    known = {**edit.base, **_arrived(edit, now)}
    left = {
        name: ours
        for name, ours in edit.changes.items()
        if not _is_same(name, ours, now[name])
        and (ours != known.get(name, ...) or edit.was_lost or name in asked)
    }
    both = {name for name in left if name in asked or known.get(name, now[name]) != now[name]}
    mixed = _mixed(seen_edit, left, both, seen, theirs)
    # the base of a mixed field is ours: it is based on no value that the platform has
    based = mixed - (both - {catalogue_edits.VARIANTS})
    base = {n: ours if n in based else known.get(n, now[n]) for n, ours in left.items()}
    kept, now = _kept_beside(edit, mixed, seen, owner), {**_pair_of(owner), **now}
    left, base = {**left, **kept}, {**base, **kept}
    conflicts = tuple(
        catalogue_edits.FieldConflict(name, base[name], ours, now[name])
        for name, ours in left.items()
        if name in {*both, *mixed, *kept}
    )
    return EditMatch(left, base, conflicts)


def _with_their_variants(
    edit: catalogue_edits.CatalogueEdit, theirs: Product
) -> catalogue_edits.CatalogueEdit:
    """The edit with a list of variants that is theirs but for what was changed here; nobody is
    asked about it unless both sides changed one variant differently."""
    name = catalogue_edits.VARIANTS
    if name not in edit.changes:
        return edit
    ours, there, asked = edit.changes[name], theirs.variants, edit.asked.get(name)
    base = edit.base.get(name, there)
    is_lost = edit.was_lost and asked is None and base == ours
    if name in edit.sent:
        base = variant_lists.arrived(base, edit.sent[name], there)
    both = variant_lists.joined(base, ours, there, asked=asked, is_lost=is_lost)
    return replace(
        edit,
        changes={**edit.changes, name: both.ours},
        base={**edit.base, name: both.base},
        sent={field: value for field, value in edit.sent.items() if field != name},
        conflicts=tuple(one for one in edit.conflicts if one.field != name or both.has_conflicts),
    )


def with_lost_variants(
    edit: catalogue_edits.CatalogueEdit, confirmed: tuple[Variant, ...], theirs: Product
) -> EditMatch:
    """A list of variants that waits, with what the platform had by this till and lost. confirmed:
    its list with that."""
    name, there = catalogue_edits.VARIANTS, theirs.variants
    edit = _with_their_variants(edit, replace(theirs, variants=confirmed))
    base, ours = edit.base[name], edit.changes[name]
    both = variant_lists.joined(base, ours, there, asked=confirmed, is_lost=True)
    asked = catalogue_edits.FieldConflict(name, both.base, both.ours, there)
    others = tuple(one for one in edit.conflicts if one.field != name)
    return EditMatch(
        {**edit.changes, name: both.ours},
        {**edit.base, name: both.base},
        (*others, asked) if both.has_conflicts else others,
    )


def _comes_with_its_list(edit: catalogue_edits.CatalogueEdit, seen: SeenPrices | None) -> bool:
    """Whether it changes a variant that was added here and that the platform never had."""
    return (
        seen is not None
        and not (edit.base or edit.conflicts)
        and catalogue_edits.owner_in(seen.before, edit.article_id) is None
    )


def of_gone_product(
    edits: Collection[catalogue_edits.CatalogueEdit], before: Product, here: Product
) -> EditMatch:
    """The one question about a product that the platform deleted, of all that was changed of it and
    its variants here. before: as it was listed the last time. here: as the till shows it."""
    name = catalogue_edits.VARIANTS
    changes: dict[str, catalogue_edits.FieldValue] = {}
    base: dict[str, catalogue_edits.FieldValue] = {}
    asked: dict[str, catalogue_edits.FieldValue] = {}
    known = before
    for edit in edits:
        is_own = edit.article_id == before.id
        if is_own:
            changes, base = {**edit.changes}, {**edit.base}
            known = replace(known, variants=base.get(name, known.variants))
        if edit.asked:
            asked |= edit.asked if is_own else {name: before.variants}
    for edit in edits:
        if edit.article_id != before.id:
            known = catalogue_edits.with_changes(known, edit.article_id, edit.base)
    changes[name], base[name] = here.variants, known.variants
    gone = catalogue_edits.FieldConflict(catalogue_edits.DELETED, False, False, True)
    fields = [
        catalogue_edits.FieldConflict(field, base.get(field), changes[field], theirs)
        for field, theirs in asked.items()
    ]
    return EditMatch(changes, base, (gone, *fields))


def _of_gone(edit: catalogue_edits.CatalogueEdit) -> EditMatch:
    gone = catalogue_edits.FieldConflict(catalogue_edits.DELETED, False, False, True)
    fields = (one for one in edit.conflicts if one.field in edit.asked)
    return EditMatch(edit.changes, edit.base, (gone, *fields))


def _arrived(
    edit: catalogue_edits.CatalogueEdit, now: catalogue_edits.Changes
) -> catalogue_edits.Changes:
    return {
        name: now[name]
        for name, sent in edit.sent.items()
        if name in now and _is_same(name, sent, now[name])
    }


@dataclass(frozen=True, slots=True)
class SeenPrices:
    """before: the platform's product as it was listed the last time; here: as the till shows it.
    words_before, words: those of the units then and now, by id."""

    before: Product
    here: Product | None
    words_before: Mapping[str, str]
    words: Mapping[str, str]


def _mixed(
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


def _kept_beside(
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
    value = None if owner is None else _pair_of(owner)[other]
    value = _pair_of(here)[other] if value is None else value
    return {} if value == _pair_of(theirs)[other] else {other: value}


def _pair_of(owner: ProductFields) -> dict[str, catalogue_edits.FieldValue]:
    return catalogue_edits.values_of(owner, dict.fromkeys(_PAIR))


def _with_pair(
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


_PAIR = ("price", "sale_unit_id")
_PRICE_PAIR = frozenset(_PAIR)
_PRICE_FIELDS = _PRICE_PAIR | {catalogue_edits.VARIANTS}


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
        and _is_same(name, done.changes[name], was[name])
        and not _is_same(name, sent, was[name])
        and _is_same(name, sent, now[name])
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
        if _is_same(name, value, was[name]) and not _is_same(name, value, is_now[name])
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
        was[name] == now[name] or (name in edit.sent and _is_same(name, edit.sent[name], now[name]))
        for name in names
    )


def _is_same(
    name: str, ours: catalogue_edits.FieldValue, theirs: catalogue_edits.FieldValue
) -> bool:
    """Whether the platform has this value."""
    return ours == theirs or (
        name == catalogue_edits.VARIANTS and variant_lists.is_same(ours, theirs)
    )


def decided(
    edit: catalogue_edits.CatalogueEdit, sides: Mapping[str, catalogue_edits.EditSide]
) -> EditMatch:
    """An edit after a person's answers: a field with our value is based on the platform's present
    value; a field with the platform's value is dropped. A price and its unit get one answer.

    Raises Invalid for a field that is not in conflict.
    """
    theirs = {conflict.field: conflict.theirs for conflict in edit.conflicts}
    if unknown := set(sides) - set(theirs):
        raise Invalid("no_conflict", field=min(unknown))
    sides = _with_pair(sides, theirs)
    dropped = {name for name, side in sides.items() if side is _THEIRS}
    if catalogue_edits.DELETED in dropped:
        return EditMatch({}, {}, ())
    changes = {name: value for name, value in edit.changes.items() if name not in dropped}
    if catalogue_edits.VARIANTS in dropped:
        changes |= _variants_left(edit)
    base = {
        name: theirs[name] if name in sides else edit.base[name]
        for name in changes
        if name in edit.base
    }
    open_still = tuple(one for one in edit.conflicts if one.field not in sides)
    return EditMatch(changes, base, open_still)


def priced_by(
    edit: catalogue_edits.CatalogueEdit, meeting: EditMatch, product: Product
) -> set[str]:
    """The articles whose price a person decided about by the answers that made `meeting` of an
    edit. product: as it is shown."""
    open_still = {one.field for one in meeting.conflicts}
    answered = {one.field: one for one in edit.conflicts if one.field not in open_still}
    priced: set[str] = set()
    if "price" in answered:
        priced |= costing(product, edit.article_id)
    if catalogue_edits.VARIANTS in answered:
        one = answered[catalogue_edits.VARIANTS]
        asked = variant_lists.conflicts_in(one.base or (), one.ours, one.theirs)
        priced |= {x.variant.id for x in asked if "price" in {*(x.ours or ()), *(x.theirs or ())}}
    return priced


def costing(product: Product | None, article_id: str) -> set[str]:
    """The articles that cost what an article costs: itself, and of a product each variant without a
    price of its own."""
    is_whole = product is not None and article_id == product.id
    followers = product.followers if product is not None and is_whole else ()
    return {article_id, *(one.id for one in followers)}


def is_settled(conflict: catalogue_edits.FieldConflict) -> bool:
    """Whether nothing is in conflict any more since the field was changed here."""
    ours, theirs = conflict.ours, conflict.theirs
    if conflict.field != catalogue_edits.VARIANTS:
        return bool(ours == theirs)
    return not variant_lists.conflicts_in(conflict.base or (), ours, theirs)


def _variants_left(edit: catalogue_edits.CatalogueEdit) -> catalogue_edits.Changes:
    """What was changed of the variants here and is in no conflict."""
    name = catalogue_edits.VARIANTS
    ours, theirs = edit.changes[name], edit.asked[name]
    kept = variant_lists.merged(edit.base.get(name, ours), theirs, ours)
    return {} if variant_lists.is_same(kept, theirs) else {name: kept}


def as_one(
    added: catalogue_edits.CatalogueEdit,
    ours: Product,
    theirs: Product,
    sides: Mapping[str, catalogue_edits.EditSide],
) -> tuple[catalogue_edits.Changes, catalogue_edits.Changes]:
    """The changes that an article made here brings to the platform's article of its EAN by a
    person's answers, and the platform's values of those that are still to be decided. The answer
    about the EAN or code is that about all fields without one.

    | ours | theirs | shown | side   | changes | asked |
    | 12   |        |       | any    | 12      |       |
    |      | 10     |       | any    |         |       |
    | 12   | 10     | 10    | ours   | 12      |       |
    | 12   | 10     | 10    | theirs |         |       |
    | 12   | 10     | 10    |        | 12      | 10    |
    | 12   | 10     | 9     | either | 12      | 10    |
    """
    whole = sides.get("ean", sides.get("sku"))
    sides = _with_pair(sides, [one.field for one in added.fields_apart])
    changes, asked, shown = {}, {}, added.asked
    now = catalogue_edits.compared(theirs)
    for name, value in catalogue_edits.compared(ours).items():
        one = catalogue_edits.FieldConflict(name, None, value, now[name])
        side = sides.get(name, whole)
        if name in catalogue_edits.CODES or one.is_equal:
            continue
        if one.is_one_sided:
            side = _THEIRS if catalogue_edits.has_no_value(value) else catalogue_edits.EditSide.OURS
        elif shown.get(name, ...) != now[name]:
            side = None
        if side is not _THEIRS:
            changes[name] = value
        if side is None:
            asked[name] = now[name]
    return changes, asked


def removals_wait(*, gone: int, known: int) -> bool:
    """Whether so many removals at once wait for a manager: 5 or 10 %, whichever is more."""
    return gone >= 5 and gone * 10 >= known
