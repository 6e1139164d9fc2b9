"""Under a real till the server can never start: the person sees the reason, and then its cure."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import apsw

from pos_app import settings
from pos_app.adapters.data_folder.install import open_install
from pos_app.adapters.sqlite.journal.journal import SqliteJournal
from tests.e2e.nursery import Life, door
from tests.ports import free_port


def test_a_newer_journal_is_told_in_words_until_it_is_mended(folder: Path) -> None:
    open_install(folder, environment=settings.load(folder).environment)
    path = folder / "journal" / "journal.db"
    path.parent.mkdir()
    SqliteJournal(path).close()
    with closing(apsw.Connection(str(path))) as newer:
        newer.execute("PRAGMA user_version=99")
    words = ["-m", "tests.e2e.troubled_till", str(folder), str(folder / "till.png")]
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "TILL_PORT": str(free_port())}
    till = Life(door(), words, env=env)
    out, errors = till.communicate(60)
    assert out.splitlines() == [
        "line Сервер подаци су новије верзије",
        (
            "notice Податке је уписала новија верзија програма. "
            "Потврђене продаје су сачуване у каси и издају се чим сервер проради. "
            "Подаци нису промењени. Инсталирајте ту верзију или новију; "
            f"ако не знате како, позовите подршку и прочитајте: {path}"
        ),
        "works Сервер ради 0",
    ], errors
    assert till.wait() == 0
    starts = (
        (folder / "logs" / "server.log").read_text(encoding="utf-8").count("written by a newer")
    )
    assert starts <= 2
