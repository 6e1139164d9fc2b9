"""`pos-app platform` as a program for tests that ask much of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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


def key_of_new_account(*words: str) -> tuple[str, str]:
    """The key of an account that is made by command line; words: where the platform is."""

    def told(*command: str) -> dict[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "pos_app", "platform", *command, "--json", *words],
            capture_output=True,
            text=True,
            check=True,
        )
        found: dict[str, str] = json.loads(done.stdout)
        return found

    account = told("account", "add", "Прва")["account"]
    key = told("key", "add", account)
    return key["key"], key["secret"]
