from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_number import FiscalNumber
from pos_app.domain.receipt.verification import decode
from pos_app.errors import Invalid
from tests.fakes.verification_url import payload, url
from tests.sweep import each

UIDS = st.from_regex(r"[0-9A-Z]{8}", fullmatch=True)


def test_the_parts_of_a_number() -> None:
    number = FiscalNumber.parse("ABCD1234-WXYZ9876-8652")
    assert (number.requested_by, number.signed_by, number.counter) == ("ABCD1234", "WXYZ9876", 8652)
    assert not number.is_before_efiscalization


@each("typed", ["abcd1234-wxyz9876-8652", " ABCD1234-WXYZ9876-8652\n"])
def test_what_a_hand_types_becomes_the_printed_form(typed: str) -> None:
    assert str(FiscalNumber.parse(typed)) == "ABCD1234-WXYZ9876-8652"


@each(
    ("text", "kind"),
    [
        ("", "form"),
        ("ABCD1234-ABCD1234", "form"),
        ("ABCD1234-ABCD1234-", "form"),
        ("ABCD123-ABCD1234-1", "form"),
        ("ABCD12345-ABCD1234-1", "form"),
        ("ABCD1234_ABCD1234_1", "form"),
        ("ABCD1234-ABCD1234-1A", "form"),
        ("ABCD1234-ABCD1234--1", "form"),
        ("АBCD1234-ABCD1234-1", "form"),
        ("ABCD1234-ABCD1234-١", "form"),
        ("ABCD1234-ABCD1234-1-2", "form"),
        ("ABCD1234-ABCD1234-0", "counter"),
        ("ABCD1234-ABCD1234-012", "counter"),
        ("ABCD1234-ABCD1234-" + "1" * 33, "length"),
        ("ABCD1234-ABCD1234-" + "1" * 6000, "length"),
    ],
)
def test_what_is_no_receipt_number_is_refused(text: str, kind: str) -> None:
    with pytest.raises(Invalid) as fault:
        FiscalNumber.parse(text)
    assert fault.value.kind == kind


def test_a_counter_beyond_what_fits_on_paper_is_none() -> None:
    assert len(str(FiscalNumber("ABCD1234", "ABCD1234", 10**32 - 1))) == 50
    with pytest.raises(Invalid) as fault:
        FiscalNumber("ABCD1234", "ABCD1234", 10**32)
    assert fault.value.kind == "length"


@each("number", ["XXXXXXXX-XXXXXXXX-1234", "XXXXXXXX-AB123456-1234"])
def test_a_receipt_from_before_efiscalization(number: str) -> None:
    """The second group is the number of a cash register's fiscal module, if that is known."""
    reference = FiscalNumber.parse(number)
    assert reference.is_before_efiscalization
    assert str(reference) == number
    assert FiscalNumber.parse(number.lower()).is_before_efiscalization


def test_letters_of_both_sizes_are_kept_and_compared_without_their_size() -> None:
    signed = FiscalNumber.parse(" F7CBZMLQ-Dt1Ov1o0-2109")
    assert str(signed) == "F7CBZMLQ-Dt1Ov1o0-2109"
    typed = FiscalNumber.parse("F7CBZMLQ-DT1OV1O0-2109")
    assert typed == signed
    assert len({typed, signed}) == 1
    assert typed != FiscalNumber.parse("F7CBZMLQ-DT1OV1O0-2108")


@given(UIDS, UIDS, st.integers(1, 2**32 - 1))
def test_a_number_written_is_read_again(requested_by: str, signed_by: str, counter: int) -> None:
    number = FiscalNumber(requested_by, signed_by, counter)
    assert FiscalNumber.parse(str(number)) == number
    assert FiscalNumber.parse(str(number).lower()) == number


# --- a receipt of another system, read from its code ---------------------------------------------


def test_it_is_what_the_code_says_and_hides_its_buyer() -> None:
    told = ForeignReceipt.of(decode(url(payload(buyer=b"11:0101990710003"))))
    assert (told.number, told.counter) == ("ABCD1234-WXYZ9876-11389", "8652/11389")
    assert told.total == Money("1674.72")
    assert told.time == datetime(2024, 1, 1, 11, 0, 0, 123000, tzinfo=UTC)
    assert told.buyer_id == "11:0101990710003"
    assert "0101990710003" not in repr(told)


@each(
    ("invoice_type", "transaction_type", "may_be"),
    [(0, 0, True), (4, 0, True), (0, 1, False), (1, 0, False), (2, 0, False), (3, 0, False)],
)
def test_only_a_sale_or_an_advance_is_refunded_by_hand(
    invoice_type: int, transaction_type: int, *, may_be: bool
) -> None:
    read = decode(url(payload(invoice_type=invoice_type, transaction_type=transaction_type)))
    assert ForeignReceipt.of(read).may_be_refunded is may_be
