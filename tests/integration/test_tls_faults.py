"""A connection that is not safe is told by its cause, in the same way by each client: what is
wrong, and what to do. A real TLS server is wrong in each of the ways."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from pos_app import errors
from pos_app.adapters.mail.message import Shop
from pos_app.adapters.mail.smtp import MailServer, SmtpMailer
from pos_app.adapters.pfr.client import PfrClient
from pos_app.adapters.platform_http.client import PlatformClient
from pos_app.adapters.secrets.secret import Secret
from pos_app.adapters.updates.source import UpdateSource
from pos_app.adapters.updates.update_channel import UpdateHttp
from pos_app.cashier.texts.lookup import Language, Texts
from pos_app.cashier.window.status import connection_words
from pos_app.domain.setup.safe_connection import TlsFault
from pos_app.fiscalization.ports import CertificateRefused
from pos_app.local_api.relay_channel import RelayAddress, dial
from pos_app.local_api.relay_client import LineClosed
from pos_app.selling.synchronisation.reports import fault_word
from pos_app.settings import PlatformSettings
from pos_app.tls_faults import OF_CERTIFICATE
from tests.fakes.mail_server import certificates

WRONG: dict[TlsFault, dict[str, Any]] = {
    TlsFault.ISSUER: {},
    TlsFault.NAME: {"host": "other.test"},
    TlsFault.EXPIRED: {"expired": True},
    TlsFault.NOT_YET: {"not_yet": True},
    TlsFault.REFUSED: {},
    TlsFault.PLAIN: {},
}
ENGLISH = {
    TlsFault.ISSUER: "no authority that is trusted here issued it",
    TlsFault.NAME: "it is for another name",
    TlsFault.EXPIRED: "it has expired",
    TlsFault.NOT_YET: "it is not valid yet",
    TlsFault.REFUSED: "it speaks no encryption that is safe enough",
    TlsFault.PLAIN: "no encryption is spoken at that port",
}


class WrongServer(NamedTuple):
    """A server with a fault. authority: the authority of its certificate, which a client trusts
    except where that is the fault. came: what was sent to it behind the handshake."""

    port: int
    authority: Path | None
    came: bytearray


@contextlib.asynccontextmanager
async def wrong_server(fault: TlsFault, folder: Path) -> AsyncIterator[WrongServer]:
    made = certificates(folder, **WRONG[fault])
    context: ssl.SSLContext | None = made.server
    if fault is TlsFault.REFUSED:
        with of_old_versions(made.server) as port:
            yield WrongServer(port, made.authority, bytearray())
        return
    if fault is TlsFault.PLAIN:
        context = None
    came = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if context is None:
            await reader.read(1024)
            writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        else:
            came.extend(await reader.read(65536))
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        trusted = None if fault is TlsFault.ISSUER else made.authority
        yield WrongServer(server.sockets[0].getsockname()[1], trusted, came)


@contextlib.contextmanager
def of_old_versions(context: ssl.SSLContext) -> Iterator[int]:
    """Serve with versions of TLS that are not safe any more. A server of asyncio would not tell its
    caller why it refuses."""
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    with warnings.catch_warnings(action="ignore"):  # the versions are deprecated
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as door:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    with door.accept()[0] as line, contextlib.suppress(ssl.SSLError):
                        context.wrap_socket(line, server_side=True).close()

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield door.getsockname()[1]
        finally:
            door.shutdown(socket.SHUT_RDWR)
            thread.join()


def context_of(at: WrongServer) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=None if at.authority is None else str(at.authority))


class Told(NamedTuple):
    """What a client tells: the fault as a word, and in English."""

    word: str
    english: str


async def by_platform(at: WrongServer, folder: Path) -> Told:
    settings = PlatformSettings(
        url=f"https://127.0.0.1:{at.port}/v2", key="pk", ca_file=str(at.authority or "")
    )
    with (
        PlatformClient(settings, Secret("canary")) as client,
        pytest.raises(errors.NotDelivered) as told,
    ):
        await asyncio.to_thread(client.ask, "list_stores")
    return Told(fault_word(told.value), str(told.value))


async def by_relay(at: WrongServer, folder: Path) -> Told:
    url = f"https://127.0.0.1:{at.port}/v2"
    with pytest.raises(LineClosed) as told:
        async with dial(RelayAddress(url, "pk", "canary", trusted=context_of(at))):
            pass
    assert told.value.slow, "a person mends it"
    return Told(told.value.refusal, told.value.what)


async def by_mail(at: WrongServer, folder: Path) -> Told:
    server = MailServer("127.0.0.1", at.port, "tls", "shop", Secret("canary"), at.authority)
    told = await SmtpMailer(server, Shop("shop@example.rs", "")).check()
    return Told(told.tls, told.words)


async def by_updates(at: WrongServer, folder: Path) -> Told:
    source = UpdateSource(f"https://127.0.0.1:{at.port}/manifest.json", "k")
    with pytest.raises(errors.NotDelivered) as told:
        await UpdateHttp(source=source, data=folder).look()
    return Told(str(told.value.values["tls"]), str(told.value))


async def by_processor(at: WrongServer, folder: Path) -> Told:
    client = PfrClient(f"https://127.0.0.1:{at.port}")
    with pytest.raises(errors.NotDelivered) as told:
        await client.status()
    await client.close()
    assert isinstance(told.value, CertificateRefused) is (
        told.value.values["tls"] in OF_CERTIFICATE
    )
    return Told(str(told.value.values["tls"]), str(told.value))


CLIENTS: dict[str, Callable[[WrongServer, Path], Awaitable[Told]]] = {
    "platform": by_platform,
    "relay": by_relay,
    "mail": by_mail,
    "updates": by_updates,
    "processor": by_processor,
}


LANGUAGES: tuple[Language, ...] = ("en", "sr-Cyrl", "sr-Latn")


@pytest.mark.parametrize("fault", WRONG)
async def test_a_connection_that_is_not_safe_is_told_by_its_cause(
    fault: TlsFault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wrong_server(fault, tmp_path) as at:
        # two of them take no file of authorities: the tests' own one stands for the system's
        monkeypatch.setattr(httpx, "create_ssl_context", lambda **_: context_of(at))
        for name, client in CLIENTS.items():
            told = await client(at, tmp_path)
            assert (name, told.word) == (name, fault)
            assert ENGLISH[fault] in told.english, name
            assert any(sign in told.english for sign in ("Check ", "Tell ")), told.english
            assert bytes(at.came) == b"", name
            for language in LANGUAGES:
                assert connection_words(told.word, Texts(language))
