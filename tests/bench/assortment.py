"""A large assortment: the demo's articles, each from many makers; it is the same each time."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from pos_app.domain.article.barcodes import check_digit
from pos_app.wire.strict_json import dumps, loads

_DEMO: Any = loads(
    (Path(__file__).parents[2] / "resources" / "demo" / "catalogue.json").read_bytes()
)
_MAKERS = (
    "Липа", "Златна", "Њива", "Брезовица", "Šumadija", "Дунавка", "Čarobni", "Зимница",
    "Đurđevak", "Moravka", "Јелица", "Тиса", "Žitko", "Градска", "Панонка", "Сунчица", "Ključ",
    "Воћњак", "Шафран", "Ветрић", "Пашњак", "Љиљан", "Медвед", "Кормилар",
)  # fmt: skip
_SIZES = (
    "100 g", "150 g", "200 g", "250 g", "400 g", "500 g", "1 kg", "0,2 l", "0,5 l", "1 l",
    "1,5 l", "2 l", "6/1", "10/1", "S", "M", "L", "XL", "42", "8 mm",
)  # fmt: skip
_WORDS = "Производ за свакодневну употребу, чувати на хладном и сувом."
_SPACE = uuid.UUID("6f2c1f0a-1f2e-4f57-9c53-3d5a7f0b8e11")
(PIECES,) = (one["id"] for one in _DEMO["units"] if one["symbol"] == "ком")
_LATIN = str.maketrans("абвгдезијклмнопрстћуфхцчшђж", "abvgdezijklmnoprstćufhcčšđž")
_NOT_OF_VARIANTS = frozenset({"variants", "images", "createdAt", "updatedAt", "deletedAt"})


def small_parts() -> dict[str, list[dict[str, Any]]]:
    return {name: _DEMO[name] for name in ("stores", "units", "categories")}


def products(count: int) -> Iterator[dict[str, Any]]:
    """`count` articles; each twentieth product has three variants."""
    chance = random.Random(20261120)
    goods = [one for one in _DEMO["products"] if not one["variants"] and "openPrice" not in one]
    sku = 0
    while sku < count:
        sku += 1
        product = _product(chance, chance.choice(goods), sku)
        if sku % 60 == 0 and sku + 3 <= count:
            product |= {"hasVariants": True, "sku": None, "ean": None}
            product["variants"] = [_variant(product, sku + step, _SIZES[step]) for step in range(3)]
            sku += 2
        yield product


def ean_of(sku: int) -> str:
    digits = f"860{sku:09d}"
    return digits + check_digit(digits)


def write(path: Path, count: int) -> None:
    with path.open("wb") as file:
        parts = b",".join(dumps(name) + b":" + dumps(part) for name, part in small_parts().items())
        file.write(b"{" + parts + b',"products":[')
        for index, product in enumerate(products(count)):
            file.write((b",\n" if index else b"") + dumps(product))
        file.write(b"]}")


def _product(chance: random.Random, good: dict[str, Any], sku: int) -> dict[str, Any]:
    name = f"{good['name']} {chance.choice(_MAKERS)}"
    if chance.random() < 0.3:
        name = name.lower().translate(_LATIN).capitalize()
    return good | {
        "id": str(uuid.uuid5(_SPACE, f"article {sku}")),
        "name": f"{name} {chance.choice(_SIZES)}",
        "sku": sku,
        "manufacturerSku": f"PR-{sku * 7 % 100_000}" if sku % 5 == 0 else None,
        "ean": ean_of(sku),
        "price": Decimal(chance.randrange(1500, 300_000)).scaleb(-2),
        "subtitle": "За сваки дан",
        "description": f"<p>{_WORDS}</p>",
        "descriptionPlain": _WORDS,
        "pinned": False,
        "images": [],
        "coverImage": None,
    }


def _variant(product: dict[str, Any], sku: int, size: str) -> dict[str, Any]:
    fields = {name: value for name, value in product.items() if name not in _NOT_OF_VARIANTS}
    return fields | {
        "id": str(uuid.uuid5(_SPACE, f"variant {sku}")),
        "sku": sku,
        "ean": ean_of(sku),
        "variantName": size,
        "hasVariants": False,
    }
