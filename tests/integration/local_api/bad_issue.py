"""The faults that an issue request can have, member by member."""

from __future__ import annotations

from typing import Any

from tests.integration.local_api.bad_rows import (
    ARRAY,
    BOOLEAN,
    BUYER,
    CENTRE,
    CENTRE_OF_NO_REFUND,
    DECIMALS,
    DELIVERY,
    EMPTY,
    MISSING,
    NO_BOOLEANS,
    NO_NUMBERS,
    NO_PAYMENTS,
    NO_TEXTS,
    NOT_NEGATIVE,
    NUMBER,
    OBJECT,
    PAYMENTS,
    REQUIRED,
    SPECIFICATION,
    STRING,
    TEXT,
    TOO_MUCH,
    Bad,
    wrong,
)

GOOD: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": False},
}
ARTICLE = {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком", "gtin": "8600000000018"}
ADVANCE = {"invoiceType": "advance", "payments": {"cash": 100}}
TWO_LABELS = ADVANCE | {
    "items": [*GOOD["items"], {"sku": 2, "quantity": 1, "unitPrice": 100}],
}
REFUND = {
    "transactionType": "refund",
    "buyerId": "10:123456788",
    "payments": {"card": 58.99},
    "items": [{"sku": 1, "quantity": 1, "unitPrice": 58.99}],
}
ADVANCE_REFUND = REFUND | {"invoiceType": "advance", "payments": {"card": 10}}
"""A refund of an advance: `referentDocumentNumber` is set to a receipt's name in braces, which
stands for its number."""

TYPES = [
    *[
        row
        for member, kinds in (
            ("invoiceType", "[normal, advance, proforma, training]"),
            ("transactionType", "[sale, refund]"),
        )
        for row in (
            *wrong(member, REQUIRED, MISSING, None),
            *wrong(member, STRING, *NO_TEXTS),
            Bad(member, "", EMPTY),
            *wrong(member, f"must be one of {kinds}", "Normal", "SALE", "0", "copy", "x" * 500),
        )
    ],
]

ITEMS = [
    *wrong("items", REQUIRED, MISSING, None),
    *wrong("items", ARRAY, {}, "1", 1, True),
    Bad("items", [], "must contain at least 1 items"),
    Bad("items", GOOD["items"] * 501, "less than or equal to 500 items"),
    *wrong("items[0]", OBJECT, None, 5, "sku", []),
    *wrong("items[0].sku", REQUIRED, MISSING, None),
    *wrong("items[0].sku", NUMBER, *NO_NUMBERS),
    *wrong("items[0].sku", "must be a positive integer", 0, -1, 1.5, 10**16),
    *wrong("items[0].sku", "does not exist", 90, 10**15),
    *wrong("items[0].quantity", REQUIRED, MISSING, None),
    *wrong("items[0].quantity", NUMBER, *NO_NUMBERS),
    *wrong("items[0].quantity", "must be greater than 0", 0, -1, -0.001),
    Bad("items[0].quantity", 1.0005, DECIMALS),
    Bad("items[0].quantity", 10**12, TOO_MUCH),
    Bad("items", [{"sku": 1, "quantity": 10**11, "unitPrice": 10**11}], "12 digits"),
    Bad(
        "items",
        [{"sku": 1, "quantity": 1, "unitPrice": 9 * 10**11}] * 2,
        "12 digits",
        beside={"discount": 100},
    ),
    Bad(  # the sum that they save is too large
        "items",
        [{"sku": 1, "quantity": 1, "unitPrice": 999_999_999_999.99, "totalAmount": 100}] * 2,
        "12 digits",
        beside={"payments": {"card": 200}},
    ),
    *wrong("items[0].unitPrice", REQUIRED, MISSING, None),
    *wrong("items[0].unitPrice", NUMBER, *NO_NUMBERS),
    Bad("items[0].unitPrice", -0.01, NOT_NEGATIVE),
    Bad("items[0].unitPrice", 10**12, TOO_MUCH),
    *wrong("items[0].totalAmount", NUMBER, *NO_NUMBERS),
    Bad("items[0].totalAmount", -1, NOT_NEGATIVE),
    Bad("items[0].totalAmount", 117.985, DECIMALS),
    Bad("items[0].totalAmount", 10**12, TOO_MUCH),
]

_ITS_ARTICLE = {"items[0].article": ARTICLE}

ARTICLES = [
    *wrong("items[0].article", OBJECT, "Сто", 5, [], True),
    *wrong("items[0].article.name", REQUIRED, MISSING, None, beside=_ITS_ARTICLE),
    *wrong("items[0].article.name", STRING, *NO_TEXTS, beside=_ITS_ARTICLE),
    *wrong("items[0].article.name", EMPTY, "", "   ", "\u00a0", beside=_ITS_ARTICLE),
    *wrong("items[0].article.name", EMPTY, "\u200b\u200d", "\u00ad", "\u0301", beside=_ITS_ARTICLE),
    *wrong("items[0].article.name", "control characters", "Сто\n", "\x1b@", beside=_ITS_ARTICLE),
    Bad("items[0].article.name", "я" * 2001, "2000 characters", beside=_ITS_ARTICLE),
    *wrong("items[0].article.taxRateLabel", REQUIRED, MISSING, None, beside=_ITS_ARTICLE),
    *wrong("items[0].article.taxRateLabel", STRING, *NO_TEXTS, beside=_ITS_ARTICLE),
    Bad("items[0].article.taxRateLabel", "", EMPTY, beside=_ITS_ARTICLE),
    *wrong(
        "items[0].article.taxRateLabel",
        "must be one of [Ђ, Е, Г, А]",
        *("E", "A", "ђ", "ЂЕ", "Ж", "20"),
        beside=_ITS_ARTICLE,
    ),
    *wrong("items[0].article.unit", STRING, *NO_TEXTS, beside=_ITS_ARTICLE),
    Bad("items[0].article.unit", "я" * 41, "40 characters", beside=_ITS_ARTICLE),
    Bad("items[0].article.unit", "ком\n", "control characters", beside=_ITS_ARTICLE),
    *wrong("items[0].article.gtin", STRING, *NO_TEXTS, beside=_ITS_ARTICLE),
    Bad("items[0].article.gtin", "", EMPTY, beside=_ITS_ARTICLE),
    *wrong(
        "items[0].article.gtin",
        "must be 8 to 14 digits",
        *("1234567", "123456789012345", "8600000000ABC", "٨٦٠٠٠٠٠٠"),
        beside=_ITS_ARTICLE,
    ),
]

SUMS = [
    Bad("payments", {"cash": 100}, "must cover the total"),
    Bad("payments", {"cash": 0, "card": 117.97}, "must cover the total"),
    Bad("payments", {"card": 200}, "by other methods than cash"),
    Bad("payments", {"card": 150, "cash": 10}, "by other methods than cash"),
    Bad("payments", dict.fromkeys(("cash", "card", "voucher"), 999_999_999_999.99), "payments"),
    *wrong("totalAmount", NUMBER, *NO_NUMBERS),
    Bad("totalAmount", -1, NOT_NEGATIVE),
    Bad("totalAmount", 117.985, DECIMALS),
    *wrong("totalAmount", "differs from the sum of the items 117.98", 117.97, 200, 0),
    Bad("totalAmount", 117.98, "differs from the sum", beside={"discount": 10}),
    *wrong("discount", NUMBER, *NO_NUMBERS),
    *wrong(
        "discount", "greater than or equal to 0 and less than or equal to 100", -5, 100.01, 10**20
    ),
    Bad("discount", 1.23456, DECIMALS),
    *[
        Bad(
            "items[0].article",
            ARTICLE | {"name": name},
            "must cover what is given away",
            key="payments.other",
        )
        for name in ("00: узорак", " 00: узорак")
    ],
]

UNKNOWN = "ABCD1234-ABCD1234-12"
_NUMBER, _TIME = "referentDocumentNumber", "referentDocumentDT"
TIME = "2026-03-01T10:00:00+01:00"

REFERENCES = [
    *wrong(_NUMBER, STRING, *NO_TEXTS, beside=REFUND),
    Bad(_NUMBER, "", EMPTY, beside=REFUND),
    *wrong(
        _NUMBER,
        "is not valid",
        *("12", "ABCD1234-ABCD1234", "ABCD1234-ABCD1234-0", "ABCD1234-ABCD1234-012"),
        *("ABCD123-ABCD1234-1", "ABCD1234_ABCD1234_1", "АБВГ1234-ABCD1234-1", "x" * 300),
        UNKNOWN + "0" * 31,
        beside=REFUND,
    ),
    *wrong(_TIME, STRING, *NO_TEXTS, beside=REFUND | {_NUMBER: UNKNOWN}),
    Bad(_TIME, "", EMPTY, beside=REFUND | {_NUMBER: UNKNOWN}),
    *wrong(
        _TIME,
        "ISO 8601",
        *("yesterday", "2026-02-30T10:00:00", "01.03.2026. 10:00", "0001-01-01T00:00:00+14:00"),
        *("9999-12-31T23:30:00Z", "9999-12-31T23:59:59+14:00", "0001-01-01T00:00:00Z"),
        beside=REFUND | {_NUMBER: UNKNOWN},
    ),
    *wrong(
        _TIME,
        "must not be in the future",
        *("2999-01-01T10:00:00", "{tomorrow}"),
        beside=REFUND | {_NUMBER: UNKNOWN},
    ),
    *wrong(
        _TIME,
        "before e-fiscalization began, 2021-11-01",
        *("0001-01-05T00:00:00Z", "1999-12-31T10:00:00", "2021-10-31T23:59:59.999+01:00"),
        beside=REFUND | {_NUMBER: UNKNOWN},
    ),
    *wrong(
        _TIME,
        "before VAT began, 2005-01-01",
        *("0001-01-05T00:00:00Z", "2004-12-31T23:59:59"),
        beside=REFUND | {_NUMBER: "XXXXXXXX-XXXXXXXX-1234"},
    ),
    Bad(
        _TIME,
        "2999-01-01T10:00:00",
        "must not be in the future",
        beside=ADVANCE_REFUND | {_NUMBER: UNKNOWN},
    ),
    Bad(
        _TIME,
        "2999-01-01T10:00:00",
        "must not be in the future",
        beside={_NUMBER: UNKNOWN},
    ),
    Bad(_TIME, TIME, f'allowed only with "{_NUMBER}"'),
    Bad(_NUMBER, MISSING, "is required on a refund", beside=REFUND),
    Bad("buyerId", MISSING, "is required on a refund", beside=REFUND | {_NUMBER: "{sale}"}),
    Bad(_NUMBER, UNKNOWN, "is not in this journal", key=_TIME, beside=REFUND),
    Bad(_TIME, TIME, "not the time of that receipt", beside=REFUND | {_NUMBER: "{sale}"}),
    *wrong(
        _NUMBER,
        "is not allowed on a proforma sale: by law only its refund refers",
        UNKNOWN,
        beside={"invoiceType": "proforma"},
    ),
    *wrong(
        _NUMBER, "is not allowed on a training sale", UNKNOWN, beside={"invoiceType": "training"}
    ),
    *wrong(_NUMBER, "of another kind", "{sale}", "{training}", "{copy}", "{refund}", "{advance}"),
    *wrong(
        _NUMBER,
        "of another kind",
        *("{advance}", "{proforma}", "{training}", "{copy}", "{refund}"),
        beside=REFUND,
    ),
    *wrong(_NUMBER, "of another kind", "{sale}", "{closing}", beside=REFUND | ADVANCE),
    Bad(_NUMBER, "{sale}", "this advance sale may refer to: advance sale", beside=ADVANCE),
    Bad(_NUMBER, "{advance}", "operation on that advance", beside=ADVANCE),
    Bad(_NUMBER, "{closed_refund}", "operation on that advance"),
    Bad(_NUMBER, "{returned}", "is refunded already", beside=REFUND),
    Bad(_NUMBER, "{closed}", "is closed", beside=REFUND | ADVANCE),
]

REFUNDS = [
    Bad("items[0].sku", 2, "is not on the receipt", beside=REFUND | {_NUMBER: "{plain}"}),
    Bad("items[0].quantity", 4, "can still be refunded: 3", beside=REFUND | {_NUMBER: "{sale}"}),
    Bad("items[0].quantity", 2, "can still be refunded: 1", beside=REFUND | {_NUMBER: "{partly}"}),
    *wrong(
        "payments",
        "exactly what is refunded",
        *({"card": 58.98}, {"card": 59}, {"cash": 100}),
        beside=REFUND | {_NUMBER: "{sale}"},
    ),
    Bad("totalAmount", 58.98, "what is refunded", beside=REFUND | {_NUMBER: "{sale}"}),
    *wrong(
        "items[0].totalAmount",
        "what is refunded is 58.99",
        *(0, 58.98, 117.98),
        beside=REFUND | {_NUMBER: "{sale}"},
    ),
    *wrong("discount", "what is refunded", 0.1, 10, 100, beside=REFUND | {_NUMBER: "{sale}"}),
    Bad(
        "items[0].article.taxRateLabel",
        "Ђ",
        "is not that of the receipt: Е",
        beside=REFUND | {_NUMBER: "{sale}", "items[0].article": ARTICLE},
    ),
    Bad(
        "items[0].article.taxRateLabel",
        "Ђ",
        "is none of this advance: Е",
        beside=ADVANCE_REFUND | {_NUMBER: "{advance}", "items[0].article": ARTICLE},
    ),
    *wrong("items[0].sku", "is not on the receipt", 90, beside=REFUND | {_NUMBER: "{sale}"}),
    Bad("payments", {"card": 58}, "must cover", beside=REFUND | {_NUMBER: UNKNOWN, _TIME: TIME}),
    Bad("payments", {"cash": 59}, "exactly", beside=REFUND | {_NUMBER: UNKNOWN, _TIME: TIME}),
    Bad("payments", {"card": 101}, "exceed", beside=REFUND | ADVANCE | {_NUMBER: "{advance}"}),
]

ADVANCES = [
    *wrong("posTime", STRING, *NO_TEXTS),
    Bad("posTime", "", EMPTY),
    *wrong("posTime", "ISO 8601", "yesterday", "2026-02-30T10:00:00", "99999-01-01"),
    *wrong("posTime", "ISO 8601", "9999-12-31T23:30:00Z", "0001-01-01T00:00:00Z"),
    Bad("posTime", TIME, "only on an advance"),
    Bad("posTime", TIME, "only on an advance", beside={"payments": {"wiretransfer": 117.98}}),
    Bad("posTime", TIME, "only on an advance", beside={"invoiceType": "training"}),
    Bad("posTime", TIME, "paid by wire transfer", beside=ADVANCE),
    *wrong(
        "posTime",
        "of an earlier day",
        *("2999-01-01T10:00:00", "{today}", "{tomorrow}"),
        beside=ADVANCE | {"payments": {"wiretransfer": 100}},
    ),
    *wrong(
        "posTime",
        "before e-fiscalization began, 2021-11-01",
        *("0001-01-05T00:00:00Z", "2020-06-01T10:00:00", "2021-10-31T23:59:59+01:00"),
        beside=ADVANCE | {"payments": {"wiretransfer": 100}},
    ),
    *wrong("unknownAmountAdvance", BOOLEAN, *NO_BOOLEANS),
    Bad("unknownAmountAdvance", True, "on an advance only"),
    Bad("unknownAmountAdvance", True, "on an advance only", beside={"invoiceType": "proforma"}),
    Bad(
        "unknownAmountAdvance",
        True,
        "is required when",
        key="advanceSpecification",
        beside=TWO_LABELS,
    ),
    *wrong("advanceSpecification", "on an advance only", {"Е": 117.98}, {"Ђ": 1}),
    *wrong(
        "advanceSpecification",
        "must add up to the payments 100.00",
        *({"Е": 100, "Ђ": 1}, {"Е": 99.99}, {"Е": 50, "Ђ": 49.99}),
        beside=TWO_LABELS,
    ),
    Bad("advanceSpecification.Г", 100, "a label that no item has", beside=TWO_LABELS),
    Bad(
        "advanceSpecification.Ђ",
        100.01,
        "exceeds what is left of it: 100.00",
        beside=TWO_LABELS | {"payments": {"cash": 100.01}},
    ),
    Bad("payments", {"cash": 117.99}, "exceed its final amount 117.98", beside=ADVANCE),
    Bad(
        "payments",
        {"cash": 10},
        "exceed its final amount 0.00",
        beside=ADVANCE
        | {
            "items": [
                {"sku": 1, "quantity": 1, "unitPrice": 0},
                {"sku": 2, "quantity": 1, "unitPrice": 0},
            ]
        },
    ),
    *wrong(
        "payments", "must be greater than 0", {"cash": 0}, {"card": 0, "cash": 0}, beside=ADVANCE
    ),
]

ROWS = [
    *TYPES,
    *PAYMENTS,
    *NO_PAYMENTS,
    *DELIVERY,
    *BUYER,
    *CENTRE,
    *CENTRE_OF_NO_REFUND,
    *TEXT,
    *SPECIFICATION,
    *ITEMS,
    *ARTICLES,
    *SUMS,
    *REFERENCES,
    *REFUNDS,
    *ADVANCES,
]
