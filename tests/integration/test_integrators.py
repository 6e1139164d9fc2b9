"""The pages for integrators: each request that they show is sent, each answer compared."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receipt_identity import LONGEST_KEY, SHORTEST_KEY
from pos_app.domain.receipt.request import MOST_ITEMS, InvoiceType
from pos_app.domain.receipt.states import AnswerClass
from pos_app.local_api.access_rules import MOST_BYTES
from pos_app.local_api.open_routes import OpenApiRoute
from pos_app.local_api.pdf_links import SECONDS
from pos_app.wire import problem
from pos_app.wire.openapi.examples import EXAMPLES
from pos_app.wire.receipt_paths import ANSWERED_WITHIN
from pos_app.wire.strict_json import dumps
from tests.integration.beyond_the_pages import BEYOND
from tests.integration.shown import differences, send
from tests.integration.test_server_program import program, run
from tests.ports import free_port

DOCS = Path(__file__).parents[2] / "docs"
FIRST = "first-receipt"
NAMES = (FIRST, "requests", "refusals", "operations", "advances", "access", "moving")
PAGES = {name: (DOCS / "integrate" / f"{name}.md").read_text(encoding="utf-8") for name in NAMES}
PAGE = "\n".join(PAGES.values())
TEXT = re.sub(r"\s+", " ", PAGE)
NEW_SHOP = re.compile(r"^    pos-app demo --data \S+ --prepare$", re.MULTILINE)
SHOWN_UID = "U7X75A79"
"""The secure element of the pages; each development processor has its own."""
HALF_DONE = ("6ad2f18b905c37e4' -d", "c04b95e7d3f8126a' -d")
"""The keys of the pairs whose second receipt is refused."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request of a page with the answer that stands under it."""

    command: str
    status: int
    answer: Any


def exchanges(text: str = PAGE) -> list[Exchange]:
    block = re.compile(
        r"```sh\ncurl (?P<command>.*?)```\n(?P<words>[^`]*(?:`[^`]+`[^`]*)*?)"
        r"`(?P<status>\d{3})`:\n\n```json\n(?P<answer>.*?)```",
        re.DOTALL,
    )
    return [
        Exchange(found["command"], int(found["status"]), json.loads(found["answer"]))
        for found in block.finditer(text)
    ]


def shops_of(name: str) -> list[list[Exchange]]:
    """Return the exchanges of a page by the shop that answers them.

    The first shop has the first receipt already; each further one is filled anew where the page, or
    what goes beyond it, says so.
    """
    sent = [exchanges(text) for text in NEW_SHOP.split(PAGES[name] + BEYOND.get(name, ""))]
    known = [] if name == FIRST else exchanges(PAGES[FIRST])
    return [known + sent[0], *sent[1:]]


def bodies() -> list[Any]:
    words = [shlex.split(each.command.replace("\\\n", " ")) for each in exchanges()]
    return [json.loads(each[-1]) for each in words if "-d" in each]


def described() -> dict[str, Any]:
    route = OpenApiRoute(version="")
    found: dict[str, Any] = json.loads(dumps(route.described("http://127.0.0.1:9999")))
    return found


def rows(head: str) -> list[list[str]]:
    """Return the cells of the table whose first column has that head."""
    table = rf"^\| {re.escape(head)} \|.*\n\|[-|]+\n((?:\|.*\n)+)"
    (found,) = re.findall(table, PAGE, re.MULTILINE)
    return [line.strip("|").split("|") for line in found.splitlines()]


def cells(head: str) -> list[list[str]]:
    return [[cell.strip().replace("`", "") for cell in row] for row in rows(head)]


@dataclass
class Control:
    """The pages' processor, controlled outside its protocol."""

    url: str
    refused: set[str] = field(default_factory=set)

    def has_refused(self, each: Exchange) -> bool:
        """Tell whether the second receipt of this request was refused before."""
        known = each.command in self.refused
        self.refused.add(each.command)
        return known

    def refuse_second(self) -> None:
        shown = re.findall(r'`(\{"kind": .*?\})`', PAGES["advances"])
        assert len(shown) == 2
        for fault in shown:
            answer = httpx.post(f"{self.url}/faults", json=json.loads(fault), trust_env=False)
            assert answer.status_code == 200, answer.text


@contextmanager
def at_work(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Control]]:
    """Run the pages' server at a processor of its own; yield its address and the processor's
    control."""
    port, control_port = free_port(), free_port()
    ports = ("--port", str(port), "--control-port", str(control_port))
    monkeypatch.setenv("POS_APP_PROCESSOR__URL", f"http://127.0.0.1:{port}")
    with (
        program("processor", "--data", str(shop / "pfr"), *ports),
        program("server", "--data", str(shop), "--port", "0") as (_, address),
    ):
        yield address, Control(f"http://127.0.0.1:{control_port}")


# --- what is shown -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo shop that nobody has sold in."""
    shop = tmp_path_factory.mktemp("demo") / "shop"
    assert run("demo", "--data", str(shop), "--prepare").returncode == 0
    return shop


