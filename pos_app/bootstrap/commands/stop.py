"""The program `pos-app stop`, which closes a data folder's till and server as a person would.

A till that takes a payment, waits for a receipt or does work that closing would cut off is left
open, and so is everything else. The till asks nobody then: a cart, an open shift and paid sales
without a receipt stay in `till.db` and come back. A service's server is not stopped, because the
service would start it again at once.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TextIO

from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.data_folder.first_start_file import shops_in
from pos_app.adapters.data_folder.install import known_install
from pos_app.adapters.data_folder.lock import is_held
from pos_app.adapters.data_folder.running_mark import others_run
from pos_app.adapters.server_process.address import SERVER_LOCK, last_address, last_server
from pos_app.adapters.server_process.service import is_kept_by_service
from pos_app.adapters.sqlite.till.till import LOCK_NAME
from pos_app.cashier.start.single_window import CloseAnswer, ask_to_close
from pos_app.domain.receipt.server_status import OpenReceipt, ServerStatus
from pos_app.domain.receipt.states import RequestState
from pos_app.errors import PosError, RemoteError
from pos_app.selling.server.answers import ForeignServer, ServerFacts

STOPPED, BUSY = 0, 10
"""Exit codes: nothing runs on the folder any more · a program runs, and was left running."""
WAIT_SECONDS = 60.0
"""The usual limit for the whole command."""
_LOOK_SECONDS = 0.1
_CALL_MS = 2_000
"""The limit for a till's answer; a till that hangs gives none."""

_WORDS = {
    CloseAnswer.SILENT: "The till does not answer.",
    CloseAnswer.PAYMENT: "A payment is open at the till.",
    CloseAnswer.RECEIPT: "The till waits for a receipt.",
    CloseAnswer.CATALOGUE: "The till changes or reads many articles now.",
    CloseAnswer.FILES: "The till writes a file or a backup now.",
}


def stop_command(data: Path, *, wait: float, alone: bool, out: TextIO, errors: TextIO) -> int:
    """Stop till and server of the folder and of its demo, print which ran, and return the exit
    code. wait: the limit in seconds. alone: stop nothing where a program of another folder runs
    too. errors: gets the reason why something goes on."""
    until = time.monotonic() + wait
    folders = shops_in(data)
    if alone and others_run(folders):
        print("Another shop is open on this computer. Nothing was changed.", file=errors)
        return BUSY
    for folder in folders:
        ran = _running(folder)
        try:
            why = _closed(folder, until)
        except PosError as error:
            why = str(error)
        if why:
            print(f"{why} What runs on {folder} goes on; nothing was changed.", file=errors)
            return BUSY
        rest = " but the service" if is_kept_by_service(folder) else ""
        stopped = f"Stopped {' and '.join(ran)}. " if ran else ""
        print(f"{stopped}Nothing runs on {folder}{rest}.", file=out)
    return STOPPED


def _running(folder: Path) -> list[str]:
    """Return the running programs of a folder without the service's."""
    locks = {"the till": Path("till", LOCK_NAME)}
    if not is_kept_by_service(folder):
        locks["the server"] = SERVER_LOCK
    return [name for name, lock in locks.items() if runs(folder, lock)]


def stop_for_service(data: Path, *, wait: float, out: TextIO) -> int:
    """Stop only the server of the folder, as its service does, and return the exit code. A till
    that uses the server goes on, and waits for the next server."""
    until = time.monotonic() + wait
    why = asyncio.run(_receipt_under_way(data, until)) if runs(data, SERVER_LOCK) else ""
    why = why or asyncio.run(_stop_server(data, until))
    print(why or f"The server of {data} is stopped.", file=out)
    return BUSY if why else STOPPED


def stop_left_over(data: Path, *, wait: float) -> None:
    """Stop a server that a till of the folder started or took over, and left behind. A server that
    a person or a service started goes on, and so does one that does not end in time."""
    seen = last_server(data)
    if is_kept_by_service(data) or seen is None or seen.by_hand or not runs(data, SERVER_LOCK):
        return
    until = time.monotonic() + wait
    if not asyncio.run(_receipt_under_way(data, until)):
        asyncio.run(_stop_server(data, until))


def runs(data: Path, lock: Path) -> bool:
    """Tell whether a program holds this lock of a data folder. No folder is made."""
    return (data / lock).exists() and is_held(data / lock)


def _closed(data: Path, until: float) -> str:
    """Close everything; return why that failed, or ""."""
    till = Path("till", LOCK_NAME)
    if runs(data, SERVER_LOCK) and (why := asyncio.run(_receipt_under_way(data, until))):
        return why
    while runs(data, till):
        left = round((until - time.monotonic()) * 1000)
        answer = ask_to_close(data, within_ms=max(1, min(left, _CALL_MS)))
        if answer is CloseAnswer.CLOSING:
            break
        if time.monotonic() >= until - _LOOK_SECONDS:
            return _WORDS[answer] if runs(data, till) else ""
        time.sleep(_LOOK_SECONDS)
    if not _let_go(data, till, until):
        return "The till was asked to close, and has not ended yet."
    if is_kept_by_service(data):
        return ""
    return asyncio.run(_stop_server(data, until))


def _let_go(data: Path, lock: Path, until: float) -> bool:
    while runs(data, lock):
        if time.monotonic() >= until:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


# --- the server ----------------------------------------------------------------------------------


async def _receipt_under_way(data: Path, until: float) -> str:
    """Wait while a receipt is at the processor; return why the wait ended too early, or "". A
    server that does not answer is reported when it is asked to end."""
    while True:
        if not any(one.state == RequestState.SENDING for one in await _open_receipts(data)):
            return ""
        if time.monotonic() >= until:
            return "A receipt is on its way to the fiscal processor."
        await asyncio.sleep(_LOOK_SECONDS)


async def _open_receipts(data: Path) -> tuple[OpenReceipt, ...]:
    """Return the receipts without an outcome; none where the server does not answer."""
    api = _api(data)
    if api is None:
        return ()
    try:
        if not isinstance(await FiscalHttp(api).prove(), ServerFacts):
            return ()
        status = await FiscalHttp(api).status()
    finally:
        await api.close()
    return status.open if isinstance(status, ServerStatus) else ()


async def _stop_server(data: Path, until: float) -> str:
    """Ask the server to end, again and again until its lock is released. The server first ends the
    sendings and prints that are under way."""
    while runs(data, SERVER_LOCK):
        if time.monotonic() >= until:
            return "The server did not end."
        if (api := _api(data)) is not None:
            try:
                await _ask(api)
            finally:
                await api.close()
        await asyncio.sleep(_LOOK_SECONDS)
    return ""


async def _ask(api: LocalApi) -> None:
    """Ask the server to end. Only a server that proved to be this installation's gets the token."""
    answer = await FiscalHttp(api).prove()
    if isinstance(answer, ServerFacts) or (isinstance(answer, ForeignServer) and answer.version):
        try:
            await DoubtHttp(api).stop()
        except RemoteError:
            return  # the server ends already, or is asked again


def _api(data: Path) -> LocalApi | None:
    """Return the server's API, or None while its address is unknown, or where the server could not
    prove its identity. The settings are not read: programs can be closed while these are lost or
    broken."""
    address, install = last_address(data), known_install(data)
    return None if address is None or install is None else LocalApi(address, install)
