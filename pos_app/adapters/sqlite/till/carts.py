"""Carts in `till.db`: an open one (and one for training), suspended ones, and those that ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime

import apsw

from pos_app import log
from pos_app.adapters.sqlite.faults import translated_errors
from pos_app.adapters.sqlite.stored_values import moment_of, moment_text
from pos_app.adapters.sqlite.till.people import ActTable
from pos_app.adapters.sqlite.till.rows import (
    SELECT_LINES,
    WRITE_LINE,
    Row,
    discount_columns,
    discount_of,
    forget_additions,
    forget_missed,
    line_of,
    line_row,
    new_sale_row,
    paid_of,
    paid_text,
    payment_rows,
    read_additions,
    read_missed,
    write_additions,
    write_missed,
)
from pos_app.adapters.sqlite.till.sales import read_sale
from pos_app.adapters.sqlite.till.schema import FILE_NAME
from pos_app.adapters.sqlite.till.shifts import open_by_itself
from pos_app.adapters.sqlite.till.writing import cart_change, durable_change
from pos_app.domain.money.discount import Percent
from pos_app.domain.receipt.cart import Cart, CartLine, ReceiptDiscount
from pos_app.domain.receipt.operations import Operation
from pos_app.errors import MachineError, NotAllowed, NotFound
from pos_app.selling.people.acts import NotedAct
from pos_app.selling.sale.ports import NO_LINES, GivenForAdvance, Paid, goods_settled
from pos_app.selling.sale.sale import AFTER_REFUND, REFUND_REASON, NewSale, Sale
from pos_app.selling.sale.ticket import (
    EMPTY,
    NOTHING_ADDED,
    DocumentKind,
    NewTicket,
    Ticket,
    TypedDetails,
)

_log = log.get(__name__)

_SELECT_CARTS = """
SELECT id, key, kind, cashier, opened_at, revision, discount_percent, discount_amount, next_line,
    CASE state WHEN 'held' THEN moved_at END, name
FROM carts
"""
_WRITE_SALE = """
INSERT INTO sales (key, sequence, cart_id, kind, body, total, change, rounding, cashier, shift_id,
    frozen_at, changed_at, operation, target, is_exchange, buyer, buyer_name, buyer_email, follows,
    epoch)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT epoch FROM meta))
"""
_REASON_TOLD = """
INSERT INTO sale_events (key, at, old, new, code, text)
VALUES (?1, ?2, 'frozen', 'frozen', ?3, ?4)
"""
_GOODS_ELSEWHERE = """
SELECT 1 FROM cart_additions a JOIN carts c ON c.id = a.cart_id
LEFT JOIN sales s ON s.cart_id = c.id
WHERE a.referent_number = ?1 AND c.id <> ?2 AND (
    (?3 AND c.state IN ('open', 'held')) OR (s.kind = 'sale' AND (s.state <> 'cancelled'
        OR (s.drop_reason = 'correction' AND s.shown = 0))))
