"""Public mode as a caller and an application see it: real sockets, both databases."""

from __future__ import annotations

import asyncio
import base64
import json
import uuid
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from pos_app.adapters.clock import SystemClock
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.platform_api.keys import NewKey, revoke_key
from pos_app.platform_api.receipt_routes import NOBODY
from pos_app.platform_api.relay.commands import CommandState, RelayCommand
from pos_app.wire import relay
from tests.integration.platform_api.hosted import Place, problem
from tests.integration.platform_api.relayed import (
    ISSUE,
    KEY,
    TillServer,
    Worker,
    line_to,
    posted,
    reset,
    sale,
    sent,
    shop,
    two_workers,
    whole_answer,
    worker,
)

LOST = (500, 50080001)


async def test_a_request_is_handed_over_and_its_answer_kept(database: Place) -> None:
    async with shop(database) as (at, till, caller):
        assert till.greeting == relay.WelcomeMessage(account_id=at.account, heartbeat_seconds=20)
        body = sale(till.client, note="Ђурђевак")
        asking = posted(caller, body)
        command = await till.command()
        assert json.loads(command.body) == body
        assert (command.operation, command.target, command.key) == ("issue", None, KEY)
        assert 17_000 < command.remaining_ms <= 19_500
        assert (command.attempt, command.has_new_key) == (1, False)
        await till.answer(command, totalAmount=5)
        answer = await asking
        assert (answer.status_code, answer.json()) == (200, {"id": "r-1", "totalAmount": 5})
        again = await posted(caller, dict(reversed(body.items())))  # the same, in another spelling
        assert (again.status_code, again.json()) == (200, answer.json())
        other = await posted(caller, sale(till.client, note="друго"))
        assert problem(other)[:2] == (409, 40900001)
        assert len(till.heard) == 2  # no second hand-over


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


async def test_an_answer_that_nobody_waits_for_is_no_other_request_s(file_database: Place) -> None:
    async with (
        worker(file_database) as at,
        TillServer.connected(at) as till,
        TillServer.connected(at) as stranger,
        at.caller() as caller,
    ):
        first = posted(caller, sale(till.client))
        command = await till.command()
        await stranger.answer(command, totalAmount=1)
        await stranger.answer(command, status=400)
        second = posted(caller, sale(till.client))
        again = await till.command()
        await till.answer(command, status=400)  # the first attempt's: the second may be signed
        await till.answer(again, totalAmount=2)
        await till.answer(again, totalAmount=3)
        for asked in (first, second):  # both get the one outcome of their key
            assert (await asked).json()["totalAmount"] == 2
        assert (await posted(caller, sale(till.client))).json()["totalAmount"] == 2


async def test_only_who_asked_may_repeat_a_body_without_a_key(file_database: Place) -> None:
    async with worker(file_database) as at, TillServer.connected(at) as till:
        other_key = await at.another_key()
        body = sale(till.client)
        async with at.caller() as caller, at.caller(other_key) as other:
            asking = posted(caller, body, key=None)
            first = await till.command()
            asking_too = posted(other, body, key=None)
            second = await till.command()
            assert first.key != second.key
            await till.answer(second, totalAmount=2)
            await till.answer(first, totalAmount=1)
            assert (await asking).json()["totalAmount"] == 1
            assert (await asking_too).json()["totalAmount"] == 2


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


async def test_a_key_may_say_that_each_order_is_a_sale(file_database: Place) -> None:
    """Then an identical order is another sale, at once as well as after a lost answer."""
    async with worker(file_database) as at, TillServer.connected(at) as till:
        async with at.caller() as manager:
            told = {"name": "Хотел", "scopes": ["fiscalization"], "eachOrderIsASale": True}
            made = (await manager.post("/keys", json=told)).json()
            assert made["eachOrderIsASale"] is True
            listed = {key["id"]: key for key in (await manager.get("/keys")).json()}
            assert listed[made["id"]]["eachOrderIsASale"] is True
            assert listed[at.key.id]["eachOrderIsASale"] is False
        body = sale(till.client)
        async with at.caller(NewKey(made["id"], made["secret"])) as caller:
            asking = posted(caller, body, key=None), posted(caller, body, key=None)
            first, second = await till.command(), await till.command()
            assert first.key != second.key
            for number, command in enumerate((first, second)):
                await till.answer(command, totalAmount=number)
            assert sorted([(await one).json()["totalAmount"] for one in asking]) == [0, 1]
            lost, _ = await till.signs(posted(caller, body, key=None), 500, receiptId="r")
            another = posted(caller, body, key=None)
            assert (await till.command()).key != lost.key
            another.cancel()


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


async def test_one_application_a_client_and_a_store(database: Place) -> None:
    async with worker(database) as at, at.caller() as caller:
        store = (await caller.post("/stores", json={"name": "Продавница"})).json()["id"]
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        async with TillServer.connected(at, client=client, install=install, store=store) as till:
            for named in ({"client": client}, {"store": store}):
                async with TillServer.connected(at, **named) as second:
                    assert second.refusal == "taken"
                    assert "Каса" in second.refused.reason
                    assert second.refused.name == "Каса"
                    await second.ended()
                notice = await till.hears()
                assert isinstance(notice, relay.NoticeMessage)
                assert notice.name == "Каса"
            await till.signs(posted(caller, sale(None, storeId=store)))
            async with till.back(at, store=store) as again:
                assert not again.refusal
                await till.ended()
                assert till.refused.code == "replaced"
                await again.signs(posted(caller, sale(client, storeId=store), key="k" * 16))
        async with TillServer.connected(at, store=str(uuid.uuid4())) as lost:
            assert lost.refusal == "unknown_store"
        stranger = await at.another_account()
        async with TillServer.connected(at, client=client, key=stranger) as foreign:
            assert foreign.refusal == "foreign_client"
            assert foreign.refused.reason.endswith("In the till: Settings, Platform, New clientId.")


