"""Codes: check digits, and the meaning of a scan."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_app.adapters.gs1 import verifier_of
from pos_app.domain.article import barcodes
from pos_app.domain.article.scale_labels import PriceCode, ScaleLayout, ScaleRules, WeightCode
from pos_app.domain.money.money import Money, Quantity
from pos_app.errors import Invalid
from tests.fakes import verification_url
from tests.sweep import each

SCALE = ScaleRules()
USUAL = barcodes.CodeRules(SCALE)


def from_scale(prefix: str, article: int, value: int) -> str:
    digits = f"{prefix}{article:05}{value:05}"
    return digits + barcodes.check_digit(digits)


def receipt_address(*, checksum_fits: bool = True) -> str:
    """The QR text of a receipt over 1,674.72 without a buyer."""
    whole = verification_url.sealed(verification_url.payload())
    sent = whole if checksum_fits else whole[:-16] + bytes(16)
    text = base64.b64encode(sent).decode().replace("+", "%2B").replace("=", "%3D")
    return f"{verification_url.ADDRESS}{text}"


@each(
    ("digits", "last"),
    [
        ("860012345014", "4"), ("400638133393", "1"), ("9638507", "4"), ("03600029145", "2"),
        ("1001234500001", "7"), ("629104150021", "3"),
    ],
)  # fmt: skip
def test_check_digits(digits: str, last: str) -> None:
    assert barcodes.check_digit(digits) == last
    assert barcodes.check_digit_fits(digits + last)
    for code in ("", "4", "400638133393x", "4006381333932", "٤٠٠٦٣٨١٣٣٣٩٣١"):
        assert not barcodes.check_digit_fits(code)


def test_the_qr_code_of_a_receipt_is_whole_with_its_checksum() -> None:
    scan = barcodes.classify(receipt_address(), USUAL)
    assert isinstance(scan, barcodes.ReceiptCode)
    assert str(scan.verification.number) == "ABCD1234-WXYZ9876-11389"
    assert barcodes.is_whole(receipt_address())
    assert not barcodes.is_whole(receipt_address(checksum_fits=False))
    assert not barcodes.is_whole(receipt_address()[:-4])


@each(
    ("code", "complete"),
    [
        ("96385074", True), ("036000291452", True), ("4006381333931", True),
        ("04006381333931", True), ("4006381333930", False), ("963850", False), ("2100094", False),
        ("", False), ("ABCDEFGH", False),
    ],
)  # fmt: skip
def test_a_gtin_is_complete_and_right(code: str, complete: bool) -> None:
    assert barcodes.is_gtin(code) is complete


@given(st.from_regex(r"[0-9]{12}", fullmatch=True), st.integers(0, 12), st.integers(1, 9))
def test_one_misread_digit_is_noticed(digits: str, at: int, by: int) -> None:
    right = digits + barcodes.check_digit(digits)
    wrong = right[:at] + str((int(right[at]) + by) % 10) + right[at + 1 :]
    assert barcodes.check_digit_fits(right)
    assert not barcodes.check_digit_fits(wrong)


@each(
    ("code", "found", "sku"),
    [
        ("2088", "2088", 2088), (" 2088\r\n", "2088", 2088), ("00042", "00042", 42),
        ("8600123450144", "8600123450144", 8600123450144), ("AB-12/7", "AB-12/7", None),
        ("8600123450140", "8600123450140", 8600123450140), ("2100094", "2100094", 2100094),
        ("2900094014124", "2900094014124", 2900094014124), ("ШЉ 15", "ШЉ 15", None),
        ("1234567890123456", "1234567890123456", None),
    ],
)  # fmt: skip
def test_article_codes(code: str, found: str, sku: int | None) -> None:
    scan = barcodes.classify(code, USUAL)
    assert scan == barcodes.ArticleCode(found)
    assert isinstance(scan, barcodes.ArticleCode)
    assert scan.sku == sku


@each(
    ("code", "scan"),
    [
        ("2100094014124", WeightCode(94, "2100094", Quantity("1.412"))),
        (from_scale("20", 2088, 412), WeightCode(2088, "2002088", Quantity("0.412"))),
        (from_scale("25", 99999, 99999), WeightCode(99999, "2599999", Quantity("99.999"))),
        (from_scale("21", 1, 1), WeightCode(1, "2100001", Quantity("0.001"))),
        ("2600094003505", PriceCode(94, "2600094", Money(350))),
        (from_scale("28", 7, 99999), PriceCode(7, "2800007", Money(99999))),
    ],
)
def test_codes_of_the_scale(code: str, scan: WeightCode | PriceCode) -> None:
    assert barcodes.classify(code, USUAL) == scan


@each(
    ("code", "ean", "supplement"),
    [
        ("977123456789805", "9771234567898", "05"),
        ("]E3977123456789805", "9771234567898", "05"),
        ("978861234567252995", "9788612345672", "52995"),
        ("860012345014412345", "8600123450144", "12345"),
    ],
)
def test_an_ean_and_its_supplement(code: str, ean: str, supplement: str) -> None:
    assert barcodes.classify(code, USUAL) == barcodes.EditionCode(ean, supplement)
    asks = barcodes.CodeRules(SCALE, asks_edition_price=True)
    assert barcodes.classify(code, asks) == barcodes.EditionCode(ean, supplement, asks_price=True)
    for none in ("977123456789905", "97712345678980", "9771234567898051", "9771234567898x5"):
        assert barcodes.classify(none, USUAL) == barcodes.ArticleCode(none)


@each(
    ("layout", "digits", "scan"),
    [
        ("21AAAAAGGGGG", "210009401412", WeightCode(94, "2100094", Quantity("1.412"))),
        ("21AAAAGGGGGG", "210094001412", WeightCode(94, "210094", Quantity("1.412"))),
        ("29AAAAAAGGGG", "290000941412", WeightCode(94, "29000094", Quantity("1.412"))),
        ("02AAAAAKKKKK", "020009400003", WeightCode(94, "0200094", Quantity("0.003"), True)),
        ("26AAAAADDDDD", "260009435099", PriceCode(94, "2600094", Money(35099))),
        ("26AAAAAPPPPP", "260009435099", PriceCode(94, "2600094", Money("350.99"))),
        ("27AAAAAV" + "PPPP", "270009492875", PriceCode(94, "2700094", Money("28.75"))),
        ("28AAAAV" + "DDDDD", "280094614685", PriceCode(94, "280094", Money(14685))),
    ],
)
def test_each_layout_of_a_scale(layout: str, digits: str, scan: barcodes.ScannedCode) -> None:
    """Of 2875 the verifier is 9, of 14685 it is 6 (GS1 General Specifications 7.9.2)."""
    assert str(ScaleLayout.of(layout)) == layout
    rules = barcodes.CodeRules(ScaleRules((ScaleLayout.of(layout),), verifier_of))
    assert barcodes.classify(digits + barcodes.check_digit(digits), rules) == scan
    assert isinstance(barcodes.classify("22" + digits[2:] + "0", rules), barcodes.ArticleCode)


@each(
    ("layout", "digits"),
    [("27AAAAAVPPPP", "270009482875"), ("27AAAAAVPPPP", "270009492876"),
     ("28AAAAVDDDDD", "280094514685")],
)  # fmt: skip
def test_a_value_that_its_verifier_does_not_prove_is_misread(layout: str, digits: str) -> None:
    rules = barcodes.CodeRules(ScaleRules((ScaleLayout.of(layout),), verifier_of))
    code = digits + barcodes.check_digit(digits)
    assert barcodes.classify(code, rules) == barcodes.Unknown(code, barcodes.WhyUnknown.CHECK_DIGIT)


@each(
    ("code", "why"),
    [
        ("", barcodes.WhyUnknown.EMPTY),
        (" \n", barcodes.WhyUnknown.EMPTY),
        ("12\x0734", barcodes.WhyUnknown.CHARACTERS),
        ("9" * 65, barcodes.WhyUnknown.TOO_LONG),
        ("2100094014125", barcodes.WhyUnknown.CHECK_DIGIT),
        ("2600094003500", barcodes.WhyUnknown.CHECK_DIGIT),
        (from_scale("21", 94, 0), barcodes.WhyUnknown.NOTHING_WEIGHED),
        (from_scale("26", 94, 0), barcodes.WhyUnknown.NOTHING_WEIGHED),
    ],
)
def test_codes_that_mean_nothing(code: str, why: barcodes.WhyUnknown) -> None:
    assert barcodes.classify(code, USUAL) == barcodes.Unknown(code.strip(), why)


@given(
    st.sampled_from([one.prefix for one in SCALE.layouts]),
    st.integers(0, 99999),
    st.integers(1, 99999),
    st.integers(0, 12),
    st.integers(1, 9),
)
def test_a_misread_scale_code_is_never_sold(
    prefix: str, article: int, value: int, at: int, by: int
) -> None:
    right = from_scale(prefix, article, value)
    assert isinstance(barcodes.classify(right, USUAL), WeightCode | PriceCode)
    wrong = right[:at] + str((int(right[at]) + by) % 10) + right[at + 1 :]
    assert not isinstance(barcodes.classify(wrong, USUAL), WeightCode | PriceCode)


@each(
    ("text", "fault"),
    [
        (receipt_address(checksum_fits=False), "checksum"),
        (receipt_address()[:-4], "base64"),
        ("https://suf.purs.gov.rs/v/?vl=", "address"),
    ],
)
def test_a_misread_receipt_is_told_as_such(text: str, fault: str) -> None:
    scan = barcodes.classify(text, USUAL)
    assert scan == barcodes.Unknown(text, barcodes.WhyUnknown.RECEIPT, fault)
    assert text not in repr(scan)


@each(
    "layout",
    [
        "", "21AAAAAGGGG", "21AAAAAGGGGGG", "31AAAAAGGGGG", "2AAAAAAGGGGG", "21AAAGGGGGGG",
        "21AAAAAGGGGK", "21AAAAAAVGGG", "21AAAAAXXXXX", "21aaaaaggggg", "03AAAAAGGGGG",
    ],
)  # fmt: skip
def test_what_is_no_layout(layout: str) -> None:
    with pytest.raises(Invalid, match="twelve signs") as fault:
        ScaleLayout.of(layout)
    assert fault.value.kind == "scale_layout"


def test_a_prefix_has_one_layout() -> None:
    with pytest.raises(Invalid) as fault:
        ScaleRules((ScaleLayout.of("21AAAAAGGGGG"), ScaleLayout.of("21AAAADDDDDD")))
    assert fault.value.kind == "prefix_twice"


@given(st.text(max_size=80))
def test_any_text_has_a_meaning(text: str) -> None:
    assert isinstance(
        barcodes.classify(text, USUAL),
        barcodes.ArticleCode | barcodes.Unknown | WeightCode | PriceCode,
    )


@given(st.integers(1, 2**32 - 1))
def test_the_short_code_of_a_receipt_is_its_counter_and_proves_itself(counter: int) -> None:
    code = barcodes.short_receipt_code(counter)
    for typed in (code, code.lower(), f" {code} "):
        assert barcodes.classify(typed, USUAL) == barcodes.ShortReceiptCode(counter)
    assert barcodes.is_whole(code)


@given(st.integers(1, 10**6), st.integers(1, 9))
def test_a_misread_or_cut_short_code_opens_no_receipt(counter: int, by: int) -> None:
    code = barcodes.short_receipt_code(counter)
    wrong = code[:-1] + str((int(code[-1]) + by) % 10)
    assert isinstance(barcodes.classify(wrong, USUAL), barcodes.ArticleCode)
    assert not barcodes.is_whole(wrong)


CARD = "IDSRB0084123574" + "0101990710003<<"
"""The first line of an identity card: its number, and the holder's, which is never stored."""


