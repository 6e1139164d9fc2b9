"""Runs a program of ours unchanged, and kills it at the n-th commit of one of its databases, or a
worker of a platform, or its PostgreSQL, at a batch of statements.

    python -m tests.e2e.kill_at --file till.db --commit 7 --when before -- robot --data DIR …
    python -m tests.e2e.kill_at --file journal.db --commit 2 --when after -- server --data DIR …
    python -m tests.e2e.kill_at --file catalogue.db --commit 4 --when after -- catalogue_files …
    python -m tests.e2e.kill_at --statement "SET begun" --armed FILE -- platform --data DIR …

`before`: the transaction is about to be committed; `after`: it has just been, and nothing else
has happened. With `--commit 0` nothing is killed, and the commits are counted: the last line on
standard error is "commits 12". A batch counts once the file of `--armed` is there, and is the one
that has a statement with these words; with `--cluster` not the worker is killed but PostgreSQL.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

from tests.fakes.postgresql import Cluster


class Commits:
    """Counts the commits of the database of that name, and ends the process at one of them."""

    def __init__(self, name: str, *, kill_at: int, after: bool) -> None:
        self.count, self._name, self._kill_at, self._after = 0, name, kill_at, after
        self._is_due = False

    def watch(self, connection: apsw.Connection) -> None:
        if Path(connection.filename).name == self._name:
            connection.set_commit_hook(self._about_to_commit)
            connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, self._has_run)

    def _about_to_commit(self) -> bool:
        self.count += 1
        if self.count == self._kill_at:
            self._is_due = self._after
            if not self._after:
                _die()
        return False

    def _has_run(self, _: object) -> None:
        """Handle the end of a statement: of the one that committed, when a kill is due."""
        if self._is_due:
            _die()


def _watch_batches(words: str, *, armed: Path, after: bool, cluster: Path | None) -> None:
    from pos_app.platform_api.database import batches

    sent = batches.sent

    def is_due(batch: Sequence[Any]) -> bool:
        first = [next(one.begin())[0].postgresql for one in batch]
        return armed.exists() and any(words in text for text in first)

    def kill() -> None:
        if cluster is not None:
            Cluster(cluster, "").kill()
        armed.unlink()
        if cluster is None:
            _die()

    async def watched(driver: Any, batch: Sequence[Any]) -> list[Any]:
        kills = is_due(batch)
        if kills and not after:
            kill()
        told = await sent(driver, batch)
        if kills and after:
            kill()
        return told

    batches.sent = watched


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(command: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", default="")
    parser.add_argument("--commit", type=int, default=0)
    parser.add_argument("--statement")
    parser.add_argument("--armed", type=Path)
    parser.add_argument("--cluster", type=Path)
    parser.add_argument("--when", choices=("before", "after"), default="before")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    given = parser.parse_args(command)
    commits = Commits(given.file, kill_at=given.commit, after=given.when == "after")
    apsw.connection_hooks.append(commits.watch)
    if given.statement is not None:
        _watch_batches(
            given.statement, armed=given.armed, after=given.when == "after", cluster=given.cluster
        )
    words = given.words[1:] if given.words[:1] == ["--"] else given.words
    status = _run(words)
    sys.stderr.write(f"commits {commits.count}\n")
    return status


_PLACES = {
    "robot": "tests.e2e.robot",
    "acting": "tests.e2e.acting_till",
    "catalogue_files": "pos_app.bootstrap.till.catalogue_files",
}
"""The programs that are no command of the product."""


def _run(words: list[str]) -> int:
    run: Any = importlib.import_module(_PLACES.get(words[0], "pos_app.__main__")).main
    return int(run(words[1:] if words[0] in _PLACES else words))


if __name__ == "__main__":
    sys.exit(main())
