"""Confirmed sales in `till.db`: each change is durable before it is reported."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path

import apsw

from pos_app.adapters.sqlite import stored_values
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.till.buyers import learn_buyer
from pos_app.adapters.sqlite.till.restores import act_on_restore, close_lacking, lacking_of
from pos_app.adapters.sqlite.till.rows import SELECT_SALES, Row, reason_row, sale_of
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.writing import cart_change, durable_change
from pos_app.domain.money.money import Money
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.server_status import JournalMark
from pos_app.errors import NotFound
from pos_app.selling.sale.sale import (
    KEPT_IN_FRONT,
    PAID_OUT,
    LackingSales,
    PendingReason,
    QueuedSale,
    ReceiptFacts,
    RememberedJournal,
    RestoredCopy,
    Sale,
    SaleEvent,
    SoldUnknown,
)
from pos_app.selling.sale.state import ENDED, UNENDED, SaleState
from pos_app.wire.strict_json import dumps

_MOVE = """
UPDATE sales SET state = ?, changed_at = ?, attempts = attempts + ?, next_try_at = ?,
    reason_class = ?, reason_code = ?, reason_text = ?, reason_pfr_code = ?,
    reason_field = ?, receipt_id = coalesce(?, receipt_id), fiscal_number = ?, signed_at = ?,
    verification_url = ?, answered_at = iif(?, ?, answered_at)
WHERE key = ?
"""
_QUEUE = """
SELECT key, sequence, state, attempts, drop_reason IS NOT NULL, epoch,
    operation, follows
FROM sales WHERE sequence > ? AND state NOT IN ('done', 'cancelled') ORDER BY sequence LIMIT ?
"""
_IN_FRONT = """
SELECT key, sequence, state, attempts, drop_reason IS NOT NULL, epoch,
    operation, follows
FROM sales WHERE state = 'frozen'
    AND (operation IN ('advance', 'close', 'refund') OR follows IS NOT NULL) ORDER BY sequence
"""
_WAITING = "WHERE state = ? AND state NOT IN ('done', 'cancelled') ORDER BY sequence LIMIT ?"
"""The second condition lets SQLite use the index of open sales."""
_UNDER_WAY_ON = """
WHERE key IN (
    SELECT key FROM sales
    WHERE target IS NOT NULL AND target IN (SELECT value FROM json_each(?1))
    UNION SELECT new.key FROM sales refund JOIN sales new ON new.follows = refund.key
    WHERE refund.target IS NOT NULL AND refund.target IN (SELECT value FROM json_each(?1)))
    AND state IN ('frozen', 'sending', 'doubt') AND operation <> 'copy'
ORDER BY sequence DESC
"""
_PAYMENTS_ON = """
WHERE target IS NOT NULL AND target IN (SELECT value FROM json_each(?))
    AND operation = 'advance' AND state = 'done'
"""
_IS_MINE = """
SELECT EXISTS (SELECT 1 FROM sales WHERE key = ?)
    OR EXISTS (SELECT 1 FROM sales WHERE receipt_id = ? AND receipt_id IS NOT NULL
        AND state NOT IN ('done', 'cancelled'))
"""
# With max() SQLite takes the plain columns from the row with the greatest value.
_SOLD_UNKNOWN = """
WITH l AS (
    SELECT cart_id, unknown_code, name, label, price, removed FROM cart_lines
    WHERE unknown_code IS NOT NULL ORDER BY cart_id DESC LIMIT 300
)
SELECT l.unknown_code, l.name, l.label, l.price, count(*), s.frozen_at, s.cashier,
    max(s.sequence) AS newest
FROM l CROSS JOIN sales s ON s.cart_id = l.cart_id
WHERE l.removed = 0 AND s.kind <> 'training' AND s.state <> 'cancelled'
GROUP BY l.unknown_code ORDER BY newest DESC
"""


CLOSED_WITHOUT_GOODS = """
INDEXED BY refunds_by_hand
WHERE operation = 'refund' AND target IS NULL AND signed_at IS NOT NULL AND shown = 0
    AND NOT EXISTS (
        SELECT 1 FROM sale_payments p WHERE p.key = sales.key AND p.tendered <> 0)
    AND NOT EXISTS (
        SELECT 1 FROM cart_additions a JOIN carts c ON c.id = a.cart_id
        LEFT JOIN sales s ON s.cart_id = c.id
        WHERE a.referent_number = sales.fiscal_number AND (
            c.state IN ('open', 'held') OR (s.kind = 'sale' AND (s.state <> 'cancelled'
                OR (s.drop_reason = 'correction' AND s.shown = 0)))))
