"""Callers of a platform after a shop's backup, or an element's journal, was put back; all programs
are real. Source: exactly-once.md, "Restores, replacements, damage"."""

from __future__ import annotations

import shutil
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.adapters.backup.sets import found_sets
from pos_app.adapters.data_folder.upgrade_mark import ASIDE, BACKUPS
from pos_app.adapters.signers.signer_folders import home_of, signer_folder
from pos_app.bootstrap.commands.backup import ASKED
from tests.e2e import certified
from tests.e2e.restored import Asker
from tests.e2e.shop import Shop, ask, until
from tests.e2e.test_certificate_mode import SALE, ok, signed_for
from tests.e2e.town import Town, town_of

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
