"""Shifts, their cash moves and counts in `till.db`, and their sales for the sum."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import apsw

from pos_app import wire
from pos_app.adapters.sqlite import stored_values
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.till.people import ActTable
from pos_app.adapters.sqlite.till.rows import Row, money_taken_of
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.writing import durable_change
from pos_app.documents.blocks import document_of, plain
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.shift_report import ActSums, CountedDrawer, ShiftReport
from pos_app.errors import NotAllowed, NotFound
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.sale.sale import PAID_OUT
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.shift import cash
from pos_app.selling.shift.count import Count, CountForm
from pos_app.selling.shift.shift import FloatIs, OwedPaper, Shift, ShiftClosing, Span, StoredCount
from pos_app.wire.strict_json import loads

_SHIFT = """
SELECT id, opened_at, opened_by, float, float_is, closed_at, coalesce(closed_by, ''),
    coalesce(stays, 0), coalesce(taken, 0)
FROM shifts
"""
_OPEN = _SHIFT + "WHERE closed_at IS NULL"
_LAST_CLOSED = _SHIFT + "WHERE closed_at IS NOT NULL AND id < ? ORDER BY id DESC LIMIT 1"
_AFTER_ALL = 2**62
_BEGIN = """
INSERT INTO shifts (opened_at, opened_by, float, float_is, told_after, moved_after)
VALUES (?, ?, ?, ?, ?, ?)
"""
_OPEN_BY_ITSELF = """
INSERT INTO shifts (opened_at, opened_by, float, float_is, told_after, moved_after)
SELECT ?1, ?2, coalesce((SELECT stays FROM shifts ORDER BY id DESC LIMIT 1), 0), 'left', told, told
FROM (SELECT coalesce(
    (SELECT max(told_until) FROM shifts), (SELECT max(id) FROM sale_events), 0) AS told)
