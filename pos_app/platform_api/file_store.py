"""Where the bytes of files are: a folder, or a bucket that speaks S3.

The library's calls that block are run in threads: after those for asyncio its own threads may
still be at work when the interpreter ends, which then aborts (1 of 15 times, 0.12.1).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Self

import obstore
from obstore.exceptions import BaseError, NotFoundError
from obstore.store import LocalStore, ObjectStore, from_url

from pos_app.errors import MachineError, NotFound, SettingsBroken

FOLDER = "files"
_CHUNK = 256 * 1024
_PAGE = 1000
"""Objects that are listed at once."""
_CONNECT, _ANSWER = timedelta(seconds=5), timedelta(seconds=30)
_RETRY = timedelta(seconds=10)


class FileStore:
    """Objects by name. Every method raises MachineError where the store fails."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    @classmethod
    def open(cls, address: str, *, folder: Path) -> Self:
        """The bucket at `address`, "s3://bucket/prefix", or the folder where it is "".

        The bucket's keys, region and end point are those of the environment (AWS_ACCESS_KEY_ID,
        AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT). Raises SettingsBroken.
        """
        try:
            store = _bucket(address) if address else LocalStore(folder, mkdir=True)
        except (BaseError, ValueError) as error:
            raise SettingsBroken(
                "The platform's store of files can't be opened.",
                safe="Nothing was started.",
                do='Write "platform_server.files" as "s3://bucket", or leave it out for a folder.',
                kind="files",
            ) from error
        return cls(store)

    async def put(self, name: str, content: bytes) -> None:
        with _faults_told():
            await asyncio.to_thread(obstore.put, self._store, name, content)

    async def get(self, name: str) -> tuple[int, AsyncIterator[bytes]]:
        """Size and content. Raises NotFound."""
        with _faults_told():
            try:
                found = await asyncio.to_thread(obstore.get, self._store, name)
            except (NotFoundError, FileNotFoundError) as error:
                raise NotFound("File not found") from error
        return found.meta["size"], _parts(found)

    async def older(self, instant: datetime) -> AsyncIterator[str]:
        """Names of the objects that were last written before that."""
        with _faults_told():
            pages = iter(obstore.list(self._store, chunk_size=_PAGE))
            while (page := await asyncio.to_thread(next, pages, None)) is not None:
                for each in page:
                    if each["last_modified"] < instant:
                        yield each["path"]

    async def delete(self, names: Iterable[str]) -> None:
        """Those that are not there are no fault."""
        with _faults_told():
            for name in names:
                try:
                    await asyncio.to_thread(obstore.delete, self._store, name)
                except (NotFoundError, FileNotFoundError):
                    continue


def _bucket(address: str) -> ObjectStore:
    """One that is away is told of within seconds, not minutes."""
    is_plain = os.environ.get("AWS_ENDPOINT", "").startswith("http://")  # beside the platform
    return from_url(
        address,
        client_options={"connect_timeout": _CONNECT, "timeout": _ANSWER, "allow_http": is_plain},
        retry_config={"max_retries": 2, "retry_timeout": _RETRY},
    )


async def _parts(found: obstore.GetResult) -> AsyncIterator[bytes]:
    parts = iter(found.stream(min_chunk_size=_CHUNK))
    while (part := await asyncio.to_thread(next, parts, None)) is not None:
        yield bytes(part)


@contextmanager
def _faults_told() -> Iterator[None]:
    try:
        yield
    except (BaseError, OSError) as error:
        raise MachineError(
            "The platform's store of files does not answer.",
            safe="Nothing was changed.",
            do='Look at what "platform_server.files" names, and at the space that is free there.',
        ) from error
