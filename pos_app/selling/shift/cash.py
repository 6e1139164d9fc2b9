"""The cash that must be in the drawer follows from the till's own rows, never from the payments on
the receipts.

A sale counts from the moment when its money changes hands until it is refused or dropped. So the
sum of a period is what counts at its end, less what counted at its beginning. For example, a sale
of an earlier shift that is cancelled in this shift takes its cash out of this shift's sum.
Sources: till.md ("Shift"), fiscal.md 6.13.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.operations import Operation
from pos_app.domain.receipt.shift_report import CashPart
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass
from pos_app.selling.sale.sale import MoneyTaken
from pos_app.selling.sale.state import SaleState
from pos_app.selling.sale.ticket import DocumentKind

_TAKEN = frozenset({SaleState.FROZEN, SaleState.SENDING, SaleState.DOUBT, SaleState.DONE})
_NOTHING = Payments()
BEFORE, AFTER = 0, 1
"""Indexes of the two ends of a period."""

States = tuple[SaleState | None, SaleState | None]
"""The states of a sale at the beginning and end of a period, or None before it was frozen."""


@dataclass(frozen=True, slots=True)
class ShiftSale:
    """A sale as a shift sees it. is_own: the shift froze it; else it changed during the shift.

    number: the number of its receipt, "" before it is signed. paid_before: its part that was paid
    as an advance at another system; before_by: the same by method. partners: for a refund that was
    frozen with a sale, the states of that sale and of each later one that uses its amount.
    paid_out: whether a manager said that the amount was paid out; paid_cash: the cash given then,
    None where it was not noted. signed_at: UTC, by the processor. counted_in_float: for a sale of
    an earlier shift, whether its money had changed hands when the float was counted, or None where
    the float is the remaining cash, so that the state at the beginning decides.
    """

    key: str
    kind: DocumentKind
    operation: Operation
    states: States
    total: Money
    taken: MoneyTaken
    cashier: str
    frozen_at: datetime
    is_own: bool = True
    number: str = ""
    receipt_id: str = ""
    is_exchange: bool = False
    follows: str = ""
    has_follower: bool = False
    closes_elsewhere: bool = False
    partners: tuple[States, ...] = ()
    paid_out: tuple[bool, bool] = (False, False)
    paid_cash: Money | None = None
    paid_before: Money = Money.ZERO
    before_by: Payments = _NOTHING
    signed_at: datetime | None = None
    counted_in_float: bool | None = None

    @property
    def is_refund(self) -> bool:
        return self.operation is Operation.REFUND

    @property
    def of_correction(self) -> bool:
        return not self.is_exchange and (self.has_follower or bool(self.follows))

    def counts(self, end: int) -> bool:
        """Whether the sale's money had changed hands at that end of the period.

        | what                     | counts                                                     |
        | sale, advance, closing   | from confirm on, unless it is refused or dropped           |
        | refund                   | once it is signed                                          |
        | refund of a correction   | once it is signed, and no new receipt waits for a person   |
        | refund of an exchange    | once its worth is used for a sale, or was paid out         |
        | refund that closes an    | once the money was paid out after all                      |
        | advance of elsewhere     |                                                            |
        | copy, proforma, training | never                                                      |
        """
        state = self.states[end]
        if not self.kind.takes_money or self.operation is Operation.COPY:
            return False
        if not self.is_refund:
            return state in _TAKEN
        if state is not SaleState.DONE:
            return False
        partners = [one[end] for one in self.partners]
        if self.is_exchange or self.closes_elsewhere:
            return self.paid_out[end] or any(one in _TAKEN for one in partners)
        return SaleState.REFUSED not in partners

    @property
    def moved(self) -> int:
        """1 if the sale's money began to count in this period, −1 if it counts no longer, else
        0."""
        before = self.counts(BEFORE) if self.counted_in_float is None else self.counted_in_float
        return int(self.counts(AFTER)) - int(before)

    @property
    def sign(self) -> int:
        return -1 if self.is_refund else 1

    @property
    def hand_moves(self) -> Money:
        """The cash that the sale brings into the drawer; negative where it takes cash out.

        | sale                                     | cash  |
        | 198.98, cash 500, change 301             | 199   |
        | 1674.72, cash 1675 exactly               | 1675  |
        | refund of 142.49 in cash, hand gives 142 | -142  |
        """
        if self.is_refund:
            cash, rounding = self.given_back
            return rounding - cash
        return self.taken.tendered.cash - self.taken.change

    @property
    def rounding(self) -> Money:
        """Return the amount that the drawer gained or lost by the sale, because cash moves in
        whole dinars."""
        return self.given_back[1] if self.is_refund else self.taken.rounding

    @property
    def given_back(self) -> tuple[Money, Money]:
        """The cash of a refund as its receipt has it, and the part that rounding kept; a refund
        paid out later counts with the cash given then.

        | what                                               | cash   | kept |
        | refund of 142.49 in cash, hand gives 142           | 142.49 | 0.49 |
        | exchange of 142.49 for 800, given up, 142 paid out | 142.49 | 0.49 |
        | advance of 500.30, closed, then 500 paid out       | 500.30 | 0.30 |
        """
        taken = self.taken
        if self.paid_cash is None:
            return taken.tendered.cash, taken.rounding
        cash = self.total if self.closes_elsewhere else taken.tendered.cash
        return cash, cash - self.paid_cash


def check_whole(amount: Money, field: str) -> Money:
    """Return an amount of notes and coins. Raises Invalid for the field where it is not whole
    dinars, because there are no coins of para and no count would ever agree with it."""
    if amount.amount % 1:
        raise Invalid("para_in_cash", field=field)
    return amount


class MoveKind(StrEnum):
    IN = "in"
    OUT = "out"
    DROP = "drop"
    """Cash goes to the safe, in a bag with a number."""
    CHANGE = "change"

    @property
    def brings(self) -> bool:
        return self in (MoveKind.IN, MoveKind.CHANGE)


_PARTS: Mapping[MoveKind, CashPart] = {
    MoveKind.IN: CashPart.IN,
    MoveKind.OUT: CashPart.OUT,
    MoveKind.DROP: CashPart.TO_SAFE,
    MoveKind.CHANGE: CashPart.FROM_SAFE,
}


@dataclass(frozen=True, slots=True)
class CashMove:
    """amount: above zero. bag: the number of a drop's bag, counted upward over all shifts."""

    id: int
    kind: MoveKind
    amount: Money
    reason: str
    by: str
    at: datetime
    bag: int | None = None

    @property
    def moved(self) -> Money:
        return self.amount if self.kind.brings else -self.amount


