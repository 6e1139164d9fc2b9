"""Operations that sign two receipts, over HTTP: the answers about a half-done pair, and its end.

Source: exactly-once.md step 9; platform-contract.md 2.19 and 3.
"""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.inner_connection import connection_of
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import BUYER, DELIVERED, RECEIPTS, error_of

KEY = "pair-0123456789ab"
KEYED = {"Idempotency-Key": KEY}
ADVANCE: dict[str, Any] = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 100},
    "items": [{"sku": 1, "quantity": 10, "unitPrice": 58.99}],
} | DELIVERED
REST = {"payments": {"card": 489.9}} | DELIVERED
SALE: dict[str, Any] = ADVANCE | {"invoiceType": "normal", "payments": {"cash": 589.9}}
BACK = {"payments": {"cash": 589.9}} | BUYER | DELIVERED
BOTH = pytest.mark.parametrize(
    ("operation", "sold", "body"),
    [("close", ADVANCE, REST), ("refund", SALE, BACK)],
    ids=["close", "refund"],
)
BY_HAND: dict[str, Any] = (
    SALE
    | BUYER
    | {
        "transactionType": "refund",
        "referentDocumentNumber": "XYZW1234-XYZW1234-8652",
        "referentDocumentDT": "2026-01-05T10:00:00+01:00",
    }
)
"""A refund of a receipt of another system, so that no chain blocks a second one."""
PIN = {"code": "1500", "count": None}
"""The card wants its PIN, until somebody enters it."""


async def begun(server: Running, sold: dict[str, Any]) -> str:
    answer = await server.issue(sold)
    assert answer.status_code == 200, answer.text
    number: str = answer.json()["invoiceNumber"]
    return number


async def act(
    server: Running,
    operation: str,
    number: str,
    body: dict[str, Any],
    *,
    headers: dict[str, str] | None = KEYED,
    within: float = 25.0,
) -> httpx.Response:
    path = f"{RECEIPTS}/{number}/{operation}"
    return await server.ask("POST", path, json=body, headers=headers, within=within)


async def look(server: Running, reference: str) -> httpx.Response:
    return await server.ask("GET", f"{RECEIPTS}/{reference}")


def second_suffers(server: Running, kind: str, **members: Any) -> None:
    server.shop.fault("late_answer")
    server.shop.fault(kind, **members)


def half_done(answer: httpx.Response, server: Running) -> dict[str, Any]:
    body = error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (500, 50010002, "unknown"), body
    assert body["name"] == "PairIncompleteError"
    assert body["validation"] == {}
    assert body["signed"] == [server.shop.ledger()[-1].number]
    assert body["signed"][0] in body["message"]
    return body


async def finished(server: Running, key: str = KEY) -> None:
    async with asyncio.timeout(60):
        while set(server.shop.states(key)) != {"signed"}:
            await server.shop.lane.changes.wait("any", 0.05)


