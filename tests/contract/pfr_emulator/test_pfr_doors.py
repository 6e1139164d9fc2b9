"""No web page reaches the processor or its control port, whatever name it gave this machine."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from pos_app.pfr_emulator.doors import _leads_here
from tests.contract.pfr_emulator.device import Device
from tests.sweep import each


@each(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:PORT"}, 200),
        ({"Host": "LOCALHOST:PORT"}, 200),
        ({"Host": "[::1]:PORT"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Host": "evil.example:PORT"}, 421),
        ({"Host": "evil.example"}, 421),
        ({"Host": "localhost:1"}, 421),
        ({"Host": "localhost"}, 421),
        ({"Host": "127.0.0.1:PORT@evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://127.0.0.1:PORT"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_programs_pass_and_pages_do_not(lpfr: Device, headers: dict[str, str], status: int) -> None:
    for client, path in ((lpfr.client, "/api/v3/status"), (lpfr.control, "/state")):
        port = str(client.base_url.port)
        told = {name: value.replace("PORT", port) for name, value in headers.items()}
        assert client.get(path, headers=told).status_code == status


def test_without_a_host_nobody_is_answered(lpfr: Device) -> None:
    place = urlsplit(lpfr.url)
    with socket.create_connection((place.hostname, place.port), timeout=10) as caller:
        caller.sendall(b"GET /api/v3/status HTTP/1.0\r\n\r\n")
        assert caller.recv(100).startswith(b"HTTP/1.1 421")


@each(
    ("host", "address", "leads"),
    [
        ("192.168.1.7:9998", "192.168.1.7", True),
        ("192.168.1.7:9998", "::ffff:192.168.1.7", True),
        ("[fe80::1]:9998", "fe80::1%eth0", True),
        ("192.168.1.8:9998", "192.168.1.7", False),
        ("192.168.1.7", "192.168.1.7", False),
    ],
)
def test_another_machine_names_the_address_that_it_reached(
    host: str, address: str, leads: bool
) -> None:
    assert _leads_here(host, address, 9998) is leads
