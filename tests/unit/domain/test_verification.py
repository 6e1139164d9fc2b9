"""Verification URLs, as an encoder of the tests' own writes them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.foreign_receipt import ForeignReceipt
from pos_app.domain.receipt.receipt_number import FiscalNumber
from pos_app.domain.receipt.request import InvoiceType, TransactionType
from pos_app.domain.receipt.verification import decode, looks_like_verification
from pos_app.errors import Invalid
from tests.fakes.verification_url import ADDRESS, ENCRYPTED, SIGNATURE, payload, sealed, url
from tests.sweep import each

PRODUCTION_HOST = "suf.purs.gov.rs"


def fault_of(text: str, **options: frozenset[str]) -> str:
    with pytest.raises(Invalid) as fault:
        decode(text, **options)
    return fault.value.kind


def test_all_that_a_code_holds() -> None:
    receipt = decode(url(payload(buyer=b"10:123456788")))
    assert receipt.host == PRODUCTION_HOST
    assert receipt.requested_by == "ABCD1234"
    assert receipt.signed_by == "WXYZ9876"
    assert receipt.total_counter == 11389
    assert receipt.type_counter == 8652
    assert receipt.total == Money("1674.72")
    assert receipt.moment == datetime(2024, 1, 1, 11, 0, 0, 123000, tzinfo=UTC)
    assert receipt.invoice_type is InvoiceType.NORMAL
    assert receipt.transaction_type is TransactionType.SALE
    assert receipt.buyer_id == "10:123456788"
    assert receipt.encrypted_internal_data == ENCRYPTED
    assert receipt.signature == SIGNATURE
    assert str(receipt.number) == "ABCD1234-WXYZ9876-11389"


def test_a_code_written_out_byte_by_byte() -> None:
    head = bytes.fromhex(
        "03 4142434431323334 5758595A39383736"  # version, ABCD1234, WXYZ9876
        "7D2C0000 CC210000 C08AFF0000000000"  # 11389 and 8652 little endian, 1674.72
        "0000018CC4AE33FB 00 00 0C"  # the moment big endian, types, length of the buyer
        "31303A313233343536373838"  # 10:123456788
    )
    body = head + ENCRYPTED + SIGNATURE
    assert len(body) == 44 + 12 + 512
    assert decode(url(body)) == decode(url(payload(buyer=b"10:123456788")))


@each(
    ("number", "invoice_type"),
    [
        (0, InvoiceType.NORMAL), (1, InvoiceType.PROFORMA), (2, InvoiceType.COPY),
        (3, InvoiceType.TRAINING), (4, InvoiceType.ADVANCE),
    ],
)  # fmt: skip
@each(("transaction", "transaction_type"), [(0, TransactionType.SALE), (1, TransactionType.REFUND)])
def test_types_by_their_numbers(
    number: int, invoice_type: InvoiceType, transaction: int, transaction_type: TransactionType
) -> None:
    receipt = decode(url(payload(invoice_type=number, transaction_type=transaction)))
    assert (receipt.invoice_type, receipt.transaction_type) == (invoice_type, transaction_type)


@each("length", [0, 1, 19, 20])
def test_a_buyer_of_up_to_twenty_characters(length: int) -> None:
    assert decode(url(payload(buyer=b"9" * length))).buyer_id == "9" * length


@each(
    "written",
    [
        lambda text: text,
        lambda text: quote(text, safe="").replace("%2B", "%2b").replace("%2F", "%2f"),
        lambda text: quote(text, safe="="),
        lambda text: text.replace("+", " "),
        lambda text: quote(text, safe="").replace("%2B", "%20"),
        lambda text: text + "\r\n",
    ],
)
def test_base64_comes_in_several_ways(written: Callable[[str], str]) -> None:
    body = payload(buyer=b"10:123456788")
    whole = base64.b64encode(sealed(body)).decode()
    assert "+" in whole
    assert "/" in whole
    assert decode(ADDRESS + written(whole)) == decode(url(body))


@each(
    ("field", "buyer"),
    [
        (b"10:123456788".rjust(20, b"\0"), "10:123456788"),
        (b"10:123456788".ljust(20, b"\0"), "10:123456788"),
        (b"10:123456788".rjust(20), "10:123456788"),
        (b" \0 10:123456788 ", "10:123456788"),
        (b"30:AB 12", "30:AB 12"),
        (b"\0" * 20, ""),
    ],
)
def test_what_pads_the_buyer_is_no_part_of_it(field: bytes, buyer: str) -> None:
    assert decode(url(payload(buyer=field))).buyer_id == buyer


@each("buyer", [b"", b"10:123456788", b"10:123456788".rjust(20, b"\0")])
def test_the_internal_data_may_be_twice_as_long(buyer: bytes) -> None:
    long = bytes(range(255, -1, -1)) + bytes(range(256))
    receipt = decode(url(payload(buyer=buyer, internal=long)))
    assert receipt.encrypted_internal_data == long
    assert receipt.signature == SIGNATURE
    assert fault_of(url(payload(buyer=buyer, internal=long[:-1]))) == "length"


@each(
    "text",
    [
        "",
        "8600123450144",
        "https://suf.purs.gov.rs/v/?vl=",
        "https://suf.purs.gov.rs/x/?vl=AAAA",
        "https://suf.purs.gov.rs/v/?v=AAAA",
        "https://suf.purs.gov.rs@elsewhere.example/v/?vl=AAAA",
        "ftp://suf.purs.gov.rs/v/?vl=AAAA",
    ],
)
def test_what_is_no_verification_address(text: str) -> None:
    assert fault_of(text) == "address"


@each(
    ("text", "kind"),
    [
        (ADDRESS + "AAA", "base64"),
        (ADDRESS + "%FF%FF", "base64"),
        (ADDRESS + "%D0%82AAA", "base64"),
        (ADDRESS + "AAAA", "length"),
        (url(payload()[:-1]), "length"),
        (url(payload() + b"x"), "length"),
        (url(payload(buyer=b"10:123456788", said_length=11)), "length"),
        (url(payload(version=2)), "version"),
        (url(payload(buyer=b"9" * 21)), "content"),
        (url(payload(buyer=b"\xd0\x82")), "content"),
        (url(payload(invoice_type=5)), "content"),
        (url(payload(transaction_type=2)), "content"),
        (url(payload(total=1)), "content"),
        (url(payload(total=2**64 - 1)), "content"),
        (url(payload(milliseconds=2**64 - 1)), "content"),
        (url(payload(requested_by=b"ABCD-234")), "content"),
        (url(payload(signed_by=b"ABCD\xff234")), "content"),
        (url(payload(total_counter=0)), "content"),
    ],
)  # fmt: skip
def test_a_wrong_code_says_what_is_wrong(text: str, kind: str) -> None:
    assert fault_of(text) == kind


@given(st.integers(0, 43 + 512 + 16), st.integers(1, 255))
def test_no_changed_byte_goes_unnoticed(at: int, by: int) -> None:
    whole = bytearray(sealed(payload()))
    whole[at] ^= by
    assert fault_of(ADDRESS + quote(base64.b64encode(whole).decode(), safe="")) in {
        "length",
        "checksum",
    }


@given(
    total_counter=st.integers(1, 2**32 - 1),
    type_counter=st.integers(0, 2**32 - 1),
    para=st.integers(0, 10**14 - 1),
    milliseconds=st.integers(0, 4_102_444_800_000),
    buyer=st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20),
)
def test_what_was_written_is_read(
    total_counter: int, type_counter: int, para: int, milliseconds: int, buyer: str
) -> None:
    receipt = decode(
        url(
            payload(
                total_counter=total_counter,
                type_counter=type_counter,
                total=para * 100,
                milliseconds=milliseconds,
                buyer=buyer.encode(),
            )
        )
    )
    assert (receipt.total_counter, receipt.type_counter) == (total_counter, type_counter)
    assert receipt.total == Money(Decimal(para).scaleb(-2))
    assert (receipt.moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1000 == (
        pytest.approx(milliseconds, abs=0.5)
    )
    assert receipt.buyer_id == buyer.strip()


@each(
    ("text", "meant"),
    [
        (ADDRESS, True),
        (ADDRESS + "broken", True),
        ("http://127.0.0.1:8888/v/?vl=AAAA", True),
        ("https://example.com/", False),
        ("8600123450144", False),
    ],
)
def test_what_is_meant_as_a_verification_address(text: str, meant: bool) -> None:
    assert looks_like_verification(text) is meant


def test_only_the_given_hosts_are_read_when_told() -> None:
    sandbox_host = "sandbox.suf.purs.gov.rs"
    allowed = frozenset({sandbox_host})
    assert fault_of(url(payload()), hosts=allowed) == "host"
    sandbox = url(payload(), address=f"https://{sandbox_host}/v/?vl=")
    assert decode(sandbox, hosts=allowed).host == sandbox_host


UIDS = st.from_regex(r"[0-9A-Z]{8}", fullmatch=True)


def test_the_parts_of_a_number() -> None:
    number = FiscalNumber.parse(" abcd1234-wxyz9876-8652\n")
    assert (number.requested_by, number.signed_by, number.counter) == ("ABCD1234", "WXYZ9876", 8652)
    assert not number.is_before_efiscalization


@each(
    ("text", "kind"),
    [
        ("", "form"), ("ABCD1234-ABCD1234", "form"), ("ABCD1234-ABCD1234-", "form"),
        ("ABCD123-ABCD1234-1", "form"), ("ABCD12345-ABCD1234-1", "form"),
        ("ABCD1234_ABCD1234_1", "form"), ("ABCD1234-ABCD1234-1A", "form"),
        ("ABCD1234-ABCD1234--1", "form"), ("АBCD1234-ABCD1234-1", "form"),
        ("ABCD1234-ABCD1234-١", "form"), ("ABCD1234-ABCD1234-1-2", "form"),
        ("ABCD1234-ABCD1234-0", "counter"), ("ABCD1234-ABCD1234-012", "counter"),
        ("ABCD1234-ABCD1234-" + "1" * 33, "length"), ("ABCD1234-ABCD1234-" + "1" * 6000, "length"),
    ],
)  # fmt: skip
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