WHERE NOT EXISTS (SELECT 1 FROM shifts WHERE closed_at IS NULL)
"""
"""Opens a shift with the float that the last one left, if none is open."""
_OPEN_NOW = "SELECT id, float FROM shifts WHERE closed_at IS NULL"
_FLOAT_COUNT = """
SELECT counted FROM float_counts WHERE after_shift = (SELECT coalesce(max(id), 0) FROM shifts)
"""
_KEEP_FLOAT_COUNT = """
INSERT INTO float_counts (after_shift, counted)
VALUES ((SELECT coalesce(max(id), 0) FROM shifts), ?)
ON CONFLICT (after_shift) DO UPDATE SET counted = excluded.counted
"""
"""A count is kept under the last shift. If a shift was opened since, also by its first sale, the
count belongs to an earlier shift and is not used."""
_MOVE = """
INSERT INTO cash_moves (shift_id, kind, amount, reason, by_name, at, bag)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
_CLOSE = """
UPDATE shifts SET closed_at = ?, closed_by = ?, told_until = ?, count_id = ?, stays = ?, taken = ?,
    z = ?
WHERE id = ? AND closed_at IS NULL
"""
# The sales of a shift: those that it froze and those with an event in its time; with each, the
# other sale of its pair, and the refund whose value it uses in an exchange.
_OF_SHIFT = """
WITH changed AS (
    SELECT key FROM sales WHERE shift_id = :shift
    UNION SELECT key FROM sale_events WHERE id > :since AND id <= :until
)
SELECT key FROM changed
UNION SELECT s.follows FROM sales s JOIN changed USING (key) WHERE s.follows IS NOT NULL
UNION SELECT f.key FROM sales f JOIN changed ON f.follows = changed.key
    WHERE f.follows IS NOT NULL
UNION SELECT a.goods_back ->> '$.refund' FROM sales s JOIN changed USING (key)
    JOIN cart_additions a ON a.cart_id = s.cart_id
    WHERE s.is_exchange = 1 AND coalesce(a.goods_back ->> '$.refund', '') <> ''
"""
_OF_TIME = "SELECT key FROM sale_events WHERE id > :since AND id <= :until"
_OWN_OF_SHIFT = "SELECT key FROM sales WHERE shift_id = :shift"
_OWN_OF_TIME = _OF_TIME + " AND old IS NULL"
_EVENT_BEFORE = "SELECT id FROM sale_events WHERE at < ? ORDER BY id DESC LIMIT 1"
_EVENT_UP_TO = "SELECT id FROM sale_events WHERE at <= ? ORDER BY id DESC LIMIT 1"
_STATE = """
(SELECT new FROM sale_events e WHERE e.key = s.key AND e.id <= :{} ORDER BY e.id DESC LIMIT 1)
"""
_SALES = f"""
SELECT s.key, s.kind, s.operation, {_STATE.format("since")}, {_STATE.format("until")}, s.total,
    s.change, s.rounding, s.cashier, s.frozen_at, s.shift_id, coalesce(s.fiscal_number, ''),
    coalesce(s.receipt_id, ''), s.is_exchange, coalesce(s.follows, ''), s.target, s.signed_at,
    a.referent_number
FROM sales s LEFT JOIN cart_additions a ON a.cart_id = s.cart_id
WHERE s.key IN ({{}}) ORDER BY s.sequence
"""
_PARTNERS = f"""
SELECT s.follows IS NOT NULL, {_STATE.format("since")}, {_STATE.format("until")} FROM sales s
WHERE s.follows = :key AND s.follows IS NOT NULL
UNION ALL
SELECT 0, {_STATE.format("since")}, {_STATE.format("until")} FROM sales s
INDEXED BY exchanged JOIN cart_additions a ON a.cart_id = s.cart_id
WHERE s.is_exchange = 1 AND a.goods_back ->> '$.refund' = :key
"""
_PAID_OUT = "SELECT min(id), gave FROM sale_events WHERE key = ? AND code = ?"
_PAID = "SELECT method, on_receipt, tendered FROM sale_payments WHERE key = ? ORDER BY position"
_BEFORE = """
SELECT s.key, s.total FROM sales s WHERE s.fiscal_number = ? AND s.operation = 'refund'
    AND s.target IS NULL
    AND NOT EXISTS (SELECT 1 FROM sale_payments p WHERE p.key = s.key AND p.tendered <> 0)
"""
_OPENINGS = "SELECT count(*) FROM acts WHERE at >= ? AND at < ? AND done = 'drawer'"
# A sale that was given up counts as such once it is cancelled: until then its receipt may be found.
_DROPPED = """
SELECT count(*), coalesce(sum(amount), 0) FROM (
    SELECT CAST(round(100 * CAST(before AS REAL)) AS INTEGER) AS amount FROM acts a
    WHERE at >= :from_at AND at < :to_at AND done = 'cart_dropped'
        AND NOT EXISTS (SELECT 1 FROM sales s WHERE s.key = a.sale_key)
    UNION ALL
    SELECT s.total FROM sale_events e JOIN sales s USING (key)
    WHERE e.id > :since AND e.id <= :until AND e.old = 'cancelling' AND e.new = 'cancelled'
        AND EXISTS (SELECT 1 FROM acts a
            WHERE a.at >= s.frozen_at AND a.sale_key = s.key AND a.done = 'cart_dropped'))
"""
_CARTS_OF = f"""
SELECT s.cart_id FROM sales s JOIN carts c ON c.id = s.cart_id
WHERE s.key IN ({{}}) AND s.operation = 'issue' AND s.kind IN ('sale', 'advance')
    AND (s.follows IS NULL OR s.is_exchange = 1) AND {_STATE.format("until")} = 'done'
    AND (c.discount_percent IS NOT NULL OR c.discount_amount IS NOT NULL
        OR EXISTS (SELECT 1 FROM cart_lines l WHERE l.cart_id = c.id AND NOT l.removed
            AND (l.discount IS NOT NULL OR l.discount_amount IS NOT NULL)))
"""
# The time from which a shift reports: when the previous one was closed, or the last sale that a
# till without shifts made in between, because such a sale was reported by days.
_TOLD_SINCE = """
SELECT min(h.opened_at, max(
    coalesce((SELECT closed_at FROM shifts WHERE id < h.id ORDER BY id DESC LIMIT 1), h.opened_at),
    coalesce((SELECT max(e.at) FROM sale_events e JOIN sales s USING (key)
        WHERE e.id > h.told_after AND e.id <= coalesce(h.told_until, :never) AND e.old IS NULL
            AND s.shift_id IS NULL AND s.kind <> 'training' AND e.at < h.opened_at), '')))
FROM shifts h WHERE h.id = :shift
"""
_ROUGHLY = """
SELECT h.float
    + (SELECT coalesce(sum(iif(kind IN ('in', 'change'), amount, -amount)), 0) FROM cash_moves
        WHERE shift_id = h.id)
    + (SELECT coalesce(sum(iif(s.operation = 'refund',
            iif(s.state = 'done', s.rounding - p.tendered, 0), p.tendered - s.change)), 0)
        FROM sales s JOIN sale_payments p ON p.key = s.key AND p.method = 'cash'
        WHERE s.shift_id = h.id AND s.kind IN ('sale', 'advance') AND s.operation <> 'copy'
            AND s.state NOT IN ('refused', 'cancelling', 'cancelled'))
FROM shifts h WHERE h.closed_at IS NULL
"""
"""An estimate of the sum of a closing (`drawer_sum`): it knows neither pairs of receipts nor
changes of earlier shifts."""
_NEVER = 2**62
"""A number behind every event."""


