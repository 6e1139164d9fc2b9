"""A manager's edits: their changes and their states.

Source: platform-contract.md 6: edits carry the version they were made from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from pos_app.domain.article.barcodes import code_key
from pos_app.domain.article.product import File, Product, ProductFields, ProductType, Variant
from pos_app.domain.receipt.request import FrozenArticle, PlatformArticle
from pos_app.errors import Invalid, NotAllowed
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.synchronisation import variant_lists

FieldValue = Any
"""A domain value of ProductFields: str, int, Decimal, Money, TaxLabel, tuple of ids, None."""
Changes = Mapping[str, FieldValue]
"""New values by field name of ProductFields ("name", "price", "tax_label", "categories"…)."""

VARIANTS = "variants"
"""The field of a product whose new value is the whole list of its variants."""
HAS_VARIANTS = "has_variants"
"""The field that nobody edits: it follows the list of variants."""
COVER = "cover_image"
IMAGES = "images"
"""The field of all photos of a product by their ids, the main one first."""
EDITABLE = {VARIANTS, IMAGES} | {field.name for field in fields(ProductFields)} - {
    "id",
    "description_plain",
    HAS_VARIANTS,
}
CODES = ("sku", "ean")
_ALWAYS_ASKED = frozenset({"price", "sale_unit_id"})
"""Fields that mean something without a value: the cashier enters the price, or it is of a piece."""
_FIRST_COMPARED = ("name", "price", "tax_label", "sale_unit_id", "ean")
_COMPARED = EDITABLE - {"sku", "variant_name", VARIANTS, COVER}
LOST_FIELD = "restored"
"""The field named for a change that the platform had, until it was put back from an older copy."""
DELETED = "deleted"
"""The field of a conflict about a product that the platform no longer has, and the field named for
an addition that brings it back there."""


class EditKind(StrEnum):
    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"
    NOTE = "note"
    """A mark of this shop alone; a platform has no field for it."""


class EditState(StrEnum):
    WAITING = "waiting"
    SENDING = "sending"
    CONFLICT = "conflict"
    """The platform changed the same field: a person decides."""
    REFUSED = "refused"
    """The platform refused the edit: a person corrects or drops it."""
    DONE = "done"
    DROPPED = "dropped"
    """The platform's value counts, or a person took the edit back."""
    KEPT = "kept"
    """The edit is this shop's own, and is never sent."""


_E = EditState
MOVES: Mapping[EditState, frozenset[EditState]] = MappingProxyType({
    _E.WAITING: frozenset({_E.SENDING, _E.CONFLICT, _E.DONE, _E.DROPPED}),
    # WAITING: surely not done, or sending it again does no harm. An addition without an answer
    # stays SENDING until the platform's list shows whether it was made.
    _E.SENDING: frozenset({_E.WAITING, _E.CONFLICT, _E.REFUSED, _E.DONE}),
    _E.CONFLICT: frozenset({_E.WAITING, _E.DONE, _E.DROPPED}),
    _E.REFUSED: frozenset({_E.WAITING, _E.CONFLICT, _E.DONE, _E.DROPPED}),
    _E.DONE: frozenset(),
    _E.DROPPED: frozenset(),
    _E.KEPT: frozenset(),
})  # fmt: skip

OPEN = frozenset({_E.WAITING, _E.SENDING, _E.CONFLICT, _E.REFUSED})
"""The till shows a product with these edits."""


class EditSide(StrEnum):
    OURS = "ours"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdit:
    """An edit to be recorded. article_id: the product's own id or a variant's.

    product: all fields, when one is added. at: UTC.
    """

    kind: EditKind
    product_id: str
    article_id: str
    changes: Changes
    by: str
    at: datetime
    product: Product | None = None

    @classmethod
    def adding(cls, product: Product, *, by: str, at: datetime) -> NewEdit:
        return cls(
            kind=EditKind.ADD,
            product_id=product.id,
            article_id=product.id,
            changes={},
            by=by,
            at=at,
            product=product,
        )

    @classmethod
    def changing(
        cls, product_id: str, article_id: str, changes: Changes, *, by: str, at: datetime
    ) -> NewEdit:
        """New values of fields. Raises Invalid for an empty change or a field that nobody edits."""
        if not changes:
            raise Invalid("empty.edit")
        for name in changes:
            if name not in EDITABLE:
                raise Invalid("not_editable", field=name)
        return cls(
            kind=EditKind.UPDATE,
            product_id=product_id,
            article_id=article_id,
            changes=dict(changes),
            by=by,
            at=at,
        )

    @classmethod
    def deleting(cls, product_id: str, *, by: str, at: datetime) -> NewEdit:
        return cls(
            kind=EditKind.DELETE,
            product_id=product_id,
            article_id=product_id,
            changes={},
            by=by,
            at=at,
        )


