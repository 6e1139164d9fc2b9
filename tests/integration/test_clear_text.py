"""A key and its secret go over HTTP without encryption to this computer alone, and within the
shop's network where a manager allowed exactly that address. Nobody else sees a byte of them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from pos_app.adapters.platform_http.client import PlatformClient
from pos_app.adapters.secrets.secret import Secret
from pos_app.bootstrap.commands.check import WARNED, WHOLE, check_command
from pos_app.local_api.relay_channel import RelayAddress, dial
from pos_app.local_api.relay_client import LineClosed
from pos_app.selling.synchronisation.run import SyncEnd
from pos_app.settings import PlatformSettings
from tests.integration.test_check import check, public_mode
from tests.integration.test_server_program import run as command
from tests.sweep import each

SECRET = "canary-2b90"
PUBLIC = ("http://platform.example/v2", "http://203.0.113.7/v2", "http://[2001:db8::7]/v2")
NEAR = ("http://192.168.1.20:8400/v2", "http://10.3.0.1/v2", "http://[fd00::20]/v2")


@dataclass
class Listener:
    port: int = 0
    connections: int = 0
    came: bytearray = field(default_factory=bytearray)


@contextmanager
def listening() -> Iterator[Listener]:
    listener, door = Listener(), socket.create_server(("127.0.0.1", 0))
    listener.port = door.getsockname()[1]
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"

    def serve() -> None:
        while True:
            try:
                line = door.accept()[0]
            except OSError:
                return
            with line:
                listener.connections += 1
                line.settimeout(5)
                listener.came += line.recv(65536)
                line.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    with closing(door):
        try:
            yield listener
        finally:
            door.shutdown(socket.SHUT_RDWR)
            thread.join()


def platform(url: str, proxy: str = "", allowed: str = "") -> PlatformClient:
    way = PlatformSettings(url=url, key="pk", proxy=proxy, clear_text_allowed=allowed)
    return PlatformClient(way, Secret(SECRET), connect_seconds=2.0, read_seconds=2.0)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Names and their addresses, with spaces between, which the tests' own name server knows."""
    known: dict[str, str] = {}
    usual = socket.getaddrinfo

    def looked_up(host: str, *rest: Any, **more: Any) -> Any:
        led_to = known[host].split() if host in known else [host]
        return [found for one in led_to for found in usual(one, *rest, **more)]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    return known


async def test_the_relay_is_led_to_a_private_address_alone(names: dict[str, str]) -> None:
    with listening() as listener:
        url = f"http://server.local:{listener.port}/v2"
        names["server.local"] = "203.0.113.7"
        with pytest.raises(LineClosed) as told:
            async with dial(RelayAddress(url, "pk", SECRET)):
                pass
        assert told.value.refusal == "clear_text_public"
        names["server.local"] = "203.0.113.7 127.0.0.2 127.0.0.1"  # nobody answers at the first
        with platform(url, allowed=url) as client:
            assert client.ask("list_stores").status == 200
        with pytest.raises(LineClosed):  # the listener is no platform
            async with dial(RelayAddress(url, "pk", SECRET)):
                pass
        assert b"Authorization: Basic" in listener.came
        assert f"Host: server.local:{listener.port}".encode() in listener.came


@pytest.fixture
def shop(folder: Path) -> Iterator[tuple[Path, Listener]]:
    """A shop with a public address without encryption; the way there leads through a proxy."""
    with listening() as listener:
        write(folder, url=PUBLIC[1], proxy=f"http://127.0.0.1:{listener.port}")
        secrets = folder / "secrets.toml"
        secrets.write_text(f'platform_secret = "{SECRET}"\n', encoding="utf-8")
        secrets.chmod(0o600)
        yield folder, listener


def write(folder: Path, **platform: str) -> None:
    rows = "".join(f'{name} = "{value}"\n' for name, value in platform.items())
    text = f'[platform]\nkey = "pk"\npublic_mode = true\n{rows}'
    (folder / "settings.toml").write_text(text, encoding="utf-8")


def test_a_shop_with_such_an_address_sells_on_and_is_told(shop: tuple[Path, Listener]) -> None:
    folder, listener = shop
    told, log = public_mode(folder)  # a server of this shop starts and answers
    assert (told["state"], told["code"]) == ("not_configured", "clear_text_public")
    assert PUBLIC[1] in told["words"]
    assert "https://" in told["words"]
    assert "public mode is not connected" in log
    done = command("sync", "--data", str(folder))
    assert done.returncode == SyncEnd.AWAY
    assert "without encryption" in done.stdout + done.stderr
    assert "Write an address with https:// into platform.url" in done.stdout + done.stderr
    status, words = check(folder)
    assert status == WARNED
    assert f"platform.url: Key and receipts would go to {PUBLIC[1]} without encryption" in words
    assert listener.connections == 0
    write(folder, url=NEAR[0], clear_text_allowed=NEAR[0])
    status, words = check(folder)
    assert (status, "as a manager allowed" in words) == (WHOLE, True), words
    write(folder, url=NEAR[0], clear_text_allowed=NEAR[1])
    status, words = check(folder)
    assert (status, "which no manager has allowed" in words) == (WARNED, True), words


@each(
    ("url", "status", "words"),
    [
        ("http://127.0.0.1:8888", WHOLE, ""),
        ("https://203.0.113.7:8888", WHOLE, ""),
        ("http://192.168.1.40:8888", WHOLE, "without encryption, within the shop's own network"),
        ("http://pfr.local:8888", WHOLE, "without encryption, within the shop's own network"),
        ("http://203.0.113.7:8888", WARNED, "over a network that is not the shop's own"),
    ],
)
def test_how_receipts_reach_an_lpfr(folder: Path, url: str, status: int, words: str) -> None:
    text = f'[processor]\nkind = "lpfr"\nurl = "{url}"\n[esir]\nib = "1234"\n'
    (folder / "settings.toml").write_text(text, encoding="utf-8")
    out = StringIO()
    assert check_command(folder, out=out) == status
    assert words in out.getvalue()
    assert bool(words) is ("processor.url" in out.getvalue())
