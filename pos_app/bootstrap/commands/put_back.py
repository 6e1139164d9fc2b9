"""Finds for `check` a journal, or a till's file, that is whole and yet not the one that was here
last.

The rules are the programs' own: the server marks such a journal at its start, and the till suspends
its carts.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import apsw

from pos_app.adapters.data_folder import JOURNAL, TILL
from pos_app.adapters.data_folder.machine_mark import machine_mark
from pos_app.adapters.data_folder.witness_file import WitnessFile
from pos_app.adapters.sqlite.journal.restores import SqliteRestores, restores_of
from pos_app.adapters.sqlite.migrations import version_after
from pos_app.adapters.sqlite.till.restores import kept_files, lacking_beside, lacking_of
from pos_app.adapters.sqlite.till.schema import TILL_MIGRATIONS
from pos_app.bootstrap.commands.belonging import reader_of
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.domain.receipt.states import RestoreFound
from pos_app.domain.text.counted import counted
from pos_app.errors import MachineError
from pos_app.fiscalization.outcomes.restore_detection import LastSeen, found_at_start, is_continued
from pos_app.selling.sale.sale import LackingSales

_WHY = {
    RestoreFound.TILL_WITNESS: "the till remembers receipts that it lacks",
    RestoreFound.SERVER_WITNESS: "witness.json remembers rows that it lacks",
    RestoreFound.PROCESSOR_HOLDS: "the processor holds a receipt that it did not know",
    RestoreFound.OTHER_MACHINE: "the data folder came from another computer",
    RestoreFound.TWIN: "a copy of it signed the same sale at the processor, on another computer",
    RestoreFound.DAMAGED: "its file was damaged",
    RestoreFound.PUT_BACK: "it was put back from a backup",
}
_MAY_LACK = "Receipts that were signed since may be missing."
_NEXT = (
    "The server marks it so at its next start and asks the processor before anything is sent; a"
    " manager closes the mark in Attention."
)


_LOOK = "Compare the papers in the drawer with the receipts. Delete nothing, and call support."
_OLDER_TILL = (
    "an older copy was put back, or it was copied without its log (till.db-wal). Sales that were"
    " confirmed since may be missing. The till finds that at its next start, sets its carts aside,"
    " and sends nothing twice."
    f" {_LOOK}"
)
_NO_CATALOGUE = (
    "It was taken away: articles of it were sold at this till. Put it back from a backup while"
    " the till is closed, or get the articles anew from the platform or a file."
)
_OF_TILLS = "SELECT count(*), max(till_sequence) FROM commands WHERE till_sequence IS NOT NULL"
_TOLD_ELSEWHERE = (MachineError, apsw.Error)
"""Faults of a file beside the checked one, which are reported in their own line."""
_MEMORY = "SELECT journal_id, journal_rows, journal_hash, epoch FROM meta"


def put_back_words(data: Path, connection: apsw.Connection | None) -> list[str]:
    """Return the signs that the journal is not the one that was here last, in sentences for a
    manager. Raises MachineError, apsw.Error. connection: None where there is no journal."""
    machine = machine_mark()
    seen = WitnessFile(data, machine=machine).read()
    remembered, epoch = _remembered_by_till(data)
    if connection is None:
        if seen is None and remembered is None:
            return []
        by = "the till remembers" if seen is None else "witness.json remembers"
        return [f"It was taken away: {by} it. {_MAY_LACK} {_NEXT}"]
    restores = restores_of(connection)
    if restores is None:
        return []
    parts = []
    if (mark := restores.restored()) is not None:
        parts.append(
            f"It was found at {mark.since:%Y-%m-%d %H:%M:%S} UTC to be an older copy or another"
            f" journal: {_WHY[RestoreFound(mark.why)]}. {_MAY_LACK} It is told until a manager"
            " closes the mark in Attention."
        )
    match found_at_start(restores, seen, machine=machine):
        case RestoreFound.SERVER_WITNESS if seen is not None:
            parts.append(f"{_lacking(restores, seen)} {_MAY_LACK} {_NEXT}")
        case RestoreFound.OTHER_MACHINE:
            parts.append(f"The data folder was copied or moved here from another computer. {_NEXT}")
        case None if not (
            parts
            or is_continued(restores, remembered, epoch=epoch)
            or restores.is_later_known(epoch)
        ):
            parts.append(f"The till remembers rows that it lacks. {_MAY_LACK} {_NEXT}")
    return parts


def till_put_back_words(data: Path, till: apsw.Connection) -> list[str]:
    """Do the same for a till's file, which may lack a sale that the journal, or a file beside it,
    has."""
    folder = (data / TILL).parent
    is_of_now = till.pragma("user_version") == version_after(TILL_MIGRATIONS)
    if is_of_now and (lacking := lacking_of(till, folder)) is not None:
        what, by = "to be an older copy", "the journal has. Later sales may be missing too"
        if lacking.files:
            what, by = "to have been replaced", f"{' and '.join(lacking.files)} beside it has"
        words = (
            f"It was found at {lacking.since:%Y-%m-%d %H:%M:%S} UTC {what}: it lacks at least"
            f" {_numbers(lacking)}, which {by}. It is told until a manager closes the mark in"
            f" Attention. {_LOOK}"
        )
        return [words]
    if is_of_now and (beside := lacking_beside(till, folder)):
        return [
            f"It was replaced while a till had it open: it lacks {_numbers(one)}, which"
            f" {one.files[0]} beside it has. {_LOOK}"
            for one in beside
        ]
    memory = till.execute("SELECT till_id, acted_key FROM meta").fetchone()
    if memory is None:
        return []
    last = _last_of_till(data, memory[0])
    if last is None or last[1] == memory[1]:
        return []
    sequence, key = last
    if till.execute("SELECT key FROM sales WHERE sequence = ?", (sequence,)).get == key:
        return []
    return [f"It lacks sale {sequence}, which the journal has: {_OLDER_TILL}"]


def _last_of_till(data: Path, till_id: str) -> tuple[int, str] | None:
    with reader_of(data, JOURNAL) as journal, suppress(*_TOLD_ELSEWHERE):
        restores = None if journal is None else restores_of(journal)
        return None if restores is None else restores.last_of_till(f"till:{till_id}")
    return None


def _numbers(lacking: LackingSales) -> str:
    many, first, last = lacking.many, lacking.first, lacking.last
    return f"sale {last}" if many == 1 else f"{many} sales, {first} to {last}"


def missing_till_words(data: Path) -> list[str]:
    """Describe a missing till's file, if the journal or a file that was kept beside it has sales of
    a till. Raises MachineError, apsw.Error."""
    kept = [
        f"It was taken away while a till had it open; {path.name} has what was open. {_LOOK}"
        for path in kept_files((data / TILL).parent)
    ]
    row = None
    with reader_of(data, JOURNAL) as journal, suppress(*_TOLD_ELSEWHERE):
        row = None if journal is None else journal.execute(_OF_TILLS).fetchone()
    if row is None or not row[0]:
        return kept
    (many, last), one, more = row, "sale that was", "sales that were"
    words = (
        f"It was taken away: the journal has {counted(many, one, more)} confirmed at this till, the"
        f" last one with the number {last}. Sales that waited in it may be missing. {_LOOK}"
    )
    return [words, *kept]


def missing_catalogue_words(data: Path) -> list[str]:
    """Describe a missing catalogue, if articles were sold at this till. Raises MachineError."""
    sold = False
    with reader_of(data, TILL) as till, suppress(*_TOLD_ELSEWHERE):
        sold = till is not None and till.execute("SELECT EXISTS (SELECT 1 FROM cart_lines)").get
    if not sold:
        return []
    return [_NO_CATALOGUE]


def _remembered_by_till(data: Path) -> tuple[JournalMark | None, str | None]:
    """Return the row of the journal that the till saw last, and the last restore that it knows."""
    row = None
    with reader_of(data, TILL) as till, suppress(*_TOLD_ELSEWHERE):
        row = None if till is None else till.execute(_MEMORY).fetchone()
    if row is None or row[0] is None:
        return None, None
    return JournalMark(row[0], row[1], row[2]), row[3]


def _lacking(restores: SqliteRestores, seen: LastSeen) -> str:
    tip = restores.tip
    if tip.id != seen.tip.id or tip.rows >= seen.tip.rows:
        return "It is another journal than the one that witness.json remembers."
    return (
        f"It has {tip.rows} of the {counted(seen.tip.rows, 'row')} that witness.json remembers: it"
        " was copied without its log (journal.db-wal), or an older copy was put back."
    )