def what_waits(operation: str, number: str, signed: str) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the requests that a half-done pair lets not pass: operation, receipt and body."""
    if operation == "refund":
        by_issue = SALE | {"transactionType": "refund", "referentDocumentNumber": number}
        again = BACK | {"additionalText": "x"}
        return [("refund", number, again), ("", "", by_issue | BUYER)]
    more = {"payments": {"card": 1}} | DELIVERED
    return [
        *[("advance", one, more) for one in (number, signed)],
        *[("close", one, REST | {"additionalText": "друго"}) for one in (number, signed)],
        ("refund", number, more | BUYER),  # the refund itself can't be refunded
    ]


@BOTH
async def test_a_half_done_pair_from_its_500_to_its_array(
    folder: Path, operation: str, sold: dict[str, Any], body: dict[str, Any]
) -> None:
    async with running(folder) as server:
        number = await begun(server, sold)
        second_suffers(server, "refuse", **PIN)
        told = half_done(await act(server, operation, number, body), server)
        for reference in (told["receiptId"], told["receiptId"].upper(), f"key:{KEY}"):
            open_one = await look(server, reference)
            assert open_one.status_code == 202
            assert open_one.json()["receiptId"] == told["receiptId"]
        signed = await look(server, told["signed"][0])
        assert signed.status_code == 200
        assert signed.json()["invoiceNumber"] == told["signed"][0]
        again = half_done(await act(server, operation, number, body), server)
        assert again["receiptId"] == told["receiptId"]
        other = await act(server, operation, number, body | {"additionalText": "друго"})
        assert (other.status_code, error_of(other)["code"]) == (409, 40900001)
        for what, on, asked in what_waits(operation, number, told["signed"][0]):
            if what:
                waits = await act(server, what, on, asked, headers=None)
            else:
                waits = await server.issue(asked)
            problem = error_of(waits)
            assert (waits.status_code, problem["code"], problem["class"]) == (
                400,
                40010004,
                "wait",
            ), (what, problem)
            assert operation == "refund" or told["signed"][0] in problem["message"]
        assert len(server.shop.ledger()) == 2

        server.shop.processor.faults.clear()
        await finished(server)
        whole = await look(server, told["receiptId"])
        assert whole.status_code == 200
        numbers = [entry.number for entry in server.shop.ledger()[1:]]
        assert [one["invoiceNumber"] for one in whole.json()] == numbers
        assert (await act(server, operation, number, body)).json() == whole.json()
        assert (await look(server, f"key:{KEY}")).json() == whole.json()
        assert len(server.shop.ledger()) == 3


@BOTH
async def test_an_identical_body_without_a_key_resumes_its_pair(
    folder: Path, operation: str, sold: dict[str, Any], body: dict[str, Any]
) -> None:
    async with running(folder) as server:
        number = await begun(server, sold)
        second_suffers(server, "refuse", code="1500", count=2)
        half_done(await act(server, operation, number, body, headers=None), server)
        whole = await act(server, operation, number, body, headers=None)
        while whole.status_code == 500:  # the server may have tried in between
            half_done(whole, server)
            whole = await act(server, operation, number, body, headers=None)
        numbers = [entry.number for entry in server.shop.ledger()[1:]]
        assert whole.status_code == 200, whole.text
        assert [one["invoiceNumber"] for one in whole.json()] == numbers
        assert len(numbers) == 2

        again = await act(server, operation, number, body, headers=None)
        problem = error_of(again)
        assert (again.status_code, problem["code"]) == (400, 40090001)
        assert problem["validation"]["params"]["keys"] == ["Id"]
        if operation == "close":
            assert all(one in problem["message"] for one in numbers)
        assert len(server.shop.ledger()) == 3


def make_old(server: Running) -> None:
    connection = connection_of(server.shop.journal)
    connection.execute("UPDATE commands SET heard = heard - 660000")


@BOTH
async def test_what_the_server_finished_by_itself_is_told_without_a_key_until_it_arrived(
    folder: Path, operation: str, sold: dict[str, Any], body: dict[str, Any]
) -> None:
    async with running(folder) as server:
        number = await begun(server, sold)
        second_suffers(server, "refuse", code="1500")
        await finished_by_itself(server, operation, number, body)
        whole = await act(server, operation, number, body, headers=None)
        numbers = [entry.number for entry in server.shop.ledger()[1:]]
        assert whole.status_code == 200, whole.text
        assert [one["invoiceNumber"] for one in whole.json()] == numbers
        late = error_of(await act(server, operation, number, body, headers=None))
        assert late["validation"]["params"]["keys"] == ["Id"]
        assert operation == "refund" or all(one in late["message"] for one in numbers)
        assert len(server.shop.ledger()) == 3
        if operation == "close":  # ten minutes later an answer that did not arrive is told so too
            number = await begun(server, sold)
            second_suffers(server, "refuse", code="1500")
            await finished_by_itself(server, operation, number, body)
            make_old(server)
            late = error_of(await act(server, operation, number, body, headers=None))
            assert late["code"] == 40090001
            assert all(entry.number in late["message"] for entry in server.shop.ledger()[4:])


async def finished_by_itself(
    server: Running, operation: str, number: str, body: dict[str, Any]
) -> None:
    """Ask without a key and wait for the second; a look-up over HTTP would count as a delivery."""
    told = half_done(await act(server, operation, number, body, headers=None), server)
    async with asyncio.timeout(60):
        while server.shop.journal.requests_of(told["receiptId"])[1].state.value != "signed":
            await server.shop.lane.changes.wait("any", 0.05)


async def test_a_keyless_refund_that_is_half_done_is_resumed_when_old(folder: Path) -> None:
    async with running(folder) as server:
        server.shop.fault("late_answer")
        server.shop.fault("refuse", **PIN)
        half_done(await server.issue(BY_HAND), server)
        make_old(server)
        half_done(await server.issue(BY_HAND), server)
        assert len(server.shop.ledger()) == 1
        server.shop.processor.faults.clear()
        whole = await server.issue(BY_HAND)
        while whole.status_code == 500:
            whole = await server.issue(BY_HAND)
        assert whole.json()["invoiceNumber"] == server.shop.ledger()[0].number
        assert len(server.shop.ledger()) == 2


async def test_what_each_refund_answers(folder: Path) -> None:
    """Contract 2.19: an array, which has two receipts with any cash; the specification has one
    object for issue, which names the copy."""
    async with running(folder) as server:
        number = await begun(server, SALE)

        async def refunded(**payments: float) -> Any:
            one = {"items": [{"sku": 1, "quantity": 1}], "payments": payments}
            answer = await act(server, "refund", number, one | BUYER | DELIVERED, headers=None)
            assert answer.status_code == 200, answer.text
            return [receipt["invoiceCounterExtension"] for receipt in answer.json()]

        assert await refunded(card=58.99) == ["ПР"]
        assert await refunded(cash=58.99) == ["ПР", "КР"]
        assert await refunded(card=58, cash=0.99) == ["ПР", "КР"]
        by_issue = (
            SALE
            | BUYER
            | {
                "transactionType": "refund",
                "referentDocumentNumber": number,
                "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
                "payments": {"cash": 117.98},
            }
        )
        answer = await server.issue(by_issue, headers=KEYED)
        told, (refund, copy) = answer.json(), server.shop.ledger()[-2:]
        assert (told["invoiceCounterExtension"], told["invoiceNumber"]) == ("ПР", refund.number)
        assert told["copy"]["invoiceNumber"] == copy.number
        for reference in (told["copy"]["id"], copy.number):
            copied = (await look(server, reference)).json()
            expected = (copy.number, "КР")
            assert (copied["invoiceNumber"], copied["invoiceCounterExtension"]) == expected
        assert (await server.issue(by_issue, headers=KEYED)).content == answer.content
        for reference in (told["id"], refund.number, f"key:{KEY}"):
            assert (await look(server, reference)).content == answer.content
        assert len(server.shop.ledger()) == 1 + 1 + 2 + 2 + 2
        alone = await server.issue(BY_HAND | {"payments": {"card": 589.9}})
        assert "copy" not in alone.json()


# --- time ----------------------------------------------------------------------------------------
async def timed(folder: Path, *, first: float, second: float) -> tuple[float, httpx.Response, Any]:
    """Close an advance while the processor takes so many seconds for each of its receipts, and no
    PDF is ready before the answer.

    Return the seconds until the answer, the answer, and the answer to the same key in the end.
    """
    rest = REST | {"receiptDelivery": {"base64pdf": True}}
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        server.shop.fault("late_signing", seconds=first)
        server.shop.fault("late_signing", seconds=second)
        server.pdf.wait_for = threading.Event()
        began = time.monotonic()
        try:
            answer = await act(server, "close", number, rest, within=30.0)
        finally:
            server.pdf.wait_for.set()
        took = time.monotonic() - began
        if answer.status_code == 500:
            assert error_of(answer)["receiptId"]
        await finished(server)
        whole = await act(server, "close", number, rest)
        assert whole.status_code == 200
        numbers = [entry.number for entry in server.shop.ledger()[1:]]
        assert [one["invoiceNumber"] for one in whole.json()] == numbers
        assert len(numbers) == 2
        return took, answer, whole.json()


@pytest.mark.deadline(120)
async def test_every_answer_comes_within_20_seconds_however_slow_the_processor(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Three shops run at once, so that the test takes as long as the slowest."""
    both_in_time, second_late, first_late = await asyncio.gather(
        timed(tmp_path_factory.mktemp("a"), first=8, second=8),
        timed(tmp_path_factory.mktemp("b"), first=18, second=18),
        timed(tmp_path_factory.mktemp("c"), first=24, second=0),
    )
    assert max(took for took, _, _ in (both_in_time, second_late, first_late)) < 20.0
    refund, sale = both_in_time[1].json()
    assert sale["base64pdf"] is None
    told_later = [one["invoiceNumber"] for one in both_in_time[2]]
    assert [refund["invoiceNumber"], sale["invoiceNumber"]] == told_later
    late = error_of(second_late[1])
    assert (late["code"], late["signed"]) == (50010002, [second_late[2][0]["invoiceNumber"]])
    unknown = error_of(first_late[1])
    assert (unknown["code"], unknown["class"]) == (50010001, "unknown")