class ShiftTable:
    """The port ShiftRepository on `till.db`."""

    def __init__(self, connection: apsw.Connection, acts: ActTable) -> None:
        self._connection = connection
        self._acts = acts

    @translated_errors(FILE_NAME)
    def open_shift(self) -> Shift | None:
        return self._shift_by(_OPEN)

    @translated_errors(FILE_NAME)
    def last_closed(self, *, before: Shift | None = None) -> Shift | None:
        return self._shift_by(_LAST_CLOSED, _AFTER_ALL if before is None else before.id)

    @translated_errors(FILE_NAME)
    def closed(self, *, at_most: int = 50) -> Sequence[Shift]:
        sql = _SHIFT + "WHERE closed_at IS NOT NULL ORDER BY id DESC LIMIT ?"
        rows: list[Row] = self._connection.execute(sql, (at_most,)).fetchall()
        return [_shift(row) for row in rows]

    # --- its beginning ---------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def float_count(self, form: CountForm) -> Count:
        found: str | None = self._connection.execute(_FLOAT_COUNT).get
        return Count(form) if found is None else Count(form, _fitting(_count_of(found), form))

    def keep_float_count(self, count: Count) -> None:
        with durable_change(self._connection):
            self._connection.execute(_KEEP_FLOAT_COUNT, (_count_text(count),))

    def begin(self, amount: Money, how: FloatIs, *, by: str, at: datetime) -> Shift:
        with durable_change(self._connection):
            if self._shift_by(_OPEN) is not None:
                raise NotAllowed("shift_open")
            return self._begin(amount, how, by=by, at=at)

    def ensure_open(self, *, by: str, at: datetime) -> Shift:
        found = self.open_shift()
        if found is not None:
            return found
        with durable_change(self._connection):
            open_by_itself(self._connection, self._acts, by=by, at=at)
            found = self._shift_by(_OPEN)
            assert found is not None
            return found

    def _begin(self, amount: Money, how: FloatIs, *, by: str, at: datetime) -> Shift:
        newest = self._newest_event()
        reported_after = self._connection.execute("SELECT max(told_until) FROM shifts").get
        if reported_after is None:
            reported_after = newest
        moved_after = reported_after if how is FloatIs.LEFT else newest
        moment = stored_values.moment_text(at)
        self._connection.execute(
            _BEGIN, (moment, by, stored_values.para(amount), how.value, reported_after, moved_after)
        )
        self._acts.note(
            NotedAct.SHIFT_OPENED, by=by, at=moment, subject=how.value, after=str(amount.amount)
        )
        found = self._shift_by(_OPEN)
        assert found is not None
        return found

    def _newest_event(self) -> int:
        newest: int = self._connection.execute("SELECT coalesce(max(id), 0) FROM sale_events").get
        return newest

    # --- cash in and out -------------------------------------------------------------------------

    def move(
        self, kind: cash.MoveKind, amount: Money, *, reason: str, by: str, at: datetime
    ) -> cash.CashMove:
        connection, moment = self._connection, stored_values.moment_text(at)
        with durable_change(connection):
            shift = self._shift_by(_OPEN)
            if shift is None:
                raise _closed()
            bag = None
            if kind is cash.MoveKind.DROP:
                bag = connection.execute("SELECT coalesce(max(bag), 0) + 1 FROM cash_moves").get
            row = (shift.id, kind.value, stored_values.para(amount), reason, by, moment, bag)
            connection.execute(_MOVE, row)
            number = connection.last_insert_rowid()
            done = NotedAct.CASH_IN if kind.brings else NotedAct.CASH_OUT
            subject = reason or (kind.value if bag is None else f"{kind.value} {bag}")
            self._acts.note(done, by=by, at=moment, subject=subject, after=str(amount.amount))
        return cash.CashMove(number, kind, amount, reason, by, at, bag)

    @translated_errors(FILE_NAME)
    def moves(self, shift: Shift) -> Sequence[cash.CashMove]:
        rows = self._connection.execute(
            "SELECT id, kind, amount, reason, by_name, at, bag FROM cash_moves"
            " WHERE shift_id = ? ORDER BY id",
            (shift.id,),
        )
        return [
            cash.CashMove(
                number,
                cash.MoveKind(kind),
                stored_values.money(amount),
                reason,
                by,
                stored_values.moment_of(at),
                bag,
            )
            for number, kind, amount, reason, by, at, bag in rows
        ]

    # --- its sales -------------------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def sales(self, span: Span) -> Sequence[cash.ShiftSale]:
        """Return the sales of a shift. Where its float was counted, changes between the previous
        shift and this one count as made before it: the counted float has their cash."""
        asked, floated = self._asked(span)
        keys = _OF_TIME if span.shift is None else _OF_SHIFT
        rows: list[Row] = self._connection.execute(_SALES.format(keys), asked).fetchall()
        return [self._sale(row, asked, floated) for row in rows]

    def _asked(self, span: Span) -> tuple[dict[str, object], int]:
        """Return the values for the statements, and the last event whose cash is in the float."""
        if span.shift is None:
            assert span.since is not None
            assert span.until is not None
            ends = (self._event_before(span.since), self._event_before(span.until))
            return {"shift": None, "since": ends[0], "until": ends[1]}, 0
        since, floated, until = self._connection.execute(
            "SELECT told_after, moved_after, coalesce(told_until, ?) FROM shifts WHERE id = ?",
            (_NEVER, span.shift.id),
        ).fetchone()  # type: ignore[misc]
        if span.until is not None:
            until = min(until, self._last_event(_EVENT_UP_TO, span.until))
        return {"shift": span.shift.id, "since": since, "until": until}, floated

    def _event_before(self, moment: datetime) -> int:
        """Return the last event before a moment; reported events are in the order of their time."""
        return self._last_event(_EVENT_BEFORE, moment)

    def _last_event(self, which: str, moment: datetime) -> int:
        found: int | None = self._connection.execute(
            which, (stored_values.moment_text(moment),)
        ).get
        return found or 0

    def _sale(self, row: Row, asked: dict[str, object], floated: int) -> cash.ShiftSale:
        key, kind, operation, before, after, total, change, rounding, cashier, *more = row
        frozen_at, shift_id, number, receipt_id, is_exchange, follows, target, signed, of = more
        paid: list[Row] = self._connection.execute(_PAID, (key,)).fetchall()
        is_refund = operation == Operation.REFUND
        is_own = before is None if asked["shift"] is None else shift_id == asked["shift"]
        sale = cash.ShiftSale(
            key=key,
            kind=DocumentKind(kind),
            operation=Operation(operation),
            states=_states(None if is_own else before, after),
            total=stored_values.money(total),
            taken=money_taken_of(paid, change, rounding),
            cashier=cashier,
            frozen_at=stored_values.moment_of(frozen_at),
            is_own=is_own,
            number=number,
            receipt_id=receipt_id,
            is_exchange=bool(is_exchange),
            follows=follows,
            closes_elsewhere=is_refund and target is None and not any(one[2] for one in paid),
            signed_at=stored_values.optional_moment(signed),
        )
        if is_refund:
            sale = self._with_partners(sale, asked)
        if of is not None and not is_refund:
            sale = self._with_advance(sale, of)
        if not is_own and floated > int(str(asked["since"])):
            sale = self._with_float(sale, asked, floated)
        return sale

    def _with_partners(self, sale: cash.ShiftSale, asked: dict[str, object]) -> cash.ShiftSale:
        rows: list[Row] = self._connection.execute(_PARTNERS, asked | {"key": sale.key}).fetchall()
        value, gave = self._connection.execute(_PAID_OUT, (sale.key, PAID_OUT)).fetchone()  # type: ignore[misc]
        ends = (int(str(asked["since"])), int(str(asked["until"])))
        return replace(
            sale,
            has_follower=any(row[0] for row in rows),
            partners=tuple(_states(row[1], row[2]) for row in rows),
            paid_out=(
                value is not None and value <= ends[0],
                value is not None and value <= ends[1],
            ),
            paid_cash=None if gave is None else stored_values.money(gave),
        )

    def _with_advance(self, sale: cash.ShiftSale, number: str) -> cash.ShiftSale:
        """Add the payments for an advance of another system, which this sale closes."""
        found = self._connection.execute(_BEFORE, (number,)).fetchone()
        if found is None:
            return sale
        key, total = found
        paid = self._connection.execute(_PAID, (key,))
        by = Payments.of(
            {PaymentMethod(name): stored_values.money(shown) for name, shown, _ in paid}
        )
        return replace(sale, paid_before=stored_values.money(total), before_by=by)

    def _with_float(
        self, sale: cash.ShiftSale, asked: dict[str, object], floated: int
    ) -> cash.ShiftSale:
        """Add the sale's state when the float was counted, as far as cash is concerned."""
        values = {"since": floated, "until": floated, "key": sale.key}
        state: str | None = self._connection.execute(
            "SELECT new FROM sale_events WHERE key = ? AND id <= ? ORDER BY id DESC LIMIT 1",
            (sale.key, floated),
        ).get
        then = replace(sale, states=_states(state, state))
        if sale.is_refund:
            then = self._with_partners(then, asked | values)
        return replace(sale, counted_in_float=then.counts(0))

    @translated_errors(FILE_NAME)
    def roughly_there(self) -> Money | None:
        found: int | None = self._connection.execute(_ROUGHLY).get
        return None if found is None else stored_values.money(found)

    # --- what else was done ----------------------------------------------------------------------

    @translated_errors(FILE_NAME)
    def reported_since(self, shift: Shift) -> datetime:
        asked = {"shift": shift.id, "never": _NEVER}
        return stored_values.moment_of(self._connection.execute(_TOLD_SINCE, asked).get)

    @translated_errors(FILE_NAME)
    def acts(self, span: Span) -> ActSums:
        since, until = span.since, span.until
        if span.shift is not None:
            since, until = self.reported_since(span.shift), span.shift.closed_at
        assert since is not None
        times = (
            stored_values.moment_text(since),
            "9" if until is None else stored_values.moment_text(until),
        )
        openings: int = self._connection.execute(_OPENINGS, times).get
        asked, _ = self._asked(span)
        dropped = asked | {"from_at": times[0], "to_at": times[1]}
        many, total = self._connection.execute(_DROPPED, dropped).fetchone()  # type: ignore[misc]
        return ActSums(openings=openings, dropped=many, dropped_total=stored_values.money(total))

    @translated_errors(FILE_NAME)
    def discounted_carts(self, span: Span) -> Sequence[int]:
        asked, _ = self._asked(span)
        own = _OWN_OF_TIME if span.shift is None else _OWN_OF_SHIFT
        return [number for (number,) in self._connection.execute(_CARTS_OF.format(own), asked)]

    def note_x(self, *, by: str, at: datetime) -> None:
        self._acts.write(NotedAct.X_REPORT, by=by, at=at)

    # --- the count -------------------------------------------------------------------------------

    def draft(self, shift: Shift, form: CountForm, *, by: str, at: datetime) -> StoredCount:
        with durable_change(self._connection):
            found = self._counts("shift_id = ? AND confirmed_at IS NULL", shift.id)
            if found:
                kept = found[0]
                return replace(kept, count=Count(form, _fitting(kept.count, form)))
            begun = Count(form)
            self._connection.execute(
                "INSERT INTO counts (shift_id, by_name, begun_at, counted) VALUES (?, ?, ?, ?)",
                (shift.id, by, stored_values.moment_text(at), _count_text(begun)),
            )
            return StoredCount(self._connection.last_insert_rowid(), by, at, begun)

    def keep_count(self, stored: StoredCount) -> None:
        with durable_change(self._connection):
            self._connection.execute(
                "UPDATE counts SET counted = ? WHERE id = ?", (_count_text(stored.count), stored.id)
            )

    def confirm_count(self, stored: StoredCount, *, by: str, at: datetime) -> StoredCount:
        with durable_change(self._connection):
            moment = stored_values.moment_text(at)
            shift = self._connection.execute(
                "UPDATE counts SET counted = ?, by_name = ?, confirmed_at = ? WHERE id = ?"
                " RETURNING shift_id",
                (_count_text(stored.count), by, moment, stored.id),
            ).get
            self._acts.note(
                NotedAct.COUNTED,
                by=by,
                at=moment,
                subject=str(shift),
                after=str(stored.count.cash.amount),
            )
        return replace(stored, by=by, confirmed_at=at)

    @translated_errors(FILE_NAME)
    def counts(self, shift: Shift) -> Sequence[StoredCount]:
        return self._counts("shift_id = ? AND confirmed_at IS NOT NULL", shift.id)

    def _counts(self, which: str, shift_id: int) -> Sequence[StoredCount]:
        rows = self._connection.execute(
            "SELECT id, by_name, begun_at, counted, confirmed_at FROM counts"
            f" WHERE {which} ORDER BY id",
            (shift_id,),
        )
        return [
            StoredCount(
                number,
                by,
                stored_values.moment_of(begun),
                _count_of(counted),
                stored_values.optional_moment(done),
            )
            for number, by, begun, counted, done in rows
        ]

    # --- its end ---------------------------------------------------------------------------------

    def close(self, shift: Shift, closing: ShiftClosing) -> Shift:
        with durable_change(self._connection):
            moment = stored_values.moment_text(closing.at)
            self._connection.execute(
                _CLOSE,
                (
                    moment,
                    closing.by,
                    self._newest_event(),
                    closing.count_id,
                    stored_values.para(closing.stays),
                    stored_values.para(closing.taken),
                    wire.records.written(ShiftReport, closing.z).decode(),
                    shift.id,
                ),
            )
            if not self._connection.changes():
                raise _closed()
            self._note_closed(shift, closing)
            if closing.owed is not None:
                self._owe(closing.owed)
        closed = self._shift_by(_SHIFT + f"WHERE id = {shift.id}")
        assert closed is not None
        return closed

    def _note_closed(self, shift: Shift, closing: ShiftClosing) -> None:
        """Note the expected and the counted amount of the drawer, and the reason of a
        difference."""
        drawer = closing.z.drawer or CountedDrawer((), Money.ZERO)
        reasons = [one.reason for one in drawer.differences if one.reason]
        self._acts.note(
            NotedAct.SHIFT_CLOSED,
            by=closing.by,
            at=stored_values.moment_text(closing.at),
            subject=", ".join([str(shift.id), *reasons]),
            before=str(drawer.expected.amount),
            after=str((drawer.counted or Money.ZERO).amount),
        )

    @translated_errors(FILE_NAME)
    def z_of(self, shift_id: int) -> ShiftReport:
        found: str | None = self._connection.execute(
            "SELECT z FROM shifts WHERE id = ?", (shift_id,)
        ).get
        if found is None:
            raise NotFound("shift")
        return wire.records.from_json(ShiftReport, loads(found))

    # --- papers that are owed ---------------------------------------------------------------------

    def owe(self, owed: OwedPaper) -> OwedPaper:
        with durable_change(self._connection):
            return replace(owed, key=self._owe(owed))

    def _owe(self, owed: OwedPaper) -> str:
        row = (json.dumps(plain(owed.paper), ensure_ascii=False), int(owed.on_a4))
        known: str | None = self._connection.execute(
            "SELECT key FROM owed_papers WHERE (paper, on_a4) = (?, ?)", row
        ).get
        if known is None:
            self._connection.execute("INSERT INTO owed_papers VALUES (?, ?, ?)", (owed.key, *row))
        return known or owed.key

    @translated_errors(FILE_NAME)
    def owed(self) -> Sequence[OwedPaper]:
        rows = self._connection.execute("SELECT key, paper, on_a4 FROM owed_papers ORDER BY rowid")
        return [
            OwedPaper(key, document_of(json.loads(text)), bool(on_a4)) for key, text, on_a4 in rows
        ]

    def note_taken(self, key: str) -> None:
        with durable_change(self._connection):
            self._connection.execute("DELETE FROM owed_papers WHERE key = ?", (key,))

    def _shift_by(self, sql: str, *given: int) -> Shift | None:
        row = self._connection.execute(sql, given).fetchone()
        return None if row is None else _shift(row)


