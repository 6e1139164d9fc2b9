"""A package exchanges the files of a platform that runs: real processes from an unpacked tree of
their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.integration.platform_api.test_platform_program import eventually, is_running, workers_of
from tests.integration.till.test_program_replaced import tree

__all__ = ["tree"]

NOT_AGAIN = "is not started again: another version of the program was installed"
SAID = "Another version of the program was installed while this one runs."

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no open file is exchanged there")


def exchange(tree: Path) -> None:
    """Install another version, as dpkg does: a new file takes the name of the old one."""
    old = tree / "pos_app/__init__.py"
    new = old.with_name("__init__.py.dpkg-new")
    new.write_text(old.read_text("utf-8").replace('__version__ = "', '__version__ = "99.'), "utf-8")
    new.replace(old)


@contextmanager
def platform_of(tree: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """Run the platform of a tree; yield it with its address and its log."""
    log = tree.parent / "platform.log"
    program = [sys.executable, "-P", "-m", "pos_app", "platform", "--port", "0", *words]
    with log.open("wb") as errors:
        child = subprocess.Popen(
            program,
            env=os.environ | {"PYTHONPATH": str(tree)},
            cwd=tree.parent,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert child.stdout is not None
    with child:
        try:
            yield child, child.stdout.readline().strip(), log
        finally:
            child.terminate()


def version_at(address: str) -> str:
    told: str = httpx.get(f"{address}/health", trust_env=False, timeout=30).json()["version"]
    return told


def test_no_worker_of_another_version_is_started(
    tree: Path, folder: Path, postgresql_address: str
) -> None:
    words = ("--data", str(folder), "--database-url", postgresql_address, "--workers", "2")
    with platform_of(tree, *words) as (parent, address, log):
        first, second = workers_of(parent.pid)
        version = version_at(address)
        exchange(tree)
        os.kill(first, signal.SIGKILL)
        eventually(lambda: NOT_AGAIN in log.read_text("utf-8"))
        assert workers_of(parent.pid) == {second}
        assert version_at(address) == version
        os.kill(second, signal.SIGKILL)
        assert parent.wait(30) == 1  # its service starts the whole platform anew
    assert SAID in log.read_text("utf-8")


def test_no_signer_of_another_version_is_started(tree: Path, folder: Path) -> None:
    with platform_of(tree, "--data", str(folder), "--signers", "1") as (parent, address, log):
        eventually(lambda: len(workers_of(parent.pid)) == 1)
        (signer,) = workers_of(parent.pid)
        exchange(tree)
        os.kill(signer, signal.SIGKILL)
        eventually(lambda: NOT_AGAIN in log.read_text("utf-8"))
        eventually(lambda: not is_running(signer))
        assert not workers_of(parent.pid)
        assert not version_at(address).startswith("99.")
        told = httpx.get(f"{address}/health", trust_env=False, timeout=30).json()
        assert told["warnings"] == [f"{SAID} Start it anew."]
        parent.terminate()
        assert parent.wait(30) == 0
