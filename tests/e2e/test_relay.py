"""Public mode with real programs: a caller asks the platform, which relays to the till's server,
which asks the processor. Each key has one receipt, of the platform's article of that moment.
"""

from __future__ import annotations

import base64
import re
import time
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
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
from pos_app.platform_api.receipt_routes import NOBODY
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.e2e.restored import Asker, copied
from tests.e2e.shop import PATIENCE, Shop, ask, until
from tests.e2e.town import SALE, Town, town_of
from tests.fakes.postgresql import postgresql
from tests.proofs import Proof


def _let_go_on(seconds: float) -> None:
    """The kill comes at any moment of the request."""
    time.sleep(seconds)


def _seen(asking: Future[httpx.Response]) -> httpx.Response | None:
    """The caller's answer, or None of a killed worker; a doubt is never answered with "no"."""
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


def asked(town: Town, request_id: str | bytes, *, worker: int = 0) -> httpx.Response:
    headers: Any = {"Idempotency-Key": uuid.uuid4().hex, "X-Request-Id": request_id}
    url, body = f"{town.url(worker)}/fiscalization/receipts", SALE | {"clientId": town.client}
    return ask("POST", url, json=body, headers=headers, auth=town.credentials)


def lines(log: Path, request_id: str) -> list[str]:
    """The log's lines of a request; one may be written after the answer, so it waits."""

    def found() -> list[str]:
        rows = log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in rows if line.endswith(f" request={request_id}")]

    return until(found, told=f"no {request_id}")


def test_a_relayed_receipt_is_found_by_one_id_in_both_logs(town: Town) -> None:
    folder = town.shop.folder
    answer = asked(town, "of-a-caller.7")
    assert (answer.status_code, answer.headers["x-request-id"]) == (200, "of-a-caller.7")
    (platform,) = lines(folder / "worker-0.log", "of-a-caller.7")
    assert "status=200" in platform
    assert f"key={town.credentials[0]}" in platform
    (server,) = lines(folder / "server.log", "of-a-caller.7")
    assert "operation=issue status=200" in server
    for wrong in ("two words", "a" * 65, "ć", "=x"):
        made = asked(town, wrong.encode()).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{24}", made)
        assert lines(folder / "server.log", made)