@dataclass(frozen=True, slots=True)
class FieldConflict:
    field: str
    base: FieldValue
    ours: FieldValue
    theirs: FieldValue

    @property
    def is_one_sided(self) -> bool:
        """Whether only one side has a value, which is kept where two articles become one."""
        if self.field in _ALWAYS_ASKED:
            return False
        return has_no_value(self.ours) or has_no_value(self.theirs)

    @property
    def is_equal(self) -> bool:
        return self.ours == self.theirs or (has_no_value(self.ours) and has_no_value(self.theirs))


def has_no_value(value: FieldValue) -> bool:
    """Whether nobody gave a field this value."""
    return value in (None, "", ()) or value is ProductType.PRODUCT


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEdit:
    """A recorded edit. key: hex, the same each time it is sent. base: the earlier values of the
    fields.

    base_version: the platform's `updatedAt` of the product it was made from, as listed, or None for
    a product that the platform does not have yet. error: the reason of the platform's refusal;
    error_field: the wrong member, where it named one. sent: the fields that were sent to the
    platform and had no clear answer, as they were sent.
    """

    id: int
    key: str
    kind: EditKind
    product_id: str
    article_id: str
    changes: Changes
    base: Changes
    base_version: str | None
    state: EditState
    by: str
    at: datetime
    error: str = ""
    error_field: str = ""
    conflicts: tuple[FieldConflict, ...] = ()
    sent: Changes = field(default_factory=dict)

    @property
    def may_be_there(self) -> bool:
        """Whether it is open, and was sent to the platform without a clear answer so far."""
        is_sent = self.state is EditState.WAITING and bool(self.sent)
        return is_sent or self.state is EditState.SENDING

    @property
    def can_go_back(self) -> bool:
        """Whether a person can take it back while it is on its way, or refused. The outcome of an
        addition is known first, and what is deleted is shown no more."""
        if self.state is EditState.SENDING:
            return self.kind is EditKind.UPDATE
        return (
            self.state in (EditState.WAITING, EditState.REFUSED) and self.kind is not EditKind.ADD
        )

    @property
    def was_lost(self) -> bool:
        """Whether the platform had it, until it was put back from an older copy."""
        return self.error_field == LOST_FIELD

    @property
    def comes_back(self) -> bool:
        """Whether it adds what the platform has deleted."""
        return self.kind is EditKind.ADD and self.error_field == DELETED

    @property
    def is_of_ean(self) -> bool:
        """Whether the article made here collides with one that has the same EAN."""
        return any(
            one.field == "ean"
            and one.ours
            and one.theirs
            and code_key(str(one.ours)) == code_key(str(one.theirs))
            for one in self.conflicts
        )

    @property
    def asked(self) -> Changes:
        """The platform's values of the fields that are in conflict."""
        return {one.field: one.theirs for one in self.conflicts if one.field != DELETED}

    @property
    def is_of_two(self) -> bool:
        """Whether the article made here and one of the same EAN are to become one, or became one
        with the first answer."""
        return self.is_of_ean or (
            self.kind is EditKind.UPDATE and any(one.base == one.theirs for one in self.conflicts)
        )

    @property
    def fields_apart(self) -> tuple[FieldConflict, ...]:
        """The conflicts that are decided one by one. An article made here that has another one's
        code alone is decided as a whole, because the two are different goods. Fields of one that
        the platform deleted wait for the answer about that."""
        if self.kind is not EditKind.ADD:
            deleted = tuple(one for one in self.conflicts if one.field == DELETED)
            return deleted or self.conflicts
        fields = (one for one in self.conflicts if one.field not in CODES and not one.is_one_sided)
        return tuple(fields) if self.is_of_ean else ()


# --- decisions -----------------------------------------------------------------------------------


def check_move(old: EditState, new: EditState) -> None:
    """Raise NotAllowed unless an edit may go from `old` to `new`."""
    if new not in MOVES[old]:
        raise NotAllowed("edit_moved_on", old=str(old), new=str(new))


def owner_in(product: Product, article_id: str) -> ProductFields | None:
    if product.id == article_id:
        return product
    return next((one for one in product.variants if one.id == article_id), None)


def with_changes(product: Product, article_id: str, changes: Changes) -> Product:
    """The product with new values in it or in one of its variants.

    Raises Invalid when the product could not be sold so. A missing variant is skipped.
    """
    if product.id == article_id and VARIANTS in changes:
        product = product.with_variants(changes[VARIANTS])
    if product.id == article_id and IMAGES in changes:
        changes = {COVER: _cover_of(product, changes[IMAGES]), **changes}
    if product.id == article_id:
        return replace(product, **changes)
    variants = tuple(
        replace(one, **changes) if one.id == article_id else one for one in product.variants
    )
    return replace(product, variants=variants)