"""
_BEHIND_REFUND = """
UPDATE sales SET state = 'refused', reason_class = 'wait', reason_code = ? WHERE key = ?
"""
_FORGET_GIVEN = "DELETE FROM given_for_advance WHERE advance = ?"
_ACTS = {Operation.REFUND: NotedAct.REFUND, Operation.COPY: NotedAct.COPY}


class CartTable:
    """The port Carts on `till.db`. acts: keeps acts for the owner's later questions. has_shifts:
    whether each sale belongs to a shift."""

    def __init__(
        self,
        connection: apsw.Connection,
        acts: ActTable,
        *,
        came: set[int],
        has_shifts: bool = False,
    ) -> None:
        """Set the table up. came: carts whose lines may come from a copy of this file, so that they
        may have been sold. The new cart of a sale that is taken back is added to these carts."""
        self._connection = connection
        self._acts = acts
        self._came = came
        self._has_shifts = has_shifts

    def together(self) -> AbstractContextManager[None]:
        return durable_change(self._connection)

    @translated_errors(FILE_NAME)
    def open_cart(self, *, training: bool) -> Ticket | None:
        found = self._connection.execute(
            _SELECT_CARTS + "WHERE state = 'open' AND (kind = 'training') = ?", (int(training),)
        ).get
        return None if found is None else self._ticket(found)

    def begin(self, new: NewTicket) -> Ticket:
        with cart_change(self._connection):
            self._refuse_second(new.kind)
            return self._begin(new)

    def save(self, ticket: Ticket, *, was: Ticket) -> Ticket:
        with cart_change(self._connection):
            return self._save(ticket, was)

    def end_empty(self, ticket: Ticket, *, was: Ticket, following: NewTicket) -> Ticket:
        with cart_change(self._connection):
            self._void(self._save(ticket, was), EMPTY, following.opened_at)
            begun = self._begin(following)
            write_missed(self._connection, begun.id, ticket.missed)
            return replace(begun, missed=ticket.missed)

    def begin_payment(self, cart_id: int) -> None:
        with cart_change(self._connection):
            self._connection.execute("UPDATE carts SET is_begun = 1 WHERE id = ?", (cart_id,))

    @translated_errors(FILE_NAME)
    def is_begun(self, cart_id: int) -> bool:
        found = self._connection.execute("SELECT is_begun FROM carts WHERE id = ?", (cart_id,)).get
        return bool(found)

    def suspend(self, ticket: Ticket, *, at: datetime) -> None:
        with durable_change(self._connection):
            self._suspend(ticket, at)

    def recall(self, cart_id: int, *, at: datetime) -> Ticket:
        with cart_change(self._connection):
            ticket = self.cart_of(cart_id)
            self._refuse_second(ticket.kind)
            self._connection.execute(
                "UPDATE carts SET state = 'open', set_aside = 0, moved_at = ?,"
                " revision = revision + 1"
                " WHERE id = ? AND revision = ? AND state = 'held'",
                (moment_text(at), ticket.id, ticket.revision),
            )
            self._check_written(ticket)
        return replace(ticket, revision=ticket.revision + 1, suspended_at=None)

    @translated_errors(FILE_NAME)
    def suspended(self) -> Sequence[Ticket]:
        return self._suspended("ORDER BY moved_at, id")

    @translated_errors(FILE_NAME)
    def suspended_by_restore(self) -> Sequence[Ticket]:
        return self._suspended("AND set_aside = 1 ORDER BY id")

    def mark_suspended_seen(self) -> None:
        with cart_change(self._connection):
            self._connection.execute("UPDATE carts SET set_aside = 0 WHERE state = 'held'")

    def void(self, ticket: Ticket, *, reason: str, at: datetime) -> None:
        with cart_change(self._connection):
            self._void(ticket, reason, at)

    @translated_errors(FILE_NAME)
    def cart_of(self, cart_id: int) -> Ticket:
        found = self._connection.execute(_SELECT_CARTS + "WHERE id = ?", (cart_id,)).get
        if found is None:
            raise NotFound("cart")
        return self._ticket(found)

    def take_back(
        self,
        ticket: Ticket,
        *,
        sale: Sale,
        cart: Cart,
        following: NewTicket,
        typed_details: TypedDetails = NOTHING_ADDED,
    ) -> Ticket:
        """Put a cancelled sale's lines into a new open cart, in one durable transaction. Raises
        NotAllowed, DiskFull."""
        with durable_change(self._connection):
            self._mark_taken_back(sale)
            self._refuse_goods_again(typed_details, of_cart=sale.cart_id, carts_too=True)
            if ticket.may_be_held:
                self._suspend(ticket, following.opened_at)
            else:
                self._void(ticket, EMPTY, following.opened_at)
            self._refuse_second(following.kind)
            begun = self._begin(following)
            self._came.add(begun.id)
            return self._save(replace(begun, cart=cart, typed_details=typed_details), begun)

    def freeze(self, ticket: Ticket, *, sale: NewSale, following: NewTicket) -> tuple[Sale, Ticket]:
        with self._confirming(ticket.key):
            if ticket.paid_before:
                self._refuse_goods_again(ticket.typed_details, of_cart=ticket.id, carts_too=False)
            self._end(ticket, sale.frozen_at)
            self._write_sale(ticket.id, ticket.key, ticket.kind, sale)
            return read_sale(self._connection, ticket.key), self._begin(following)

    def freeze_operation(
        self,
        new: NewTicket,
        *,
        sale: NewSale,
        cart: Cart = NO_LINES,
        typed_details: TypedDetails = NOTHING_ADDED,
        advance: str = "",
    ) -> Sale:
        with self._confirming(new.key):
            cart_id = self._begin_done(new, cart)
            write_additions(self._connection, cart_id, typed_details)
            self._write_sale(cart_id, new.key, new.kind, sale)
            self._connection.execute(_FORGET_GIVEN, (advance,))
            return read_sale(self._connection, new.key)

    def give_for_advance(self, advance: str, receipts: int, paid: Paid) -> None:
        with cart_change(self._connection):
            self._connection.execute(_FORGET_GIVEN, (advance,))
            if paid:
                self._connection.execute(
                    "INSERT INTO given_for_advance (advance, receipts, paid) VALUES (?, ?, ?)",
                    (advance, receipts, paid_text(paid)),
                )

    @translated_errors(FILE_NAME)
    def given_for_advances(self) -> dict[str, GivenForAdvance]:
        rows = self._connection.execute("SELECT advance, receipts, paid FROM given_for_advance")
        return {one: GivenForAdvance(receipts, paid_of(text)) for one, receipts, text in rows}

    def freeze_correction(
        self,
        first: NewTicket,
        second: NewTicket,
        *,
        refund: NewSale,
        sale: NewSale,
        cart: Cart,
        typed_details: TypedDetails,
    ) -> tuple[Sale, Sale]:
        with self._confirming(first.key):
            cart_id = self._begin_done(second, cart)
            write_additions(self._connection, cart_id, typed_details)
            return self._write_pair(first, refund, second, cart_id, sale)

    def freeze_exchange(
        self,
        ticket: Ticket,
        first: NewTicket,
        *,
        refund: NewSale,
        sale: NewSale,
        following: NewTicket,
    ) -> tuple[Sale, Sale, Ticket]:
        with self._confirming(first.key):
            self._end(ticket, sale.frozen_at)
            frozen = self._write_pair(first, refund, ticket, ticket.id, sale)
            return *frozen, self._begin(following)

    @contextmanager
    def _confirming(self, key: str) -> Iterator[None]:
        """Confirm in a transaction of its own. A till that starts anew sends none of its sales
        until the confirm is reported as done. key: the key of the sale that is to be sent first."""
        assert not self._connection.in_transaction, "a confirm is no part of another change"
        with durable_change(self._connection):
            yield
            self._connection.execute("UPDATE meta SET unconfirmed = ?", (key,))
        self._note_as_done()

    def _end(self, ticket: Ticket, at: datetime) -> None:
        self._connection.execute(
            "UPDATE carts SET state = 'done', name = NULL, moved_at = ?, revision = revision + 1"
            " WHERE id = ? AND revision = ? AND state = 'open'",
            (moment_text(at), ticket.id, ticket.revision),
        )
        self._check_written(ticket)
        forget_missed(self._connection, ticket.id)

    def _write_pair(
        self,
        first: NewTicket,
        refund: NewSale,
        second: NewTicket | Ticket,
        cart_id: int,
        sale: NewSale,
    ) -> tuple[Sale, Sale]:
        connection = self._connection
        self._write_sale(self._begin_done(first), first.key, first.kind, refund)
        self._write_sale(cart_id, second.key, second.kind, sale, follows=first.key)
        connection.execute(_BEHIND_REFUND, (AFTER_REFUND, second.key))
        return read_sale(connection, first.key), read_sale(connection, second.key)

    def _begin_done(self, new: NewTicket, cart: Cart = NO_LINES) -> int:
        """Write a cart that is never open: its sale is written in the same transaction."""
        at = moment_text(new.opened_at)
        cart_id: int = self._connection.execute(
            "INSERT INTO carts (key, kind, state, cashier, opened_at, moved_at)"
            " VALUES (?, ?, 'done', ?, ?, ?) RETURNING id",
            (new.key, new.kind.value, new.cashier, at, at),
        ).get
        rows = [(cart_id, *line_row(line, line.id)) for line in cart.lines]
        self._connection.executemany(WRITE_LINE, rows)
        return cart_id

    def _note_as_done(self) -> None:
        """Note that the confirm succeeded. The note is not synced: if a power cut undoes it, the
        till asks one superfluous question."""
        try:
            with cart_change(self._connection):
                self._connection.execute("UPDATE meta SET unconfirmed = NULL")
        except MachineError as error:
            _log.warning("that a sale was confirmed can't be noted: %s", error.what)

    # --- parts -----------------------------------------------------------------------------------

    def _suspended(self, which: str) -> Sequence[Ticket]:
        rows = self._connection.execute(f"{_SELECT_CARTS} WHERE state = 'held' {which}").fetchall()
        return [self._ticket(row) for row in rows]

    def _save(self, ticket: Ticket, was: Ticket) -> Ticket:
        cart = ticket.cart
        percent, amount = discount_columns(cart.discount)
        self._connection.execute(
            "UPDATE carts SET kind = ?, cashier = ?, discount_percent = ?,"
            " discount_amount = ?, next_line = ?, name = ?, revision = revision + 1"
            " WHERE id = ? AND revision = ? AND state = 'open'",
            (
                ticket.kind.value,
                ticket.cashier,
                percent,
                amount,
                cart.next_id,
                ticket.name or None,
                was.id,
                was.revision,
            ),
        )
        self._check_written(was)
        self._write_lines(ticket, was)
        if cart.discount != was.cart.discount:
            self._note_discount(
                NotedAct.CART_DISCOUNT, "", was.cart.discount, cart.discount, ticket
            )
        if ticket.cashier != was.cashier and not was.cart.is_empty:
            self._note(
                NotedAct.CART_TAKEN_OVER, ticket, before=was.cashier, after=str(cart.total.amount)
            )
        if ticket.typed_details != was.typed_details:
            write_additions(self._connection, was.id, ticket.typed_details)
        if ticket.missed or was.missed:  # also codes that could not be stored when they came
            write_missed(self._connection, was.id, ticket.missed)
        return replace(ticket, revision=was.revision + 1)

    def _suspend(self, ticket: Ticket, at: datetime) -> None:
        if read_missed(self._connection, ticket.id) != ticket.missed:  # it could not be stored
            write_missed(self._connection, ticket.id, ticket.missed)
        self._connection.execute(
            "UPDATE carts SET state = 'held', name = ?, moved_at = ?, revision = revision + 1"
            " WHERE id = ? AND revision = ? AND state = 'open'",
            (ticket.name or None, moment_text(at), ticket.id, ticket.revision),
        )
        self._check_written(ticket)
        self._note(NotedAct.CART_SUSPENDED, ticket, after=str(ticket.cart.total.amount))

    def _void(self, ticket: Ticket, reason: str, at: datetime) -> None:
        self._connection.execute(
            "UPDATE carts SET state = 'dropped', reason = ?, name = NULL, moved_at = ?,"
            " revision = revision + 1 WHERE id = ? AND revision = ? AND state IN ('open', 'held')",
            (reason, moment_text(at), ticket.id, ticket.revision),
        )
        self._check_written(ticket)
        if reason != EMPTY:
            self._note(
                NotedAct.CART_DROPPED, ticket, subject=reason, before=str(ticket.cart.total.amount)
            )
        forget_additions(self._connection, ticket.id)
        forget_missed(self._connection, ticket.id)

    def _mark_taken_back(self, sale: Sale) -> None:
        self._connection.execute(
            "UPDATE sales SET shown = 1 WHERE key = ? AND state = 'cancelled' AND shown = 0",
            (sale.key,),
        )
        if not self._connection.changes():
            raise NotAllowed("taken_back")

    def _refuse_goods_again(self, details: TypedDetails, *, of_cart: int, carts_too: bool) -> None:
        """Raise if another sale counts the same payments for an advance of another system.
        carts_too: also if another open or suspended cart counts them."""
        referent = details.referent
        if referent is None or not referent.paid_before:
            return
        asked = (referent.number, of_cart, int(carts_too))
        if self._connection.execute(_GOODS_ELSEWHERE, asked).get:
            raise goods_settled()

    def _begin(self, new: NewTicket) -> Ticket:
        opened_at = moment_text(new.opened_at)
        self._connection.execute(
            "INSERT INTO carts (key, kind, state, cashier, opened_at, moved_at)"
            " VALUES (?, ?, 'open', ?, ?, ?)",
            (new.key, new.kind.value, new.cashier, opened_at, opened_at),
        )
        cart_id = self._connection.last_insert_rowid()
        return Ticket(cart_id, new.key, new.kind, new.cashier, new.opened_at)

    def _refuse_second(self, kind: DocumentKind) -> None:
        if self._connection.execute(
            "SELECT 1 FROM carts WHERE state = 'open' AND (kind = 'training') = ?",
            (int(kind.is_training),),
        ).get:
            raise NotAllowed("another_cart")

    def _check_written(self, was: Ticket) -> None:
        if self._connection.changes() == 1:
            return
        raise NotAllowed("cart_changed", cart=was.id)

    def _write_lines(self, ticket: Ticket, was: Ticket) -> None:
        stored = self._positions(was.id)
        before = {line.id: line for line in was.cart.lines}
        rows = [
            (was.id, *line_row(line, position))
            for line, position in _placed(ticket.cart.lines, stored)
            if stored.get(line.id) != position or before.get(line.id) is not line
        ]
        if rows:
            self._connection.executemany(WRITE_LINE, rows)
        for line in ticket.cart.lines:
            earlier = before.get(line.id)
            if earlier is not None and earlier is not line:
                self._note_line(earlier, line, ticket)

    def _note_line(self, was: CartLine, line: CartLine, ticket: Ticket) -> None:
        name = line.article.frozen.name
        if line.removed and not was.removed:
            total = str(was.total.amount)
            self._note(NotedAct.LINE_REMOVED, ticket, subject=name, before=total)
        elif line.quantity < was.quantity:
            totals = (str(was.total.amount), str(line.total.amount))
            self._note(NotedAct.LINE_LESS, ticket, subject=name, before=totals[0], after=totals[1])
        if line.price != was.price:
            prices = (str(was.price.amount), str(line.price.amount))
            self._note(NotedAct.PRICE, ticket, subject=name, before=prices[0], after=prices[1])
        if line.discount != was.discount:
            self._note_discount(NotedAct.DISCOUNT, name, was.discount, line.discount, ticket)

    def _note_discount(
        self, done: NotedAct, name: str, was: ReceiptDiscount, now: ReceiptDiscount, ticket: Ticket
    ) -> None:
        self._note(
            done, ticket, subject=name, before=_discount_text(was), after=_discount_text(now)
        )

    def _note(self, done: NotedAct, ticket: Ticket, **values: str) -> None:
        """Note an act, except in training."""
        if not ticket.kind.is_training:
            self._acts.note(done, by=ticket.cashier, sale_key=ticket.key, **values)

    def _positions(self, cart_id: int) -> dict[int, int]:
        rows: list[Row] = self._connection.execute(
            "SELECT line, position FROM cart_lines WHERE cart_id = ?", (cart_id,)
        ).fetchall()
        return dict(rows)

    def _write_sale(
        self,
        cart_id: int,
        key: str,
        kind: DocumentKind,
        sale: NewSale,
        *,
        follows: str | None = None,
    ) -> None:
        if self._has_shifts and not kind.is_training:
            shift = open_by_itself(self._connection, self._acts, by=sale.cashier, at=sale.frozen_at)
            sale = replace(sale, shift_id=shift)
        sequence = self._connection.execute(
            "UPDATE meta SET last_sequence = last_sequence + 1 RETURNING last_sequence"
        ).get
        self._connection.execute(
            _WRITE_SALE, (key, sequence, cart_id, kind.value, *new_sale_row(sale), follows)
        )
        self._connection.executemany(
            "INSERT INTO sale_payments (key, position, method, on_receipt, tendered)"
            " VALUES (?, ?, ?, ?, ?)",
            [(key, *row) for row in payment_rows(sale.money_taken)],
        )
        self._note_sale(key, kind, sale)
        if sale.reason:
            values = (key, moment_text(sale.frozen_at), REFUND_REASON, sale.reason)
            self._connection.execute(_REASON_TOLD, values)

    def _note_sale(self, key: str, kind: DocumentKind, sale: NewSale) -> None:
        if sale.undoes:
            self._acts.note(
                NotedAct.DECISION,
                by=sale.cashier,
                at=moment_text(sale.frozen_at),
                subject=f"undo {sale.undoes}",
                sale_key=key,
            )
        done = NotedAct.TRAINING if kind.is_training else _ACTS.get(sale.operation)
        if done is None and sale.is_queued:
            done = NotedAct.QUEUED
        if done is not None:
            self._acts.note(
                done,
                by=sale.cashier,
                at=moment_text(sale.frozen_at),
                subject=sale.reason,
                after=str(sale.total.amount),
                sale_key=key,
                lifted_by=sale.lifted_by,
            )

    def _ticket(self, row: Row) -> Ticket:
        cart_id, key, kind, cashier, opened_at, revision, percent, amount, next_line, *held = row
        lines = self._connection.execute(SELECT_LINES, (cart_id,)).fetchall()
        cart = Cart(tuple(map(line_of, lines)), discount_of(percent, amount), next_line)
        return Ticket(
            cart_id,
            key,
            DocumentKind(kind),
            cashier,
            moment_of(opened_at),
            revision,
            cart,
            read_additions(self._connection, cart_id),
            read_missed(self._connection, cart_id),
            None if held[0] is None else moment_of(held[0]),
            name=held[1] or "",
        )


def _placed(lines: Sequence[CartLine], stored: dict[int, int]) -> list[tuple[CartLine, int]]:
    """Return the lines with growing positions; a line that did not move keeps its position."""
    placed: list[tuple[CartLine, int]] = []
    last = 0
    newest = max(stored.values(), default=0)
    for line in lines:
        position = stored.get(line.id, 0)
        if position <= last or position > newest:
            position = newest = max(newest, last) + 1
        last = position
        placed.append((line, position))
    return placed


def _discount_text(discount: ReceiptDiscount) -> str:
    """Write a discount as an act keeps it: "5%", or an amount; "" for none."""
    if isinstance(discount, Percent):
        return f"{discount.value.normalize():f}%"
    return "" if discount is None else str(discount.amount)
