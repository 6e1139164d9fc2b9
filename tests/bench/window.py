"""The real till in a process of its own, offscreen, which carries out a plan and tells figures.

    python -m tests.bench.window JSON PLAN…

JSON names its data folder, the codes to scan, a newer list of articles, the amounts of the run and
the processor's control port. It prints a line for each figure, as JSON; memory at the end.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import traceback
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from pos_app import log, settings
from pos_app.bootstrap import programs
from pos_app.bootstrap.till.till import TillProgram
from pos_app.cashier.window.till_window import TillWindow
from pos_app.domain.receipt.server_status import ProcessorState
from tests.bench import day, machine, managers_table, sales, scans, screen, searches, storm
from tests.bench.figures import TOLD, Figure, Target
from tests.bench.hands import Hands
from tests.bench.place import Size

_PLANS: dict[str, Callable[[Hands], AsyncIterator[Figure]]] = {
    "scans": scans.measure,
    "backup": scans.while_backed_up,
    "searches": searches.measure,
    "table": managers_table.measure,
    "sales": sales.measure,
    "idle": scans.idle,
    "own": sales.own,
    "in_carts": scans.in_carts,
    "of_lines": sales.of_lines,
    "day": day.measure,
    "storm": storm.measure,
}
_MEMORY = Target(250, 250)


class Run:
    """One run of the till with its plan; `failed` is set when the plan could not be carried out."""

    def __init__(self, given: dict[str, Any], plan: list[str]) -> None:
        self._given = given
        self._plan = plan
        self.program = TillProgram(settings.load(Path(given["data"])))
        self.failed = False

    def begin(self, window: TillWindow) -> None:
        window.tasks.start(self._work(window), name="benchmark")

    async def _work(self, window: TillWindow) -> None:
        try:
            await self._measure(window)
        except BaseException:
            self.failed = True
            traceback.print_exc()
            raise
        finally:
            window.close()

    async def _measure(self, window: TillWindow) -> None:
        given, core = self._given, self.program.core
        assert core is not None
        hands = Hands(
            window, core, Size(**given["size"]), given["codes"], given["control"], given["newer"]
        )
        await _until_ready(hands)
        at_start = machine.resident_mib(os.getpid())
        folder = core.settings.data
        for name in self._plan:
            reference = machine.measure(folder)
            async for figure in _PLANS[name](hands):
                _tell(figure.beside(reference))
        await hands.quiet.reached()
        for figure in _memory(hands, at_start):
            _tell(figure.beside(machine.measure(folder)))


async def _until_ready(hands: Hands) -> None:
    """Wait until the server answers, its processor is ready, and the window is at rest."""
    clock, never = hands.core.till.clock, asyncio.Event()
    while True:
        status = hands.window.services.server.status
        if status is not None and status.processor.state is ProcessorState.READY:
            return
        await clock.pause(50, until=never)


def _memory(hands: Hands, at_start: float) -> list[Figure]:
    last = hands.core.database.sales.last(1)
    sold = last[0].sequence if last else 0
    told = f"after {hands.scanned:,} scans and {sold} sales"
    note, own = (
        f"{told}; {at_start:.0f} MiB when its window stood",
        machine.resident_mib(os.getpid()),
    )
    figures = [Figure.single("memory of the till", own, "MiB", _MEMORY, note)]
    if (server := hands.core.server.pid) is not None:
        its = machine.resident_mib(server)
        figures.append(Figure.single("memory of its server", its, "MiB", None, told))
    return figures


def _tell(figure: Figure) -> None:
    print(TOLD + figure.to_json(), flush=True)


def main() -> int:
    """Run the till; returns 0 when the plan was carried out."""
    told, *plan = sys.argv[1:]
    given = json.loads(told)
    screen.use(Path(given["data"]).parent)
    log.configure(level="WARNING")
    programs.return_large_blocks()  # as the program does
    run = Run(given, plan)
    status = run.program.run(on_ready=run.begin, size=screen.SIZE)
    return 1 if run.failed else status


if __name__ == "__main__":
    sys.exit(main())