@each(
    "code",
    [
        "R/", "R/0", "R/00", "R/0113892", "R113892", "R/429496729512", "R/x", CARD[:-1], "A" * 30,
        CARD.lower(), "ID<SRB",
    ],
)  # fmt: skip
def test_what_looks_like_a_short_code_or_an_identity_card_is_an_article_s(code: str) -> None:
    assert isinstance(barcodes.classify(code, USUAL), barcodes.ArticleCode)


BIRTHDAY, NAME = "9001015M3001012SRB<<<<<<<<<<<6", "PETROVIC<<PETAR<<<<<<<<<<<<<<<"


@each(
    ("text", "number"),
    [
        (CARD, "008412357"),
        (CARD + BIRTHDAY + NAME, "008412357"),
        (f"{CARD} {BIRTHDAY} {NAME}", "008412357"),
        (BIRTHDAY, ""),
        (NAME, ""),
        (CARD.replace("0084123574", "0084123575"), ""),
        (CARD.replace("SRB", "MNE"), ""),
    ],
)
def test_an_identity_card_is_no_article_and_tells_its_number_alone(text: str, number: str) -> None:
    meant = barcodes.classify(text, USUAL)
    assert meant == barcodes.IdentityCard(number)
    assert "0101990710003" not in repr(meant)
    assert "008412357" not in repr(meant)


@each(
    "code",
    [
        "https://suf.purs.gov.rs/v/?vl=A1",
        "http://suf.purs.gov.rs/v/?vl=A1",
        "HTTPS://SUF.PURS.GOV.RS/V/?VL=A1",
        "27.11.2026.https://suf.purs.gov.rs/v/?vl=A1",
        "https://suf.purs.gov.rs/v/?vl=A127.11.2026.",
        "httpsČ--suf.purs.gov.rs-v-_vl0A1",
        "httpsÖ--suf.purs.gov.rs-v-_vl´A1",
        "86001\n23", "1" * 65, "",
    ],
)  # fmt: skip
def test_an_address_is_no_code_of_an_article(code: str) -> None:
    assert not barcodes.may_be_stored(code)
    for other in ("8600123450144", "LOT-17", "R/113892", "HTTP-12", "A/B?C=1", "7"):
        assert barcodes.may_be_stored(other)
    assert not isinstance(barcodes.classify(code, USUAL), barcodes.ArticleCode)
