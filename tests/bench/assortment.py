"""A large assortment with names as a Serbian shop would have them; it is the same each time."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

from pos_app.domain.article.barcodes import check_digit
from pos_app.wire.strict_json import dumps

_GOODS: dict[str, tuple[str, ...]] = {
    "Пекара": ("Хлеб", "Кифла", "Бурек", "Погача", "Ђеврек", "Пита", "Лепиња", "Штрудла"),
    "Млечно": ("Сир", "Млеко", "Јогурт", "Кајмак", "Павлака", "Качкаваљ", "Маслац", "Сурутка"),
    "Воће и поврће": ("Јабука", "Шљива", "Купус", "Парадајз", "Крушка", "Шаргарепа", "Лук"),
    "Пиће": ("Сок", "Вода", "Пиво", "Вино", "Ракија", "Чај", "Кафа", "Сируп", "Лимунада"),
    "Слатко": ("Чоколада", "Бомбоне", "Кекс", "Напољитанке", "Мармелада", "Мед", "Слатко"),
    "Месара": ("Пилетина", "Ћуфте", "Ћевапи", "Сланина", "Шунка", "Салама", "Пршута"),
    "Конзерве": ("Сардина", "Туњевина", "Ајвар", "Паштета", "Грашак", "Кукуруз", "Џем"),
    "Намирнице": ("Брашно", "Шећер", "Со", "Уље", "Пиринач", "Супа", "Сирће", "Зачин"),
    "Хигијена": ("Шампон", "Сапун", "Крема", "Паста за зубе", "Марамице", "Четка", "Дезодоранс"),
    "Хемија": ("Детерџент", "Омекшивач", "Средство за судове", "Избељивач", "Сунђер"),
    "Текстил": ("Мајица", "Чарапе", "Кошуља", "Џемпер", "Шал", "Пешкир", "Сукња", "Јакна"),
    "Алат": ("Шраф", "Завртањ", "Чекић", "Кључ", "Бургија", "Лепак", "Сијалица", "Продужни кабл"),
}  # fmt: skip
_KINDS = (
    "бели", "црни", "ражани", "млади", "зрели", "димљени", "свежи", "слатки", "љути", "благи",
    "домаћи", "посни", "класик", "екстра", "мини", "породични", "сељачки", "планински", "светли",
    "тамни", "слани", "кисели", "са сиром", "са орасима", "од шљива", "од јагода", "са чилијем",
    "без шећера", "интегрални", "сезонски",
)  # fmt: skip
_MAKERS = (
    "Липа", "Златна", "Њива", "Брезовица", "Šumadija", "Дунавка", "Čarobni", "Зимница",
    "Đurđevak", "Moravka", "Јелица", "Тиса", "Žitko", "Градска", "Панонка", "Сунчица", "Ključ",
    "Воћњак", "Шафран", "Ветрић", "Пашњак", "Љиљан", "Медвед", "Кормилар",
)  # fmt: skip
_SIZES = (
    "100 g", "150 g", "200 g", "250 g", "400 g", "500 g", "1 kg", "0,2 l", "0,5 l", "1 l",
    "1,5 l", "2 l", "6/1", "10/1", "S", "M", "L", "XL", "42", "8 mm",
)  # fmt: skip
_SPACE = uuid.UUID("6f2c1f0a-1f2e-4f57-9c53-3d5a7f0b8e11")
_PIECE, _KILOGRAM = (str(uuid.uuid5(_SPACE, unit)) for unit in ("ком", "kg"))
_LATIN = str.maketrans("абвгдезијклмнопрстћуфхцчшђж", "abvgdezijklmnoprstćufhcčšđž")


def small_parts() -> dict[str, list[dict[str, Any]]]:
    return {
        "stores": [{"id": str(uuid.uuid5(_SPACE, "store")), "name": "Робна кућа"}],
        "units": [
            {"id": _PIECE, "name": "комад", "symbol": "ком"},
            {"id": _KILOGRAM, "name": "килограм", "symbol": "kg"},
        ],
        "categories": [
            {"id": _category(name), "name": name, "position": place}
            for place, name in enumerate(_GOODS, 1)
        ],
    }


def products(count: int) -> Iterator[dict[str, Any]]:
    """`count` articles; each twentieth product has three variants."""
    chance = random.Random(20261120)
    sku = 0
    while sku < count:
        sku += 1
        product = _product(chance, sku)
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


def _product(chance: random.Random, sku: int) -> dict[str, Any]:
    category = chance.choice(tuple(_GOODS))
    name = f"{chance.choice(_GOODS[category])} {chance.choice(_KINDS)} {chance.choice(_MAKERS)}"
    if chance.random() < 0.3:
        name = name.lower().translate(_LATIN).capitalize()
    return {
        "id": str(uuid.uuid5(_SPACE, f"article {sku}")),
        "name": f"{name} {chance.choice(_SIZES)}",
        "sku": sku,
        "manufacturerSku": f"PR-{sku * 7 % 100_000}" if sku % 5 == 0 else None,
        "ean": ean_of(sku),
        "price": Decimal(chance.randrange(1500, 300_000)).scaleb(-2),
        "taxRateLabel": chance.choice("ЂЂЕ"),
        "productType": "product",
        "saleUnitId": _KILOGRAM if category == "Воће и поврће" else _PIECE,
        "baseUnitId": _PIECE,
        "quantityPerBaseUnit": 1,
        "categories": [_category(category)],
        "subtitle": "За сваки дан",
        "description": "<p>Производ за свакодневну употребу, чувати на хладном и сувом.</p>",
        "descriptionPlain": "Производ за свакодневну употребу, чувати на хладном и сувом.",
        "weight": None,
        "dimensions": None,
        "hasVariants": False,
        "variantName": None,
        "variants": [],
        "images": [],
        "coverImage": None,
        "createdAt": "2026-09-01T05:30:00.000Z",
        "updatedAt": "2026-09-01T05:30:00.000Z",
        "deletedAt": None,
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


_NOT_OF_VARIANTS = frozenset({"variants", "images", "createdAt", "updatedAt", "deletedAt"})


def _category(name: str) -> str:
    return str(uuid.uuid5(_SPACE, f"category {name}"))
