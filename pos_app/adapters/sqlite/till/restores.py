"""Changes the till's own data after till or journal were put back from a copy."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw

from pos_app import log
from pos_app.adapters.sqlite.database import open_reader
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.adapters.sqlite.till import rows
from pos_app.errors import MachineError
from pos_app.selling.sale import sale
from pos_app.selling.sale.ticket import EMPTY, NOTHING_ADDED, DocumentKind

_log = log.get(__name__)

_OPEN_OR_SUSPENDED = """
SELECT id, kind FROM carts WHERE state = 'open'
UNION ALL SELECT id, kind FROM carts WHERE state = 'held'
"""
_SUSPEND = """
UPDATE carts SET key = ?, state = 'held', set_aside = 1, moved_at = ?, revision = revision + 1
WHERE id = ?
    AND (? OR EXISTS (SELECT 1 FROM cart_lines WHERE cart_id = carts.id AND removed = 0))
"""
_HAS_SOMETHING = """
SELECT EXISTS (SELECT 1 FROM cart_lines WHERE cart_id = ?1 AND removed = 0)
    OR EXISTS (SELECT 1 FROM missed_codes WHERE cart_id = ?1)
"""
_DROP_EMPTY = """
UPDATE carts SET state = 'dropped', reason = ?, moved_at = ?, revision = revision + 1 WHERE id = ?
"""
_NEVER_TRIED = """
SELECT key FROM sales WHERE state = 'frozen' AND state NOT IN ('done', 'cancelled')
    AND attempts = 0 AND sequence <= ? ORDER BY sequence
"""
_DOUBT = """
UPDATE sales SET state = 'doubt', changed_at = ?1, next_try_at = NULL, reason_class = 'unknown',
    reason_code = ?2, reason_text = 'tried before a restore', reason_pfr_code = NULL,
    reason_field = NULL
WHERE state NOT IN ('done', 'cancelled')
    AND (?3 OR state IN ('sending', 'doubt', 'refused') OR (state = 'frozen' AND attempts > 0))
"""
_REMEMBER = """
UPDATE meta SET journal_id = ?, journal_rows = ?, journal_hash = ?, epoch = ?,
    acted_key = ?
