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
from pos_app.domain.money.money import Money
from pos_app.domain.receipt import server_status, states
from pos_app.domain.receipt.states import AnswerClass, RequestState
from pos_app.errors import Refused
from pos_app.fiscalization.device_ports import DeviceTrouble
from pos_app.fiscalization.ports import LaneState, StateReason
from pos_app.selling.server import answers
from tests.fakes.inner_connection import connection_of
from tests.integration.fiscalization.shop import unreachable
from tests.integration.journal.test_jobs import PAPER
from tests.integration.local_api.test_receipts import KEY, KEYED, SALE, keyed
from tests.integration.local_api.test_warnings import asking, mailing
from tests.integration.local_api.wires import Running, running, until
from tests.integration.local_api.wronged import DELIVERED, RECEIPTS, Wronged, error_of, wronged
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
        assert (status["processor"]["state"], status["processor"]["kind"]) == (
            "ready",
            "development",
        )
        assert status["processor"]["uid"] == server.shop.lane.name
        assert status["rates"][1]["percent"]["Ђ"] == 20
        assert (status["open"], status["notFiscal"]) == ([], True)
        assert status["sellerPib"] == "990000019"
        server.shop.processor.change(status_code="2220")
        refused = await server.issue(SALE)
        assert refused.json()["pfrCode"] == "2220"
        told = (await server.status())["processor"]
        assert (told["state"], told["code"]) == ("element", "2220")
    async with running(folder, pfr=await unreachable()) as server:
        await server.issue(SALE)
        told = (await server.status())["processor"]
        assert (told["state"], bool(told["words"])) == ("away", True)


async def test_papers_that_did_not_come_out_are_told_and_how_many_more(folder: Path) -> None:
    """A receipt among them is told with number and total."""
    async with running(folder, store=mailing(refuses=False)) as server:
        issued = await server.issue(asking("kupac@example.rs"))
        jobs, now = server.shop.journal.jobs, server.shop.service.clock.now()
        (mail,) = jobs.not_done()
        paper = jobs.add(PAPER, key="paper-000000001", now=now)
        jobs.start(mail.id, now=now)
        jobs.end(mail.id, states.JobState.FAILED, now=now, trouble=DeviceTrouble.AWAY)
        jobs.start(paper.id, now=now)
        jobs.end(paper.id, states.JobState.FAILED, now=now, trouble=DeviceTrouble.AWAY)
        async with LocalApi(server.url, server.install) as api:
            fiscal = FiscalHttp(api)
            two = [await fiscal.status() for _ in range(2)]
            for number in range(53):
                job = jobs.add(PAPER, key=f"paper-{number:012}", now=now)
                jobs.start(job.id, now=now)
                jobs.end(job.id, states.JobState.FAILED, now=now, trouble=DeviceTrouble.PAPER_OUT)
            many = await fiscal.status()
    total = Money(str(issued.json()["totalAmount"]))
    for status in two:
        assert isinstance(status, server_status.ServerStatus)
        told = {one.id: (one.number, one.total) for one in status.jobs}
        assert told == {mail.id: (issued.json()["invoiceNumber"], total), paper.id: (None, None)}
    assert isinstance(many, server_status.ServerStatus)
    assert (len(many.jobs), many.jobs_left_off) == (50, 5)


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


async def test_a_doubt_is_shown_with_its_look_ups_and_looked_up_on_demand(folder: Path) -> None:
    async with running(folder) as server, LocalApi(server.url, server.install) as api:
        receipt_id, desk = await in_doubt(server), DoubtHttp(api)
        status = await server.status()
        assert status["processor"]["state"] == "doubt"
        (pending,) = status["open"]
        assert pending["total"] == 117.98
        assert (pending["receiptId"], pending["key"], pending["state"]) == (
            receipt_id,
            KEY,
            "unknown",
        )
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


async def asked_of_a_person(server: Running, key: str) -> str:
    """Return the id of a receipt in a person's doubt, which the processor holds."""
    receipt_id = await in_doubt(server, key)
    journal, clock = server.shop.journal, server.shop.service.clock
    reason = StateReason(states.AnswerClass.UNKNOWN, "away", "The processor has not answered.")
    journal.settle(receipt_id, states.RequestState.NEEDS_HUMAN, reason=reason, now=clock.now())
    reachable_again(server)
    return receipt_id


async def test_what_the_processor_holds_is_found_whatever_a_person_says(folder: Path) -> None:
    async with running(folder) as server:
        receipt_id = await asked_of_a_person(server, KEY)
        status, body = await post(server, f"/till/doubts/{receipt_id}/absent", {"by": "Мика"})
        assert (status, body["state"]) == (409, "signed")
        assert server.shop.ledger()[0].number in body["message"]
        receipt_id = await asked_of_a_person(server, KEY[::-1])
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


async def asked_of_person(server: Running) -> tuple[str, str]:
    """Return the id of a receipt in a person's doubt, and the address on its paper; the processor
    is away."""
    receipt_id = await in_doubt(server)
    server.shop.processor.change(unreachable={"lookup", "status"})
    reason = StateReason(AnswerClass.UNKNOWN, "away", "The processor has not answered.")
    journal, now = server.shop.journal, server.shop.service.clock.now()
    journal.settle(receipt_id, RequestState.NEEDS_HUMAN, reason=reason, now=now)
    return receipt_id, json.loads(server.shop.ledger()[-1].answer)["verificationUrl"]


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


async def test_confirmed_between_two_questions_it_explains_the_counter(folder: Path) -> None:
    """The processor is slow to look up, so the person is faster than the comparison."""
    async with running(folder) as server:
        receipt_id, url = await asked_of_person(server)
        server.shop.processor.change(unreachable={"lookup"})
        await until(lambda: server.shop.lane.closed() is None)
        await confirm(server, receipt_id, url)
        reachable_again(server)
        assert (await server.issue(SALE)).status_code == 200
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


def test_rows_behind_the_last_are_none(shop: Wronged) -> None:
    """Each question first takes in what was signed since the one before."""
    article = {"name": "Чај", "taxRateLabel": "Ђ"}
    body = {
        "invoiceType": "normal",
        "transactionType": "sale",
        "payments": {"cash": 200},
        "items": [{"quantity": 1, "unitPrice": 198.98, "article": article}],
        **DELIVERED,
    }
    key = {"Idempotency-Key": "k" * 20}
    assert shop.send("issue", body, headers=key).is_success
    wide = {"grouping": "method", "first": "2020-01-01", "last": "2099-12-31"}
    (row,) = asked(shop, **wide).json()["result"]["rows"]
    assert (row["key"], row["sales"], row["receipts"]) == ("cash", 198.98, 1)
    told = asked(shop, **wide, skip=5_000).json()["result"]
    assert (told["rows"], told["many"], told["goOn"]) == ([], 1, None)
    none = asked(shop, first="1999-01-01", last="1999-12-31").json()["result"]
    assert (none["rows"], none["many"], none["goOn"]) == ([], 0, None)
    assert (none["total"]["receipts"], none["total"]["sales"]) == (0, 0)
