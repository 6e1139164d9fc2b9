"""`pos-app check`, and starts on damaged files: in words, with exit status, never a traceback."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest
from PIL import Image

from pos_app.adapters.api_client.receipts import WireCodec
from pos_app.adapters.catalogue_files.catalogue_pictures import keep_photo
from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.data_folder.machine_mark import machine_mark
from pos_app.adapters.data_folder.witness_file import WitnessFile
from pos_app.adapters.server_process.address import SERVER_LOCK
from pos_app.adapters.sqlite.catalogue.lists import note_pictures
from pos_app.adapters.sqlite.catalogue.writer import open_writer
from pos_app.adapters.sqlite.checksums import keep_log, with_checksums
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from pos_app.adapters.sqlite.till.till import open_till
from pos_app.bootstrap.commands.check import WARNED, WHOLE, check_command
from pos_app.domain.receipt.states import RestoreFound
from pos_app.errors import DatabaseDamaged, MachineError
from tests.bench.big_journal import Triggerless
from tests.fakes.counter import Counter
from tests.fakes.faulty_disk import PAGE, flip, settle
from tests.fakes.no_tls import NO_TLS
from tests.fakes.till import till_of
from tests.integration.fiscalization.shop import Shop, opened
from tests.integration.journal.test_another_program import looked_at
from tests.integration.test_server_program import program
from tests.integration.test_server_program import run as command
from tests.proofs import Proof
from tests.sweep import sampled

INDEX = "sqlite_autoindex_receipts_2"


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


@pytest.mark.parametrize("held", sampled(["[" * 100_000, "", "[]", '{"journal": {"id": "x"}}'], 2))
def test_a_damaged_witness_says_nothing(folder: Path, journal: Path, held: str) -> None:
    (folder / "witness.json").write_text(held, encoding="utf-8")
    for _ in ("a journal that may be an older copy", "none"):
        status, told = check(folder)
        assert status == 1, told
        assert "witness.json: it can't be read, so nobody knows whether the journal" in told
        journal.unlink(missing_ok=True)


def test_a_damaged_journal_says_nothing_of_the_till_s_file(folder: Path, journal: Path) -> None:
    """A person who reads that till.db is damaged would put a backup in its place."""
    open_till(folder / "till", till_id="t1").close()
    for page in range(1, journal.stat().st_size // PAGE):
        flip(journal, page, 100)
    for first in (b"S", b"P"):  # each page, then the first byte too
        with journal.open("r+b") as file:
            file.write(first)
        _, told = check(folder)
        assert "journal/journal.db: damaged" in told
        assert "till/till.db: whole" in told


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


async def test_a_journal_that_is_not_the_last_one(folder: Path, tmp_path: Path) -> None:
    copy, gone, moved = (tmp_path / name for name in ("copy", "gone", "moved"))
    open_install(folder, environment="production")
    async with opened(folder) as shop:
        told = f'[processor]\nurl = "{shop.url}"\n'
        (folder / "settings.toml").write_text(told, encoding="utf-8")
        await shop.sell()
        settle_log(folder / "journal" / "journal.db")
        await shop.sell(key="a-later-sale-of-it")
        remember(folder, shop)
        copied(folder, copy)
        assert check(folder)[0] == WHOLE  # while it is open
    assert check(folder)[0] == WHOLE
    copied(folder, gone)
    (gone / "journal" / "journal.db").unlink()
    copied(folder, moved)
    members = json.loads((moved / "witness.json").read_bytes())
    (moved / "witness.json").write_text(json.dumps(members | {"machine": "another"}))
    for place, words in (
        (copy, "copied without its log (journal.db-wal)"),
        (gone, "It was taken away"),
        (moved, "from another computer"),
    ):
        for _ in range(2):
            status, told = check(place)
            found = words in told, "a manager closes the mark" in told
            assert (status, *found) == (WARNED, True, True), f"{place.name}: {told}"
    async with opened(copy) as shop:
        shop.journal.restores.mark_restored(RestoreFound.SERVER_WITNESS, now=datetime.now(UTC))
        remember(copy, shop)
    status, told = check(copy)
    assert (status, "It was found at" in told, "lacks" in told) == (WARNED, True, True)
    async with opened(copy) as shop:
        shop.journal.restores.close_restored(by="Ана", now=datetime.now(UTC))
        remember(copy, shop)
    assert check(copy)[0] == WHOLE


def remember(folder: Path, shop: Shop) -> None:
    restores = shop.journal.restores
    WitnessFile(folder, machine=machine_mark()).save(restores.tip, restores.last_epoch())


def copied(folder: Path, copy: Path) -> None:
    (copy / "journal").mkdir(parents=True)
    for name in ("journal/journal.db", "witness.json", "install.json", "settings.toml"):
        shutil.copy(folder / name, copy / name)


def settle_log(path: Path) -> None:
    with closing(with_checksums(path)) as connection:
        keep_log(connection)
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def test_a_damaged_table(folder: Path, journal: Path) -> None:
    flip(journal, page_of(journal, "commands"), 2000)
    before = journal.read_bytes()
    status, told = check(folder)
    assert status == 1
    assert "damaged: the checksum of a page does not fit" in told
    assert "copy it to a safe place, with its -wal and -shm, and have support read" in told
    assert "move it away" not in told
    assert journal.read_bytes() == before


async def test_what_contradicts_itself_is_damaged(folder: Path) -> None:
    """No checksum shows it: another program wrote it, or SQLite carried out a wrong order."""
    async with opened(folder) as shop:
        await shop.sell()
    path = folder / "journal" / "journal.db"
    with closing(with_checksums(path)) as connection, Triggerless(connection):
        keep_log(connection)
        connection.execute("UPDATE requests SET attempt = attempt + 1")
    status, told = check(folder)
    assert status == 1
    assert "damaged: a request is not as its history says" in told


def test_a_damaged_index_is_made_anew(folder: Path, journal: Path) -> None:
    flip(journal, page_of(journal, INDEX), 2000)
    with FolderLock(folder / SERVER_LOCK, what="server"):
        status, told = check(folder)
        assert status == 1
        assert "A program has it open, so it was only read." in told
    status, told = check(folder)
    assert (status, "made anew from its table" in told) == (0, True)
    assert check(folder)[1].startswith("journal/journal.db: whole.")


def test_a_start_mends_a_damaged_index(journal: Path, caplog: pytest.LogCaptureFixture) -> None:
    flip(journal, page_of(journal, INDEX), 2000)
    SqliteJournal(journal).close()
    assert "was damaged and was made anew" in caplog.text
    caplog.clear()
    SqliteJournal(journal).close()
    assert not caplog.text


def test_a_till_that_another_program_wrote(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is accepted only if its sales are as they were frozen."""
    till_id = open_install(folder, environment="production").till_id
    with closing(open_till(folder / "live", till_id=till_id)) as database:
        counter = Counter(database)
        counter.till = replace(counter.till, codec=WireCodec())
        sale = counter.sell()
        shutil.copytree(folder / "live", folder / "till")
    path = folder / "till" / "till.db"
    other = folder / "other"
    looked_at(path)
    shutil.copytree(path.parent, other)
    with closing(open_till(path.parent, till_id=till_id)) as database:
        assert database.sales.sale(sale.key) == sale
    assert "till/till.db: whole." in check(folder)[1]
    content = (other / "till.db").read_bytes()
    (other / "till.db").write_bytes(content.replace(b'"quantity":1', b'"quantity":3'))
    with pytest.raises(DatabaseDamaged):
        open_till(other, till_id=till_id)
    assert "has other lines than its cart" in caplog.text


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


@pytest.mark.parametrize(
    ("what", "status", "words"),
    [("missing", 4, "1 picture missing"), ("damaged", 1, "1 picture damaged")],
)
def test_a_picture_that_is_not_as_the_catalogue_notes_it(
    folder: Path, tmp_path: Path, what: str, status: int, words: str
) -> None:
    """Choosing it anew mends it, though its file has the same name and size."""
    chosen, files = tmp_path / "bread.png", catalogue_file(folder).parent / "files"
    Image.new("RGB", (30, 30), "red").save(chosen)
    photo = keep_photo(chosen, file_id="1", into=files)
    with closing(open_writer(catalogue_file(folder), durable=True)) as connection:
        note_pictures(connection, [photo])
    assert check(folder)[0] == WHOLE
    if what == "missing":
        (files / photo.name).unlink()
    else:
        flip(files / photo.name, 0, 20)
    found, told = check(folder)
    assert (found, words in told, photo.name in told) == (status, True, True), told
    assert "catalogue/catalogue.db: whole" in told
    keep_photo(chosen, file_id="1", into=files)
    assert check(folder)[0] == WHOLE
    shutil.rmtree(files)
    assert check(folder)[0] == WARNED


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
