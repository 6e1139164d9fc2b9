"""Real tills are opened: for the first time with real parts, and twice on one data folder."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_app.pfr_emulator.ledger import read_entries
from tests.e2e.certified import PAC, PASSWORD
from tests.e2e.nursery import Life, door
from tests.e2e.shop import ask, until
from tests.fakes.escpos_device import EscposDevice, on_network
from tests.fakes.processor_key import give_key
from tests.integration.test_server_program import program, run
from tests.ports import free_ports

BREAD = {"name": "Хлеб", "taxRateLabel": "Е", "price": 58.99, "ean": "8600001000015", "sku": 1}
PICTURES = os.environ.get("POS_APP_TEST_PICTURES", "")
"""A folder that gets a picture of each step."""


@pytest.mark.deadline(200)
async def test_a_shop_with_real_parts_sells_within_three_minutes(tmp_path: Path) -> None:
    vpfr, hosted, shop = tmp_path / "vpfr", tmp_path / "platform", tmp_path / "shop"
    port, platform_port = free_ports(2)
    give_key(vpfr / "processor")
    order = ["--issue-certificate", str(tmp_path / "shop.pfx"), "--password", PASSWORD]
    order += ["--url", f"https://127.0.0.1:{port}"]
    assert run("processor", "--data", str(vpfr), *order).returncode == 0
    on = ("--json", "--data", str(hosted))
    account = json.loads(run("platform", "account", "add", "Моја", *on).stdout)["account"]
    key = json.loads(run("platform", "key", "add", account, *on).stdout)
    device = EscposDevice()
    words = ("platform", "--data", str(hosted), "--port", str(platform_port))
    signs = ("processor", "--data", str(vpfr), "--mode", "vpfr", "--port", str(port))
    with program(*words) as (_, platform), program(*signs):
        auth = key["key"], key["secret"]
        for path, body in (("/stores", {"name": "Пекара код Мире"}), ("/products", BREAD)):
            made = ask("POST", f"{platform}/v2{path}", json=body, auth=auth)
            assert made.is_success, made.text
        async with on_network(device) as printer:
            given = {
                "url": f"{platform}/v2",
                **key,
                "pfx": str(tmp_path / "shop.pfx"),
                "password": PASSWORD,
                "pac": PAC,
                "ca": str(vpfr / "processor" / "authority.pem"),
                "printer": f"127.0.0.1:{printer}",
                "pictures": PICTURES,
            }
            told, errors = await set_up(shop, given)
    *steps, sold = told.splitlines()
    assert steps == [
        "platform answers",
        "store Пекара код Мире",
        "processor answers",
        "printer answers",
    ], errors
    assert sold.startswith("sold done Мира Мирић "), errors
    assert int(sold.split()[-1]) < 180
    (receipt,) = read_entries(vpfr / "processor")
    assert "Мира Мирић" in receipt.answer
    assert device.printed


async def set_up(shop: Path, given: dict[str, str]) -> tuple[str, str]:
    words = ["-m", "tests.e2e.newcomer_till", str(shop), json.dumps(given)]
    env = {"QT_QPA_PLATFORM": os.environ.get("POS_APP_TEST_PLATFORM", "offscreen")}
    till = Life(door(), words, env=os.environ | env)
    try:
        out, errors = await asyncio.to_thread(till.communicate)
    finally:
        till.kill()
    assert run("stop", "--data", str(shop), is_real=True).returncode == 0
    return out, errors[-4000:]


ROOT = Path(__file__).parents[2]
OFFSCREEN = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
OPEN = """
import sys
from pathlib import Path
from pos_app import settings
from pos_app.bootstrap.till.till import TillProgram
shop = settings.load(Path(sys.argv[1]), server={"port": 0})
TillProgram(shop).run(on_ready=lambda window: print("stands", flush=True), size=(1366, 768))
"""


@pytest.fixture
def open_till(folder: Path) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-c", OPEN, str(folder)]
    till = subprocess.Popen(words, cwd=ROOT, env=OFFSCREEN, stdout=subprocess.PIPE, text=True)
    assert till.stdout.readline() == "stands\n"
    yield till
    till.send_signal(signal.SIGTERM)
    assert till.wait(30) == 0
    till.stdout.close()


def start_another(folder: Path, *, is_real: bool = False) -> subprocess.CompletedProcess[str]:
    """Start another till as a second press on the icon does."""
    return run("till", "--data", str(folder), is_real=is_real)


@pytest.mark.skipif(sys.platform == "win32", reason="there a program can't be stopped for a while")
def test_the_second_calls_the_first_or_tells_that_it_hangs(
    folder: Path, open_till: subprocess.Popen[str]
) -> None:
    open_till.send_signal(signal.SIGSTOP)
    try:
        done = start_another(folder, is_real=True)
    finally:
        open_till.send_signal(signal.SIGCONT)
    assert done.returncode == 1
    assert "does not answer" in done.stderr

    def heard() -> subprocess.CompletedProcess[str] | None:
        """A busy machine may not answer in time."""
        done = start_another(folder)
        return None if done.returncode else done

    assert until(heard).stdout == ""
    assert open_till.poll() is None
