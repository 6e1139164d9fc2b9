"""A caller announces more than it sends, shuts its writing side down, and still reads."""

from __future__ import annotations

import base64
import socket
from pathlib import Path
from urllib.parse import urlsplit

from tests.integration.platform_api.serving import key_of_new_account, serving_quietly
from tests.integration.test_server_program import program


def half_sent(address: str, *lines: str) -> tuple[int, bytes]:
    """Return status and body of the answer to a POST without its last byte."""
    place = urlsplit(address)
    told = ("Content-Type: application/json", "Content-Length: 20", *lines)
    head = "\r\n".join((f"POST {place.path} HTTP/1.1", f"Host: {place.netloc}", *told, "", ""))
    with socket.create_connection((place.hostname, place.port), timeout=10) as line:
        line.sendall(head.encode() + b'{"name": "P", "x": ')
        line.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: line.recv(4096), b""))
    begun, _, body = answer.partition(b"\r\n\r\n")
    return int(begun.split()[1]), body


def test_by_a_platform(folder: Path) -> None:
    key = ":".join(key_of_new_account(folder)).encode()
    authorization = f"Authorization: Basic {base64.b64encode(key).decode()}"
    with serving_quietly(folder) as address:
        status, body = half_sent(f"{address}/v2/stores", authorization)
    assert (status, b'"code":40800001' in body) == (408, True)
    assert "Traceback" not in folder.with_name("platform.log").read_text(encoding="utf-8")


def test_by_the_development_processor(folder: Path) -> None:
    with program("processor", "--data", str(folder), "--port", "0") as (_, address):
        assert half_sent(f"{address}/api/v3/invoices") == (408, b'"late"')
