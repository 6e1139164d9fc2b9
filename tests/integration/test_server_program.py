"""The server as a program: its address, its stop, its refusals; till and server together."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.nursery import Life, born, ended
from tests.fakes.no_tls import NO_TLS
from tests.ports import free_port
from tests.sweep import each, sampled

SALE = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": True, "base64pdf": True},
}


@contextmanager
def program(*words: str) -> Iterator[tuple[Life, str]]:
    child = born(*words)
    try:
        yield child, child.stdout.readline().strip()
    finally:
        if child.poll() is None:
            child.kill()
        child.communicate()


def run(*words: str, is_real: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command of ours. is_real: in a Python of its own, which takes a second."""
    if not is_real:
        return ended(*words)
    return subprocess.run(
        [sys.executable, "-m", "pos_app", *words], capture_output=True, text=True, check=False
    )


def demo_shop(folder: Path, *, has_own_port: bool = False) -> Path:
    """Make the shop of the demo in a folder. has_own_port: its server listens at no other's."""
    done = run("demo", "--prepare", "--data", str(folder))
    assert done.returncode == 0, done.stderr
    if has_own_port:
        with (folder / "settings.toml").open("a", encoding="utf-8") as file:
            file.write(f"\n[server]\nport = {free_port()}\n")
    return folder


def until(check: Callable[[], object], seconds: float = 60.0, *, pause: float = 0.05) -> None:
    ends = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < ends
        time.sleep(pause)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_shop(tmp_path_factory.mktemp("demo") / "shop")


def post(address: str, body: Any, **headers: str) -> httpx.Response:
    return httpx.post(
        f"{address}/fiscalization/receipts",
        json=body,
        headers=headers,
        trust_env=False,
        verify=NO_TLS,
        timeout=30,
    )


def test_the_renderer_is_loaded_before_anybody_asks_for_a_pdf(demo: Path) -> None:
    with program("server", "--data", str(demo), "--port", "0") as (server, _):
        assert server.stderr is not None
        assert any("a font for paper" in line for line in server.stderr)


def test_a_second_server_on_the_same_data_says_so(demo: Path) -> None:
    with program("server", "--data", str(demo), "--port", "0"):
        second = run("server", "--data", str(demo), "--port", "0")
    assert second.returncode == 1
    assert "Another server is running" in second.stderr
    assert "Nothing was changed." in second.stderr


@each(
    ("settings", "told"),
    [
        ("[server\n", "settings.toml"),
        ('[processor]\nkind = "lpfr"\nurl = "http://127.0.0.1:1"\n', '"esir.ib"'),
        (None, "secrets.toml/data"),  # a folder in a file
    ],
)
def test_what_keeps_a_server_from_starting_is_named(
    tmp_path: Path, settings: str | None, told: str
) -> None:
    folder = tmp_path if settings else tmp_path / "secrets.toml" / "data"
    (tmp_path / "settings.toml" if settings else folder.parent).write_text(settings or "")
    refused = run("server", "--data", str(folder), "--port", "0", is_real=settings == "[server\n")
    assert (refused.returncode, told in refused.stderr) == (1, True), refused.stderr


def test_a_taken_port_is_named(demo: Path, folder: Path) -> None:
    with program("server", "--data", str(demo), "--port", "0") as (_, address):
        ours = address.rpartition(":")[2]
        with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as stranger:
            answering = threading.Thread(target=stranger.serve_forever)
            answering.start()
            taken = {"this product's server": ours, "another program": str(stranger.server_port)}
            for by, port in taken.items():
                refused = run("server", "--data", str(folder), "--port", port)
                assert refused.returncode == 1
                assert f"The port {port} is in use by {by}." in refused.stderr
            stranger.shutdown()
            answering.join()


def test_a_demo_never_moves_into_a_real_shop(folder: Path) -> None:
    with program("server", "--data", str(folder), "--port", "0"):
        pass
    refused = run("demo", "--prepare", "--data", str(folder))
    assert refused.returncode == 1
    assert "belongs to a real shop" in refused.stderr


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_what_a_program_writes_is_its_user_s_alone(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    words = (sys.executable, "-m", "pos_app", "demo", "--prepare", "--data", str(folder))
    subprocess.run(words, check=True, umask=0o022)
    (folder / "catalogue/catalogue.db").chmod(0o666)
    with program("server", "--data", str(folder), "--port", "0") as (_, address):
        assert post(address, SALE).status_code == 200
        paths = [folder, *folder.rglob("*")]
        found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in paths}
        assert {"journal.db", "journal.db-wal", "journal.db-shm", "ledger.db"} <= found.keys()
        assert set(found.values()) == {0o600, 0o700}


