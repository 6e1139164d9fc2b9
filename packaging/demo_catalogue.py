"""Writes `resources/demo/catalogue.json`, the demo store in the shape of the platform's own lists.

Sources, all in `resources/demo/`: `shop.json` (the store, units, categories in order),
`articles.csv` (one article a line, columns as `Row`) and `pictures/`. `resources/demo/README.md`
explains the columns, and why an article has its tax label.

    python packaging/demo_catalogue.py

The same sources always give the same bytes: ids are UUIDs of version 5, instants are fixed.
"""

from __future__ import annotations

import csv
import html
import json
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias

# Amounts are Decimal, so that they keep their two decimals in the JSON.
Json: TypeAlias = "bool | int | str | Decimal | list[Json] | dict[str, Json] | None"
Members: TypeAlias = dict[str, Json]

DEMO = Path(__file__).resolve().parent.parent / "resources" / "demo"
# The number has one purpose: the ids of the first six categories begin with bytes 0…5 modulo 8,
# so that their initials get the colours in the order of the palette (bakery sand, dairy blue,
# fruit green, drinks teal, sweets pink, meat red).
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:pos-app:demo:6703653")
CREATED = "2026-09-01T05:30:00.000Z"
SIZES = ("original", "64x64", "128x128", "256x256", "512x512", "1024x1024")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of articles.csv, as written there; an empty cell is ""."""

    sku: str  # empty: a parent of variants
    parent: str  # the parent's name, on a variant
    variant: str
    name: str
    price: str  # dinars, VAT included; empty: a parent or an open price
    tax: str
    unit: str  # symbol of the unit it is sold in
    base: str  # symbol of the unit of its content
    per: str  # content of one sold unit, in base units
    category: str  # several are joined with |
    ean: str
    maker: str  # the manufacturer's own code
    type: str
    marks: str  # words: pinned, open
    picture: str  # file in pictures/, without .png
    weight: str  # kg, packaging included
    dimensions: str  # cm, WIDTHxDEPTHxHEIGHT
    subtitle: str
    description: str  # HTML


def main() -> None:
    target = DEMO / "catalogue.json"
    target.write_text(written(catalogue(DEMO)), encoding="utf-8", newline="\n")
    print(f"{target.name}: {target.stat().st_size} bytes")


def catalogue(folder: Path) -> dict[str, list[Members]]:
    shop = json.loads((folder / "shop.json").read_text(encoding="utf-8"))
    rows = read_articles(folder / "articles.csv")
    return {
        "stores": [{"id": identity("store", shop["store"]["name"]), **shop["store"]}],
        "units": [{"id": identity("unit", unit["symbol"]), **unit} for unit in shop["units"]],
        "categories": [
            {"id": identity("category", name), "name": name, "position": position}
            for position, name in enumerate(shop["categories"], start=1)
        ],
        "products": list(products(rows, folder / "pictures")),
    }


def read_articles(path: Path) -> list[Row]:
    """Raises ValueError naming missing or unknown columns."""
    with path.open(encoding="utf-8", newline="") as lines:
        table = csv.DictReader(lines, delimiter=";", strict=True)
        wrong = {field.name for field in fields(Row)} ^ set(table.fieldnames or ())
        if wrong:
            raise ValueError(f"{path.name}: missing or unknown columns {sorted(wrong)}")
        return [Row(**line) for line in table]


def products(rows: Iterable[Row], pictures: Path) -> Iterable[Members]:
    children: dict[str, list[Row]] = {}
    rows = list(rows)
    for row in rows:
        children.setdefault(row.parent, []).append(row)
    for row in children[""]:
        variants = children.get(row.name, []) if not row.sku else []
        yield product(row, variants, pictures)


def product(row: Row, variants: list[Row], pictures: Path) -> Members:
    """A Product as the platform lists it. A parent has the price of its first variant."""
    shown = common(row, pictures)
    if variants:
        shown |= {"price": amount(variants[0].price), "hasVariants": True}
    picture = shown.pop("coverImage")
    return {
        **shown,
        "variants": [common(variant, pictures) for variant in variants],
        "images": [picture["id"]] if isinstance(picture, dict) else [],
        "coverImage": picture,
        "createdAt": CREATED,
        "updatedAt": CREATED,
        "deletedAt": None,
        **own_members(row),
    }


def common(row: Row, pictures: Path) -> Members:
    return {
        "id": article_id(row),
        "name": row.name,
        "sku": int(row.sku) if row.sku else None,
        "ean": row.ean or None,
        "price": amount(row.price),
        "taxRateLabel": row.tax,
        "productType": row.type,
        "saleUnitId": identity("unit", row.unit),
        "baseUnitId": identity("unit", row.base),
        "quantityPerBaseUnit": Decimal(row.per),
        "categories": [identity("category", name) for name in row.category.split("|")],
        "subtitle": row.subtitle or None,
        "description": row.description or None,
        "descriptionPlain": plain(row.description) or None,
        "manufacturerSku": row.maker or None,
        "weight": amount(row.weight),
        "dimensions": row.dimensions or None,
        "hasVariants": False,
        "variantName": row.variant or None,
        "coverImage": cover(row, pictures),
    }


def own_members(row: Row) -> Members:
    """Our own members, which the platform doesn't have; present only where they are true."""
    marks = row.marks.split()
    wanted = {"pinned": "pinned", "open": "openPrice"}
    return {member: True for mark, member in wanted.items() if mark in marks}


def cover(row: Row, pictures: Path) -> Members | None:
    """The File of the article's picture; `urls` are relative to the demo folder."""
    if not row.picture:
        return None
    filename = f"{row.picture}.png"
    address = f"{pictures.name}/{filename}"
    return {
        "id": identity("file", filename),
        "filename": filename,
        "originalFilename": filename,
        "mimetypeFilename": "image/png",
        "size": (pictures / filename).stat().st_size,
        "reference": "product",
        "referenceId": article_id(row),
        "private": False,
        "urls": dict.fromkeys(SIZES, address),
        "createdAt": CREATED,
        "updatedAt": CREATED,
        "deletedAt": None,
    }


def article_id(row: Row) -> str:
    """An id made of the sku, so that an article may be renamed; that of a parent is made of its
    name."""
    return identity("sku", row.sku) if row.sku else identity("parent", row.name)


def identity(kind: str, key: str) -> str:
    return str(uuid.uuid5(NAMESPACE, f"{kind}/{key}"))


def amount(text: str) -> Decimal | None:
    return Decimal(text) if text else None


def plain(description: str) -> str:
    """The text of our simple HTML, a line for each paragraph or list item.

    | description            | plain       |
    |------------------------|-------------|
    | <p>a <b>b</b></p>      | a b         |
    | <p>a</p><p>b &amp; c</p> | a⏎b & c   |
    | <ul><li>a</li><li>b</li></ul> | a⏎b  |
    """
    lines = re.sub(r"</(?:p|li)>|<br>", "\n", description)
    return html.unescape(re.sub(r"<[^>]+>", "", lines)).strip()


def written(document: Mapping[str, list[Members]]) -> str:
    lists = []
    for name, members in document.items():
        lines = ",\n".join(to_json(member) for member in members)
        lists.append(f"{to_json(name)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(lists) + "\n}\n"


def to_json(value: Json) -> str:
    """Writes JSON as json.dumps does, but a Decimal keeps its digits: 165.00, not 165.0."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, list):
        return "[" + ",".join(to_json(member) for member in value) + "]"
    if isinstance(value, dict):
        members = (f"{to_json(name)}:{to_json(member)}" for name, member in value.items())
        return "{" + ",".join(members) + "}"
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    main()
