"""A server on the LAN, as a program: who reaches it, and with what."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.fakes.no_tls import NO_TLS
from tests.integration.test_server_program import SALE, demo_shop, program, run
from tests.sweep import sampled

TOKEN = "a-token-that-the-callers-of-this-shop-share"


def own_address() -> str:
    """Return this machine's address in its network, or "" when it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door:
        try:
            door.connect(("192.0.2.250", 9))  # sends nothing: only selects the address
        except OSError:
            return ""
        return str(door.getsockname()[0])


ADDRESS = own_address()
needs_network = pytest.mark.skipif(not ADDRESS, reason="this machine is in no network")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_shop(tmp_path_factory.mktemp("lan") / "shop")


def keep(folder: Path, secrets: str) -> None:
    path = folder / "secrets.toml"
    path.write_text(secrets, encoding="utf-8")
    path.chmod(0o600)


@pytest.fixture(scope="module")
def port(shop: Path) -> Iterator[int]:
    keep(shop, f'lan_token = "{TOKEN}"\n')
    with program("server", "--data", str(shop), "--host", "0.0.0.0", "--port", "0") as (_, url):
        assert url.startswith("http://127.0.0.1:"), url
        yield int(url.rpartition(":")[2])


def issue(host: str, port: int, **headers: str) -> httpx.Response:
    url = f"http://{host}:{port}/fiscalization/receipts"
    return httpx.post(url, json=SALE, headers=headers, trust_env=False, verify=NO_TLS, timeout=30)


@needs_network
def test_the_lan_needs_the_token_and_this_machine_does_not(port: int) -> None:
    refused = issue(ADDRESS, port)
    assert (refused.status_code, refused.json()["code"]) == (401, 40100001)
    assert issue(ADDRESS, port, **{"X-Pos-Token": TOKEN[::-1]}).status_code == 401
    assert issue(ADDRESS, port, Authorization=f"Bearer {TOKEN}").status_code == 401

    signed = issue(ADDRESS, port, **{"X-Pos-Token": TOKEN})
    assert signed.status_code == 200
    assert signed.json()["pdf"].startswith(f"http://{ADDRESS}:{port}/pdf/")
    assert httpx.get(signed.json()["pdf"], trust_env=False, verify=NO_TLS).content.startswith(
        b"%PDF"
    )
    assert issue("127.0.0.1", port).status_code == 200
    answer = issue(ADDRESS, port, Host=f"evil.example:{port}", **{"X-Pos-Token": TOKEN})
    assert (answer.status_code, answer.json()["code"]) == (421, 42100001)


@pytest.mark.parametrize(
    ("secrets", "mode", "told"),
    sampled(
        [
            ("", 0o600, "is missing"),
            ('lan_token = "short"\n', 0o600, "must be 32 to 128 visible ASCII characters"),
            (f'lan_token = "{TOKEN}"\n', 0o644, "other users have rights to it"),
            (f'lan_token = "{"ж" * 40}"\n', 0o600, "must be 32 to 128 visible ASCII characters"),
            ("lan_token = 5\n", 0o600, "is not a text"),
        ],
        3,
    ),
)
def test_without_a_good_token_no_start(folder: Path, secrets: str, mode: int, told: str) -> None:
    keep(folder, secrets)
    (folder / "secrets.toml").chmod(mode)
    done = run("server", "--data", str(folder), "--host", "0.0.0.0", "--port", "0")
    assert done.returncode != 0
    assert told in done.stderr
    assert "secrets.toml" in done.stderr
