"""Large lists: slow readers of one account hold up nobody else."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json

import h11
import httpx
import pytest

from pos_app.http_front.compression import LEAST_BYTES
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.hosted import Place, hosted, many_stores
from tests.integration.platform_api.relayed import Worker, worker
from tests.sweep import each

_ROWS = 1_500


async def test_long_rows_stand_among_short_ones_as_they_were_answered(database: Place) -> None:
    async with hosted(database) as platform:
        made = []
        for number in range(53):
            body = {"name": f"Прва {number}", "taxRateLabel": "Ђ", "price": 1}
            if number in (0, 1, 49, 50, 52):
                body["description"] = "<b>щ</b>" * (800 * (1 + number % 7))
            made.append((await platform.client.post("/products", json=body)).text)
        since = {"updatedSince": "1970-01-01T00:00:00.000Z"}
        for encoding in ("identity", "gzip"):
            for query in ({}, since):
                headers = {"Accept-Encoding": encoding}
                answer = await platform.client.get("/products", headers=headers, params=query)
                assert answer.text == f"[{','.join(made)}]"


async def _read_late(reader: asyncio.StreamReader) -> bytes:
    """Read all, once both ends hold as much as they can."""
    await asyncio.sleep(0.5)
    return await reader.read()


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_a_list_is_whole_for_who_reads_it_late(file_database: Place, version: str) -> None:
    """As `nc -N` does. The list is larger than what the systems of both ends hold."""
    async with worker(file_database) as at, at.caller() as caller:
        await many_stores(at.database, at.account, _ROWS, 4000)
        listed = (await caller.get("/stores")).json()
        made = h11.Connection(h11.CLIENT)
        basic = base64.b64encode(f"{at.key.id}:{at.key.secret}".encode()).decode()
        headers = [("Host", "x"), ("Authorization", f"Basic {basic}"), ("Connection", "close")]
        asked = made.send(h11.Request(method="GET", target="/v2/stores", headers=headers)) or b""
        made.send(h11.EndOfMessage())
        host, port = at.address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=1000)
        writer.write(asked.replace(b"HTTP/1.1", f"HTTP/{version}".encode(), 1))
        writer.write_eof()
        made.receive_data(await _read_late(reader))
        made.receive_data(b"")
        body = b""
        while not isinstance(event := made.next_event(), h11.EndOfMessage):
            body += bytes(event.data) if isinstance(event, h11.Data) else b""
        assert json.loads(body) == listed
        writer.close()


# --- in gzip -------------------------------------------------------------------------------------


async def asked(
    at: Worker, path: str, method: str = "GET", **headers: str
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
async def test_a_list_in_gzip_has_its_own_tag(database: Place, count: int, length: int) -> None:
    """The short list comes from memory; the long one is copied out row by row."""
    async with worker(database) as at:
        await many_stores(at.database, at.account, count, length)
        status, plain, whole = await asked(at, "/v2/stores")
        assert (status, plain.get("content-encoding")) == (200, None)
        _, headers, body = await asked(at, "/v2/stores", Accept_Encoding="gzip")
        assert (headers["content-encoding"], gzip.decompress(body)) == ("gzip", whole)
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


async def test_what_is_short_stays_as_it_is(file_database: Place) -> None:
    async with worker(file_database) as at:
        for path in ("/health", "/v2/stores"):
            _, headers, body = await asked(at, path, Accept_Encoding="gzip")
            assert "content-encoding" not in headers
            assert len(body) < LEAST_BYTES
            assert "Accept-Encoding" in headers["vary"]
            json.loads(body)
