"""The fault of a value is reported with its path, in the API's wording where its kind says so."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.api_client.status import status_from_json
from pos_app.domain.article.product import Product
from pos_app.domain.article.store import Store
from pos_app.domain.money.money import Quantity, UnitPrice
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.setup.platform_setup import PlatformChange
from pos_app.domain.text.instant import from_text
from pos_app.errors import Invalid
from pos_app.wire.catalogue import product_to_json
from pos_app.wire.catalogue_input import ProductInput, VariantInput
from pos_app.wire.reading import WORDED, at
from pos_app.wire.receipt import processor_receipt_from_json, signed_receipt_from_json
from pos_app.wire.records import from_json
from pos_app.wire.shop_notes import MarksShape
from pos_app.wire.store import store_to_json
from pos_app.wire.store_input import StoreInput
from pos_app.wire.strict_json import loads
from tests.sweep import each
from tests.unit.wire.hostile_documents import READERS, differing, stored


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


# --- bounds of records apply to optional values too ----------------------------------------------


def test_a_member_that_may_be_none_is_bounded_where_it_is_not() -> None:
    longest = "a" * 500
    assert from_json(PlatformChange, {"url": None}).url is None
    assert from_json(PlatformChange, {"url": longest}).url == longest
    with pytest.raises(Invalid) as told:
        from_json(PlatformChange, {"url": longest + "a"})
    assert told.value.field == "url"


# --- the till reads the status of a newer server and leaves out what it has no words for ---------


STATUS = Path(__file__).with_name("golden") / "status.json"


def told(member: str, **changes: object) -> dict[str, Any]:
    """A status whose first alarm or job differs in these members."""
    status: dict[str, Any] = loads(STATUS.read_bytes())  # type: ignore[assignment]
    status[member][0] |= changes
    return status


@each(
    ("member", "changes", "left"),
    [
        ("alarms", {"what": "flood"}, [9, 10]),
        ("jobs", {"method": "pigeon"}, [4]),
        ("jobs", {"state": "framed"}, [4]),
        ("jobs", {"trouble": "asleep"}, [3, 4]),
    ],
)
def test_other_kinds_are_left_out(member: str, changes: dict[str, object], left: list[int]) -> None:
    status = status_from_json(told(member, **changes))
    assert [one.id for one in getattr(status, member)] == left


def test_other_kinds_have_the_members_of_their_kind_all_the_same() -> None:
    with pytest.raises(Invalid, match='"receipts" must be a number'):
        status_from_json(told("alarms", what="flood", receipts="many"))


BARE: dict[str, Any] = {
    "sdcDateTime": "2026-11-20T13:00:00.1234567+01:00",
    "invoiceCounter": "1/42ПП",
    "invoiceNumber": "ABCD1234-ABCD1234-42",
    "signedBy": "ABCD1234",
    "encryptedInternalData": "AAAA",
}


@each(
    ("name", "odd"),
    [
        ("taxItems", [{"categoryType": "TaxOnNet", "categoryName": "ПДВ", "label": "Ђ"}]),
        ("taxItems", [{"categoryType": "TaxOnMoon", "categoryName": "ПДВ", "label": "Ђ",
         "rate": "20", "amount": "1.5"}]),
        ("taxItems", [{"categoryName": None}]),
        ("taxGroupRevision", "4."),
        ("messages", ["Успешно"]),
        ("totalCounter", "42nd"),
        ("address", 7),
    ],
)  # fmt: skip
def test_an_odd_member_that_is_not_guaranteed_is_not_told(name: str, odd: object) -> None:
    whole = processor_receipt_from_json(BARE | {name: odd, "tin": "100000008"})
    assert whole == processor_receipt_from_json(BARE | {"tin": "100000008"})
    with pytest.raises(Invalid):
        signed_receipt_from_json(BARE | {name: odd})


def test_a_number_that_is_written_as_a_text_is_read() -> None:
    tax = {"categoryType": "0", "categoryName": "О-ПДВ", "label": "Ђ", "rate": "20.00"}
    texts = {
        "totalCounter": " 42 ",
        "totalAmount": "120.00",
        "tin": 100000008,
        "taxItems": [tax | {"amount": "20.0000"}],
    }
    numbers = {
        "totalCounter": 42,
        "totalAmount": 120,
        "tin": "100000008",
        "taxItems": [tax | {"categoryType": 0, "rate": 20, "amount": 20}],
    }
    assert processor_receipt_from_json(BARE | texts) == processor_receipt_from_json(BARE | numbers)
    for beyond in ("1" + "0" * 30, "-1"):
        with pytest.raises(Invalid):  # a number that no receipt can have
            processor_receipt_from_json(BARE | {"totalCounter": beyond})


@each(("word", "number"), [("TaxOnNet", 0), (" taxontotal", 1), ("AmountPerQuantity", 2)])
def test_a_kind_of_tax_is_read_by_its_name(word: str, number: int) -> None:
    tax = {"categoryName": "О-ПДВ", "label": "Ђ", "rate": 20, "amount": 20}
    named, numbered = (BARE | {"taxItems": [tax | {"categoryType": it}]} for it in (word, number))
    read = processor_receipt_from_json(named)
    assert read == processor_receipt_from_json(numbered)
    assert read != processor_receipt_from_json(BARE)


@each(("year", "is_read"), [(1969, False), (1970, True), (2199, True), (2200, False)])
def test_a_moment_of_another_century_is_refused(year: int, is_read: bool) -> None:
    document = BARE | {"sdcDateTime": f"{year}-11-20T13:00:00+01:00"}
    with nullcontext() if is_read else pytest.raises(Invalid):
        signed_receipt_from_json(document)


@each("name", sorted(BARE))
def test_a_guaranteed_member_must_be_there(name: str) -> None:
    for document in ({k: v for k, v in BARE.items() if k != name}, BARE | {name: 5}):
        with pytest.raises(Invalid):
            processor_receipt_from_json(document)


BEFORE = stored()


@each("name", READERS)
def test_the_same_is_told_of_each_document(name: str) -> None:
    assert not differing(name, BEFORE[name])


def test_each_member_is_tried() -> None:
    product = product_to_json(Product(id="1", name="x", tax_label=TaxLabel.A))
    variant = product.keys() - {"variants", "images", "createdAt", "updatedAt", "deletedAt"}
    marks = {field.alias for field in MarksShape.model_fields.values()}
    store = store_to_json(Store(id="1", name="x"))
    tried = {name: reader.right.keys() for name, reader in READERS.items()}
    assert tried["a listed product"] == product.keys() | marks
    assert tried["a listed variant"] == variant | marks
    assert tried["a listed store"] == store.keys()
    for name, shape in (
        ("a product to be added", ProductInput),
        ("a product to be changed", ProductInput),
        ("a variant that is sent", VariantInput),
        ("a store to be added", StoreInput),
        ("a store to be changed", StoreInput),
    ):
        assert tried[name] == {field.alias or one for one, field in shape.model_fields.items()}
