"""The OpenAPI document says what the server does: checked by itself and by schemathesis."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import httpx
import pytest

from pos_app.domain.receipt import states
from pos_app.fiscalization.issuing.after_restore import not_deniable
from pos_app.local_api.access_rules import TILL
from pos_app.local_api.app import handlers_of
from pos_app.local_api.open_routes import OpenApiRoute
from pos_app.pfr_emulator.ledger import read_entries
from pos_app.wire.openapi.document import described_operations
from pos_app.wire.openapi.members import ANSWERS, REQUESTS
from pos_app.wire.openapi.schemas import NAMES
from pos_app.wire.problem import PAIR_HALF_DONE, Problem, problem_to_json
from pos_app.wire.receipt_paths import RECEIPTS
from pos_app.wire.strict_json import dumps
from tests.e2e.nursery import door
from tests.e2e.shop import Program
from tests.integration.fiscalization.shop import unreachable
from tests.integration.local_api.wires import Running, running
from tests.integration.openapi_rules import broken, schemas
from tests.integration.platform_api.hosted import Place
from tests.integration.platform_api.test_platform_openapi import (
    described as described_by_the_platform,
)
from tests.integration.test_server_program import run
from tests.sweep import LONG, each, sampled, turns

NOT_TRUE_HERE = "positive_data_acceptance"
"""A body of the right shape may still not add up: payments, articles, what is left to refund."""
FEW, ALL = ("--phases", "examples,fuzzing", "--max-examples", "1"), ("--max-examples", "5")
"""Of schemathesis: its phases, and the requests to each operation in each of them."""


def described() -> dict[str, Any]:
    route = OpenApiRoute(version="1.2.3")
    found: dict[str, Any] = json.loads(dumps(route.described("http://127.0.0.1:9999")))
    return found


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = described()["components"]["schemas"][name]
    return found


# --- what it says --------------------------------------------------------------------------------
def template(path: str) -> str:
    return re.sub(r"\{reference:path\}|\{Id\}", "{}", path)


async def test_each_route_is_described_or_the_tills_and_no_other_is(folder: Path) -> None:
    async with running(folder) as server:
        service, context = server.shop.service, server.context
        answering = handlers_of(service=service, context=context, door=server.door)
    served = [one for each in answering for one in each.endpoints()]
    told = {
        (template(path), method.upper()): operation["operationId"]
        for path, methods in described()["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
    }
    open_ones = [one for one in served if not one.path.startswith(TILL)]
    found = {(template(one.path), one.method): one.operation for one in open_ones}
    tells_that_there_is_none = (f"{RECEIPTS}/{{}}/{{operation}}", "POST")
    assert found.pop(tells_that_there_is_none) == ""
    assert found == told
    assert not [one.path for one in served if one.operation and one not in open_ones]
    assert set(told.values()) == set(described_operations())


@each("shape", sorted({**REQUESTS, **ANSWERS}))
def test_nothing_is_said_of_a_member_that_no_shape_has(shape: str) -> None:
    known = set(schema(NAMES[shape])["properties"])
    said = set({**REQUESTS, **ANSWERS}[shape])
    common = {"buyerId", "buyerCostCenterId", "posTime", "advanceSpecification"}
    assert said - known <= common, "a word about a member that is not there"
    if shape in REQUESTS:
        assert known - said <= {"storeId", "clientId"}, "a member that nobody describes"


OWN = {
    "Item": {"article", "totalAmount"},
    "RefundedItem": {"line"},
    "IssueRequest": {"totalAmount"},
    "Receipt": {"id", "warnings", "copy"},
    "Problem": {"class"},
}


def test_our_own_members_are_marked() -> None:
    for name, members in OWN.items():
        found = schema(name)["properties"]
        assert {each for each in found if "x-own-member" in found[each]} == members


def test_the_error_body_is_the_one_that_is_written() -> None:
    problem = Problem.of(
        PAIR_HALF_DONE,
        "words",
        keys=("items[0].sku",),
        receipt_id="1",
        pfr_code="2310",
        signed=("A-B-1",),
        state=states.REVERSED,
        kind="reversed",
    )
    assert set(problem_to_json(problem)) == set(schema("Problem")["properties"])


STATES = frozenset(
    {*states.OPEN, states.RequestState.RELEASED, states.REVERSED, *get_args(states.NotDeniable)}
)
"""The states that a look-up can have by the server's types."""


