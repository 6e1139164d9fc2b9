"""No program reaches an act of the till: each endpoint below /till/ is called over HTTP by callers
other than this till. Only the till knows what a cashier may do; the server knows the till."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from pos_app.local_api.access_rules import TILL
from pos_app.local_api.app import handlers_of
from pos_app.selling.people.rights import Act
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.wires import Running, running

LAN = "lan-secret-lan-secret"
FEWEST = 30
"""The endpoints that a walk must find at least."""


def calls(service: str, *methods: str) -> list[str]:
    return [f"POST {TILL}{service}/{method}" for method in methods]


DOORS: Mapping[Act, frozenset[str]] = {
    Act.REFUND: frozenset(), Act.REFUND_BY_HAND: frozenset(), Act.QUEUE: frozenset(),
    Act.DISCOUNT: frozenset(), Act.PRICE: frozenset(), Act.REMOVE_WHILE_PAYING: frozenset(),
    Act.TRAINING: frozenset(), Act.CATALOGUE: frozenset(), Act.X_REPORT: frozenset(),
    Act.CLOSE_SHIFT: frozenset(), Act.CASH_IN_OUT: frozenset(),
    Act.DROP_CART: frozenset({"POST /till/cancel"}),
    Act.DRAWER: frozenset(calls("papers", "open_drawer")),
    Act.REPRINT: frozenset(calls("jobs", "again")),
    Act.DECIDE: frozenset(
        {
            "POST /till/alarms/1/seen", "POST /till/doubts/1/absent", "POST /till/doubts/1/again",
            "POST /till/doubts/1/reverse", "POST /till/element", "POST /till/restored/close",
        }
    ),
    Act.REPORTS: frozenset(calls("receipts", "report")),
    Act.SETTINGS: frozenset(
        {
            *calls("mail", "send_trial", "keep_password"),
            *calls("printers", "try_out", "print_page", "change"),
            *calls("platform", "try_out", "change", "keys", "add_key", "rotate_key", "revoke_key"),
            *calls("platform", "add_store", "change_store"),
            *calls("processor", "try_out", "change"), *calls("local_api", "keep_secret"),
        }
    ),
}  # fmt: skip
"""The endpoints behind each act of the table of rights. An act has none where the till alone keeps
it, or issues it by the operations of every program."""
NEED_NO_RIGHT = frozenset(
    {
        *calls("mail", "setup"), *calls("platform", "setup"),
        *calls("printers", "setup", "found_printers"),
        "POST /till/doubts/1/correct", "POST /till/doubts/1/found", "POST /till/doubts/1/lookup",
        *calls("local_api", "refused_callers", "requests", "secrets"),
        *calls("jobs", "not_done", "end_of", "seen"), *calls("papers", "print", "pdf", "opened"),
        *calls("processor", "setup", "enter_pin"),
        *calls("receipts", "receipt", "elsewhere", "advances", "page", "turnover", "choices"),
        *calls("receipts", "waiting"),
        "POST /till/remembers",
        "POST /till/reopen", "POST /till/stop", "POST /till/witness",
    }
)  # fmt: skip
"""Endpoints for everybody at the till, and those that the till calls by itself."""


def tills(server: Running) -> list[tuple[str, str]]:
    """Return method and path of each endpoint of the till, with a value for each parameter."""
    service, context = server.shop.service, server.context
    answering = handlers_of(service=service, context=context, door=server.door)
    served = [one for each in answering for one in each.endpoints()]
    return [
        (one.method, re.sub(r"\{[^}]*\}", "1", one.path))
        for one in served
        if one.path.startswith(TILL)
    ]


def callers(server: Running) -> dict[str, dict[str, str]]:
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
        async with httpx.AsyncClient(base_url=server.url, trust_env=False, verify=NO_TLS) as line:
            for name, headers in callers(server).items():
                for method, path in asked:
                    body: dict[str, str] | None = {} if method == "POST" else None
                    answer = await line.request(method, path, headers=headers, json=body)
                    if answer.status_code not in (401, 403, 421):
                        answered.append((name, method, path, answer.status_code))
        assert answered == []
        assert server.shop.journal.restores.tip.rows == 0
        assert server.shop.ledger() == []
        assert not server.stopped.is_set()


async def test_each_endpoint_that_changes_something_belongs_to_an_act(folder: Path) -> None:
    """A new endpoint is put behind a right, or listed as one that needs none."""
    async with running(folder) as server:
        asked = {f"{method} {path}" for method, path in tills(server) if method != "GET"}
    assert set(DOORS) == set(Act)
    behind = [door for doors in DOORS.values() for door in doors]
    assert sorted([*behind, *NEED_NO_RIGHT]) == sorted(asked)


async def test_no_other_spelling_of_a_path_leads_there(folder: Path) -> None:
    async with running(folder, lan_token=LAN) as server:
        for path in (
            "/till",
            "/till/",
            "//till/status",
            "/./till/status",
            "/pdf/../till/status",
            "/%74ill/status",
            "/till%2Fstatus",
            "/TILL/status",
            "/health/../till/status",
            "/fiscalization/receipts/../../till/status",
            "/till/status/",
            "/till/status?x=1",
        ):
            for headers in ({}, {"X-Pos-Token": LAN}):
                answer = await server.ask("GET", path, headers=headers)
                assert answer.status_code in (400, 401, 404, 405), (path, answer.status_code)
        allowed = await server.ask("GET", "/till/status", headers=server.till)
        assert allowed.status_code == 200
