"""The ends of requests to a platform: not delivered, unknown, answered; the secret never shows."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pos_app.adapters.platform_http.client import WEB_PAGE, PlatformClient, refusal
from pos_app.adapters.platform_http.edits import send_edit
from pos_app.adapters.secrets.secret import Secret
from pos_app.domain.article.product import Product
from pos_app.domain.money.tax import TaxLabel
from pos_app.errors import DiskFull, NotDelivered, OutcomeUnknown, PosError
from pos_app.selling.synchronisation.catalogue_edits import EditKind
from pos_app.selling.synchronisation.run import OutgoingEdit, PushEnd
from pos_app.settings import PlatformSettings

SECRET = "canary-4f7a1c"
BREAD = OutgoingEdit(EditKind.ADD, Product(id="p", name="Хлеб", tax_label=TaxLabel.E))


@contextmanager
def answering(answer: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """Run a server that answers with these bytes; yield its address and what it received."""
    got: list[bytes] = []
    over = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as door:

        def serve() -> None:
            with door.accept()[0] as line:
                got.append(line.recv(65536))
                line.sendall(answer)
                if not answer:
                    over.wait(10)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}/v2", got
        finally:
            over.set()
            thread.join()


PAGE = b"\xef\xbb\xbf\r\n<!DOCTYPE html><html><title>Hotel Wi-Fi</title></html>"
LOGIN = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s"
    % (len(PAGE), PAGE),
    b"HTTP/1.1 302 Found\r\nLocation: http://portal.example/\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 511 Log in\r\nContent-Length: 0\r\n\r\n",
)


@pytest.mark.parametrize("answer", LOGIN)
def test_the_page_of_a_network_is_no_platform(answer: bytes, tmp_path: Path) -> None:
    into = tmp_path / "list.json"
    for ask in (
        lambda platform: platform.ask("list_units"),
        lambda platform: platform.save("list_products", into, query={}, headers={}),
    ):
        with answering(answer) as (url, _), client(url) as platform:
            with pytest.raises(NotDelivered) as told:
                ask(platform)
            assert told.value.kind == WEB_PAGE
            place = "sends to http://portal.example/" if b"Location" in answer else "a web page"
            assert place in str(told.value)
    assert list(tmp_path.iterdir()) == []
    with answering(answer) as (url, _), client(url) as platform:  # never taken for "done"
        assert send_edit(platform, BREAD, versions=True).end in (PushEnd.UNKNOWN, PushEnd.NOT_SENT)


def client(url: str) -> PlatformClient:
    return PlatformClient(PlatformSettings(url=url, key="pk"), Secret(SECRET), read_seconds=0.2)


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        (b"", PushEnd.UNKNOWN),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{", PushEnd.UNKNOWN),
        (b"no HTTP\r\n\r\n", PushEnd.UNKNOWN),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n",
         PushEnd.NOT_SENT),
        (b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}", PushEnd.UNKNOWN),
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", PushEnd.UNKNOWN),
        (b'HTTP/1.1 400 Bad\r\nContent-Length: 35\r\n\r\n{"message":"sku is already in use"}',
         PushEnd.DUPLICATE),
        (b"HTTP/1.1 422 Bad\r\nContent-Length: 4\r\n\r\nnope", PushEnd.REFUSED),
        (b"HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n", PushEnd.NOT_SENT),
    ],
)  # fmt: skip
def test_how_requests_end(answer: bytes, end: PushEnd, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with answering(answer) as (url, got), client(url) as platform:
        told = send_edit(platform, BREAD, versions=True)
        assert told.end is end, told
    assert got[0].startswith(b"POST /v2/products HTTP/1.1")
    assert b"Authorization: Basic cGs6Y2FuYXJ5LTRmN2ExYw==" in got[0]
    assert SECRET not in f"{told!r} {told.fault} {caplog.text}"


def test_who_is_not_there_got_nothing() -> None:
    with client("http://127.0.0.1:9/v2") as platform:
        with pytest.raises(NotDelivered):
            platform.ask("list_stores")
        assert send_edit(platform, BREAD, versions=False).end is PushEnd.NOT_SENT


def test_a_photo_elsewhere_is_asked_for_without_the_key() -> None:
    content = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\npng"
    with answering(content) as (url, got), client("http://platform.example/v2") as platform:
        assert platform.fetch(url, most=10) == b"png"
    assert b"Authorization" not in got[0]
    with answering(content) as (url, _), client(url) as platform, pytest.raises(OutcomeUnknown):
        platform.fetch(url, most=2)


def test_a_list_that_is_refused_is_told_in_its_words() -> None:
    body = b'{"message": "The account is closed"}'
    answer = b"HTTP/1.1 403 No\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    with answering(answer) as (url, _), client(url) as platform:
        assert "The account is closed" in str(refusal(platform.ask("list_products")))


def test_a_list_without_an_end_leaves_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + b"x" * 5000
    limits: dict[str, tuple[int, type[PosError]]] = {
        "ROOM_LEFT": (1 << 62, DiskFull),
        "LARGEST_LIST": (4000, OutcomeUnknown),
    }
    for name, (limit, error) in limits.items():
        with monkeypatch.context() as limited, answering(answer) as (url, _):
            limited.setattr(f"pos_app.adapters.platform_http.client.{name}", limit)
            with client(url) as asked, pytest.raises(error):
                asked.save("list_products", tmp_path / "list.json", query={}, headers={})
        assert list(tmp_path.iterdir()) == []
