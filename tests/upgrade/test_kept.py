"""Each release's data folders open in this version and in the next one, and nothing is lost;
`truth.json` is the account of those who worked there."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app import settings
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.port_client import port_client
from pos_app.adapters.secrets.reading import read_secret
from pos_app.adapters.sqlite.shop_databases import databases
from pos_app.bootstrap.till.core import TillCore, open_till_core
from pos_app.documents.server_receipts import ServerReceipts
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.reports import Grouping, ReportAsked
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.selling.reports.receivables import open_receivables
from pos_app.selling.sale import sell
from pos_app.selling.synchronisation.catalogue_edits import OPEN
from tests.e2e.nursery import door
from tests.fakes.next_version import become_next
from tests.fakes.postgresql import postgresql
from tests.fakes.virtual_time import EPOCH, InlineLoop, VirtualClock
from tests.integration.test_file_versions import NEWER, OLDER, WRITTEN_BY_NEWER
from tests.integration.test_server_program import run, until
from tests.integration.test_upgrade import ran_till
from tests.ports import free_port
from tests.shop.lines import URL, connection
from tests.shop.paper import addresses_of
from tests.shop.platform import KEY
from tests.shop.world import World
from tests.upgrade.acts import (
    ADVANCE,
    ADVANCE_REFUND,
    CARD,
    CASH,
    CASHIER,
    COPY,
    NO_PAPER,
    REFUND,
    SALE,
    Account,
    Paper,
    People,
    sums_of_z,
)
from tests.upgrade.contracts import RELEASES
from tests.upgrade.leave import RELAYED_SALE, caller, program
from tests.upgrade.test_contracts import RELEASED

KEPT = [one for one in RELEASED if (RELEASES / one / "data.tar.xz").exists()]
LONG_AFTER = {"POS_APP_PLATFORM_SERVER__RELAY_DAYS": "3650"}
"""The platform drops what it relayed long ago, and these data grow old."""
OF_NEWER = "is of a newer version"
Truth = dict[str, Any]


@cache
def unpacked(release: str) -> tempfile.TemporaryDirectory[str]:
    folder = tempfile.TemporaryDirectory(prefix=f"kept-{release}-")
    with tarfile.open(RELEASES / release / "data.tar.xz") as tar:
        tar.extractall(folder.name, filter="tar")
    return folder


@pytest.fixture(params=KEPT)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(shutil.copytree(unpacked(request.param).name, tmp_path / "kept"))


@pytest.fixture
def truth(request: pytest.FixtureRequest) -> Truth:
    release = request.node.callspec.params["kept"]
    read: Truth = json.loads((RELEASES / release / "truth.json").read_text("utf-8"))
    return read


@pytest.fixture(params=["this", "next"])
def is_next(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """The programs are this version's, or the next one's."""
    if request.param == "next":
        become_next(monkeypatch, door())
    return bool(request.param == "next")


def check_what_stands(core: TillCore, truth: Truth) -> None:
    database = core.database
    ticket = database.carts.open_cart(training=False)
    assert str(ticket.cart.total.amount) == truth["open"]
    held = [[one.name, str(one.cart.total.amount)] for one in database.carts.suspended()]
    assert held == [truth["held"]]
    waiting = [str(one.total.amount) for one in database.sales.waiting()]
    assert waiting == [total for total, _ in truth["waiting"]]
    people = database.people
    found = {one.name: one for one in people.people()}
    assert list(found) == [name for name, *_ in truth["people"]]
    for name, role, pin in truth["people"]:
        assert found[name].role == role
        assert people.pin_check(found[name])(pin)
    name, badge = truth["badge"]
    assert people.badge_of(badge) == found[name]
    number, name, _ = truth["owes"]
    assert [(str(one.id), one.name) for one in database.buyers.find("", at_most=9)] == [
        (number, name)
    ]
    shift = database.shifts.open_shift()
    closed = database.shifts.last_closed()
    assert closed is not None
    assert shift.cash_float == Money(truth["shift"]["float"])
    assert sums_of_z(core, closed) == truth["z"]
    prices = {one.name: str(one.price.amount) for one in core.catalogue.page(limit=99) if one.price}
    assert {name: Decimal(one) for name, one in prices.items()} == {
        name: Decimal(one) for name, one in truth["prices"].items()
    }
    name, price, begins = truth["plan"]
    (row,) = (one for one in core.catalogue.page(limit=99) if one.name == name)
    plan = core.editor.plan_of(row.product_id)
    assert [str(plan.price.amount), plan.begins_at.isoformat()] == [price, begins]
    assert len(core.editor.edits(OPEN)) == len(truth["edits"])
    loaded = core.settings.as_json()
    for group, members in truth["settings"].items():
        assert {name: loaded[group][name] for name in members} == members
    for name, text in truth["sealed"]:
        assert read_secret(name, data=core.settings.data, variables={}).reveal() == text


async def check_what_the_server_tells(people: People, truth: Truth) -> None:
    core, receipts = people.core, people.core.receipts
    listed = await receipts.advances()
    while not listed.is_whole:
        await asyncio.sleep(1)
        listed = await receipts.advances()
    (advance,) = listed.advances
    rest = (await people.seen(truth["advance"])).advance
    assert (advance.number, str(rest.remaining.amount)) == (truth["advance"], truth["advance_rest"])
    async with LocalApi(
        URL, core.install, connection=connection(people.world.call(people.world.server))
    ) as api:
        reports = port_client(ServerReceipts, api, "receipts", seconds=60)
        await check_reports(people, reports, truth)


async def check_reports(people: People, receipts: ServerReceipts, truth: Truth) -> None:
    core, day, first = people.core, people.world.clock.now().date(), EPOCH.date()
    for grouping, name in ((Grouping.DAY, "days"), (Grouping.METHOD, "methods")):
        told = await receipts.report(ReportAsked(grouping, first, day))
        sums = {one.key: one.net for one in told.rows if one.net}
        meant = {one: total for one, total in getattr(people.account, name).items() if total}
        assert sums == meant
    methods = frozenset(map(PaymentMethod, core.settings.till.paid_later))
    asked = ReportAsked(Grouping.RECEIVABLES, day, day, methods=methods)
    came = core.database.collected.collected(first=first, last=day, after=0, limit=9)
    (owing,) = open_receivables((await receipts.report(asked)).receivables, came)
    assert [owing.number, owing.buyer] == [truth["owed"], truth["owes"][0]]
    assert owing.rest_due == Decimal(truth["owes"][2])


async def sell_on(world: World, truth: Truth) -> None:
    """Work the open shift to its Z. The processor, the printer and the platform are there again."""
    people = People(world, Account.read(truth))
    assert len(read_entries(world.ledger)) == len(people.account.receipts) + 1, "one is in doubt"
    await world.open_server()
    core = world.open_till()
    check_what_stands(core, truth)
    await check_what_the_server_tells(people, truth)
    world.open_processor()
    world.start_outbox()
    await people.signed(*(Paper(SALE, total, {how: total}) for total, how in truth["waiting"]))
    await act_on(people, truth)
    await check_paper(world, truth)
    send_edits(world, truth)


async def act_on(people: People, truth: Truth) -> None:
    """Sell what stands in carts, act on old receipts, and close the shift."""
    core = people.core
    people.confirm(people.cart(), CASH, NO_PAPER)
    await people.signed(Paper(SALE, truth["open"], {"cash": truth["open"]}))
    (held,) = sell.suspended(till=core.till)
    ticket = sell.recall(
        till=core.till, ticket=sell.start(till=core.till, cashier=CASHIER), cart_id=held.id
    )
    people.confirm(ticket, CARD, NO_PAPER)
    await people.signed(Paper(SALE, truth["held"][1], {"card": truth["held"][1]}))
    await people.refund_a_line(truth["sold"])
    await people.signed(Paper(REFUND, "140", {"cash": "140"}), Paper(COPY, "140"))
    await people.pay_further(truth["advance"], 1000)
    await people.signed(Paper(ADVANCE, "1000", {"card": "1000"}))
    await people.close_advance(truth["advance"])
    await people.signed(
        Paper(ADVANCE_REFUND, "2500", {"cash": "1000", "card": "1500"}),
        Paper(SALE, "9000", {"advance": "2500", "card": "6500"}),
    )
    there, sums = truth["shift"], takings_of(truth)
    drawer = Decimal(there["float"]) + Decimal(there["moved"]) + sums["cash"]
    cards = str(sums["card"]).replace(".", ",")
    closed = await people.close_shift(cash=int(drawer), cards=cards, stays=0)
    z = {method: str(Money(amount).amount) for method, amount in sums.items()}
    assert sums_of_z(core, closed) == z | {"drawer": str(Money(drawer).amount)}


def takings_of(truth: Truth) -> dict[str, Decimal]:
    """What the shift took by each method until its end: before, what waited, and these acts."""
    sums = {"cash": Decimal(truth["shift"]["cash"]), "card": Decimal(0)}
    for total, how in truth["waiting"]:
        sums[how] += Decimal(total)
    sums["cash"] += Decimal(truth["open"]) - 140
    sums["card"] += Decimal(truth["held"][1]) + 1000 + 6500
    return sums


async def check_paper(world: World, truth: Truth) -> None:
    """The paper that waited for its printer comes out once."""
    await asyncio.sleep(60)
    address = addresses_of(world.ledger)[truth["unprinted"]]
    assert world.papers.whole()[address] == 1


def send_edits(world: World, truth: Truth) -> None:
    assert world.core is not None
    world.open_platform()
    world.platform.synchronise(world.data)
    there = {one["name"]: one["price"] for one in world.platform.products().values()}
    assert {name: Decimal(str(there[name])) for name in truth["edits"]} == {
        name: Decimal(price) for name, price in truth["edits"].items()
    }
    assert truth["unit"] in {one["name"] for one in world.platform.asked("GET", "/units")}
    assert world.core.editor.edits(OPEN) == ()


@pytest.mark.usefixtures("is_next")
def test_the_till_shows_what_stood_and_sells_on(kept: Path, truth: Truth) -> None:
    with asyncio.Runner(loop_factory=InlineLoop) as runner:
        clock = VirtualClock()
        world = World(kept / "till", clock=clock, server_clock=clock)
        later = datetime.fromisoformat(truth["left_at"]) + timedelta(hours=1)
        clock.jump((later - EPOCH).total_seconds())

        async def story() -> None:
            try:
                await sell_on(world, truth)
            finally:
                await world.close()

        try:
            runner.run(story())
        finally:
            if world.platform.is_open:
                world.platform.close()


def told(*words: str, status: int = 0) -> str:
    done = run(*words)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def opened_again(data: Path, truth: Truth) -> None:
    with open_till_core(settings.load(data)) as core:
        check_what_stands(core, truth)


def test_its_programs_and_its_api_read_all(
    kept: Path, truth: Truth, is_next: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POS_APP_SERVER__PORT", str(free_port()))
    data = kept / "till" / "shop"
    (old,) = (one.name for one in (data / "backups").iterdir() if one.is_dir())
    on = ("--data", str(data))
    checked = told("check", *on)
    assert ("damaged" in checked, OLDER in checked) == (False, is_next)
    ran_till(data)
    told("upgrade", *on)
    assert told("check", *on).count(": whole.") >= len(databases())
    with (
        program("server", *on) as address,
        httpx.Client(base_url=address, trust_env=False) as anyone,
    ):
        for one in truth["receipts"]:
            found = anyone.get(f"/fiscalization/receipts/{one['number']}").json()
            assert found["invoiceNumber"] == one["number"]
            assert Decimal(str(found["totalAmount"])) == Decimal(one["total"])
    told("backup", *on)
    (new,) = (
        one.name
        for one in (data / "backups").iterdir()
        if one.is_dir() and one.name[0].isdigit() and one.name != old
    )
    for made in (old, new):
        told("restore", made, *on, "--accept-missing")
        opened_again(data, truth)


def test_an_older_program_refuses_in_words_what_a_newer_one_wrote(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = kept / "till" / "shop"
    on = ("--data", str(data))
    with monkeypatch.context() as newer:
        become_next(newer, door())
        told("upgrade", *on)
        told("backup", *on)
    files = [data / one.path for one in databases()]
    before = [one.read_bytes() for one in files]
    assert told("check", *on, status=1).count(NEWER) == len(databases())
    newest = max(one.name for one in (data / "backups").iterdir() if one.name[0].isdigit())
    sets = {one.name for one in (data / "backups").iterdir()}
    for words in (("server",), ("till",), ("forget-pin",), ("restore", newest)):
        assert WRITTEN_BY_NEWER in told(*words, *on, status=1)
    assert WRITTEN_BY_NEWER in told("upgrade", *on, status=20)
    assert [one.read_bytes() for one in files] == before
    assert {one.name for one in (data / "backups").iterdir()} == sets


@pytest.fixture(params=["sqlite", "postgresql"])
def on_database(request: pytest.FixtureRequest, kept: Path) -> Iterator[tuple[str, list[str]]]:
    """The name of a database, and the words by which the platform finds it."""
    if request.param == "sqlite":
        yield request.param, ["--data", str(kept / "till")]
        return
    with postgresql() as address:
        dump = str(kept / "postgresql" / "platform.sql")
        psql = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-f", dump, address]
        subprocess.run(psql, check=True, capture_output=True)
        yield request.param, ["--data", str(kept / "postgresql"), "--database-url", address]


def key_of(words: list[str]) -> tuple[str, str]:
    key, secret = (Path(words[1]) / "platform" / KEY).read_text("ascii").split()
    return key, secret


@pytest.mark.usefixtures("is_next")
def test_the_platform_answers_its_old_keys_and_its_old_till(
    on_database: tuple[str, list[str]], kept: Path, truth: Truth
) -> None:
    name, words = on_database
    relayed = truth["relayed"][name]
    path = "/fiscalization/receipts"
    body = RELAYED_SALE | {"clientId": relayed["client"]}
    with (
        program("platform", "--port", "0", *words, **LONG_AFTER) as address,
        caller(address, key_of(words)) as person,
    ):
        products = person.get("/products").json()
        brought = truth["prices"].keys() - set(truth["added"])
        assert {one["name"] for one in products} == brought
        (cover,) = (one["coverImage"] for one in products if one["coverImage"])
        assert person.get(cover["urls"]["original"]).content.startswith(b"\x89PNG")
        headers = {"Idempotency-Key": truth["relayed_under"]}
        again = person.post(path, json=body, headers=headers)
        assert again.json()["invoiceNumber"] == relayed["number"], again.text
        server = ("--data", str(kept / f"relayed-{name}"))
        with program("server", *server, POS_APP_PLATFORM__URL=f"{address}/v2"):

            def looked_up(name: str) -> httpx.Response:
                return person.get(f"{path}/{name}?clientId={relayed['client']}")

            until(lambda: looked_up(relayed["number"]).is_success, pause=0.2)
            for one in (relayed["number"], relayed["id"], f"key:{truth['relayed_under']}"):
                assert looked_up(one).json()["id"] == relayed["id"]
            new = person.post(path, json=body, headers={"Idempotency-Key": "1" * 32})
            assert new.json()["invoiceNumber"] == f"{relayed['number'].removesuffix('-1')}-2"


def test_an_older_platform_refuses_what_a_newer_one_wrote(
    on_database: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, words = on_database
    with monkeypatch.context() as newer:
        become_next(newer, door())
        with program("platform", "--port", "0", *words):
            pass
    assert OF_NEWER in told("platform", "--port", "0", *words, status=1)
    with monkeypatch.context() as newer:
        become_next(newer, door())
        with (
            program("platform", "--port", "0", *words) as address,
            caller(address, key_of(words)) as person,
        ):
            assert person.get("/products").is_success
