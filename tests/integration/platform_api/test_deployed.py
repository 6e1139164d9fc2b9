"""What a host relies on: copies, a proxy in front, starts and stops."""

from __future__ import annotations

import asyncio
import fcntl
import signal
import socket
from contextlib import closing
from pathlib import Path

import apsw
import httpx
import pytest

from pos_app import settings
from pos_app.bootstrap.platform.accounts import back_up
from pos_app.errors import NotFound, SettingsBroken
from pos_app.platform_api.authentication import FAILURES_OF_AN_ADDRESS
from tests.e2e.nursery import born
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.hosted import BREAD
from tests.integration.platform_api.test_platform_program import (
    eventually,
    key_of_new_account,
    run,
    serving,
)


def client(address: str, key: tuple[str, str]) -> httpx.Client:
    return httpx.Client(base_url=address, auth=key, trust_env=False, verify=NO_TLS, timeout=30)


def test_a_platform_in_use_is_copied(folder: Path) -> None:
    kept, copy = folder / "platform", folder / "copy.db"
    key = asyncio.run(key_of_new_account(settings.load(folder)))[:2]
    data = ("--data", str(folder))
    with serving(*data, "--port", "0") as (_, address), client(address, key) as caller:
        assert caller.post("/v2/products", json=BREAD).status_code == 201
        assert (kept / "platform.db-wal").stat().st_size > 0
        assert run("backup", str(copy), *data).returncode == 0
        assert caller.post("/v2/products", json=BREAD | {"name": "Млеко"}).status_code == 201
        taken = copy.read_bytes()
        again = run("backup", str(copy), *data)
    assert again.returncode == 1
    assert "new file" in again.stderr
    assert copy.read_bytes() == taken
    assert copy.stat().st_mode & 0o077 == 0
    with closing(apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READONLY)) as file:
        assert list(file.execute("SELECT count(*) FROM product")) == [(1,)]
        assert list(file.execute("PRAGMA integrity_check")) == [("ok",)]


def test_what_can_t_be_copied(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = folder / "copy.db"
    with pytest.raises(NotFound):
        asyncio.run(back_up(settings.load(folder), copy))
    kept = folder / "platform" / "platform.db"
    kept.parent.mkdir(exist_ok=True)
    kept.write_bytes(b"no database at all, and none ever was" * 100)
    told = run("backup", str(copy), "--data", str(folder))
    assert (told.returncode, told.stdout) == (1, "")
    assert "can't be written" in told.stderr
    assert not list(folder.glob("copy*"))
    monkeypatch.setenv("POS_APP_PLATFORM_SERVER__DATABASE_URL", "postgresql://db/platform")
    with pytest.raises(SettingsBroken, match="PostgreSQL"):
        asyncio.run(back_up(settings.load(folder), copy))


def test_failures_behind_a_proxy_are_their_callers(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def last_of_many(address: str, forwarded: str, *, count: int) -> int:
        headers = {"X-Forwarded-For": forwarded}
        with client(address, ("pk_nobody", "guess")) as caller:
            answers = [
                caller.get("/v2/stores", headers=headers, auth=(f"pk_{forwarded}{one}", "guess"))
                for one in range(count)
            ]
        return answers[-1].status_code

    most = FAILURES_OF_AN_ADDRESS
    words = ("--data", str(folder), "--port", "0")
    monkeypatch.setenv("POS_APP_PLATFORM_SERVER__TRUSTED_PROXIES", '["127.0.0.0/8", "10.1.1.1"]')
    with serving(*words) as (_, address):
        assert last_of_many(address, "192.0.2.1", count=most + 1) == 429
        assert last_of_many(address, "192.0.2.2", count=1) == 401
        # What a caller adds itself stands before what the proxies add, and is not believed.
        assert last_of_many(address, "192.0.2.9, 192.0.2.1, 10.1.1.1", count=1) == 429
    monkeypatch.setenv("POS_APP_PLATFORM_SERVER__TRUSTED_PROXIES", '["10.1.1.1"]')
    with serving(*words) as (_, address):
        assert last_of_many(address, "192.0.2.1", count=most + 1) == 429
        assert last_of_many(address, "192.0.2.2", count=1) == 429


def test_what_is_in_flight_at_the_end_is_answered(folder: Path) -> None:
    key = asyncio.run(key_of_new_account(settings.load(folder)))[:2]
    with serving("--data", str(folder), "--port", "0") as (child, address):
        url = httpx.URL(f"{address}/v2/stores")
        asked = httpx.Request("POST", url, json={"name": "Прва"})
        asked = next(httpx.BasicAuth(*key).auth_flow(asked))
        head = "".join(f"{name}: {value}\r\n" for name, value in asked.headers.items())
        place = (url.host, url.port or 0)
        with (
            (folder / "platform" / "platform.lock").open("rb+") as writer,
            socket.create_connection(place, timeout=20) as connection,
        ):
            fcntl.flock(writer, fcntl.LOCK_EX)  # as a program that writes holds it
            line = f"POST {url.path} HTTP/1.1\r\n{head}\r\n"
            connection.sendall(line.encode() + asked.content)
            eventually(lambda: has_read(child.pid, place[1]))
            child.send_signal(signal.SIGTERM)
            eventually(lambda: not is_open(place))
            fcntl.flock(writer, fcntl.LOCK_UN)
            assert connection.recv(65536).startswith(b"HTTP/1.1 201")
        assert child.wait(30) == 0


def has_read(program: int, port: int) -> bool:
    """Whether all that was sent to it has been read."""
    rows = [row.split() for row in Path(f"/proc/{program}/net/tcp").read_text().splitlines()[1:]]
    ours = [row[4] for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01"]
    return bool(ours) and all(queues.endswith(":00000000") for queues in ours)


def is_open(place: tuple[str, int]) -> bool:
    try:
        socket.create_connection(place, timeout=5).close()
    except OSError:
        return False
    return True


def test_programs_that_start_at_once_make_the_tables_once(folder: Path) -> None:
    """Commands are as good as servers: each brings the database up to date first."""
    words = ("platform", "account", "add", "Прва", "--data", str(folder))
    begun = [born(*words) for _ in range(4)]
    accounts = {each.communicate(timeout=60)[0].strip() for each in begun}
    assert [each.returncode for each in begun] == [0] * 4
    with closing(apsw.Connection(str(folder / "platform" / "platform.db"))) as file:
        assert {row[0] for row in file.execute("SELECT id FROM account")} == accounts
