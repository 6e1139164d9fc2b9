"""The till's own server: started as a child, watched, started again; a left-over one replaced.

Source: exactly-once.md, "Till and server know each other"; architecture.md, "Programs and files".
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from pos_app import __version__, log
from pos_app.adapters.api_client.decisions import DoubtHttp
from pos_app.adapters.api_client.exchange import LocalApi
from pos_app.adapters.api_client.receipts import FiscalHttp
from pos_app.adapters.install import Install
from pos_app.adapters.server_process.address import last_address
from pos_app.adapters.server_process.child import ServerChild
from pos_app.adapters.server_process.restart_delay import RestartDelay, RunEnd
from pos_app.errors import AlreadyRunning, MachineError, RemoteError
from pos_app.selling.server_answers import ForeignServer, NoAnswer, ProofAnswer, ServerFacts

_LOOK_SECONDS = 0.1
_ADOPTED_LOOK_SECONDS = 1.0
_STOP_SECONDS = 15.0
_STOP_LOOKS = round(_STOP_SECONDS / _LOOK_SECONDS)

_log = log.get(__name__)


class ServerProcess:
    """Keeps a server of `install` answering on `port` while `keep` runs."""

    def __init__(self, *, data: Path, install: Install, port: int, adopt: bool) -> None:
        """adopt: a running server of this very version, or a newer one of its line, may go on;
        an older one is replaced, and a demo adopts none.
        """
        self._data = data
        self._install = install
        self._port = port
        self._adopt = adopt
        self._child: subprocess.Popen[bytes] | None = None
        self._asked = asyncio.Event()
        self._on_fault: list[Callable[[MachineError | None], None]] = []

    def listen(self, on_fault: Callable[[MachineError | None], None]) -> None:
        """Call back with why no server can be started; with None as soon as one answers."""
        self._on_fault.append(on_fault)

    def try_again(self) -> None:
        self._asked.set()

    @property
    def port(self) -> int:
        """Where the server answers on the loopback."""
        return self._port

    @property
    def pid(self) -> int | None:
        """The child's process id, None while there is no child."""
        return self._child.pid if self._child is not None else None

    async def keep(self) -> None:
        patience, pause = RestartDelay(), 0.0
        while True:
            await self._wait(pause)
            if await self._orphan_goes_on():
                patience = RestartDelay()
            end = await self._run_child()
            if end.fault is not None:
                _log.error("no server can be started: %s", end.fault.what)
                self._tell(end.fault)
            pause = patience.after(end)

    async def _wait(self, seconds: float) -> None:
        """Wait, or until a person asks."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._asked.wait()
        self._asked.clear()

    def _tell(self, fault: MachineError | None) -> None:
        for listener in self._on_fault:
            listener(fault)

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

    async def _run_child(self) -> RunEnd:
        """Start a server and wait for its end. What keeps it from starting may be over soon."""
        try:
            child = ServerChild(data=self._data, port=self._port)
        except MachineError as error:
            return RunEnd(answered=False, lasted_seconds=0.0, fault=error)
        self._child = child.process
        return await child.ended(on_ready=lambda: self._tell(None))

    # --- one that was left over ----------------------------------------------------------------

    async def _orphan_goes_on(self) -> bool:
        """Wait while a running server may stay; stop an older one. False: start one."""
        address = last_address(self._data)
        if address is None:
            return False
        told = await self._who_answers(address)
        if self._stays(told, address):
            _log.info("a running server goes on", extra={"fields": {"version": _version_of(told)}})
            if not self._is_usable(told, address):
                self._tell(_newer(_version_of(told)))
            while self._stays(told, address):
                await asyncio.sleep(_ADOPTED_LOOK_SECONDS)
                told = await self._who_answers(address)
            return True
        if _version_of(told):
            _log.info("a left-over server is replaced")
            await self._ask_to_stop(address)
        return False

    def _stays(self, told: ProofAnswer, address: str) -> bool:
        """Whether the server is used as it is, or is a newer one, which the till never stops."""
        version = _version_of(told)
        if version == __version__:
            return self._is_usable(told, address)
        return bool(version) and not _is_old(version)

    def _is_usable(self, told: ProofAnswer, address: str) -> bool:
        """Whether this till works with that server, if it stays: of its line, at its port."""
        fits = isinstance(told, ServerFacts) and self._adopt
        return fits and address.endswith(f":{self._port}")

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
                if isinstance(await FiscalHttp(api).prove(), NoAnswer):
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


def _newer(version: str) -> AlreadyRunning:
    return AlreadyRunning(
        f"A server of the newer version {version} is running on these data.",
        safe="It was left as it is.",
        do="Open the till of that version, or restart the computer.",
        kind="newer",
        version=version,
    )


def _version_of(told: ProofAnswer) -> str:
    """The version of a server that proved to be this installation's, "" of any other."""
    match told:
        case ServerFacts(version=version) | ForeignServer(version=version):
            return version
        case NoAnswer():
            return ""


def _is_old(version: str) -> bool:
    """Whether a version is not newer than ours. One that can't be read counts as newer."""
    numbers = _numbers(version)
    return bool(numbers) and numbers <= _numbers(__version__)


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d{1,9}(?:\.\d{1,9})*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()
