"""Numbers of receipts as others write them: letters of both sizes, and those of old cash registers.

Source: fiscal.md 1 and 6.3.
"""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from tests.integration.local_api import wronged
from tests.integration.local_api.test_finished_advances import Altered
from tests.integration.local_api.test_pairs import BACK, SALE
from tests.integration.local_api.wires import running

BY_HAND: dict[str, Any] = (
    {
        "invoiceType": "normal",
        "transactionType": "refund",
        "payments": {"card": 60},
        "items": [
            {"quantity": 1, "unitPrice": 60, "article": {"name": "Сто", "taxRateLabel": "Ђ"}}
        ],
    }
    | wronged.BUYER
    | wronged.DELIVERED
)


async def test_a_receipt_from_elsewhere_is_named_as_it_is_printed(folder: Path) -> None:
    async with running(folder) as server:
        for number, year in (
            ("XXXXXXXX-AB123456-17", 2015),
            ("XXXXXXXX-XXXXXXXX-17", 2015),
            ("F7CBZMLQ-Dt1Ov1o0-2109", 2026),
        ):
            time = f"{year}-03-01T10:00:00+01:00"
            body = BY_HAND | {"referentDocumentNumber": number, "referentDocumentDT": time}
            assert number in (await server.done(body))["journal"]
            sent = json.loads(server.shop.ledger()[-1].request)
            assert sent["referentDocumentNumber"] == number


def in_both_sizes(number: str) -> str:
    requested_by, signed_by, counter = number.split("-")
    letter = max(place for place, sign in enumerate(signed_by) if sign.isalpha())
    mixed = signed_by[:letter] + signed_by[letter].lower() + signed_by[letter + 1 :]
    return f"{requested_by}-{mixed}-{counter}"


def as_another_signer(answer: dict[str, Any]) -> None:
    """Change an answer into that of a V-PFR whose signer is named in letters of both sizes."""
    number = in_both_sizes(answer["invoiceNumber"])
    answer["journal"] = answer["journal"].replace(answer["invoiceNumber"], number)
    signer = number.split("-")[1]
    answer["invoiceNumber"], answer["signedBy"] = number, signer
    address, _, told = answer["verificationUrl"].partition("?vl=")
    sealed = base64.b64decode(unquote(told))[:-16]
    sealed = sealed[:9] + signer.encode() + sealed[17:]
    sealed += hashlib.md5(sealed, usedforsecurity=False).digest()
    answer["verificationUrl"] = f"{address}?vl={quote(base64.b64encode(sealed), safe='')}"


async def test_a_receipt_of_this_shop_is_found_in_letters_of_either_size(folder: Path) -> None:
    altered = Altered()
    async with running(folder, heard=altered.heard) as server:
        altered.receipt = as_another_signer
        sold = await server.done(SALE)
        number = sold["invoiceNumber"]
        assert number == in_both_sizes(server.shop.ledger()[0].number) != number.upper()
        for spelt in (number, number.upper(), number.lower(), f" {number} "):
            found = await server.ask("GET", f"{wronged.RECEIPTS}/{spelt}")
            assert found.status_code == 200, found.text
            assert found.json()["id"] == sold["id"]
        copy = await server.done({} | wronged.DELIVERED, f"/{number.upper()}/copy")
        assert copy["invoiceNumber"] != number
        by_hand = BACK | SALE | {"transactionType": "refund"}
        refund = by_hand | {"referentDocumentNumber": number.upper(), "buyerId": "10:123456788"}
        await server.done(refund)
        names = [json.loads(entry.request) for entry in server.shop.ledger()[1:3]]
        assert [one["referentDocumentNumber"] for one in names] == [number, number]
        again = await server.ask("POST", f"{wronged.RECEIPTS}/{number.lower()}/refund", json=BACK)
        assert "nothing of it is left" in wronged.error_of(again)["message"]
        assert (await server.status())["alarms"] == []
