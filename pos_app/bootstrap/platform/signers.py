"""The signers of certificate mode: kept running beside the platform's workers, which ask them."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import secrets
import sys
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from pos_app import log
from pos_app.adapters.lock import FolderLock
from pos_app.adapters.pfr.certificate_process import read_facts
from pos_app.adapters.signer_client import (
    SignerClient,
    element_folder,
    home_of,
    signer_folder,
    signers_folder,
)
from pos_app.bootstrap.platform.workers import Child
from pos_app.domain.certificate import CertificateFacts
from pos_app.domain.signer_state import SignerState
from pos_app.errors import (
    AlreadyRunning,
    DataFolderNotWritable,
    Invalid,
    NotDelivered,
    OutcomeUnknown,
    SettingsBroken,
)
from pos_app.keep_running import keep_running
from pos_app.settings import Settings

_MOST_KNOWN = 4096
_MOST_READ = 2
"""Certificates that are opened at once, each in a process of its own."""
_AGAIN_SECONDS = 0.5
_STATE_SECONDS = 2.0

_log = log.get(__name__)


@asynccontextmanager
async def signing(settings: Settings, *, log_json: bool) -> AsyncIterator[None]:
    """While inside, the signers of the settings run. Raises AlreadyRunning, SettingsBroken,
    DataFolderNotWritable.

    The platform answers before they do: until then nothing is handed over.
    """
    number = settings.platform_server.signers
    if not number:
        yield
        return
    if sys.platform == "win32":
        raise SettingsBroken(
            "The platform has no signers here: that needs Linux.",
            safe="Nothing was started.",
            do='Set "platform_server.signers" to 0.',
            kind="signers",
        )
    with FolderLock(signers_folder(settings.data) / "signers.lock", what="platform with signers"):
        stop = asyncio.Event()
        keep = partial(_keep, settings, number, stop, log_json=log_json)
        keeping = asyncio.create_task(keep_running(keep, "the signers", stop=stop), name="signers")
        try:
            yield
        finally:
            stop.set()
            await asyncio.gather(keeping, return_exceptions=True)


async def _keep(settings: Settings, number: int, stop: asyncio.Event, *, log_json: bool) -> None:
    """Run the signers until `stop`, once those of a platform that was killed have ended."""
    is_told = False
    while not stop.is_set():
        try:
            bring_home(settings.data, number)
            break
        except (AlreadyRunning, DataFolderNotWritable) as error:
            if not is_told:
                _log.warning("the signers can't be started yet: %s", error.what)
            is_told = True
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), timeout=_AGAIN_SECONDS)
    keeping = []
    for one in range(number):
        signer = Child(settings.data, ["--signer", str(one)], {}, log_json=log_json)
        keep = partial(signer.keep, stop, must_begin=False)
        keeping.append(keep_running(keep, f"signer {one}", stop=stop))
    await asyncio.gather(*keeping)


def bring_home(data: Path, number: int) -> None:
    """Move each element to the signer that has it when there are so many. No signer runs.

    Raises AlreadyRunning where one still does, DataFolderNotWritable.
    """
    for folder in sorted(signers_folder(data).glob("[0-9]*")):
        with FolderLock(folder / "signer.lock", what="signer"):
            for element in sorted(folder.glob("????????")):
                home = signer_folder(data, home_of(element.name, number))
                if not element.is_dir() or home == folder:
                    continue
                try:
                    home.mkdir(parents=True, exist_ok=True)
                    element.rename(element_folder(home, element.name))
                except OSError as error:
                    raise DataFolderNotWritable.of(home, error) from error
                _log.info("an element has another signer now: %s", element.name)


class PlatformSigners:
    """Implements platform_api.certificate_mode.Signers.

    What a certificate says is remembered, so that its file is opened once; the file is not.
    """

    def __init__(self, settings: Settings) -> None:
        self._number = settings.platform_server.signers
        self._client = SignerClient(settings.data, signers=self._number)
        self._marking = secrets.token_bytes(32)
        self._known: OrderedDict[bytes, CertificateFacts] = OrderedDict()
        self._reading = asyncio.Semaphore(_MOST_READ)

    async def close(self) -> None:
        await self._client.close()

    async def facts(self, pfx: bytes, password: str) -> CertificateFacts:
        """Raises SetupWrong."""
        told = f"{len(password)} {password} ".encode()
        mark = hmac.digest(self._marking, told + pfx, hashlib.sha256)
        if facts := self._known.get(mark):
            return facts
        async with self._reading:
            facts = self._known[mark] = await read_facts(pfx, password)
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return facts

    async def ask(self, uid: str, request: bytes) -> bytes:
        """Raises NotDelivered, OutcomeUnknown."""
        return await self._client.ask(uid, request)

    async def states(self) -> Sequence[SignerState | None]:
        """Of each signer, by its number; None for one that does not answer in time."""
        return await asyncio.gather(*map(self._state, range(self._number)))

    async def _state(self, number: int) -> SignerState | None:
        try:
            async with asyncio.timeout(_STATE_SECONDS):
                return await self._client.state(number)
        except (NotDelivered, OutcomeUnknown, Invalid, TimeoutError):
            return None
