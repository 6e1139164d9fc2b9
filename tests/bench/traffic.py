"""Counts the traffic of a till and a caller with a platform: requests and bytes, by real programs.

`--only traffic` runs it alone. Everything goes through a counter in this process, which passes
bytes on as they are; heads are counted too. Nothing here depends on the speed of the machine.
"""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import apsw
import httpx

from tests.bench.figures import Figure
from tests.bench.synchronise import filled_platform
from tests.e2e.shop import CATALOGUE, opened
from tests.e2e.town import SALE, Town, town_of
from tests.fakes.no_tls import NO_TLS

ARTICLES = 10_000
_REQUEST = re.compile(rb"^(?:GET|POST|PATCH|PUT|DELETE|HEAD) \S+ HTTP/1\.1\r$", re.MULTILINE)
_ENCODINGS = {"gzip": "in gzip", "identity": "as it is"}


class Line:
    """The counted traffic. sent: to the platform, with the requests; received: from it."""

    def __init__(self) -> None:
        self.sent = bytearray()
        self.received = 0

    def clear(self) -> None:
        self.sent.clear()
        self.received = 0

    @property
    def requests(self) -> int:
        return len(_REQUEST.findall(self.sent))


def figures(articles: int = ARTICLES) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        yield from _of_receipts(Path(name))
        with filled_platform(Path(name) / "platform", articles) as told:
            yield from _of_a_till(Path(name) / "till", told, articles)


def _of_receipts(folder: Path) -> Iterator[Figure]:
    made = folder / "made"
    words = ["sync", str(CATALOGUE), "--data", str(made)]
    subprocess.run([sys.executable, "-m", "pos_app", *words], check=True, capture_output=True)
    with opened(folder / "shop", made) as shop, town_of(shop) as town:
        town.connected()
        for encoding, words_of in _ENCODINGS.items():
            with _counted(town.url(0)) as (address, line):
                headers = {"Accept-Encoding": encoding, "Idempotency-Key": uuid.uuid4().hex}
                with httpx.Client(trust_env=False, verify=NO_TLS, timeout=30.0) as caller:
                    answer = caller.post(
                        f"{address}/fiscalization/receipts",
                        json=SALE | {"clientId": town.client},
                        headers=headers,
                        auth=town.credentials,
                    )
                assert answer.status_code == httpx.codes.OK, answer.text
            yield Figure.single(f"answer with a receipt, {words_of}", line.received, "bytes")
        yield Figure.single("  what the platform keeps of its answer", _kept(town), "bytes")


def _kept(town: Town) -> int:
    """The size of the last kept answer."""
    file = str(town.folder / "platform" / "platform.db")
    with closing(apsw.Connection(file, apsw.SQLITE_OPEN_READONLY)) as connection:
        query = "SELECT length(CAST(answer AS BLOB)) FROM relay_command ORDER BY made_ms DESC"
        ((size,),) = connection.execute(f"{query} LIMIT 1")
        return int(size)


def _of_a_till(folder: Path, told: str, articles: int) -> Iterator[Figure]:
    folder.mkdir()
    (address_of,) = re.findall(r'url = "(.*)"', told)
    with _counted(address_of) as (address, line):  # one address: another would be another platform
        settings = told.replace(address_of, address)
        (folder / "settings.toml").write_text(settings, encoding="utf-8")
        for name in (f"first synchronisation, {articles:,} articles", "one with nothing new"):
            line.clear()
            words = [sys.executable, "-m", "pos_app", "sync", "--data", str(folder)]
            subprocess.run(words, check=True, capture_output=True)
            yield Figure.single(f"{name}: requests", line.requests, "")
            yield Figure.single(f"{name}: received", line.received, "bytes")
            yield Figure.single(f"{name}: sent", len(line.sent), "bytes")


@contextmanager
def _counted(url: str) -> Iterator[tuple[str, Line]]:
    """Another address of the same platform, and the traffic through it."""
    place, line = urlsplit(url), Line()
    door = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=_accept, args=(door, (place.hostname, place.port), line)).start()
    try:
        yield f"http://127.0.0.1:{door.getsockname()[1]}{place.path}", line
    finally:
        with contextlib.suppress(OSError):
            door.shutdown(socket.SHUT_RDWR)
        door.close()


def _accept(door: socket.socket, place: tuple[str | None, int | None], line: Line) -> None:
    with contextlib.suppress(OSError):
        while True:
            near, _ = door.accept()
            far = socket.create_connection((place[0] or "", place[1] or 0))
            for way in ((near, far, True), (far, near, False)):
                threading.Thread(target=_copy, args=(*way, line), daemon=True).start()


def _copy(source: socket.socket, target: socket.socket, is_sent: bool, line: Line) -> None:
    with contextlib.suppress(OSError):
        while part := source.recv(65536):
            if is_sent:
                line.sent += part
            else:
                line.received += len(part)
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)
