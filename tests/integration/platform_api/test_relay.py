"""Public mode as a caller and an application see it: real sockets, both databases."""

from __future__ import annotations

import asyncio
import base64
import uuid
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import delete

from pos_app.domain.setup.platform_key import KeyScope
from pos_app.local_api.relay_channel import RelayAddress, dial
from pos_app.local_api.relay_client import LineClosed
from pos_app.platform_api.database.relay_tables import PRESENCE
from pos_app.platform_api.keys import NewKey
from pos_app.platform_api.receipt_routes import NOBODY
from pos_app.platform_api.relay import program
from pos_app.wire import relay
from tests.integration.platform_api.hosted import Place, problem
from tests.integration.platform_api.relayed import (
    ISSUE,
    KEY,
    TillServer,
    Worker,
    posted,
    reset,
    sale,
    sent,
    shop,
    two_workers,
    whole_answer,
    worker,
)
from tests.ports import free_port

LOST = (500, 50080001)


async def test_each_operation_and_look_up_goes_to_the_named_client(file_database: Place) -> None:
    async with (
        worker(file_database) as at,
        TillServer.connected(at) as till,
        TillServer.connected(at) as other,
        at.caller() as caller,
    ):
        for operation in ("advance", "close", "copy", "refund"):
            body, path = sale(till.client), f"{ISSUE}/A%2FB-1/{operation}"
            command, _ = await till.signs(posted(caller, body, path, key=f"{operation:x<16}"))
            assert (command.operation, command.target) == (operation, "A/B-1")
        looking = asyncio.create_task(caller.get(f"{ISSUE}/key:{KEY}?clientId={other.client}"))
        command = await other.command()
        assert (command.operation, command.target) == ("look_up", f"key:{KEY}")
        await other.answer(command, status=404)
        assert (await looking).status_code == 404
        for path in (ISSUE, *(f"{ISSUE}/A-1/{name}" for name in ("advance", "close", "copy"))):
            nameless = await posted(caller, sale(None), path)
            assert problem(nameless) == (400, 40090001, '"clientId" is required', ["clientId"])
        nameless = await caller.get(f"{ISSUE}/A-1")
        assert problem(nameless) == (400, 40090001, '"clientId" is required', ["clientId"])
        assert nameless.json()["validation"].keys() == {"query"}
        answer = await caller.get(f"{ISSUE}/A-B-1/advance")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        encoded = await caller.get(f"{ISSUE}/A%2Fadvance")
        assert encoded.status_code != 405, "an id may hold a slash"


async def test_nobody_is_connected(database: Place) -> None:
    async with worker(database) as at, at.caller() as caller:
        nobody, store = str(uuid.uuid4()), str(uuid.uuid4())
        for named in ({"clientId": nobody}, {"storeId": store}):
            answer = await posted(caller, sale(None, **named))
            assert problem(answer) == (400, 40080001, NOBODY, [])
            assert answer.json()["class"] == "wait"
        answer = await caller.get(f"{ISSUE}/key:{KEY}?storeId={store}")
        assert problem(answer)[:3] == (400, 40080001, NOBODY)
        told = '"clientId" must not contain control characters'
        for answer in (
            await posted(caller, sale("till\0")),
            await caller.get(f"{ISSUE}/key:{KEY}?clientId=till%00"),
        ):
            assert (problem(answer)[0], *problem(answer)[2:]) == (400, told, ["clientId"])
        for reference in ("%00", "key:%00", "A-B-1%00"):
            for answer in (
                await caller.get(f"{ISSUE}/{reference}?clientId={nobody}"),
                await caller.post(f"{ISSUE}/{reference}/copy", json=sale(nobody)),
            ):
                assert problem(answer)[:2] == (404, 40400001), reference
        assert problem(await caller.get("/pdf/%00"))[:2] == (404, 40400001)
        async with TillServer.connected(at, client=nobody, key=await at.another_account()):
            answer = await posted(caller, sale(nobody))  # the clientId of another account
            assert problem(answer)[:3] == (400, 40080001, NOBODY)


