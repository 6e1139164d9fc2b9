"""The expected cash in the drawer, kind by kind of document; each table is calculated by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments, settle
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.shift_report import CashPart
from pos_app.errors import Invalid
from pos_app.selling.sale.sale import MoneyTaken
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind
from pos_app.selling.shift import cash
from pos_app.selling.shift.cash import CashMove, CashRow, MoveKind, ShiftSale, States
from pos_app.selling.shift.count import Count, CountField, CountForm, CountKind
from pos_app.selling.shift.report import differences, takings_of, turnover_by
from tests.sweep import each

AT = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
S = SaleState
OWN_DONE: States = (None, S.DONE)
CASH, CARD, VOUCHER = PaymentMethod.CASH, PaymentMethod.CARD, PaymentMethod.VOUCHER


def paid(total: str, **by: str) -> MoneyTaken:
    """The money that a till takes for a total, given by methods of payment."""
    given = Payments.of({PaymentMethod(method): Money(amount) for method, amount in by.items()})
    done = settle(Money(total), given, in_whole_dinars=True)
    assert done.on_receipt is not None
    return MoneyTaken(given, done.on_receipt, done.change, done.rounding)


def sold(total: str, states: States = OWN_DONE, *, key: str = "1", **by: str) -> ShiftSale:
    return ShiftSale(
        key=key,
        kind=DocumentKind.SALE,
        operation=Operation.ISSUE,
        states=states,
        total=Money(total),
        taken=paid(total, **by),
        cashier="Мира",
        frozen_at=AT,
    )


def refunded(total: str, hand: str, method: PaymentMethod = CASH, **more: Any) -> ShiftSale:
    back = Payments.of({method: Money(total)})
    taken = MoneyTaken(back, back, rounding=back.cash - Money(hand))
    fields: dict[str, Any] = {"operation": Operation.REFUND, "taken": taken}
    return replace(sold(total, key="r", cash=total), **fields | more)


def drawer(*sales: ShiftSale, moves: tuple[CashMove, ...] = ()) -> str:
    return str(cash.drawer_sum(None, sales, moves).expected)


@each(
    ("sale", "moved"),
    [
        (sold("198.98", cash="500"), "199.00"),  # the receipt says cash 500
        (sold("1674.72", cash="2000"), "1675.00"),
        (sold("1674.72", cash="1675"), "1675.00"),
        (sold("1674.30", cash="1674"), "1674.00"),  # rounded down
        (sold("1674.72", cash="1674.72"), "1674.72"),
        (sold("700", card="700"), "0.00"),
        (sold("700", card="500", cash="1000"), "200.00"),
        (refunded("142.49", "142"), "-142.00"),
        (refunded("142.51", "143"), "-143.00"),
        (refunded("700", "0", CARD), "0.00"),
        (replace(sold("500", cash="500"), kind=DocumentKind.ADVANCE), "500.00"),
        (replace(sold("500", cash="500"), operation=Operation.ADVANCE), "500.00"),
        (replace(sold("250.40", cash="250"), operation=Operation.CLOSE), "250.00"),
        (replace(sold("500", cash="500"), kind=DocumentKind.TRAINING), "0.00"),
        (replace(sold("500", cash="500"), kind=DocumentKind.PROFORMA), "0.00"),
        (replace(sold("500", cash="500"), operation=Operation.COPY), "0.00"),
    ],
)
def test_what_a_document_moves(sale: ShiftSale, moved: str) -> None:
    assert drawer(sale) == moved


@each(
    ("states", "moved"),
    [
        ((None, S.FROZEN), "199.00"),  # the customer has left with the goods
        ((None, S.SENDING), "199.00"),
        ((None, S.DOUBT), "199.00"),
        ((None, S.REFUSED), "0.00"),
        ((None, S.CANCELLING), "0.00"),
        ((None, S.CANCELLED), "0.00"),
    ],
)
def test_a_sale_counts_from_its_confirm_until_it_is_refused(states: States, moved: str) -> None:
    assert drawer(sold("198.98", states, cash="500")) == moved
    assert drawer(refunded("100", "100", states=states)) == "0.00", (
        "a refund only once it is signed"
    )


@each(
    ("states", "moved"),
    [
        ((S.FROZEN, S.DONE), "0.00"),  # signed later: its cash was there before
        ((S.FROZEN, S.CANCELLED), "-199.00"),
        ((S.REFUSED, S.CANCELLED), "0.00"),
        ((S.REFUSED, S.DONE), "199.00"),
    ],
)
def test_a_sale_of_an_earlier_shift_counts_by_what_changed(states: States, moved: str) -> None:
    sale = replace(sold("198.98", states, cash="500"), is_own=False)
    found = cash.drawer_sum(None, [sale], ())
    assert str(found.expected) == moved
    assert str(found.amount(CashPart.EARLIER)) == moved
    if states == (S.FROZEN, S.CANCELLED):
        assert drawer(replace(sale, counted_in_float=False)) == "0.00", "it is in the float"


def test_a_correction_moves_what_was_wrongly_in_the_sum() -> None:
    """Card was cash: 700 less by card, 700 more in the drawer."""
    refund = refunded("700", "0", CARD, has_follower=True, partners=(OWN_DONE,))
    new = replace(sold("700", cash="700"), follows="r")
    assert drawer(refund, new) == "700.00"
    assert cash.expected_beside_cash([refund, new]) == {CARD: Money(-700)}
    told = takings_of([refund, new])
    assert (told.turnover, told.corrections.many, told.refunds.many) == (Money(0), 1, 0)
    half = refunded("700", "700", has_follower=True, partners=((None, S.REFUSED),))
    waits = replace(sold("700", (None, S.REFUSED), cash="700"), follows="r")
    assert drawer(half, waits) == "0.00", "the customer got nothing yet"


def test_an_exchange_moves_what_is_between() -> None:
    """Back 500.30 in cash, new goods 300: the cashier hands over 200."""
    refund = refunded("500.30", "500", is_exchange=True, has_follower=True, partners=(OWN_DONE,))
    credit = Payments.of({CASH: Money(300)})
    taken = MoneyTaken(credit, credit)
    new = replace(sold("300", cash="300"), is_exchange=True, follows="r", taken=taken)
    assert drawer(refund, new) == "-200.00"


@each(
    ("partners", "paid_out", "moved"),
    [
        ((), (False, False), "0.00"),
        (((S.CANCELLED, S.CANCELLED),), (False, False), "0.00"),
        (((S.CANCELLED, S.CANCELLED), (None, S.FROZEN)), (False, False), "-500.00"),
        (((S.CANCELLED, S.CANCELLED), (None, S.REFUSED)), (False, False), "0.00"),
        (((S.CANCELLED, S.CANCELLED),), (False, True), "-500.00"),
        (((S.CANCELLED, S.CANCELLED),), (True, True), "0.00"),
    ],
)
def test_what_is_owed_stays_in_the_drawer(
    partners: tuple[States, ...], paid_out: tuple[bool, bool], moved: str
) -> None:
    """The refund was signed in an exchange of an earlier shift; its credit was not used then."""
    refund = refunded(
        "500",
        "500",
        states=(S.DONE, S.DONE),
        is_own=False,
        is_exchange=True,
        partners=partners,
        paid_out=paid_out,
    )
    assert drawer(refund) == moved


@each(
    ("total", "kept", "gave", "moved", "rounded"),
    [
        ("142.49", "0", "142", "-142.00", "0.49"),  # all of it was credited, so nothing was rounded
        ("500.60", "0.49", "501", "-501.00", "-0.40"),  # 200.49 was to be given, 200 rounded
        ("500.60", "0.49", None, "-500.11", "0.49"),  # nobody recorded it then
    ],
)
def test_what_is_paid_out_is_what_the_hand_gives(
    total: str, kept: str, gave: str | None, moved: str, rounded: str
) -> None:
    refund = refunded(
        total,
        str(Money(total) - Money(kept)),
        is_exchange=True,
        paid_out=(False, True),
        partners=((S.CANCELLED, S.CANCELLED),),
        paid_cash=None if gave is None else Money(gave),
    )
    told = cash.drawer_sum(None, [refund], ())
    assert str(told.expected) == moved
    assert str(told.rounding) == rounded
    assert str(told.amount(CashPart.REFUNDS)) == moved


def test_a_closing_by_hand_moves_nothing_until_its_money_is_paid_out() -> None:
    """An advance of another system of 500.30, closed here; the goods never came."""
    taken = MoneyTaken(Payments(), Payments.of({CARD: Money("500.30")}))
    closing = refunded("500.30", "0", kind=DocumentKind.ADVANCE, taken=taken, closes_elsewhere=True)
    assert drawer(closing) == "0.00"
    assert takings_of([closing]).refunds.many == 0
    paid_out = replace(closing, paid_out=(False, True), paid_cash=Money(500))
    assert drawer(paid_out) == "-500.00"
    assert cash.drawer_sum(None, [paid_out], ()).amount(CashPart.REFUNDS) == Money(-500)
    told = takings_of([paid_out])
    assert (told.refunds.many, told.turnover) == (1, Money("-500.30"))
    later = replace(paid_out, is_own=False, states=(S.DONE, S.DONE))
    assert drawer(later) == "-500.00"
    assert drawer(replace(later, paid_out=(True, True))) == "0.00"


def test_the_parts_of_the_sum() -> None:
    moves = (
        CashMove(1, MoveKind.IN, Money(3000), "ситнина", "Мира", AT),
        CashMove(2, MoveKind.OUT, Money(450), "млеко", "Мира", AT),
        CashMove(3, MoveKind.DROP, Money(50000), "", "Мира", AT, bag=7),
        CashMove(4, MoveKind.CHANGE, Money(2000), "", "Мира", AT),
    )
    start = CashRow(CashPart.FLOAT, Money(10000), AT, "Мира")
    found = cash.drawer_sum(start, [sold("198.98", cash="500"), refunded("142.49", "142")], moves)
    assert {part: str(found.amount(part)) for part in CashPart} == {
        "float": "10000.00", "received": "500.00", "change": "-301.00",
        "refunds": "-142.00", "earlier": "0.00", "in": "3000.00", "from_safe": "2000.00",
        "out": "-450.00", "to_safe": "-50000.00",
    }  # fmt: skip
    assert str(found.expected) == "-35393.00"
    assert str(found.rounding) == "0.51"
    assert [row.what for row in found.of(CashPart.OUT)] == ["млеко"]


def test_the_worked_table_is_what_hands_do() -> None:
    """Each row of the table in the docstring: a sale, or a refund where the total is negative."""
    lines = [line.split("|")[1:-1] for line in (cash.drawer_sum.__doc__ or "").splitlines()]
    rows = [[cell.strip() for cell in line] for line in lines if len(line) == 6]
    assert rows[0] == ["total", "hands take", "hands give", "received", "change", "rounding"]
    for total, took, gave, *told in rows[1:]:
        is_refund = total.startswith("-")
        sale = refunded(total[1:], gave) if is_refund else sold(total, cash=took)
        found = cash.drawer_sum(None, [sale], ())
        assert found.expected == Money(took) - Money(gave), total
        second = CashPart.REFUNDS if is_refund else CashPart.CHANGE
        amounts = found.amount(CashPart.RECEIVED), found.amount(second), found.rounding
        assert [str(one) for one in amounts] == told, total


def test_turnover_by_method_is_without_the_change() -> None:
    assert turnover_by(sold("198.98", cash="500")) == {CASH: Money("198.98")}
    assert turnover_by(sold("700", card="500", cash="1000")) == {CARD: Money(500), CASH: Money(200)}
    assert turnover_by(refunded("142.49", "142")) == {CASH: Money("-142.49")}


def test_an_advance_of_another_system_is_in_the_turnover_as_its_receipts_are() -> None:
    """4,000 were paid elsewhere by card, the goods cost 5,000: refund −4,000, sale 5,000."""
    shown = Payments.of({CARD: Money(4000)})
    refund = refunded("4000", "0", CARD, taken=MoneyTaken(Payments(), shown), closes_elsewhere=True)
    sale = replace(sold("1000", cash="1000"), paid_before=Money(4000), before_by=shown)
    told = takings_of([refund, sale])
    assert told.turnover == Money(1000)
    assert [(one.name, str(one.amount)) for one in told.methods] == [("cash", "1000.00")]
    assert told.refunds.many == 0
    assert drawer(refund, sale) == "1000.00"


def test_what_is_not_signed_stands_apart_and_again_where_it_is() -> None:
    waiting = sold("100", (None, S.FROZEN), cash="100")
    later = replace(sold("250", (S.FROZEN, S.DONE), cash="250"), is_own=False)
    before = replace(sold("70", (S.DONE, S.DONE), cash="70"), is_own=False)
    told = takings_of([waiting, later, before, sold("30", card="30")])
    assert told.turnover == Money(30)
    assert (told.unsigned.many, told.unsigned.amount) == (1, Money(100))
    assert (told.signed_later.many, told.signed_later.amount) == (1, Money(250))


def counted(**typed: str) -> Count:
    names = {"b200": "packs.note.200", "n200": "pieces.note.200", "n5000": "pieces.note.5000"}
    names |= {"c5": "pieces.coin.5", "r5": "packs.coin.5", "slip": "slip.Терминал 1"}
    count = Count(CountForm(("Терминал 1", "Терминал 2")))
    for name, text in typed.items():
        count = count.with_typed(names.get(name, name), text)
    return count


def test_a_count_is_pieces_bundles_and_rolls() -> None:
    count = counted(n200="27", b200="1", c5="41", r5="2", n5000="0")
    assert count.worth_of(200, is_coin=False) == Money(25400)
    assert count.worth_of(5, is_coin=True) == Money(705)
    assert count.worth_of(5000, is_coin=False) == Money(0)
    assert count.worth_of(2000, is_coin=False) is None
    assert (count.cash, count.counted_kinds) == (Money(26105), 3)


@each(
    ("name", "text"), [("n5000", "1,5"), ("n5000", "-1"), ("n5000", "100000"), ("slip", "1,234,5")]
)
def test_a_fault_names_its_field(name: str, text: str) -> None:
    with pytest.raises(Invalid) as told:
        counted(**{name: text})
    assert told.value.field in ("pieces.note.5000", "slip.Терминал 1")


def test_differences_are_by_method() -> None:
    sales = [sold("198.98", cash="500"), sold("700", card="700"), sold("90", voucher="90")]
    count = counted(n200="1", slip="690")
    found = differences(cash.drawer_sum(None, sales, ()), sales, count)
    told = [(one.method, str(one.amount)) for one in found.rows]
    assert told == [("cash", "1.00"), ("card", "-10.00"), ("voucher", "-90.00")]
    assert count.amount(CountField(CountKind.SLIP, terminal="Терминал 2")) is None