def test_all_states_that_a_look_up_tells_are_described() -> None:
    state = schema("Waiting")["properties"]["state"]
    assert set(state["enum"]) == STATES == states.LOOKED_UP
    assert get_type_hints(not_deniable)["return"] == states.NotDeniable | None
    assert re.search(r"restored:.* send the same key and body", state["description"])


# --- where it is ---------------------------------------------------------------------------------
async def test_it_is_there_at_the_address_at_which_it_is_asked_for(folder: Path) -> None:
    """Even while the API is switched off; no web page reads it unless its origin may."""
    shop = "https://shop.example"
    async with running(folder, api_enabled=False, origins=(shop,)) as server:
        for name in ("127.0.0.1", "localhost"):
            host = f"{name}:{server.port}"
            found = await server.ask("GET", "/openapi.json", headers={"Host": host})
            assert found.json()["openapi"] == "3.0.3"
            assert found.headers["content-type"] == "application/json"
            assert [one["url"] for one in found.json()["servers"]] == [f"http://{host}"]
        for origin, status in ((shop, 200), ("https://evil.example", 403)):
            found = await server.ask("GET", "/openapi.json", headers={"Origin": origin})
            assert found.status_code == status
        refused = await server.ask("GET", f"{RECEIPTS}/key:0123456789abcdef")
        assert refused.status_code == 403


# --- schemathesis --------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    folder = tmp_path_factory.mktemp("openapi") / "shop"
    assert run("demo", "--data", str(folder), "--prepare").returncode == 0
    server = Program(
        ["-m", "pos_app", "server", "--data", str(folder), "--port", "0"],
        env={},
        errors=folder.with_name("errors"),
        nursery=door(),
    )
    try:
        server.until(lambda: server.lines("http://127.0.0.1:"))
        yield folder, server.lines("http://127.0.0.1:")[0][0]
    finally:
        server.close()


