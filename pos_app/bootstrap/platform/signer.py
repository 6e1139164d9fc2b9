"""Runs a signer of the platform as a program. A signer is a shop's server for many secure elements.

Source: exactly-once.md, "Certificate mode".
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.lock import FolderLock
from pos_app.adapters.http_server.protocol import ConnectionLimits
from pos_app.adapters.http_server.serving import serve, stop_on_signals
from pos_app.adapters.signers.signer_client import Door
from pos_app.adapters.signers.signer_folders import signer_folder
from pos_app.bootstrap.issuing.issuing import end
from pos_app.bootstrap.platform.elements import elements_of
from pos_app.bootstrap.platform.workers import no_core_files, until_parent_ends
from pos_app.local_api.signer_door import SignerDoor
from pos_app.settings import Settings

_CONNECTIONS = 1024


async def run_signer(settings: Settings, number: int, *, ready: Callable[[str], None]) -> None:
    """Serve the elements of one signer until SIGTERM, or until its parent ends. Raises
    AlreadyRunning, SettingsBroken."""
    no_core_files()
    folder = signer_folder(settings.data, number)
    stop = asyncio.Event()
    with stop_on_signals(stop), FolderLock(folder / "signer.lock", what="signer") as lock:
        watching = asyncio.create_task(until_parent_ends(stop), name="end with the parent")
        elements = elements_of(settings, folder, lock)
        keeping = asyncio.create_task(elements.run(), name="keep the elements")
        token = secrets.token_urlsafe(32)

        def on_ready(address: str) -> None:
            Door(address, token).write(folder)
            ready(address)

        try:
            door = SignerDoor(elements=elements, token=token, clock=SystemClock())
            await serve(
                door.app(),
                host="127.0.0.1",
                port=0,
                ready=on_ready,
                stop=stop,
                limits=ConnectionLimits(connections=_CONNECTIONS, open_connections=_CONNECTIONS),
            )
        finally:
            await end(watching)
            await end(keeping)
            await elements.close()
