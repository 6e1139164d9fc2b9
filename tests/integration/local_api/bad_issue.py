"""The faults that an issue request can have, member by member."""

from __future__ import annotations

from typing import Any

from tests.integration.local_api import bad_rows

GOOD: dict[str, Any] = {
    "invoiceType": "normal",
    "transactionType": "sale",
    "payments": {"cash": 200},
    "items": [{"sku": 1, "quantity": 2, "unitPrice": 58.99}],
    "receiptDelivery": {"pdf": False},
}
ARTICLE = {"name": "Сто", "taxRateLabel": "Ђ", "unit": "ком", "gtin": "8600000000018"}
ADVANCE = {"invoiceType": "advance", "payments": {"cash": 100}}
TWO_LABELS = ADVANCE | {"items": [*GOOD["items"], {"sku": 2, "quantity": 1, "unitPrice": 100}]}
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
            *bad_rows.wrong(member, bad_rows.REQUIRED, bad_rows.MISSING, None),
            *bad_rows.wrong(member, bad_rows.STRING, *bad_rows.NO_TEXTS),
            bad_rows.Bad(member, "", bad_rows.EMPTY),
            *bad_rows.wrong(
                member, f"must be one of {kinds}", "Normal", "SALE", "0", "copy", "x" * 500
            ),
        )
    ]
]