def schemathesis(place: Path, *words: str) -> subprocess.CompletedProcess[str]:
    always = ("--generation-deterministic", "--no-color")
    command = [sys.executable, "-m", "schemathesis.cli", "run", *words, *always]
    clean = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    return subprocess.run(
        [*command, "--checks", "all"],
        cwd=place,
        env=clean,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


@pytest.mark.parametrize("words", [FEW, pytest.param(ALL, marks=LONG)], ids=["few", "all"])
def test_schemathesis_finds_no_answer_without_its_document(
    shop: tuple[Path, str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    folder, address = shop
    checked = (*words, "--exclude-checks", NOT_TRUE_HERE)
    done = schemathesis(tmp_path, f"{address}/openapi.json", *checked)
    assert done.returncode == 0, done.stdout + done.stderr
    asked = described_operations().keys() - {"openapi"}  # it does not ask for the document again
    assert f"Tested: {len(asked)}" in done.stdout
    issued = len(read_entries(folder / "processor"))
    assert issued >= (3 if words == ALL else 1), "its own examples are issued"


@LONG
def test_schemathesis_sees_a_document_that_is_wrong(shop: tuple[Path, str], tmp_path: Path) -> None:
    _, address = shop
    wrong = httpx.get(f"{address}/openapi.json", trust_env=False).json()
    wrong["components"]["schemas"]["Receipt"]["properties"]["totalAmount"] = {"type": "string"}
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    one = ("--include-path", RECEIPTS, "--phases", "examples")
    done = schemathesis(tmp_path, "wrong.json", "--url", address, *one)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "totalAmount" in done.stdout


# --- the snippets of docs/snippets, unchanged, also when answers are lost ---
SNIPPETS = Path(__file__).parents[3] / "docs" / "snippets"
KEY = "first-receipt-from-a-snippet"
PACKAGES = {
    "php": "php-cli",
    "node": "nodejs",
    "mono": "mono-runtime",
    "mcs": "mono-mcs, libmono-system-net-http4.0-cil and "
    "libmono-system-runtime-serialization4.0-cil",
}
"""Program -> the Debian packages that it needs here."""
PATIENCE = "15"
"""Seconds after which a snippet gives up: many, for a busy machine."""


def needs(*programs: str) -> None:
    for name in programs:
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not here; Debian has it in {PACKAGES[name]}")


def command(name: str, place: Path) -> list[str]:
    if name.endswith(".php"):
        needs("php")
        return ["php", "-d", "error_reporting=-1", "-d", "display_errors=1", str(SNIPPETS / name)]
    if name.endswith(".mjs"):
        needs("node")
        return ["node", str(SNIPPETS / name)]
    needs("mcs", "mono")
    shutil.copy(SNIPPETS / name, place)
    lines = (SNIPPETS / name).read_text(encoding="utf-8").splitlines()
    (told,) = [line for line in lines if f"mcs {name}" in line]
    done = subprocess.run(
        told.strip("/ ").split(), cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in done.stderr
    return ["mono", str(place / name.replace(".cs", ".exe"))]


SNIPPET_NAMES = ("first_receipt.php", "first_receipt.mjs", "FirstReceipt.cs")


@pytest.fixture(scope="module", params=SNIPPET_NAMES)
def snippet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return command(request.param, tmp_path_factory.mktemp("snippet"))


async def sells(
    snippet: list[str], address: str, *, key: str = KEY, seconds: str = PATIENCE
) -> tuple[int, list[str], str]:
    child = await asyncio.create_subprocess_exec(
        *snippet, address, key, seconds, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    output, errors = await child.communicate()
    assert child.returncode is not None
    return child.returncode, output.decode().splitlines(), errors.decode()


async def is_issued_once(server: Running, told: tuple[int, list[str], str]) -> None:
    status, lines, errors = told
    assert (status, errors) == (0, "")
    (entry,) = server.shop.ledger()
    assert lines[0] == entry.number
    pdf = await server.ask("GET", lines[1].removeprefix(server.url))
    assert pdf.content.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("snippet", "fault"), turns(SNIPPET_NAMES, ["sign_then_drop", "drop", ""]), indirect=["snippet"]
)
async def test_the_first_receipt_and_again_with_its_key_though_an_answer_is_lost(
    snippet: list[str], folder: Path, fault: str
) -> None:
    async with running(folder) as server:
        if fault:
            server.shop.fault(fault)
        for _ in range(2):
            await is_issued_once(server, await sells(snippet, server.url))


@pytest.mark.parametrize(
    ("snippet", "refusal"),
    turns(
        SNIPPET_NAMES, [("short", None, 'fix: "Idempotency-Key" must be'), (KEY, "1500", "cure: ")]
    ),
    indirect=["snippet"],
)
async def test_a_refusal_is_told_and_ends_it(
    snippet: list[str], folder: Path, refusal: tuple[str, str | None, str]
) -> None:
    key, refused, words = refusal
    async with running(folder) as server:
        if refused is not None:
            server.shop.fault("refuse", code=refused)
        status, lines, errors = await sells(snippet, server.url, key=key)
        assert (status, lines) == (1, [])
        assert errors.startswith(words)
        assert not server.shop.ledger()


@pytest.mark.parametrize("snippet", sampled(SNIPPET_NAMES), indirect=True)
async def test_a_server_that_is_away_leaves_the_key_to_come_back_with(snippet: list[str]) -> None:
    status, lines, errors = await sells(snippet, await unreachable(), seconds="2")
    assert (status, lines, errors) == (2, [], f"not known yet: {KEY}\n")


# --- the rules of generated clients ---
async def test_the_servers_document_keeps_to_the_rules(folder: Path) -> None:
    async with running(folder) as server:
        document = (await server.ask("GET", "/openapi.json")).json()
    assert broken(document) == []
    assert len(list(schemas(document))) > 200


async def test_the_platforms_document_keeps_to_the_rules(tmp_path: Path) -> None:
    document = await described_by_the_platform(Place("", tmp_path))
    assert broken(document) == []
    assert len(list(schemas(document))) > 600
