"""A platform's file whose tables are made already, which is most of the work of its first
opening."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from pos_app.platform_api.database.engine import FILE, Database


@cache
def _tables() -> bytes:
    async def made(folder: Path) -> None:
        await (await Database.open("", folder=folder)).close()

    with TemporaryDirectory() as folder, ThreadPoolExecutor(1) as beside:
        beside.submit(lambda: asyncio.run(made(Path(folder)))).result()
        return (Path(folder) / FILE).read_bytes()


def ready_platform(folder: Path) -> Path:
    """Put the file of a platform without accounts into the folder, unless there is one; return the
    folder."""
    if not (folder / FILE).exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILE).write_bytes(_tables())
    return folder
