"""Keeps the signers of certificate mode running beside the platform's workers, which ask them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

from pos_app import log
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.lock import locked
from pos_app.adapters.signers.signer_folders import bring_home, signers_folder
from pos_app.bootstrap.platform.workers import Child
from pos_app.errors import AlreadyRunning, DataFolderNotWritable, SettingsBroken
from pos_app.keep_running import keep_running
from pos_app.settings import Settings

_AGAIN_MS = 500

_log = log.get(__name__)


@asynccontextmanager
async def signing(
    settings: Settings, *, log_json: bool, waits: Callable[[], bool]
) -> AsyncIterator[None]:
    """Run the signers of the settings while inside. Raises AlreadyRunning, SettingsBroken,
    DataFolderNotWritable.

    The platform answers before its signers do; until they answer, nothing is handed over. waits:
    tells whether to begin only when another platform with signers has ended. The signers of that
    platform must not be asked, because they may have another version or number.
    """
    number = settings.platform_server.signers
    if not number:
        yield
        return
    if sys.platform == "win32":
        raise SettingsBroken("signers")
    lock = signers_folder(settings.data) / "signers.lock"
    with await locked(lock, "platform with signers", waits):
        stop = asyncio.Event()
        keep = partial(_keep_running, settings, number, stop, log_json=log_json)
        keeping = asyncio.create_task(keep_running(keep, "the signers", stop=stop), name="signers")
        try:
            yield
        finally:
            stop.set()
            await asyncio.gather(keeping, return_exceptions=True)


async def _keep_running(
    settings: Settings, number: int, stop: asyncio.Event, *, log_json: bool
) -> None:
    """Run the signers until `stop`, once those of a killed platform have ended."""
    is_logged = False
    while not stop.is_set():
        try:
            bring_home(settings.data, number)
            break
        except (AlreadyRunning, DataFolderNotWritable) as error:
            if not is_logged:
                _log.warning("the signers can't be started yet: %s", error.what)
            is_logged = True
            await SystemClock().pause(_AGAIN_MS, until=stop)
    keeping = []
    for one in range(number):
        signer = Child(settings.data, ["--signer", str(one)], {}, log_json=log_json)
        keep = partial(_run_signer, signer, stop)
        keeping.append(keep_running(keep, f"signer {one}", stop=stop))
    await asyncio.gather(*keeping)


async def _run_signer(signer: Child, stop: asyncio.Event) -> None:
    """Run a signer until `stop`, also where it is started no more."""
    await signer.run(stop, must_begin=False)
    await stop.wait()
