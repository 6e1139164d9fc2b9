"""The pages for integrators: each request that they show is sent, each answer compared."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.receipt.receipt_identity import LONGEST_KEY, SHORTEST_KEY
from pos_app.domain.receipt.request import MOST_ITEMS, InvoiceType
from pos_app.domain.receipt.states import AnswerClass
from pos_app.local_api.access_rules import MOST_BYTES
from pos_app.local_api.pdf_links import SECONDS
from pos_app.wire.receipt_paths import ANSWERED_WITHIN
from tests.integration.shown import differences, send
from tests.integration.test_server_program import program, run

DOCS = Path(__file__).parents[2] / "docs"
FIRST = "first-receipt"
NAMES = (FIRST, "requests", "refusals", "operations", "advances", "access", "moving")
PAGES = {name: (DOCS / "integrate" / f"{name}.md").read_text(encoding="utf-8") for name in NAMES}
PAGE = "\n".join(PAGES.values())
TEXT = re.sub(r"\s+", " ", PAGE)
SHOWN_UID = "U7X75A79"
"""The secure element of the pages; each development processor has its own."""


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


def rows(head: str) -> list[list[str]]:
    table = rf"^\| {re.escape(head)} \|.*\n\|[-|]+\n((?:\|.*\n)+)"
    (found,) = re.findall(table, PAGE, re.MULTILINE)
    return [line.strip("|").split("|") for line in found.splitlines()]


def cells(head: str) -> list[list[str]]:
    return [[cell.strip().replace("`", "") for cell in row] for row in rows(head)]


# --- what is shown -------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shop = tmp_path_factory.mktemp("demo") / "shop"
    assert run("demo", "--data", str(shop), "--prepare").returncode == 0
    return shop


@pytest.mark.parametrize("name", NAMES)
def test_every_request_has_its_answer(name: str, demo: Path, tmp_path: Path) -> None:
    """The shop of the other pages has the first receipt already."""
    shop = shutil.copytree(demo, tmp_path / "shop")
    install = json.loads((shop / "install.json").read_bytes())
    uid = SHOWN_UID
    with program("server", "--data", str(shop), "--port", "0") as (_, address):
        for each in ([] if name == FIRST else exchanges(PAGES[FIRST])) + exchanges(PAGES[name]):
            command = each.command.replace(SHOWN_UID, uid)
            for secret in ("install_id", "token"):
                command = command.replace(f": {secret.upper()}'", f": {install[secret]}'")
            told = send(command, address)
            assert told.status_code == each.status, told.text
            if uid == SHOWN_UID and told.status_code == 200:
                uid = told.json()["invoiceNumber"].partition("-")[0]
            said = told.text.replace(uid, SHOWN_UID).replace(address, "http://127.0.0.1:9999")
            assert not differences(each.answer, json.loads(said)), each.command


def test_no_request_and_no_answer_of_the_pages_is_left_out() -> None:
    assert len(exchanges()) == PAGE.count("```sh\ncurl") == PAGE.count("```json") == 13


def test_all_kinds_of_another_api_are_mapped() -> None:
    table = {row[0]: row[1] for row in cells("there")}
    for number, method in enumerate(("other", "cash", "card", "check", "wiretransfer", "voucher")):
        (here,) = (to for name, to in table.items() if name.startswith(f"paymentType {number},"))
        assert f'{{"{method}": ' in here
        assert method in {one.value for one in PaymentMethod}
    assert sum(name.startswith("paymentType ") for name in table) == len(PaymentMethod)
    assert sum(name.startswith("invoiceType ") for name in table) == len(InvoiceType)


# --- what is said --------------------------------------------------------------------------------


def test_each_class_is_told() -> None:
    assert {row[0] for row in cells("`class`")} == {each.value for each in AnswerClass}


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