def test_without_a_program_the_till_takes_its_own_options(folder: Path) -> None:
    (folder / "settings.toml").write_text("[till]\nname = 7\n")
    for told in (run("--data", str(folder)), run("till", "--data", str(folder))):
        assert (told.returncode, "till.name" in told.stderr) == (1, True)
    assert run("--data", str(folder), "--host", "127.0.0.1").returncode == 2


# --- a folder that exists already -----------------------------------------------------------------
@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_a_folder_made_by_hand_is_its_user_s_alone_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "settings.toml").write_text("[till]\n")
    (folder / "settings.toml").chmod(0o644)
    (folder / "secrets.toml").write_text('mail_password = "x"\n')  # nothing needs it yet
    (folder / "secrets.toml").chmod(0o600)
    folder.chmod(0o755)
    with program("server", "--data", str(folder), "--port", "0") as (_, address):
        assert address.startswith("http://")
        found = dict[str, int]()
        for path in (folder, *folder.rglob("*")):
            with suppress(FileNotFoundError):  # a file that is being replaced has just been renamed
                found[path.name] = stat.S_IMODE(path.stat().st_mode)
    assert {"settings.toml", "install.json", "journal.db"} <= found.keys()
    assert set(found.values()) == {0o600, 0o700}, found


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
@pytest.mark.parametrize(
    ("secrets", "mode", "told"),
    [
        ("", 0o644, "other users have rights to it"),
        ('mail_pasword = "x"\n', 0o600, 'there is no secret "mail_pasword"'),
        ("mail_password\n", 0o600, "it can't be read"),
    ],
)
def test_bad_secrets_are_refused_at_once(folder: Path, secrets: str, mode: int, told: str) -> None:
    path = folder / "secrets.toml"
    path.write_text(secrets)
    path.chmod(mode)
    done = run("server", "--data", str(folder), "--port", "0")
    assert done.returncode == 1
    assert told in done.stderr
    assert str(path) in done.stderr
    assert not (folder / "install.json").exists()


# --- on the LAN ---
TOKEN = "a-token-that-the-callers-of-this-shop-share"


def own_address() -> str:
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


# --- a low limit of open files ---
LOG_AT_MOST = 100_000
PATIENCE = 20.0
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
from pos_app.__main__ import main
sys.exit(main({words!r}))
"""


def limited(*words: str, soft: int, hard: int) -> list[str]:
    code = LIMITED.format(soft=soft, hard=hard, words=list(words))
    return [sys.executable, "-c", code]


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_idle_connections_cost_no_sale_and_no_log(demo: Path) -> None:
    log = demo.parent / "log-of-limited-files"
    command = limited("server", "--data", str(demo), "--port", "0", soft=32, hard=64)
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server,
        contextlib.ExitStack() as stack,
    ):
        address = server.stdout.readline().strip()
        try:
            limits = Path(f"/proc/{server.pid}/limits")
            if limits.exists():
                assert re.search(r"Max open files +64 +64 ", limits.read_text())
            where = ("127.0.0.1", int(address.rpartition(":")[2]))
            for _ in range(3):
                for _ in range(100):
                    stack.enter_context(socket.create_connection(where, PATIENCE))
                answer = sold(address)  # on a new connection: an idle one may be closed
                assert answer.status_code == 200, answer.text
                assert answer.json()["base64pdf"]
            assert health(address) == 200
            told = log.read_text(encoding="utf-8")
            assert len(told) < LOG_AT_MOST
            assert not re.search("Traceback|Too many open files|out of system resource", told), told
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(PATIENCE) == 0


def sold(address: str) -> httpx.Response:
    url = f"{address}/fiscalization/receipts"
    return httpx.post(url, json=SALE, trust_env=False, verify=NO_TLS, timeout=PATIENCE)


def health(address: str) -> int:
    return httpx.get(
        f"{address}/health", trust_env=False, verify=NO_TLS, timeout=PATIENCE
    ).status_code
