"""The server's read of the till's file: the acts on receipts that are signed. It implements
fiscalization.ports.TillActs.

The server reads till.db through its versioned view alone, and opens it for each question, because
acts on receipts are rare, and a backup may take the file's place meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import apsw

from pos_app import errors, log
from pos_app.adapters.data_folder import TILL
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_of
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.receipt_identity import till_origin
from pos_app.fiscalization.ports import TillAct
from pos_app.wire.operations import READERS
from pos_app.wire.strict_json import dumps, loads

PATIENCE = 50
"""Milliseconds that the server's loop waits for a file that another program holds whole."""
_HAS_VIEW = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'signed_v1')"
ACTS = """
SELECT till_id, sequence, key, operation, target, body, number, at FROM signed_v1
WHERE target IN (SELECT value FROM json_each(?)) ORDER BY sequence
"""
UNDONE = """
SELECT EXISTS (SELECT 1 FROM signed_v1
    WHERE operation = 'issue' AND refers_to = ? AND sequence > ? AND NOT is_typed)
"""

_log = log.get(__name__)

T = TypeVar("T")


class TillActsView:
    def __init__(self, data: Path) -> None:
        self._path = data / TILL

    def on(self, receipt_ids: Collection[str]) -> Sequence[TillAct]:
        def read(connection: apsw.Connection) -> list[TillAct]:
            rows = connection.execute(ACTS, (dumps(list(receipt_ids)).decode(),))
            return [act for row in rows if (act := _act(row)) is not None]

        return self._read(read) or ()

    def is_undone(self, act: TillAct) -> bool:
        asked = act.number, act.sequence
        return self._read(lambda connection: bool(connection.execute(UNDONE, asked).get)) or False

    def _read(self, read: Callable[[apsw.Connection], T]) -> T | None:
        """Read from the file, or return None where there is none, or none that can be read."""
        if not self._path.exists():
            return None
        try:
            with (
                translated_errors(TILL.name),
                closing(open_reader(self._path, patience=PATIENCE)) as connection,
            ):
                # a till that did not open since the upgrade has no view yet
                return read(connection) if connection.execute(_HAS_VIEW).get else None
        except (errors.MachineError, errors.Invalid) as error:
            _log.warning("what the till knows of acts on a receipt can't be read: %s", error.what)
            return None


def _act(row: tuple[apsw.SQLiteValue, ...]) -> TillAct | None:
    """The act of a row, or None where its request can't be read."""
    till_id, sequence, key, operation, target, body, number, at = row
    assert isinstance(body, bytes)
    assert isinstance(sequence, int)
    try:
        done = Operation(str(operation))
        asked = READERS[done](loads(body))
    except (ValueError, KeyError, errors.Invalid) as error:
        _log.warning("an act on a receipt can't be read from the till's file: %s", error)
        return None
    return TillAct(
        origin=till_origin(str(till_id)),
        key=str(key),
        sequence=sequence,
        asked=asked,
        operation=done,
        target=str(target),
        number=str(number),
        at=moment_of(str(at)),
    )
