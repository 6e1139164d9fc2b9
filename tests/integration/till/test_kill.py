"""SIGKILL at every commit and at any moment: each confirmed sale has its one receipt."""

from __future__ import annotations

import asyncio
import random
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import uvicorn

from pos_app.adapters.sqlite.till.till import open_till
from pos_app.selling.sale.state import SaleState
from tests.fakes.fiscal_app import INSTALL, FiscalApp
from tests.fakes.fiscal_server import FiscalServerInMemory
from tests.sweep import LONG, together, turns

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="forks"),
    pytest.mark.faults,
    pytest.mark.deadline(280),
]
SALES, FEWER_SALES = 3, 2
"""The sales of a till that is killed; the second number is for each commit in `make test`."""
CLOSE = "close"
PAIRS = {"correct": 6, "exchange": 6, CLOSE: 8}
"""The acts that issue a refund and then a sale, each with commits that it certainly has; CLOSE is a
closing by hand."""
MOST_COMMITS = 60
FEW = 10
"""The number of tills killed at any moment in `make test`, beside those killed at commits."""
PAIRS_KILLED = 10
"""The least number of tills killed at any moment with two receipts that belong together."""
ROOT = Path(__file__).parents[3]


class Web(uvicorn.Server):
    """A server that reports when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


class KilledTill:
    """The process that starts tills and has them killed."""

    def __init__(self, process: asyncio.subprocess.Process, port: int) -> None:
        self._process = process
        self._port = port

    async def run(self, folder: Path, sales: int | str, how: str) -> tuple[list[str], int]:
        """Return the keys that it confirmed, and its exit status."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{folder} {self._port} {sales} {how}\n".encode())
        keys: list[str] = []
        while True:
            word, _, value = (await self.line()).partition(" ")
            if word == "confirmed":
                keys.append(value)
            if word == "over":
                return keys, int(value)

    async def line(self) -> str:
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), timeout=60)
        assert line, "the process that starts tills has ended"
        return line.decode().strip()


@asynccontextmanager
async def shop(server: FiscalServerInMemory, *, delay: float) -> AsyncIterator[KilledTill]:
    """Run a server on a real port, and a till to be killed."""
    app = FiscalApp(server, delay=delay).asgi()
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="off")
    web = Web(config)
    serving = asyncio.create_task(web.serve())
    await asyncio.wait_for(web.up.wait(), timeout=30)
    port = web.servers[0].sockets[0].getsockname()[1]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.till.killed_till",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    try:
        till = KilledTill(process, port)
        assert await till.line() == "ready"
        yield till
    finally:
        process.kill()
        await process.wait()
        web.should_exit = True
        await serving


async def killed_once(
    till: KilledTill, server: FiscalServerInMemory, folder: Path, how: str, sales: int | str = SALES
) -> bool:
    """Kill a till, start it again, and compare; return whether it was killed at all."""
    confirmed, status = await till.run(folder, sales, how)
    _, after = await till.run(folder, 0, "end")
    assert after == 0, "the till could not bring its sales to an end"

    database = open_till(folder, till_id=INSTALL.till_id)
    kept = database.sales.last(100)
    bodies = {sale.key: database.sales.body(sale.key) for sale in kept}
    assert database.sales.closed_without_goods() == []
    database.close()
    assert set(confirmed) <= set(bodies), "a confirmed sale was lost"
    assert len(bodies) - len(confirmed) <= (1 if isinstance(sales, int) else 2)
    if sales == CLOSE:
        assert len(kept) in (0, 2)
    if not isinstance(sales, int):
        assert server.ledger == [sale.key for sale in reversed(kept)]
    assert {sale.state for sale in kept} <= {SaleState.DONE}
    assert sorted(server.ledger) == sorted(bodies), "a sale has no receipt, or two"
    assert {key: one.body for key, one in server.kept.items()} == bodies
    server.ledger.clear()
    server.kept.clear()
    server.sequences.clear()  # the next folder is another till
    server.rows += 1
    assert status in {0, -signal.SIGKILL, -signal.SIGALRM}
    return status != 0


async def killed_around_each_commit(
    till: KilledTill,
    server: FiscalServerInMemory,
    folder: Path,
    side: str,
    sales: int | str,
    *,
    times: int,
) -> int:
    """Return the number of commits. In `make test` it is killed before each odd one, or after each
    even one."""
    first, step = (1, 1) if times > 50 else (1 if side == "before" else 2, 2)
    for number in range(first, MOST_COMMITS, step):
        place = folder / f"{sales}-{side}-{number}"
        if not await killed_once(till, server, place, f"{side}:{number}", sales):
            return number
    pytest.fail(f"more than {MOST_COMMITS} commits")


async def test_killed_around_each_commit(tmp_path: Path, times: int) -> None:
    server, sales = FiscalServerInMemory(), SALES if times > 50 else FEWER_SALES
    async with shop(server, delay=0.001) as till:
        for side in ("before", "after"):
            commits = await killed_around_each_commit(
                till, server, tmp_path, side, sales, times=times
            )
            assert commits > sales * 5


@pytest.mark.alone
async def test_killed_at_any_moment(times: int, tmp_path: Path) -> None:
    server = FiscalServerInMemory()
    moments, lives, killed = random.Random(3), 0, 0
    wanted = FEW if times <= 50 else times
    async with shop(server, delay=0.01) as till:
        # On a busy machine tills die before they have sold anything: then more of them are needed.
        while lives < wanted or killed <= wanted / 2 or len(server.looked_up) <= wanted / 4:
            assert lives < 8 * wanted, "hardly a till was killed with a receipt under way"
            how = f"wait:{moments.randint(1, 110)}"
            killed += await killed_once(till, server, tmp_path / str(lives), how)
            lives += 1


@pytest.mark.parametrize("cases", together(turns(PAIRS, ["before", "after"])))
async def test_a_pair_killed_around_each_commit(
    cases: list[tuple[str, str]], tmp_path: Path, times: int
) -> None:
    """Its refund and its sale are issued once each and in this order, or neither is."""
    server = FiscalServerInMemory()
    async with shop(server, delay=0.001) as till:
        for pair, side in cases:
            commits = await killed_around_each_commit(
                till, server, tmp_path, side, pair, times=times
            )
            assert commits > PAIRS[pair], pair


@LONG
@pytest.mark.parametrize("pair", PAIRS)
async def test_a_pair_killed_at_any_moment(pair: str, times: int, tmp_path: Path) -> None:
    server = FiscalServerInMemory()
    moments, killed = random.Random(4), 0
    wanted = max(PAIRS_KILLED, times // 10)
    async with shop(server, delay=0.01) as till:
        for number in range(wanted):
            how = f"wait:{moments.randint(1, 80)}"
            killed += await killed_once(till, server, tmp_path / str(number), how, pair)
    assert killed > wanted / 4
