"""SIGKILL at each commit of a server while a till cancels a pair of which nothing is signed.

Cancelling is one commit: both receipts are cancelled or neither is, and the next process goes on.
"""

from __future__ import annotations

import itertools
import json
import time
from typing import Any

import apsw
import httpx
import pytest

from pos_app.wire.problem import NOT_COMPARED_YET
from tests.e2e.shop import PATIENCE, Shop
from tests.e2e.test_kill_at_commits import was_killed, wrapped
from tests.e2e.test_pairs_killed import ADVANCE, RECEIPTS, REST
from tests.fakes.no_tls import NO_TLS

STARTED, FAR = 3, 20
"""The commit after those of a start (counted), where `make test` begins, and more commits than a
server makes from its start to the end of one cancelling."""
PIN = {"code": "1500", "count": None}


def post(shop: Shop, path: str, body: dict[str, Any], *, key: str = "") -> httpx.Response:
    """Post as the till of this installation."""
    install = json.loads((shop.data / "install.json").read_bytes())
    headers = {"X-Pos-Install": install["install_id"], "X-Pos-Token": install["token"]}
    if key:
        headers["Idempotency-Key"] = key
    with httpx.Client(trust_env=False, verify=NO_TLS, timeout=PATIENCE) as client:
        return client.post(f"{shop.url}{path}", json=body, headers=headers)


def cancel(shop: Shop, key: str) -> httpx.Response:
    """Cancel as a till does: repeat until the server has asked its processor since its start."""
    end = time.monotonic() + PATIENCE
    while True:
        answer = post(shop, "/till/cancel", {"key": key})
        if answer.json().get("code") != NOT_COMPARED_YET.code or time.monotonic() > end:
            return answer
        time.sleep(0.02)


def states(shop: Shop, key: str) -> list[str]:
    """The states of the two receipts of that key, as the dead server left them."""
    connection = apsw.Connection(str(shop.data / "journal" / "journal.db"))
    found = connection.execute(
        "SELECT state FROM requests JOIN commands ON commands.id = command_id"
        " WHERE key = ? ORDER BY child",
        (key,),
    ).fetchall()
    connection.close()
    return [str(row[0]) for row in found]


@pytest.mark.faults
def test_the_server_is_killed_while_a_pair_is_cancelled(shop: Shop, times: int) -> None:
    begins = 1 if times > 50 else STARTED
    shop.processor()
    server = shop.server()
    advance = post(shop, RECEIPTS, ADVANCE, key="advance-00000000").json()
    path = f"{RECEIPTS}/{advance['invoiceNumber']}/close"
    shop.fault("refuse", **PIN)
    for number, when in itertools.product(range(begins, FAR), ("before", "after")):
        key = f"closing-{number:04}-{when}".ljust(20, "0")
        assert post(shop, path, REST, key=key).json()["class"] == "cure"
        server.stop()
        assert states(shop, key) == ["released", "released"]
        dying = shop.server(*wrapped("journal.db", (number, when)))
        try:
            told = None if dying.is_over else cancel(shop, key)
        except httpx.TransportError:
            told = None
        if told is None:
            assert was_killed(dying), dying.errors()
        dying.stop()
        left = states(shop, key)
        assert left in (["released"] * 2, ["cancelled"] * 2), f"{number} {when}"
        server = shop.server()
        assert cancel(shop, key).json() == {"state": "cancelled"}
        assert states(shop, key) == ["cancelled"] * 2
        if told is not None:
            break
    assert begins < number < FAR - 1
    assert len(shop.control("GET", "/ledger")) == 1
