"""`pos-app platform` as a program for tests that ask much of it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pos_app import settings
from pos_app.bootstrap.platform.accounts import add_account, add_key


@contextmanager
def serving_quietly(folder: Path, **environment: str) -> Iterator[str]:
    """Its address. What it logs goes into a file, so that a full pipe never holds it up."""
    with folder.with_name("platform.log").open("wb") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "pos_app", "platform", "--data", str(folder), "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=log,
            env=os.environ | environment,
            text=True,
        )
        try:
            assert child.stdout is not None
            yield child.stdout.readline().strip()
        finally:
            child.terminate()
            child.communicate(timeout=30)


def key_of_new_account(folder: Path, database_url: str = "") -> tuple[str, str]:
    """Key and secret of an account, made as the command line makes them; not on a running loop."""

    async def made() -> tuple[str, str]:
        told = settings.load(folder, platform_server={"database_url": database_url})
        key = await add_key(told, await add_account(told, "Прва"))
        return key.id, key.secret

    return asyncio.run(made())
