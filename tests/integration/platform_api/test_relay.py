"""Public mode as a caller and an application see it: real sockets, both databases."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import struct
import uuid
from functools import partial
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from pos_app.adapters.clock import SystemClock
from pos_app.domain.setup.platform_key import KeyScope
from pos_app.platform_api.clients import registering
from pos_app.platform_api.database.batches import Batches
from pos_app.platform_api.keys import NewKey, revoke_key
from pos_app.platform_api.receipt_routes import NOBODY
from pos_app.platform_api.relay.commands import CommandState, RelayCommand
from pos_app.platform_api.relay.presence import Application, Entered
from pos_app.wire import relay
from tests.integration.platform_api import relayed
from tests.integration.platform_api.hosted import DatabasePlace, problem

ISSUE = "/fiscalization/receipts"
LOST = (500, 50080001)


def posted(
    caller: httpx.AsyncClient,
    body: dict[str, Any],
    path: str = ISSUE,
    key: str | None = relayed.KEY,
) -> asyncio.Task[httpx.Response]:
    headers = {} if key is None else {"Idempotency-Key": key}
    return asyncio.create_task(caller.post(path, json=body, headers=headers))


async def test_a_request_is_handed_over_and_its_answer_kept(database: DatabasePlace) -> None:
    async with (
        relayed.worker(database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        assert till.greeting == relay.WelcomeMessage(account_id=at.account, heartbeat_seconds=20)
        body = relayed.sale(till.client, note="Ђурђевак")
        asking = posted(caller, body)
        command = await till.command()
        assert json.loads(command.body) == body
        assert (command.operation, command.target, command.key) == ("issue", None, relayed.KEY)
        assert 17_000 < command.remaining_ms <= 19_500
        assert (command.attempt, command.has_new_key) == (1, False)
        await till.answer(command, totalAmount=5)
        answer = await asking
        assert (answer.status_code, answer.json()) == (200, {"id": "r-1", "totalAmount": 5})
        again = await posted(caller, dict(reversed(body.items())))  # the same, in another spelling
        assert (again.status_code, again.json()) == (200, answer.json())
        other = await posted(caller, relayed.sale(till.client, note="друго"))
        assert problem(other)[:2] == (409, 40900001)
        assert len(till.heard) == 2  # no second hand-over


async def test_each_operation_and_the_look_up_go_to_the_client_that_is_named(
    file_database: DatabasePlace,
) -> None:
    async with (
        relayed.worker(file_database) as at,
        relayed.TillServer.connected(at) as till,
        relayed.TillServer.connected(at) as other,
        at.caller() as caller,
    ):
        for operation in ("advance", "close", "copy", "refund"):
            body, path = relayed.sale(till.client), f"{ISSUE}/A%2FB-1/{operation}"
            asking = posted(caller, body, path, key=f"{operation:x<16}")
            command = await till.command()
            assert (command.operation, command.target) == (operation, "A/B-1")
            await till.answer(command)
            assert (await asking).status_code == 200
        looking = asyncio.create_task(
            caller.get(f"{ISSUE}/key:{relayed.KEY}?clientId={other.client}")
        )
        command = await other.command()
        assert (command.operation, command.target) == ("look_up", f"key:{relayed.KEY}")
        await other.answer(command, status=404)
        assert (await looking).status_code == 404
        for path in (ISSUE, *(f"{ISSUE}/A-1/{name}" for name in ("advance", "close", "copy"))):
            nameless = await posted(caller, relayed.sale(None), path)
            assert problem(nameless) == (400, 40090001, '"clientId" is required', ["clientId"])
        nameless = await caller.get(f"{ISSUE}/A-1")
        assert problem(nameless) == (400, 40090001, '"clientId" is required', ["clientId"])
        assert nameless.json()["validation"].keys() == {"query"}


async def test_nobody_is_connected(database: DatabasePlace) -> None:
    async with relayed.worker(database) as at, at.caller() as caller:
        nobody, store = str(uuid.uuid4()), str(uuid.uuid4())
        for named in ({"clientId": nobody}, {"storeId": store}):
            answer = await posted(caller, relayed.sale(None, **named))
            assert problem(answer) == (400, 40080001, NOBODY, [])
            assert answer.json()["class"] == "wait"
        answer = await caller.get(f"{ISSUE}/key:{relayed.KEY}?storeId={store}")
        assert problem(answer)[:3] == (400, 40080001, NOBODY)
        told = '"clientId" must not contain control characters'
        for answer in (
            await posted(caller, relayed.sale("till\0")),
            await caller.get(f"{ISSUE}/key:{relayed.KEY}?clientId=till%00"),
        ):
            assert (problem(answer)[0], *problem(answer)[2:]) == (400, told, ["clientId"])
        for reference in ("%00", "key:%00", "A-B-1%00"):
            for answer in (
                await caller.get(f"{ISSUE}/{reference}?clientId={nobody}"),
                await caller.post(f"{ISSUE}/{reference}/copy", json=relayed.sale(nobody)),
            ):
                assert problem(answer)[:2] == (404, 40400001), reference
        assert problem(await caller.get("/pdf/%00"))[:2] == (404, 40400001)
        stranger = await at.another_account()
        async with relayed.TillServer.connected(at, client=nobody, key=stranger):
            answer = await posted(caller, relayed.sale(nobody))  # the clientId of another account
            assert problem(answer)[:3] == (400, 40080001, NOBODY)


async def test_what_was_handed_over_is_never_denied_and_its_key_answers_later(
    database: DatabasePlace,
) -> None:
    async with relayed.worker(database) as at, at.caller() as caller:
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        where = f"clientId={client}"
        async with relayed.TillServer.connected(at, client=client, install=install) as till:
            asking = posted(caller, relayed.sale(client))
            first = await till.command()
            await till.line.close()
            lost = await asking
        assert problem(lost)[:2] == LOST
        receipt_id = lost.json()["receiptId"]
        assert problem(await posted(caller, relayed.sale(client)))[:2] == LOST
        assert problem(await posted(caller, relayed.sale(client, more=1)))[:2] == (409, 40900001)
        for reference in (f"key:{relayed.KEY}", receipt_id):
            waiting = await caller.get(f"{ISSUE}/{reference}?{where}")
            assert waiting.status_code == 202
            assert waiting.json() == {"receiptId": receipt_id, "state": "handed_over"}
        async with relayed.TillServer.connected(at, client=client, install=install) as till:
            asking = posted(caller, relayed.sale(client))
            again = await till.command()
            assert (again.command_id, again.key) == (first.command_id, relayed.KEY)
            assert again.attempt > first.attempt
            await till.answer(again, id=receipt_id)
            assert (await asking).json() == {"id": receipt_id}
        found = await caller.get(f"{ISSUE}/key:{relayed.KEY}?{where}")  # now no till is connected
        assert (found.status_code, found.json()) == (200, {"id": receipt_id})


async def test_an_answer_that_nobody_waits_for_is_no_other_request_s(
    file_database: DatabasePlace,
) -> None:
    async with (
        relayed.worker(file_database) as at,
        relayed.TillServer.connected(at) as till,
        relayed.TillServer.connected(at) as stranger,
        at.caller() as caller,
    ):
        first = posted(caller, relayed.sale(till.client))
        command = await till.command()
        await stranger.answer(command, totalAmount=1)
        await stranger.answer(command, status=400)
        second = posted(caller, relayed.sale(till.client))
        again = await till.command()
        await till.answer(command, status=400)  # the first attempt's: the second may be signed
        await till.answer(again, totalAmount=2)
        await till.answer(again, totalAmount=3)
        for asked in (first, second):  # both get the one outcome of their key
            assert (await asked).json()["totalAmount"] == 2
        kept = await posted(caller, relayed.sale(till.client))
        assert kept.json()["totalAmount"] == 2


async def test_a_refusal_frees_the_key_for_a_corrected_body(database: DatabasePlace) -> None:
    async with (
        relayed.worker(database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        asking = posted(caller, relayed.sale(till.client, items=[]))
        await till.answer(await till.command(), status=400, code=40090001)
        assert (await asking).json()["code"] == 40090001
        asking = posted(caller, relayed.sale(till.client))
        command = await till.command()
        assert command.attempt == 2
        await till.decline(command)
        declined = await asking
        assert problem(declined)[:2] == (400, 40010001)
        assert declined.json()["class"] == "wait"
        asking = posted(caller, relayed.sale(till.client))
        await till.answer(await till.command())
        assert (await asking).status_code == 200


async def test_a_body_without_a_key_is_not_handed_over_beside_itself(
    file_database: DatabasePlace,
) -> None:
    async with relayed.worker(file_database) as at, at.caller() as caller:
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        body = relayed.sale(client)
        async with relayed.TillServer.connected(at, client=client, install=install) as till:
            asking = posted(caller, body, key=None)
            first = await till.command()
            assert first.has_new_key
            twin = await posted(caller, body, key=None)
            assert problem(twin)[:2] == LOST
            await till.answer(first, status=500, receiptId=twin.json()["receiptId"])
            assert (await asking).status_code == 500
            asking = posted(caller, body, key=None)
            again = await till.command()
            assert (again.key, again.has_new_key, again.attempt) == (first.key, False, 2)
            await till.answer(again, totalAmount=1)
            assert (await asking).json()["totalAmount"] == 1
            asking = posted(caller, body, key=None)  # it was delivered: another sale
            another = await till.command()
            assert (another.key != first.key, another.has_new_key) == (True, True)
            await till.answer(another)
            assert (await asking).status_code == 200


async def test_only_who_asked_may_repeat_a_body_without_a_key(file_database: DatabasePlace) -> None:
    async with relayed.worker(file_database) as at, relayed.TillServer.connected(at) as till:
        other_key = await at.another_key()
        body = relayed.sale(till.client)
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
async def test_an_answer_that_was_cut_comes_again_without_a_key(
    database: DatabasePlace, is_cut: bool
) -> None:
    """A caller that leaves bytes unread resets the connection: the answer was written, but not
    delivered."""
    async with (
        relayed.worker(database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        body = relayed.sale(till.client)
        built = httpx.Request("POST", f"{at.address}/v2{ISSUE}", json=body)
        asked = next(httpx.BasicAuth(at.key.id, at.key.secret).auth_flow(built))
        head = "".join(f"{name}: {value}\r\n" for name, value in asked.headers.items())
        place = httpx.URL(at.address)
        reader, writer = await asyncio.open_connection(place.host, place.port)
        writer.write(f"POST /v2{ISSUE} HTTP/1.1\r\n{head}\r\n".encode() + asked.content)
        command = await till.command()
        await till.answer(command, journal="x" * 18_000)
        if is_cut:
            await reader.readexactly(2_000)
            ends = writer.get_extra_info("socket")
            ends.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
        else:
            said = await reader.readuntil(b"\r\n\r\n")
            length = int(said.lower().partition(b"content-length: ")[2].split()[0])
            await reader.readexactly(length)
        again = posted(caller, body, key=None)
        if not is_cut:
            await till.answer(await till.command())
        assert (await again).status_code == 200
        assert len(till.heard) == (2 if is_cut else 3)
        writer.close()


async def test_a_key_may_say_that_each_order_is_a_sale(file_database: DatabasePlace) -> None:
    """Then an identical order is another sale, at once as well as after a lost answer."""
    async with relayed.worker(file_database) as at, relayed.TillServer.connected(at) as till:
        async with at.caller() as manager:
            told = {"name": "Хотел", "scopes": ["fiscalization"], "eachOrderIsASale": True}
            made = (await manager.post("/keys", json=told)).json()
            assert made["eachOrderIsASale"] is True
            listed = {key["id"]: key for key in (await manager.get("/keys")).json()}
            assert listed[made["id"]]["eachOrderIsASale"] is True
            assert listed[at.key.id]["eachOrderIsASale"] is False
        body = relayed.sale(till.client)
        async with at.caller(NewKey(made["id"], made["secret"])) as caller:
            asking = posted(caller, body, key=None), posted(caller, body, key=None)
            first, second = await till.command(), await till.command()
            assert first.key != second.key
            for number, command in enumerate((first, second)):
                await till.answer(command, totalAmount=number)
            answers = [(await one).json()["totalAmount"] for one in asking]
            assert sorted(answers) == [0, 1]
            asking_again = posted(caller, body, key=None)
            lost = await till.command()
            await till.answer(lost, status=500, receiptId="r")
            assert (await asking_again).status_code == 500
            another = posted(caller, body, key=None)
            assert (await till.command()).key != lost.key
            another.cancel()


async def test_a_key_for_one_application_lets_no_other_one_in(database: DatabasePlace) -> None:
    async with relayed.worker(database) as at:
        async with at.caller() as manager:
            told = {"name": "Каса 1", "scopes": ["application"], "oneClient": True}
            made = (await manager.post("/keys", json=told)).json()
        key, client, install = NewKey(made["id"], made["secret"]), str(uuid.uuid4()), "i-1"
        for _ in range(2):
            async with relayed.TillServer.connected(
                at, client=client, install=install, key=key
            ) as till:
                assert isinstance(till.greeting, relay.WelcomeMessage)
        async with relayed.TillServer.connected(at, key=key) as stranger:
            assert isinstance(stranger.greeting, relay.RefusedMessage)
            assert stranger.greeting.code == "key_of_another"
        async with at.caller() as manager:
            made = (await manager.post(f"/keys/{key.id}/rotate")).json()
        following = NewKey(made["id"], made["secret"])
        async with relayed.TillServer.connected(at, key=following) as stranger:
            assert isinstance(stranger.greeting, relay.RefusedMessage), "it is still one's alone"
        async with relayed.TillServer.connected(
            at, client=client, install=install, key=following
        ) as till:
            assert isinstance(till.greeting, relay.WelcomeMessage)


async def test_a_key_for_one_application_is_not_taken_by_one_that_is_refused(
    database: DatabasePlace,
) -> None:
    """The refusal tells the till to take another clientId, and it connects with that."""
    async with relayed.worker(database) as at:
        async with at.caller() as manager:
            told = {"name": "Каса 1", "scopes": ["application"], "oneClient": True}
            made = (await manager.post("/keys", json=told)).json()
        key, client, install = NewKey(made["id"], made["secret"]), str(uuid.uuid4()), "i-1"
        elsewhere = await at.another_account()
        async with relayed.TillServer.connected(at, client=client, install=install, key=elsewhere):
            pass
        async with relayed.TillServer.connected(
            at, client=client, install=install, key=key
        ) as till:
            assert isinstance(till.greeting, relay.RefusedMessage)
            assert till.greeting.code == "foreign_client"
        async with relayed.TillServer.connected(at, install=install, key=key) as till:
            assert isinstance(till.greeting, relay.WelcomeMessage)


async def test_pdfs_are_hosted_for_each_time_that_their_link_is_given(
    database: DatabasePlace,
) -> None:
    files = {"r-1": base64.b64encode(b"%PDF-1.7").decode()}
    body: dict[str, Any] = {"receiptDelivery": {"pdf": True}}
    async with relayed.worker(database) as at, at.caller() as caller:
        async with relayed.TillServer.connected(at) as till:
            links = []
            for operation in ("issue", "look_up"):  # the same key: its PDF is made again
                asking = posted(caller, relayed.sale(till.client, **body))
                command = await till.command()
                assert command.operation == operation
                await till.answer(command, files=files, pdf="r-1")
                links.append((await asking).json()["pdf"])
        assert len(set(links)) == 2
        for link in links:
            assert link.startswith(f"{at.address}/pdf/")
            async with httpx.AsyncClient(trust_env=False) as anyone:
                found = await anyone.get(link)
            assert (found.content, found.headers["content-type"]) == (
                b"%PDF-1.7",
                "application/pdf",
            )
        assert (await caller.get(f"{at.address}/pdf/another")).status_code == 404
        without = (await posted(caller, relayed.sale(till.client, **body))).json()
        assert without["pdf"] is None
        assert without["warnings"][0]["code"] == "pdf_not_made"


async def test_one_application_a_client_and_a_store(database: DatabasePlace) -> None:
    async with relayed.worker(database) as at, at.caller() as caller:
        store = (await caller.post("/stores", json={"name": "Продавница"})).json()["id"]
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        async with relayed.TillServer.connected(
            at, client=client, install=install, store=store
        ) as till:
            for named in ({"client": client}, {"store": store}):
                async with relayed.TillServer.connected(at, **named) as second:
                    assert isinstance(second.greeting, relay.RefusedMessage)
                    assert second.greeting.code == "taken"
                    assert "Каса" in second.greeting.reason
                    assert second.greeting.name == "Каса"
                    await second.ended()
                notice = await till.hears()
                assert isinstance(notice, relay.NoticeMessage)
                assert notice.name == "Каса"
            asking = posted(caller, relayed.sale(None, storeId=store))
            await till.answer(await till.command())
            assert (await asking).status_code == 200
            async with relayed.TillServer.connected(
                at, client=client, install=install, store=store
            ) as again:
                assert isinstance(again.greeting, relay.WelcomeMessage)
                await till.ended()
                last = till.heard[-1]
                assert isinstance(last, relay.RefusedMessage)
                assert last.code == "replaced"
                asking = posted(caller, relayed.sale(client, storeId=store), key="k" * 16)
                await again.answer(await again.command())
                assert (await asking).status_code == 200
        async with relayed.TillServer.connected(at, store=str(uuid.uuid4())) as lost:
            assert isinstance(lost.greeting, relay.RefusedMessage)
            assert lost.greeting.code == "unknown_store"
        stranger = await at.another_account()
        async with relayed.TillServer.connected(at, client=client, key=stranger) as foreign:
            assert isinstance(foreign.greeting, relay.RefusedMessage)
            assert foreign.greeting.code == "foreign_client"
            assert foreign.greeting.reason.endswith(
                "In the till: Settings, Platform, New clientId."
            )


async def test_a_client_s_id_is_a_uuid_at_every_door(database: DatabasePlace) -> None:
    async with relayed.worker(database) as at, at.caller() as caller:
        for named in ("x", "till-1", "0" * 36, "0f6f0b1e" * 4):
            async with relayed.TillServer.connected(at, client=named) as till:
                assert isinstance(till.greeting, relay.RefusedMessage)
                assert till.greeting.code == "malformed"
                assert till.greeting.reason.startswith('"clientId" must be a valid GUID')
            for answer in (
                await posted(caller, relayed.sale(named)),
                await caller.post(f"{ISSUE}/A-B-1/refund", json=relayed.sale(named)),
                await caller.get(f"{ISSUE}/key:{relayed.KEY}?clientId={named}"),
            ):
                assert problem(answer)[:2] == (400, 40090001)
                assert problem(answer)[2:] == ('"clientId" must be a valid GUID', ["clientId"])
        assert (await caller.get("/clients")).json() == []
        capitals = str(uuid.uuid4()).upper()
        async with relayed.TillServer.connected(at, client=capitals) as till:
            assert isinstance(till.greeting, relay.WelcomeMessage)
            (client,) = (await caller.get("/clients")).json()
            assert client["id"] == capitals.lower()
            asking = posted(caller, relayed.sale(capitals))
            await till.answer(await till.command())
            assert (await asking).status_code == 200


async def test_a_client_of_an_earlier_version_is_listed_and_deleted_by_any_id(
    database: DatabasePlace,
) -> None:
    async with relayed.worker(database) as at, at.caller() as caller:
        batches = Batches(at.database)
        begin = partial(
            registering,
            at.account,
            client_id="till-1",
            install_id="i-1",
            store_id=None,
            name="Каса",
            version="3.1.0",
            now_ms=1_790_000_000_000,
        )
        assert await batches.done(begin) is None
        (client,) = (await caller.get("/clients")).json()
        assert client["id"] == "till-1"
        away = await posted(caller, relayed.sale("till-1"))
        assert problem(away)[:3] == (400, 40080001, NOBODY)
        renamed = await caller.patch("/clients/till-1", json={"name": "Стара"})
        assert renamed.json()["name"] == "Стара"
        assert (await caller.delete("/clients/till-1")).status_code == 200
        assert (await caller.get("/clients")).json() == []
        for nobody in ("till-1", "till-2", "till%00"):
            assert problem(await caller.delete(f"/clients/{nobody}"))[:2] == (404, 40400001)


async def test_what_is_no_message_in_turn_ends_its_connection_alone(
    file_database: DatabasePlace,
) -> None:
    async with (
        relayed.worker(file_database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        one = str(uuid.uuid4())
        hello = relay.written(relay.HelloMessage(version=1, client_id=one, install_id="i-1"))
        answer = relay.written(relay.AnswerMessage(command_id="c", attempt=1, status=200, body=""))
        newer = relay.written(relay.HelloMessage(version=2, client_id=one, install_id="i-1"))
        spoken: list[list[str | bytes]] = [
            [hello[:-2]],
            [b"\x00\xff"],
            [answer],
            [newer],
            [hello, hello],
            [hello, "{}"],
            [hello, b"{}"],
            [hello, answer[:40]],
        ]
        for said in spoken:
            async with relayed.line_to(at) as line:
                for frame in said:
                    await line.send(frame)
                told = relayed.TillServer(line, one, "i-1")
                await told.ended()
                assert isinstance(told.heard[-1], relay.RefusedMessage), said
        asking = posted(caller, relayed.sale(till.client))
        await till.answer(await till.command())
        assert (await asking).status_code == 200


async def refused_at_last(at: relayed.Worker, key: NewKey) -> int:
    """Return the status. A worker remembers a right key for a second: meanwhile connect again."""
    while True:
        try:
            async with relayed.TillServer.connected(at, key=key) as till:
                await till.ended()
        except InvalidStatus as refused:
            return refused.response.status_code


async def test_a_revoked_key_ends_its_connections_and_a_new_one_brings_the_receipt(
    database: DatabasePlace,
) -> None:
    """Another program on the same database revokes it, as the command line does."""
    async with (
        relayed.worker(database) as at,
        at.caller() as caller,
        relayed.TillServer.connected(at) as other,
    ):
        client, install, mine = str(uuid.uuid4()), str(uuid.uuid4()), await at.another_key()
        async with relayed.TillServer.connected(
            at, client=client, install=install, key=mine
        ) as till:
            asking = posted(caller, relayed.sale(client))
            handed = await till.command()
            beside = await database.open()
            async with beside.writing() as connection:
                await revoke_key(connection, mine.id, now=SystemClock().now())
            await beside.close()
            await till.ended()
            assert isinstance(told := till.heard[-1], relay.RefusedMessage)
            assert (told.code, till.line.close_code) == ("revoked", 1008)
            assert till.line.close_reason == f"revoked: {told.reason}"
        lost = await asking
        assert problem(lost)[:2] == LOST
        assert problem(await posted(caller, relayed.sale(client)))[:2] == LOST
        nobody = await posted(caller, relayed.sale(client), key="another-key-of-a-caller")
        assert problem(nobody)[:3] == (400, 40080001, NOBODY)
        assert await refused_at_last(at, mine) == 401
        new = await at.another_key()
        async with relayed.TillServer.connected(
            at, client=client, install=install, key=new
        ) as till:
            asking = posted(caller, relayed.sale(client))
            again = await till.command()
            assert (again.command_id, again.key) == (handed.command_id, relayed.KEY)
            await till.answer(again, id=lost.json()["receiptId"])
            assert (await asking).json() == {"id": lost.json()["receiptId"]}
        asking = posted(caller, relayed.sale(other.client), key="a-sale-of-the-other-one")
        await other.answer(await other.command())
        assert (await asking).status_code == 200


async def test_an_application_needs_a_key_with_its_scope(file_database: DatabasePlace) -> None:
    async with relayed.worker(file_database) as at:
        other = await at.another_account(KeyScope.CATALOGUE, KeyScope.FISCALIZATION)
        wrong = type(at.key)(at.key.id, "no secret")
        for key, status in ((wrong, 401), (other, 403)):
            with pytest.raises(InvalidStatus) as refused:
                async with relayed.line_to(at, key):
                    pass
            assert refused.value.response.status_code == status


async def test_a_caller_of_one_worker_reaches_an_application_of_another(
    postgresql_address: str, folder: Any
) -> None:
    place = DatabasePlace(postgresql_address, folder)
    files = {"r-1": base64.b64encode(b"%PDF-1.7").decode()}
    async with (
        relayed.worker(place) as near,
        relayed.worker(place, of=near) as far,
        near.caller() as caller,
    ):
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        async with relayed.TillServer.connected(far, client=client, install=install) as till:
            body = relayed.sale(client, receiptDelivery={"pdf": True})
            asking = posted(caller, body)
            command = await till.command()
            await till.answer(command, files=files, pdf="r-1")
            link = (await asking).json()["pdf"]
            assert link.startswith(near.address)
            assert (await caller.get(link)).content == b"%PDF-1.7"
            for status in (400, 500):
                asking = posted(caller, relayed.sale(client), key=f"{status}{'k' * 16}")
                await till.answer(await till.command(), status=status)
                assert (await asking).status_code == status
            asking = posted(caller, relayed.sale(client), key="d" * 16)
            await till.decline(await till.command())
            assert problem(await asking)[:2] == (400, 40010001)
            async with relayed.TillServer.connected(near, client=client) as second:
                assert isinstance(second.greeting, relay.RefusedMessage)
            assert isinstance(await till.hears(), relay.NoticeMessage)
            looking = asyncio.create_task(caller.get(f"{ISSUE}/r-2?clientId={client}"))
            await till.answer(await till.command(), status=404)
            assert (await looking).status_code == 404
            asking = posted(caller, relayed.sale(client), key="l" * 16)
            lost = await till.command()
            async with relayed.TillServer.connected(near, client=client, install=install) as again:
                await till.ended()  # it is connected to the other worker now
                assert problem(await asking)[:2] == LOST
                asking = posted(caller, relayed.sale(client), key="l" * 16)
                found = await again.command()
                assert (found.command_id, found.attempt) == (lost.command_id, 2)
                await again.answer(found)
                assert (await asking).status_code == 200


async def test_a_till_that_the_worker_beside_has_no_more_was_surely_not_asked(
    postgresql_address: str, folder: Any
) -> None:
    place = DatabasePlace(postgresql_address, folder)
    async with (
        relayed.worker(place) as near,
        relayed.worker(place, of=near) as far,
        near.caller() as caller,
    ):
        service, client = near.relay.service, str(uuid.uuid4())
        now = service.now_ms()
        gone = Application(
            near.account, client, "i", None, "Каса", far.relay.service.worker, uuid.uuid4().hex, now
        )
        assert await service.presence.enter(gone, now_ms=now) == Entered()
        answer = await posted(caller, relayed.sale(client))
        assert problem(answer)[:2] == (400, 40080001)
        row = await service.commands.by_key(near.account, relayed.KEY)
        assert row is not None
        assert (row.state, row.unsure) == (CommandState.NEW, 0)
        await service.presence.leave(gone.connection)
        async with relayed.TillServer.connected(near) as another:  # the key has no clientId yet
            asking = posted(caller, relayed.sale(another.client))
            await another.answer(await another.command())
            assert (await asking).status_code == 200


async def test_a_till_that_goes_after_its_worker_took_a_command_was_surely_not_asked(
    postgresql_address: str, folder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = DatabasePlace(postgresql_address, folder)
    async with (
        relayed.worker(place) as near,
        relayed.worker(place, of=near) as far,
        relayed.TillServer.connected(far) as till,
        near.caller() as caller,
    ):
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
        answer = await posted(caller, relayed.sale(till.client))
        assert problem(answer)[:2] == (400, 40010001)
        row = await near.relay.service.commands.by_key(near.account, relayed.KEY)
        assert row is not None
        assert (row.state, row.unsure) == (CommandState.NEW, 0)


async def test_an_answer_of_a_worker_that_ends_is_not_known_and_comes_later(
    postgresql_address: str, folder: Any
) -> None:
    place = DatabasePlace(postgresql_address, folder)
    async with relayed.worker(place) as near, near.caller() as caller:
        client, install = str(uuid.uuid4()), str(uuid.uuid4())
        async with (
            relayed.worker(place, of=near) as far,
            relayed.TillServer.connected(far, client=client, install=install) as till,
        ):
            asking = posted(caller, relayed.sale(client))
            asked = await till.command()
        assert problem(await asking)[:2] == LOST
        async with relayed.TillServer.connected(near, client=client, install=install) as again:
            asking = posted(caller, relayed.sale(client))
            command = await again.command()
            assert (command.command_id, command.attempt) == (asked.command_id, 2)
            await again.answer(command)
            assert (await asking).status_code == 200


async def test_an_operation_is_not_looked_up(file_database: DatabasePlace) -> None:
    async with relayed.worker(file_database) as at, at.caller() as caller:
        answer = await caller.get("/fiscalization/receipts/A-B-1/advance")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        nobody = {"clientId": "0f6f0b1e-6f0a-4b6e-9a53-2f3a5d1c7e11"}
        encoded = await caller.get("/fiscalization/receipts/A%2Fadvance", params=nobody)
        assert encoded.status_code != 405, "an id may hold a slash"


async def test_a_till_without_a_store_signs_for_the_stores_of_its_account_alone(
    database: DatabasePlace,
) -> None:
    async with (
        relayed.worker(database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        unknown = await posted(caller, relayed.sale(till.client, storeId=str(uuid.uuid4())))
        assert problem(unknown) == (400, 40080001, NOBODY, [])
        store = (await caller.post("/stores", json={"name": "Продавница"})).json()["id"]
        asking = posted(caller, relayed.sale(till.client, storeId=store))
        await till.answer(await till.command())
        assert (await asking).status_code == 200


async def test_a_store_that_is_the_client_again_says_no_more(database: DatabasePlace) -> None:
    """A client of the original service sends its `clientId` as both."""
    async with (
        relayed.worker(database) as at,
        relayed.TillServer.connected(at) as till,
        relayed.TillServer.connected(at),
        at.caller() as caller,
    ):
        asking = posted(caller, relayed.sale(till.client, storeId=till.client.upper()))
        await till.answer(await till.command())
        assert (await asking).status_code == 200
        both = f"clientId={till.client}&storeId={till.client}"
        looking = asyncio.create_task(caller.get(f"{ISSUE}/r-2?{both}"))
        await till.answer(await till.command(), status=404)
        assert (await looking).status_code == 404


async def test_a_store_alone_names_the_till_of_that_store_else_the_only_one_without(
    database: DatabasePlace,
) -> None:
    async with (
        relayed.worker(database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        body = relayed.sale(None, storeId=str(uuid.uuid4()))
        assert problem(await posted(caller, body)) == (400, 40080001, NOBODY, [])
        store = (await caller.post("/stores", json={"name": "Продавница"})).json()["id"]
        body = relayed.sale(None, storeId=store)
        asking = posted(caller, body)
        await till.answer(await till.command())
        assert (await asking).status_code == 200
        looking = asyncio.create_task(caller.get(f"{ISSUE}/r-2?storeId={store}"))
        await till.answer(await till.command(), status=404)
        assert (await looking).status_code == 404
        async with relayed.TillServer.connected(at):  # the platform does not guess between two
            assert problem(await posted(caller, body, key="t" * 16)) == (400, 40080001, NOBODY, [])
            async with relayed.TillServer.connected(at, store=store) as named:
                asking = posted(caller, body, key="n" * 16)
                await named.answer(await named.command())
                assert (await asking).status_code == 200
                asking = posted(caller, relayed.sale(till.client, storeId=store), key="b" * 16)
                await till.answer(await till.command())
                assert (await asking).status_code == 200
        other = await at.another_account(KeyScope.FISCALIZATION)
        async with at.caller(other) as stranger:
            assert problem(await posted(stranger, body)) == (400, 40080001, NOBODY, [])


async def test_a_store_alone_is_signed_by_no_other_till_while_its_own_is_away(
    database: DatabasePlace,
) -> None:
    """It may be connecting again at this moment; another till has its own element."""
    async with (
        relayed.worker(database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
        store = (await caller.post("/stores", json={"name": "Продавница"})).json()["id"]
        body, named = relayed.sale(None, storeId=store), str(uuid.uuid4())
        for own in ({"store": store}, {}):
            async with relayed.TillServer.connected(at, client=named, install="i", **own):
                pass
            away = await posted(caller, body)
            assert problem(away) == (400, 40080001, NOBODY, [])
            looked = await caller.get(f"{ISSUE}/A-1?storeId={store}")
            assert problem(looked)[:2] == (400, 40080001)
        async with relayed.TillServer.connected(
            at, client=named, install="i", store=store
        ) as again:
            asking = posted(caller, body)
            await again.answer(await again.command())
            assert (await asking).status_code == 200
        assert problem(await posted(caller, body, key="t" * 16))[:2] == (400, 40080001)
        assert (await caller.delete(f"/clients/{named}")).status_code == 200
        asking = posted(caller, body, key="t" * 16)  # now there is no other till
        await till.answer(await till.command())
        assert (await asking).status_code == 200


async def test_a_store_alone_names_the_same_till_at_each_worker(
    postgresql_address: str, folder: Any
) -> None:
    place = DatabasePlace(postgresql_address, folder)
    async with (
        relayed.worker(place) as one,
        relayed.worker(place, of=one) as two,
        one.caller() as caller,
        two.caller() as beside,
    ):
        store = (await caller.post("/stores", json={"name": "Продавница"})).json()["id"]
        body = relayed.sale(None, storeId=store)
        async with relayed.TillServer.connected(one) as till:
            for number, caller_of in enumerate((caller, beside)):
                asking = posted(caller_of, body, key=f"a{number}{'k' * 16}")
                await till.answer(await till.command())
                assert (await asking).status_code == 200
            async with relayed.TillServer.connected(two):
                for number, caller_of in enumerate((caller, beside)):
                    answer = await posted(caller_of, body, key=f"b{number}{'k' * 16}")
                    assert problem(answer) == (400, 40080001, NOBODY, [])
            async with relayed.TillServer.connected(two, store=store) as named:
                for number, caller_of in enumerate((caller, beside)):
                    asking = posted(caller_of, body, key=f"c{number}{'k' * 16}")
                    await named.answer(await named.command())
                    assert (await asking).status_code == 200


async def test_a_head_is_answered_like_a_get(database: DatabasePlace) -> None:
    """All is on one connection: a body after the head would be read as the next answer."""
    async with (
        relayed.worker(database) as at,
        relayed.TillServer.connected(at) as till,
        at.caller() as caller,
    ):
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
        few = await at.another_account(KeyScope.APPLICATION)
        async with at.caller(few) as stranger:
            assert (await stranger.head("/stores")).status_code == 403
        for status in (200, 404):
            looking = asyncio.create_task(caller.head(f"{ISSUE}/r-2?clientId={till.client}"))
            await till.answer(await till.command(), status=status)
            answer = await looking
            assert (answer.status_code, answer.content) == (status, b"")
        assert (await caller.get("/stores")).status_code == 200


async def test_a_client_tells_its_version_and_that_it_is_there(database: DatabasePlace) -> None:
    async with relayed.worker(database) as at, at.caller() as caller:
        client = str(uuid.uuid4())
        async with relayed.TillServer.connected(at, client=client):
            (listed,) = (await caller.get("/clients")).json()
            assert listed["version"] == "3.2.1"
            service = at.relay.service
            for seconds, is_noted in ((30, False), (90, True)):
                later = service.now_ms() + seconds * 1000
                await service.presence.beat(service.worker, now_ms=later)
                (again,) = (await caller.get("/clients")).json()
                assert (again["lastSeenAt"] > listed["lastSeenAt"]) is is_noted
        async with relayed.TillServer.connected(
            at, client=client
        ) as copied:  # another installation
            assert isinstance(copied.greeting, relay.RefusedMessage)
            assert copied.greeting.code == "other_installation"
            assert copied.greeting.reason.endswith("Settings, Platform, New clientId.")
            assert "another account" not in copied.greeting.reason
