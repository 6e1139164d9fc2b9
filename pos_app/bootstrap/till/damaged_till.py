"""Sends paid sales without a receipt out of a damaged till's file, before anything else is offered.

The file itself is only read. Its readable sales are sent as every sale, from a file of their own.
Each sale keeps its key, so that the server issues only one receipt, even if the sale is sent again
later: by this till, if its file opens after all, or by a till with a backup into which the sale was
copied. Source: exactly-once.md, "Restores, replacements, damage".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack, closing

from pos_app import log
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder import TILL
from pos_app.adapters.data_folder.install import Install, open_install
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.server_process.process import ServerProcess
from pos_app.adapters.sqlite.till.till import LOCK_NAME, TillDatabase, unsent_of
from pos_app.bootstrap.till.core import server_of
from pos_app.errors import DatabaseDamaged
from pos_app.keep_running import keep_running
from pos_app.selling.outbox.outbox import Outbox
from pos_app.selling.sale.state import SaleState
from pos_app.settings import Settings

_PATIENCE_SECONDS = 20.0
"""The longest wait without progress for the person who opens the till."""
_BY_ITSELF = (SaleState.FROZEN, SaleState.SENDING, SaleState.DOUBT, SaleState.CANCELLING)

_log = log.get(__name__)


def send_from_damaged(
    error: DatabaseDamaged, settings: Settings, report_progress: Callable[[int, int], None]
) -> DatabaseDamaged:
    """Send the readable sales of the file that keeps the till from opening; return the error for
    the person. report_progress: called with the number of ended sales, and of all. Raises
    AlreadyRunning, MachineError."""
    found, left = asyncio.run(_send_from_closed(settings, report_progress))
    if not found:
        return error
    kind, path = "till_waits" if left else "till_sent", str(settings.data / TILL)
    return DatabaseDamaged(kind, why=error.what, path=path, found=found, left=left)


async def _send_from_closed(
    settings: Settings, report_progress: Callable[[int, int], None]
) -> tuple[int, int]:
    folder = (settings.data / TILL).parent
    install = open_install(settings.data, environment=settings.environment)
    with (
        closing(FolderLock(folder / LOCK_NAME, what="till")),
        unsent_of(folder, till_id=install.till_id) as (unsent, behind),
    ):
        found = _waiting(unsent) + behind
        if _goes_by_itself(unsent):
            server = server_of(settings, install)
            kept = asyncio.create_task(server.run(), name="the server")
            try:
                await _send(
                    unsent,
                    install,
                    server,
                    report_progress=report_progress,
                    patience=_PATIENCE_SECONDS,
                )
            finally:
                kept.cancel()
                await asyncio.gather(kept, return_exceptions=True)
                await server.stop()
        return found, _waiting(unsent) + behind


async def send_beside(settings: Settings, install: Install, server: ServerProcess) -> None:
    """Send the readable sales of an open till's file, whose own outbox may stop at a damaged page.
    Raises AlreadyRunning, MachineError."""
    with ExitStack() as held:
        copying = unsent_of((settings.data / TILL).parent, till_id=install.till_id)
        unsent, _ = await asyncio.to_thread(held.enter_context, copying)
        await _send(unsent, install, server, report_progress=lambda *_: None, patience=None)


def _waiting(database: TillDatabase) -> int:
    return sum(database.sales.counts().values())


def _goes_by_itself(database: TillDatabase) -> int:
    counted = database.sales.counts()
    return sum(counted.get(state, 0) for state in _BY_ITSELF)


async def _send(
    unsent: TillDatabase,
    install: Install,
    server: ServerProcess,
    *,
    report_progress: Callable[[int, int], None],
    patience: float | None,
) -> None:
    """Send until no sale is left that may be sent by itself, or until none has ended for `patience`
    seconds."""
    api, moved = LocalApi(f"http://127.0.0.1:{server.port}", install), asyncio.Event()
    outbox = Outbox(sales=unsent.sales, server=FiscalHttp(api), clock=SystemClock())
    outbox.listen(on_sale=lambda _: moved.set())
    server.listen(outbox.take_server_fault)
    sent = asyncio.create_task(keep_running(outbox.run, "the outbox of a damaged file"))
    whole = _goes_by_itself(unsent)
    try:
        while left := _goes_by_itself(unsent):
            report_progress(whole - left, whole)
            async with asyncio.timeout(patience):
                while _goes_by_itself(unsent) == left:
                    moved.clear()
                    await moved.wait()
    except TimeoutError:
        _log.warning("sales of a damaged file have no receipt yet: %d", _waiting(unsent))
    finally:
        sent.cancel()
        await asyncio.gather(sent, return_exceptions=True)
        await api.close()
