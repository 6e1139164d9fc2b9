"""What the tests of the emulator have it sign."""

from __future__ import annotations

import json
from typing import Any

COFFEE = {"name": "Кафа /ком", "quantity": 2, "unitPrice": 120.5, "totalAmount": 241.0}


def sale(**changes: Any) -> bytes:
    """The body of a cash sale of one coffee; keywords replace or (None) remove members."""
    request = {
        "invoiceType": "Normal",
        "transactionType": "Sale",
        "cashier": "Пера",
        "invoiceNumber": "123/1.0",
        "payment": [{"amount": 241.0, "paymentType": "Cash"}],
        "items": [COFFEE | {"labels": ["Ђ"]}],
        "options": {"omitQRCodeGen": "1", "omitTextualRepresentation": "0"},
        **changes,
    }
    kept = {name: value for name, value in request.items() if value is not None}
    return json.dumps(kept).encode()
