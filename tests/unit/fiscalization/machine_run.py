"""Running a history, and finding the smallest one that still breaks a promise."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from tests.fakes.virtual_time import VirtualLoop
from tests.unit.fiscalization.machine import History, Step
from tests.unit.fiscalization.machine_promises import Broken
from tests.unit.fiscalization.machine_server import Parts, PowerLost
from tests.unit.fiscalization.machine_world import Shop

REAL = Parts()
_core_log = logging.getLogger("pos_app.fiscalization")


def run(folder: Path, shop: Shop, steps: Sequence[Step], *, parts: Parts = REAL) -> str | None:
    """The first breach of a promise in this history, None when all were kept."""
    path = folder / "journal.db"
    for old in folder.glob("journal.db*"):
        old.unlink()
    shutil.copyfile(_empty(folder), path)

    async def live() -> None:
        history = History(path, shop, parts)
        try:
            for step in steps:
                await history.step(step)
            await history.settle()
        finally:
            history.server.kill()
            await history.server.gone()

    with _bugs_seen() as bugs, asyncio.Runner(loop_factory=VirtualLoop) as runner:
        try:
            runner.run(live())
        except Broken as error:
            return str(error)
    return bugs[0] if bugs else None


def _empty(folder: Path) -> Path:
    """A new journal, made once per folder: making its tables takes longer than a history."""
    template = folder / "empty.db"
    if not template.exists():
        SqliteJournal(template).close()
    return template


@contextmanager
def _bugs_seen() -> Iterator[list[str]]:
    """The bugs that a lane logs; a kill is none, and a full disk is reported as an error."""
    bugs: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            error = record.exc_info[1] if record.exc_info else None
            if error is not None and not isinstance(error, PowerLost):
                bugs.append(f"{record.getMessage()}: {error!r}")

    listener = Listener(logging.ERROR)
    before = _core_log.propagate
    _core_log.propagate = False
    _core_log.addHandler(listener)
    try:
        yield bugs
    finally:
        _core_log.removeHandler(listener)
        _core_log.propagate = before


def smallest(fails: Callable[[Sequence[Step]], bool], steps: Sequence[Step]) -> list[Step]:
    """A part of a failing history that still fails, from which no step can be left out."""
    kept = list(steps)
    size = max(1, len(kept) // 2)
    while size:
        at = 0
        while at < len(kept):
            without = kept[:at] + kept[at + size :]
            if fails(without):
                kept = without
            else:
                at += size
        size //= 2
    return kept
