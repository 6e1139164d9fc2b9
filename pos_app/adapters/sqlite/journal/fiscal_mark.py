"""Marks a journal whose receipts a real fiscal processor signs, and no development processor may.

A shop tries the product with the development processor and then changes to a real one. It must
never change back, because confirmed sales wait for a fiscal receipt; but lost settings default to
the development processor. `processor` in `meta` is the kind of processor that was chosen last. For
a real one it also has the number of the last row of `attempts` at that moment. The choice can be
undone without harm as long as the processor was asked for nothing since then.
"""

from __future__ import annotations

import apsw

_MARK = "SELECT value FROM meta WHERE name = 'processor'"
_DEVELOPMENT, _FISCAL = "development", "fiscal:"
_ASKED = "SELECT 1 FROM attempts WHERE row > ? AND state IN ('queued', 'sending', 'signed') LIMIT 1"
_LAST = "SELECT coalesce(max(row), 0) FROM attempts"


def is_fiscal(connection: apsw.Connection) -> bool:
    """Tell whether anything was asked since a real processor was chosen. Raises apsw.Error."""
    row = connection.execute(_MARK).fetchone()
    if row is None or not str(row[0]).startswith(_FISCAL):
        return False
    since = int(str(row[0]).removeprefix(_FISCAL))
    return connection.execute(_ASKED, (since,)).fetchone() is not None


def keep_kind(connection: apsw.Connection, *, real: bool) -> None:
    """Keep the chosen kind, within the transaction under way, before it writes anything else."""
    row = connection.execute(_MARK).fetchone()
    known = None if row is None else str(row[0])
    if not real:
        chosen = _DEVELOPMENT
    elif known is not None and known.startswith(_FISCAL):
        chosen = known
    else:
        chosen = f"{_FISCAL}{connection.execute(_LAST).get}"
    if chosen != known:
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('processor', ?)", (chosen,))
