"""Codes of a cart that came to nothing: a row each, usually none, until the cart ends."""

from __future__ import annotations

import apsw

from pos_app.adapters.sqlite.till_rows import Row
from pos_app.domain.barcodes import WhyUnknown
from pos_app.selling.missed_codes import Missed, UnknownCode


def read_missed(connection: apsw.Connection, cart_id: int) -> Missed:
    """The codes of a cart, in their order."""
    rows: list[Row] = connection.execute(
        "SELECT code, why FROM missed_codes WHERE cart_id = ? ORDER BY position", (cart_id,)
    ).fetchall()
    return tuple(UnknownCode(code, WhyUnknown(why) if why else None) for code, why in rows)


def write_missed(connection: apsw.Connection, cart_id: int, missed: Missed) -> None:
    """Keep the codes of an open cart, within the transaction under way."""
    forget_missed(connection, cart_id)
    connection.executemany(
        "INSERT INTO missed_codes (cart_id, position, code, why) VALUES (?, ?, ?, ?)",
        [
            (cart_id, position, one.code, one.why and one.why.value)
            for position, one in enumerate(missed)
        ],
    )


def forget_missed(connection: apsw.Connection, cart_id: int) -> None:
    """The cart ended, or all of them are entered."""
    connection.execute("DELETE FROM missed_codes WHERE cart_id = ?", (cart_id,))
