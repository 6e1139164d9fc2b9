"""The journals that a backup replaced: implements fiscalization.ports.SetAside. They know what was
done since the backup was made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import apsw

from pos_app import log
from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.data_folder.upgrade_mark import ASIDE, BACKUPS
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.journal.journal import PATIENCE, ReadJournal
from pos_app.adapters.sqlite.journal.restores import JOURNAL_ID
from pos_app.adapters.sqlite.journal.rows import read
from pos_app.adapters.sqlite.journal.schema import READ_ALIKE
from pos_app.errors import MachineError
from pos_app.fiscalization.ports import ReceiptReader

_log = log.get(__name__)

T = TypeVar("T")


class SetAsideJournals:
    """journal_id: the identity that the journal here and those that it replaced have in common."""

    def __init__(self, data: Path, journal_id: str) -> None:
        self._data, self._journal_id = data, journal_id

    def __call__(self, ask: Callable[[ReceiptReader], T]) -> tuple[Sequence[T], bool]:
        answers, are_all = list[T](), True
        for path in sorted((self._data / BACKUPS).glob(f"{ASIDE}*/{JOURNAL.as_posix()}")):
            try:
                with closing(open_reader(path, patience=PATIENCE)) as connection:
                    if _value(connection, "PRAGMA user_version") not in READ_ALIKE:
                        are_all = False
                    elif _value(connection, JOURNAL_ID) == self._journal_id:
                        answers.append(ask(ReadJournal(connection)))
            except MachineError as error:
                _log.warning("a journal that was set aside can't be read: %s", error.what)
                are_all = False
        return answers, are_all


def _value(connection: apsw.Connection, sql: str) -> object:
    row = read(connection, lambda rows: rows.fetchone(), sql)
    return None if row is None else row[0]