async def test_what_was_handed_over_is_not_denied_and_told_later(database: Place) -> None:
    async with worker(database) as at, at.caller() as caller:
        async with TillServer.connected(at) as till:
            client, where = till.client, f"clientId={till.client}"
            asking = posted(caller, sale(client))
            first = await till.command()
            await till.line.close()
            lost = await asking
        assert problem(lost)[:2] == LOST
        receipt_id = lost.json()["receiptId"]
        assert problem(await posted(caller, sale(client)))[:2] == LOST
        assert problem(await posted(caller, sale(client, more=1)))[:2] == (409, 40900001)
        for reference in (f"key:{KEY}", receipt_id):
            waiting = await caller.get(f"{ISSUE}/{reference}?{where}")
            assert waiting.status_code == 202
            assert waiting.json() == {"receiptId": receipt_id, "state": "handed_over"}
        async with till.back(at) as till:
            again, told = await till.signs(posted(caller, sale(client)), id=receipt_id)
            assert (again.command_id, again.key) == (first.command_id, KEY)
            assert (again.attempt > first.attempt, told) == (True, {"id": receipt_id})
        found = await caller.get(f"{ISSUE}/key:{KEY}?{where}")  # now no till is connected
        assert (found.status_code, found.json()) == (200, {"id": receipt_id})


@pytest.mark.parametrize("is_cut", [False, True])
async def test_a_cut_answer_comes_again_without_a_key(database: Place, is_cut: bool) -> None:
    """Bytes that a caller leaves unread reset the connection: the answer was not delivered."""
    async with shop(database) as (at, till, caller):
        body = sale(till.client)
        reader, writer = await sent(at, body)
        await till.answer(await till.command(), journal="x" * 18_000)
        if is_cut:
            await reader.readexactly(2_000)
            reset(writer)
        else:
            await whole_answer(reader)
        again = posted(caller, body, key=None)
        if not is_cut:
            await till.answer(await till.command())
        assert ((await again).status_code, len(till.heard)) == (200, 2 if is_cut else 3)
        writer.close()


async def test_a_key_for_one_application_lets_no_other_one_in(database: Place) -> None:
    """A refused one does not take the key: it connects with another clientId."""
    told = {"name": "Каса 1", "scopes": ["application"], "oneClient": True}
    connected, client = TillServer.connected, str(uuid.uuid4())
    async with worker(database) as at, at.caller() as manager:
        made = (await manager.post("/keys", json=told)).json()
        key = NewKey(made["id"], made["secret"])
        async with connected(at, client=client, install="i-1", key=await at.another_account()):
            pass
        async with connected(at, client=client, install="i-1", key=key) as till:
            assert till.refusal == "foreign_client"
        client = str(uuid.uuid4())
        for _ in range(2):
            async with connected(at, client=client, install="i-1", key=key) as till:
                assert not till.refusal
        async with connected(at, key=key) as stranger:
            assert stranger.refusal == "key_of_another"
        made = (await manager.post(f"/keys/{key.id}/rotate")).json()
        following = NewKey(made["id"], made["secret"])
        async with connected(at, key=following) as stranger:
            assert stranger.refusal, "it is still one's alone"
        async with connected(at, client=client, install="i-1", key=following) as till:
            assert not till.refusal


async def test_pdfs_are_hosted_for_each_time_that_their_link_is_given(database: Place) -> None:
    files = {"r-1": base64.b64encode(b"%PDF-1.7").decode()}
    body: dict[str, Any] = {"receiptDelivery": {"pdf": True}}
    async with worker(database) as at, at.caller() as caller:
        async with TillServer.connected(at) as till:
            links = []
            for operation in ("issue", "look_up"):  # the same key: its PDF is made again
                asking = posted(caller, sale(till.client, **body))
                command, told = await till.signs(asking, files=files, pdf="r-1")
                assert command.operation == operation
                links.append(told["pdf"])
        assert len(set(links)) == 2
        for link in links:
            assert link.startswith(f"{at.address}/pdf/")
            async with httpx.AsyncClient(trust_env=False) as anyone:
                found = await anyone.get(link)
            told = found.content, found.headers["content-type"]
            assert told == (b"%PDF-1.7", "application/pdf")
        assert (await caller.get(f"{at.address}/pdf/another")).status_code == 404
        without = (await posted(caller, sale(till.client, **body))).json()
        assert without["pdf"] is None
        assert without["warnings"][0]["code"] == "pdf_not_made"


