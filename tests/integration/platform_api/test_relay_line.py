"""The server's connection to a real platform: by an HTTP proxy, and each refusal in words."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from pos_app.domain.setup.platform_key import KeyScope
from pos_app.local_api.relay_channel import RelayAddress, dial
from pos_app.local_api.relay_client import LineClosed
from pos_app.wire import relay
from tests.integration.platform_api.hosted import DatabasePlace
from tests.integration.platform_api.relayed import Worker, worker
from tests.ports import free_port

HELLO = relay.HelloMessage(version=relay.VERSION, client_id=str(uuid.uuid4()), install_id="i-1")


def address_of(at: Worker) -> RelayAddress:
    return RelayAddress(f"{at.address}/v2", at.key.id, at.key.secret)


@contextlib.asynccontextmanager
async def proxy() -> AsyncIterator[tuple[str, list[str]]]:
    """Run an HTTP proxy that passes CONNECT on; yield its address and its requests."""
    asked: list[str] = []

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(4096):
                writer.write(data)
                await writer.drain()
        writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.append(head)
        host, port = head.split()[1].split(":")
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))

    port = free_port()
    async with await asyncio.start_server(serve, "127.0.0.1", port):
        yield f"http://127.0.0.1:{port}", asked


async def test_a_proxy_is_used_and_does_not_see_the_key(file_database: DatabasePlace) -> None:
    async with worker(file_database) as at, proxy() as (door, asked):
        async with dial(replace(address_of(at), proxy=door)) as line:
            await line.send(relay.written(HELLO))
            welcome = relay.from_platform(await line.receive())
        assert isinstance(welcome, relay.WelcomeMessage)
    (head,) = asked
    assert head.startswith(f"CONNECT {at.address.removeprefix('http://')} ")
    assert "Authorization: Basic" not in head
    assert at.key.secret not in repr(address_of(at))


async def test_each_refusal_has_its_words(
    file_database: DatabasePlace, caplog: pytest.LogCaptureFixture
) -> None:
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
