"""Products and stores with wrong members, and the fault of each: the choice of the first fault and
its words are part of the API.

Each member gets each kind of wrong value, and every two members a fault each. The results are
stored in `hostile_documents.json.gz`. After an intended change the file is made again, and the
documents whose result has changed are printed:

    .venv/bin/python -m tests.unit.wire.hostile_documents
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from pos_app.domain.article.product import ProductFields
from pos_app.domain.article.store import Store
from pos_app.errors import Invalid
from pos_app.wire.catalogue import read_product
from pos_app.wire.catalogue_input import read_product_input
from pos_app.wire.store import store_from_json
from pos_app.wire.store_input import read_store
from pos_app.wire.strict_json import dumps

STORED = Path(__file__).with_name("hostile_documents.json.gz")

Document = dict[str, Any]
Outcomes = dict[str, str]
"""By fault, the result of reading a document with it."""

_ID = "0d7f3a52-6f0c-4d5e-9a1b-6c1f5b8e2a47"
_INSTANT = "2026-09-01T05:30:00.000Z"
_ABSENT = object()
_VALUES: tuple[object, ...] = (
    _ABSENT, None, "", " ", "x\u0007", "service", _ID.upper(), "2026-02-30", "x" * 3000, 0, -1,
    Decimal("0.5"), Decimal("0.30000000000000004"), Decimal("1E+20"), True, [], [""], [["card", 1]],
    {}, {"id": _ID},
)  # fmt: skip
_FIELDS: Document = {
    "name": "Хлеб", "sku": 12, "manufacturerSku": "M-12", "description": "<p>x</p>",
    "saleUnitId": _ID, "baseUnitId": _ID, "quantityPerBaseUnit": Decimal("0.5"),
    "price": Decimal("149.90"), "taxRateLabel": "Ђ", "subtitle": "бели",
    "productType": "product", "weight": Decimal("0.2"), "dimensions": "30x20x2",
    "hasVariants": False, "variantName": "L", "ean": "8600123450144", "categories": [_ID],
}  # fmt: skip
_FILE: Document = {"id": _ID, "filename": "a.png", "size": 1, "createdAt": _INSTANT}
_LISTED: Document = {
    "id": _ID, **_FIELDS, "descriptionPlain": "x", "coverImage": _FILE, "pinned": True,
    "openPrice": False, "byWeight": None,
    "barcodes": [{"code": "77", "quantity": 6}],
}  # fmt: skip
_OF_PRODUCT: Document = {"variants": [], "images": [_ID], "createdAt": _INSTANT, "deletedAt": None}
_STORE: Document = {
    "name": "Пекара", "address": "Дунавска 1", "city": "Нови Сад", "zip": "21000", "gln": "1",
    "phone": "021", "language": "sr-Cyrl-RS",
    "printMethod": {"thermal": True},
    "printBankAccounts": True, "printDiscounts": True,
    "paymentMethodsOrder": [["cash"]],
    "productPickerType": "list", "isSoundEnabled": False,
    "defaultUnknownAmountAdvance": True,
}  # fmt: skip
_ODD: Mapping[str, tuple[object, ...]] = {
    "name": (" ",), "sku": (-1, Decimal("0.5")),
    "price": (-1, Decimal("0.001")),
    "weight": (-1,), "quantityPerBaseUnit": (-1,), "dimensions": ("x",), "saleUnitId": ("x",),
    "ean": ("x" * 5000,), "categories": (["x"],), "images": (["x"],), "createdAt": ("x",),
    "updatedAt": ("x",), "deletedAt": ("x",),
    "coverImage": ({**_FILE, "size": -1}, {**_FILE, "createdAt": "x"}),
    "barcodes": ([{"code": "77", "quantity": 0}],),
    "variants": ([{"id": _ID, "name": "L", "taxRateLabel": "Ђ", "sku": -1}],
     [{"id": _ID, "name": " ", "taxRateLabel": "Ђ"}], [{"id": _ID}]),
    "paymentMethodsOrder": ([[None]],),
}  # fmt: skip
"""These faults are found later than a value of no right shape; pairs of faults have both."""


class _Reader(NamedTuple):
    """read: the contents of a document, by name. right: a document without a fault, with all
    members. pairs: whether two faults are tried, too."""

    read: Callable[[Document], Mapping[str, object]]
    right: Document
    pairs: bool = True


def _listed(document: Document) -> Mapping[str, object]:
    product, marks = read_product(document)
    return _told(product) | {"marks": tuple(marks.values())}


def _listed_variant(document: Document) -> Mapping[str, object]:
    product, marks = read_product({**_FIELDS, "id": _ID, "variants": [document]})
    return _told(product.variants[0]) | {"marks": tuple(marks.values())}


def _input(document: Document, *, is_new: bool) -> Mapping[str, object]:
    change = read_product_input(document, is_new=is_new)
    instants = {"created_at": change.created_at, "deleted_at": change.deleted_at}
    return {**instants, "variants": change.variants, **change.fields}


def _input_variant(document: Document) -> Mapping[str, object]:
    change = read_product_input({**_FIELDS, "variants": [document]}, is_new=True)
    assert change.variants is not None
    (variant,) = change.variants
    variant.check_complete()
    return {"id": variant.id, **variant.fields}


def _told(record: ProductFields | Store) -> dict[str, object]:
    return {field.name: getattr(record, field.name) for field in fields(record)}


READERS: Mapping[str, _Reader] = {
    "a listed product": _Reader(_listed, {**_LISTED, **_OF_PRODUCT, "updatedAt": _INSTANT}),
    "a plain product": _Reader(_listed, {"id": _ID, **_FIELDS, "images": [_ID]}, pairs=False),
    "a listed variant": _Reader(_listed_variant, _LISTED),
    "a product to be added": _Reader(lambda document: _input(document, is_new=True),
     _FIELDS | _OF_PRODUCT),
    "a product to be changed": _Reader(lambda document: _input(document, is_new=False),
     _FIELDS | _OF_PRODUCT, pairs=False),
    "a variant that is sent": _Reader(_input_variant, {"id": _ID, **_FIELDS}),
    "a listed store": _Reader(lambda document: _told(store_from_json(document)),
     {"id": _ID, **_STORE}),
    "a store to be added": _Reader(lambda document: read_store(document, None), _STORE),
    "a store to be changed": _Reader(lambda document: read_store(document, _STORE), _STORE,
     pairs=False),
}  # fmt: skip


def outcomes(name: str) -> Outcomes:
    """The result of reading each hostile document of a reader, by fault."""
    reader = READERS[name]
    basis = _read(reader, reader.right)
    told = {"right": "; ".join(f"{one}={told}" for one, told in basis.items())}
    for changes in _changes(reader):
        document = {**reader.right, **changes}
        sent = {each: value for each, value in document.items() if value is not _ABSENT}
        wrong = " & ".join(f"{one} {_text(value)}" for one, value in changes.items())
        told[wrong] = _outcome(reader, sent, basis)
    return told


def _changes(reader: _Reader) -> Iterator[Document]:
    """Each member with each value, and every two with a fault each; one member is unknown."""
    members = [*reader.right, "unknown"]
    for member in members:
        for value in _VALUES:
            yield {member: value}
    if not reader.pairs:
        return
    bad = [{one: odd} for one in members for odd in (_misshapen(one), *_ODD.get(one, ()))]
    for one, other in combinations(bad, 2):
        if one.keys() != other.keys():
            yield one | other


def _misshapen(member: str) -> object:
    """A value of no shape that any member has."""
    return 1 if member in ("coverImage", "printMethod") else {"x": 1}


def _outcome(reader: _Reader, document: Document, basis: Mapping[str, str]) -> str:
    """Its fault; without one, the contents that differ from those of the right document."""
    try:
        read = _read(reader, document)
    except Invalid as error:
        values = "".join(f" · {name} {told}" for name, told in sorted(error.values.items()))
        return f"{error.what} · {error.field}{values}"
    differing = {one: told for one, told in read.items() if basis.get(one) != told}
    gone = [f"no {one}" for one in basis if one not in read]
    return "; ".join([*(f"{one}={told}" for one, told in differing.items()), *gone]) or "the same"


def _read(reader: _Reader, document: Document) -> dict[str, str]:
    return {one: _cut(repr(told)) for one, told in reader.read(document).items()}


def _text(value: object) -> str:
    return "absent" if value is _ABSENT else _cut(dumps(value).decode())


def _cut(text: str) -> str:
    return text if len(text) < 1000 else f"{text[:9]}… of {len(text)}"


def stored() -> dict[str, Outcomes]:
    """The stored results by reader."""
    found: dict[str, Outcomes] = json.loads(gzip.decompress(STORED.read_bytes()))
    return found


def differing(name: str, before: Outcomes) -> list[str]:
    """The documents of a reader that give another result now."""
    now, none = outcomes(name), "not tried"
    return [
        f"{name}, {document}:\n  was {before.get(document, none)}\n  is  {now.get(document, none)}"
        for document in {**before, **now}
        if before.get(document) != now.get(document)
    ]


if __name__ == "__main__":
    before = stored() if STORED.exists() else {}
    for each in READERS:
        sys.stdout.writelines(f"{one}\n" for one in differing(each, before.get(each, {})))
    made = json.dumps({each: outcomes(each) for each in READERS}, ensure_ascii=False)
    STORED.write_bytes(gzip.compress(made.encode(), mtime=0))