ORDER BY sequence
"""
"""The lines of a sale cancelled for correction count as a cart until they are taken back."""

# Only the frozen body has the refunded receipt's number, and few refunds are by hand. A refused
# refund that was closed refunded nothing. A sale that undoes a refund refers to it, and nobody
# typed anything into its cart.
_BY_HAND_OF = """
INDEXED BY refunds_by_hand
WHERE operation = 'refund' AND target IS NULL AND state <> 'cancelled'
    AND (state NOT IN ('refused', 'cancelling') OR drop_reason IS NULL)
    AND upper(json_extract(CAST(body AS TEXT), '$.referentDocumentNumber')) = upper(?)
    AND NOT EXISTS (
        SELECT 1 FROM signed_v1 u WHERE u.sequence > sales.sequence AND u.operation = 'issue'
        AND u.refers_to = sales.fiscal_number AND NOT u.is_typed)
ORDER BY sequence
"""

CREDITS_OWED = """
INDEXED BY exchanged
WHERE is_exchange = 1 AND operation = 'refund' AND state = 'done'
    AND (SELECT f.state FROM sales f WHERE f.follows = sales.key) = 'cancelled'
    AND NOT EXISTS (SELECT 1 FROM sale_events e WHERE e.key = sales.key AND e.code = ?)
    AND NOT EXISTS (
        SELECT 1 FROM carts c JOIN cart_additions a ON a.cart_id = c.id
        WHERE c.state = 'open' AND a.goods_back ->> '$.refund' = sales.key)
    AND NOT EXISTS (
        SELECT 1 FROM carts c JOIN cart_additions a ON a.cart_id = c.id
        WHERE c.state = 'held' AND a.goods_back ->> '$.refund' = sales.key)
    AND NOT EXISTS (
        SELECT 1 FROM sales u INDEXED BY exchanged JOIN cart_additions a ON a.cart_id = u.cart_id
        WHERE u.is_exchange = 1 AND u.state <> 'cancelled'
            AND a.goods_back ->> '$.refund' = sales.key)
