"""Operations that sign two receipts, over HTTP: the answers about a half-done pair, and its end.

Source: exactly-once.md step 9; platform-contract.md 2.19 and 3.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.fakes.inner_connection import connection_of
from tests.integration.local_api import wronged
from tests.integration.local_api.wires import Running, running

KEY = "pair-0123456789ab"
KEYED = {"Idempotency-Key": KEY}
ADVANCE: dict[str, Any] = {
    "invoiceType": "advance",
    "transactionType": "sale",
    "payments": {"cash": 100},
    "items": [{"sku": 1, "quantity": 10, "unitPrice": 58.99}],
} | wronged.DELIVERED
REST = {"payments": {"card": 489.9}} | wronged.DELIVERED
SALE: dict[str, Any] = ADVANCE | {"invoiceType": "normal", "payments": {"cash": 589.9}}
BACK = {"payments": {"cash": 589.9}} | wronged.BUYER | wronged.DELIVERED
CLOSING, REFUND = ("close", ADVANCE, REST), ("refund", SALE, BACK)
PIN = {"code": "1500", "count": None}
"""The card wants its PIN, until somebody enters it."""


async def begun(server: Running, sold: dict[str, Any]) -> str:
    """Issue the receipt that the pair is about, and return its number."""
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
    path = f"{wronged.RECEIPTS}/{number}/{operation}"
    return await server.ask("POST", path, json=body, headers=headers, within=within)


async def look(server: Running, reference: str) -> httpx.Response:
    return await server.ask("GET", f"{wronged.RECEIPTS}/{reference}")


def second_suffers(server: Running, kind: str, **members: Any) -> None:
    """Set that fault for the receipt after the next one."""
    server.shop.fault("late_answer")
    server.shop.fault(kind, **members)


def half_done(answer: httpx.Response, server: Running) -> dict[str, Any]:
    """Return the error of a pair whose first receipt is the last in the ledger."""
    body = wronged.error_of(answer)
    assert (answer.status_code, body["code"], body["class"]) == (500, 50010002, "unknown"), body
    assert body["name"] == "PairIncompleteError"
    assert body["validation"] == {}
    assert body["signed"] == [server.shop.ledger()[-1].number]
    assert body["signed"][0] in body["message"]
    return body


async def finished(server: Running) -> None:
    async with asyncio.timeout(60):
        while set(server.shop.states(KEY)) != {"signed"}:
            await server.shop.lane.changes.wait("any", 0.05)


@pytest.mark.parametrize(("operation", "sold", "body"), [CLOSING, REFUND], ids=["close", "refund"])
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
        assert (other.status_code, wronged.error_of(other)["code"]) == (409, 40900001)
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


async def test_a_half_done_closing_lets_only_copies_pass(folder: Path) -> None:
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        second_suffers(server, "refuse", **PIN)
        told = half_done(await act(server, "close", number, REST), server)
        others: list[tuple[str, dict[str, Any]]] = [
            ("advance", {"payments": {"card": 1}} | wronged.DELIVERED),
            ("close", REST | {"additionalText": "друго"}),
            ("refund", {"payments": {"card": 1}} | wronged.BUYER | wronged.DELIVERED),
        ]
        for operation, body in others:
            for named in (number, told["signed"][0]):
                if (operation, named) == ("refund", told["signed"][0]):
                    continue  # a refund can't be refunded, now or later
                waits = await act(server, operation, named, body, headers=None)
                problem = wronged.error_of(waits)
                assert (waits.status_code, problem["code"]) == (400, 40010004), (operation, problem)
                assert problem["class"] == "wait"
                assert told["signed"][0] in problem["message"]
        assert len(server.shop.ledger()) == 2
        server.shop.processor.faults.clear()
        await finished(server)


async def test_a_half_done_refund_holds_what_it_gives_back(folder: Path) -> None:
    async with running(folder) as server:
        number = await begun(server, SALE)
        second_suffers(server, "refuse", **PIN)
        half_done(await act(server, "refund", number, BACK), server)
        by_issue = (
            SALE | {"transactionType": "refund", "referentDocumentNumber": number} | wronged.BUYER
        )
        for waits in (
            await act(server, "refund", number, BACK | {"additionalText": "x"}, headers=None),
            await server.issue(by_issue),
        ):
            assert (waits.status_code, wronged.error_of(waits)["class"]) == (400, "wait")
        assert len(server.shop.ledger()) == 2
        server.shop.processor.faults.clear()
        await finished(server)


@pytest.mark.parametrize(("operation", "sold", "body"), [CLOSING, REFUND], ids=["close", "refund"])
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
        problem = wronged.error_of(again)
        assert (again.status_code, problem["code"]) == (400, 40090001)
        assert problem["validation"]["params"]["keys"] == ["Id"]
        if operation == "close":
            assert all(one in problem["message"] for one in numbers)
        assert len(server.shop.ledger()) == 3


def make_old(server: Running) -> None:
    """Let eleven minutes pass since the last receipt was signed or asked for."""
    connection = connection_of(server.shop.journal)
    connection.execute("UPDATE commands SET heard = heard - 660000")


@pytest.mark.parametrize(("operation", "sold", "body"), [CLOSING, REFUND], ids=["close", "refund"])
async def test_what_the_server_finished_by_itself_is_told_without_a_key_until_it_arrived(
    folder: Path, operation: str, sold: dict[str, Any], body: dict[str, Any]
) -> None:
    async with running(folder) as server:
        number = await begun(server, sold)
        second_suffers(server, "refuse", code="1500")
        told = half_done(await act(server, operation, number, body, headers=None), server)
        async with asyncio.timeout(60):
            while second_state(server, told["receiptId"]) != "signed":
                await server.shop.lane.changes.wait("any", 0.05)
        whole = await act(server, operation, number, body, headers=None)
        numbers = [entry.number for entry in server.shop.ledger()[1:]]
        assert whole.status_code == 200, whole.text
        assert [one["invoiceNumber"] for one in whole.json()] == numbers
        late = wronged.error_of(await act(server, operation, number, body, headers=None))
        assert late["validation"]["params"]["keys"] == ["Id"]
        assert operation == "refund" or all(one in late["message"] for one in numbers)
        assert len(server.shop.ledger()) == 3


def second_state(server: Running, receipt_id: str) -> str:
    """Return the state of a pair's second receipt; a look-up over HTTP would count as a
    delivery."""
    return server.shop.journal.requests_of(receipt_id)[1].state.value


async def test_ten_minutes_later_a_finished_close_names_both_its_numbers(folder: Path) -> None:
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        second_suffers(server, "refuse", code="1500")
        told = half_done(await act(server, "close", number, REST, headers=None), server)
        async with asyncio.timeout(60):
            while second_state(server, told["receiptId"]) != "signed":
                await server.shop.lane.changes.wait("any", 0.05)
        make_old(server)
        late = await act(server, "close", number, REST, headers=None)
        numbers = [entry.number for entry in server.shop.ledger()[1:]]
        assert (late.status_code, wronged.error_of(late)["code"]) == (400, 40090001)
        assert all(one in wronged.error_of(late)["message"] for one in numbers)


async def test_a_keyless_refund_that_is_half_done_is_resumed_however_old_it_is(
    folder: Path,
) -> None:
    """It refunds a receipt of another system, so no chain blocks a second refund of it."""
    by_hand = (
        SALE
        | wronged.BUYER
        | {
            "transactionType": "refund",
            "referentDocumentNumber": "XYZW1234-XYZW1234-8652",
            "referentDocumentDT": "2026-01-05T10:00:00+01:00",
        }
    )
    async with running(folder) as server:
        server.shop.fault("late_answer")
        server.shop.fault("refuse", **PIN)
        half_done(await server.issue(by_hand), server)
        make_old(server)
        half_done(await server.issue(by_hand), server)
        assert len(server.shop.ledger()) == 1
        server.shop.processor.faults.clear()
        whole = await server.issue(by_hand)
        while whole.status_code == 500:
            whole = await server.issue(by_hand)
        assert whole.json()["invoiceNumber"] == server.shop.ledger()[0].number
        assert len(server.shop.ledger()) == 2


async def test_what_each_refund_answers(folder: Path) -> None:
    """Contract 2.19: an array, which has two receipts with any cash; the specification has one
    object for issue."""
    async with running(folder) as server:
        number = await begun(server, SALE)

        async def refunded(**payments: float) -> Any:
            one = {"items": [{"sku": 1, "quantity": 1}], "payments": payments}
            answer = await act(
                server, "refund", number, one | wronged.BUYER | wronged.DELIVERED, headers=None
            )
            assert answer.status_code == 200, answer.text
            return [receipt["invoiceCounterExtension"] for receipt in answer.json()]

        assert await refunded(card=58.99) == ["ПР"]
        assert await refunded(cash=58.99) == ["ПР", "КР"]
        assert await refunded(card=58, cash=0.99) == ["ПР", "КР"]
        by_issue = (
            SALE
            | wronged.BUYER
            | {
                "transactionType": "refund",
                "referentDocumentNumber": number,
                "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
                "payments": {"cash": 117.98},
            }
        )
        answer = await server.issue(by_issue, headers=KEYED)
        assert answer.json()["invoiceCounterExtension"] == "ПР"
        assert (await look(server, f"key:{KEY}")).json() == answer.json()
        kinds = len(server.shop.ledger())
        assert kinds == 1 + 1 + 2 + 2 + 2


async def test_a_second_receipt_refused_for_good_is_told_at_once_and_waits_for_a_person(
    folder: Path,
) -> None:
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        second_suffers(server, "refuse", code="2805")
        till = KEYED | server.till
        told = half_done(await act(server, "close", number, REST, headers=till), server)
        assert "2805" in told["message"]
        began = time.monotonic()
        half_done(await act(server, "close", number, REST, headers=till), server)
        assert time.monotonic() - began < 1.0
        waiting = await look(server, told["receiptId"])
        assert waiting.status_code == 202
        assert waiting.json()["state"] == "needs_human"
        other = await act(server, "close", number, REST | {"additionalText": "x"}, headers=None)
        assert (other.status_code, wronged.error_of(other)["class"]) == (400, "wait")
        kept = await server.ask("POST", "/till/cancel", json={"key": KEY}, headers=server.till)
        assert (kept.status_code, wronged.error_of(kept)["code"]) == (409, 40900001)
        assert len(server.shop.ledger()) == 2


# --- time ----------------------------------------------------------------------------------------


async def timed(folder: Path, *, first: float, second: float) -> tuple[float, httpx.Response, Any]:
    """Close an advance while the processor takes so many seconds for each of its receipts.

    Return the seconds until the answer, the answer, and the answer to the same key in the end.
    """
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        server.shop.fault("late_signing", seconds=first)
        server.shop.fault("late_signing", seconds=second)
        began = time.monotonic()
        answer = await act(server, "close", number, REST, within=30.0)
        took = time.monotonic() - began
        if answer.status_code == 500:
            assert wronged.error_of(answer)["receiptId"]
        await finished(server)
        whole = await act(server, "close", number, REST)
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
    assert both_in_time[1].json() == both_in_time[2]
    late = wronged.error_of(second_late[1])
    assert (late["code"], late["signed"]) == (50010002, [second_late[2][0]["invoiceNumber"]])
    unknown = wronged.error_of(first_late[1])
    assert (unknown["code"], unknown["class"]) == (50010001, "unknown")
