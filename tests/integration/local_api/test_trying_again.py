"""The second receipt of a pair that the processor refused: a manager has it sent again.

Source: exactly-once.md step 9 ("correct that child, or reverse what is signed").
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import apsw
import pytest

from tests.integration.local_api.test_pairs import (
    ADVANCE,
    KEYED,
    REST,
    act,
    begun,
    half_done,
    look,
    second_suffers,
)
from tests.integration.local_api.wires import Running, running
from tests.integration.local_api.wronged import error_of

WHO = {"by": "Милан"}


async def refused(server: Running) -> str:
    """The id of a closing whose second receipt was refused."""
    number = await begun(server, ADVANCE)
    second_suffers(server, "refuse", code="2805")
    answer = await act(server, "close", number, REST, headers=KEYED | server.till)
    receipt_id: str = half_done(answer, server)["receiptId"]
    return receipt_id


async def said(server: Running, receipt_id: str, act: str, body: dict[str, Any]) -> Any:
    path = f"/till/doubts/{receipt_id}/{act}"
    return await server.ask("POST", path, json=body, headers=server.till, within=25.0)


async def doubts(server: Running) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = (
        await server.ask("GET", "/till/doubts", headers=server.till)
    ).json()
    return listed


async def test_a_refused_half_is_signed_at_the_second_try(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused(server)
        (doubt,) = await doubts(server)
        assert (doubt["receiptId"], doubt["mayBeTriedAgain"]) == (receipt_id, True)
        again = await said(server, receipt_id, "again", WHO)
        assert again.status_code == 200
        assert again.json()["invoiceCounterExtension"] == "ПП"
        assert await doubts(server) == []
        whole = await look(server, receipt_id)
        assert [one["invoiceCounterExtension"] for one in whole.json()] == ["АР", "ПП"]
        assert len(server.shop.ledger()) == 3
    journal = apsw.Connection(str(folder / "journal" / "journal.db"))
    assert list(journal.execute("SELECT what, words FROM notes")) == [("tried_again", "Милан")]
    journal.close()


async def test_what_is_refused_again_waits_for_a_person_again(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused(server)
        server.shop.fault("refuse", code="2310")
        again = await said(server, receipt_id, "again", WHO)
        assert (again.status_code, again.json()["state"]) == (200, "needs_human")
        (doubt,) = await doubts(server)
        assert doubt["mayBeTriedAgain"]
        assert "2310" in doubt["reason"]
        assert len(server.shop.ledger()) == 2
        assert (await said(server, receipt_id, "again", WHO)).status_code == 200
        assert len(server.shop.ledger()) == 3


async def test_twice_at_once_signs_once(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await refused(server)
        assert (await said(server, receipt_id, "again", WHO)).status_code == 200
        late = await said(server, receipt_id, "again", WHO)
        assert (late.status_code, error_of(late)["code"]) == (409, 40900001)
        assert len(server.shop.ledger()) == 3


async def test_a_receipt_that_may_exist_is_never_sent_again(folder: Path) -> None:
    async with running(folder) as server:
        number = await begun(server, ADVANCE)
        second_suffers(server, "sign_then_drop")
        server.shop.processor.change(unreachable={"lookup"})
        answer = await act(server, "close", number, REST, headers=KEYED | server.till)
        receipt_id = error_of(answer)["receiptId"]
        (doubt,) = await doubts(server)
        assert not doubt["mayBeTriedAgain"]
        kept = await said(server, receipt_id, "again", WHO)
        assert (kept.status_code, kept.json()["state"]) == (409, "unknown")
        server.shop.processor.change(unreachable=set())
        found = await said(server, receipt_id, "lookup", {})
        assert found.status_code == 200
        assert found.json()["invoiceCounterExtension"] == "ПП"
        assert len(server.shop.ledger()) == 3


@pytest.mark.parametrize("body", [{}, {"by": ""}, {"by": 5}])
async def test_it_is_somebody_s_act(folder: Path, body: dict[str, Any]) -> None:
    async with running(folder) as server:
        receipt_id = await refused(server)
        nobody = await said(server, receipt_id, "again", body)
        assert (nobody.status_code, error_of(nobody)["validation"]["body"]["keys"]) == (400, ["by"])
        stranger = await server.ask("POST", f"/till/doubts/{receipt_id}/again", json=WHO)
        assert stranger.status_code == 401
        assert len(server.shop.ledger()) == 2
