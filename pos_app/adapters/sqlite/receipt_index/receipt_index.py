"""The list of receipts beside a running server: implements fiscalization.receipt_search.

The list has a thread of its own, and so have the reports. A step holds Python for some
milliseconds, so a first list of a large journal is made with pauses, and a step waits for a moment
in which nobody asks, because receipts are signed meanwhile.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pos_app.adapters.sqlite.receipt_index.index_file import ReceiptIndexFile
from pos_app.adapters.sqlite.receipt_index.reports import ReportReader
from pos_app.domain.receipt import receipt_list
from pos_app.domain.receipt.open_advances import OpenAdvances
from pos_app.domain.receipt.reports import NOTHING, ReportAsked, ReportSums
from pos_app.errors import MachineError
from pos_app.fiscalization.state_changes import StateChanges
from pos_app.keep_running import keep_running

T = TypeVar("T")

GATHER_SECONDS = 1.0
"""The time after a signature until the receipts since then are added together."""
REST = 2.0
"""The pause after a step, as a multiple of the step's time."""
BUSY_SECONDS = 0.25
"""The least pause while receipts are signed, which go first."""
QUIET_SECONDS = 0.05
"""A step begins once nobody has asked the server during this time."""
LONGEST_WAIT_SECONDS = 0.5
"""The longest wait for that quiet."""
TROUBLE_SECONDS = 30.0
"""The pause until a list in trouble is tried again."""


class ReceiptIndex:
    """The list of a journal's receipts; its methods are called on one event loop."""

    def __init__(self, path: Path, journal: Path) -> None:
        """Set the list up. path: the list's file. journal: an existing journal."""
        self._file = ReceiptIndexFile(path, journal)
        self._thread = ThreadPoolExecutor(1, "receipt index")
        self._reports, self._report_thread = ReportReader(path), ThreadPoolExecutor(1, "reports")
        self._changed = asyncio.Event()

    async def page(
        self,
        query: receipt_list.ReceiptQuery,
        *,
        after: receipt_list.ListPosition | None = None,
        most: int = 50,
        figures: bool = False,
    ) -> receipt_list.ListPage:
        def ask() -> receipt_list.ListPage:
            if after is None:
                self._file.catch_up()
            page = self._file.page(query, after, most)
            return self._file.with_figures(page) if figures else page

        return await self._in_thread(ask)

    async def turnover(self, query: receipt_list.ReceiptQuery) -> receipt_list.ReportedTurnover:
        def ask() -> receipt_list.ReportedTurnover:
            self._file.catch_up()
            return self._file.turnover(query)

        return await self._in_thread(ask)

    async def listed(self, request_ids: Sequence[str]) -> tuple[receipt_list.ListedReceipt, ...]:
        def ask() -> tuple[receipt_list.ListedReceipt, ...]:
            self._file.catch_up()
            return self._file.listed(request_ids)

        return await self._in_thread(ask)

    async def choices(self) -> receipt_list.ListChoices:
        return await self._in_thread(self._file.choices)

    async def report(self, asked: ReportAsked) -> ReportSums:
        def state() -> receipt_list.ListState:
            self._file.catch_up()
            return self._file.state

        list_state = await self._in_thread(state)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._report_thread, self._reports.report, asked, list_state
            )
        except MachineError as fault:
            return ReportSums(NOTHING, replace(list_state, trouble=list_state.trouble or fault))

    async def open_advances(self) -> OpenAdvances:
        def ask() -> OpenAdvances:
            self._file.catch_up()
            return self._file.open_advances()

        return await self._in_thread(ask)

    @asynccontextmanager
    async def fed(
        self, changes: StateChanges, *, quiet_seconds: Callable[[], float] = lambda: math.inf
    ) -> AsyncIterator[None]:
        """Keep the list up to date. quiet_seconds: seconds since somebody asked the server."""
        changes.listen(self._changed.set)
        feeding = asyncio.create_task(
            keep_running(lambda: self._feed(quiet_seconds), "the list of receipts"),
            name="receipt index",
        )
        try:
            yield
        finally:
            feeding.cancel()
            await asyncio.gather(feeding, return_exceptions=True)
            await self._in_thread(self._file.close)
            self._thread.shutdown()
            self._report_thread.shutdown()

    async def _feed(self, quiet_seconds: Callable[[], float]) -> None:
        await asyncio.sleep(GATHER_SECONDS)  # a server that starts has other work
        while True:
            pause_seconds = BUSY_SECONDS if self._changed.is_set() else 0.0
            self._changed.clear()
            await _moment(quiet_seconds)
            more, took = await self._in_thread(self._step)
            if more:
                await asyncio.sleep(max(took * REST, pause_seconds))
            elif self._file.state.trouble is not None:
                await asyncio.sleep(TROUBLE_SECONDS)
            else:
                await self._changed.wait()
                await asyncio.sleep(GATHER_SECONDS)

    def _step(self) -> tuple[bool, float]:
        began = time.monotonic()
        more = self._file.step()
        return more, time.monotonic() - began

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)


async def _moment(quiet_seconds: Callable[[], float]) -> None:
    """Wait for a moment in which nobody asks the server, but not for long."""
    for _ in range(round(LONGEST_WAIT_SECONDS / QUIET_SECONDS)):
        if quiet_seconds() >= QUIET_SECONDS:
            return
        await asyncio.sleep(QUIET_SECONDS)
