"""`pos-app platform` as a program for tests with many requests."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pos_app import settings
from pos_app.bootstrap.platform.accounts import add_account, add_key
from tests.e2e.nursery import born


@contextmanager
def serving_quietly(folder: Path, *more: str, **environment: str) -> Iterator[str]:
    """Serve and yield the address. A pipe for the log would fill, and hold the program up."""
    with folder.with_name("platform.log").open("wb") as log:
        words = ("platform", "--data", str(folder), "--port", "0", *more)
        child = born(*words, errors=log, **environment)
        try:
            yield child.stdout.readline().strip()
        finally:
            child.terminate()
            child.communicate(timeout=30)


def key_of_new_account(folder: Path, database_url: str = "") -> tuple[str, str]:
    """Make an account as the command line does. Not for use on a running loop."""

    async def made() -> tuple[str, str]:
        told = settings.load(folder, platform_server={"database_url": database_url})
        key = await add_key(told, await add_account(told, "Прва"))
        return key.id, key.secret

    return asyncio.run(made())
