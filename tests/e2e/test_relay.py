"""Public mode with real programs: whichever program is killed, each key has one receipt.

A caller asks the platform, which relays to the till's server, which asks the processor. The server
is killed after the hand-over, the worker with its callers; then the same key is asked again.
"""

from __future__ import annotations

import base64
import json
import time
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from pos_app.adapters.data_folder import catalogue_file
from pos_app.adapters.sqlite.catalogue.catalogue import SqliteCatalogue
from pos_app.adapters.sqlite.catalogue.editor import SqliteCatalogueEditor
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.product import Product
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.platform_api.receipt_routes import NOBODY
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.e2e.restored import Asker, copied
from tests.e2e.shop import PATIENCE, Shop
from tests.e2e.test_request_ids import asked, lines
from tests.e2e.town import Town, town_of
from tests.fakes.postgresql import postgresql
from tests.proofs import Proof
from tests.sweep import sampled

DELAY = 0.2
"""Seconds that the processor takes for a receipt."""


@pytest.mark.faults
def test_whoever_is_killed_on_the_way_each_key_has_one_receipt(
    shop: Shop, times: int, proof: Proof
) -> None:
    chance = Random(4711)
    with town_of(shop) as town, ThreadPoolExecutor(1) as callers:
        town.connected()
        assert town.told_to_the_till() == ("connected", town.client)
        shop.change(delay_ms=int(DELAY * 1000))
        for number in range(2 if times <= 50 else times // 8):
            victim = ("server", "worker")[number % 2]
            key, before = uuid.uuid4().hex, len(town.signed)
            asking: Future[httpx.Response] = callers.submit(town.post, key)
            _let_go_on(chance.uniform(0.0, 2 * DELAY))
            if victim == "server":
                town.server.kill()
                town.server = shop.server()
            else:
                town.workers[0].kill()
                town.start_worker(0)
            first = _seen(asking)
            issued = town.until_issued(key)
            if first is not None and first.status_code == httpx.codes.OK:
                assert first.json()["invoiceNumber"] == issued
            made = town.signed[before:]
            proof.count(signed=len(made))
            assert made == [issued], (victim, made, issued)


def _let_go_on(seconds: float) -> None:
    """The kill comes at any moment of the request."""
    time.sleep(seconds)


def _seen(asking: Future[httpx.Response]) -> httpx.Response | None:
    """The caller's answer, or None where its worker was killed. A doubt is never answered with
    "no"."""
    try:
        answer = asking.result(PATIENCE)
    except httpx.TransportError:
        return None
    if answer.status_code == httpx.codes.BAD_REQUEST:
        assert answer.json()["class"] == "wait", answer.text
    elif answer.status_code != httpx.codes.OK:
        assert answer.json()["code"] in (50080001, 50010001), answer.text
        assert answer.json()["receiptId"]
    return answer


def test_two_workers_of_one_platform_and_the_till_sells_meanwhile(shop: Shop) -> None:
    """The id of a request goes with its row from one worker to the other."""
    with ExitStack() as stack:
        address = stack.enter_context(postgresql())
        town = stack.enter_context(town_of(shop, address, workers=2))
        town.connected(worker=1)
        answer = asked(town, "through-two", worker=1)
        assert (answer.status_code, answer.headers["x-request-id"]) == (200, "through-two")
        for log in ("worker-1.log", "server.log"):
            assert lines(shop.folder / log, "through-two")
        before = len(town.signed)
        robot = shop.robot(total=4)  # the till's own sales go on
        keys = [uuid.uuid4().hex for _ in range(6)]
        with ThreadPoolExecutor(3) as callers:
            issued = list(callers.map(lambda key: town.until_issued(key, worker=1), keys))
        assert robot.wait() == 0, robot.errors()
        assert len(set(issued)) == len(keys)
        assert len(town.signed) == before + len(keys) + 4
        town.workers[0].kill()  # the server is connected to this one
        assert [town.until_issued(key, worker=1) for key in keys] == issued
        fresh = uuid.uuid4().hex
        end = time.monotonic() + PATIENCE
        while (told := town.post(fresh, worker=1).json())["code"] != 40080001:
            assert told["class"] == "unknown", told  # its end is noticed by its missing beat
            assert time.monotonic() < end
        assert told["message"] == NOBODY
        town.start_worker(0)
        assert town.until_issued(fresh, worker=1) not in issued
        assert len(town.signed) == before + len(keys) + 5


@pytest.mark.faults
def test_killed_after_the_hand_over_and_its_folder_put_back(
    shop: Shop, tmp_path: Path, times: int, proof: Proof
) -> None:
    """The journal does not know the key; the platform and the processor do."""
    with town_of(shop) as town, ThreadPoolExecutor(1) as callers:
        town.connected()
        for number in range(2 if times <= 50 else times // 50):
            town.server.stop()
            copy = copied(shop.data, tmp_path / "copy")
            town.server = shop.server()
            town.connected()
            shop.change(delay_ms=int(DELAY * 1000))
            key, before = uuid.uuid4().hex, len(town.signed)
            asking: Future[httpx.Response] = callers.submit(town.post, key)
            _until_signed(town, before) if number % 2 else _let_go_on(DELAY / 2)
            town.server.kill()
            copied(copy, shop.data)
            first = _seen(asking)
            town.server = shop.server()
            issued = town.until_issued(key)
            if first is not None and first.status_code == httpx.codes.OK:
                assert first.json()["invoiceNumber"] == issued
            made = town.signed[before:]
            proof.count(signed=len(made))
            assert made == [issued]
            assert town.until_issued(key) == issued
            closed = Asker(shop).as_manager("/till/restored/close")  # 404: nothing was lost
            assert closed.status in (httpx.codes.OK, httpx.codes.NOT_FOUND)


@pytest.mark.parametrize("workers", sampled([1, 2]))
def test_the_platforms_articles_are_signed_as_they_are_then(shop: Shop, workers: int) -> None:
    """The till takes the platform's list in now and then; a sale through the platform does not wait
    for that. A change of the till's that was not sent yet counts for its own sales."""
    with ExitStack() as stack:
        address = stack.enter_context(postgresql()) if workers > 1 else ""
        town = stack.enter_context(town_of(shop, address, workers))
        town.connected()
        at = workers - 1
        unit = town.asked("POST", "/units", worker=at, name="комад", symbol="ком")["id"]
        tea = {"name": "Чај од нане", "taxRateLabel": "Ђ", "saleUnitId": unit, "price": 250}
        made = town.asked("POST", "/products", worker=at, sku=4321, **tea)
        assert town.sold(4321, worker=at) == [("Чај од нане/ком", ["Ђ"])]
        path = f"/products/{made['id']}"
        town.asked("PATCH", path, worker=at, taxRateLabel="Е", name="Чај од камилице")
        assert town.sold(4321, worker=at) == [("Чај од камилице/ком", ["Е"])]
        bread = town.asked("POST", "/products", worker=at, sku=1, name="Погача", taxRateLabel="Г")
        assert town.sold(1, worker=at) == [("Погача", ["Г"])]  # the till has another of this code
        town.asked("DELETE", path, worker=at)
        town.asked("DELETE", f"/products/{bread['id']}", worker=at)
        for gone in (4321, 1):
            refused = town.post(uuid.uuid4().hex, worker=at, items=_one_of(gone))
            assert refused.status_code == httpx.codes.BAD_REQUEST, refused.text
            assert refused.json()["message"] == f'"items[0].sku" {gone} does not exist'
        with SqliteCatalogueEditor(catalogue_file(shop.data)) as desk:
            now = datetime.now(UTC)
            cake = Product(id=str(uuid.uuid4()), name="Торта", tax_label=TaxLabel.E, sku=8765)
            desk.record(NewEdit.adding(cake, by="Мира", at=now))
            assert town.sold(8765, worker=at) == [("Торта", ["Е"])]
            of = catalogue_article(shop, 2)
            town.asked("POST", "/products", worker=at, sku=2, name="Друго", taxRateLabel="Г")
            assert town.sold(2, worker=at) == [("Друго", ["Г"])]
            desk.record(NewEdit.changing(of, of, {"price": Money(90)}, by="Мира", at=now))
            assert town.sold(2, worker=at) == [("Друго", ["Г"])]  # a receipt shows no price of it
            desk.record(NewEdit.changing(of, of, {"name": "Исправљено"}, by="Мира", at=now))
            ((name, _),) = town.sold(2, worker=at)
            assert name.startswith("Исправљено")


def test_a_change_that_waits_at_the_till_is_put_over_the_platforms_article(shop: Shop) -> None:
    """Only the fields that a manager changed are newer than the platform's; all others are the
    platform's."""
    with town_of(shop) as town:
        town.connected()
        unit = town.asked("POST", "/units", name="комад", symbol="ком")["id"]
        tea = {"name": "Чај", "taxRateLabel": "Ђ", "saleUnitId": unit, "price": 250}
        path = f"/products/{town.asked('POST', '/products', sku=4321, **tea)['id']}"
        two = [
            {"name": name, "taxRateLabel": "Ђ", "price": 90, "sku": sku}
            for name, sku in (("L", 7001), ("XL", 7002))
        ]
        shirt = town.asked("POST", "/products", name="Мајица", taxRateLabel="Ђ", variants=two)
        sync = shop.run(
            "-m", "pos_app", "sync", "--join", "read", "--data", str(shop.data), name="sync"
        )
        assert sync.wait() == 0, sync.errors()
        with SqliteCatalogueEditor(catalogue_file(shop.data)) as desk:

            def changed(product: str, article: str, **changes: Any) -> None:
                now = datetime.now(UTC)
                desk.record(NewEdit.changing(product, article, changes, by="Мира", at=now))

            of = catalogue_article(shop, 4321)
            changed(of, of, price=Money(270), name="Чај од нане")
            town.asked("PATCH", path, taxRateLabel="Е")
            assert town.sold(4321) == [("Чај од нане/ком", ["Е"])]
            stored = desk.product(shirt["id"])
            assert stored is not None
            variants = stored.variants
            large = replace(variants[0], name="L, плава", price=Money(95))
            changed(shirt["id"], shirt["id"], variants=(large, *variants[1:]))
            of_platform = [
                {"id": one.id, "name": one.name, "taxRateLabel": "Е", "sku": one.sku}
                for one in variants
            ]
            town.asked("PATCH", f"/products/{shirt['id']}", variants=of_platform)
            assert town.sold(7001) == [("Мајица L, плава", ["Е"])]
            assert town.sold(7002) == [("Мајица XL", ["Е"])]
            changed(shirt["id"], shirt["id"], name="Кошуља")
            town.asked(
                "PATCH",
                f"/products/{shirt['id']}",
                variants=[one | {"taxRateLabel": "Г"} for one in of_platform],
            )
            assert town.sold(7002) == [("Кошуља XL", ["Г"])]


def test_a_corrected_receipt_of_a_pair_keeps_what_was_frozen_for_the_first(shop: Shop) -> None:
    """The server is killed between the two. The platform's article of that moment is kept nowhere
    else, and the till sells another by the same code."""
    with town_of(shop) as town, ThreadPoolExecutor(1) as callers:
        town.connected()
        bun: dict[str, Any] = {"name": "Погача", "taxRateLabel": "Г", "sku": 1}
        path = f"/products/{town.asked('POST', '/products', **bun)['id']}"
        advance: dict[str, Any] = {"invoiceType": "advance", "unknownAmountAdvance": True}
        number = town.post(uuid.uuid4().hex, items=_one_of(1), **advance).json()["invoiceNumber"]
        shop.fault("late_answer", seconds=5)
        shop.fault("refuse", code="2805")
        items = [{"sku": 1, "quantity": 5, "unitPrice": 58.99}]
        rest: dict[str, Any] = {"payments": {"cash": 94.95}, "items": items}
        rest |= {"receiptDelivery": {"pdf": False}}
        close, before = f"/fiscalization/receipts/{number}/close", len(town.signed)
        asking = callers.submit(town.ask, "POST", close, clientId=town.client, **rest)
        _until_signed(town, before)
        town.server.kill()
        assert asking.result(PATIENCE).status_code == httpx.codes.INTERNAL_SERVER_ERROR
        town.server = shop.server()
        town.asked("PATCH", path, taxRateLabel="Ђ", name="Кифла")
        doubt = _refused_half(Asker(shop))
        told = Asker(shop).as_manager(
            f"/till/doubts/{doubt}/correct", request=rest | {"additionalText": "Хвала"}
        )
        assert told.status == httpx.codes.OK, told
        (*_, refund, last) = read_entries(shop.ledger_folder)
        for entry in (refund, last):
            assert [one["labels"] for one in json.loads(entry.request)["items"]] == [["Г"]]
        assert json.loads(last.request)["items"][0]["name"] == "Погача"


def _refused_half(till: Asker) -> str:
    """The id of the pair whose second receipt a person may correct."""
    end = time.monotonic() + PATIENCE
    while True:
        told: Any = till.ask("GET", "/till/doubts", None, till.till()).members
        if told and told[0]["pair"] and "correct" in told[0]["pair"]["ways"]:
            return str(told[0]["receiptId"])
        assert time.monotonic() < end, told
        time.sleep(0.05)


def _one_of(sku: int) -> list[dict[str, Any]]:
    return [{"sku": sku, "quantity": 1, "unitPrice": 58.99}]


def catalogue_article(shop: Shop, sku: int) -> str:
    with SqliteCatalogue(catalogue_file(shop.data)) as shelf:
        (found,) = shelf.by_code(ArticleCode(str(sku)))
        return found.article.id


def _until_signed(town: Town, before: int) -> None:
    end = time.monotonic() + PATIENCE
    while len(town.signed) == before:
        assert time.monotonic() < end
        time.sleep(0.002)


def test_the_secret_of_a_key_is_written_nowhere(shop: Shop) -> None:
    """In a shop it stands only in its settings; the platform knows only its hash."""
    with town_of(shop) as town:
        town.connected()
        shop.nursery = None  # environment and command line of a fork are the nursery's
        town.workers[0].kill()
        town.start_worker(0)
        town.connected()
        key, secret = town.credentials
        wrong = "canary-of-a-wrong-secret-8841"
        town.credentials = (key, wrong)
        assert town.post(None).status_code == httpx.codes.UNAUTHORIZED
        town.credentials = (key, secret)
        lost = uuid.uuid4().hex
        shop.fault("late_answer", seconds=2)
        with ThreadPoolExecutor(1) as callers:
            asking = callers.submit(town.post, lost)
            _let_go_on(0.5)
            town.server.kill()
            assert asking.result(PATIENCE).status_code == httpx.codes.INTERNAL_SERVER_ERROR
        town.server = shop.server()
        assert town.until_issued(lost)
        canaries = [
            each
            for one in (secret, wrong)
            for each in (one.encode(), base64.b64encode(f"{key}:{one}".encode()))
        ]
        put_here = shop.data / "secrets.toml"
        places = [path for path in shop.folder.rglob("*") if path != put_here]
        for program in (town.server, town.workers[0]):
            process = Path("/proc") / str(program.child.pid)
            places += [process / "cmdline", process / "environ"]
        files = [path for path in places if path.is_file()]
        assert {"platform.db", "journal.db", "server.log", "worker-0.log"} <= {
            path.name for path in files
        }
        for path in files:
            written = path.read_bytes()
            assert not [one for one in canaries if one in written], path


@pytest.mark.long
def test_the_till_is_open_while_the_platform_relays(shop: Shop) -> None:
    """Another program's receipt disturbs nobody; a doubtful one is shown in Attention."""
    with town_of(shop, has_till=True) as town:
        picture = shop.folder / "till.png"
        till = shop.run("-m", "tests.e2e.watched_till", str(shop.data), str(picture), name="till")
        till.until((shop.data / "client.json").exists)
        end = time.monotonic() + PATIENCE
        while (answer := town.post(uuid.uuid4().hex)).status_code != httpx.codes.OK:
            assert answer.json()["class"] == "wait", answer.text
            assert time.monotonic() < end, answer.text
        till.until(lambda: "sees 0 Сервер ради" in till.told[-1][1])
        shop.fault("wrong_total", lasting=True)
        key = uuid.uuid4().hex
        assert town.post(key).json()["class"] == "unknown"
        assert till.wait() == 0, till.errors()
        (case,) = till.lines("case")
        assert " ".join(case).startswith("case Други програм је тражио рачун"), case
        assert picture.stat().st_size > 10_000
        assert len(town.signed) == 2
