"""A backup is put back by a command or at the till's own page; all programs are real. Source:
exactly-once.md, "Restores, replacements, damage"."""

from __future__ import annotations

import shutil
import signal
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.data_folder import TILL
from pos_app.adapters.data_folder.upgrade_mark import ASIDE, BACKUPS, RESTORE_MARK
from pos_app.adapters.signers.signer_folders import home_of, signer_folder
from pos_app.adapters.sqlite.database import open_reader
from pos_app.bootstrap.commands.backup import ASKED
from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e import certified
from tests.e2e.restored import Asker
from tests.e2e.shop import PATIENCE, Shop, ask, until
from tests.e2e.test_certificate_mode import SALE, ok, signed_for
from tests.e2e.town import Town, town_of
from tests.integration.test_server_program import run

PAPER = {"receiptDelivery": {"pdf": False}}
ADVANCE = {"invoiceType": "advance", "payments": {"cash": 10}}
ACTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "refund": ({}, {"payments": {"cash": 58.99}, "buyerId": "10:101234567"}),
    "close": (ADVANCE, {"payments": {"cash": 48.99}, "buyerId": "10:101234567"}),
}


REFUND = PAPER | {"payments": {"cash": 58.99}, "buyerId": "10:101234567"}


def stopped(platform: certified.Hosted) -> None:
    program = platform.running.pop()
    program.stop()
    program.close()


def started(platform: certified.Hosted) -> None:
    words = ["platform", "--data", str(platform.data), "--port", str(platform.ports[2])]
    platform.run(*words, "--signers", str(platform.signers), name="platform")
    until(lambda: all(map(platform.answers, range(platform.signers))))


def post(town: Town, number: str, act: str, body: dict[str, Any], key: str) -> httpx.Response:
    return ask(
        "POST",
        f"{town.url(0)}/fiscalization/receipts/{number}/{act}",
        json=PAPER | {"clientId": town.client} | body,
        headers={"Idempotency-Key": key},
        auth=town.credentials,
    )


def command(shop: Shop, *words: str) -> int:
    return shop.run("-m", "pos_app", *words, "--data", str(shop.data), name=words[0]).wait()


@pytest.mark.parametrize("act", ACTS)
def test_public_mode_after_a_backup_was_put_back(shop: Shop, act: str) -> None:
    """The platform's stored answer, the replaced journal, and where both lack it a person."""
    more, body = ACTS[act]
    with town_of(shop) as town:
        town.connected()
        sold = town.post(uuid.uuid4().hex, **more)
        assert sold.status_code == httpx.codes.OK, sold.text
        number = sold.json()["invoiceNumber"]
        assert command(shop, "backup") == 0
        key = uuid.uuid4().hex
        done = post(town, number, act, body, key)
        assert done.status_code == httpx.codes.OK, done.text
        town.server.stop()
        name = found_sets(shop.data, "")[0].name
        assert command(shop, "restore", name) == ASKED
        assert command(shop, "restore", name, "--accept-missing") == 0
        town.server = shop.server()
        until(town.is_connected)
        signed = town.signed
        again = post(town, number, act, body, key)
        assert (again.status_code, again.json()) == (200, done.json())
        other = post(town, number, act, body, uuid.uuid4().hex)
        assert other.status_code == httpx.codes.INTERNAL_SERVER_ERROR, other.text
        assert done.json()[0]["invoiceNumber"] in other.json()["message"]
        for aside in (shop.data / BACKUPS).glob(f"{ASIDE}*"):
            shutil.rmtree(aside)
        asked = post(town, number, act, body, uuid.uuid4().hex)
        assert asked.status_code == httpx.codes.INTERNAL_SERVER_ERROR, asked.text
        assert "a manager has to say" in asked.json()["message"]
        assert town.signed == signed
        word = f"/till/doubts/{asked.json()['receiptId']}/absent"
        assert (Asker(shop).as_manager(word).status, town.signed) == (httpx.codes.OK, signed)


