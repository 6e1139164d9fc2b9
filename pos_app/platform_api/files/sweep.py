"""Removes objects that no file names. An upload leaves them if it is interrupted before its row is
written.

Several workers may sweep at once: removing a missing object is no fault. If more files are unknown
than known, they belong to another database, or this one is an older copy; then nothing is removed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from datetime import timedelta
from random import uniform

from sqlalchemy import select

from pos_app import log
from pos_app.clock import Clock
from pos_app.errors import MachineError
from pos_app.platform_api.database.engine import Database
from pos_app.platform_api.database.tables import FILE_CONTENT
from pos_app.platform_api.picture_files import PictureFiles

OLD = timedelta(days=1)
"""An upload that takes this long was given up."""
_DAY_SECONDS = 24 * 60 * 60.0
_FIRST_SECONDS = (1800.0, 5400.0)
"""The time after the start, at random, so that workers list the files at different times."""
_ASKED_AT_ONCE = 500
_OBJECT = re.compile(
    r"([0-9a-f]{2})/(\1[0-9a-f]{6}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/[0-9a-z]+"
)

_log = log.get(__name__)


async def keep_swept(database: Database, files: PictureFiles, clock: Clock) -> None:
    """Sweep once a day, for ever."""
    await asyncio.sleep(uniform(*_FIRST_SECONDS))
    while True:
        try:
            await sweep(database, files, clock)
        except MachineError as error:
            _log.warning("objects that no file names can't be looked for now: %s", error.what)
        await asyncio.sleep(_DAY_SECONDS)


async def sweep(database: Database, files: PictureFiles, clock: Clock) -> int:
    """Remove objects without a file that are older than a day; return the number of their ids.
    Raises MachineError."""
    old: dict[str, list[str]] = {}
    async for name in files.older(clock.now() - OLD):
        if (found := _OBJECT.fullmatch(name)) is not None:
            old.setdefault(found[2], []).append(name)
    known = await _known(database, old)
    unknown = sorted(old.keys() - known)
    if len(unknown) > len(known):
        _log.error(
            "%d files of the store are in this database and %d are not: is it the right one?"
            " Nothing is removed",
            len(known),
            len(unknown),
        )
        return 0
    for file_id in unknown:
        await files.delete(old[file_id])
    if unknown:
        _log.info("objects of %d files that were never finished are removed", len(unknown))
    return len(unknown)


async def _known(database: Database, ids: Iterable[str]) -> set[str]:
    wanted, known = list(ids), set[str]()
    for at in range(0, len(wanted), _ASKED_AT_ONCE):
        some = FILE_CONTENT.c.file_id.in_(wanted[at : at + _ASKED_AT_ONCE])
        async with database.reading() as connection:
            known.update(
                (await connection.execute(select(FILE_CONTENT.c.file_id).where(some))).scalars()
            )
    return known
