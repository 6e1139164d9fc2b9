"""Brings new versions from an address: the signed manifest and the installer.

Source: updates.md.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import BinaryIO

import httpx

from pos_app import errors, log
from pos_app.adapters.data_folder.private_files import write_private
from pos_app.adapters.sqlite.faults import NO_ROOM
from pos_app.adapters.updates.elevated_install import SYSTEM
from pos_app.adapters.updates.elevated_start import check_installer_closes, start_elevated
from pos_app.adapters.updates.signed_release import is_whole, signed_release
from pos_app.adapters.updates.source import UpdateSource
from pos_app.domain.setup.release import InstallerFile, Release, Version
from pos_app.selling.updates import UpdateRecord
from pos_app.tls_faults import tls_fault, tls_sentence
from pos_app.wire.update_manifest import LARGEST

CONNECT_SECONDS, READ_SECONDS = 10.0, 30.0
MANIFEST_SECONDS, INSTALLER_SECONDS = 60.0, 3600.0
MOST_REDIRECTS = 5
_PIECE = 256 * 1024
_SHOW_SECONDS = 0.25
_RECORD = "update.json"

_log = log.get(__name__)


class UpdateHttp:
    """Implements selling.updates.UpdateChannel.

    source: the address that it asks, or why it may not. data: the till's data folder, with the
    installer and the memory. start: has an installer checked by its manifest and started. check:
    raises NotAllowed where an installer would not close the till of that folder.
    """

    def __init__(
        self,
        *,
        source: UpdateSource | errors.Refused,
        data: Path,
        system: str = SYSTEM,
        start: Callable[[Path, Path], None] = start_elevated,
        check: Callable[[Path], None] = check_installer_closes,
    ) -> None:
        self.system = system
        self._source = source
        self._data = data
        self._folder = data / "till" / "updates"
        self._start = start
        self._check = check

    async def look(self) -> Release:
        if isinstance(self._source, errors.Refused):
            raise self._source
        async with (
            self._answer(self._source.url, LARGEST) as (_, pieces),
            asyncio.timeout(MANIFEST_SECONDS),  # a slow body ends too
        ):
            body = b"".join([piece async for piece in pieces])
        return signed_release(body, self._source.key)

    async def fetch(
        self, release: Release, file: InstallerFile, on_progress: Callable[[int], None]
    ) -> Path:
        path = self._folder / f"pos-app-{release.version}{Path(file.url).suffix[:8] or '.bin'}"
        if not await asyncio.to_thread(is_whole, path, file):
            await self._bring(file, path, on_progress)
        write_private(_manifest_of(path), release.manifest)
        return path

    async def _bring(
        self, file: InstallerFile, path: Path, on_progress: Callable[[int], None]
    ) -> None:
        part = path.with_name(f"{path.name}.part")
        try:
            with _on_this_disk(self._folder):
                self._drop_others()
                with part.open("wb") as out:
                    await self._save(file, out, on_progress)
                part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    def check_may_start(self) -> None:
        self._check(self._data)

    async def start(self, installer: Path) -> None:
        # The person's answer is awaited in a thread: the window goes on meanwhile.
        await asyncio.to_thread(self._start, _manifest_of(installer), installer)

    def record(self) -> UpdateRecord:
        try:
            document = json.loads((self._folder / _RECORD).read_bytes())
            return UpdateRecord(_version(document.get("seen")), _version(document.get("started")))
        except FileNotFoundError:
            return UpdateRecord()
        except (OSError, ValueError, AttributeError, errors.Invalid) as error:
            _log.warning("what was remembered of updates can't be read: %s", error)
            return UpdateRecord()

    def save(self, record: UpdateRecord) -> None:
        members = {
            name: str(version)
            for name, version in (("seen", record.seen), ("started", record.started))
            if version is not None
        }
        with _on_this_disk(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        write_private(self._folder / _RECORD, json.dumps(members).encode())

    # --- parts -----------------------------------------------------------------------------------

    async def _save(
        self, file: InstallerFile, out: BinaryIO, on_progress: Callable[[int], None]
    ) -> None:
        digest, size, shown = hashlib.sha256(), 0, time.monotonic()
        async with (
            self._answer(file.url, file.size) as (_, pieces),
            asyncio.timeout(INSTALLER_SECONDS),
        ):
            async for piece in pieces:
                digest.update(piece)
                size += len(piece)
                await asyncio.to_thread(out.write, piece)
                if time.monotonic() - shown > _SHOW_SECONDS:
                    shown = time.monotonic()
                    on_progress(size)
        if size != file.size or digest.hexdigest() != file.sha256:
            raise errors.Refused("update_wrong_file")
        await asyncio.to_thread(_flush, out)

    @asynccontextmanager
    async def _answer(
        self, url: str, most: int
    ) -> AsyncIterator[tuple[httpx.Response, AsyncIterator[bytes]]]:
        """Get an answer of 200 and its body, piece by piece. Raises RemoteError."""
        timeout = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
        # Loading the authorities takes 30 ms, so it is done beside the window.
        trust = await asyncio.to_thread(httpx.create_ssl_context, trust_env=False)
        try:
            async with (
                httpx.AsyncClient(
                    timeout=timeout,
                    trust_env=False,
                    follow_redirects=True,
                    max_redirects=MOST_REDIRECTS,
                    verify=trust,
                    headers={"Accept-Encoding": "identity"},
                ) as client,
                client.stream("GET", url) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    raise errors.Refused(
                        "update_address",
                        reply_code=str(response.status_code),
                        status_code=response.status_code,
                    )
                yield response, _at_most(response, most)
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as error:
            raise _unreached(error) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, TimeoutError) as error:
            raise errors.OutcomeUnknown("update", fault=type(error).__name__) from error

    def _drop_others(self) -> None:
        """Delete installers of earlier versions, and the rest of one that was cut."""
        self._folder.mkdir(parents=True, exist_ok=True)
        for path in self._folder.glob("pos-app-*"):
            path.unlink(missing_ok=True)


def _unreached(error: Exception) -> errors.NotDelivered:
    fault = tls_fault(error)
    if fault is None:
        return errors.NotDelivered("update")
    words = tls_sentence(fault, of="The updates' server")
    return errors.NotDelivered(f"update_{fault}", what=words, tls=fault.value)


async def _at_most(response: httpx.Response, most: int) -> AsyncIterator[bytes]:
    """Iterate over the body as it was sent: decompressed it could exceed the limit."""
    size = 0
    async for piece in response.aiter_raw(_PIECE):
        size += len(piece)
        if size > most:
            raise errors.Refused("update_too_large")
        yield piece


def _flush(out: BinaryIO) -> None:
    out.flush()
    os.fsync(out.fileno())


@contextmanager
def _on_this_disk(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise errors.DiskFull("update") from error
        raise errors.DataFolderNotWritable.of(folder, error) from error


def _manifest_of(installer: Path) -> Path:
    """Return the manifest that described this installer, and no later one."""
    return installer.with_name(f"{installer.name}.json")


def _version(text: object) -> Version | None:
    return Version.parse(text) if isinstance(text, str) else None