def open_by_itself(connection: apsw.Connection, acts: ActTable, *, by: str, at: datetime) -> int:
    """Return the number of the open shift; if none is open, open one with the float that the last
    one left, in the transaction under way."""
    moment = stored_values.moment_text(at)
    connection.execute(_OPEN_BY_ITSELF, (moment, by))
    is_new = bool(connection.changes())
    number, left = connection.execute(_OPEN_NOW).fetchone()  # type: ignore[misc]
    if is_new:
        acts.note(
            NotedAct.SHIFT_OPENED,
            by=by,
            at=moment,
            subject=FloatIs.LEFT.value,
            after=str(stored_values.money(left).amount),
        )
    return int(number)


def _shift(row: Row) -> Shift:
    number, opened_at, opened_by, amount, how, closed_at, closed_by, stays, taken = row
    return Shift(
        number,
        stored_values.moment_of(opened_at),
        opened_by,
        stored_values.money(amount),
        FloatIs(how),
        stored_values.optional_moment(closed_at),
        closed_by,
        stored_values.money(stays),
        stored_values.money(taken),
    )


def _states(before: str | None, after: str | None) -> cash.States:
    return (
        None if before is None else SaleState(before),
        None if after is None else SaleState(after),
    )


def _count_text(count: Count) -> str:
    form = count.form
    return json.dumps(
        {
            "terminals": list(form.terminals),
            "bundle": form.bundle,
            "roll": form.roll,
            "typed": dict(count.typed_texts),
        },
        ensure_ascii=False,
    )


def _count_of(text: str) -> Count:
    row = json.loads(text)
    return Count(CountForm(tuple(row["terminals"]), row["bundle"], row["roll"]), row["typed"])


def _fitting(count: Count, form: CountForm) -> dict[str, str]:
    """Return the typed texts of fields that the form still has: the terminals may have changed."""
    names = {one.name for one in form.fields}
    return {name: text for name, text in count.typed_texts.items() if name in names}


def _closed() -> NotAllowed:
    return NotAllowed("shift_closed")
