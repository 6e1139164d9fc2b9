"""Leaves small data folders as this version writes them, for every later version to open.

    python -m tests.upgrade.leave tests/upgrade/4.0.0

FOLDER gets `data.tar.xz`, and `truth.json`, the account of those who worked there. The tar has

    till/shop           a shop: till, journal, catalogue, settings, secrets, a backup
    till/processor      the processor that signed for it
    till/platform       a platform on SQLite, from which the shop has its articles
    postgresql          files and dump of such a platform on PostgreSQL
    relayed-DATABASE    a shop whose server signs what that platform relays

The shop's people act in virtual time, from 20 November 2026 on; the platforms and what they relay
have the real time. It is one packed file, because git keeps no rights of files, and the product
refuses secrets that others may read; the copies of the backup cost next to nothing in it.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from pos_app import __version__
from pos_app.adapters.secrets.keepers import KeyFile
from pos_app.adapters.secrets.names import MAIL_PASSWORD, PLATFORM_SECRET
from pos_app.adapters.secrets.sealed_file import SealedFile
from pos_app.bootstrap.till.core import TillCore
from pos_app.domain.article.barcodes import ArticleCode
from pos_app.domain.article.product import Unit
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.selling.catalogue.catalogue import create_for_code
from pos_app.selling.catalogue.planned_prices import PlannedPrice
from pos_app.selling.people.rights import Role
from pos_app.selling.reports.receivables import Collecting
from pos_app.selling.sale import sell
from pos_app.selling.sale.checkout import ReceiptDetails
from pos_app.selling.sale.state import SaleState
from pos_app.selling.shift.cash import MoveKind
from pos_app.selling.shift.shift import FloatIs, cash_move
from pos_app.selling.synchronisation.catalogue_edits import NewEdit
from tests.e2e.nursery import born, ended
from tests.e2e.shop import sale
from tests.fakes.postgresql import postgresql, programs
from tests.fakes.processor_key import give_key
from tests.fakes.virtual_time import InlineLoop, VirtualClock
from tests.integration.platform_api.pictures import picture
from tests.integration.test_server_program import until
from tests.shop import world as shop
from tests.shop.lines import Door, Fate
from tests.shop.platform import KEY
from tests.shop.test_core_machine import ShopClock
from tests.upgrade.acts import (
    ADVANCE,
    ADVANCE_REFUND,
    CARD,
    CASH,
    CASHIER,
    COPY,
    FIRM,
    FIRMS_NAME,
    MANAGER,
    PAPER,
    REFUND,
    SALE,
    TRANSFER,
    Paper,
    People,
    sums_of_z,
)

NOWHERE = "http://127.0.0.1:1"
"""An address at which no program listens; in the kept shop its lines lead elsewhere."""
BREAD, MILK, TABLE, CHEESE, SALT = "1", "2", "3", "4", "5"
ARTICLES: tuple[dict[str, Any], ...] = (
    {"name": "Хлеб", "price": 58.99, "sku": 1, "ean": "8609910700134", "taxRateLabel": "Е"},
    {"name": "Млеко", "price": 140, "sku": 2, "ean": "8609951100139", "taxRateLabel": "Е"},
    {"name": "Сто", "price": 9000, "sku": 3, "taxRateLabel": "Ђ"},
    {"name": "Сир", "price": 1200, "sku": 4, "taxRateLabel": "Е"},
    {"name": "Со", "price": 50, "sku": 5, "taxRateLabel": "Е"},
)
FAR_DAY = datetime(2090, 1, 1, tzinfo=UTC)
PINS = {MANAGER: "2580", CASHIER: "1357"}
BADGE = "BADGE-OF-MIRA"
SEALED = ((MAIL_PASSWORD, "a word for the mail"),)
SETTINGS: dict[str, dict[str, Any]] = {
    "processor": {"url": NOWHERE, "quiet_seconds": 0.4},
    "esir": {"ib": "1234", "seller_pib": "990000019", "in_vat": True},
    "till": {"name": "Каса 7", "touch_mm": 15, "refund_reasons": ["Грешка", "Неисправно"]},
    "shift": {"use": "on", "terminals": ["Терминал 1"], "drawer_limit": 50_000},
    "scanner": {"gap_ms": 40},
    "printer": {"kind": "network", "address": "127.0.0.1:1", "drawer": "pin2"},
    "mail": {"host": "127.0.0.1", "port": 1, "user": "shop", "sender": "shop@example.rs"},
    "receipt": {"header": ["Липа", "Нови Сад"]},
    "platform": {
        "url": f"{NOWHERE}/v2",
        "join": "send",
        "sync_minutes": 0,
        "operations": {"list_units": "GET /units"},
    },
}
"""With each kind of value."""
RELAYED = f"{7:032x}"
RELAYED_SALE = sale(2)


class GoingDoor(Door):
    """A program that is gone behind the next request that writes, once it is told so."""

    goes = False

    def deliver(self, request: httpx.Request) -> asyncio.Task[httpx.Response]:
        work = super().deliver(request)
        if self.goes and request.method == "POST":
            self.is_open = False
        return work


def told(*words: str) -> dict[str, Any]:
    done = ended(*words, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@contextmanager
def program(*words: str, **environment: str) -> Iterator[str]:
    life = born(*words, **environment)
    try:
        yield life.stdout.readline().strip()
    finally:
        life.terminate()
        errors = life.communicate(60)[1]
        assert life.returncode == 0, errors


def caller(address: str, key: tuple[str, str]) -> httpx.Client:
    return httpx.Client(base_url=f"{address}/v2", auth=key, trust_env=False, timeout=60)


def fill_platform(data: Path, *words: str) -> tuple[str, str]:
    """Make an account with a key, stores, units, articles and a picture; return the key."""
    account = told("platform", "account", "add", "Липа", "--data", str(data), *words)["account"]
    made = told("platform", "key", "add", account, "--data", str(data), *words)
    key = made["key"], made["secret"]
    with (
        program("platform", "--port", "0", "--data", str(data), *words) as address,
        caller(address, key) as person,
    ):

        def add(path: str, body: dict[str, Any]) -> Any:
            answer = person.post(path, json=body)
            assert answer.is_success, answer.text
            return answer.json()

        sent = {"file": ("хлеб.png", picture("PNG", size=(8, 6)), "image/png")}
        photo = person.post("/files", files=sent).json()["id"]
        add("/stores", {"name": "Липа Лиман", "printMethod": {"thermal": True}})
        piece = add("/units", {"name": "комад", "symbol": "ком"})["id"]
        food = add("/categories", {"name": "Храна"})["id"]
        add("/cashiers", {"name": CASHIER})
        for one in ARTICLES:
            photos = {"images": [photo], "coverImage": photo} if one["sku"] == 1 else {}
            more = {"productType": "product", "saleUnitId": piece, "categories": [food]}
            add("/products", {**one, **more, **photos})
    (data / "platform" / KEY).write_text(" ".join(key), "ascii")
    return key


def relay_receipt(data: Path, key: tuple[str, str], server: Path, *words: str) -> dict[str, Any]:
    """Let a shop's server sign what the platform relays; return the caller's receipt."""
    server.mkdir(exist_ok=True)
    secrets = server / "secrets.toml"
    secrets.touch(0o600)
    secrets.write_text(f'platform_secret = "{key[1]}"\n', "utf-8")
    with program("platform", "--port", "0", "--data", str(data), *words) as address:
        mode = f'[platform]\nurl = "{address}/v2"\nkey = "{key[0]}"\npublic_mode = true\n'
        (server / "settings.toml").write_text(f"[server]\nport = 0\n{mode}", "utf-8")
        with program("server", "--data", str(server)), caller(address, key) as person:
            until((server / "client.json").is_file)
            client = json.loads((server / "client.json").read_bytes())["client_id"]

            def relayed() -> httpx.Response:
                body = RELAYED_SALE | {"clientId": client}
                headers = {"Idempotency-Key": RELAYED}
                return person.post("/fiscalization/receipts", json=body, headers=headers)

            until(lambda: relayed().is_success, pause=0.2)
            receipt: dict[str, Any] = relayed().json()
    return {"client": client, "number": receipt["invoiceNumber"], "id": receipt["id"]}


def set_up(data: Path, key: tuple[str, str]) -> None:
    """Write the settings of a shop, and seal its secrets by a key of its own."""
    data.mkdir(parents=True)
    lines = list[str]()
    for group, members in SETTINGS.items():
        lines.append(f"[{group}]")
        for name, value in (members | ({"key": key[0]} if group == "platform" else {})).items():
            if isinstance(value, dict):
                pairs = (f'"{one}" = {json.dumps(each)}' for one, each in value.items())
                lines.append(f"{name} = {{ {', '.join(pairs)} }}")
            else:
                lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    (data / "settings.toml").write_text("\n".join(lines) + "\n", "utf-8")
    SealedFile(data, [lambda: KeyFile(data)]).change(dict((*SEALED, (PLATFORM_SECRET, key[1]))))


def hire(core: TillCore) -> None:
    people = core.database.people
    people.add(MANAGER, Role.MANAGER, pin=PINS[MANAGER])
    people.add(CASHIER, Role.CASHIER, pin=PINS[CASHIER], badge=BADGE)


def plan_prices(core: TillCore, now: datetime) -> None:
    """The cheese is cheaper from now on, the salt dearer from a far day on."""
    for code, price, begins in ((CHEESE, 1000, now), (SALT, 99, datetime(2090, 1, 1, tzinfo=UTC))):
        (row,) = core.catalogue.by_code(ArticleCode(code))
        plan = PlannedPrice(row.article.id, Money(price), begins)
        core.editor.plan_price(plan, by=MANAGER, at=now)


def change_articles(core: TillCore, now: datetime) -> None:
    """Changes that wait for the platform: a price, a unit of this shop, and an article with it."""
    (milk,) = core.catalogue.by_code(ArticleCode(MILK))
    product = milk.article.product_id
    edit = NewEdit.changing(product, product, {"price": Money(150)}, by=MANAGER, at=now)
    core.editor.record(edit)
    crate = Unit(str(UUID(int=1 << 100)), "гајба", "гај")
    core.editor.add_name(crate, by=MANAGER, at=now)
    create_for_code(
        core.editor,
        product_id=str(UUID(int=(1 << 100) + 1)),
        name="Пиво",
        label=TaxLabel.DJ,
        price=Money(2400),
        unit_id=crate.id,
        by=MANAGER,
        at=now,
    )


async def first_day(people: People) -> dict[str, Any]:
    core, now = people.core, people.world.clock.now
    shifts = core.database.shifts
    shifts.begin(Money(5000), FloatIs.COUNTED, by=CASHIER, at=now())
    people.sell(BREAD, MILK)
    (sold,) = await people.signed(Paper(SALE, "198.99", {"cash": "198.99"}))
    people.sell(MILK, method=CARD)
    (wrong,) = await people.signed(Paper(SALE, "140", {"card": "140"}))
    later = ReceiptDetails(ReceiptDelivery(), buyer=FIRM, buyer_name=FIRMS_NAME)
    people.sell(TABLE, method=TRANSFER, details=later)
    (owed,) = await people.signed(Paper(SALE, "9000", {"wiretransfer": "9000"}))
    await people.refund_a_line(sold)
    await people.signed(Paper(REFUND, "58.99", {"cash": "58.99"}), Paper(COPY, "58.99"))
    await people.correct(wrong, CASH)
    await people.signed(Paper(REFUND, "140", {"card": "140"}), Paper(SALE, "140", {"cash": "140"}))
    people.order(TABLE, paid=1000)
    (order,) = await people.signed(Paper(ADVANCE, "1000", {"cash": "1000"}))
    await people.pay_further(order, 500)
    (order,) = await people.signed(Paper(ADVANCE, "500", {"card": "500"}))
    people.order(MILK, MILK, paid=100)
    (short,) = await people.signed(Paper(ADVANCE, "100", {"cash": "100"}))
    await people.close_advance(short)
    await people.signed(
        Paper(ADVANCE_REFUND, "100", {"cash": "100"}),
        Paper(SALE, "280", {"advance": "100", "card": "180"}),
    )
    for kind, amount in ((MoveKind.IN, 500), (MoveKind.OUT, 200)):
        cash_move(shifts, kind, Money(amount), reason="Ситниш", by=CASHIER, at=now())
    closed = await people.close_shift(cash=6680, cards="680", stays=2000)
    z = {"card": "680.00", "cash": "1380.00", "wiretransfer": "9000.00", "drawer": "6680.00"}
    assert sums_of_z(core, closed) == z, sums_of_z(core, closed)
    return {"sold": sold, "owed": owed, "advance": order, "z": z}


async def second_day(people: People, owed: str) -> dict[str, Any]:
    """Leave a shift open, with all that may stand in a till."""
    core, world = people.core, people.world
    now, shifts = world.clock.now, core.database.shifts
    world.papers.is_open = False
    people.sell(MILK, details=PAPER)
    (unprinted,) = await people.signed(Paper(SALE, "140", {"cash": "140"}))
    cash_move(shifts, MoveKind.IN, Money(300), reason="Ситниш", by=CASHIER, at=now())
    core.database.collected.collect(
        [Collecting(owed, str(FIRM), Money(4000))],
        key=f"{1:032x}",
        day=now().date(),
        note="извод 12",
        by=MANAGER,
        at=now(),
    )
    world.to_processor.append(Fate.LOST_AFTER)
    assert isinstance(world.processor, GoingDoor)
    world.processor.goes = True
    by_mail = ReceiptDetails(ReceiptDelivery(), buyer=FIRM, buyer_name=FIRMS_NAME)
    people.sell(MILK, details=by_mail)
    await asyncio.sleep(30)
    people.sell(MILK, method=CARD)
    await asyncio.sleep(30)
    sell.suspend(till=core.till, ticket=people.cart(BREAD, MILK), name="Столар")
    people.cart(MILK, MILK)
    change_articles(core, now())
    states = [one.state for one in core.database.sales.waiting()]
    assert states == [SaleState.DOUBT, SaleState.FROZEN]
    return {"unprinted": unprinted, "left_at": now().isoformat()}


STANDS: dict[str, Any] = {
    "people": [[MANAGER, "manager", PINS[MANAGER]], [CASHIER, "cashier", PINS[CASHIER]]],
    "badge": [CASHIER, BADGE],
    "open": "280.00",
    "held": ["Столар", "198.99"],
    "shift": {"float": "2000", "moved": "300", "cash": "140"},
    "waiting": [["140.00", "cash"], ["140.00", "card"]],
    "advance_rest": "7500.00",
    "owes": [str(FIRM), FIRMS_NAME, "5000"],
    "prices": {"Хлеб": "58.99", "Млеко": "150", "Сто": "9000", "Сир": "1000", "Со": "50",
               "Пиво": "2400"},
    "added": ["Пиво"],
    "edits": {"Млеко": "150", "Пиво": "2400"},
    "plan": ["Со", "99.00", FAR_DAY.isoformat()],
    "unit": "гајба",
    "settings": SETTINGS,
    "sealed": SEALED,
    "relayed_under": RELAYED,
}  # fmt: skip
"""What stands at the end of the second day, beside the account."""


@contextmanager
def opened_world(folder: Path, clock: VirtualClock) -> Iterator[shop.World]:
    world = shop.World(folder, clock=clock, server_clock=clock, processor=GoingDoor())
    try:
        yield world
    finally:
        if world.platform.is_open:
            world.platform.close()


async def work(world: shop.World) -> dict[str, Any]:
    people = People(world)
    world.open_processor()
    await world.open_server()
    core = world.open_till()
    world.start_outbox()
    try:
        hire(core)
        plan_prices(core, world.clock.now())
        first = await first_day(people)
        assert isinstance(world.clock, VirtualClock)
        world.clock.jump(timedelta(days=1).total_seconds())
        second = await second_day(people, first["owed"])
        return {**people.account.as_json(), **first, **second}
    finally:
        await world.close()


def leave_shop(folder: Path, key: tuple[str, str]) -> dict[str, Any]:
    give_key(folder / "processor")
    set_up(folder / "shop", key)
    with (
        asyncio.Runner(loop_factory=InlineLoop) as runner,
        opened_world(folder, ShopClock(runner.get_loop())) as world,
    ):
        world.open_platform()
        world.platform.synchronise(world.data)
        world.platform.close()
        truth: dict[str, Any] = runner.run(work(world))
    done = ended("backup", "--data", str(folder / "shop"))
    assert done.returncode == 0, done.stderr
    return truth


def leave(folder: Path) -> dict[str, Any]:
    till, beside = folder / "till", folder / "postgresql"
    key = fill_platform(till)
    truth = leave_shop(till, key)
    relayed = {"sqlite": relay_receipt(till, key, folder / "relayed-sqlite")}
    with postgresql() as address:
        words = ("--database-url", address)
        key = fill_platform(beside, *words)
        server = folder / "relayed-postgresql"
        relayed["postgresql"] = relay_receipt(beside, key, server, *words)
        dump = subprocess.run(
            [programs() / "pg_dump", "--no-owner", address], capture_output=True, check=True
        )
    (beside / "platform.sql").write_bytes(for_each_psql(dump.stdout))
    return {**truth, "relayed": relayed}


def for_each_psql(dump: bytes) -> bytes:
    """Take out the lines that only a psql as new as this pg_dump knows."""
    lines = dump.splitlines(keepends=True)
    return b"".join(one for one in lines if not one.startswith((b"\\restrict", b"\\unrestrict")))


def pack(folder: Path, file: Path) -> None:
    def tidy(one: tarfile.TarInfo) -> tarfile.TarInfo | None:
        one.uid = one.gid = 0
        one.uname = one.gname = ""
        is_passing = one.name.endswith((".lock", ".address", "-shm")) or "/logs" in one.name
        return None if is_passing else one

    with tarfile.open(file, "w:xz", preset=9) as tar:
        tar.add(folder, arcname=".", filter=tidy)


def main(words: list[str]) -> int:
    (target,) = map(Path, words)
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        truth = {"version": __version__, **STANDS, **leave(Path(folder))}
        pack(Path(folder), target / "data.tar.xz")
    text = json.dumps(truth, ensure_ascii=False, indent=1)
    (target / "truth.json").write_text(f"{text}\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
