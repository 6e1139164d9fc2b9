"""The snippets of docs/snippets run unchanged against the real server, also when answers are
lost."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.integration.fiscalization.shop import unreachable
from tests.integration.local_api.wires import Running, running
from tests.sweep import sampled, turns

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
    """Skip the test where one of these is not installed."""
    for each in programs:
        if shutil.which(each) is None:
            pytest.skip(f"{each} is not here; Debian has it in {PACKAGES[each]}")


def command(name: str, place: Path) -> list[str]:
    """Return the command that runs a snippet; the C# one is first compiled by its own line."""
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


NAMES = ("first_receipt.php", "first_receipt.mjs", "FirstReceipt.cs")


@pytest.fixture(scope="module", params=NAMES)
def snippet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return command(request.param, tmp_path_factory.mktemp("snippet"))


async def sells(
    snippet: list[str], address: str, *, key: str = KEY, seconds: str = PATIENCE
) -> tuple[int, list[str], str]:
    """Return exit status, printed lines and the text on standard error."""
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
    ("snippet", "fault"), turns(NAMES, ["sign_then_drop", "drop", ""]), indirect=["snippet"]
)
async def test_the_first_receipt_and_again_with_its_key_though_an_answer_is_lost(
    snippet: list[str], folder: Path, fault: str
) -> None:
    """A receipt signed without an answer is found; one not signed is sent again with its key."""
    async with running(folder) as server:
        if fault:
            server.shop.fault(fault)
        for _ in range(2):
            await is_issued_once(server, await sells(snippet, server.url))


@pytest.mark.parametrize(
    ("snippet", "refusal"),
    turns(NAMES, [("short", None, 'fix: "Idempotency-Key" must be'), (KEY, "1500", "cure: ")]),
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


@pytest.mark.parametrize("snippet", sampled(NAMES), indirect=True)
async def test_what_waits_is_asked_until_patience_ends(snippet: list[str], folder: Path) -> None:
    async with running(folder, pfr=await unreachable()) as server:
        status, _, errors = await sells(snippet, server.url, seconds="2")
        assert (status, errors) == (2, f"not known yet: {KEY}\n")
        assert server.shop.state(KEY) == "released"


@pytest.mark.parametrize("snippet", sampled(NAMES), indirect=True)
async def test_a_server_that_is_away_leaves_the_key_to_come_back_with(snippet: list[str]) -> None:
    status, lines, errors = await sells(snippet, await unreachable(), seconds="2")
    assert (status, lines, errors) == (2, [], f"not known yet: {KEY}\n")
