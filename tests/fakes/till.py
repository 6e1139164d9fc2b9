"""A till to sell at, for tests: articles, a codec of plain text, keys that count up."""

from __future__ import annotations

from itertools import count

from pos_app.clock import Clock
from pos_app.domain.article.article import Article
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.operations import OperationRequest
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.selling.sale.checkout import ReceiptDetails
from pos_app.selling.sale.ports import Carts, Till

CASHIER = "Мира"
ON_PAPER = ReceiptDetails(ReceiptDelivery(thermal=True))


class PlainCodec:
    """Writes a request as text, which is enough to tell two requests apart."""

    def encode(self, request: OperationRequest) -> bytes:
        return repr(request).encode()


def till_of(carts: Carts, clock: Clock, *, first_key: int = 1) -> Till:
    """A till whose keys are 000…1, 000…2 and so on."""
    numbers = count(first_key)
    return Till(carts, clock, PlainCodec(), lambda: f"{next(numbers):032x}")


def article(
    name: str = "Хлеб бели",
    price: str | None = "58.99",
    *,
    by_weight: bool = False,
    open_price: bool = False,
    sku: int | None = 90,
) -> Article:
    return Article(
        id=f"id of {name}",
        product_id=f"id of {name}",
        name=name,
        label=TaxLabel.E,
        sku=sku,
        ean="8600123450144",
        manufacturer_sku=None,
        variant_name=None,
        price=None if price is None else Money(price),
        unit="кг" if by_weight else "ком",
        unit_name="",
        by_weight=by_weight,
        category_ids=(),
        picture=None,
        pinned=False,
        open_price=open_price,
        barcodes=(),
    )


BREAD = article()
BANANA = article("Банана", "189.99", by_weight=True, sku=94)
MILK = article("Млеко", "139.99", sku=95)
