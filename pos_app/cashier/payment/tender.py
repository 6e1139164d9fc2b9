"""The amounts that the customer gives, line by line, and the state of the payment.

Each act returns a new tender; the domain alone settles amounts. One line is always the active line,
into which digits go. An amount is typed with one decimal mark (comma or point) and two decimals.
Sources: till.md ("Payment", "Keys"), look.md (Screens, 3), fiscal.md 6.13 (whole dinars).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum, auto

from pos_app.domain.money import payment
from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import amount_text, grouped_text, parse_amount
from pos_app.lazy_dataclass import dataclass

MOST_DIGITS = 9
"""The most digits before the decimal mark. Nobody pays a billion dinars at a counter."""
DECIMALS = 2
_SIGNS = frozenset({*"0123456789", "00", ",", "."})


class Origin(Enum):
    """The origin of an amount. The next digit replaces an amount that was not typed."""

    TYPED = auto()
    EXACT = auto()
    """The exact rest, filled in by a method, by "exact" or by Enter."""
    NOTES = auto()
    """Notes were tapped; the next note is added to the amount."""
    KEPT = auto()
    """The amount was given before the payment was left; the money may be taken already."""


@dataclass(frozen=True, slots=True)
class AmountEntry:
    """text: digits with at most one comma; "" for nothing."""

    text: str = ""
    origin: Origin = Origin.TYPED

    @classmethod
    def exact(cls, amount: Money) -> AmountEntry:
        """Return the exact rest; an empty entry if nothing remains."""
        return cls(_plain(amount), Origin.EXACT) if amount > Money.ZERO else cls()

    @classmethod
    def kept(cls, amount: Money) -> AmountEntry:
        return cls(_plain(amount), Origin.KEPT) if amount > Money.ZERO else cls()

    @property
    def amount(self) -> Money:
        """The amount; zero for an empty entry."""
        return parse_amount(self.text) if self.text.strip(",") else Money.ZERO

    @property
    def is_open(self) -> bool:
        """Whether another method may take over the line, because the customer gave nothing yet."""
        return not self.text or self.origin is Origin.EXACT

    @property
    def field_text(self) -> str:
        """The text of the field, with separators of thousands: "1234,5" -> "1.234,5"."""
        if not self.text:
            return ""
        if self.origin not in (Origin.TYPED, Origin.KEPT):
            return amount_text(self.amount)
        whole, comma, decimals = self.text.partition(",")
        return grouped_text(int(whole or 0)) + comma + decimals

    def key(self, key: str) -> AmountEntry:
        """Return the entry after one key: a digit, "00", "," or ".", "back" or "clear"; others
        change nothing."""
        if key == "clear":
            return AmountEntry()
        if key == "back":
            return AmountEntry(self.text[:-1])
        if key not in _SIGNS:
            return self
        before = self.text if self.origin is Origin.TYPED else ""
        if key in {",", "."}:
            return AmountEntry(before if "," in before else f"{before or 0},")
        return AmountEntry(_with_digits(before, key))

    def note(self, value: Money) -> AmountEntry:
        """Return the entry after a note, which is added to earlier notes and replaces any other
        amount."""
        before = self.amount if self.origin is Origin.NOTES else Money.ZERO
        return AmountEntry(_plain(before + value), Origin.NOTES)


def _plain(amount: Money) -> str:
    return str(amount).replace(".", ",")


def _with_digits(before: str, digits: str) -> str:
    whole, comma, decimals = before.partition(",")
    if comma:
        return whole + comma + (decimals + digits)[:DECIMALS]
    longer = (whole + digits).lstrip("0") or "0"
    return longer if len(longer) <= MOST_DIGITS else before


NOTHING = AmountEntry()
NOTES = tuple(Money(value) for value in (200, 500, 1000, 2000, 5000))
"""The notes that have a button."""


class EnterEffect(Enum):
    FILLED = auto()
    """The rest was filled in exactly."""
    COVERED = auto()
    """Nothing remains, and Enter confirms."""
    SHORT = auto()
    """Too little was typed, and the till does not guess what the customer gives."""
    TOO_MUCH = auto()
    """Methods other than cash exceed the amount due."""
    PARA = auto()
    """Cash was typed with para, of which there are no coins."""
    ADVANCE = auto()
    """The customer gives a part, which is taken as the amount of the advance."""


@dataclass(frozen=True, slots=True)
class TenderLine:
    id: int
    method: payment.PaymentMethod
    entry: AmountEntry = NOTHING


@dataclass(frozen=True, slots=True)
class Tender:
    """first: the method that Enter takes. active: the id of a line. for_gifts: where a customer
    who brings goods back pays nothing, the price of the gifts, which only "other" pays; else None.
    """

    due: Money
    in_whole_dinars: bool
    first: payment.PaymentMethod
    lines: tuple[TenderLine, ...]
    active: int
    next_id: int
    for_gifts: Money | None = None

    @classmethod
    def begin(cls, due: Money, *, first: payment.PaymentMethod, in_whole_dinars: bool) -> Tender:
        """Begin with one empty line of the first method."""
        return cls(due, in_whole_dinars, first, (TenderLine(1, first),), 1, 2)

    def holding(
        self,
        paid: Iterable[tuple[payment.PaymentMethod, Money]],
        *,
        filled: Iterable[tuple[payment.PaymentMethod, Money]] = (),
    ) -> Tender:
        """Return the tender with these lines, which were given before; the last line is active.
        filled: those that nobody typed, because a corporate card filled them in."""
        lines, exact = list[TenderLine](), list(filled)
        for number, (method, money) in enumerate(paid, start=1):
            entry = AmountEntry.kept(money)
            if (method, money) in exact:
                exact.remove((method, money))
                entry = AmountEntry.exact(money)
            lines.append(TenderLine(number, method, entry))
        if not lines:
            return self
        return replace(self, lines=tuple(lines), active=len(lines), next_id=len(lines) + 1)

    @property
    def by_hand(self) -> tuple[TenderLine, ...]:
        """The lines whose amount was not filled in."""
        return tuple(
            line
            for line in self.lines
            if line.entry.amount and line.entry.origin is not Origin.EXACT
        )

    def beside(self, lines: Iterable[TenderLine]) -> Tender:
        """Return the tender with these lines below its own; the last line is active."""
        tender = self
        for line in lines:
            made = replace(line, id=tender.next_id)
            below = (*tender.lines, made)
            tender = replace(tender, lines=below, active=made.id, next_id=made.id + 1)
        return _pruned(tender)

    def left_and_opened(self) -> Tender:
        """Return the tender for amounts that were left and are come back to: the next digit begins
        an amount anew."""
        lines = tuple(
            replace(line, entry=replace(line.entry, origin=Origin.KEPT))
            if line.entry.text and line.entry.origin is Origin.TYPED
            else line
            for line in self.lines
        )
        return replace(self, lines=lines)

    @property
    def paid(self) -> tuple[tuple[payment.PaymentMethod, Money], ...]:
        return tuple((line.method, line.entry.amount) for line in self.lines if line.entry.amount)

    # --- where it stands -------------------------------------------------------------------------

    @property
    def payments(self) -> payment.Payments:
        return _by_method(self.lines)

    @property
    def excess(self) -> Money:
        """The amount by which methods other than cash exceed the amount due (platform-contract.md
        2.15); cash too where nothing is received."""
        if self.for_gifts is not None:
            other = self.payments.amount(payment.PaymentMethod.OTHER)
            return self.payments.total - min(other, self.for_gifts)
        return payment.excess_of(self.due, self.payments)

    @property
    def too_much(self) -> Mapping[int, Money]:
        """What of the amounts is too much, by the ids of their lines: the active line gives way
        first, then the last one. Cash may exceed the amount due where anything is received; where
        nothing is, each amount is too much, but for what "other" pays of the gifts."""
        cash, other = payment.PaymentMethod.CASH, payment.PaymentMethod.OTHER
        spared = cash if self.for_gifts is None else other
        order = sorted(
            self.lines, key=lambda line: (line.method is spared, line.id != self.active, -line.id)
        )
        excess, found = self.excess, dict[int, Money]()
        for line in order:
            found[line.id] = min(line.entry.amount, excess)
            excess -= found[line.id]
        return {line_id: amount for line_id, amount in found.items() if amount}

    @property
    def with_para(self) -> int | None:
        """The id of the line of cash that somebody typed with para, which no coins have; the exact
        rest of what was given by hand may have them, but no amount that is filled in around it."""
        due, given = self.due, _by_method(self.by_hand)
        if not payment.has_para(due, given, in_whole_dinars=self.in_whole_dinars):
            return None
        cash = [line for line in self.by_hand if line.method is payment.PaymentMethod.CASH]
        return next((line.id for line in cash if line.entry.amount.amount % 1), None)

    def settlement(self) -> payment.Settlement:
        """Return what remains, the change and the rounding. Raises Invalid while there is an
        excess."""
        return payment.settle(self.due, self.payments, in_whole_dinars=self.in_whole_dinars)

    @property
    def is_covered(self) -> bool:
        """Whether nothing remains to be paid and nothing is in excess."""
        return not self.excess and self.settlement().on_receipt is not None

    @property
    def active_line(self) -> TenderLine:
        return self.line(self.active)

    def line(self, line_id: int) -> TenderLine:
        return next(line for line in self.lines if line.id == line_id)

    def remaining(self, method: payment.PaymentMethod, *, without: int | None = None) -> Money:
        """Return the amount by which a method covers what all lines but `without` leave."""
        beside = _by_method(line for line in self.lines if line.id != without)
        return payment.rest_by(method, self.due, beside, in_whole_dinars=self.in_whole_dinars)

    # --- acts ------------------------------------------------------------------------------------

    def owing(self, due: Money) -> Tender:
        """Return the same amounts given for another amount due."""
        return replace(self, due=due)

    def key(self, key: str) -> Tender:
        """Type a key of the pad or keyboard into the active line."""
        return _put(self, replace(self.active_line, entry=self.active_line.entry.key(key)))

    def choose(self, method: payment.PaymentMethod) -> Tender:
        """Take the exact rest by a method; typing then replaces the amount. An active line without
        given money takes the method. Otherwise a new line is made; for a method that has a line,
        only while something remains (two cards)."""
        active = self.active_line
        if active.entry.is_open:
            return _put(self, _exactly(self, replace(active, method=method)))
        mine = [line for line in self.lines if line.method is method]
        if mine and not self.remaining(method):
            return self.edit(mine[-1].id)
        return _add(self, method)

    def exact(self) -> Tender:
        """Put the exact rest into the active line."""
        return _put(self, _exactly(self, self.active_line))

    def note(self, value: Money) -> Tender:
        """Add a note to the cash line; make that line if there is none."""
        found = self._cash_line()
        tender = self if found else _add(self, payment.PaymentMethod.CASH)
        line = found or tender.active_line
        changed = replace(line, method=payment.PaymentMethod.CASH, entry=line.entry.note(value))
        return replace(_put(tender, changed), active=changed.id)

    def edit(self, line_id: int) -> Tender:
        """Make a line active; if the line before is empty it is removed. In a line that was left
        the next digit begins the amount anew."""
        if line_id == self.active:
            return _pruned(self)
        return _pruned(replace(self.left_and_opened(), active=line_id))

    def step(self, by: int) -> Tender:
        """Make the line above (-1) or below (+1) active, if there is one."""
        ids = [line.id for line in self.lines]
        index = min(max(ids.index(self.active) + by, 0), len(ids) - 1)
        return self.edit(ids[index])

    def remove(self, line_id: int) -> Tender:
        """Remove a line; instead of the last line an empty line of the first method remains."""
        left = tuple(line for line in self.lines if line.id != line_id)
        if not left:
            return replace(
                self,
                lines=(TenderLine(self.next_id, self.first),),
                active=self.next_id,
                next_id=self.next_id + 1,
            )
        kept = replace(self, lines=left)
        return kept if line_id != self.active else kept.edit(left[-1].id)

    def only(self, method: payment.PaymentMethod) -> Tender:
        """Replace all lines by one line of this method with the exact amount; any rest is paid by
        it too."""
        lines = (TenderLine(self.next_id, method),)
        begun = replace(self, first=method, lines=lines, active=self.next_id)
        return replace(begun, next_id=self.next_id + 1).exact()

    def naming(self, method: payment.PaymentMethod, *, gifts: Money) -> Tender:
        """Return how an offer is paid: all by this method, but for the gifts, which are paid by
        "other"."""
        named = payment.Payments.summed(
            ((method, self.due - gifts), (payment.PaymentMethod.OTHER, gifts))
        )
        lines = tuple(
            TenderLine(number, one, AmountEntry.exact(amount))
            for number, (one, amount) in enumerate(named.by_method, start=1)
        ) or (TenderLine(1, method),)
        return replace(self, lines=lines, active=1, next_id=len(lines) + 1)

    def enter(self) -> tuple[Tender, EnterEffect]:
        """Carry out Enter: put the exact rest into the active line if it is empty, else into a new
        line of the first method; gifts alone are paid by "other". If nothing remains, too much was
        given or cash has para, nothing is filled in; nor after too little in a line of the first
        method, because it is unknown what the customer gave."""
        if self.excess:
            return self, EnterEffect.TOO_MUCH
        if self.with_para is not None:
            return self, EnterEffect.PARA
        if self.is_covered:
            return _pruned(self), EnterEffect.COVERED
        active = self.active_line
        if self.for_gifts is not None:
            empty = replace(active, method=payment.PaymentMethod.OTHER)
            return _put(self, _exactly(self, empty)), EnterEffect.FILLED
        if not active.entry.amount:
            return _put(self, _exactly(self, active)), EnterEffect.FILLED
        if active.method is self.first:
            return self, EnterEffect.SHORT
        return _add(self, self.first), EnterEffect.FILLED

    # --- parts -----------------------------------------------------------------------------------

    def _cash_line(self) -> TenderLine | None:
        """Return the line that notes go to: the active line if it is cash, else the last cash line,
        else an active line that may become cash."""
        active = self.active_line
        if active.method is payment.PaymentMethod.CASH:
            return active
        cash = [line for line in self.lines if line.method is payment.PaymentMethod.CASH]
        if cash:
            return cash[-1]
        return active if active.entry.is_open else None


def _by_method(lines: Iterable[TenderLine]) -> payment.Payments:
    return payment.Payments.summed((line.method, line.entry.amount) for line in lines)


def _exactly(tender: Tender, line: TenderLine) -> TenderLine:
    return replace(line, entry=AmountEntry.exact(tender.remaining(line.method, without=line.id)))


def _put(tender: Tender, line: TenderLine) -> Tender:
    """Replace the line with the same id."""
    lines = tuple(line if old.id == line.id else old for old in tender.lines)
    return _pruned(replace(tender, lines=lines))


def _add(tender: Tender, method: payment.PaymentMethod) -> Tender:
    line = _exactly(tender, TenderLine(tender.next_id, method))
    lines, next_id = (*tender.lines, line), tender.next_id + 1
    return _pruned(replace(tender, lines=lines, active=line.id, next_id=next_id))


def _pruned(tender: Tender) -> Tender:
    """Remove empty lines, apart from the active one."""
    kept = (line for line in tender.lines if line.id == tender.active or line.entry.amount)
    return replace(tender, lines=tuple(kept))
