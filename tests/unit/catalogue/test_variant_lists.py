"""Lists of a product's variants of two sides, and what they were before."""

from __future__ import annotations

from typing import Any

from pos_app.domain.article.product import ProductType, Variant
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.selling.synchronisation import variant_lists
from tests.sweep import each

Variants = tuple[Variant, ...]


def variant(id_: str, price: str, **fields: Any) -> Variant:
    told = {"name": "Сок", "tax_label": TaxLabel.E, **fields}
    return Variant(id=id_, price=Money(price), **told)


def only(price: str) -> Variants:
    """A list with a variant of that price; "" for none."""
    return (variant("мали", price),) if price else ()


@each(
    ("base", "ours", "theirs", "becomes", "in_conflict"),
    [
        ("10", "12", "10", "12", False),
        ("10", "10", "11", "11", False),
        ("10", "12", "12", "12", False),
        ("10", "12", "11", "12", True),
        ("10", "12", "", "12", True),
        ("10", "", "11", "", True),
        ("10", "", "10", "", False),
        ("10", "10", "", "", False),
        ("", "12", "", "12", False),
        ("", "", "11", "11", False),
        ("", "12", "11", "12", True),
    ],
)
def test_one_variant_of_two_sides(
    base: str, ours: str, theirs: str, becomes: str, in_conflict: bool
) -> None:
    both = variant_lists.joined(*map(only, (base, ours, theirs)))
    assert (both.ours, both.has_conflicts) == (only(becomes), in_conflict)
    asked = variant_lists.conflicts_in(both.base, both.ours, only(theirs))
    assert bool(asked) is in_conflict, "the base tells what is asked about"
    for later in dict.fromkeys((base, theirs, "13")) if in_conflict else ():
        again = variant_lists.joined(both.base, both.ours, only(later), asked=only(theirs))
        assert (again.ours, again.has_conflicts) == (only(becomes), True), "until it is answered"
        assert variant_lists.conflicts_in(again.base, again.ours, only(later))
    met = variant_lists.joined(both.base, both.ours, only(becomes), asked=only(theirs))
    assert (met.ours, met.base, met.has_conflicts) == (only(becomes), only(becomes), False)


def test_each_variant_and_field_is_joined_by_itself() -> None:
    small, large = variant("мали", "11"), variant("велики", "12")
    ours = (variant("мали", "11", ean="8600123450144"), variant("средњи", "15"))
    theirs = (large, variant("мали", "20"), variant("дупли", "19"))
    both = variant_lists.joined((small, large), ours, theirs)
    wanted = (variant("мали", "20", ean="8600123450144"), theirs[2], ours[1])
    assert (both.ours, both.base, both.has_conflicts) == (wanted, theirs, False)


def test_what_was_lost_is_asked_about_though_nobody_changed_it() -> None:
    ours = (variant("мали", "11"), variant("велики", "12"))
    theirs = (variant("мали", "10"),)
    both = variant_lists.joined(ours, ours, theirs, is_lost=True)
    assert (both.ours, both.has_conflicts) == (ours, True)
    asked = variant_lists.conflicts_in(both.base, both.ours, theirs)
    assert [(one.variant.id, one.ours, one.theirs) for one in asked] == [
        ("мали", {"price": Money(11)}, {"price": Money(10)}),
        ("велики", {"price": Money(12)}, None),
    ]


def test_what_arrived_of_a_sent_list_is_no_change_of_theirs() -> None:
    base = (variant("мали", "11"), variant("велики", "12"), variant("дупли", "19"))
    sent = (variant("мали", "13"), variant("велики", "14"), variant("средњи", "15"))
    theirs = (variant("мали", "13"), variant("велики", "16"), variant("средњи", "17"))
    known = (variant("мали", "13"), variant("велики", "12"), variant("средњи", "15"))
    assert variant_lists.arrived(base, sent, theirs) == known
    assert variant_lists.arrived(base, sent, base) == base, "it did not arrive"


def test_a_field_that_the_platform_fills_in_is_no_difference() -> None:
    ours = (variant("мали", "11"),)
    theirs = (variant("мали", "11", product_type=ProductType.PRODUCT, has_variants=False),)
    assert variant_lists.is_same(ours, theirs)
    both = variant_lists.joined((), ours, theirs)
    assert (both.ours, both.has_conflicts) == (theirs, False)