ITEMS = [
    *bad_rows.wrong("items", bad_rows.REQUIRED, bad_rows.MISSING, None),
    *bad_rows.wrong("items", bad_rows.ARRAY, {}, "1", 1, True),
    bad_rows.Bad("items", [], "must contain at least 1 items"),
    bad_rows.Bad("items", GOOD["items"] * 501, "less than or equal to 500 items"),
    *bad_rows.wrong("items[0]", bad_rows.OBJECT, None, 5, "sku", []),
    *bad_rows.wrong("items[0].sku", bad_rows.REQUIRED, bad_rows.MISSING, None),
    *bad_rows.wrong("items[0].sku", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    *bad_rows.wrong("items[0].sku", "must be a positive integer", 0, -1, 1.5, 10**16),
    *bad_rows.wrong("items[0].sku", "does not exist", 90, 10**15),
    *bad_rows.wrong("items[0].quantity", bad_rows.REQUIRED, bad_rows.MISSING, None),
    *bad_rows.wrong("items[0].quantity", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    *bad_rows.wrong("items[0].quantity", "must be greater than 0", 0, -1, -0.001),
    bad_rows.Bad("items[0].quantity", 1.0005, bad_rows.DECIMALS),
    bad_rows.Bad("items[0].quantity", 10**12, bad_rows.TOO_MUCH),
    bad_rows.Bad("items", [{"sku": 1, "quantity": 10**11, "unitPrice": 10**11}], "12 digits"),
    bad_rows.Bad(
        "items",
        [{"sku": 1, "quantity": 1, "unitPrice": 9 * 10**11}] * 2,
        "12 digits",
        beside={"discount": 100},
    ),
    bad_rows.Bad(  # the sum that they save is too large
        "items",
        [{"sku": 1, "quantity": 1, "unitPrice": 999_999_999_999.99, "totalAmount": 100}] * 2,
        "12 digits",
        beside={"payments": {"card": 200}},
    ),
    *bad_rows.wrong("items[0].unitPrice", bad_rows.REQUIRED, bad_rows.MISSING, None),
    *bad_rows.wrong("items[0].unitPrice", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    bad_rows.Bad("items[0].unitPrice", -0.01, bad_rows.NOT_NEGATIVE),
    bad_rows.Bad("items[0].unitPrice", 10**12, bad_rows.TOO_MUCH),
    *bad_rows.wrong("items[0].totalAmount", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    bad_rows.Bad("items[0].totalAmount", -1, bad_rows.NOT_NEGATIVE),
    bad_rows.Bad("items[0].totalAmount", 117.985, bad_rows.DECIMALS),
    bad_rows.Bad("items[0].totalAmount", 10**12, bad_rows.TOO_MUCH),
]

_ITS_ARTICLE = {"items[0].article": ARTICLE}

ARTICLES = [
    *bad_rows.wrong("items[0].article", bad_rows.OBJECT, "Сто", 5, [], True),
    *bad_rows.wrong(
        "items[0].article.name", bad_rows.REQUIRED, bad_rows.MISSING, None, beside=_ITS_ARTICLE
    ),
    *bad_rows.wrong(
        "items[0].article.name", bad_rows.STRING, *bad_rows.NO_TEXTS, beside=_ITS_ARTICLE
    ),
    *bad_rows.wrong(
        "items[0].article.name", bad_rows.EMPTY, "", "   ", "\u00a0", beside=_ITS_ARTICLE
    ),
    *bad_rows.wrong(
        "items[0].article.name",
        bad_rows.EMPTY,
        "\u200b\u200d",
        "\u00ad",
        "\u0301",
        beside=_ITS_ARTICLE,
    ),
    *bad_rows.wrong(
        "items[0].article.name", "control characters", "Сто\n", "\x1b@", beside=_ITS_ARTICLE
    ),
    bad_rows.Bad("items[0].article.name", "я" * 2001, "2000 characters", beside=_ITS_ARTICLE),
    *bad_rows.wrong(
        "items[0].article.taxRateLabel",
        bad_rows.REQUIRED,
        bad_rows.MISSING,
        None,
        beside=_ITS_ARTICLE,
    ),
    *bad_rows.wrong(
        "items[0].article.taxRateLabel", bad_rows.STRING, *bad_rows.NO_TEXTS, beside=_ITS_ARTICLE
    ),
    bad_rows.Bad("items[0].article.taxRateLabel", "", bad_rows.EMPTY, beside=_ITS_ARTICLE),
    *bad_rows.wrong(
        "items[0].article.taxRateLabel",
        "must be one of [Ђ, Е, Г, А]",
        *("E", "A", "ђ", "ЂЕ", "Ж", "20"),
        beside=_ITS_ARTICLE,
    ),
    *bad_rows.wrong(
        "items[0].article.unit", bad_rows.STRING, *bad_rows.NO_TEXTS, beside=_ITS_ARTICLE
    ),
    bad_rows.Bad("items[0].article.unit", "я" * 41, "40 characters", beside=_ITS_ARTICLE),
    bad_rows.Bad("items[0].article.unit", "ком\n", "control characters", beside=_ITS_ARTICLE),
    *bad_rows.wrong(
        "items[0].article.gtin", bad_rows.STRING, *bad_rows.NO_TEXTS, beside=_ITS_ARTICLE
    ),
    bad_rows.Bad("items[0].article.gtin", "", bad_rows.EMPTY, beside=_ITS_ARTICLE),
    *bad_rows.wrong(
        "items[0].article.gtin",
        "must be 8 to 14 digits",
        *("1234567", "123456789012345", "8600000000ABC", "٨٦٠٠٠٠٠٠"),
        beside=_ITS_ARTICLE,
    ),
]

SUMS = [
    bad_rows.Bad("payments", {"cash": 100}, "must cover the total"),
    bad_rows.Bad("payments", {"cash": 0, "card": 117.97}, "must cover the total"),
    bad_rows.Bad("payments", {"card": 200}, "by other methods than cash"),
    bad_rows.Bad("payments", {"card": 150, "cash": 10}, "by other methods than cash"),
    bad_rows.Bad(
        "payments", dict.fromkeys(("cash", "card", "voucher"), 999_999_999_999.99), "payments"
    ),
    *bad_rows.wrong("totalAmount", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    bad_rows.Bad("totalAmount", -1, bad_rows.NOT_NEGATIVE),
    bad_rows.Bad("totalAmount", 117.985, bad_rows.DECIMALS),
    *bad_rows.wrong("totalAmount", "differs from the sum of the items 117.98", 117.97, 200, 0),
    bad_rows.Bad("totalAmount", 117.98, "differs from the sum", beside={"discount": 10}),
    *bad_rows.wrong("discount", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    *bad_rows.wrong(
        "discount", "greater than or equal to 0 and less than or equal to 100", -5, 100.01, 10**20
    ),
    bad_rows.Bad("discount", 1.23456, bad_rows.DECIMALS),
    *[
        bad_rows.Bad(
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
    *bad_rows.wrong(_NUMBER, bad_rows.STRING, *bad_rows.NO_TEXTS, beside=REFUND),
    bad_rows.Bad(_NUMBER, "", bad_rows.EMPTY, beside=REFUND),
    *bad_rows.wrong(
        _NUMBER,
        "is not valid",
        *("12", "ABCD1234-ABCD1234", "ABCD1234-ABCD1234-0", "ABCD1234-ABCD1234-012"),
        *("ABCD123-ABCD1234-1", "ABCD1234_ABCD1234_1", "АБВГ1234-ABCD1234-1", "x" * 300),
        UNKNOWN + "0" * 31,
        beside=REFUND,
    ),
    *bad_rows.wrong(_TIME, bad_rows.STRING, *bad_rows.NO_TEXTS, beside=REFUND | {_NUMBER: UNKNOWN}),
    bad_rows.Bad(_TIME, "", bad_rows.EMPTY, beside=REFUND | {_NUMBER: UNKNOWN}),
    *bad_rows.wrong(
        _TIME,
        "ISO 8601",
        *("yesterday", "2026-02-30T10:00:00", "01.03.2026. 10:00", "0001-01-01T00:00:00+14:00"),
        *("9999-12-31T23:30:00Z", "9999-12-31T23:59:59+14:00", "0001-01-01T00:00:00Z"),
        beside=REFUND | {_NUMBER: UNKNOWN},
    ),
    *bad_rows.wrong(
        _TIME,
        "must not be in the future",
        *("2999-01-01T10:00:00", "{tomorrow}"),
        beside=REFUND | {_NUMBER: UNKNOWN},
    ),
    *bad_rows.wrong(
        _TIME,
        "before e-fiscalization began, 2021-11-01",
        *("0001-01-05T00:00:00Z", "1999-12-31T10:00:00", "2021-10-31T23:59:59.999+01:00"),
        beside=REFUND | {_NUMBER: UNKNOWN},
    ),
    *bad_rows.wrong(
        _TIME,
        "before VAT began, 2005-01-01",
        *("0001-01-05T00:00:00Z", "2004-12-31T23:59:59"),
        beside=REFUND | {_NUMBER: "XXXXXXXX-XXXXXXXX-1234"},
    ),
    bad_rows.Bad(
        _TIME,
        "2999-01-01T10:00:00",
        "must not be in the future",
        beside=ADVANCE_REFUND | {_NUMBER: UNKNOWN},
    ),
    bad_rows.Bad(
        _TIME, "2999-01-01T10:00:00", "must not be in the future", beside={_NUMBER: UNKNOWN}
    ),
    bad_rows.Bad(_TIME, TIME, f'allowed only with "{_NUMBER}"'),
    bad_rows.Bad(_NUMBER, bad_rows.MISSING, "is required on a refund", beside=REFUND),
    bad_rows.Bad(
        "buyerId", bad_rows.MISSING, "is required on a refund", beside=REFUND | {_NUMBER: "{sale}"}
    ),
    bad_rows.Bad(_NUMBER, UNKNOWN, "is not in this journal", key=_TIME, beside=REFUND),
    bad_rows.Bad(_TIME, TIME, "not the time of that receipt", beside=REFUND | {_NUMBER: "{sale}"}),
    *bad_rows.wrong(
        _NUMBER,
        "is not allowed on a proforma sale: by law only its refund refers",
        UNKNOWN,
        beside={"invoiceType": "proforma"},
    ),
    *bad_rows.wrong(
        _NUMBER, "is not allowed on a training sale", UNKNOWN, beside={"invoiceType": "training"}
    ),
    *bad_rows.wrong(
        _NUMBER, "of another kind", "{sale}", "{training}", "{copy}", "{refund}", "{advance}"
    ),
    *bad_rows.wrong(
        _NUMBER,
        "of another kind",
        *("{advance}", "{proforma}", "{training}", "{copy}", "{refund}"),
        beside=REFUND,
    ),
    *bad_rows.wrong(_NUMBER, "of another kind", "{sale}", "{closing}", beside=REFUND | ADVANCE),
    bad_rows.Bad(_NUMBER, "{sale}", "this advance sale may refer to: advance sale", beside=ADVANCE),
    bad_rows.Bad(_NUMBER, "{advance}", "operation on that advance", beside=ADVANCE),
    bad_rows.Bad(_NUMBER, "{closed_refund}", "operation on that advance"),
    bad_rows.Bad(_NUMBER, "{returned}", "is refunded already", beside=REFUND),
    bad_rows.Bad(_NUMBER, "{closed}", "is closed", beside=REFUND | ADVANCE),
]

REFUNDS = [
    bad_rows.Bad("items[0].sku", 2, "is not on the receipt", beside=REFUND | {_NUMBER: "{plain}"}),
    bad_rows.Bad(
        "items[0].quantity", 4, "can still be refunded: 3", beside=REFUND | {_NUMBER: "{sale}"}
    ),
    bad_rows.Bad(
        "items[0].quantity", 2, "can still be refunded: 1", beside=REFUND | {_NUMBER: "{partly}"}
    ),
    *bad_rows.wrong(
        "payments",
        "exactly what is refunded",
        *({"card": 58.98}, {"card": 59}, {"cash": 100}),
        beside=REFUND | {_NUMBER: "{sale}"},
    ),
    bad_rows.Bad("totalAmount", 58.98, "what is refunded", beside=REFUND | {_NUMBER: "{sale}"}),
    *bad_rows.wrong(
        "items[0].totalAmount",
        "what is refunded is 58.99",
        *(0, 58.98, 117.98),
        beside=REFUND | {_NUMBER: "{sale}"},
    ),
    *bad_rows.wrong(
        "discount", "what is refunded", 0.1, 10, 100, beside=REFUND | {_NUMBER: "{sale}"}
    ),
    bad_rows.Bad(
        "items[0].article.taxRateLabel",
        "Ђ",
        "is not that of the receipt: Е",
        beside=REFUND | {_NUMBER: "{sale}", "items[0].article": ARTICLE},
    ),
    bad_rows.Bad(
        "items[0].article.taxRateLabel",
        "Ђ",
        "is none of this advance: Е",
        beside=ADVANCE_REFUND | {_NUMBER: "{advance}", "items[0].article": ARTICLE},
    ),
    *bad_rows.wrong(
        "items[0].sku", "is not on the receipt", 90, beside=REFUND | {_NUMBER: "{sale}"}
    ),
    bad_rows.Bad(
        "payments", {"card": 58}, "must cover", beside=REFUND | {_NUMBER: UNKNOWN, _TIME: TIME}
    ),
    bad_rows.Bad(
        "payments", {"cash": 59}, "exactly", beside=REFUND | {_NUMBER: UNKNOWN, _TIME: TIME}
    ),
    bad_rows.Bad(
        "payments", {"card": 101}, "exceed", beside=REFUND | ADVANCE | {_NUMBER: "{advance}"}
    ),
]

ADVANCES = [
    *bad_rows.wrong("posTime", bad_rows.STRING, *bad_rows.NO_TEXTS),
    bad_rows.Bad("posTime", "", bad_rows.EMPTY),
    *bad_rows.wrong("posTime", "ISO 8601", "yesterday", "2026-02-30T10:00:00", "99999-01-01"),
    *bad_rows.wrong("posTime", "ISO 8601", "9999-12-31T23:30:00Z", "0001-01-01T00:00:00Z"),
    bad_rows.Bad("posTime", TIME, "only on an advance"),
    bad_rows.Bad(
        "posTime", TIME, "only on an advance", beside={"payments": {"wiretransfer": 117.98}}
    ),
    bad_rows.Bad("posTime", TIME, "only on an advance", beside={"invoiceType": "training"}),
    bad_rows.Bad("posTime", TIME, "paid by wire transfer", beside=ADVANCE),
    *bad_rows.wrong(
        "posTime",
        "of an earlier day",
        *("2999-01-01T10:00:00", "{today}", "{tomorrow}"),
        beside=ADVANCE | {"payments": {"wiretransfer": 100}},
    ),
    *bad_rows.wrong(
        "posTime",
        "before e-fiscalization began, 2021-11-01",
        *("0001-01-05T00:00:00Z", "2020-06-01T10:00:00", "2021-10-31T23:59:59+01:00"),
        beside=ADVANCE | {"payments": {"wiretransfer": 100}},
    ),
    *bad_rows.wrong("unknownAmountAdvance", bad_rows.BOOLEAN, *bad_rows.NO_BOOLEANS),
    bad_rows.Bad("unknownAmountAdvance", True, "on an advance only"),
    bad_rows.Bad(
        "unknownAmountAdvance", True, "on an advance only", beside={"invoiceType": "proforma"}
    ),
    bad_rows.Bad(
        "unknownAmountAdvance",
        True,
        "is required when",
        key="advanceSpecification",
        beside=TWO_LABELS,
    ),
    *bad_rows.wrong("advanceSpecification", "on an advance only", {"Е": 117.98}, {"Ђ": 1}),
    *bad_rows.wrong(
        "advanceSpecification",
        "must add up to the payments 100.00",
        *({"Е": 100, "Ђ": 1}, {"Е": 99.99}, {"Е": 50, "Ђ": 49.99}),
        beside=TWO_LABELS,
    ),
    bad_rows.Bad("advanceSpecification.Г", 100, "a label that no item has", beside=TWO_LABELS),
    bad_rows.Bad(
        "advanceSpecification.Ђ",
        100.01,
        "exceeds what is left of it: 100.00",
        beside=TWO_LABELS | {"payments": {"cash": 100.01}},
    ),
    bad_rows.Bad("payments", {"cash": 117.99}, "exceed its final amount 117.98", beside=ADVANCE),
    bad_rows.Bad(
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
    *bad_rows.wrong(
        "payments", "must be greater than 0", {"cash": 0}, {"card": 0, "cash": 0}, beside=ADVANCE
    ),
]

ROWS = [
    *TYPES,
    *bad_rows.PAYMENTS,
    *bad_rows.NO_PAYMENTS,
    *bad_rows.DELIVERY,
    *bad_rows.BUYER,
    *bad_rows.CENTRE,
    *bad_rows.CENTRE_OF_NO_REFUND,
    *bad_rows.TEXT,
    *bad_rows.SPECIFICATION,
    *ITEMS,
    *ARTICLES,
    *SUMS,
    *REFERENCES,
    *REFUNDS,
    *ADVANCES,
]
