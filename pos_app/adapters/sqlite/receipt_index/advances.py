"""The open advances of a journal: each is described from its chain once, and kept until a receipt
of that chain is signed. So a question reads these descriptions, not every chain."""

from __future__ import annotations

import uuid
from functools import lru_cache
from typing import Any

import apsw

from pos_app.adapters.sqlite.database import transaction
from pos_app.adapters.sqlite.receipt_index.signed_rows import SignedRows
from pos_app.domain.receipt.open_advances import OpenAdvance, OpenAdvances, in_order
from pos_app.fiscalization.open_advances import lacks_receipts, open_advance
from pos_app.fiscalization.plans.chain import Chain
from pos_app.wire.records import from_json, written
from pos_app.wire.strict_json import loads

AT_ONCE = 4
"""Chains that a step reads: some 5 ms."""
_REMEMBERED = 2_000
"""Descriptions that are kept parsed, by the row's own content; parsing one takes 35 µs."""
_UNDESCRIBED = "SELECT chain FROM advance INDEXED BY advance_untold WHERE told IS NULL AND paid > 0"
_NOT_OPEN, _LACKING = b"-", b"?"
"""Kept in place of a description: the advance is not open, or its open amount is unknown."""


class AdvanceDescriptions:
    def __init__(self, connection: apsw.Connection, journal: SignedRows) -> None:
        self._connection = connection
        self._journal = journal
        self._unreadable = set[bytes]()
        """Chains that are not tried again before the next start."""

    def step(self) -> bool:
        """Describe some of the advances that have no description yet; tell whether there are more.
        Raises JournalAway, MachineError."""
        most = len(self._unreadable) + AT_ONCE + 1
        found: list[Any] = self._connection.execute(f"{_UNDESCRIBED} LIMIT ?", (most,)).fetchall()
        undescribed = [chain for (chain,) in found if chain not in self._unreadable]
        entries = list[tuple[bytes, bytes]]()
        for chain in undescribed[:AT_ONCE]:
            links = self._journal.chain(str(uuid.UUID(bytes=chain)))
            if links is None:
                self._unreadable.add(chain)
            else:
                entries.append((_packed(links), chain))
        if entries:
            with transaction(self._connection):
                self._connection.executemany("UPDATE advance SET told = ? WHERE chain = ?", entries)
        return len(undescribed) > AT_ONCE


def described_advances(connection: apsw.Connection) -> OpenAdvances:
    """Return the described advances, the one touched last first."""
    rows: list[bytes | None]
    rows = [row[0] for row in connection.execute("SELECT told FROM advance WHERE paid > 0")]
    listed = [_read(one) for one in rows if one not in (None, _NOT_OPEN, _LACKING)]
    return OpenAdvances(in_order(listed), is_whole=None not in rows and _LACKING not in rows)


@lru_cache(maxsize=_REMEMBERED)
def _read(data: bytes) -> OpenAdvance:
    return from_json(OpenAdvance, loads(data))


def _packed(chain: Chain) -> bytes:
    found = open_advance(chain)
    if found is None:
        return _NOT_OPEN
    return _LACKING if lacks_receipts(chain) else written(OpenAdvance, found)
