"""Checks whether a till's file agrees with itself, as far as its content is there twice.

A sale's frozen body is compared with the lines of its cart, its total and its payments. A sale's
state is compared with its last event, and the number of waiting sales with the stored count.
Content that is there only once is not checked: unconfirmed carts, the buyer in a body, and the
messages to a person.
"""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from pos_app import wire
from pos_app.adapters.sqlite.contents import UNREADABLE
from pos_app.adapters.sqlite.stored_values import money
from pos_app.adapters.sqlite.till.carts import CartTable
from pos_app.adapters.sqlite.till.people import ActTable
from pos_app.domain.money.payment import Payments
from pos_app.domain.receipt.operations import Copying, Operation
from pos_app.domain.receipt.pricing import price
from pos_app.domain.receipt.request import IssueRequest
from pos_app.errors import DiskFailed, MachineError
from pos_app.selling.people.acts import AtTheTill
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.wire.strict_json import loads

_AGREEMENTS = {
    "a sale is not as its history says": """
SELECT key FROM sales WHERE state IS NOT (
        SELECT new FROM sale_events WHERE key = sales.key ORDER BY id DESC LIMIT 1)
    OR frozen_at IS NOT (SELECT at FROM sale_events WHERE key = sales.key ORDER BY id LIMIT 1)""",
    "a sale is not of its cart": """
SELECT sales.key FROM sales LEFT JOIN carts ON carts.id = cart_id
WHERE (sales.key, sales.kind, 'done') IS NOT (carts.key, carts.kind, carts.state)""",
    "more sales wait than are told, or fewer": """
SELECT state FROM sales WHERE state NOT IN ('done', 'cancelled') GROUP BY state
HAVING count(*) IS NOT (SELECT sales FROM waiting_sales WHERE state = sales.state)""",
    "a sale follows a refund that is none, or went out before it": """
SELECT sales.key FROM sales JOIN sales AS refund ON refund.key = sales.follows
WHERE refund.operation <> 'refund' OR (sales.state = 'done' AND refund.state <> 'done')""",
    "a sale has a number that was not given yet": """
SELECT key FROM sales WHERE sequence > (SELECT last_sequence FROM meta)""",
}
"""Contradictions that must never be found, each with the statement that finds them."""

_SALES = "SELECT key, cart_id, kind, body, total, operation, target FROM sales ORDER BY sequence"
_SHOWN = "SELECT method, on_receipt FROM sale_payments WHERE key = ? AND on_receipt <> 0"


def till_contents(connection: apsw.Connection) -> Iterator[str]:
    """Iterate over the contradictions of a till's file, in words. Raises apsw.Error,
    UnicodeDecodeError, DiskFailed."""
    for words, sql in _AGREEMENTS.items():
        for (name,) in connection.execute(sql):
            yield f"{words} ({name})"
    carts = CartTable(connection, ActTable(connection, AtTheTill()), came=set())
    for key, cart_id, kind, body, total, operation, target in connection.execute(_SALES):
        shown = {method: money(amount) for method, amount in connection.execute(_SHOWN, (key,))}
        try:
            by_hand = operation == Operation.REFUND and target is None  # issued without lines
            request = wire.operations.READERS[Operation.ISSUE if by_hand else Operation(operation)](
                loads(body)
            )
            cart = carts.cart_of(cart_id)
            items, before = cart.cart.items(), cart.paid_before
            sold = None
            if isinstance(request, IssueRequest):
                sold = price(request, in_advance=before).total - before
        except DiskFailed:
            raise
        except (*UNREADABLE, MachineError) as error:
            yield f"a sale, its cart or its body can't be read: {error} ({key})"
            continue
        if isinstance(request, IssueRequest) and not by_hand and request.items != items:
            yield f"the body of a sale has other lines than its cart ({key})"
        payments = Payments() if isinstance(request, Copying) else request.payments
        paid = {method.value: amount for method, amount in payments.by_method if amount}
        is_sum = sold is None or kind == DocumentKind.ADVANCE or sold == money(total)
        if paid != shown or not is_sum:
            yield f"a sale is paid otherwise than its body says ({key})"
