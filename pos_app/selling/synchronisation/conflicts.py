"""Compares an edit with the platform's present product: what is still to be sent, what both sides
changed, and the effect of a person's answers; and whether removals wait for such an answer.

Source: platform-contract.md 6.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from pos_app.domain.article.product import Product, Variant
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation import catalogue_edits, price_and_unit, variant_lists
from pos_app.selling.synchronisation.price_and_unit import SeenPrices

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
    on it. theirs: None when the platform no longer has the product. Of a change that the platform
    lost (`was_lost`) base is what it had by it, so that an older value is a conflict. A field in
    conflict stays so, whatever its values become, until a person decides or both are equal. seen:
    the earlier prices; one side's price with the other one's unit is a conflict of both fields.
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
        if not is_same(name, ours, now[name])
        and (ours != known.get(name, ...) or edit.was_lost or name in asked)
    }
    both = {name for name in left if name in asked or known.get(name, now[name]) != now[name]}
    mixed = price_and_unit.mixed(seen_edit, left, both, seen, theirs)
    # the base of a mixed field is ours: it is based on no value that the platform has
    based = mixed - (both - {catalogue_edits.VARIANTS})
    base = {n: ours if n in based else known.get(n, now[n]) for n, ours in left.items()}
    kept = price_and_unit.kept_beside(edit, mixed, seen, owner)
    now = {**price_and_unit.pair_of(owner), **now}
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
        if name in now and is_same(name, sent, now[name])
    }


def is_same(
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
    sides = price_and_unit.with_pair(sides, theirs)
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
    sides = price_and_unit.with_pair(sides, [one.field for one in added.fields_apart])
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
