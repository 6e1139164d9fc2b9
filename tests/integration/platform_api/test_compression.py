"""Answers in gzip: which callers get them, and the tags of both forms; by bytes on a real
socket."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import zlib
from pathlib import Path
from typing import Any

import httpx
from starlette.datastructures import Headers

from pos_app.adapters.platform_http.client import PlatformClient
from pos_app.adapters.secrets.secret import Secret
from pos_app.http_front.compression import LEAST_BYTES, takes_gzip
from pos_app.settings import PlatformSettings
from tests.fakes.no_tls import NO_TLS
from tests.integration.local_api.test_receipts import SALE
from tests.integration.local_api.wires import running
from tests.integration.platform_api import relayed
from tests.integration.platform_api.hosted import DatabasePlace, many_stores
from tests.sweep import each


async def asked(
    at: relayed.Worker, path: str, method: str = "GET", **headers: str
) -> tuple[int, httpx.Headers, bytes]:
    """Return status, headers and body in the bytes of the connection."""
    async with httpx.AsyncClient(
        base_url=at.address, auth=(at.key.id, at.key.secret), trust_env=False, verify=NO_TLS
    ) as caller:
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        request = caller.build_request(method, path, headers={"Accept-Encoding": "", **told})
        answer = await caller.send(request, stream=True)
        body = b"".join([part async for part in answer.aiter_raw()])
        await answer.aclose()
        return answer.status_code, answer.headers, body


@each(("count", "length"), [(40, 100), (1_500, 1_000)])
async def test_a_list_in_gzip_is_the_same_list_under_a_tag_of_its_own(
    database: DatabasePlace, count: int, length: int
) -> None:
    """The short list comes from memory; the long one is copied out row by row."""
    async with relayed.worker(database) as at:
        await many_stores(at.database, at.account, count, length)
        status, plain, whole = await asked(at, "/v2/stores")
        assert (status, plain.get("content-encoding")) == (200, None)
        _, headers, body = await asked(at, "/v2/stores", Accept_Encoding="gzip")
        assert headers["content-encoding"] == "gzip"
        assert gzip.decompress(body) == whole
        assert len(body) < len(whole) / 4
        tag, in_gzip = plain["etag"], headers["etag"]
        assert in_gzip == f'{tag[:-1]}-gzip"'
        assert "Accept-Encoding" in plain["vary"]
        assert "Accept-Encoding" in headers["vary"]
        for accepted in ("", "gzip"):
            for known in (tag, in_gzip, f'"x", {in_gzip}', f"W/{in_gzip}"):
                told = {"If_None_Match": known, "Accept_Encoding": accepted}
                status, headers, body = await asked(at, "/v2/stores", **told)
                assert (status, body) == (304, b""), known
                assert headers["etag"] in known
                assert "Accept-Encoding" in headers["vary"]
        for other in (f'{tag[:-2]}x-gzip"', f'{tag[:-1]}-br"'):
            status, _, _ = await asked(at, "/v2/stores", If_None_Match=other)
            assert status == 200
        status, headers, body = await asked(at, "/v2/stores", "HEAD", Accept_Encoding="gzip")
        assert (status, headers["etag"], body) == (200, tag, b"")


async def test_what_is_short_stays_as_it_is(file_database: DatabasePlace) -> None:
    async with relayed.worker(file_database) as at:
        for path in ("/health", "/v2/stores"):
            _, headers, body = await asked(at, path, Accept_Encoding="gzip")
            assert "content-encoding" not in headers
            assert len(body) < LEAST_BYTES
            assert "Accept-Encoding" in headers["vary"]
            json.loads(body)


async def test_a_relayed_receipt_is_whole_before_it_counts_as_taken(
    file_database: DatabasePlace,
) -> None:
    """It has no key: before the platform looks at the connection it has written the whole answer,
    the end of its gzip too."""
    async with relayed.worker(file_database) as at, relayed.TillServer.connected(at) as till:
        body = json.dumps(relayed.sale(till.client)).encode()
        head = (
            f"POST /v2/fiscalization/receipts HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            f"Authorization: Basic {_basic(at)}\r\n\r\n"
        )
        host, port = at.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(head.encode() + body)
        journal = "ФИСКАЛНИ РАЧУН " * 1000
        await till.answer(await till.command(), journal=journal)
        told = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        assert "content-encoding: gzip" in told
        length = int(told.partition("content-length: ")[2].split()[0])
        answer = await reader.readexactly(length)
        made = zlib.decompressobj(wbits=31)
        assert json.loads(made.decompress(answer))["journal"] == journal
        assert made.eof
        writer.close()


def _basic(at: relayed.Worker) -> str:
    return base64.b64encode(f"{at.key.id}:{at.key.secret}".encode()).decode()


async def test_a_till_asks_its_platform_for_gzip_and_reads_it(
    file_database: DatabasePlace, folder: Path
) -> None:
    async with relayed.worker(file_database) as at:
        await many_stores(at.database, at.account, 40, 100)
        told = PlatformSettings(url=f"{at.address}/v2", key=at.key.id)

        def listed() -> tuple[int, str | None, list[Any], int]:
            client = PlatformClient(told, Secret(at.key.secret))
            try:
                answer = client.ask("list_stores")
                again = {"If-None-Match": answer.headers["etag"]}
                known = client.ask("list_stores", headers=again).status
                encoding = answer.headers.get("content-encoding")
                return answer.status, encoding, answer.listed(), known
            finally:
                client.close()

        status, encoding, rows, known = await asyncio.to_thread(listed)
        assert (status, encoding, len(rows), known) == (200, "gzip", 40, 304)


async def test_the_local_api_too(folder: Path) -> None:
    async with running(folder) as server:
        answer = await server.issue(SALE)
        assert answer.headers["content-encoding"] == "gzip"  # httpx asks for it by itself
        assert {"Origin", "Accept-Encoding"} <= set(answer.headers["vary"].split(", "))
        assert answer.json()["invoiceNumber"]


@each(
    ("said", "is_taken"),
    [
        ([], False),
        ([""], False),
        (["gzip"], True),
        (["GZip;Q=0.5"], True),
        (["br, gzip"], True),
        (["br", "gzip"], True),
        (["gzip;q=0"], False),
        (["gzip; q=0.000, *"], False),
        (["*"], True),
        (["*;q=0"], False),
        (["identity"], False),
        (["deflate, br"], False),
        (["x-gzip"], True),
    ],
)
def test_who_takes_gzip(said: list[str], is_taken: bool) -> None:
    headers = Headers(raw=[(b"accept-encoding", one.encode()) for one in said])
    assert takes_gzip(headers) is is_taken
