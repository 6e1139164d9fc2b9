"""The commands and settings on the pages about hosting the platform work."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from pos_app import settings
from pos_app.domain.setup.signer_state import SignerState
from pos_app.errors import SettingsBroken
from pos_app.platform_api.metrics import of_signers
from tests.e2e.nursery import child
from tests.fakes.no_tls import NO_TLS
from tests.fakes.postgresql import programs
from tests.integration.platform_api.hosted import BREAD
from tests.integration.platform_api.test_audit_and_metrics import number
from tests.integration.platform_api.test_platform_program import (
    eventually,
    key_of_new_account,
    run,
    serving,
)
from tests.integration.shown import SHOWN_ADDRESS, send
from tests.ports import free_port

DOCS = Path(__file__).parents[3] / "docs"
PAGES = {
    page.name: page.read_text("utf-8")
    for page in (
        *(DOCS / "host" / name for name in ("start.md", "running.md", "data.md", "limits.md")),
        DOCS / "reference" / "signers.md",
    )
}
ALARMS = (Path(__file__).parents[3] / "packaging/prometheus/alarms.yaml").read_text("utf-8")
BLOCKS = [one for page in PAGES.values() for one in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)]
CURLS = [block for block in BLOCKS if block.startswith("curl")]
POSTS = [block for block in CURLS if " -d " in block]


def test_from_nothing_to_a_product(folder: Path) -> None:
    def words(line: str, **given: str) -> list[str]:
        for name, value in {"/srv/platform": str(folder), **given}.items():
            line = line.replace(name, value)
        program, platform, *rest = shlex.split(line)
        assert (program, platform) == ("pos-app", "platform")
        return rest

    first, second, third = BLOCKS[0].splitlines()
    made = run(*words(second, ACCOUNT=run(*words(first)).stdout.strip())).stdout
    key, secret = re.findall(r"^(?:key|secret) +(\S+)$", made, re.MULTILINE)
    basic = base64.b64encode(f"{key}:{secret}".encode()).decode()
    with serving(*words(third), "--port", "0") as (_, address):
        assert len(POSTS) == 2  # a store and a product
        for command in POSTS:
            curl = command.replace("curl -u KEY:SECRET ", "")
            curl = curl.replace("http://127.0.0.1:8400", SHOWN_ADDRESS)
            answer = send(f"{curl.rstrip()} -H 'Authorization: Basic {basic}'", address)
            assert answer.status_code == 201, answer.text


def test_the_settings_that_are_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, _, value = block("DATABASE_URL=postgresql").split()[0].partition("=")
    monkeypatch.setenv(name, value)
    told = settings.load(folder).platform_server
    assert (told.database_url, told.port) == (value, 8400)
    assert "http://127.0.0.1:8400" in CURLS[0]
    for public, kept in (("https://p.example/", "https://p.example"), ("p.example", None)):
        monkeypatch.setenv("POS_APP_PLATFORM_SERVER__PUBLIC_URL", public)
        if kept is None:
            with pytest.raises(SettingsBroken, match="POS_APP_PLATFORM_SERVER__PUBLIC_URL"):
                settings.load(folder)
        else:
            assert settings.load(folder).platform_server.public_url == kept


def block(having: str) -> str:
    (found,) = [each for each in BLOCKS if having in each]
    return str(found)


def shell(lines: str, **environment: str) -> None:
    """Run commands of the page unchanged, apart from the program that they begin with."""
    lines = lines.replace("pos-app ", f"{shlex.join(child())} ")
    done = subprocess.run(
        ["sh", "-eu", "-c", lines],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_a_copy_of_postgresql_is_put_back(folder: Path, postgresql_address: str) -> None:
    dump, restore = (
        block(words)
        .replace("DATABASE_URL", shlex.quote(postgresql_address))
        .replace("/srv/copies", str(folder))
        for words in ("copies/platform.dump DATABASE_URL", "pg_restore")
    )
    shop = settings.load(folder, platform_server={"database_url": postgresql_address})
    key = asyncio.run(key_of_new_account(shop))[:2]
    words = ("--data", str(folder), "--database-url", postgresql_address, "--port", "0")
    found = f"{programs()}:{os.environ['PATH']}"
    with serving(*words) as (_, address):
        assert products(address, key, add="Хлеб") == ["Хлеб"]
        shell(dump, PATH=found)
        assert products(address, key, add="Млеко") == ["Хлеб", "Млеко"]
    shell(restore, PATH=found)
    assert len([*folder.glob("replaced-*.dump")]) == 1
    with serving(*words) as (_, address):
        assert products(address, key) == ["Хлеб"]


def products(address: str, key: tuple[str, str], *, add: str = "") -> list[str]:
    with httpx.Client(base_url=address, auth=key, trust_env=False, verify=NO_TLS) as client:
        if add:
            assert client.post("/v2/products", json=BREAD | {"name": add}).status_code == 201
        return [str(one["name"]) for one in client.get("/v2/products").json()]


NGINX = """
daemon off; pid {folder}/pid; error_log stderr; worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {server}
}}
"""
"""The configuration around the server of the page."""


def test_nginx_in_front(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It passes heads of 32 KiB and websockets on: set up as on the page, without TLS."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None:
        pytest.skip("nginx is not installed")
    (shown,) = re.findall(r"```nginx\n(.*?)```", PAGES["running.md"], re.DOTALL)
    monkeypatch.delenv("POS_APP_PLATFORM_SERVER__PUBLIC_URL", raising=False)
    key = asyncio.run(key_of_new_account(settings.load(folder)))[:2]
    with serving("--data", str(folder), "--port", "0") as (_, address):
        front = free_port()
        server = re.sub(r"\n *ssl_.*", "", shown).replace("443 ssl", f"127.0.0.1:{front}")
        server = server.replace("http://127.0.0.1:8400", address)
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, server=server))
        child = subprocess.Popen([nginx, "-p", folder, "-c", folder / "nginx.conf"])
        try:
            through_a_proxy(f"http://127.0.0.1:{front}", key)
        finally:
            child.terminate()
            child.wait(20)


def through_a_proxy(front: str, key: tuple[str, str]) -> None:
    with httpx.Client(base_url=front, auth=key, trust_env=False, verify=NO_TLS) as client:

        def answers() -> bool:
            try:
                return client.get("/health").status_code == 200
            except httpx.TransportError:
                return False

        eventually(answers)
        long = {"X-Long": "x" * 31_000, "X-Forwarded-Proto": "https"}
        assert client.get("/v2/stores", headers=long).json() == []
        opening = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
        with client.stream("GET", "/v2/relay", headers=opening) as answer:
            assert answer.status_code == 101


def test_each_figure_of_the_alarms_is_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POS_APP_PLATFORM_SERVER__METRICS_TOKEN", "TOKEN")
    with serving("--data", str(folder), "--port", "0") as (_, address):
        headers = {"Authorization": "Bearer TOKEN"}

        def metrics() -> str:
            asked = httpx.get(f"{address}/metrics", headers=headers, trust_env=False, verify=NO_TLS)
            return asked.text

        eventually(lambda: number(metrics(), "pos_platform_loop_lag_seconds_count") >= 1)
        told = metrics()
    assert number(told, "pos_platform_database_connections_most") == 17
    for name in ("database_connections_used", "database_waiting"):
        assert number(told, f"pos_platform_{name}") == 0
    assert 0 < number(told, "pos_platform_disk_free_bytes") <= shutil.disk_usage(folder).total
    asked = set(re.findall(r"\b(pos_platform_\w+?)(?:_total|_bucket)?\b", ALARMS))
    served = {*told.split(), *of_signers([SignerState(0, 1)]).decode().split()}
    assert len(asked) >= 8
    assert {name for name in asked if not {name, f"{name}_total"} & served} == set()


def test_each_alarm_is_told() -> None:
    table = PAGES["limits.md"].partition("| alarm |")[2].partition("\n\n")[0]
    told = re.findall(r"^\| ([A-Z][\w, ]+) \|", table, re.MULTILINE)
    named = {name for cell in told for name in cell.split(", ")}
    assert named | {"Down"} == set(re.findall(r"alert: (\w+)", ALARMS))
