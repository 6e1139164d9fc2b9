"""The till's questions to its server over HTTP, and the till's own client against these routes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pos_app import __version__
from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.api_client.setup import local_api_at
from pos_app.domain.receipt import server_status, states
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import Refused
from pos_app.fiscalization.ports import LaneState, StateReason
from pos_app.selling.server import answers
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.shop import unreachable
from tests.integration.local_api.test_receipts import KEY, KEYED, SALE, keyed
from tests.integration.local_api.wires import Running, running, until
from tests.integration.local_api.wronged import RECEIPTS, Wronged, error_of, wronged
from tests.sweep import each

NONCE = "0123456789abcdef" * 2


async def in_doubt(server: Running, key: str = KEY) -> str:
    """Lose a receipt's answer, with no look-up answered; return its id."""
    server.shop.fault("sign_then_drop")
    server.shop.processor.change(unreachable={"lookup"})
    answer = await server.issue(SALE, headers=keyed(key) | server.till)
    assert answer.status_code == 500
    return str(answer.json()["receiptId"])


def reachable_again(server: Running) -> None:
    server.shop.processor.change(unreachable=set())


async def post(server: Running, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer = await server.ask("POST", path, json=body, headers=server.till)
    told: dict[str, Any] = answer.json()
    return answer.status_code, told


# --- health and status -------------------------------------------------------------------------
BAD_NONCES = ["", "abc", "x" * 32, "a" * 65, f"{NONCE}&nonce={NONCE}"]


async def test_health_with_and_without_a_nonce(folder: Path) -> None:
    async with running(folder) as server:
        plain = (await server.ask("GET", "/health")).json()
        proved = (await server.ask("GET", f"/health?nonce={NONCE}")).json()
        journal = server.shop.journal
        assert plain == {
            "service": "pos-app-server",
            "version": __version__,
            "installId": server.install.install_id,
            "environment": "demo",
            "journal": {"id": journal.identity, "rows": 0, "hash": ""},
        }
        proof = server.install.proof(nonce=NONCE, version=__version__, journal_id=journal.identity)
        assert proved == plain | {"proof": proof}
        await server.issue(SALE)
        told = (await server.ask("GET", "/health")).json()["journal"]
        assert (told["rows"], told["hash"]) == (3, journal.restores.tip.hash)
        for nonce in BAD_NONCES:
            answer = await server.ask("GET", f"/health?nonce={nonce}")
            assert answer.status_code == 400
            assert answer.json()["validation"]["query"]["keys"] == ["nonce"]


async def test_status_of_each_processor(folder: Path) -> None:
    async with running(folder) as server:
        await server.issue(SALE)
        status = await server.status()
        expected = ("ready", "development")
        assert (status["processor"]["state"], status["processor"]["kind"]) == expected
        assert status["processor"]["uid"] == server.shop.lane.name
        assert status["rates"][1]["percent"]["Ђ"] == 20
        assert (status["open"], status["notFiscal"]) == ([], True)
        assert status["sellerPib"] == "990000019"
        server.shop.processor.change(status_code="2220")
        refused = await server.issue(SALE)
        assert refused.json()["pfrCode"] == "2220"
        told = (await server.status())["processor"]
        assert (told["state"], told["code"]) == ("element", "2220")
        assert len(server.shop.ledger()) == 1
    async with running(folder, pfr=await unreachable()) as server:
        await server.issue(SALE)
        told = (await server.status())["processor"]
        assert (told["state"], bool(told["words"])) == ("away", True)


# --- alarms and refusals -----------------------------------------------------------------------
async def test_an_alarm_stands_in_the_status_until_a_manager_has_seen_it(folder: Path) -> None:
    async with running(folder) as server:
        shop = server.shop
        now = shop.service.clock.now()
        shop.journal.findings.foreign_traffic(
            before=7, counter=9, lane=LaneState("main", counter=9), now=now
        )
        async with LocalApi(server.url, server.install) as api:
            status = await FiscalHttp(api).status()
            assert isinstance(status, server_status.ServerStatus)
            (alarm,) = status.alarms
            expected = (states.AlarmKind.FOREIGN_TRAFFIC, 7, 9, 2)
            assert (alarm.what, alarm.counter_before, alarm.counter_now, alarm.receipts) == expected
            status_code, told = await post(server, f"/till/alarms/{alarm.id}/seen", {"by": ""})
            assert (status_code, told["validation"]["body"]["keys"]) == (400, ["by"])
            await DoubtHttp(api).see_alarm(alarm.id, by="Ана")
            status = await FiscalHttp(api).status()
            assert isinstance(status, server_status.ServerStatus)
            assert status.alarms == ()
            with pytest.raises(Refused):
                await DoubtHttp(api).see_alarm(99, by="Ана")
        seen = connection_of(shop.journal).execute(
            "SELECT words FROM notes WHERE what='alarm_seen'"
        )
        assert seen.fetchall() == [("Ана: foreign_traffic",)]
        for no_number in ("1" + 25 * "0", 5_000 * "9", "9" * 19, "٣", "-1", "1x"):
            status_code, _ = await post(server, f"/till/alarms/{no_number}/seen", {"by": "x"})
            assert status_code == 404


async def test_what_other_programs_asked_is_listed_for_the_till_alone(folder: Path) -> None:
    async with running(folder) as server:
        assert (await server.issue(SALE, headers=KEYED)).status_code == 200
        wrong = await server.issue({**SALE, "invoiceType": "none"})
        assert (await server.issue(SALE, headers=KEYED | server.till)).status_code == 200
        assert (await server.ask("GET", "/health")).status_code == 200
        assert (await server.ask("POST", "/till/local_api/requests", json={})).status_code == 401
        async with LocalApi(server.url, server.install) as api:
            desk = local_api_at(api)
            second, first = await desk.requests()
            (whole,) = await desk.requests(number=first.number)
            assert await desk.requests(number=7) == ()
        expected = (1, "POST", "/fiscalization/receipts", 200, "")
        assert (first.number, first.method, first.target, first.status, first.error) == expected
        told = wrong.json()
        assert (second.status, second.error) == (400, f"{told['code']} {told['message']}")
        assert (first.body, json.loads(whole.body or "")) == (None, SALE)
        assert KEY in [one.value for one in whole.headers or ()]
        for wrong_number in ("1", -1, 10**18):
            path, body = "/till/local_api/requests", {"number": wrong_number}
            answer = await server.ask("POST", path, headers=server.till, json=body)
            assert answer.status_code == 400


# --- doubts ------------------------------------------------------------------------------------
async def test_a_doubt_is_shown_with_its_look_ups_and_looked_up_on_demand(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        receipt_id, desk = await in_doubt(server), DoubtHttp(api)
        status = await server.status()
        assert status["processor"]["state"] == "doubt"
        (pending,) = status["open"]
        assert pending["total"] == 117.98
        expected = (receipt_id, KEY, "unknown")
        assert (pending["receiptId"], pending["key"], pending["state"]) == expected
        await desk.look_again(receipt_id)
        (doubt,) = await desk.doubts()
        assert (doubt.receipt_id, doubt.key, doubt.state) == (receipt_id, KEY, "unknown")
        assert {look.answer for look in doubt.lookups} == {states.LookAnswer.AWAY}
        assert sum(look.times for look in doubt.lookups) >= 1
        (told,) = (await server.ask("GET", "/till/doubts", headers=server.till)).json()
        assert (told["counterBefore"], bool(told["reason"])) == (0, True)
        reachable_again(server)
        for _ in range(2):  # a look-up of what is settled tells it
            code, body = await post(server, f"/till/doubts/{receipt_id}/lookup", {})
            assert (code, body["invoiceNumber"]) == (200, server.shop.ledger()[0].number)
        assert await desk.doubts() == ()
        other = await in_doubt(server, "another-key-0123")
        reachable_again(server)
        assert isinstance(await desk.look_again(other), answers.Issued)
        await desk.stop()
        async with asyncio.timeout(10):
            await server.stopped.wait()


async def test_a_person_says_that_it_does_not_exist(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await in_doubt(server)
        path = f"/till/doubts/{receipt_id}/absent"
        assert await post(server, path, {"by": "Мика"}) == (200, {"state": "released"})
        status, body = await post(server, path, {"by": "Мика"})
        assert (status, body["code"], body["state"]) == (409, 40900001, "released")


async def asked_of_person(server: Running, key: str = KEY) -> tuple[str, str]:
    """Return a doubt's id and the address on its paper; the processor is away."""
    receipt_id = await in_doubt(server, key)
    server.shop.processor.change(unreachable={"lookup", "status"})
    reason = StateReason(AnswerClass.UNKNOWN, "away", "The processor has not answered.")
    journal, now = server.shop.journal, server.shop.service.clock.now()
    journal.settle(receipt_id, RequestState.NEEDS_HUMAN, reason=reason, now=now)
    return receipt_id, json.loads(server.shop.ledger()[-1].answer)["verificationUrl"]


async def test_what_the_processor_holds_is_found_whatever_a_person_says(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id, _ = await asked_of_person(server, KEY)
        reachable_again(server)
        status, body = await post(server, f"/till/doubts/{receipt_id}/absent", {"by": "Мика"})
        assert (status, body["state"]) == (409, "signed")
        assert server.shop.ledger()[0].number in body["message"]
        receipt_id, _ = await asked_of_person(server, KEY[::-1])
        reachable_again(server)
        status, body = await post(server, f"/till/doubts/{receipt_id}/lookup", {})
        assert (status, body["invoiceNumber"]) == (200, server.shop.ledger()[1].number)


UNSAID: list[tuple[str, dict[str, Any], str]] = [
    ("absent", {}, "by"),
    ("absent", {"by": ""}, "by"),
    ("absent", {"by": 7}, "by"),
    ("absent", {"by": "x" * 51}, "by"),
    ("found", {"by": "Мика"}, "verificationUrl"),
    ("found", {"verificationUrl": "", "by": "Мика"}, "verificationUrl"),
    ("found", {"verificationUrl": "https://x"}, "by"),
]
BAD_KEYS: list[dict[str, Any]] = [{}, {"key": 7}, {"key": "short"}, {"key": "x" * 65}]


async def test_what_is_cancelled_is_so_for_good_and_what_a_person_must_say(folder: Path) -> None:
    async with running(folder) as server:
        assert await post(server, "/till/cancel", {"key": KEY}) == (200, {"state": "cancelled"})
        late = await server.issue(SALE, headers=KEYED | server.till)
        assert late.status_code == 409
        assert "cancelled" in late.json()["message"]
        assert server.shop.ledger() == []
        await server.issue(SALE, headers=keyed(KEY[::-1]) | server.till)
        status, told = await post(server, "/till/cancel", {"key": KEY[::-1]})
        assert (status, told["code"], told["state"]) == (409, 40900001, "signed")
        for body in BAD_KEYS:
            status, told = await post(server, "/till/cancel", body)
            assert (status, told["validation"]["body"]["keys"]) == (400, ["key"])
        for act, body, key in UNSAID:
            status, told = await post(server, f"/till/doubts/any/{act}", body)
            assert (status, told["validation"]["body"]["keys"]) == (400, [key])
        whole = {"by": "Мика", "verificationUrl": "https://x"}
        for act in ("lookup", "absent", "found"):
            status, told = await post(server, f"/till/doubts/unknown/{act}", whole)
            assert (status, told["code"]) == (404, 40400001)


# --- a receipt that a person confirmed by its paper ----------------------------------------------
UNKNOWN_KEY = "never-seen-0123456789"


async def confirm(server: Running, receipt_id: str, url: str) -> None:
    body = {"verificationUrl": url, "by": "Мика"}
    status, told = await post(server, f"/till/doubts/{receipt_id}/found", body)
    assert (status, told.get("id")) == (200, receipt_id), told


async def nothing_is_doubted(server: Running) -> None:
    """There is no alarm; an unknown key is denied and a faulty request refused, as on any day."""
    assert (await server.status())["alarms"] == []
    look_up = await server.ask("GET", f"{RECEIPTS}/key:{UNKNOWN_KEY}")
    assert look_up.status_code == 404, look_up.text
    wrong = SALE | {"payments": {"cash": 1}}
    refused = await server.issue(wrong, headers={"Idempotency-Key": UNKNOWN_KEY})
    assert (refused.status_code, error_of(refused)["class"]) == (400, "fix")


@pytest.mark.parametrize("sold_before", [0, 1])
async def test_it_explains_the_counter_of_a_processor(folder: Path, sold_before: int) -> None:
    async with running(folder) as server:
        for _ in range(sold_before):
            assert (await server.issue(SALE)).status_code == 200
        receipt_id, url = await asked_of_person(server)
        await confirm(server, receipt_id, url)
        reachable_again(server)
        await until(lambda: server.shop.lane.closed() is None)
        assert (await server.issue(SALE)).status_code == 200
        await nothing_is_doubted(server)


async def test_it_explains_the_counter_after_a_restart(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id, url = await asked_of_person(server)
        await confirm(server, receipt_id, url)
    async with running(folder) as server:
        await nothing_is_doubted(server)


# --- the questions of reports --------------------------------------------------------------------
USUAL = {"grouping": "day", "first": "2026-11-01", "last": "2026-11-20"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wronged]:
    with wronged(tmp_path_factory.mktemp("shop")) as made:
        yield made


def asked(shop: Wronged, **told: Any) -> Any:
    body = {**USUAL, **told}
    return shop.ask("POST", "/till/receipts/report", json={"asked": body}, headers=shop.server.till)


@each(
    ("told", "field"),
    [
        ({"grouping": "week"}, "grouping"),
        ({"grouping": None}, "grouping"),
        ({"first": "1.11.2026."}, "first"),
        ({"first": 20261101}, "first"),
        ({"last": "2026-10-31"}, "last"),
        ({"skip": -1}, "skip"),
    ],
)
def test_a_wrong_member_is_named(shop: Wronged, told: dict[str, Any], field: str) -> None:
    answer = asked(shop, **told)
    assert answer.status_code == 400
    assert field in answer.text
