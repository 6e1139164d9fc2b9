"""The count of a drawer, as it is typed: pieces and bundles of notes, coins and rolls, then other
methods. An empty field was not counted, which differs from zero.

Source: till.md ("Shift"), mock-17.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from functools import cached_property

from pos_app.domain.money.money import Money
from pos_app.domain.money.number_text import parse_amount
from pos_app.domain.money.payment import PaymentMethod
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

NOTES = (5000, 2000, 1000, 500, 200, 100, 50, 20, 10)
COINS = (20, 10, 5, 2, 1)
MOST_PIECES = 99_999


class CountKind(StrEnum):
    PIECES = "pieces"
    PACKS = "packs"
    """Bundles of notes, or rolls of coins."""
    SLIP = "slip"
    """The total of a terminal's own slip."""
    CHEQUES = "cheques"
    CHEQUES_MANY = "cheques_many"
    VOUCHERS = "vouchers"


@dataclass(frozen=True, slots=True)
class CountField:
    """worth: the worth of a note or coin, in dinars. terminal: the name of a card terminal."""

    kind: CountKind
    worth: int = 0
    is_coin: bool = False
    terminal: str = ""

    @property
    def name(self) -> str:
        if self.kind in (CountKind.PIECES, CountKind.PACKS):
            return f"{self.kind}.{'coin' if self.is_coin else 'note'}.{self.worth}"
        return f"{self.kind}.{self.terminal}" if self.terminal else self.kind.value

    @property
    def is_number(self) -> bool:
        """Whether the field holds a number of things, not an amount."""
        return self.kind in (CountKind.PIECES, CountKind.PACKS, CountKind.CHEQUES_MANY)


@dataclass(frozen=True, slots=True)
class CountForm:
    """The fields of a shop's count. bundle: notes in one; roll: coins in one."""

    terminals: tuple[str, ...] = ()
    bundle: int = 100
    roll: int = 50

    @property
    def walk(self) -> tuple[CountField, ...]:
        notes = [CountField(CountKind.PIECES, worth) for worth in NOTES]
        coins = [CountField(CountKind.PIECES, worth, is_coin=True) for worth in COINS]
        slips = [CountField(CountKind.SLIP, terminal=name) for name in self.terminals]
        return (
            *notes,
            *coins,
            *slips,
            CountField(CountKind.CHEQUES),
            CountField(CountKind.VOUCHERS),
        )

    @property
    def fields(self) -> tuple[CountField, ...]:
        """All fields, with bundles, rolls and the number of cheques, which Enter skips."""
        packs = [
            CountField(CountKind.PACKS, one.worth, one.is_coin) for one in self.walk if one.worth
        ]
        return (*self.walk, *packs, CountField(CountKind.CHEQUES_MANY))


@dataclass(frozen=True)
class Count:
    """typed_texts: texts by the names of fields; a missing one was not counted."""

    form: CountForm
    typed_texts: Mapping[str, str] = field(default_factory=dict)

    def with_typed(self, name: str, text: str) -> Count:
        """Change the text of a field. Raises Invalid for that field where it can't hold the text;
        "" means not counted."""
        field_of = next(one for one in self.form.fields if one.name == name)
        typed = {one: value for one, value in self.typed_texts.items() if one != name}
        if text:
            _value(field_of, text)
            typed[name] = text
        return replace(self, typed_texts=typed)

    def value(self, of: CountField) -> int | Money | None:
        """A number of things, or an amount, or None where it was not counted."""
        text = self.typed_texts.get(of.name, "")
        return _value(of, text) if text else None

    def number(self, of: CountField) -> int:
        value = self.value(of)
        return value if isinstance(value, int) else 0

    def amount(self, of: CountField) -> Money | None:
        value = self.value(of)
        return value if isinstance(value, Money) else None

    def worth_of(self, worth: int, *, is_coin: bool) -> Money | None:
        """The sum of one note or coin, or None where it was not counted.

        | 200 × 27, one bundle of 100 | 25,400.00 |
        | 5 × 41, two rolls of 50     | 705.00    |
        """
        pieces = CountField(CountKind.PIECES, worth, is_coin)
        packs = CountField(CountKind.PACKS, worth, is_coin)
        if pieces.name not in self.typed_texts and packs.name not in self.typed_texts:
            return None
        each = self.form.roll if is_coin else self.form.bundle
        return Money(worth * (self.number(pieces) + each * self.number(packs)))

    def cash_of(self, *, is_coin: bool) -> Money:
        kinds = COINS if is_coin else NOTES
        return Money.total(self.worth_of(one, is_coin=is_coin) or Money.ZERO for one in kinds)

    @cached_property
    def cash(self) -> Money:
        return self.cash_of(is_coin=False) + self.cash_of(is_coin=True)

    @property
    def counted_kinds(self) -> int:
        found = [self.worth_of(one, is_coin=False) for one in NOTES]
        found += [self.worth_of(one, is_coin=True) for one in COINS]
        return sum(one is not None for one in found)

    def beside_cash(self, method: PaymentMethod) -> Money | None:
        """The count of cards, cheques or vouchers, or None."""
        kinds = {
            PaymentMethod.CARD: CountKind.SLIP,
            PaymentMethod.CHECK: CountKind.CHEQUES,
            PaymentMethod.VOUCHER: CountKind.VOUCHERS,
        }
        meant = [one for one in self.form.walk if one.kind is kinds.get(method)]
        found = [amount for one in meant if (amount := self.amount(one)) is not None]
        return Money.total(found) if found else None


KINDS_OF_CASH = len(NOTES) + len(COINS)


def check_counted(count: Count) -> None:
    """Raises Invalid for field "count" if no note or coin was counted; an empty drawer has a 0."""
    if not count.counted_kinds:
        raise Invalid("nothing_counted", field="count")


def _value(of: CountField, text: str) -> int | Money:
    if of.is_number:
        if not (text.isascii() and text.isdigit() and int(text) <= MOST_PIECES):
            raise Invalid("pieces", field=of.name, most=MOST_PIECES)
        return int(text)
    try:
        return parse_amount(text)
    except Invalid as error:
        raise error.at(of.name) from error
