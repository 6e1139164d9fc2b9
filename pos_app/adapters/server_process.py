"""The till's own server: started as a child, watched, started again; a left-over one replaced.

Source: exactly-once.md, "Till and server know each other"; architecture.md, "Programs and files".
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pos_app import log
from pos_app.adapters.fiscal_exchange import LocalApi
from pos_app.adapters.fiscal_http import DoubtHttp, FiscalHttp
from pos_app.adapters.install import Install
from pos_app.adapters.server_address import last_address
from pos_app.errors import DataFolderNotWritable, RemoteError
from pos_app.selling.answers import NotTold, ProofAnswer, ServerFacts, Stranger

_LOOK_SECONDS = 0.1
_ADOPTED_LOOK_SECONDS = 1.0
_PAUSES_SECONDS = (0.0, 0.5, 1.0, 2.0, 5.0)
"""Between the end of one server and the start of the next; the last one is repeated."""
_STEADY_SECONDS = 30.0
"""A server that ran this long starts the pauses anew."""
_STOP_SECONDS = 15.0
_STOP_LOOKS = round(_STOP_SECONDS / _LOOK_SECONDS)

_log = log.get(__name__)


class ServerProcess:
    """Keeps a server of `install` answering on `port` while `keep` runs."""

    def __init__(self, *, data: Path, install: Install, port: int, adopt: bool) -> None:
        """adopt: a running server of this very version may go on; a demo never adopts one."""
        self._data = data
        self._install = install
        self._port = port
        self._adopt = adopt
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is no child."""
        return self._child.pid if self._child is not None else None

    async def keep(self) -> None:
        """For ever: have a server running. Ends only by being cancelled."""
        failures = 0
        while True:
            if not await self._orphan_goes_on():
                await asyncio.sleep(_PAUSES_SECONDS[min(failures, len(_PAUSES_SECONDS) - 1)])
                began = asyncio.get_running_loop().time()
                status = await self._run_child()
                steady = asyncio.get_running_loop().time() - began > _STEADY_SECONDS
                failures = 0 if steady else failures + 1
                _log.warning("the server ended", extra={"fields": {"status": status}})

    async def stop(self) -> None:
        """End the child gracefully; after a while, by force."""
        child = self._child
        if child is None or child.poll() is not None:
            return
        if sys.platform == "win32":
            await self._ask_to_stop(f"http://127.0.0.1:{self._port}")
        else:
            child.terminate()
        if not await _ended(child, _STOP_SECONDS):
            child.kill()
            child.wait()
        self._child = None

    # --- the child --------------------------------------------------------------------------

    async def _run_child(self) -> int:
        child = self._child = self._start()
        return await asyncio.to_thread(child.wait)

    def _start(self) -> subprocess.Popen[bytes]:
        options: dict[str, object] = {"start_new_session": True}
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
            options = {"creationflags": flags}
        logs = self._data / "logs"
        try:
            logs.mkdir(parents=True, exist_ok=True)
            with (logs / "server.log").open("ab") as errors:
                return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
                    self._command(),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    env=os.environ | {"PYTHONUNBUFFERED": "1"},
                    **options,
                )
        except OSError as error:
            raise DataFolderNotWritable(
                f"The server can't be started: {error}.",
                safe="Confirmed sales are safe in the till.",
                do="Check the rights of the data folder and the installation.",
                path=str(logs),
            ) from error

    def _command(self) -> Sequence[str]:
        return (
            sys.executable,
            "-m",
            "pos_app",
            "server",
            "--data",
            str(self._data),
            "--port",
            str(self._port),
            "--log-json",
        )

    # --- one that was left over ----------------------------------------------------------------

    async def _orphan_goes_on(self) -> bool:
        """Adopt a running server while it lasts, or have it stopped. False: none is running."""
        address = last_address(self._data)
        if address is None:
            return False
        told = await self._who_answers(address)
        if isinstance(told, ServerFacts) and self._adopt and address.endswith(f":{self._port}"):
            _log.info("a running server goes on")
            while isinstance(told, ServerFacts):
                await asyncio.sleep(_ADOPTED_LOOK_SECONDS)
                told = await self._who_answers(address)
            return True
        is_older = isinstance(told, Stranger) and told.reason.code == "other_version"
        if is_older or isinstance(told, ServerFacts):
            _log.info("a left-over server is replaced")
            await self._ask_to_stop(address)
        return False

    async def _who_answers(self, address: str) -> ProofAnswer:
        api = LocalApi(address, self._install)
        try:
            return await FiscalHttp(api).prove()
        finally:
            await api.close()

    async def _ask_to_stop(self, address: str) -> None:
        api = LocalApi(address, self._install)
        try:
            await DoubtHttp(api).stop()
            for _ in range(_STOP_LOOKS):
                if isinstance(await FiscalHttp(api).prove(), NotTold):
                    return
                await asyncio.sleep(_LOOK_SECONDS)
            _log.warning("a server that was asked to stop still answers")
        except RemoteError as error:
            _log.warning("a server did not stop when asked: %s", error.what)
        finally:
            await api.close()


async def _ended(child: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        await asyncio.to_thread(child.wait, seconds)
    except subprocess.TimeoutExpired:
        return False
    return True
