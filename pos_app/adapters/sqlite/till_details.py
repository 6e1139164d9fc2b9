"""What was added to a cart beside its lines: one row where there is anything, else none."""

from __future__ import annotations

import json

import apsw

from pos_app.domain.money import Money
from pos_app.domain.payment import PaymentMethod
from pos_app.selling.typed_details import NOTHING_ADDED, TypedAdvance, TypedDetails

_SELECT = """
SELECT buyer_code, buyer_value, buyer_sure, centre_code, centre_value, text, ways, email,
    advance_amount, advance_unknown, advance_parts, advance_day, advance_time, paid
FROM cart_additions WHERE cart_id = ?
"""
_WRITE = """
INSERT INTO cart_additions (cart_id, buyer_code, buyer_value, buyer_sure, centre_code, centre_value,
    text, ways, email, advance_amount, advance_unknown, advance_parts, advance_day, advance_time,
    paid)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (cart_id) DO UPDATE SET buyer_code = excluded.buyer_code,
    buyer_value = excluded.buyer_value, buyer_sure = excluded.buyer_sure,
    centre_code = excluded.centre_code, centre_value = excluded.centre_value,
    text = excluded.text, ways = excluded.ways, email = excluded.email,
    advance_amount = excluded.advance_amount, advance_unknown = excluded.advance_unknown,
    advance_parts = excluded.advance_parts, advance_day = excluded.advance_day,
    advance_time = excluded.advance_time, paid = excluded.paid
"""


def read_additions(connection: apsw.Connection, cart_id: int) -> TypedDetails:
    row = connection.execute(_SELECT, (cart_id,)).fetchone()
    if row is None:
        return NOTHING_ADDED
    code, value, sure, centre_code, centre_value, text, ways, email, *advance = row
    amount, unknown, parts, day, time, paid = advance
    return TypedDetails(
        buyer_code=code,
        buyer_value=value,
        buyer_sure=bool(sure),
        centre_code=centre_code,
        centre_value=centre_value,
        text=text,
        ways=None if ways is None else tuple(ways.split()),
        email=email,
        advance=TypedAdvance(
            amount, None if unknown is None else bool(unknown), json.loads(parts), day, time
        ),
        paid=tuple((PaymentMethod(method), Money(money)) for method, money in json.loads(paid)),
    )


def write_additions(connection: apsw.Connection, cart_id: int, added: TypedDetails) -> None:
    """Keep what was added to an open cart, within the transaction under way."""
    if added == NOTHING_ADDED:
        forget_additions(connection, cart_id)
        return
    advance = added.advance
    connection.execute(
        _WRITE,
        (
            cart_id,
            added.buyer_code,
            added.buyer_value,
            int(added.buyer_sure),
            added.centre_code,
            added.centre_value,
            added.text,
            None if added.ways is None else " ".join(added.ways),
            added.email,
            advance.amount,
            None if advance.unknown is None else int(advance.unknown),
            json.dumps(dict(advance.parts), ensure_ascii=False),
            advance.day,
            advance.time,
            json.dumps([(method.value, str(money.amount)) for method, money in added.paid]),
        ),
    )


def forget_additions(connection: apsw.Connection, cart_id: int) -> None:
    """Nothing was added, or the cart ended without a sale: a person's number is kept no longer."""
    connection.execute("DELETE FROM cart_additions WHERE cart_id = ?", (cart_id,))
