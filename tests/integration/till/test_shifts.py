"""Shifts in a real `till.db`: which sales belong to them, what is stored, and what can't be
changed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import apsw
import pytest

from pos_app.adapters.sqlite.till.till import open_till
from pos_app.domain.money.discount import Percent
from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.shift_report import ActSums, FromServer, LabelSum, ShiftReport
from pos_app.errors import Invalid, NotAllowed
from pos_app.selling.people.acts import ActRow, NotedAct
from pos_app.selling.sale.checkout import confirm
from pos_app.selling.sale.sale import NewSale, ReceiptFacts, Sale
from pos_app.selling.sale.sell import add_item, discount_line, new_ticket, start
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import NOTHING_ADDED, DocumentKind
from pos_app.selling.shift.cash import MoveKind, drawer_sum
from pos_app.selling.shift.count import Count, CountForm
from pos_app.selling.shift.report import takings_of
from pos_app.selling.shift.shift import FloatIs, Shift, ShiftClosing, Span, StoredCount, cash_move
from pos_app.selling.shift.telling import read_facts
from tests.fakes.counter import Counter
from tests.fakes.inner_connection import connection_of
from tests.fakes.ready_tables import open_ready
from tests.fakes.till import BREAD, ON_PAPER, till_of
from tests.sweep import each

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


def test_a_sale_is_of_the_shift_that_froze_it(day: Day) -> None:
    """Bread for 58.99 is paid with 59 in cash, and signed in the next shift, after midnight."""
    first = day.begin(1000)
    sale = day.counter.sell()
    assert day.database.sales.sale(sale.key).shift_id == first.id
    assert day.expected(first) == Money(1059)
    closed = day.close(first, 1059)
    day.counter.clock.go_on(14 * 3_600_000)
    second = day.begin(1059, FloatIs.LEFT)
    day.signed(sale.key, 1)
    assert day.expected(second) == Money(1059)
    assert day.expected(closed) == Money(1059)  # as it was at its end
    told = takings_of(day.shifts.sales(Span(closed)))
    assert (told.turnover, told.unsigned.amount) == (Money(0), Money("58.99"))
    told = takings_of(day.shifts.sales(Span(second)))
    assert (told.turnover, told.signed_later.amount) == (Money(0), Money("58.99"))


def test_where_none_is_open_the_sale_opens_one_with_what_was_left(day: Day) -> None:
    day.close(day.begin(1000), 400)
    sale = day.counter.sell()
    shift = day.shifts.open_shift()
    assert shift is not None
    assert (shift.cash_float, shift.float_is, shift.opened_by) == (Money(400), FloatIs.LEFT, "Мира")
    assert day.database.sales.sale(sale.key).shift_id == shift.id
    assert day.expected(shift) == Money(459)
    opened = [one for one in told_acts(day, sale.frozen_at) if one.done is NotedAct.SHIFT_OPENED]
    expected = [("counted", "1000.00"), ("left", "400.00")]
    assert [(one.subject, one.after) for one in opened] == expected


@pytest.mark.parametrize(("amount", "how"), [(1000, FloatIs.COUNTED), (1059, FloatIs.LEFT)])
def test_what_is_dropped_between_shifts_is_in_a_float(day: Day, amount: int, how: FloatIs) -> None:
    first = day.begin(1000)
    sale = day.counter.sell()
    day.close(first, 1059)
    moved(day, sale.key, SaleState.CANCELLING, SaleState.CANCELLED)
    assert day.expected(day.begin(amount, how)) == Money(1000)


# --- cash in and out -----------------------------------------------------------------------------
def test_cash_moves_with_a_reason_and_a_running_bag(day: Day) -> None:
    now = day.counter.clock.now()
    shift = day.begin(1000)
    for kind, amount, reason in [
        (MoveKind.IN, 500, "ситнина"),
        (MoveKind.OUT, 120, "млеко"),
        (MoveKind.CHANGE, 300, ""),
        (MoveKind.DROP, 900, ""),
        (MoveKind.DROP, 100, ""),
    ]:
        cash_move(day.shifts, kind, Money(amount), reason=reason, by="Мира", at=now)
    assert day.expected(shift) == Money(680)
    assert [one.bag for one in day.shifts.moves(shift)] == [None, None, None, 1, 2]
    day.close(shift, 680)
    made = cash_move(day.shifts, MoveKind.DROP, Money(1), reason="", by="Мира", at=now)
    assert made.bag == 3  # a shift was opened for it
    acts = day.database.acts.acts(since=now, until=now + timedelta(days=1))
    kept = [(one.done, one.after) for one in acts if one.done is NotedAct.CASH_OUT]
    assert kept == [
        (NotedAct.CASH_OUT, amount) for amount in ("120.00", "900.00", "100.00", "1.00")
    ]


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


# --- the count -----------------------------------------------------------------------------------
def test_a_count_survives_a_kill_and_a_recount_stands_beside_it(day: Day) -> None:
    shift, now = day.begin(1000), day.counter.clock.now()
    draft = day.shifts.draft(shift, FORM, by="Мира", at=now)
    typed = draft.count.with_typed("pieces.note.200", "3").with_typed("slip.Терминал 1", "88,50")
    day.shifts.keep_count(_with(draft, typed))
    killed = day.folder / "killed"
    shutil.copytree(day.folder / "till", killed)  # a kill closes nothing
    day.end()
    again = open_till(killed, till_id="till-1", has_shifts=True)
    day.database, day.shifts = again, again.shifts
    found = day.shifts.draft(shift, FORM, by="Драгана", at=now)
    assert (found.id, found.by, found.count.cash) == (draft.id, "Мира", Money(600))
    assert found.count.typed_texts["slip.Терминал 1"] == "88,50"
    assert day.shifts.confirm_count(found, by="Драгана", at=now).by == "Драгана"
    second = day.shifts.draft(shift, FORM, by="Драгана", at=now)
    assert second.id != found.id
    assert second.count.typed_texts == {}
    day.shifts.confirm_count(
        _with(second, second.count.with_typed("pieces.note.200", "4")), by="Мира", at=now
    )
    kept = [(one.count.cash, one.by) for one in day.shifts.counts(shift)]
    assert kept == [(Money(600), "Драгана"), (Money(800), "Мира")]
    acts = [one for one in told_acts(day, now) if one.done is NotedAct.COUNTED]
    expected = [("Драгана", "1", "600.00"), ("Мира", "1", "800.00")]
    assert [(one.by, one.subject, one.after) for one in acts] == expected


def _with(stored: StoredCount, count: Count) -> StoredCount:
    return replace(stored, count=count)


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


def test_what_is_given_up_counts_as_dropped_once_it_is_cancelled(day: Day) -> None:
    """Attention writes the act at once, while the server may have found the receipt."""
    shift, total = day.begin(1000), Money("58.99")
    sold, gone = day.counter.sell(), day.counter.sell()
    now = day.counter.clock.now()
    for sale in (sold, gone):
        day.database.acts.write(
            NotedAct.CART_DROPPED,
            by="Мира",
            at=now,
            subject="wrong",
            before=str(total.amount),
            sale_key=sale.key,
        )
        moved(day, sale.key, SaleState.CANCELLING)
    assert day.shifts.acts(Span(shift)).dropped == 0
    moved(day, sold.key, SaleState.DOUBT)
    receipt = ReceiptFacts("receipt-1", "ABCD1234-ABCD1234-1", now)
    day.database.sales.move(sold.key, SaleState.DONE, at=now, receipt=receipt)
    day.counter.clock.go_on(60_000)
    closed = day.close(shift, 0)
    second = day.begin(0)
    moved(day, gone.key, SaleState.CANCELLED)
    assert day.shifts.acts(Span(closed)).dropped == 0
    told = day.shifts.acts(Span(second))
    assert (told.dropped, told.dropped_total) == (1, total)


def test_what_is_done_between_two_shifts_is_told_by_the_second(day: Day) -> None:
    first = day.begin(0)
    day.database.drawer.begin_opening(by="Мира", at=day.counter.clock.now())
    day.counter.clock.go_on(60_000)
    closed = day.close(first, 0)
    day.counter.clock.go_on(60_000)
    for _ in range(2):
        day.database.drawer.begin_opening(by="Мира", at=day.counter.clock.now())
    day.counter.clock.go_on(60_000)
    second = day.begin(0)
    assert day.shifts.acts(Span(closed)).openings == 1
    assert day.shifts.acts(Span(second)).openings == 2
    assert day.shifts.reported_since(second) == closed.closed_at
    assert day.shifts.reported_since(first) == first.opened_at


def test_receipts_of_other_programs_are_told_on_from_where_the_z_before_asked(day: Day) -> None:
    asked = day.counter.clock.now()
    for server, since in ((FromServer(asked), asked), (None, None)):
        shift = day.begin(0)
        day.counter.clock.go_on(60_000)
        closed = day.close(shift, 0, server=server)
        day.counter.clock.go_on(60_000)
        following = day.begin(0)
        facts = read_facts(day.shifts, day.database.carts, Span(following))
        assert facts.others_since == (since or closed.closed_at)
        ended = day.close(following, 0)
        late = read_facts(day.shifts, day.database.carts, Span(ended))
        assert late.others_since == facts.others_since, "however late it is asked for"


def test_what_a_till_without_shifts_told_by_days_is_not_told_by_the_next_shift(day: Day) -> None:
    closed = day.close(day.begin(0), 0)
    day.counter.clock.go_on(3_600_000)
    day.end()
    with closing(open_till(day.folder / "till", till_id="till-1")) as database:
        counter = Counter(database)
        counter.till = till_of(database.carts, day.counter.clock, first_key=1_000)
        sale = counter.sell()
    day.counter.clock.go_on(3_600_000)
    day.database = open_till(day.folder / "till", till_id="till-1", has_shifts=True)
    day.shifts = day.database.shifts
    second = day.begin(0)
    assert closed.closed_at is not None
    assert closed.closed_at < day.shifts.reported_since(second) == sale.frozen_at < second.opened_at


def told_acts(day: Day, at: datetime) -> list[ActRow]:
    whole = timedelta(days=1)
    return list(day.database.acts.acts(since=at - whole, until=at + whole))


# --- days of a till without shifts ---------------------------------------------------------------
@pytest.fixture
def plain(folder: Path) -> Iterator[Day]:
    opened = Day(folder, has_shifts=False)
    yield opened
    opened.end()


def test_what_a_day_signs_of_the_day_before_is_told_once(plain: Day) -> None:
    """
    | sale      | frozen    | signed    | yesterday's Z     | today's Z    |
    | 58.99     | yesterday | yesterday | turnover          | –            |
    | 58.99     | yesterday | today     | not signed        | signed later |
    | 58.99     | today     | today     | –                 | turnover     |
    """
    day, one = plain, Money("58.99")
    clock = day.counter.clock
    yesterday = Span(None, clock.now(), clock.now() + timedelta(days=1))
    today = Span(None, yesterday.until, clock.now() + timedelta(days=2))
    day.signed(day.counter.sell().key, 1)
    late = day.counter.sell()
    clock.go_on(24 * 3_600_000)
    day.signed(late.key, 2)
    day.signed(day.counter.sell().key, 3)
    told = takings_of(day.shifts.sales(yesterday))
    assert (told.turnover, told.unsigned.amount, told.signed_later.amount) == (one, one, Money(0))
    told = takings_of(day.shifts.sales(today))
    assert (told.turnover, told.unsigned.amount, told.signed_later.amount) == (one, Money(0), one)


# --- what can't be changed -----------------------------------------------------------------------
@pytest.fixture
def _a_closed_shift(day: Day) -> None:
    shift = day.begin(1000)
    now = day.counter.clock.now()
    cash_move(day.shifts, MoveKind.IN, Money(5), reason="кусур", by="Мира", at=now)
    day.close(shift, 10)


@pytest.mark.usefixtures("_a_closed_shift")
@each(
    "statement",
    [
        "UPDATE shifts SET float = 1",
        "UPDATE shifts SET stays = 1",
        "UPDATE shifts SET z = '[]'",
        "UPDATE shifts SET closed_at = NULL",
        "DELETE FROM shifts",
        "UPDATE cash_moves SET amount = 1",
        "DELETE FROM cash_moves",
        "INSERT INTO cash_moves VALUES (9, 1, 'in', 1, '', '', '', NULL)",
        "UPDATE counts SET counted = '{}'",
        "DELETE FROM counts",
        "INSERT INTO counts (shift_id, by_name, begun_at, counted) VALUES (1, '', '', '{}')",
    ],
)
def test_a_closed_shift_is_never_rewritten(day: Day, statement: str) -> None:
    with pytest.raises(apsw.ConstraintError, match="life: "):
        connection_of(day.database).execute(statement)


def test_the_count_of_a_float_survives_a_kill_and_ends_with_the_shift_that_opens(day: Day) -> None:
    day.close(day.begin(1000), 1000)
    typed = Count(FORM).with_typed("pieces.note.200", "3").with_typed("packs.coin.5", "2")
    day.shifts.keep_float_count(typed)
    killed = day.folder / "killed"
    shutil.copytree(day.folder / "till", killed)
    day.end()
    again = open_till(killed, till_id="till-1", has_shifts=True)
    day.database, day.shifts = again, again.shifts
    assert day.shifts.float_count(FORM) == typed
    now = day.counter.clock.now()
    shift = day.shifts.ensure_open(by="Мира", at=now)  # as a first sale does
    day.close(shift, 0)
    assert day.shifts.float_count(FORM).typed_texts == {}


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