async def test_a_client_s_id_is_a_uuid_at_every_door(database: Place) -> None:
    async with worker(database) as at, at.caller() as caller:
        for named in ("x", "till-1", "0" * 36, "0f6f0b1e" * 4):
            async with TillServer.connected(at, client=named) as till:
                assert till.refusal == "malformed"
                assert till.refused.reason.startswith('"clientId" must be a valid GUID')
            for answer in (
                await posted(caller, sale(named)),
                await caller.post(f"{ISSUE}/A-B-1/refund", json=sale(named)),
                await caller.get(f"{ISSUE}/key:{KEY}?clientId={named}"),
            ):
                assert problem(answer)[:2] == (400, 40090001)
                assert problem(answer)[2:] == ('"clientId" must be a valid GUID', ["clientId"])
        assert (await caller.get("/clients")).json() == []
        capitals = str(uuid.uuid4()).upper()
        async with TillServer.connected(at, client=capitals) as till:
            assert not till.refusal
            (client,) = (await caller.get("/clients")).json()
            assert client["id"] == capitals.lower()
            await till.signs(posted(caller, sale(capitals)))


async def test_what_is_no_message_in_turn_ends_its_connection_alone(file_database: Place) -> None:
    async with shop(file_database) as (at, till, caller):
        one = str(uuid.uuid4())
        hello = relay.written(relay.HelloMessage(version=1, client_id=one, install_id="i-1"))
        answer = relay.written(relay.AnswerMessage(command_id="c", attempt=1, status=200, body=""))
        newer = relay.written(relay.HelloMessage(version=2, client_id=one, install_id="i-1"))
        spoken: list[list[str | bytes]] = [
            [hello[:-2]], [b"\x00\xff"], [answer], [newer], [hello, hello], [hello, "{}"],
            [hello, b"{}"], [hello, answer[:40]],
        ]  # fmt: skip
        for said in spoken:
            async with line_to(at) as line:
                for frame in said:
                    await line.send(frame)
                told = TillServer(line, one, "i-1")
                await told.ended()
                assert told.refused.code, said
        await till.signs(posted(caller, sale(till.client)))


async def refused_at_last(at: Worker, key: NewKey) -> int:
    """Return the status. A worker remembers a right key for a second: meanwhile connect again."""
    while True:
        try:
            async with TillServer.connected(at, key=key) as till:
                await till.ended()
        except InvalidStatus as refused:
            return refused.response.status_code


async def test_a_revoked_key_ends_its_lines_and_a_new_one_brings_receipts(database: Place) -> None:
    """Another program on the same database revokes it, as the command line does."""
    async with worker(database) as at, at.caller() as caller, TillServer.connected(at) as other:
        client, install, mine = str(uuid.uuid4()), str(uuid.uuid4()), await at.another_key()
        async with TillServer.connected(at, client=client, install=install, key=mine) as till:
            asking = posted(caller, sale(client))
            handed = await till.command()
            beside = await database.open()
            async with beside.writing() as connection:
                await revoke_key(connection, mine.id, now=SystemClock().now())
            await beside.close()
            await till.ended()
            assert (till.refused.code, till.line.close_code) == ("revoked", 1008)
            assert till.line.close_reason == f"revoked: {till.refused.reason}"
        lost = await asking
        assert problem(lost)[:2] == LOST
        assert problem(await posted(caller, sale(client)))[:2] == LOST
        nobody = await posted(caller, sale(client), key="another-key-of-a-caller")
        assert problem(nobody)[:3] == (400, 40080001, NOBODY)
        assert await refused_at_last(at, mine) == 401
        async with till.back(at, key=await at.another_key()) as till:
            receipt_id = lost.json()["receiptId"]
            again, told = await till.signs(posted(caller, sale(client)), id=receipt_id)
            assert (again.command_id, again.key) == (handed.command_id, KEY)
            assert told == {"id": receipt_id}
        await other.signs(posted(caller, sale(other.client), key="a-sale-of-the-other-one"))


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


async def test_a_till_that_the_worker_beside_has_no_more_was_not_asked(shared: Place) -> None:
    async with two_workers(shared) as (near, far, caller):
        service, client = near.relay.service, str(uuid.uuid4())
        gone = await near.application_at(far.relay.service.worker, client, beats=False)
        assert problem(await posted(caller, sale(client)))[:2] == (400, 40080001)
        row = await near.row()
        assert (row.state, row.unsure) == (CommandState.NEW, 0)
        await service.presence.leave(gone.connection)
        async with TillServer.connected(near) as another:  # the key has no clientId yet
            await another.signs(posted(caller, sale(another.client)))


async def test_a_till_that_goes_after_its_worker_took_a_command_was_surely_not_asked(
    shared: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_workers(shared) as (near, far, caller), TillServer.connected(far) as till:
        service = far.relay.service
        begin = service.commands.begin

        async def begin_and_lose(command_id: str, attempt: int) -> RelayCommand | None:
            begun = await begin(command_id, attempt)
            await till.line.close()
            await gone.wait()
            return begun

        leave, gone = service.presence.leave, asyncio.Event()

        async def noted_leave(connection: str) -> None:
            await leave(connection)
            gone.set()

        monkeypatch.setattr(service.commands, "begin", begin_and_lose)
        monkeypatch.setattr(service.presence, "leave", noted_leave)
        assert problem(await posted(caller, sale(till.client)))[:2] == (400, 40010001)
        row = await near.row()
        assert (row.state, row.unsure) == (CommandState.NEW, 0)


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
