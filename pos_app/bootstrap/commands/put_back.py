"""A journal that is whole and yet not the one that was here last, as `check` tells it.

The rule is the server's own, by which it marks such a journal at its start.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from pos_app.adapters.data_folder.machine_mark import machine_mark
from pos_app.adapters.data_folder.witness_file import WitnessFile
from pos_app.adapters.sqlite.journal.restores import SqliteRestores, restores_of
from pos_app.domain.states import RestoreFound
from pos_app.fiscalization.outcomes.restore_detection import LastSeen, found_at_start

_WHY = {
    RestoreFound.TILL_WITNESS: "the till remembers receipts that it lacks",
    RestoreFound.SERVER_WITNESS: "witness.json remembers rows that it lacks",
    RestoreFound.PROCESSOR_HOLDS: "the processor holds a receipt that it did not know",
    RestoreFound.OTHER_MACHINE: "the data folder came from another computer",
    RestoreFound.DAMAGED: "its file was damaged",
}
_GONE = "It was taken away: witness.json remembers it."
_MAY_LACK = "Receipts that were signed since may be missing."
_NEXT = (
    "The server marks it so at its next start and asks the processor before anything is sent; a"
    " manager closes the mark in Attention."
)


def put_back_words(data: Path, connection: apsw.Connection | None) -> list[str]:
    """What a manager has to know of the journal of a data folder, in sentences; nothing where it is
    the one that was here last. Raises MachineError, apsw.Error.

    connection: None where there is no journal.
    """
    machine = machine_mark()
    seen = WitnessFile(data, machine=machine).read()
    if connection is None:
        return [] if seen is None else [f"{_GONE} {_MAY_LACK} {_NEXT}"]
    restores = restores_of(connection)
    if restores is None:
        return []
    told = []
    if (mark := restores.restored()) is not None:
        told.append(
            f"It was found at {mark.since:%Y-%m-%d %H:%M:%S} UTC to be an older copy or another"
            f" journal: {_WHY[RestoreFound(mark.why)]}. {_MAY_LACK} It is told until a manager"
            " closes the mark in Attention."
        )
    match found_at_start(restores, seen, machine=machine):
        case RestoreFound.SERVER_WITNESS if seen is not None:
            told.append(f"{_lacking(restores, seen)} {_MAY_LACK} {_NEXT}")
        case RestoreFound.OTHER_MACHINE:
            told.append(f"The data folder was copied or moved here from another computer. {_NEXT}")
    return told


def _lacking(restores: SqliteRestores, seen: LastSeen) -> str:
    tip = restores.tip
    if tip.id != seen.tip.id or tip.rows >= seen.tip.rows:
        return "It is another journal than the one that witness.json remembers."
    return (
        f"It has {tip.rows} of the {seen.tip.rows} rows that witness.json remembers: it was copied"
        " without its log (journal.db-wal), or an older copy was put back."
    )
