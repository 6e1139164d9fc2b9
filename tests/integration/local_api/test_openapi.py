"""The OpenAPI document says what the server does: checked by itself and by schemathesis."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import httpx
import jsonschema_rs
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
from tests.integration.local_api.wires import running
from tests.integration.test_server_program import run
from tests.sweep import LONG, each
from tests.unit.wire.json_schema import as_json_schema

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


def test_a_required_member_may_not_be_null_and_every_other_may() -> None:
    body = schema("IssueRequest")
    for name, member in body["properties"].items():
        assert member.get("nullable", False) is (name not in body["required"]), name


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
"""The states that a look-up can have by the server's types: a half-done pair may be released
too."""


def test_all_states_that_a_look_up_tells_are_described() -> None:
    state = schema("Waiting")["properties"]["state"]
    assert set(state["enum"]) == STATES == states.LOOKED_UP
    assert get_type_hints(not_deniable)["return"] == states.NotDeniable | None
    assert re.search(r"restored:.* send the same key and body", state["description"])


@pytest.mark.parametrize("told", get_args(states.NotDeniable))
async def test_what_can_not_be_denied_is_told_as_it_is_described(folder: Path, told: str) -> None:
    pfr = await unreachable() if told == states.NOT_COMPARED else None
    async with running(folder, pfr=pfr) as server:
        if told == states.RESTORED:
            journal, now = server.shop.journal, server.shop.service.clock.now()
            journal.restores.mark_restored(states.RestoreFound.SERVER_WITNESS, now=now)
        answer = await server.ask("GET", f"{RECEIPTS}/key:0123456789abcdef")
        assert (answer.status_code, answer.json()["state"]) == (202, told)
        assert jsonschema_rs.Draft202012Validator(as_json_schema(schema("Waiting"))).is_valid(
            answer.json()
        )


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
    """Run it in a folder for its files, the same way each time."""
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