ORDER BY sequence
"""
_TELL_PAID_OUT = """
INSERT INTO sale_events (key, at, old, new, code, text, gave)
SELECT key, ?, state, state, ?, ?, ? FROM sales WHERE key = ?
"""
_GOODS_SETTLED = "UPDATE sales SET shown = 1 WHERE key = ? AND target IS NULL"


class SaleTable:
    """The port SaleRepository on `till.db`. came: carts that had content when the file was opened,
    and the new carts of sales that were taken back since."""

    def __init__(
        self, connection: apsw.Connection, *, tidy: Callable[[], None], came: Collection[int]
    ) -> None:
        self._connection = connection
        self._came = came
        self.tidy = tidy

    @translated_errors(FILE_NAME)
    def queue(self, *, after: int = 0, at_most: int = 200) -> Sequence[QueuedSale]:
        return self._queued(_QUEUE, (after, at_most))

    @translated_errors(FILE_NAME)
    def frozen_in_front(self) -> Sequence[QueuedSale]:
        return self._queued(_IN_FRONT, ())

    def _queued(self, query: str, values: tuple[int, ...]) -> Sequence[QueuedSale]:
        rows = self._connection.execute(query, values)
        return [
            QueuedSale(
                key,
                sequence,
                SaleState(state),
                attempts,
                bool(wished),
                epoch,
                operation in KEPT_IN_FRONT or follows is not None,
            )
            for key, sequence, state, attempts, wished, epoch, operation, follows in rows
        ]

    def waiting(self, *states: SaleState, at_most: int | None = None) -> Sequence[Sale]:
        found = [
            sale
            for state in states or UNENDED
            for sale in self._read(_WAITING, state.value, -1 if at_most is None else at_most)
        ]
        return sorted(found, key=lambda sale: sale.sequence)

    def under_way_on(self, receipts: Collection[str]) -> Sequence[Sale]:
        return self._read(_UNDER_WAY_ON, dumps(list(receipts)).decode())

    def payments_on(self, receipts: Collection[str]) -> Sequence[Sale]:
        return self._read(_PAYMENTS_ON, dumps(list(receipts)).decode())

    def follower(self, key: str) -> Sale | None:
        return next(iter(self._read("WHERE follows = ? AND follows IS NOT NULL", key)), None)

    def followers(self) -> Sequence[Sale]:
        return self._read(
            "WHERE follows IS NOT NULL AND state NOT IN ('done', 'cancelled') ORDER BY sequence"
        )

    def closed_without_goods(self) -> Sequence[Sale]:
        return self._read(CLOSED_WITHOUT_GOODS)

    def refunds_by_hand(self, number: str) -> Sequence[Sale]:
        return self._read(_BY_HAND_OF, number)

    def credits_owed(self) -> Sequence[Sale]:
        return self._read(CREDITS_OWED, PAID_OUT)

    @translated_errors(FILE_NAME)
    def note_paid_out(self, key: str, *, gave: Money, by: str, at: datetime) -> None:
        with durable_change(self._connection):
            values = (stored_values.moment_text(at), PAID_OUT, by, stored_values.para(gave), key)
            self._connection.execute(_TELL_PAID_OUT, values)
            if not self._connection.changes():
                raise _no_such_sale()
            self._connection.execute(_GOODS_SETTLED, (key,))

    @translated_errors(FILE_NAME)
    def counts(self) -> Mapping[SaleState, int]:
        rows = self._connection.execute("SELECT state, sales FROM waiting_sales")
        return dict.fromkeys(UNENDED, 0) | {SaleState(state): count for state, count in rows}

    @translated_errors(FILE_NAME)
    def is_mine(self, *, key: str | None, receipt_id: str) -> bool:
        return bool(self._connection.execute(_IS_MINE, (key, receipt_id)).get)

    @translated_errors(FILE_NAME)
    def is_exchange(self, receipt_id: str) -> bool:
        found = "SELECT 1 FROM sales WHERE is_exchange = 1 AND receipt_id = ?"
        return bool(self._connection.execute(found, (receipt_id,)).get)

    def last(self, count: int, *, before: int | None = None) -> Sequence[Sale]:
        if before is None:
            return self._read("ORDER BY sequence DESC LIMIT ?", count)
        return self._read("WHERE sequence < ? ORDER BY sequence DESC LIMIT ?", before, count)

    @translated_errors(FILE_NAME)
    def sale(self, key: str) -> Sale:
        return read_sale(self._connection, key)

    @translated_errors(FILE_NAME)
    def body(self, key: str) -> bytes:
        found = self._connection.execute("SELECT body FROM sales WHERE key = ?", (key,)).get
        if found is None:
            raise _no_such_sale()
        return bytes(found)

    @translated_errors(FILE_NAME)
    def history(self, key: str) -> Sequence[SaleEvent]:
        rows = self._connection.execute(
            "SELECT at, old, new, code, text FROM sale_events WHERE key = ? ORDER BY id", (key,)
        )
        return [
            SaleEvent(
                at=stored_values.moment_of(at),
                old=None if old is None else SaleState(old),
                new=SaleState(new),
                code=code or "",
                text=text or "",
            )
            for at, old, new, code, text in rows
        ]

    def move(
        self,
        key: str,
        state: SaleState,
        *,
        at: datetime,
        reason: PendingReason | None = None,
        receipt: ReceiptFacts | None = None,
        receipt_id: str | None = None,
        next_try_at: datetime | None = None,
    ) -> Sale:
        moment = stored_values.moment_text(at)
        values = (
            state.value,
            moment,
            int(state is SaleState.SENDING),
            stored_values.optional_text(next_try_at),
            *reason_row(reason),
            receipt.receipt_id if receipt else receipt_id,
            *_receipt_row(receipt),
            state in ENDED,
            moment,
            key,
        )
        with durable_change(self._connection):
            sale = self._change(key, _MOVE, values)
            if state is SaleState.DONE:
                learn_buyer(self._connection, key)
            return sale

    def note(
        self,
        key: str,
        *,
        at: datetime,
        reason: PendingReason | None,
        receipt_id: str | None = None,
        next_try_at: datetime | None = None,
    ) -> Sale:
        return self._change(
            key,
            "UPDATE sales SET reason_class = ?, reason_code = ?, reason_text = ?,"
            " reason_pfr_code = ?, reason_field = ?, receipt_id = coalesce(?, receipt_id),"
            " next_try_at = ?, changed_at = ? WHERE key = ?",
            (
                *reason_row(reason),
                receipt_id,
                stored_values.optional_text(next_try_at),
                stored_values.moment_text(at),
                key,
            ),
        )

    def request_cancel(self, key: str, *, reason: str, at: datetime) -> Sale:
        return self._change(
            key,
            "UPDATE sales SET drop_reason = ?, changed_at = ? WHERE key = ?",
            (reason, stored_values.moment_text(at), key),
        )

    def done_to_be_seen(self) -> Sequence[Sale]:
        return self._read(
            "WHERE state = 'done' AND (drop_reason IS NOT NULL OR signed_at IS NULL)"
            " AND shown = 0 ORDER BY sequence LIMIT 100"
        )

    @translated_errors(FILE_NAME)
    def sold_unknown(self) -> Sequence[SoldUnknown]:
        rows = self._connection.execute(_SOLD_UNKNOWN)
        return [
            SoldUnknown(
                code,
                name,
                TaxLabel(label),
                stored_values.money(price),
                lines,
                stored_values.moment_of(at),
                cashier,
            )
            for code, name, label, price, lines, at, cashier, _ in rows
        ]

    def mark_shown(self, key: str) -> Sale:
        return self._change(key, "UPDATE sales SET shown = 1 WHERE key = ?", (key,))

    def mark_delivered(self, key: str) -> Sale:
        return self._change(key, "UPDATE sales SET delivered = 1 WHERE key = ?", (key,))

    @translated_errors(FILE_NAME)
    def remembered(self) -> RememberedJournal:
        journal_id, rows, last_hash, epoch, acted_key = self._connection.execute(
            "SELECT journal_id, journal_rows, journal_hash, epoch, acted_key FROM meta"
        ).get
        mark = None if journal_id is None else JournalMark(journal_id, rows, last_hash)
        return RememberedJournal(mark, epoch, acted_key)

    def remember_journal(self, mark: JournalMark) -> None:
        with cart_change(self._connection):
            self._connection.execute(
                "UPDATE meta SET journal_id = ?, journal_rows = ?, journal_hash = ?",
                (mark.id, mark.rows, mark.hash),
            )

    @translated_errors(FILE_NAME)
    def unconfirmed(self) -> Sale | None:
        found = self._read(
            "WHERE key = (SELECT unconfirmed FROM meta) AND state = 'frozen' AND attempts = 0"
        )
        return next(iter(found), None)

    @translated_errors(FILE_NAME)
    def key_of(self, sequence: int) -> str | None:
        found: str | None = self._connection.execute(
            "SELECT key FROM sales WHERE sequence = ?", (sequence,)
        ).get
        return found

    def act_on_restore(self, restored: RestoredCopy, *, at: datetime) -> None:
        with durable_change(self._connection):
            act_on_restore(self._connection, restored, came=self._came, at=at)

    @translated_errors(FILE_NAME)
    def lacking(self) -> LackingSales | None:
        return lacking_of(self._connection, Path(self._connection.filename).parent)

    def close_lacking(self, *, by: str, at: datetime) -> None:
        with durable_change(self._connection):
            close_lacking(self._connection, by=by, at=at)

    def _change(self, key: str, sql: str, values: Row) -> Sale:
        with durable_change(self._connection):
            self._connection.execute(sql, values)
            if not self._connection.changes():
                raise _no_such_sale()
            return read_sale(self._connection, key)

    @translated_errors(FILE_NAME)
    def _read(self, tail: str, *values: object) -> Sequence[Sale]:
        rows: list[Row] = self._connection.execute(SELECT_SALES + tail, values).fetchall()
        return [sale_of(row, _payments(self._connection, row[0])) for row in rows]


def read_sale(connection: apsw.Connection, key: str) -> Sale:
    """Return the sale of that key. Raises NotFound."""
    found = connection.execute(SELECT_SALES + "WHERE key = ?", (key,)).get
    if found is None:
        raise _no_such_sale()
    return sale_of(found, _payments(connection, key))


def _payments(connection: apsw.Connection, key: str) -> list[Row]:
    return connection.execute(
        "SELECT method, on_receipt, tendered FROM sale_payments WHERE key = ? ORDER BY position",
        (key,),
    ).fetchall()


def _receipt_row(receipt: ReceiptFacts | None) -> tuple[str | None, str | None, str | None]:
    if receipt is None:
        return None, None, None
    return (
        receipt.fiscal_number,
        stored_values.optional_text(receipt.signed_at),
        receipt.verification_url,
    )


def _no_such_sale() -> NotFound:
    return NotFound("sale")
