"""The manager's PIN in `till.db`: a salted hash that is slow on purpose, never the PIN."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import datetime

import apsw

from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.writing import durable_change
from pos_app.selling.manager_pin import WrongTries

_COST, _BLOCK = 2**14, 8
"""16 MB and some 50 ms for each try."""
_KEEP = """
INSERT INTO manager_pin (one, salt, digest) VALUES (1, ?1, ?2)
    ON CONFLICT DO UPDATE SET salt = ?1, digest = ?2, wrong = 0, wrong_at = NULL
"""


class ManagerTable:
    """The port PinStore on `till.db`."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    @translated_errors(FILE_NAME)
    def is_set(self) -> bool:
        return bool(self._connection.execute("SELECT count(*) FROM manager_pin").get)

    def keep(self, pin: str) -> None:
        salt = secrets.token_bytes(16)
        with durable_change(self._connection):
            self._connection.execute(_KEEP, (salt, _digest(pin, salt)))

    def forget(self) -> None:
        with durable_change(self._connection):
            self._connection.execute("DELETE FROM manager_pin")

    @translated_errors(FILE_NAME)
    def matches(self, pin: str) -> bool:
        row = self._connection.execute("SELECT salt, digest FROM manager_pin").fetchone()
        return row is not None and hmac.compare_digest(_digest(pin, row[0]), row[1])

    @translated_errors(FILE_NAME)
    def wrong_tries(self) -> WrongTries:
        row = self._connection.execute("SELECT wrong, wrong_at FROM manager_pin").fetchone()
        if row is None:
            return WrongTries()
        return WrongTries(row[0], moment_of(row[1]) if row[1] else None)

    def note_try(self, *, right: bool, at: datetime) -> None:
        with durable_change(self._connection):
            if right:
                self._connection.execute("UPDATE manager_pin SET wrong = 0, wrong_at = NULL")
            else:
                sql = "UPDATE manager_pin SET wrong = wrong + 1, wrong_at = ?"
                self._connection.execute(sql, (moment_text(at),))


def _digest(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=_COST, r=_BLOCK, p=1, dklen=32)
