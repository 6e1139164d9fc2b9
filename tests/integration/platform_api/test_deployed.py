"""A host relies on this: copies, a proxy in front, starts and stops."""

from __future__ import annotations

import asyncio
import signal
import socket
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from pos_app import settings
from pos_app.adapters.http_server.serving import serve
from pos_app.bootstrap.platform.accounts import back_up
from pos_app.errors import NotFound, SettingsBroken
from pos_app.platform_api.authentication import FAILURES_OF_AN_ADDRESS
from tests.e2e.nursery import born
from tests.fakes.no_tls import NO_TLS
from tests.integration.platform_api.test_platform_program import eventually, run, serving
from tests.sweep import sampled


def client(address: str, key: tuple[str, str]) -> httpx.Client:
    return httpx.Client(base_url=address, auth=key, trust_env=False, verify=NO_TLS, timeout=30)


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
    copy.write_bytes(b"an earlier copy")
    told = run("backup", str(copy), "--data", str(folder))
    assert (told.returncode, "new file" in told.stderr) == (1, True)
    assert copy.read_bytes() == b"an earlier copy"
    monkeypatch.setenv("POS_APP_PLATFORM_SERVER__DATABASE_URL", "postgresql://db/platform")
    with pytest.raises(SettingsBroken, match="PostgreSQL"):
        asyncio.run(back_up(settings.load(folder), copy))


def test_failures_by_a_proxy_are_callers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        # An address that a caller adds stands before those of the proxies, and is not believed.
        assert last_of_many(address, "192.0.2.9, 192.0.2.1, 10.1.1.1", count=1) == 429
    monkeypatch.setenv("POS_APP_PLATFORM_SERVER__TRUSTED_PROXIES", '["10.1.1.1"]')
    with serving(*words) as (_, address):
        assert last_of_many(address, "192.0.2.1", count=most + 1) == 429
        assert last_of_many(address, "192.0.2.2", count=1) == 429


@pytest.mark.parametrize("workers", sampled(["1", "2"]))
def test_a_second_program_with_signers_begins_when_the_first_one_has_ended(
    folder: Path, postgresql_address: str, workers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POS_APP_PLATFORM_SERVER__LEAVE_SECONDS", "1")
    words = ["--database-url", postgresql_address, "--data", str(folder)]
    words += ["--signers", "1", "--workers", workers]
    with serving(*words, "--port", "0") as (ending, its):
        port = ("--port", str(httpx.URL(its).port))
        with serving(*words, *port) as (refused, told):
            assert (refused.wait(30), told) == (1, "")
        following = born("platform", *words, *port, "--take-over")
        try:
            ending.send_signal(signal.SIGTERM)
            assert (ending.wait(30), following.stdout.readline().strip()) == (0, its)
            with client(its, ("", "")) as caller:
                assert caller.get("/health").status_code == 200
            following.send_signal(signal.SIGTERM)
            assert following.wait(30) == 0
        finally:
            following.kill()
            following.communicate()


async def plain(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


async def listening(app: ASGIApp, stop: asyncio.Event) -> tuple[asyncio.Task[None], httpx.URL]:
    ready = asyncio.get_running_loop().create_future()
    serving = serve(app, host="127.0.0.1", port=0, ready=ready.set_result, stop=stop)
    return asyncio.create_task(serving), httpx.URL(await ready)


@pytest.mark.parametrize("is_known", [False, True])
async def test_who_asks_in_the_moment_of_the_end_is_answered(is_known: bool) -> None:
    """The system took the request, the program did not read it. is_known: after an answer."""
    stop = asyncio.Event()
    running, url = await listening(plain, stop)
    asked = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.create_connection((url.host, url.port or 0), timeout=5) as caller:
        if is_known:
            caller.sendall(asked)
            assert (await asyncio.to_thread(caller.recv, 9999)).startswith(b"HTTP/1.1 204")
        caller.sendall(asked)  # the loop's own thread is busy here: nobody reads it
        stop.set()
        await running
        answer = caller.recv(9999)
    assert answer.startswith(b"HTTP/1.1 204")
    assert b"connection: close" in answer.lower()


def test_who_leaves_says_so_and_answers_on_until_callers_go_elsewhere(folder: Path) -> None:
    words = ("--data", str(folder), "--port", "0")
    child = born("platform", *words, POS_APP_PLATFORM_SERVER__LEAVE_SECONDS="3")
    with client(child.stdout.readline().strip(), ("", "")) as caller:
        assert caller.get("/ready").json() == {"ready": True, "why": None}
        child.send_signal(signal.SIGTERM)
        eventually(lambda: caller.get("/ready").status_code == 503)
        assert caller.get("/ready").json() == {"ready": False, "why": "it ends"}
        assert caller.get("/health").status_code == 200
        with serving(*words, "--take-over") as (_, following):  # it starts once the file is free
            child.communicate(timeout=30)
            assert (child.returncode, caller.get(f"{following}/ready").status_code) == (0, 200)