def test_certificate_mode_after_the_journal_of_an_element_was_put_back(tmp_path: Path) -> None:
    """The witness of the journal stays, and tells that it is older. A V-PFR has no counter."""
    with certified.hosted(tmp_path) as platform:
        shop = platform.certificate("PUTBACK1")
        number = ok(platform.post(shop, SALE, key=uuid.uuid4().hex))["invoiceNumber"]
        element = signer_folder(platform.data, home_of(shop.uid, platform.signers)) / shop.uid
        stopped(platform)
        shutil.copytree(element, tmp_path / "copy")
        started(platform)
        key = uuid.uuid4().hex
        done = platform.post(shop, REFUND, key=key, at=f"/{number}/refund")
        ok(done)
        stopped(platform)
        shutil.rmtree(element)
        shutil.copytree(tmp_path / "copy", element)
        started(platform)
        signed = signed_for(platform, shop)
        again = platform.post(shop, REFUND, key=key, at=f"/{number}/refund")
        assert (again.status_code, again.json()) == (200, done.json()), (
            "the platform has the answer"
        )
        asked = platform.post(shop, REFUND, key=uuid.uuid4().hex, at=f"/{number}/refund")
        assert asked.status_code == httpx.codes.INTERNAL_SERVER_ERROR, asked.text
        assert "a manager has to say" in asked.json()["message"]
        assert signed_for(platform, shop) == signed
        sale = uuid.uuid4().hex
        waits = platform.post(shop, SALE, key=sale)
        assert (waits.status_code, waits.json()["class"]) == (500, "unknown"), waits.text
        for receipt in (asked.json()["receiptId"], waits.json()["receiptId"]):
            told = platform.told("doubts", "absent", shop.uid, receipt, "--by", "Ана")
            assert told == (0, "released\n")
        assert platform.told("doubts", "close", shop.uid, "--by", "Ана") == (0, "closed\n")
        assert platform.told("doubts", "close", shop.uid, "--by", "Ана")[0] == 1
        ok(platform.post(shop, SALE, key=sale))
        ok(platform.post(shop, SALE, key=uuid.uuid4().hex))
        assert len(signed_for(platform, shop)) == len(signed) + 2


TOLD = frozenset({"sold", "asks", "meanwhile", "dies", "has"})
AtTill = Callable[[str], tuple[int, list[str]]]


@pytest.fixture
def at_till(shop: Shop) -> Iterator[AtTill]:
    """Opens a till; returns its status and its person's words. No till or server is left behind."""
    shop.processor()

    def opened(how: str) -> tuple[int, list[str]]:
        words = ("-m", "tests.e2e.people_at_till", "puts-back", str(shop.data), how)
        till = shop.run(*words, name="till")
        status = till.wait(PATIENCE * 2)
        return status, [line for _, line in till.told if line.split()[0] in TOLD]

    yield opened
    assert run("stop", "--data", str(shop.data)).returncode == 0


def rows(data: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(open_reader(data)) as connection:
        return list(connection.execute(sql))


def test_what_was_sold_since_is_told_set_aside_and_never_doubled(
    shop: Shop, at_till: AtTill
) -> None:
    status, told = at_till("whole")
    assert status == 0, shop.running[-1].errors()
    assert len(told) == 6, f"{told}\n{shop.running[-1].errors()}"
    assert told[:3] == ["sold done"] * 3
    assert "2 издата рачуна" in told[3]
    assert "2 продаје ове касе" in told[3]
    assert told[4].startswith("meanwhile Копија се враћа")
    assert told[5].startswith("has 1 cases restored")
    assert len(read_entries(shop.ledger_folder)) == 3, "nothing was sent once more"
    (aside,) = (shop.data / BACKUPS).glob("set-aside-*")
    assert rows(aside / TILL, "SELECT count(*) FROM sales") == [(3,)]
    assert rows(shop.data / TILL, "SELECT count(*) FROM sales") == [(1,)]
    kept = "SELECT done, by_name, lifted_by FROM acts WHERE done = 'put_back'"
    ((_, by, lifted_by),) = rows(shop.data / TILL, kept)
    assert by
    assert lifted_by
    assert rows(aside / TILL, kept) == []


@pytest.mark.long
def test_killed_half_in_its_place_it_is_gone_on_with(shop: Shop, at_till: AtTill) -> None:
    status, told = at_till("killed")
    assert (status, told[-1]) == (-signal.SIGKILL, "dies")
    assert (shop.data / RESTORE_MARK).exists()
    assert run("check", "--data", str(shop.data)).returncode == 4
    assert not (shop.data / RESTORE_MARK).exists()
    status, told = at_till("whole")
    assert (status, told[0][:20]) == (0, "has 1 cases restored")
    assert len(read_entries(shop.ledger_folder)) == 3
