"""The bodies that the document shows; the pages for integrators show the same."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from pos_app.domain.receipt.operations import Operation

_TABLE = {
    "quantity": 1,
    "unitPrice": 12000,
    "article": {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком"},
}
_PDF = {"receiptDelivery": {"pdf": True}}

EXAMPLES: Mapping[Operation, Mapping[str, Mapping[str, Any]]] = {
    Operation.ISSUE: {
        "sale": {
            "invoiceType": "normal",
            "transactionType": "sale",
            "payments": {"cash": 200},
            "items": [{"sku": 1, "quantity": 2, "unitPrice": Decimal("58.99")}],
            **_PDF,
        },
        "firstAdvance": {
            "invoiceType": "advance",
            "transactionType": "sale",
            "payments": {"cash": 6000},
            "items": [_TABLE],
            **_PDF,
        },
    },
    Operation.ADVANCE: {"payment": {"payments": {"wiretransfer": 3000}, **_PDF}},
    Operation.CLOSE: {"rest": {"payments": {"card": 3000}, **_PDF}},
    Operation.COPY: {"copy": _PDF},
    Operation.REFUND: {
        "oneOfTwo": {
            "buyerId": "10:123456788",
            "payments": {"cash": Decimal("58.99")},
            "items": [{"sku": 1, "quantity": 1}],
            **_PDF,
        }
    },
}
"""Operation -> name -> body."""

OF_CATALOGUE: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "stores": {
        "store": {
            "name": "Продавница 1",
            "address": "Кнез Михаилова 1",
            "city": "Београд",
            "zip": "11000",
            "paymentMethodsOrder": [["cash", "card"], ["wiretransfer"]],
        }
    },
    "products": {
        "product": {
            "name": "Хлеб",
            "taxRateLabel": "Е",
            "productType": "product",
            "price": Decimal("58.99"),
            "description": "<p>Бели, 500 g</p>",
        }
    },
    "units": {"piece": {"name": "комад", "symbol": "ком"}},
    "categories": {"bread": {"name": "Пекара", "position": 1}},
    "cashiers": {"cashier": {"name": "Ана Анић"}},
    "keys": {"webShop": {"name": "Web prodavnica", "scopes": ["catalogue", "fiscalization"]}},
    "clients": {"counter": {"name": "Каса 1"}},
}
"""Path -> name -> body."""
