"""The till's questions to its server over HTTP, and the till's own client against these routes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.api_client.setup import local_api_at
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import server_status, states
from pos_app.errors import Refused
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.ports import LaneState, StateReason
from pos_app.selling.server import answers
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.shop import unreachable
from tests.integration.journal.test_jobs import PAPER
from tests.integration.local_api.test_mail_wanted import asking, mailing
from tests.integration.local_api.test_receipts import KEY, KEYED, SALE
from tests.integration.local_api.wires import Running, running

NONCE = "0123456789abcdef" * 2


async def in_doubt(server: Running) -> str:
    """Lose a receipt's answer, with no look-up answered; return its id."""
    server.shop.fault("sign_then_drop")
    server.shop.processor.change(unreachable={"lookup"})
    answer = await server.issue(SALE, headers=KEYED | server.till)
    assert answer.status_code == 500
    return str(answer.json()["receiptId"])


def reachable_again(server: Running) -> None:
    server.shop.processor.change(unreachable=set())


async def post(server: Running, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answer = await server.ask("POST", path, json=body, headers=server.till)
    told: dict[str, Any] = answer.json()
    return answer.status_code, told


# --- health ------------------------------------------------------------------------------------


async def test_health_with_and_without_a_nonce(folder: Path) -> None:
    async with running(folder) as server:
        plain = (await server.ask("GET", "/health")).json()
        proved = (await server.ask("GET", f"/health?nonce={NONCE}")).json()
        journal = server.shop.journal
        assert plain == {
            "service": "pos-app-server",
            "version": "3.2.0",
            "installId": server.install.install_id,
            "environment": "demo",
            "journal": {"id": journal.identity, "rows": 0, "hash": ""},
        }
        proof = server.install.proof(nonce=NONCE, version="3.2.0", journal_id=journal.identity)
        assert proved == plain | {"proof": proof}
        await server.issue(SALE)
        told = (await server.ask("GET", "/health")).json()["journal"]
        assert (told["rows"], told["hash"]) == (3, journal.restores.tip.hash)


BAD_NONCES = ["", "abc", "x" * 32, "a" * 65, f"{NONCE}&nonce={NONCE}"]


async def test_a_bad_nonce_is_named(folder: Path) -> None:
    async with running(folder) as server:
        for nonce in BAD_NONCES:
            answer = await server.ask("GET", f"/health?nonce={nonce}")
            assert answer.status_code == 400
            assert answer.json()["validation"]["query"]["keys"] == ["nonce"]


# --- status ------------------------------------------------------------------------------------


async def test_status(folder: Path) -> None:
    async with running(folder) as server:
        await server.issue(SALE)
        status = (await server.ask("GET", "/till/status", headers=server.till)).json()
        assert status["processor"]["state"] == "ready"
        assert status["processor"]["kind"] == "development"
        assert status["processor"]["uid"] == server.shop.lane.name
        assert status["rates"][1]["percent"]["Ђ"] == 20
        assert status["open"] == []
        assert status["notFiscal"] is True
        assert status["sellerPib"] == "990000019"


async def test_the_till_is_told_how_many_more_papers_did_not_come_out(folder: Path) -> None:
    async with running(folder) as server:
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        for number in range(53):
            job = jobs.add(PAPER, key=f"paper-{number:012}", now=now)
            jobs.start(job.id, now=now)
            jobs.end(job.id, states.JobState.FAILED, now=now, trouble=DeviceTrouble.PAPER_OUT)
        async with LocalApi(server.url, server.install) as api:
            status = await FiscalHttp(api).status()
    assert isinstance(status, server_status.ServerStatus)
    assert (len(status.jobs), status.jobs_left_off) == (50, 3)


async def test_a_receipt_that_did_not_come_out_is_told_with_number_and_total(folder: Path) -> None:
    async with running(folder, store=mailing(refuses=False)) as server:
        issued = await server.issue(asking("kupac@example.rs"))
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        (job,) = jobs.not_done()
        paper = jobs.add(PAPER, key="paper-000000001", now=now)
        for one in (job, paper):
            jobs.start(one.id, now=now)
            jobs.end(one.id, states.JobState.FAILED, now=now, trouble=DeviceTrouble.AWAY)
        async with LocalApi(server.url, server.install) as api:
            fiscal = FiscalHttp(api)
            statuses = [await fiscal.status() for _ in range(2)]
    for status in statuses:
        assert isinstance(status, server_status.ServerStatus)
        told = {one.id: (one.number, one.total) for one in status.jobs}
        total = Money(str(issued.json()["totalAmount"]))
        assert told == {job.id: (issued.json()["invoiceNumber"], total), paper.id: (None, None)}


async def test_status_of_a_processor_that_is_away(folder: Path) -> None:
    async with running(folder, pfr=await unreachable()) as server:
        await server.issue(SALE)
        status = (await server.ask("GET", "/till/status", headers=server.till)).json()
        assert status["processor"]["state"] == "away"
        assert status["processor"]["words"]


async def test_status_of_a_processor_that_does_not_tell_its_element(folder: Path) -> None:
    async with running(folder) as server:
        await server.issue(SALE)
        server.shop.processor.change(status_code="2220")
        refused = await server.issue(SALE)
        assert refused.json()["pfrCode"] == "2220"
        status = (await server.ask("GET", "/till/status", headers=server.till)).json()
        assert (status["processor"]["state"], status["processor"]["code"]) == ("element", "2220")


@pytest.mark.parametrize("alarm_id", ["1" + 25 * "0", 5_000 * "9", "9" * 19, "٣", "-1", "1x"])
async def test_an_alarm_that_no_number_can_name_is_not_found(folder: Path, alarm_id: str) -> None:
    async with running(folder) as server:
        answer = await server.ask(
            "POST", f"/till/alarms/{alarm_id}/seen", json={"by": "x"}, headers=server.till
        )
        assert answer.status_code == 404


async def test_status_while_a_receipt_is_in_doubt(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await in_doubt(server)
        status = (await server.ask("GET", "/till/status", headers=server.till)).json()
        assert status["processor"]["state"] == "doubt"
        (pending,) = status["open"]
        assert (pending["receiptId"], pending["key"], pending["state"]) == (
            receipt_id,
            KEY,
            "unknown",
        )
        assert pending["total"] == 117.98


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
            assert (alarm.what, alarm.counter_before, alarm.counter_now, alarm.receipts) == (
                states.AlarmKind.FOREIGN_TRAFFIC,
                7,
                9,
                2,
            )
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


async def test_an_alarm_is_seen_by_somebody_with_a_name(folder: Path) -> None:
    async with running(folder) as server:
        status, told = await post(server, "/till/alarms/1/seen", {"by": ""})
        assert status == 400
        assert told["validation"]["body"]["keys"] == ["by"]
        assert (
            await server.ask("POST", "/till/alarms/1/seen", json={"by": "x"})
        ).status_code == 401


async def test_the_look_ups_of_a_doubt_are_told(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await in_doubt(server)
        async with LocalApi(server.url, server.install) as api:
            await DoubtHttp(api).look_again(receipt_id)
            (doubt,) = await DoubtHttp(api).doubts()
            assert {look.answer for look in doubt.lookups} == {states.LookAnswer.AWAY}
            assert sum(look.times for look in doubt.lookups) >= 1


async def test_who_was_refused_is_listed_for_the_till_alone(folder: Path) -> None:
    async with running(folder) as server:
        evil = {"Origin": "https://evil.example"}
        assert (await server.ask("GET", "/till/status", headers=evil)).status_code == 403
        assert (
            await server.ask("POST", "/till/local_api/refused_callers", json={})
        ).status_code == 401
        async with LocalApi(server.url, server.install) as api:
            nameless, evil_one = await local_api_at(api).refused_callers()
        assert (evil_one.reason, evil_one.origin) == ("origin", "https://evil.example")
        assert 'setting "server.origins"' in evil_one.message
        assert (nameless.reason, nameless.origin) == ("token", "")


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
        assert (first.number, first.method, first.target, first.status, first.error) == (
            1,
            "POST",
            "/fiscalization/receipts",
            200,
            "",
        )
        told = wrong.json()
        assert (second.status, second.error) == (400, f"{told['code']} {told['message']}")
        assert (first.body, json.loads(whole.body or "")) == (None, SALE)
        assert KEY in [one.value for one in whole.headers or ()]
        for wrong_number in ("1", -1, 10**18):
            path, body = "/till/local_api/requests", {"number": wrong_number}
            answer = await server.ask("POST", path, headers=server.till, json=body)
            assert answer.status_code == 400


# --- doubts ------------------------------------------------------------------------------------


async def test_a_doubt_is_shown_and_looked_up_on_demand(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await in_doubt(server)
        (doubt,) = (await server.ask("GET", "/till/doubts", headers=server.till)).json()
        assert doubt["receiptId"] == receipt_id
        assert doubt["state"] == "unknown"
        assert doubt["counterBefore"] == 0
        assert doubt["reason"]
        reachable_again(server)
        status, body = await post(server, f"/till/doubts/{receipt_id}/lookup", {})
        assert status == 200
        assert body["invoiceNumber"] == server.shop.ledger()[0].number
        assert (await server.ask("GET", "/till/doubts", headers=server.till)).json() == []


async def test_a_person_says_that_it_does_not_exist(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await in_doubt(server)
        path = f"/till/doubts/{receipt_id}/absent"
        assert await post(server, path, {"by": "Мика"}) == (200, {"state": "released"})
        status, body = await post(server, path, {"by": "Мика"})
        assert (status, body["code"], body["state"]) == (409, 40900001, "released")


async def test_a_person_brings_the_paper(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await in_doubt(server)
        entry = server.shop.ledger()[0]
        path = f"/till/doubts/{receipt_id}/found"
        url = json.loads(entry.answer)["verificationUrl"]
        wrong = {"verificationUrl": "https://example.org/v/?vl=x", "by": "Мика"}
        status, body = await post(server, path, wrong)
        assert (status, body["validation"]["body"]["keys"]) == (400, ["verificationUrl"])
        status, body = await post(server, path, {"verificationUrl": url, "by": "Мика"})
        assert (status, body["id"]) == (200, receipt_id)
        assert body["invoiceNumber"] == entry.number


async def asked_of_a_person(server: Running) -> str:
    """Return the id of a receipt in a person's doubt, which the processor holds."""
    receipt_id = await in_doubt(server)
    journal, clock = server.shop.journal, server.shop.service.clock
    reason = StateReason(states.AnswerClass.UNKNOWN, "away", "The processor has not answered.")
    journal.settle(receipt_id, states.RequestState.NEEDS_HUMAN, reason=reason, now=clock.now())
    reachable_again(server)
    return receipt_id


async def test_what_a_person_is_asked_about_is_looked_up_on_demand_too(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await asked_of_a_person(server)
        status, body = await post(server, f"/till/doubts/{receipt_id}/lookup", {})
        assert status == 200
        assert body["invoiceNumber"] == server.shop.ledger()[0].number


async def test_what_the_processor_holds_is_not_said_to_be_absent(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await asked_of_a_person(server)
        status, body = await post(server, f"/till/doubts/{receipt_id}/absent", {"by": "Мика"})
        assert (status, body["state"]) == (409, "signed")
        assert server.shop.ledger()[0].number in body["message"]


UNSAID: list[tuple[str, dict[str, Any], str]] = [
    ("absent", {}, "by"),
    ("absent", {"by": ""}, "by"),
    ("absent", {"by": 7}, "by"),
    ("absent", {"by": "x" * 51}, "by"),
    ("found", {"by": "Мика"}, "verificationUrl"),
    ("found", {"verificationUrl": "", "by": "Мика"}, "verificationUrl"),
    ("found", {"verificationUrl": "https://x"}, "by"),
]


async def test_what_a_person_must_say(folder: Path) -> None:
    async with running(folder) as server:
        for act, body, key in UNSAID:
            status, told = await post(server, f"/till/doubts/any/{act}", body)
            assert (status, told["validation"]["body"]["keys"]) == (400, [key])


@pytest.mark.parametrize("act", ["lookup", "absent", "found"])
async def test_a_doubt_that_is_not_there(folder: Path, act: str) -> None:
    async with running(folder) as server:
        body = {"by": "Мика", "verificationUrl": "https://x"}
        status, told = await post(server, f"/till/doubts/unknown/{act}", body)
        assert (status, told["code"]) == (404, 40400001)


async def test_a_look_up_of_what_is_settled_tells_it(folder: Path) -> None:
    async with running(folder) as server:
        issued = (await server.issue(SALE, headers=KEYED)).json()
        assert await post(server, f"/till/doubts/{issued['id']}/lookup", {}) == (200, issued)


# --- cancelling and stopping ---------------------------------------------------------------------


async def test_an_unknown_key_is_cancelled_for_good(folder: Path) -> None:
    async with running(folder) as server:
        assert await post(server, "/till/cancel", {"key": KEY}) == (200, {"state": "cancelled"})
        late = await server.issue(SALE, headers=KEYED | server.till)
        assert late.status_code == 409
        assert "cancelled" in late.json()["message"]
        assert server.shop.ledger() == []


async def test_what_is_signed_is_not_cancelled(folder: Path) -> None:
    async with running(folder) as server:
        await server.issue(SALE, headers=KEYED | server.till)
        status, body = await post(server, "/till/cancel", {"key": KEY})
        assert (status, body["code"], body["state"]) == (409, 40900001, "signed")


BAD_KEYS: list[dict[str, Any]] = [{}, {"key": 7}, {"key": "short"}, {"key": "x" * 65}]


async def test_a_bad_key_to_cancel(folder: Path) -> None:
    async with running(folder) as server:
        for body in BAD_KEYS:
            status, told = await post(server, "/till/cancel", body)
            assert (status, told["validation"]["body"]["keys"]) == (400, ["key"])


async def test_the_till_may_stop_its_server(folder: Path) -> None:
    async with running(folder) as server:
        assert await post(server, "/till/stop", {}) == (200, {})
        async with asyncio.timeout(10):
            await server.stopped.wait()


TILL_ROUTES = [
    ("GET", "/till/status"),
    ("GET", "/till/doubts"),
    ("POST", "/till/doubts/x/lookup"),
    ("POST", "/till/doubts/x/absent"),
    ("POST", "/till/doubts/x/found"),
    ("POST", "/till/cancel"),
    ("POST", "/till/stop"),
    ("GET", "/till/whatever"),
]


async def test_nobody_else_may(folder: Path) -> None:
    async with running(folder, lan_token="lan-secret-lan-secret") as server:
        for method, path in TILL_ROUTES:
            install = {"X-Pos-Install": server.install.install_id}
            for token in ({}, {"X-Pos-Token": "guess"}, {"X-Pos-Token": "lan-secret-lan-secret"}):
                answer = await server.ask(method, path, headers=install | token)
                assert (answer.status_code, answer.json()["code"]) == (401, 40100001)
            foreign = {"X-Pos-Token": server.install.token, "X-Pos-Install": "another"}
            answer = await server.ask(method, path, headers=foreign)
            assert (answer.status_code, answer.json()["code"]) == (421, 42100001)
            assert not server.stopped.is_set()


# --- the till's own client ---------------------------------------------------------------------


async def test_the_tills_client_speaks_with_these_routes(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        fiscal = FiscalHttp(api)
        facts = await fiscal.prove()
        assert isinstance(facts, answers.ServerFacts)
        assert facts.journal.id == server.shop.journal.identity
        assert isinstance(await fiscal.look_up(KEY), answers.NotIssued)
        status = await fiscal.status()
        assert isinstance(status, server_status.ServerStatus)
        assert status.processor.state in {
            server_status.ProcessorState.READY,
            server_status.ProcessorState.AWAY,
        }
        assert isinstance(await fiscal.cancel(KEY), answers.Cancelled)
        other = KEY[::-1]
        mine = server.till | {"X-Till": server.install.till_id, "Idempotency-Key": other}
        await server.issue(SALE, headers=mine)
        assert isinstance(await fiscal.look_up(other), answers.Issued)
        assert await fiscal.cancel(other) == answers.NotCancelled("signed")


async def test_the_tills_client_settles_doubts(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        receipt_id = await in_doubt(server)
        desk = DoubtHttp(api)
        (doubt,) = await desk.doubts()
        assert (doubt.receipt_id, doubt.key, doubt.state) == (receipt_id, KEY, "unknown")
        reachable_again(server)
        found = await desk.look_again(receipt_id)
        assert isinstance(found, answers.Issued)
        await desk.stop()
        async with asyncio.timeout(10):
            await server.stopped.wait()
