"""A receipt whose rows are damaged, by every other way to it: PDF, cancel, another body, a person.

Source: exactly-once.md, I2 and I8; platform-contract.md 3.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.domain.receipt.states import RequestState
from tests.integration.local_api import test_pairs
from tests.integration.local_api.test_damaged_answers import signed_in, spoil, unreadable
from tests.integration.local_api.test_damaged_rows import damage
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import error_of

BY = {"by": "Ана"}
OTHER = test_pairs.SALE | {"additionalText": "следећи"}
PARTS = ("answer", "planned", "facts")


def harm(folder: Path, part: str, receipt_id: str) -> None:
    """Damage the stored answer of a receipt, its plan, or what the catalogue said of its items."""
    if part == "facts":
        damage(folder, "UPDATE commands SET facts = x'00'")
    else:
        spoil(folder, part, receipt_id)


async def of_till(server: Running, path: str, body: dict[str, Any]) -> httpx.Response:
    return await server.ask("POST", path, headers=server.till, json=body)


async def cancelled(server: Running) -> httpx.Response:
    return await of_till(server, "/till/cancel", {"key": test_pairs.KEY})


def bound(answer: httpx.Response) -> None:
    body = error_of(answer)
    assert (answer.status_code, body["code"]) == (409, 40900001), body
    assert "another body, nothing was signed for this body" in body["message"]


@pytest.mark.parametrize("part", ["answer", "planned"])
async def test_its_pdf_tells_which_receipt_it_was(folder: Path, part: str) -> None:
    async with running(folder) as server:
        sale = test_pairs.SALE | {"receiptDelivery": {"pdf": True}}
        first = (await server.issue(sale, headers=test_pairs.KEYED)).json()
        receipt_id, number = first["id"], first["invoiceNumber"]
        spoil(folder, part, receipt_id)
        unreadable(
            await of_till(server, "/till/papers/pdf", {"receiptId": receipt_id, **BY}),
            receipt_id,
            number,
        )
        linked = await server.ask("GET", httpx.URL(first["pdf"]).path)
        unreadable(linked, receipt_id, number)


async def test_what_it_says_does_not_ask_for_a_look_up_that_says_the_same(folder: Path) -> None:
    async with running(folder) as server:
        first = (await server.issue(test_pairs.SALE, headers=test_pairs.KEYED)).json()
        spoil(folder, "answer", first["id"])
        said = error_of(await test_pairs.look(server, first["id"]))["message"]
        assert said.startswith(f"Signed: {first['invoiceNumber']}; the receipt itself can't be")
        assert said.endswith("Keep the number; never issue it anew.")
        assert "Look it up" not in said


@pytest.mark.parametrize("part", PARTS)
async def test_cancelling_it_tells_that_it_is_signed(folder: Path, part: str) -> None:
    async with running(folder) as server:
        first = (await server.issue(test_pairs.SALE, headers=server.till | test_pairs.KEYED)).json()
        harm(folder, part, first["id"])
        answer = await cancelled(server)
        assert (answer.status_code, error_of(answer)["state"]) == (409, "signed")


@pytest.mark.parametrize("part", ["planned", "facts"])
async def test_what_was_surely_not_signed_is_cancelled(folder: Path, part: str) -> None:
    async with running(folder) as server:
        server.shop.fault("refuse", code="1500")
        refused = error_of(
            await server.issue(test_pairs.SALE, headers=server.till | test_pairs.KEYED)
        )
        assert refused["class"] == "cure"
        damage(folder, f"UPDATE {'commands' if part == 'facts' else 'requests'} SET {part} = x'00'")
        for _ in range(2):
            answer = await cancelled(server)
            assert (answer.status_code, answer.json()) == (200, {"state": RequestState.CANCELLED})
        kept = error_of(await server.issue(test_pairs.SALE, headers=server.till | test_pairs.KEYED))
        assert (kept["code"], signed_in(server)) == (40900001, [])


@pytest.mark.parametrize("part", PARTS)
async def test_another_body_under_its_key_is_refused(folder: Path, part: str) -> None:
    """A till's counter was reset: its next sale must never be reported as signed (I8)."""
    async with running(folder) as server:
        first = (await server.issue(test_pairs.SALE, headers=test_pairs.KEYED)).json()
        receipt_id, number = first["id"], first["invoiceNumber"]
        harm(folder, part, receipt_id)
        bound(await server.issue(OTHER, headers=test_pairs.KEYED))
        unreadable(
            await server.issue(test_pairs.SALE, headers=test_pairs.KEYED), receipt_id, number
        )
        assert signed_in(server) == [number]


@pytest.mark.parametrize("part", PARTS)
async def test_another_body_under_the_key_of_a_pair_is_refused(folder: Path, part: str) -> None:
    async with running(folder) as server:
        number = await test_pairs.begun(server, test_pairs.ADVANCE)
        first, second = (await test_pairs.act(server, "close", number, test_pairs.REST)).json()
        harm(folder, part, first["id"])
        bound(
            await test_pairs.act(
                server, "close", number, test_pairs.REST | {"additionalText": "друго"}
            )
        )
        numbers = (first["invoiceNumber"], second["invoiceNumber"])
        unreadable(
            await test_pairs.act(server, "close", number, test_pairs.REST), first["id"], *numbers
        )
