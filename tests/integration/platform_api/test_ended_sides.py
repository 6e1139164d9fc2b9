"""A caller of a platform ends its side behind whole requests, as `nc -N` does, and still reads.
tests/e2e/test_both_doors.py does so with receipts."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import h11
import httpx
import pytest

from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.serving import key_of_new_account, serving_quietly

OLD, NEW, STAYING = "1.0", "1.1", ("Connection", "keep-alive")
ENDING = ("Connection", "close")
LARGE, PRODUCTS = "ш" * 60_000, 60
"""The list of these products is larger than what the systems of both ends keep."""
Answer = tuple[int, Any]


@dataclass(frozen=True)
class Asked:
    """A request. body: for JSON. in_chunks: without its length."""

    method: str
    path: str
    body: Any = None
    version: str = NEW
    headers: tuple[tuple[str, str], ...] = ()
    in_chunks: bool = False


@dataclass(frozen=True)
class Platform:
    address: str
    key: tuple[str, str]

    @property
    def place(self) -> tuple[str, int]:
        told = urlsplit(self.address)
        return str(told.hostname), told.port or 0

    def written(self, asked: Asked, made: h11.Connection) -> bytes:
        basic = base64.b64encode(":".join(self.key).encode()).decode()
        body = b"" if asked.body is None else json.dumps(asked.body).encode()
        length = (
            ("Transfer-Encoding", "chunked")
            if asked.in_chunks
            else ("Content-Length", str(len(body)))
        )
        headers = [
            ("Host", urlsplit(self.address).netloc),
            ("Authorization", f"Basic {basic}"),
            *asked.headers,
            *([] if asked.body is None else [("Content-Type", "application/json"), length]),
        ]
        request = h11.Request(method=asked.method, target=f"/v2{asked.path}", headers=headers)
        parts = [
            made.send(request),
            made.send(h11.Data(data=body)) if body else b"",
            made.send(h11.EndOfMessage()),
        ]
        sent = b"".join(part or b"" for part in parts)
        return sent.replace(b"HTTP/1.1", f"HTTP/{asked.version}".encode(), 1)

    def answers(self, *asked: Asked, pause: float = 0.0) -> list[Answer]:
        """Send the requests and end the writing side at once; return status and body of each
        answer. pause: seconds before anything is read."""
        made = [h11.Connection(h11.CLIENT) for _ in asked]
        sent = b"".join(map(self.written, asked, made))
        with socket.create_connection(self.place, timeout=30) as line:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            time.sleep(pause)
            told = b"".join(iter(lambda: line.recv(65536), b""))
        return list(read(told, made))

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """Ask as usual callers do."""
        answer = httpx.request(
            method, f"{self.address}/v2{path}", auth=self.key, verify=NO_TLS, **options
        )
        assert answer.is_success, answer.text
        return answer.json()

    def names(self) -> list[str]:
        return [one["name"] for one in self.ask("GET", "/stores")]


def read(told: bytes, made: Sequence[h11.Connection]) -> Iterator[Answer]:
    """Read whole answers, and nothing behind them."""
    for connection in made:
        connection.receive_data(told)
        connection.receive_data(b"")
        status, body = 0, b""
        while not isinstance(event := connection.next_event(), h11.EndOfMessage):
            if isinstance(event, h11.Response):
                status = event.status_code
            else:
                assert isinstance(event, h11.Data), (event, status, len(body))
                body += event.data
        yield status, json.loads(body)
        told = connection.trailing_data[0]
    assert told == b""


@pytest.fixture(scope="module", params=["one process", "two workers"])
def platform(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Platform]:
    folder = tmp_path_factory.mktemp("platform") / "data"
    address, words = "", tuple[str, ...]()
    if request.param == "two workers":
        address, words = request.getfixturevalue("postgresql_address"), ("--workers", "2")
    key = key_of_new_account(folder, address)
    with serving_quietly(folder, *words, POS_APP_PLATFORM_SERVER__DATABASE_URL=address) as url:
        yield Platform(url, key)
    assert "Traceback" not in folder.with_name("platform.log").read_text(encoding="utf-8")


HEADS = {
    "1.1, which stays": (NEW, ()),
    "1.1, the last": (NEW, (ENDING,)),
    "1.0": (OLD, ()),
    "1.0, which stays": (OLD, (STAYING,)),
}


@pytest.mark.parametrize("head", HEADS)
def test_a_read_is_answered(platform: Platform, head: str) -> None:
    version, headers = HEADS[head]
    ((status, listed),) = platform.answers(Asked("GET", "/units", None, version, headers))
    assert (status, listed) == (200, platform.ask("GET", "/units"))


@pytest.mark.parametrize("in_chunks", [False, True], ids=["with its length", "in chunks"])
@pytest.mark.parametrize("head", HEADS)
def test_a_write_is_done_once_and_answered(
    platform: Platform, head: str, *, in_chunks: bool
) -> None:
    version, headers = HEADS[head]
    if in_chunks and version == OLD:
        pytest.skip("HTTP/1.0 has no chunks")
    name = f"{head}, {in_chunks}"
    asked = Asked("POST", "/stores", {"name": name}, version, headers, in_chunks)
    ((status, made),) = platform.answers(asked)
    assert (status, made["name"]) == (201, name)
    assert platform.names().count(name) == 1


def test_each_of_several_requests_is_answered_in_their_order(platform: Platform) -> None:
    told = platform.answers(
        Asked("GET", "/units"),
        Asked("POST", "/stores", {"name": "Друга"}, in_chunks=True),
        Asked("POST", "/stores", {"name": ""}),
        Asked("POST", "/stores", {"name": "Трећа"}),
        Asked("GET", "/stores"),
    )
    assert [status for status, _ in told] == [200, 201, 400, 201, 200]
    assert {"Друга", "Трећа"} <= {one["name"] for one in told[-1][1]}


def test_a_refusal_is_read_too(platform: Platform) -> None:
    stranger = Platform(platform.address, ("nobody", "nothing"))
    for asked in (Asked("GET", "/units"), Asked("POST", "/stores", {"name": "Х"})):
        ((status, told),) = stranger.answers(asked)
        assert (status, told["code"]) == (401, 40100001)
    ((status, _),) = platform.answers(Asked("GET", "/nothing"))
    assert status == 404


@pytest.mark.parametrize("head", HEADS)
def test_a_large_list_is_whole_for_a_caller_that_reads_late(platform: Platform, head: str) -> None:
    product = {"name": "К", "taxRateLabel": "Е", "description": LARGE}
    for _ in range(PRODUCTS - len(platform.ask("GET", "/products"))):
        platform.ask("POST", "/products", json=product)
    listed = platform.ask("GET", "/products")
    version, headers = HEADS[head]
    ((status, told),) = platform.answers(
        Asked("GET", "/products", None, version, headers), pause=1.5
    )
    assert status == 200
    assert told == listed


@pytest.mark.skipif(not shutil.which("nc"), reason="no nc here")
def test_nc_gets_its_answer(platform: Platform) -> None:
    asked = Asked("POST", "/stores", {"name": "nc"})
    made = h11.Connection(h11.CLIENT)
    words = ["nc", "-N", *map(str, platform.place)]
    sent = platform.written(asked, made)
    done = subprocess.run(words, input=sent, capture_output=True, timeout=30, check=True)
    ((status, told),) = read(done.stdout, [made])
    assert (status, told["name"]) == (201, "nc")
