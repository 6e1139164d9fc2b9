"""A copy of the SQLite database while programs read and write it.

`VACUUM INTO` copies the state of one moment, without waiting for writers and without making them
wait. A plain copy of the file lacks the content of the log beside it.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from pos_app.errors import MachineError
from pos_app.platform_api.database.engine import check_there
from pos_app.platform_api.database.lost_log import is_without_log, note_closed, note_copied
from pos_app.platform_api.database.write_lock import WriteLock


async def copy_database(file: Path, copy: Path) -> None:
    """Write `copy`, whole or not at all; it is one file, for this user alone. Raises NotFound where
    there is no database, MachineError where the copy exists already or can't be written,
    DatabaseBusy."""
    await asyncio.to_thread(check_there, file)
    draft = copy.with_name(f"{copy.name}.new")
    lock = WriteLock(file.with_name("platform.lock"))
    try:
        await asyncio.to_thread(_begin, draft, copy)
        try:
            was_without_log = await _write(file, draft, lock)
            await asyncio.to_thread(_finish, draft, copy, was_without_log=was_without_log)
        except BaseException:
            await asyncio.to_thread(_let_go, draft, copy)
            raise
    except (OSError, DBAPIError) as error:
        reason = error.orig if isinstance(error, DBAPIError) else error.strerror
        raise MachineError("copy", name=copy.name, said=reason) from error
    finally:
        lock.close()


async def _write(file: Path, draft: Path, lock: WriteLock) -> bool:
    """Copy the file; return whether it had lost its log and no row notes that yet."""
    was_without_log = await asyncio.to_thread(is_without_log, file)
    source = _engine(file)
    connection = await source.connect()
    try:
        await connection.exec_driver_sql("VACUUM INTO ?", (str(draft),))
    finally:
        async with lock.held():  # the last to close copies the log into the file
            await connection.close()
            await source.dispose()
            await asyncio.to_thread(note_copied, file, was_without_log=was_without_log)
    return was_without_log


def _engine(file: Path) -> AsyncEngine:
    url = URL.create("sqlite+aiosqlite", database=str(file))
    return create_async_engine(url, isolation_level="AUTOCOMMIT", poolclass=NullPool)


def _begin(draft: Path, copy: Path) -> None:
    os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    draft.unlink(missing_ok=True)


def _finish(draft: Path, copy: Path, *, was_without_log: bool) -> None:
    if not was_without_log:  # otherwise the copy keeps the mark, as the file does
        note_closed(draft)
    draft.chmod(0o600)
    with draft.open("rb+") as content:
        os.fsync(content.fileno())
    draft.replace(copy)


def _let_go(draft: Path, copy: Path) -> None:
    draft.unlink(missing_ok=True)
    copy.unlink(missing_ok=True)