def applied(product: Product, edit: CatalogueEdit) -> Product:
    """The product with the new values of an edit. Of a list of variants it gets what the edit
    changed, because a variant may have other values by now."""
    changes, known = edit.changes, {**edit.base, **edit.asked}.get(VARIANTS)
    if known is not None and VARIANTS in changes:
        variants = variant_lists.merged(known, changes[VARIANTS], product.variants)
        changes = {**changes, VARIANTS: variants}
    return with_changes(product, edit.article_id, changes)


def photos_of(product: Product) -> tuple[str, ...]:
    """The ids of a product's photos, the main one first."""
    cover = product.cover_image
    if cover is None:
        return product.images
    return (cover.id, *(one for one in product.images if one != cover.id))


def _cover_of(product: Product, images: tuple[str, ...]) -> File | None:
    cover = product.cover_image
    if not images or (cover is not None and cover.id == images[0]):
        return cover if images else None
    return File(id=images[0], filename=images[0])


def compared(product: Product) -> Changes:
    """The values that a person sees of two articles with one code or EAN, as far as they differ."""
    names = dict.fromkeys([*_FIRST_COMPARED, *sorted(_COMPARED)])
    return {**values_of(product, names), IMAGES: photos_of(product)}


def values_of(owner: ProductFields, names: Mapping[str, FieldValue]) -> dict[str, FieldValue]:
    return {name: getattr(owner, name) for name in names}


def effective(
    platform: Product | None, edits: tuple[CatalogueEdit, ...], added: Product | None
) -> Product | None:
    """The product as the till shows it: the platform's with the open edits in it, in order.

    added: all fields of a product made at this till. The result is None when the product is
    deleted, or missing on both sides.
    """
    product = platform or added
    for edit in edits:
        if product is None or edit.kind is EditKind.DELETE:
            return None
        if edit.kind is EditKind.UPDATE:
            product = applied(product, edit)
    return product


# --- what a receipt shows ------------------------------------------------------------------------

_SHOWN_AS = {
    "name": "name",
    "variant_name": "name",
    "tax_label": "label",
    "sale_unit_id": "unit",
    "ean": "gtin",
}
"""The member of a FrozenArticle that a field of a product or variant decides."""
_OF_PRODUCT = frozenset({"name", "sale_unit_id"})
"""Fields of a product that its variants show too."""


def shown_members(
    article_id: str, kind: EditKind, changes: Changes, base: Changes, *, is_own: bool
) -> set[str]:
    """The members of an article's FrozenArticle that an open edit gives another value.

    is_own: the edit is about the article itself, not about the product that it is a variant of.
    """
    if kind is EditKind.ADD:
        return set(_SHOWN_AS.values())
    own = _changed(changes, base) & (_SHOWN_AS.keys() if is_own else _OF_PRODUCT)
    of_list = _changed(_variant(changes, article_id), _variant(base, article_id))
    return {_SHOWN_AS[name] for name in own | of_list}


def receipt_articles(
    sold: Sequence[PlatformArticle],
    ours: Mapping[str, FrozenArticle],
    changed: Mapping[str, set[str]],
) -> list[FrozenArticle]:
    """The articles of a code as a receipt shows them.

    | the platform sells | here | open edits change | shown                        |
    | a                  | a    | nothing           | the platform's a             |
    | a                  | a    | its label         | the platform's a, our label  |
    | b                  | a    | its label         | our a                        |
    | b                  | a    | nothing           | the platform's b             |

    sold: the platform's present articles. ours, changed: by id, the articles here, and the
    `shown_members` of their open edits.
    """
    theirs = {one.id: one.frozen for one in sold}
    shown = [
        replace(theirs.get(id_, one), **{name: getattr(one, name) for name in changed[id_]})
        for id_, one in ours.items()
        if changed[id_]
    ]
    return shown or [one.frozen for one in sold]


def _variant(changes: Changes, article_id: str) -> Changes:
    """The values of a variant in the new list of its product's variants; {} if not listed."""
    variants: Sequence[Variant] = changes.get(VARIANTS, ())
    found = next((one for one in variants if one.id == article_id), None)
    return {} if found is None else values_of(found, _SHOWN_AS)


def _changed(now: Changes, was: Changes) -> set[str]:
    return {name for name in _SHOWN_AS if name in now and now[name] != was.get(name, ...)}