def keep_the_secret(folder: Path, key: str, secret: str) -> None:
    """In a shop the secret of a key stands only in its settings; a platform knows only its hash."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "secrets.toml"]
    assert {"journal.db", "server.log", "worker-0.log"} <= {path.name for path in files}
    sent = base64.b64encode(f"{key}:{secret}".encode())
    for path in files:
        written = path.read_bytes()
        assert not [one for one in (secret.encode(), sent) if one in written], path


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
        assert (len(set(issued)), len(town.signed)) == (len(keys), before + len(keys) + 4)
        town.workers[0].kill()  # the server is connected to this one
        assert [town.until_issued(key, worker=1) for key in keys] == issued
        fresh = uuid.uuid4().hex

        def is_gone() -> bool:  # its end is noticed by its missing beat
            told = town.post(fresh, worker=1).json()
            assert (told["class"], told["message"]) == ("wait", NOBODY) or told[
                "class"
            ] == "unknown"
            return bool(told["code"] == 40080001)

        until(is_gone)
        town.start_worker(0)
        assert town.until_issued(fresh, worker=1) not in issued
        assert len(town.signed) == before + len(keys) + 5
        keep_the_secret(shop.folder, *town.credentials)


@pytest.mark.faults
def test_killed_after_the_hand_over_and_its_folder_put_back(
    shop: Shop, tmp_path: Path, times: int, proof: Proof
) -> None:
    """The platform knows the key, and the processor, perhaps seconds after the server came up."""
    delay = 3.0
    shop.quiet_seconds = 2 * delay
    with town_of(shop) as town, ThreadPoolExecutor(1) as callers:
        town.connected()
        for number in range(2 if times <= 50 else times // 50):
            town.server.stop()
            copy = copied(shop.data, tmp_path / "copy")
            town.server = shop.server()
            town.connected()
            shop.change(delay_ms=int(delay * 1000))
            key, before = uuid.uuid4().hex, len(town.signed)
            asking: Future[httpx.Response] = callers.submit(town.post, key)
            until(lambda: town.signed[before:]) if number % 2 else _let_go_on(delay / 6)  # noqa: B023
            town.server.kill()
            copied(copy, shop.data)
            first = _seen(asking)
            town.server = shop.server()
            issued = town.until_issued(key)
            if first is not None and first.status_code == httpx.codes.OK:
                assert first.json()["invoiceNumber"] == issued
            made = town.signed[before:]
            proof.count(signed=len(made))
            assert (made, town.until_issued(key)) == ([issued], issued)
            closed = Asker(shop).as_manager("/till/restored/close")  # 404: nothing was lost
            assert closed.status in (httpx.codes.OK, httpx.codes.NOT_FOUND)


def test_a_change_that_waits_at_the_till_is_put_over_the_platforms_article(town: Town) -> None:
    """Only the fields that a manager changed are newer than the platform's."""
    shop = town.shop
    tea: dict[str, Any] = {"name": "Нана", "taxRateLabel": "Е", "price": 250}
    path = f"/products/{town.asked('POST', '/products', sku=4323, **tea)['id']}"
    two = [
        {"name": name, "taxRateLabel": "Ђ", "price": 90, "sku": sku}
        for name, sku in (("L", 7001), ("XL", 7002))
    ]
    shirt = town.asked("POST", "/products", name="Мајица", taxRateLabel="Ђ", variants=two)["id"]
    words = ("-m", "pos_app", "sync", "--join", "read", "--data", str(shop.data))
    sync = shop.run(*words, name="sync")
    assert sync.wait() == 0, sync.errors()
    with SqliteCatalogueEditor(catalogue_file(shop.data)) as desk:

        def changed(product: str, article: str, **changes: Any) -> None:
            now = datetime.now(UTC)
            desk.record(NewEdit.changing(product, article, changes, by="Мира", at=now))

        cake = Product(id=str(uuid.uuid4()), name="Торта", tax_label=TaxLabel.E, sku=8765)
        desk.record(NewEdit.adding(cake, by="Мира", at=datetime.now(UTC)))
        assert town.sold(8765) == [("Торта", ["Е"])]
        of = catalogue_article(shop, 2)
        town.asked("POST", "/products", sku=2, name="Друго", taxRateLabel="Г")
        assert town.sold(2) == [("Друго", ["Г"])]
        changed(of, of, price=Money(90))
        assert town.sold(2) == [("Друго", ["Г"])]  # a receipt shows no price of it
        changed(of, of, name="Исправљено")
        ((name, _),) = town.sold(2)
        assert name.startswith("Исправљено")
        of = catalogue_article(shop, 4323)
        changed(of, of, price=Money(270), name="Чај од шипка")
        town.asked("PATCH", path, taxRateLabel="Ђ")
        assert town.sold(4323) == [("Чај од шипка", ["Ђ"])]
        stored = desk.product(shirt)
        large, *others = stored.variants
        changed(shirt, shirt, variants=(replace(large, name="L, плава", price=Money(95)), *others))
        of_platform = [
            {"id": one.id, "name": one.name, "taxRateLabel": "Е", "sku": one.sku}
            for one in stored.variants
        ]
        town.asked("PATCH", f"/products/{shirt}", variants=of_platform)
        assert town.sold(7001) == [("Мајица L, плава", ["Е"])]
        assert town.sold(7002) == [("Мајица XL", ["Е"])]
        changed(shirt, shirt, name="Кошуља")
        variants = [one | {"taxRateLabel": "Г"} for one in of_platform]
        town.asked("PATCH", f"/products/{shirt}", variants=variants)
        assert town.sold(7002) == [("Кошуља XL", ["Г"])]


def catalogue_article(shop: Shop, sku: int) -> str:
    with SqliteCatalogue(catalogue_file(shop.data)) as shelf:
        (found,) = shelf.by_code(ArticleCode(str(sku)))
        return found.article.id