async def test_a_caller_of_one_worker_reaches_an_application_of_another(shared: Place) -> None:
    files = {"r-1": base64.b64encode(b"%PDF-1.7").decode()}
    async with two_workers(shared) as (near, far, caller):
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        async with TillServer.connected(far, client=client, install=install) as till:
            asking = posted(caller, sale(client, receiptDelivery={"pdf": True}))
            link = (await till.signs(asking, files=files, pdf="r-1"))[1]["pdf"]
            assert link.startswith(near.address)
            assert (await caller.get(link)).content == b"%PDF-1.7"
            for status in (400, 500):
                await till.signs(posted(caller, sale(client), key=f"{status}{'k' * 16}"), status)
            asking = posted(caller, sale(client), key="d" * 16)
            await till.decline(await till.command())
            assert problem(await asking)[:2] == (400, 40010001)
            async with TillServer.connected(near, client=client) as second:
                assert isinstance(second.greeting, relay.RefusedMessage)
            assert isinstance(await till.hears(), relay.NoticeMessage)
            await till.signs(caller.get(f"{ISSUE}/r-2?clientId={client}"), 404)
            asking = posted(caller, sale(client), key="l" * 16)
            lost = await till.command()
            async with till.back(near) as again:
                await till.ended()  # it is connected to the other worker now
                assert problem(await asking)[:2] == LOST
                found, _ = await again.signs(posted(caller, sale(client), key="l" * 16))
                assert (found.command_id, found.attempt) == (lost.command_id, 2)


async def test_a_store_alone_waits_for_its_till_that_is_away(database: Place) -> None:
    """It may be connecting again at this moment; another till has its own element."""
    async with shop(database) as (at, till, caller):
        store = (await caller.post("/stores", json={"name": "Продавница"})).json()["id"]
        body, named = sale(None, storeId=store), str(uuid.uuid4())
        for own in ({"store": store}, {}):
            async with TillServer.connected(at, client=named, install="i", **own):
                pass
            assert problem(await posted(caller, body)) == (400, 40080001, NOBODY, [])
            looked = await caller.get(f"{ISSUE}/A-1?storeId={store}")
            assert problem(looked)[:2] == (400, 40080001)
        async with TillServer.connected(at, client=named, install="i", store=store) as again:
            await again.signs(posted(caller, body))
        assert problem(await posted(caller, body, key="t" * 16))[:2] == (400, 40080001)
        assert (await caller.delete(f"/clients/{named}")).status_code == 200
        await till.signs(posted(caller, body, key="t" * 16))  # now there is no other till


async def test_a_head_is_answered_like_a_get(database: Place) -> None:
    """All is on one connection: a body after the head would be read as the next answer."""
    async with shop(database) as (at, till, caller):
        await caller.post("/stores", json={"name": "Продавница"})
        lists = "stores", "products", "units", "categories", "cashiers", "files", "keys", "clients"
        for path in lists:
            whole, head = await caller.get(f"/{path}"), await caller.head(f"/{path}")
            assert (head.status_code, head.content) == (200, b""), path
            assert head.headers["Content-Type"] == whole.headers["Content-Type"]
            assert head.headers.get("ETag") == whole.headers.get("ETag")
            assert head.headers.get("Content-Length") in (None, whole.headers["Content-Length"])
        known = {"If-None-Match": (await caller.head("/stores")).headers["ETag"]}
        assert (await caller.head("/stores", headers=known)).status_code == 304
        assert (await caller.head("/stores?limit=1")).status_code == 400
        async with at.caller(await at.another_account(KeyScope.APPLICATION)) as stranger:
            assert (await stranger.head("/stores")).status_code == 403
        for status in (200, 404):
            looking = asyncio.create_task(caller.head(f"{ISSUE}/r-2?clientId={till.client}"))
            await till.answer(await till.command(), status=status)
            answer = await looking
            assert (answer.status_code, answer.content) == (status, b"")
        assert (await caller.get("/stores")).status_code == 200


