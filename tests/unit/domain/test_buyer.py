"""Buyer ids and cost centres (fiscal.md 5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.money import Money
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.receipt.buyer import (
    BUYER_KINDS,
    COST_CENTRE_KINDS,
    BuyerId,
    CostCentre,
    check_cost_centre,
    jmbg_check_digit_fits,
    pib_check_digit_fits,
)
from pos_app.errors import Invalid
from tests.sweep import each

FIRM = BuyerId("10", "123456788")


@each(
    "text",
    [
        "10:123456788", "11:0101980710015", "12:123456788:00123", "13:AB-12", "14:123456788",
        "15:0101980710015", "16:012345678901", "20:012345678", "22:0101980060015", "23:P 123456",
        "30:C01X00T47", "30:12345678901234567", "36:X1", "40:DE123456789",
    ],
)  # fmt: skip
def test_a_buyer_id_and_a_cost_centre_are_read_and_written_unchanged(text: str) -> None:
    assert str(BuyerId.parse(text)) == text
    for centre in (
        *("60:01012024_01012024", "20:ЗПППДВ-12/2024", "31:123", "50:4000123412341234"),
        *("60:01012024_31012024", "11:x"),
    ):
        assert str(CostCentre.parse(centre)) == centre


@each(
    ("text", "kind"),
    [
        ("", "form"), ("123456788", "form"), (":123456788", "code"), ("1:123456788", "code"),
        ("17:1", "code"), ("99:1", "code"), ("1O:123456788", "code"), ("10:", "empty"),
        ("30:", "empty"), ("10:10188330", "length"), ("10:1234567881", "length"),
        ("10:10188330A", "digits"), ("10: 01883300", "characters"), ("10:123456788 ", "characters"),
        ("30:Ђ123", "characters"), ("30:12\n3", "characters"), ("10:١٢٣٤٥٦٧٨٩", "characters"),
        ("11:010198071001", "length"), ("12:123456788", "parts"), ("12:123456788:1234", "length"),
        ("12:123456788:12345:1", "parts"), ("10:123456788:00123", "parts"),
        ("30:123456789012345678", "length"),
    ],
)  # fmt: skip
def test_a_wrong_buyer_id_says_what_is_wrong(text: str, kind: str) -> None:
    with pytest.raises(Invalid) as fault:
        BuyerId.parse(text)
    assert fault.value.kind == kind


@each(
    "text",
    [
        # 123456788 was worked out by hand; the others are well-known public numbers
        *("10:123456788", "10:100002887", "10:104052135"),
        *("11:0101006500006", "11:0710003730015", "11:1705978730032"),
    ],
)
def test_a_right_number_gives_no_warning_and_a_wrong_check_digit_only_that(text: str) -> None:
    code, _, number = text.partition(":")
    assert (pib_check_digit_fits if code == "10" else jmbg_check_digit_fits)(number)
    assert BuyerId.parse(text).warnings() == []
    for wrong, warnings in (
        ("10:123456789", ["pib_check_digit"]),
        ("14:123456789", ["pib_check_digit"]),
        ("12:123456789:00123", ["pib_check_digit"]),
        ("11:0101006500007", ["jmbg_check_digit"]),
        ("15:0101006500007", ["jmbg_check_digit"]),
        ("40:123456789", []),
    ):
        assert BuyerId.parse(wrong).warnings() == warnings, wrong


@given(st.from_regex(r"[0-9]{12}", fullmatch=True))
def test_exactly_one_last_digit_fits(digits: str) -> None:
    assert sum(pib_check_digit_fits(digits[:8] + last) for last in "0123456789") == 1
    assert sum(jmbg_check_digit_fits(digits + last) for last in "0123456789") == 1


@given(st.from_regex(r"[0-9]{8}", fullmatch=True), st.integers(0, 7), st.integers(1, 9))
def test_one_mistyped_digit_of_a_pib_is_noticed(first_eight: str, at: int, by: int) -> None:
    right = next(
        first_eight + last for last in "0123456789" if pib_check_digit_fits(first_eight + last)
    )
    wrong = right[:at] + str((int(right[at]) + by) % 10) + right[at + 1 :]
    assert not pib_check_digit_fits(wrong)


@each("code", sorted(BUYER_KINDS.keys() - {"10", "12", "14", "16", "40"}))
def test_a_natural_person_is_personal_and_never_shown_by_repr(code: str) -> None:
    value = "0101006500006"
    buyer = BuyerId(code, value)
    assert buyer.is_personal
    assert not any(digit in repr(buyer).partition(":")[2] for digit in "0123456789")
    assert value not in f"{[buyer]!s}"


@each("code", ["11", "15"])
@each("value", ["010100650000", "0101006500006x", "01010065000061"])
def test_a_fault_never_repeats_the_number(code: str, value: str) -> None:
    with pytest.raises(Invalid) as fault:
        BuyerId(code, value)
    assert value not in f"{fault.value!r} {fault.value} {fault.value.values}"


def test_the_codebooks_are_those_of_the_tax_administration() -> None:
    assert " ".join(BUYER_KINDS) == "10 11 12 13 14 15 16 20 21 22 23 30 31 32 33 34 35 36 40"
    assert " ".join(COST_CENTRE_KINDS) == "10 11 20 21 30 31 32 33 40 50 60"
    for kinds in (BUYER_KINDS, COST_CENTRE_KINDS):
        keys = [kind.name for kind in kinds.values()]
        assert len(set(keys)) == len(keys)


@each(
    ("text", "kind"),
    [
        ("50", "form"), ("12:1", "code"), ("50:", "empty"), ("50:a\tb", "characters"),
        ("20:" + "9" * 48, "length"), ("60:2024", "period"), ("60:01012024", "period"),
        ("60:01012024_32012024", "period"), ("60:31012024_01012024", "period"),
        ("60:01012024-31012024", "period"), ("60:01010000_31012024", "period"),
        ("60:01012024_31012024_", "period"),
    ],
)  # fmt: skip
def test_a_wrong_cost_centre_says_what_is_wrong(text: str, kind: str) -> None:
    with pytest.raises(Invalid) as fault:
        CostCentre.parse(text)
    assert fault.value.kind == kind


@each(
    ("centre", "buyer", "methods", "refund", "fault"),
    [
        ("20:1", FIRM, ["cash"], False, None),
        ("20:1", None, ["cash"], False, "without_buyer"),
        ("50:1", FIRM, ["voucher"], False, None),
        ("50:1", FIRM, [], False, None),
        ("50:1", FIRM, ["card"], False, "corporate_card"),
        ("50:1", FIRM, ["voucher", "cash"], False, "corporate_card"),
        ("50:1", None, ["voucher"], False, "without_buyer"),
        ("60:01012024_31012024", FIRM, ["cash"], True, None),
        ("60:01012024_31012024", FIRM, ["cash"], False, "period"),
    ],
)
def test_a_cost_centre_fits_its_receipt(
    centre: str, buyer: BuyerId | None, methods: list[str], refund: bool, fault: str | None
) -> None:
    given_centre = CostCentre.parse(centre)
    paid = Payments.of({PaymentMethod(method): Money(10) for method in methods})
    if fault is None:
        check_cost_centre(given_centre, buyer=buyer, payments=paid, refund=refund)
        check_cost_centre(None, buyer=None, payments=paid, refund=refund)
        return
    with pytest.raises(Invalid) as raised:
        check_cost_centre(given_centre, buyer=buyer, payments=paid, refund=refund)
    assert raised.value.kind == fault
