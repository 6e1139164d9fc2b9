"""The journals that a backup replaced: implements fiscalization.ports.SetAside. They know what was
done since the backup was made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pos_app import log
from pos_app.adapters.data_folder import JOURNAL
from pos_app.adapters.data_folder.upgrade_mark import ASIDE, BACKUPS
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.journal.journal import PATIENCE, ReadJournal
from pos_app.adapters.sqlite.journal.restores import JOURNAL_ID
from pos_app.adapters.sqlite.journal.schema import MIGRATIONS
from pos_app.errors import MachineError

_log = log.get(__name__)


class SetAsideJournals:
    """journal_id: the identity that the journal here and those that it replaced have in common."""

    def __init__(self, data: Path, journal_id: str) -> None:
        self._data, self._journal_id = data, journal_id

    @contextmanager
    def __call__(self) -> Iterator[tuple[ReadJournal, ...]]:
        with ExitStack() as stack:
            paths = sorted((self._data / BACKUPS).glob(f"{ASIDE}*/{JOURNAL.as_posix()}"))
            found = [self._opened(stack, path) for path in paths]
            yield tuple(one for one in found if one is not None)

    def _opened(self, stack: ExitStack, path: Path) -> ReadJournal | None:
        """Return the journal, or None where it can't be read, or is of another shop or version."""
        try:
            connection = open_reader(path, patience=PATIENCE)
        except MachineError as error:
            _log.warning("a journal that was set aside can't be read: %s", error.what)
            return None
        stack.callback(connection.close)
        if connection.pragma("user_version") != len(MIGRATIONS):
            return None
        row = connection.execute(JOURNAL_ID).fetchone()
        return ReadJournal(connection) if row == (self._journal_id,) else None
