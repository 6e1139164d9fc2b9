"""The process that makes a backup, or finds out what would be missing once one is put back.

    python -m pos_app.bootstrap.till.backup_work make DATA          its reason: JSON on stdin
    python -m pos_app.bootstrap.till.backup_work look DATA          the set: JSON on stdin

It prints a line of JSON for each step. Programs start it (`adapters.backup.process`). Ended by
SIGTERM it leaves nothing of a set behind.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pos_app import log, settings
from pos_app.adapters.backup import making, process, restoring, sets
from pos_app.adapters.clock import SystemClock
from pos_app.adapters.data_folder.private_files import make_private
from pos_app.adapters.json_lines import read_request, report_outcome, write_document
from pos_app.domain.setup.backup import BackupWhy
from pos_app.domain.text.instant import in_belgrade

_MEGABYTE = 1_000_000


def main(arguments: list[str]) -> int:
    what, data = arguments[0], Path(arguments[1])
    asked = read_request()
    log.configure()
    make_private()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if what == process.LOOK:
        return report_outcome(lambda: _look(data, Path(asked["folder"])))
    making.yield_to_others()
    return report_outcome(lambda: _make(data, BackupWhy(asked["why"])))


def _progress() -> Callable[[int, int], None]:
    last = -1

    def progress(done: int, whole: int) -> None:
        nonlocal last
        if (megabytes := done // _MEGABYTE) != last:
            last = megabytes
            write_document({"progress": [megabytes, max(whole // _MEGABYTE, 1)]})

    return progress


def _make(data: Path, why: BackupWhy) -> dict[str, Any]:
    shop = settings.load(data)

    def is_wanted() -> bool:
        return why is not BackupWhy.DAILY or not _is_of_today(data)

    made = making.make_set(
        data,
        why,
        folder=shop.backup.folder,
        shop=shop.till.name,
        report_progress=_progress(),
        is_wanted=is_wanted,
    )
    return {"done": {"done": int(made is not None), "failed": 0}}


def _is_of_today(data: Path) -> bool:
    now = SystemClock().now()
    last = sets.newest(data, until=now)
    return last is not None and in_belgrade(last).date() == in_belgrade(now).date()


def _look(data: Path, folder: Path) -> dict[str, Any]:
    planned = restoring.plan(data, folder, (), report_progress=_progress())
    return process.outlook_text(planned.outlook)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
