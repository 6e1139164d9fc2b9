"""Stores the bytes of files: in a folder, or in a bucket that speaks S3.

The library's blocking calls are run in threads of ours. Its calls for asyncio are not used: after
them its own threads may still work when the interpreter ends, which then aborts (1 of 15 times with
version 0.12.1).
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, ParamSpec, Self, TypeVar

import obstore
from obstore.exceptions import BaseError, NotFoundError, PermissionDeniedError
from obstore.store import LocalStore, ObjectStore, from_url

from pos_app import errors, log

FOLDER = "files"
LOOK_SECONDS = 60.0
"""The pause between two looks whether the folder or bucket answers."""
AT_ONCE = 16
"""Requests of one worker to the folder or bucket at once; further ones wait."""
_CHUNK = 256 * 1024
_PAGE = 1000
_LOOKED_FOR = "look"
"""The object that a look asks for, and that it writes after a failed write."""
_CONNECT, _ANSWER = timedelta(seconds=5), timedelta(seconds=30)
_RETRY = timedelta(seconds=10)
_NOT_THERE = (NotFoundError, FileNotFoundError)
_NO_BUCKET = "NoSuchBucket"
_STATUS = re.compile(r"non-2xx status code: (\d{3})")
_WORD = re.compile(r"<Code>(\w{1,40})</Code>")
_REDIRECTED = "Received redirect"
_NO_CONNECTION = "kind: Connect,"
"""The library's words where a bucket can't be reached, and no bytes were sent."""

_log = log.get(__name__)

_Act = Literal["reading", "writing", "deleting"]
P = ParamSpec("P")
T = TypeVar("T")


class PictureFiles:
    """Objects by name. Every method but `keep_looking` raises MachineError where the folder or
    bucket fails. fault: the latest fault in words, or "". A successful act ends its own fault; a
    successful write ends all."""

    def __init__(self, objects: ObjectStore, *, is_bucket: bool) -> None:
        self._failed: dict[_Act, str] = {}
        self._objects = objects
        self._is_bucket = is_bucket
        self._threads = ThreadPoolExecutor(AT_ONCE, "store of files")

    @classmethod
    def open(cls, address: str, *, folder: Path) -> Self:
        """Open the bucket at `address`, "s3://bucket/prefix", or with "" the folder. The bucket's
        keys, region and end point are those of the environment (AWS_ACCESS_KEY_ID,
        AWS_SECRET_ACCESS_KEY, AWS_REGION, AWS_ENDPOINT). Raises SettingsBroken."""
        try:
            objects = _bucket(address) if address else LocalStore(folder, mkdir=True)
        except (BaseError, ValueError) as error:
            raise errors.SettingsBroken("files") from error
        return cls(objects, is_bucket=bool(address))

    @property
    def fault(self) -> str:
        return next(reversed(self._failed.values()), "")

    async def put_all(self, objects: Mapping[str, bytes]) -> None:
        """Write the objects at the same time. When a failure is raised the other writes have ended,
        too, and their objects may exist."""
        with self._reporting_faults("writing"):
            puts = [self._run(obstore.put, self._objects, *each) for each in objects.items()]
            for outcome in await asyncio.gather(*puts, return_exceptions=True):
                if isinstance(outcome, BaseException):
                    raise outcome

    async def get(self, name: str) -> tuple[int, AsyncIterator[bytes]]:
        """Return size and content. Raises NotFound."""
        with self._reporting_faults():
            try:
                found = await self._run(obstore.get, self._objects, name)
            except _NOT_THERE as error:
                if _NO_BUCKET in str(error):
                    raise
                raise errors.NotFound("platform_file") from error
        return found.meta["size"], self._pieces(found)

    async def _pieces(self, stored_file: obstore.GetResult) -> AsyncIterator[bytes]:
        parts = iter(stored_file.stream(min_chunk_size=_CHUNK))
        with self._reporting_faults():
            while (part := await self._run(next, parts, None)) is not None:
                yield bytes(part)

    async def older(self, instant: datetime) -> AsyncIterator[str]:
        """Iterate over the names of objects last written before that instant."""
        with self._reporting_faults():
            pages = iter(obstore.list(self._objects, chunk_size=_PAGE))
            while (page := await self._run(next, pages, None)) is not None:
                for each in page:
                    if each["last_modified"] < instant:
                        yield each["path"]

    async def delete(self, names: Iterable[str]) -> None:
        """Delete objects; missing ones are no fault."""
        with self._reporting_faults("deleting"):
            gone = [self._run(obstore.delete, self._objects, name) for name in names]
            for outcome in await asyncio.gather(*gone, return_exceptions=True):
                if isinstance(outcome, BaseException) and not _is_not_there(outcome):
                    raise outcome

    async def look(self) -> None:
        with self._reporting_faults():
            found = iter(obstore.list(self._objects, prefix=_LOOKED_FOR, chunk_size=1))
            await self._run(next, found, None)
        if "writing" in self._failed:
            await self.put_all({_LOOKED_FOR: b""})

    async def keep_looking(self) -> None:
        """Look for ever; faults are logged and kept in `fault`."""
        while True:
            with suppress(errors.MachineError):  # the fault was reported
                await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def _run(self, act: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: act(*args, **named))

    @contextmanager
    def _reporting_faults(self, act: _Act = "reading") -> Iterator[None]:
        try:
            yield
        except (BaseError, OSError) as error:
            fault = _of_bucket(error) if self._is_bucket else _of_folder(error)
            if fault.what != self._failed.pop(act, ""):
                _log.error("%s %s", fault.what, fault.do)
            self._failed[act] = fault.what  # the last one counts
            raise fault from error
        except errors.NotFound:
            self._works(act)
            raise
        else:
            self._works(act)

    def _works(self, act: _Act) -> None:
        for mended in tuple(self._failed) if act == "writing" else (act,):
            if self._failed.pop(mended, ""):
                _log.info("the platform's store of files can be used again for %s", mended)


def _bucket(address: str) -> ObjectStore:
    """Open a bucket; one that is away is reported within seconds, not minutes."""
    # Plain http is allowed for a bucket next to the platform.
    is_plain = os.environ.get("AWS_ENDPOINT", "").startswith("http://")
    return from_url(
        address,
        client_options={"connect_timeout": _CONNECT, "timeout": _ANSWER, "allow_http": is_plain},
        retry_config={"max_retries": 2, "retry_timeout": _RETRY},
    )


def _is_not_there(error: BaseException) -> bool:
    return isinstance(error, _NOT_THERE) and _NO_BUCKET not in str(error)


# --- faults of the store --------------------------------------------------------------------------
# No row names a failed object, so the platform's own data are unchanged in each case.


def _of_bucket(error: Exception) -> errors.MachineError:
    """Describe the bucket's answer, or its absence: refusals and missing buckets need a person,
    other faults may pass. The library's own words hold addresses and the bucket's whole answer, so
    they are not repeated."""
    message = str(error)
    status, code = _STATUS.search(message), _WORD.search(message)
    word = f" ({code[1]})" if code else ""
    match int(status[1]) if status else 0:
        case 401 | 403:
            return errors.MachineError("store_keys", word=word)
        case 404:
            return _no_bucket(word)
        case 0 if _REDIRECTED in message:
            return _no_bucket("")
        case 0 if _NO_CONNECTION in message:
            return errors.MachineError("store_away")
        case 0:
            return errors.MachineError("store_silent")
        case number:
            return errors.MachineError("store_answer", number=number, word=word)


def _no_bucket(word: str) -> errors.MachineError:
    return errors.MachineError("bucket", word=word)


def _of_folder(error: Exception) -> errors.MachineError:
    message = str(error)
    if "No space left" in message or "Disk quota" in message:
        return errors.DiskFull("platform_files")
    if isinstance(error, PermissionDeniedError | PermissionError) or "Permission denied" in message:
        return errors.MachineError("folder_rights")
    return errors.MachineError("folder")
