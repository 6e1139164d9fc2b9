"""Runs a program of ours unchanged, and kills it at the n-th commit of one of its databases.

    python -m tests.e2e.kill_at --file till.db --commit 7 --when before -- robot --data DIR …
    python -m tests.e2e.kill_at --file till.db --commit 3 --when after -- pressed DIR ACTS
    python -m tests.e2e.kill_at --file journal.db --commit 2 --when after -- server --data DIR …

`before`: the transaction is about to be committed; `after`: it has just been, and nothing else
has happened. With `--commit 0` nothing is killed, and the commits are counted: the last line on
standard error is "commits 12".
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from pathlib import Path

import apsw


class Commits:
    """Counts the commits of the database of that name, and ends the process at one of them."""

    def __init__(self, name: str, *, kill_at: int, after: bool) -> None:
        self.count = 0
        self._name = name
        self._kill_at = kill_at
        self._after = after
        self._is_due = False

    def watch(self, connection: apsw.Connection) -> None:
        """A connection was opened."""
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
        """A statement has ended: the one that committed, when a kill is due."""
        if self._is_due:
            _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main(command: list[str] | None = None) -> int:
    """Run the program that the words after `--` name; its exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", required=True)
    parser.add_argument("--commit", type=int, required=True)
    parser.add_argument("--when", choices=("before", "after"), default="before")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    given = parser.parse_args(command)
    commits = Commits(given.file, kill_at=given.commit, after=given.when == "after")
    apsw.connection_hooks.append(commits.watch)
    words = given.words[1:] if given.words[:1] == ["--"] else given.words
    status = _run(words)
    sys.stderr.write(f"commits {commits.count}\n")
    return status


def _run(words: list[str]) -> int:
    if words[0] == "robot":
        from tests.e2e import robot

        return robot.main(words[1:])
    if words[0] == "pressed":
        from tests.e2e import pressed_till

        return pressed_till.main(Path(words[1]), json.loads(words[2]))
    from pos_app.__main__ import main as product

    return product(words)


if __name__ == "__main__":
    sys.exit(main())
