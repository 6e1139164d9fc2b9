"""The fault of a value is reported with its path, in the API's wording where its kind says so."""

from __future__ import annotations

import pytest

from pos_app.domain.money.money import Quantity, UnitPrice
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.wire.reading import WORDED, at


def _told(fault: Invalid) -> str:
    def fail(_: object) -> None:
        raise fault

    with pytest.raises(Invalid) as raised:
        at("items[0].sku", fail, None)
    assert raised.value.field == "items[0].sku"
    return raised.value.what


def test_the_kind_says_whether_a_fault_is_in_the_wording_of_the_api() -> None:
    for kind, told in {
        WORDED: "must be mine",
        "form": "is not valid: must be mine",
        "negative": "must be greater than or equal to 0",
        "date": "must be a valid ISO 8601 date and time",
    }.items():
        assert _told(Invalid(kind, what="must be mine")) == f'"items[0].sku" {told}'
    assert _told(Invalid(what="must be mine")) == '"items[0].sku" is not valid: must be mine'


def test_the_domain_raises_the_kinds_that_are_worded_here() -> None:
    for value, build, told in (
        ("soon", from_text, "must be a valid ISO 8601 date and time"),
        ("-1", UnitPrice, "must be greater than or equal to 0"),
        ("0", Quantity, "must be greater than 0"),
        ("much", Quantity, "must be a number"),
    ):
        with pytest.raises(Invalid, match=told):
            at("it", build, value)
