"""Shifts in a real `till.db`: which sales belong to them, what is stored, and what can't be
changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import apsw
import pytest

from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.shift_report import ActSums, FromServer, LabelSum, ShiftReport
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.sale.checkout import confirm
from pos_app.selling.sale.sale import NewSale, ReceiptFacts, Sale
from pos_app.selling.sale.sell import add_item, discount_line, new_ticket, start
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import NOTHING_ADDED, DocumentKind
from pos_app.selling.shift.cash import MoveKind, drawer_sum
from pos_app.selling.shift.count import CountForm
from pos_app.selling.shift.report import takings_of
from pos_app.selling.shift.shift import FloatIs, Shift, ShiftClosing, Span, cash_move
from pos_app.selling.shift.telling import read_facts
from tests.fakes.counter import Counter
from tests.fakes.inner_connection import connection_of
from tests.fakes.ready_tables import open_ready
from tests.fakes.till import BREAD, ON_PAPER

FORM = CountForm(("Терминал 1",))


def z_of(shift: Shift, at: datetime) -> ShiftReport:
    return ShiftReport(
        shift.id,
        "Каса 1",
        shift.opened_at,
        shift.opened_by,
        at,
        "Драгана",
        is_closed=True,
        takings=takings_of(()),
        acts=ActSums(),
        server=FromServer(at, (LabelSum("Ђ", Decimal(20), Money(120), Money(20)),)),
    )


class Day:
    """A counter on a real file whose sales belong to shifts."""

    def __init__(self, folder: Path, *, has_shifts: bool = True) -> None:
        self.folder = folder
        self.database = open_ready(folder / "till", has_shifts=has_shifts)
        self.counter = Counter(self.database)
        self.shifts = self.database.shifts

    def end(self) -> None:
        self.database.close()

    def begin(self, amount: int, how: FloatIs = FloatIs.COUNTED) -> Shift:
        return self.shifts.begin(Money(amount), how, by="Мира", at=self.counter.clock.now())

    def signed(self, key: str, number: int) -> None:
        now, sales = self.counter.clock.now(), self.database.sales
        sales.move(key, SaleState.SENDING, at=now)
        receipt = ReceiptFacts(f"receipt-{number}", f"ABCD1234-ABCD1234-{number}", now)
        sales.move(key, SaleState.DONE, at=now, receipt=receipt)

    def close(self, shift: Shift, stays: int, *, server: FromServer | None = None) -> Shift:
        now = self.counter.clock.now()
        draft = self.shifts.draft(shift, FORM, by="Мира", at=now)
        stored = self.shifts.confirm_count(draft, by="Мира", at=now)
        z = z_of(shift, now) if server is None else replace(z_of(shift, now), server=server)
        closing = ShiftClosing(stored.id, Money(stays), Money(0), z, "Драгана", now)
        return self.shifts.close(shift, closing)

    def expected(self, shift: Shift) -> Money:
        sales = self.shifts.sales(Span(shift))
        return drawer_sum(shift.float_row, sales, self.shifts.moves(shift)).expected


@pytest.fixture
def day(folder: Path) -> Iterator[Day]:
    opened = Day(folder)
    yield opened
    opened.end()


@pytest.mark.parametrize(("amount", "how"), [(1000, FloatIs.COUNTED), (1059, FloatIs.LEFT)])
def test_what_is_dropped_between_shifts_is_in_a_float(day: Day, amount: int, how: FloatIs) -> None:
    first = day.begin(1000)
    sale = day.counter.sell()
    day.close(first, 1059)
    moved(day, sale.key, SaleState.CANCELLING, SaleState.CANCELLED)
    assert day.expected(day.begin(amount, how)) == Money(1000)


# --- cash in and out -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("amount", "reason", "field"),
    [(0, "x", "amount"), (5, " ", "reason"), (5, "x" * 101, "reason")],
)
def test_a_cash_move_has_amount_and_reason(day: Day, amount: int, reason: str, field: str) -> None:
    with pytest.raises(Invalid) as told:
        cash_move(
            day.shifts,
            MoveKind.OUT,
            Money(amount),
            reason=reason,
            by="Мира",
            at=day.counter.clock.now(),
        )
    assert told.value.field == field
    assert day.shifts.open_shift() is None


# --- what else a Z tells -------------------------------------------------------------------------
def sell_cheaper(day: Day) -> Sale:
    till, cashier = day.counter.till, "Мира"
    added = add_item(till=till, ticket=start(till=till, cashier=cashier), article=BREAD)
    (line,) = added.ticket.cart.lines
    lowered = Percent(Decimal(10))
    ticket = discount_line(till=till, ticket=added.ticket, line_id=line.id, discount=lowered)
    paid = Payments.of({PaymentMethod.CARD: ticket.cart.total})
    return confirm(
        till=till,
        ticket=ticket,
        tendered=paid,
        receipt_details=ON_PAPER,
        cashier=cashier,
        in_whole_dinars=True,
    ).sale


def moved(day: Day, key: str, *states: SaleState) -> None:
    for state in states:
        day.database.sales.move(key, state, at=day.counter.clock.now())


def discounts(day: Day, span: Span) -> tuple[int, Money]:
    acts = read_facts(day.shifts, day.database.carts, span).acts
    return acts.discounts, acts.discounts_total


def corrected(day: Day, sale: Sale) -> None:
    till, now = day.counter.till, day.counter.clock.now()
    kind = DocumentKind.SALE
    first = new_ticket(till=till, cashier="Мира", kind=kind)
    second = new_ticket(till=till, cashier="Мира", kind=kind)
    half = NewSale(b"{}", sale.total, sale.money_taken, "Мира", now)
    refund, new = day.database.carts.freeze_correction(
        first,
        second,
        refund=replace(half, operation=Operation.REFUND, target="receipt-1"),
        sale=half,
        cart=day.database.carts.cart_of(sale.cart_id).cart,
        typed_details=NOTHING_ADDED,
    )
    day.signed(refund.key, 98)
    moved(day, new.key, SaleState.FROZEN)
    day.signed(new.key, 99)


LESS = Money("5.90")


@pytest.mark.parametrize(
    ("what", "many", "total"),
    [
        ("signed", 1, LESS),
        ("waits", 0, Money(0)),
        ("refused", 0, Money(0)),
        ("given up", 0, Money(0)),
        ("refused and confirmed again", 1, LESS),
        ("signed and corrected", 1, LESS),
    ],
)
def test_a_discount_is_of_a_signed_sale_once(day: Day, what: str, many: int, total: Money) -> None:
    shift, sale = day.begin(1000), sell_cheaper(day)
    if what.startswith("signed"):
        day.signed(sale.key, 1)
    if what.startswith("refused"):
        moved(day, sale.key, SaleState.SENDING, SaleState.REFUSED)
    if what.endswith("again"):
        moved(day, sale.key, SaleState.CANCELLING, SaleState.CANCELLED)
        day.signed(sell_cheaper(day).key, 2)
    if what == "given up":
        moved(day, sale.key, SaleState.CANCELLING, SaleState.CANCELLED)
    if what.endswith("corrected"):
        corrected(day, sale)
    assert discounts(day, Span(shift)) == (many, total)


# --- what can't be changed -----------------------------------------------------------------------


def test_there_is_one_open_shift(day: Day) -> None:
    day.begin(1000)
    with pytest.raises(NotAllowed):
        day.begin(1000)
    with pytest.raises(apsw.ConstraintError):
        connection_of(day.database).execute(
            "INSERT INTO shifts (opened_at, opened_by, float, float_is, told_after, moved_after)"
            " VALUES ('', '', 0, 'left', 0, 0)"
        )


def test_a_shift_is_closed_once(day: Day) -> None:
    shift, now = day.begin(1000), day.counter.clock.now()
    closed = day.close(shift, 10)
    assert (closed.closed_by, closed.stays) == ("Драгана", Money(10))
    assert day.shifts.z_of(shift.id) == z_of(shift, day.counter.clock.now())
    with pytest.raises(NotAllowed):
        day.shifts.close(shift, ShiftClosing(1, Money(0), Money(0), z_of(shift, now), "Мира", now))
