"""No program reaches an act of the till: every endpoint below /till/, asked by whoever is not this
till, on the wire. What a cashier may is a matter of the till alone; the server knows the till."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pos_app.local_api.access_rules import TILL
from pos_app.local_api.app import handlers_of
from tests.integration.local_api.wires import Running, running

LAN = "lan-secret-lan-secret"
FEWEST = 30
"""Of a till's endpoints; a walk that finds fewer has lost some."""


def tills(server: Running) -> list[tuple[str, str]]:
    """Method and path of each endpoint that is the till's alone, with something for each part."""
    service, context = server.shop.service, server.context
    answering = handlers_of(service=service, context=context, door=server.door)
    served = [one for each in answering for one in each.endpoints()]
    return [
        (one.method, re.sub(r"\{[^}]*\}", "1", one.path))
        for one in served
        if one.path.startswith(TILL)
    ]


def callers(server: Running) -> dict[str, dict[str, str]]:
    """Whoever is not this till, by the headers that they send."""
    install = server.till["X-Pos-Install"]
    return {
        "nobody": {},
        "a guess": {"X-Pos-Token": "guess"},
        "another machine's program": {"X-Pos-Token": LAN},
        "one that read whose server it is": {"X-Pos-Token": LAN, "X-Pos-Install": install},
        "a name without a token": {"X-Pos-Install": install},
        "a till of another shop": server.till | {"X-Pos-Install": "another"},
        "a web page": server.till | {"Origin": "https://evil.example"},
    }


@pytest.mark.deadline(120)
async def test_each_of_them_is_refused_to_whoever_is_not_this_till(folder: Path) -> None:
    async with running(folder, lan_token=LAN) as server:
        asked = tills(server)
        assert len(asked) >= FEWEST, asked
        answered = []
        for name, headers in callers(server).items():
            for method, path in asked:
                body: dict[str, str] | None = {} if method == "POST" else None
                answer = await server.ask(method, path, headers=headers, json=body)
                if answer.status_code not in (401, 403, 421):
                    answered.append((name, method, path, answer.status_code))
        assert answered == []
        assert server.shop.journal.restores.tip.rows == 0
        assert server.shop.ledger() == []
        assert not server.stopped.is_set()


async def test_no_other_spelling_of_a_path_leads_there(folder: Path) -> None:
    async with running(folder, lan_token=LAN) as server:
        for path in (
            "/till", "/till/", "//till/status", "/./till/status", "/pdf/../till/status",
            "/%74ill/status", "/till%2Fstatus", "/TILL/status", "/health/../till/status",
            "/fiscalization/receipts/../../till/status", "/till/status/", "/till/status?x=1",
        ):  # fmt: skip
            for headers in ({}, {"X-Pos-Token": LAN}):
                answer = await server.ask("GET", path, headers=headers)
                assert answer.status_code in (400, 401, 404, 405), (path, answer.status_code)
        allowed = await server.ask("GET", "/till/status", headers=server.till)
        assert allowed.status_code == 200