@dataclass(frozen=True, slots=True)
class CashRow:
    """One amount of the sum. what: number of a receipt, or a reason; "" for none yet. is_receipt:
    what is a receipt's number."""

    part: CashPart
    amount: Money
    at: datetime
    by: str
    what: str = ""
    is_receipt: bool = False


@dataclass(frozen=True, slots=True)
class DrawerSum:
    """The expected cash, row by row. rounding: what the drawer gained or lost because cash moves in
    whole dinars; the rows have it already."""

    rows: tuple[CashRow, ...]
    rounding: Money = Money.ZERO

    def of(self, part: CashPart) -> tuple[CashRow, ...]:
        return tuple(row for row in self.rows if row.part is part)

    def amount(self, part: CashPart) -> Money:
        return Money.total(row.amount for row in self.of(part))

    @property
    def expected(self) -> Money:
        return Money.total(row.amount for row in self.rows)


def drawer_sum(
    float_row: CashRow | None, sales: Iterable[ShiftSale], moves: Iterable[CashMove]
) -> DrawerSum:
    """float + received − change − refunds in cash ± sales of earlier shifts + in − out.

    Each part is what hands took and gave. The rounding, by which this differs from the receipts, is
    told beside it and is no part of the sum. A sale, or a refund where the total is negative:

    | total   | hands take | hands give | received | change  | rounding |
    | 198.98  | 500.00     | 301.00     | 500.00   | -301.00 | 0.02     |
    | 1674.97 | 1675.00    | 0.00       | 1675.00  | 0.00    | 0.03     |
    | 1674.30 | 1674.00    | 0.00       | 1674.00  | 0.00    | -0.30    |
    | 1674.72 | 1674.72    | 0.00       | 1674.72  | 0.00    | 0.00     |
    | -142.49 | 0.00       | 142.00     | 0.00     | -142.00 | 0.49     |
    | -142.51 | 0.00       | 143.00     | 0.00     | -143.00 | -0.49    |

    `ShiftRepository.roughly_there` estimates this sum while somebody sells; a test compares the
    two.
    """
    rows = [] if float_row is None else [float_row]
    rounding = Money.ZERO
    for sale in sales:
        rows += _rows_of(sale)
        if sale.is_own and sale.moved:
            rounding += sale.rounding
    for move in moves:
        rows.append(CashRow(_PARTS[move.kind], move.moved, move.at, move.by, move.reason))
    return DrawerSum(tuple(rows), rounding)


def _rows_of(sale: ShiftSale) -> Sequence[CashRow]:
    moved = sale.moved
    if not moved:
        return ()
    taken = sale.taken
    if not sale.is_own:
        hand = sale.hand_moves if moved > 0 else -sale.hand_moves
        amounts = {CashPart.EARLIER: hand}
    elif sale.is_refund:
        amounts = {CashPart.REFUNDS: sale.hand_moves}
    else:
        amounts = {CashPart.RECEIVED: taken.tendered.cash, CashPart.CHANGE: -taken.change}
    return [
        CashRow(part, amount, sale.frozen_at, sale.cashier, sale.number, bool(sale.number))
        for part, amount in amounts.items()
        if amount
    ]


def moved_by(sale: ShiftSale, method: PaymentMethod) -> Money:
    """What a sale adds to the expected sum of a method, negative where it takes it away."""
    if method is not PaymentMethod.CASH:
        return expected_beside_cash([sale]).get(method, Money.ZERO)
    return Money.total(row.amount for row in _rows_of(sale))


def expected_beside_cash(sales: Iterable[ShiftSale]) -> Mapping[PaymentMethod, Money]:
    """The expected sums of other methods by the same rule: terminals' slips, cheques, vouchers."""
    found: dict[PaymentMethod, Money] = {}
    for sale in sales:
        for method, amount in sale.taken.tendered.by_method:
            if method is not PaymentMethod.CASH and (times := sale.moved * sale.sign):
                was = found.get(method, Money.ZERO)
                found[method] = was + amount if times > 0 else was - amount
    return found