NO_ROOM = (400, 40010002)


async def test_a_full_disk_denies_only_what_was_never_handed_over(file_database: Place) -> None:
    async with shop(file_database) as (at, till, caller):
        signed, is_open = uuid.uuid4().hex, uuid.uuid4().hex
        long = sale(till.client, note="x" * 100_000)
        await till.signs(posted(caller, long, key=signed))
        await till.signs(posted(caller, long, key=is_open), 500)
        another = await at.another_key()
        full = "PRAGMA max_page_count = 1"
        async with at.database.writing() as connection:
            await connection.exec_driver_sql(full)
        await at.database.written(lambda connection: [connection.execute(full).fetchall()])
        for key in (uuid.uuid4().hex, None):
            for _ in range(2):
                denied = await posted(caller, {**long, "more": 1}, key=key)
                assert (problem(denied)[:2], denied.json()["class"]) == (NO_ROOM, "cure")
        assert (await posted(caller, long, key=signed)).status_code == 200
        await till.signs(posted(caller, long, key=is_open))
        bread = {"name": "Хлеб", "taxRateLabel": "Е", "description": "x" * 60_000}
        assert problem(await caller.post("/products", json=bread))[:2] == NO_ROOM
        async with at.caller(another) as reader:  # the first use of its key can't be written
            assert (await reader.get("/products")).json() == []
            assert problem(await posted(reader, {**long, "more": 2}))[:2] == NO_ROOM
        health = await caller.get(f"{at.address}/health")
        assert health.json()["warnings"] == ["The disk of the platform's database is full."]
        async with at.database.writing() as connection:
            await connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
        assert (await caller.post("/products", json=bread)).status_code == 201


async def test_a_connection_that_was_not_told_that_it_was_replaced_ends_soon(
    database: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A notification between workers may be lost, and a worker that stood still gets none."""
    monkeypatch.setattr(program, "BEAT_SECONDS", 0.1)
    async with worker(database) as at, TillServer.connected(at) as till:
        async with at.database.writing() as connection:
            await connection.execute(delete(PRESENCE).where(PRESENCE.c.client == till.client))
        await till.ended()
        assert (till.refused.code, len(at.relay.hub)) == ("replaced", 0)


# --- the server's connection ---------------------------------------------------------------------


def address_of(at: Worker) -> RelayAddress:
    return RelayAddress(f"{at.address}/v2", at.key.id, at.key.secret)


async def test_refusals_in_words(file_database: Place, caplog: pytest.LogCaptureFixture) -> None:
    async with worker(file_database) as at:
        unscoped = await at.another_account(KeyScope.CATALOGUE)
        wrong = {
            "credentials": replace(address_of(at), secret="no"),
            "scope": replace(address_of(at), key=unscoped.id, secret=unscoped.secret),
            "address": replace(address_of(at), url=f"{at.address}/elsewhere/v2"),
        }
        for code, address in wrong.items():
            with pytest.raises(LineClosed) as refused:
                async with dial(address):
                    pass
            assert (refused.value.refusal, refused.value.slow) == (code, True)
    assert not [record for record in caplog.records if record.name.startswith("uvicorn")]
    for away in (at.address, f"http://127.0.0.1:{free_port()}"):
        with pytest.raises(LineClosed) as closed:
            async with dial(replace(address_of(at), url=f"{away}/v2")):
                pass
        assert not closed.value.slow