@pytest.mark.parametrize("name", NAMES)
def test_every_request_has_its_answer(
    name: str, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, sent in enumerate(shops_of(name)):
        if sent:
            shop = tmp_path / str(place)
            shutil.copytree(demo, shop)
            with at_work(shop, monkeypatch) as (address, control):
                compare(sent, shop, address, control)


def compare(sent: list[Exchange], shop: Path, address: str, control: Control) -> None:
    install = json.loads((shop / "install.json").read_bytes())
    uid = SHOWN_UID
    for each in sent:
        if any(key in each.command for key in HALF_DONE) and not control.has_refused(each):
            control.refuse_second()
        command = each.command.replace(SHOWN_UID, uid)
        for name in ("install_id", "token"):
            command = command.replace(f": {name.upper()}'", f": {install[name]}'")
        told = send(command, address)
        assert told.status_code == each.status, told.text
        if uid == SHOWN_UID and told.status_code == 200:
            uid = told.json()["invoiceNumber"].partition("-")[0]
        said = told.text.replace(uid, SHOWN_UID).replace(address, "http://127.0.0.1:9999")
        assert not differences(each.answer, json.loads(said)), each.command


def test_no_request_and_no_answer_of_the_pages_is_left_out() -> None:
    assert len(exchanges()) == PAGE.count("```sh\ncurl") == PAGE.count("```json") == 13
    beyond = "".join(BEYOND.values())
    assert len(exchanges(beyond)) == beyond.count("```sh\ncurl") == beyond.count("```json") == 16


def test_every_operation_is_shown() -> None:
    shown = {each.command.split()[0].rpartition("9999")[2] for each in exchanges()}
    for path in described()["paths"]:
        if not path.startswith("/pdf/"):
            wanted = re.compile(re.escape(path).replace(r"\{Id\}", "[^/]+"))
            assert any(map(wanted.fullmatch, shown)), path


REQUESTS = ("issue", "advance", "close", "copy", "refund")


def test_the_members_of_requests_are_those_of_the_openapi_document() -> None:
    schemas = described()["components"]["schemas"]
    for place, operation in enumerate(REQUESTS, start=1):
        schema = schemas[f"{operation.capitalize()}Request"]
        known, required = set(), set()
        for row in cells("member"):
            names = set(row[0].split(", "))
            known |= names if row[place] else set()
            required |= names if row[place] == "●" else set()
        assert known == set(schema["properties"])
        assert required == set(schema["required"])


def test_the_parts_of_requests_are_those_of_the_openapi_document() -> None:
    schemas = described()["components"]["schemas"]
    parts = {"items[]": "Item", "items[].article": "Article", "receiptDelivery": "ReceiptDelivery"}
    told = {f"{path}.{name}" for path, one in parts.items() for name in schemas[one]["properties"]}
    told |= {f"items[].{name}" for name in schemas["RefundedItem"]["properties"]}
    assert {row[0] for row in cells("part")} == told


def test_the_members_of_an_answer_are_those_of_the_openapi_document() -> None:
    told = {name for row in cells("answered") for name in row[0].split(", ")}
    assert told == set(described()["components"]["schemas"]["Receipt"]["properties"])


def test_all_kinds_of_another_api_are_mapped() -> None:
    table = {row[0]: row[1] for row in cells("there")}
    for number, method in enumerate(("other", "cash", "card", "check", "wiretransfer", "voucher")):
        (here,) = (to for name, to in table.items() if name.startswith(f"paymentType {number},"))
        assert f'{{"{method}": ' in here
        assert method in {one.value for one in PaymentMethod}
    assert sum(name.startswith("paymentType ") for name in table) == len(PaymentMethod)
    assert sum(name.startswith("invoiceType ") for name in table) == len(InvoiceType)


def test_what_the_openapi_document_shows_is_on_the_pages() -> None:
    for named in EXAMPLES.values():
        for body in named.values():
            assert json.loads(dumps(body)) in bodies()


# --- what is said --------------------------------------------------------------------------------


def test_each_code_is_told_with_its_status_and_classes() -> None:
    known: dict[tuple[int, int], set[str]] = {}
    cases = {case for case in vars(problem).values() if isinstance(case, problem.ProblemKind)}
    for case in cases:
        known.setdefault((case.code, case.status), set()).add(case.answer_class.value)
    told = {
        (int(code.split(" ")[0]), int(status)): set(classes.split(", "))
        for code, status, classes, _ in cells("`code`")
    }
    assert told == known


def test_each_warning_is_told() -> None:
    told = {row[0] for row in cells("`code` of a warning")}
    warning = described()["components"]["schemas"]["Warning"]
    assert told == set(warning["properties"]["code"]["enum"])


def test_each_class_is_told() -> None:
    assert {row[0] for row in cells("`class`")} == {each.value for each in AnswerClass}


def test_each_address_is_told() -> None:
    described_ones = {
        f"{method.upper()} {path}"
        for path, item in described()["paths"].items()
        for method in item
        if method in {"get", "post"} and "receipts" in path
    }
    assert {row[1] for row in cells("what") if row[1].split()[0] in {"GET", "POST"}} == (
        described_ones
    )


@pytest.mark.parametrize(
    "words",
    [
        f"`Idempotency-Key` is {SHORTEST_KEY} to {LONGEST_KEY} visible ASCII characters",
        f"An answer comes within {ANSWERED_WITHIN}.",
        f"At most {MOST_ITEMS} items and {MOST_BYTES // 1024**2} MiB",
        f"lives {SECONDS / 60:.0f} minutes",
    ],
)
def test_the_figures_are_those_of_the_program(words: str) -> None:
    assert words in TEXT


def test_every_setting_that_is_named_is_there() -> None:
    listed = (DOCS / "reference" / "settings.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(server\.\w+)", PAGE))
    assert named
    for name in named:
        assert f"| `{name}` |" in listed, name