"""


_MARK_LACKING = """
INSERT INTO restores (at, first_lacking, last_lacking)
SELECT ?1, min(last_sequence + 1, ?2), ?2 FROM meta
WHERE ?3 IS NOT acted_key AND NOT EXISTS (SELECT 1 FROM sales WHERE key = ?3)
"""
_LACKING = """
SELECT min(at), min(first_lacking), max(last_lacking) FROM restores WHERE closed_at IS NULL
"""
_MARK_KEPT = "INSERT INTO restores (at, first_lacking, last_lacking) VALUES (?, ?, ?)"
_OF_KEPT = "SELECT closed_at IS NULL FROM restores WHERE at = ?"
_SALES = "SELECT key, sequence FROM sales"


def new_keys(connection: apsw.Connection) -> set[int]:
    """Give unconfirmed carts new keys at each start: if this file is a copy, sales may have been
    confirmed under the old keys since, and must not be taken for sales of these carts. Return the
    carts with content, which may come from a copy."""
    filled = set[int]()
    carts: list[rows.Row] = connection.execute(_OPEN_OR_SUSPENDED).fetchall()
    for cart_id, _ in carts:
        connection.execute("UPDATE carts SET key = ? WHERE id = ?", (_new_key(), cart_id))
        is_filled = connection.execute(_HAS_SOMETHING, (cart_id,)).get
        if is_filled or rows.read_additions(connection, cart_id) != NOTHING_ADDED:
            filled.add(cart_id)
    return filled


def act_on_restore(
    connection: apsw.Connection, restored: sale.RestoredCopy, *, came: Collection[int], at: datetime
) -> None:
    """Change carts, numbers, sales in doubt and the memory, within the transaction under way.

    came: the carts that had content when this file was opened, or were taken back since. Any other
    cart was filled at this till, under a key of this start, so that it can't have been sold: it
    stays open. A cart with returned goods or an advance does not stay open, because the journal may
    lack their receipts.
    """
    moment = moment_text(at)
    carts: list[rows.Row] = connection.execute(_OPEN_OR_SUSPENDED).fetchall()
    for cart_id, kind in carts:
        binds = rows.read_additions(connection, cart_id).binds(DocumentKind(kind))
        if cart_id not in came and not binds:
            continue
        connection.execute(_SUSPEND, (_new_key(), moment, cart_id, binds))
        if not connection.changes():
            connection.execute(_DROP_EMPTY, (EMPTY, moment, cart_id))
            rows.forget_additions(connection, cart_id)
            rows.forget_missed(connection, cart_id)
    if restored.last_key is not None:
        values = moment, restored.last_sequence, restored.last_key
        connection.execute(_MARK_LACKING, values)
    never_tried = connection.execute(_NEVER_TRIED, (restored.last_sequence,)).fetchall()
    connection.execute(
        "UPDATE meta SET last_sequence = max(last_sequence, ?)", (restored.last_sequence,)
    )
    for (key,) in never_tried:
        sequence = connection.execute(
            "UPDATE meta SET last_sequence = last_sequence + 1 RETURNING last_sequence"
        ).get
        connection.execute("UPDATE sales SET sequence = ? WHERE key = ?", (sequence, key))
    why = sale.JOURNAL_BEHIND if restored.is_behind else sale.JOURNAL_RESTORED
    connection.execute(_DOUBT, (moment, why, restored.is_journal))
    journal = restored.journal
    mark = (journal.id, journal.rows, journal.hash)
    connection.execute(_REMEMBER, (*mark, restored.epoch, restored.last_key))


def lacking_of(connection: apsw.Connection, folder: Path) -> sale.LackingSales | None:
    """Return the noted lacking sales that no manager has closed. Raises apsw.Error."""
    at, first, last = connection.execute(_LACKING).get
    if at is None:
        return None
    files = tuple(path.name for path in kept_files(folder) if _is_note_open(connection, path))
    return sale.LackingSales(moment_of(at), first, last, files)


# --- kept beside ---------------------------------------------------------------------------------


def kept_files(folder: Path) -> list[Path]:
    """Return the kept files: content that was open when a file was replaced (see `database`)."""
    return sorted(folder.glob("till-kept-*.db"))


def mark_kept(connection: apsw.Connection, folder: Path) -> None:
    """Note the sales of the kept files that the till's file lacks, within the transaction under
    way: they are reported until a manager closes the note."""
    for lacking in lacking_beside(connection, folder):
        values = moment_text(lacking.since), lacking.first, lacking.last
        connection.execute(_MARK_KEPT, values)


def lacking_beside(connection: apsw.Connection, folder: Path) -> list[sale.LackingSales]:
    """Return, for each kept file without a note, the sales that it has and this till's file lacks.
    A note is found by the time at which its file was kept. Unreadable files are left out."""
    found = []
    for path in kept_files(folder):
        if _is_note_open(connection, path) is not None:
            continue
        known = {key for key, _ in connection.execute(_SALES)}
        try:
            with closing(open_reader(path)) as kept:
                numbers = [number for key, number in kept.execute(_SALES) if key not in known]
        except (MachineError, apsw.Error) as error:
            _log.warning("%s can't be read: %s", path, error)
            continue
        if numbers:
            found.append(
                sale.LackingSales(_kept_at(path), min(numbers), max(numbers), (path.name,))
            )
    return found


def _is_note_open(connection: apsw.Connection, path: Path) -> bool | None:
    """Tell whether the note of a kept file is open, or None where there is none."""
    row = connection.execute(_OF_KEPT, (moment_text(_kept_at(path)),)).fetchone()
    return None if row is None else bool(row[0])


def _kept_at(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)


def close_lacking(connection: apsw.Connection, *, by: str, at: datetime) -> None:
    """Close the notes on lacking sales, within the transaction under way: a manager has looked."""
    connection.execute(
        "UPDATE restores SET closed_at = ?, closed_by = ? WHERE closed_at IS NULL",
        (moment_text(at), by),
    )


def _new_key() -> str:
    return secrets.token_hex(16)
