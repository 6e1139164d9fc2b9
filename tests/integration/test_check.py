"""`pos-app check`, and starts on damaged files: in words, with exit status, never a traceback."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.bootstrap.commands.check import WHOLE, check_command
from pos_app.errors import DatabaseDamaged, MachineError
from tests.fakes.counter import Counter
from tests.fakes.faulty_disk import PAGE, flip, settle
from tests.fakes.no_tls import NO_TLS
from tests.fakes.till import till_of
from tests.integration.journal.test_another_program import looked_at
from tests.integration.test_server_program import program
from tests.integration.test_server_program import run as command
from tests.proofs import Proof


@pytest.fixture
def journal(folder: Path) -> Path:
    open_install(folder, environment="production")
    path = folder / "journal" / "journal.db"
    SqliteJournal(path).close()
    settle(path)
    return path


def page_of(path: Path, name: str) -> int:
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?"
        return int(connection.execute(sql, (name,)).get) - 1


def run(*words: str, is_real: bool = False) -> tuple[int, str]:
    done = command(*words, is_real=is_real)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def check(folder: Path, *, is_real: bool = False) -> tuple[int, str]:
    return run("check", "--data", str(folder), is_real=is_real)


def test_a_folder_that_is_not_there(folder: Path) -> None:
    """Without a shop the usual folder is missing; another missing folder was misspelt."""
    missing = folder / "mistyped"
    done = command("check", "--data", str(missing))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"There is no folder {missing}." in done.stderr
    out = StringIO()
    assert check_command(missing, out=out, is_named=False) == WHOLE
    assert out.getvalue() == f"{missing}: not there; no shop is set up yet.\n"
    assert not missing.exists()


def test_a_catalogue_of_another_program(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = catalogue_file(folder)
    with closing(open_writer(path, durable=True)) as connection:
        listed(connection, '{"id":"1"}')
        for name in ("right", "wrong"):
            shutil.copytree(path.parent, folder / name)
    right, wrong = (folder / name / path.name for name in ("right", "wrong"))
    for copy in (right, wrong):
        looked_at(copy, "SELECT count(*) FROM source")
    open_writer(right, durable=True).close()
    content = wrong.read_bytes()
    wrong.write_bytes(content.replace(b'{"id":"1"}', b'{"id":"3"}'))
    with pytest.raises(DatabaseDamaged):
        open_writer(wrong, durable=True)
    assert "a product's document is not as it was listed" in caplog.text


def listed(connection: apsw.Connection, document: str) -> None:
    connection.execute("INSERT INTO product (id, uuid, origin) VALUES (1, '1', '')")
    digest = blake2b(document.encode(), digest_size=16).digest()
    connection.execute("INSERT INTO source VALUES (1, ?, ?, NULL)", (document, digest))


@pytest.mark.faults
def test_a_flipped_byte_in_every_page_of_a_till(tmp_path: Path, times: int, proof: Proof) -> None:
    """It shows each sale as it was, or says that it can't."""
    whole = tmp_path / "whole"
    database = open_till(whole, till_id="till-1")
    counter = Counter(database)
    sales = {}
    for _ in range(5):
        sale = counter.sell()
        sales[sale.key] = sale
    database.close()
    path = whole / "till.db"
    settle(path)
    content, outcomes = path.read_bytes(), {"read": 0, "refused": 0, "unread": 0}
    for page in range(0, len(content) // PAGE, 1 if times >= 100 else 4):
        for turn in range(4) if times >= 100 else [page // 4 % 4]:
            folder = tmp_path / f"{page} {turn}"
            folder.mkdir()
            (folder / "till.db").write_bytes(content)
            flip(folder / "till.db", page, (page * 977 + turn * 1361) % PAGE)
            proof.tried += 1
            try:
                opened = open_till(folder, till_id="till-1")
            except MachineError:
                outcomes["refused"] += 1
                continue
            try:
                assert {one.key: one for one in opened.sales.last(10)} == sales
                assert [one.key for one in opened.sales.queue()] == list(sales)
                for key, sale in sales.items():
                    assert opened.sales.sale(key) == sale
                    assert opened.sales.body(key)
                again = Counter(opened)
                again.till = till_of(opened.carts, again.clock, first_key=100)
                again.sell()
                outcomes["read"] += 1
            except DatabaseDamaged:
                outcomes["unread"] += 1
            finally:
                opened.close()
    assert outcomes["read"] > outcomes["refused"], outcomes


# --- a shop in public mode ------------------------------------------------------------------------
SETTINGS = '[platform]\nurl = "http://127.0.0.1:9/v2"\nkey = "key"\npublic_mode = true\n'


@pytest.fixture
def shop(folder: Path) -> Path:
    """Make a shop whose server worked in public mode; its platform is away."""
    (folder / "settings.toml").write_text(SETTINGS, encoding="utf-8")
    secrets = folder / "secrets.toml"
    secrets.write_text('platform_secret = "secret"\n', encoding="utf-8")
    secrets.chmod(0o600)
    told, log = public_mode(folder)
    assert told["clientId"] == json.loads((folder / "client.json").read_bytes())["client_id"]
    assert "public mode is not connected" not in log
    assert check(folder)[0] == 0
    return folder


def public_mode(folder: Path, **change: object) -> tuple[dict[str, Any], str]:
    """Start a server; return what it reports to the till about public mode, and its log. Health
    reports the state too, without the till's token. change: a change of the platform, sent then."""
    with program("server", "--data", str(folder), "--port", "0") as (server, address):
        install = json.loads((folder / "install.json").read_bytes())
        with httpx.Client(base_url=address, trust_env=False, verify=NO_TLS, timeout=30) as client:
            client.headers["X-Pos-Token"] = install["token"]
            client.headers["X-Pos-Install"] = install["install_id"]
            told = client.get("/till/status").json()["publicMode"]
            if told["state"] == "not_configured":
                health = httpx.get(f"{address}/health", trust_env=False, verify=NO_TLS).json()
                words = {name: told[name] for name in ("state", "code", "words")}
                assert health["publicMode"] == words
            client.post("/till/platform/setup", json={}).raise_for_status()
            if change:
                client.post(
                    "/till/platform/change", json={"change": change, "by": "Ана"}
                ).raise_for_status()
        server.terminate()
        _, log = server.communicate(timeout=30)
    return told, log


def test_a_lost_client_id_is_never_made_anew_in_silence(shop: Path) -> None:
    """It is put back from a backup, or replaced when a manager says so."""
    (held := shop / "client.json").rename(kept := shop / "kept.json")
    status, words = check(shop)
    assert (status, f"The file {held} is missing" in words) == (1, True), words
    told, log = public_mode(shop)
    assert (told["state"], told["code"]) == ("not_configured", "client_lost")
    assert "Put it back from a backup" in told["words"]
    assert f"public mode is not connected: {told['words']}" in log
    assert not held.exists()
    kept.rename(held)
    assert check(shop)[0] == 0
    before = held.read_bytes()
    held.unlink()
    told, _ = public_mode(shop, newClient=True)
    assert told["code"] == "client_lost"
    assert held.read_bytes() != before
    assert check(shop)[0] == 0
    _secret_missing_is_told(shop)


def _secret_missing_is_told(shop: Path) -> None:
    (held := shop / "secrets.toml").rename(kept := shop / "kept.toml")
    status, words = check(shop)
    assert (status, "platform_secret is missing, though the settings name" in words) == (1, True)
    told, log = public_mode(shop)
    assert (told["state"], told["code"]) == ("not_configured", "missing")
    assert "public mode is not connected: Public mode needs platform_secret." in log
    kept.rename(held)
    assert check(shop)[0] == 0
