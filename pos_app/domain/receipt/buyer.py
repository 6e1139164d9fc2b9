"""The buyer's id and the optional buyer field, each "NN:value" from a codebook.

The processor checks only the length; form and codebook are checked here. A wrong check digit only
warns, because old and foreign numbers exist that do not satisfy it.
Source: fiscal.md 1 (lengths) and 5 (codebooks).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from pos_app.characters import is_blank
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

LONGEST_BUYER_ID = 20
LONGEST_COST_CENTRE = 50

_PIB = ("PIB", 9)
_JMBG = ("JMBG", 13)
_JBKJS = ("JBKJS", 5)


@dataclass(frozen=True, slots=True)
class BuyerKind:
    """A row of the buyer codebook.

    name: stable name that the till translates. value_parts: name and number of digits of each part
    of the value, joined by ":"; empty where the form is unknown. personal: it names a natural
    person, so it is stored in no buyer book and in no log.
    """

    code: str
    name: str
    value_parts: tuple[tuple[str, int], ...] = ()
    personal: bool = False


@dataclass(frozen=True, slots=True)
class CostCentreKind:
    """A row of the codebook of the optional buyer field; the till translates `name`."""

    code: str
    name: str


ID_CARD, ID_CARD_DIGITS = "20", 9
PUBLIC = "12"
"""The code of a buyer who spends public money."""
_BUYER_KINDS = (
    BuyerKind("10", "pib", (_PIB,)),
    BuyerKind("11", "jmbg", (_JMBG,), personal=True),
    BuyerKind(PUBLIC, "pib_jbkjs", (_PIB, _JBKJS)),
    BuyerKind("13", "pensioner_card", personal=True),
    BuyerKind("14", "farm_pib", (_PIB,)),
    BuyerKind("15", "farm_jmbg", (_JMBG,), personal=True),
    BuyerKind("16", "bpg"),
    BuyerKind("20", "id_card", personal=True),
    BuyerKind("21", "refugee_card", personal=True),
    BuyerKind("22", "ebs", personal=True),
    BuyerKind("23", "passport_domestic", personal=True),
    BuyerKind("30", "passport_foreign", personal=True),
    BuyerKind("31", "diplomatic_card", personal=True),
    BuyerKind("32", "id_card_mkd", personal=True),
    BuyerKind("33", "id_card_mne", personal=True),
    BuyerKind("34", "id_card_alb", personal=True),
    BuyerKind("35", "id_card_bih", personal=True),
    BuyerKind("36", "id_card_by_decision", personal=True),
    BuyerKind("40", "foreign_tin"),
)
BUYER_KINDS: Mapping[str, BuyerKind] = MappingProxyType({kind.code: kind for kind in _BUYER_KINDS})

CORPORATE_CARD = "50"
PERIOD = "60"

_COST_CENTRE_KINDS = (
    CostCentreKind("10", "zpppdv"),
    CostCentreKind("11", "ref_form"),
    CostCentreKind("20", "snpdv"),
    CostCentreKind("21", "lnpdv"),
    CostCentreKind("30", "ppo_pdv"),
    CostCentreKind("31", "zppo_pdv"),
    CostCentreKind("32", "mppo_pdv"),
    CostCentreKind("33", "ippo_pdv"),
    CostCentreKind("40", "single_purpose_voucher"),
    CostCentreKind(CORPORATE_CARD, "corporate_card"),
    CostCentreKind(PERIOD, "period"),
)
COST_CENTRE_KINDS: Mapping[str, CostCentreKind] = MappingProxyType(
    {kind.code: kind for kind in _COST_CENTRE_KINDS}
)


@dataclass(frozen=True, slots=True, repr=False)
class BuyerId:
    """A buyer by code and value: `str()` is the wire form "10:123456789", at most 20 characters.

    `repr()` hides the value of a natural person: log a buyer with %r, never with %s. Raises Invalid
    (kind: code, empty, characters, length, digits, parts), whose text never shows the number.
    """

    code: str
    value: str

    def __post_init__(self) -> None:
        if self.code not in BUYER_KINDS:
            raise Invalid("code.buyer")
        _check_text(self.value, "a buyer id", ascii_only=True)
        _check_parts(self.value, self.kind)
        _check_length(str(self), LONGEST_BUYER_ID, "a buyer id")

    @classmethod
    def parse(cls, text: str) -> BuyerId:
        return cls(*_code_and_value(text, "a buyer id"))

    @property
    def kind(self) -> BuyerKind:
        return BUYER_KINDS[self.code]

    @property
    def is_personal(self) -> bool:
        return self.kind.personal

    def warnings(self) -> list[str]:
        """Warnings about a number that looks mistyped but may be right: "pib_check_digit",
        "jmbg_check_digit", and "id_card_digits" for a domestic identity card without nine
        digits."""
        if self.code == ID_CARD:
            is_usual = self.value.isdecimal() and len(self.value) == ID_CARD_DIGITS
            return [] if is_usual else ["id_card_digits"]
        values = zip(self.kind.value_parts, self.value.split(":"), strict=False)
        return [
            f"{name.lower()}_check_digit"
            for (name, _), digits in values
            if not _CHECKS.get(name, _always)(digits)
        ]

    def __str__(self) -> str:
        return f"{self.code}:{self.value}"

    def __repr__(self) -> str:
        shown = "*" * len(self.value) if self.is_personal else self.value
        return f"BuyerId({self.code}:{shown})"


@dataclass(frozen=True, slots=True)
class CostCentre:
    """The optional buyer field by code and value; `str()` is "50:…", at most 50 characters. Raises
    Invalid (kind: code, empty, characters, length, period)."""

    code: str
    value: str

    def __post_init__(self) -> None:
        if self.code not in COST_CENTRE_KINDS:
            raise Invalid("code.cost_centre")
        _check_text(self.value, "a cost centre", ascii_only=False)
        _check_length(str(self), LONGEST_COST_CENTRE, "a cost centre")
        if self.code == PERIOD:
            _period(self.value)

    @classmethod
    def parse(cls, text: str) -> CostCentre:
        return cls(*_code_and_value(text, "a cost centre"))

    @property
    def kind(self) -> CostCentreKind:
        return COST_CENTRE_KINDS[self.code]

    @property
    def is_corporate_card(self) -> bool:
        return self.code == CORPORATE_CARD

    def __str__(self) -> str:
        return f"{self.code}:{self.value}"


def check_cost_centre(
    centre: CostCentre | None, *, buyer: BuyerId | None, payments: Payments, refund: bool
) -> None:
    """Check that the cost centre fits its receipt. Raises Invalid (fiscal.md 5). kind:
    without_buyer; corporate_card (paid by something else than voucher); period (not a refund)."""
    if centre is None:
        return
    if buyer is None:
        raise Invalid("without_buyer")
    methods = {method for method, _ in payments.by_method}
    if centre.is_corporate_card and methods - {PaymentMethod.VOUCHER}:
        raise Invalid("corporate_card")
    if centre.code == PERIOD and not refund:
        raise Invalid("period.refund")


def pib_check_digit_fits(pib: str) -> bool:
    """Whether the last of 9 digits fits the others by ISO 7064 MOD 11,10. 123456788 does."""
    rest = 10
    for digit in pib[:-1]:
        rest = (rest + int(digit)) % 10 or 10
        rest = rest * 2 % 11
    return (rest + int(pib[-1])) % 10 == 1


def jmbg_check_digit_fits(jmbg: str) -> bool:
    """Whether the last of 13 digits fits the others: weights 7…2 twice, mod 11, 10 and 11 -> 0."""
    weights = (7, 6, 5, 4, 3, 2) * 2
    weighed = sum(int(digit) * weight for digit, weight in zip(jmbg[:-1], weights, strict=True))
    rest = 11 - weighed % 11
    return int(jmbg[-1]) == (rest if rest < 10 else 0)


def _always(_: str) -> bool:
    return True


_CHECKS = {"PIB": pib_check_digit_fits, "JMBG": jmbg_check_digit_fits}


def _code_and_value(text: str, what: str) -> tuple[str, str]:
    code, colon, value = text.partition(":")
    if not colon:
        raise Invalid("form.code", named=what)
    return code, value


def _check_text(value: str, what: str, *, ascii_only: bool) -> None:
    if is_blank(value):
        raise Invalid("empty.code", named=what)
    readable = value.isprintable() and value == value.strip()
    if not readable or (ascii_only and not value.isascii()):
        raise Invalid("characters", named=what)


def _check_length(text: str, longest: int, what: str) -> None:
    if len(text) > longest:
        raise Invalid("length.longest", longest=longest, given=len(text), named=what)


def _check_parts(value: str, kind: BuyerKind) -> None:
    if not kind.value_parts:
        return
    values = value.split(":")
    if len(values) != len(kind.value_parts):
        form = ":".join(name for name, _ in kind.value_parts)
        raise Invalid("parts", form=form)
    for (name, length), digits in zip(kind.value_parts, values, strict=True):
        if not (digits.isascii() and digits.isdigit()):
            raise Invalid("digits", part=name)
        if len(digits) != length:
            raise Invalid("length.digits", part=name, digits=length, given=len(digits))


def _period(value: str) -> tuple[date, date]:
    fault = Invalid("period.form")
    first, _, last = value.partition("_")
    if not all(len(day) == 8 and day.isascii() and day.isdigit() for day in (first, last)):
        raise fault
    try:
        begin, end = _day(first), _day(last)
    except ValueError as error:
        raise fault from error
    if begin > end:
        raise Invalid("period.order")
    return begin, end


def _day(digits: str) -> date:
    return date(int(digits[4:]), int(digits[2:4]), int(digits[:2]))


def asks_e_invoice(buyer: str | None, cost_centre: str | None) -> bool:
    """Whether an e-invoice has to follow a receipt for this buyer or cost centre, in their wire
    form."""
    of_public = (buyer or "").partition(":")[0] == PUBLIC
    return of_public or (cost_centre or "").partition(":")[0] == CORPORATE_CARD
