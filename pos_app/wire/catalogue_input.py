"""The bodies by which a caller adds or changes a product, a unit or a category.

Source: platform-api.md (Product), platform-contract.md 2.1 to 2.4. Units and categories are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, model_validator

from pos_app.domain.article.fields import SHARED_FIELDS
from pos_app.domain.article.product import ProductType, parse_dimensions
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import LONGEST_CASHIER, LONGEST_UNIT
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.wire.input import (
    RESPONSE_ONLY,
    EanText,
    Input,
    Moment,
    Name,
    NotNegative,
    Price,
    Sku,
    Uuid,
    Whole,
    at_most,
    check_required,
    one_of,
    read_input,
    wrong,
)
from pos_app.wire.tax_labels import LabelText

MOST_VARIANTS = 500
MOST_IMAGES = MOST_CATEGORIES = 100
REQUIRED = tuple(one.wire_name for one in SHARED_FIELDS if one.is_required)
_ANSWERED = frozenset(one.wire_name for one in SHARED_FIELDS if one.is_answered)
_ANSWERED_OF_PRODUCT = _ANSWERED | {"id", "updatedAt"}


def _dimensions(text: str) -> str:
    if text:
        try:
            parse_dimensions(text)
        except Invalid as error:
            raise wrong("must be written as WIDTHxDEPTHxHEIGHT in centimetres") from error
    return text


def _one_as_list(value: object) -> object:
    """Turn a single id into an array. The specification has two renditions: one shows an array of
    categories, the other a single id."""
    return [value] if isinstance(value, str) else value


class _FieldsInput(Input):
    """The members that products and variants share."""

    name: Name = ""
    sku: Sku | None = None
    manufacturer_sku: str | None = None
    description: str | None = None
    sale_unit_id: Uuid | None = None
    base_unit_id: Uuid | None = None
    quantity_per_base_unit: NotNegative | None = None
    price: Price | None = None
    tax_rate_label: LabelText = ""
    subtitle: str | None = None
    product_type: Annotated[str, PlainValidator(one_of(*ProductType))] | None = None
    weight: NotNegative | None = None
    dimensions: Annotated[str, AfterValidator(_dimensions)] | None = None
    has_variants: bool | None = None
    variant_name: str | None = None
    ean: EanText | None = None
    categories: Annotated[
        Annotated[list[Uuid], Field(max_length=MOST_CATEGORIES)] | None,
        BeforeValidator(_one_as_list),
    ] = None


class VariantInput(_FieldsInput):
    """A variant in the body of its product; `id` says which one it is."""

    id: Uuid | None = None

    @model_validator(mode="before")
    @classmethod
    def without_answered(cls, value: Any) -> Any:
        """Remove the members that only answers have."""
        if not isinstance(value, Mapping):
            return value
        return {name: item for name, item in value.items() if name not in _ANSWERED}


class ProductInput(_FieldsInput):
    """The body of adding or changing a product."""

    variants: Annotated[list[VariantInput], Field(max_length=MOST_VARIANTS)] | None = None
    images: Annotated[list[Uuid], Field(max_length=MOST_IMAGES)] | None = None
    created_at: Moment | None = None
    deleted_at: Moment | None = None


@dataclass(frozen=True, slots=True)
class VariantChange:
    """A body's change of one variant. path: the prefix of its members in the body. fields: the
    values by their names in the domain. members: the names of the members that were sent."""

    path: str
    id: str | None
    sku: int | None
    fields: dict[str, Any]
    members: frozenset[str]

    def check_complete(self) -> None:
        """Raise Invalid if the body lacks a member that a new variant needs."""
        check_required(dict.fromkeys(self.members), REQUIRED, self.path)


@dataclass(frozen=True, slots=True)
class ProductChange:
    """A body's change of a product. fields: the values by their names in the domain. variants: the
    whole list, or None if the body has none. is_deleted_row: whether the body has `deletedAt`;
    otherwise deleted_at means nothing."""

    fields: dict[str, Any]
    variants: tuple[VariantChange, ...] | None
    created_at: datetime | None
    deleted_at: datetime | None
    is_deleted_row: bool


def read_product_input(document: object, *, is_new: bool) -> ProductChange:
    """Read the body of a product. Raises Invalid, which names every field at fault."""
    shape = read_input(
        ProductInput, document, ignored=_ANSWERED_OF_PRODUCT, required=REQUIRED if is_new else ()
    )
    given = shape.model_fields_set
    fields = _fields(shape)
    if "images" in given:
        fields["images"] = tuple(dict.fromkeys(shape.images or ()))
    return ProductChange(
        fields=fields,
        variants=_variants(shape, document) if "variants" in given else None,
        created_at=_instant(shape.created_at),
        deleted_at=_instant(shape.deleted_at),
        is_deleted_row="deleted_at" in given,
    )


def _variants(shape: ProductInput, document: object) -> tuple[VariantChange, ...]:
    sent = document["variants"] if isinstance(document, Mapping) else ()
    return tuple(
        VariantChange(
            path=f"variants[{index}].",
            id=one.id,
            sku=one.sku,
            fields=_fields(one),
            members=frozenset(raw),
        )
        for index, (one, raw) in enumerate(zip(shape.variants or (), sent or (), strict=True))
    )


_EMPTY_IS_NONE = frozenset({"manufacturer_sku", "ean"})


def _fields(shape: _FieldsInput) -> dict[str, Any]:
    """Return the members that were sent, with the domain's names and types. A sku of null is left
    out, because a sku is never removed."""
    given = {
        name: getattr(shape, name)
        for name in _FieldsInput.model_fields
        if name in shape.model_fields_set
    }
    for name in _EMPTY_IS_NONE & given.keys():
        given[name] = given[name] or None
    if given.get("sku", 0) is None:
        del given["sku"]
    if "tax_rate_label" in given:
        given["tax_label"] = TaxLabel(given.pop("tax_rate_label"))
    if "product_type" in given:
        given["product_type"] = ProductType(given["product_type"] or ProductType.PRODUCT)
    if "categories" in given:
        given["categories"] = tuple(dict.fromkeys(given["categories"] or ()))
    return given


def _instant(text: str | None) -> datetime | None:
    return None if text is None else from_text(text)


# --- units and categories ----------------------------------------------------------------------


class UnitInput(Input):
    """The body of adding or changing a unit."""

    name: Name = ""
    symbol: Annotated[str, AfterValidator(at_most(LONGEST_UNIT))] | None = None
    position: Whole | None = None


class CategoryInput(Input):
    """The body of adding or changing a category."""

    name: Name = ""
    position: Whole | None = None


def read_unit(document: object, before: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return all members of a unit: of a new one, or of the unit `before` as `document` changes it.
    Raises Invalid. A unit without a symbol is printed with its name."""
    return _named(UnitInput, document, before, {"name": None, "symbol": "", "position": 0})


def read_category(document: object, before: Mapping[str, Any] | None) -> dict[str, Any]:
    return _named(CategoryInput, document, before, {"name": None, "position": 0})


def read_cashier(document: object, before: Mapping[str, Any] | None) -> dict[str, Any]:
    return _named(CashierInput, document, before, {"name": None})


class MergeInput(Input):
    """The body by which one unit or category takes the place of another."""

    into: Uuid


def read_merge(document: object) -> str:
    """Return the id of the one that stays. Raises Invalid."""
    return read_input(MergeInput, document, required=("into",)).into


class CashierInput(Input):
    """The body of adding or changing a cashier."""

    name: Annotated[Name, AfterValidator(at_most(LONGEST_CASHIER))] = ""


def _named(
    kind: type[Input],
    document: object,
    before: Mapping[str, Any] | None,
    defaults: Mapping[str, Any],
) -> dict[str, Any]:
    required = ("name",) if before is None else ()
    shape = read_input(kind, document, ignored=RESPONSE_ONLY, required=required)
    members = {**defaults, **(before or {})}
    for name, value in shape.model_dump(by_alias=True, exclude_unset=True).items():
        members[name] = defaults[name] if value is None else value
    return members
