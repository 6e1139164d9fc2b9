"""The faults that a request on an existing receipt can have, member by member."""

from __future__ import annotations

from typing import Any

from tests.integration.local_api import bad_issue, bad_rows

DELIVERED = {"receiptDelivery": {"pdf": False}}
_BUYER = {"buyerId": "10:123456788"}

# --- a further payment on an advance of 589.90 (Е), of which 100.00 is paid -----------------------

PAYMENT: dict[str, Any] = {"payments": {"cash": 50}, **DELIVERED}

_POS_TIME = [row for row in bad_issue.ADVANCES if row.at == "posTime" and not row.beside]
_BY_TRANSFER = {"payments": {"wiretransfer": 50}}

ADVANCE = [
    *bad_rows.PAYMENTS,
    *bad_rows.NO_PAYMENTS,
    *bad_rows.wrong("payments", "must be greater than 0", {"cash": 0}, {"card": 0, "other": 0}),
    bad_rows.Bad("payments", {"cash": 489.91}, "exceed what remains of the advance: 489.90"),
    bad_rows.Bad("payments", dict.fromkeys(("cash", "card"), 999_999_999_999.99), "payments"),
    *bad_rows.DELIVERY,
    *bad_rows.BUYER,
    *bad_rows.CENTRE,
    *bad_rows.CENTRE_OF_NO_REFUND,
    *bad_rows.TEXT,
    *bad_rows.SPECIFICATION,
    *[bad_rows.Bad(row.at, row.value, "") for row in _POS_TIME],
    bad_rows.Bad("posTime", bad_issue.TIME, "paid by wire transfer"),
    *bad_rows.wrong(
        "posTime",
        "of an earlier day",
        *("2999-01-01T10:00:00", "{today}", "{tomorrow}"),
        beside=_BY_TRANSFER,
    ),
    bad_rows.Bad(
        "posTime", "2020-06-01T10:00:00", "before e-fiscalization began", beside=_BY_TRANSFER
    ),
    *bad_rows.wrong(
        "advanceSpecification", "must add up to the payments", {"Е": 49.99}, {"Е": 50.01}
    ),
    bad_rows.Bad("advanceSpecification.Г", 50, "a label that no item has"),
    bad_rows.Bad(
        "advanceSpecification",
        {"Ђ": 60},
        "exceeds what is left of it: 47.37",
        key="advanceSpecification.Ђ",
        beside={"payments": {"cash": 60}},
        on="two_labels",
    ),
    bad_rows.Bad("payments", {"card": 41}, "is paid by", on="gift_in_advance"),
    bad_rows.Bad(
        "advanceSpecification", bad_rows.MISSING, "is required when", on="unknown_two_labels"
    ),
    bad_rows.Bad("advanceSpecification", {"Е": 20, "Ђ": 20}, "add up", on="unknown_two_labels"),
]

# --- closing an advance of unknown amount, of which Е 60.00 and Ђ 40.00 are paid ------------------

CLOSING: dict[str, Any] = {
    "payments": {"card": 117.98},
    "items": [*bad_issue.GOOD["items"], {"sku": 2, "quantity": 1, "unitPrice": 100}],
    **DELIVERED,
}
_ALL = {"items": bad_rows.MISSING}
_GIVEN_AWAY = "must cover what is given away: 300.00"
_REMAINS = "must be what remains after the advances: 117.98"

CLOSE = [
    *bad_rows.PAYMENTS,
    *bad_rows.DELIVERY,
    *bad_rows.BUYER,
    *bad_rows.CENTRE,
    *bad_rows.CENTRE_OF_NO_REFUND,
    *bad_rows.TEXT,
    *[
        row
        for row in bad_issue.ITEMS
        if row.at != "items" or row.value not in (bad_rows.MISSING, None)
    ],
    *bad_issue.ARTICLES,
    bad_rows.Bad("items", bad_rows.MISSING, "it has several items"),
    bad_rows.Bad("items", None, "it has several items"),
    bad_rows.Bad(
        "items", bad_issue.GOOD["items"], "is not allowed: the final amount", on="advance"
    ),
    bad_rows.Bad(
        "items", [{"sku": 1, "quantity": 1, "unitPrice": 58.99}], "is paid in advance, more than"
    ),
    *bad_rows.wrong(
        "payments", _REMAINS, {}, {"card": 0}, {"cash": 100}, {"card": 118}, {"gold": 117.98}
    ),
    bad_rows.Bad("payments", {"card": 100, "voucher": 18}, _REMAINS),
    *bad_rows.wrong(
        "payments",
        _GIVEN_AWAY,
        *({"cash": 340}, {"other": 299, "card": 41}),
        key="payments.other",
        beside=_ALL,
        on="gift_in_advance",
    ),
]

# --- copy ---------------------------------------------------------------------------------------

COPYING: dict[str, Any] = DELIVERED
COPY = bad_rows.DELIVERY

# --- refund of a sale: 3 of article 1 at 58.99 (Е) and 1 of article 2 at 100.00 (Ђ) ---------------

REFUNDING: dict[str, Any] = {
    "buyerId": "10:123456788",
    "payments": {"card": 58.99},
    "items": [{"sku": 1, "quantity": 1}],
    **DELIVERED,
}
_ADVANCE = {"items": bad_rows.MISSING, "payments": {"card": 50}}
_EXACTLY = "must be exactly what is refunded: "

REFUND = [
    *bad_rows.PAYMENTS,
    *bad_rows.DELIVERY,
    *bad_rows.BUYER,
    *bad_rows.wrong("buyerId", bad_rows.REQUIRED, bad_rows.MISSING, None),
    *bad_rows.CENTRE,
    *bad_rows.TEXT,
    *bad_rows.SPECIFICATION,
    *bad_rows.wrong("items", bad_rows.ARRAY, {}, "1", 1, True),
    bad_rows.Bad("items", [], "must contain at least 1 items"),
    bad_rows.Bad("items", REFUNDING["items"] * 501, "less than or equal to 500 items"),
    *bad_rows.wrong("items[0]", bad_rows.OBJECT, None, 5, "sku", []),
    *bad_rows.wrong("items[0].sku", bad_rows.REQUIRED, bad_rows.MISSING, None),
    *bad_rows.wrong("items[0].sku", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    *bad_rows.wrong("items[0].sku", "must be a positive integer", 0, -1, 1.5, 10**16),
    *bad_rows.wrong("items[0].sku", "is not on the receipt", 90, 10**15),
    *bad_rows.wrong("items[0].line", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    *bad_rows.wrong("items[0].line", "must be the place of a line", -1, 0.5, 500),
    bad_rows.Bad("items[0].line", 2, "is not on the receipt"),
    bad_rows.Bad("items[0].line", 1, "1 is not the article of line 1", key="items[0].sku"),
    *bad_rows.wrong("items[0].quantity", bad_rows.REQUIRED, bad_rows.MISSING, None),
    *bad_rows.wrong("items[0].quantity", bad_rows.NUMBER, *bad_rows.NO_NUMBERS),
    *bad_rows.wrong("items[0].quantity", "must be greater than 0", 0, -1),
    bad_rows.Bad("items[0].quantity", 1.0005, bad_rows.DECIMALS),
    bad_rows.Bad("items[0].quantity", 10**12, bad_rows.TOO_MUCH),
    *bad_rows.wrong("items[0].quantity", "what can still be refunded: 3", 3.001, 4, 1000),
    bad_rows.Bad("items[0].quantity", 2, "what can still be refunded: 1", on="partly"),
    bad_rows.Bad(
        "items",
        [{"sku": 1, "quantity": 2}, {"sku": 1, "quantity": 2}],
        "what can still be refunded: 1",
        key="items[1].quantity",
    ),
    bad_rows.Bad(
        "items",
        [{"line": 0, "quantity": 3}, {"sku": 1, "quantity": 1}],
        "what can still be refunded: 0",
        key="items[1].quantity",
    ),
    *bad_rows.wrong(
        "payments", _EXACTLY + "58.99", {}, {"gold": 58.99}, {"card": 58.98}, {"cash": 59}
    ),
    bad_rows.Bad("payments", {"card": 58.99}, _EXACTLY + "276.97", beside=_ALL),
    bad_rows.Bad("payments", {"card": 176.97}, _EXACTLY + "58.99", beside=_ALL, on="partly"),
    *bad_rows.wrong(
        "payments",
        _GIVEN_AWAY,
        *({"cash": 400}, {"card": 400}, {"other": 299, "cash": 101}),
        key="payments.other",
        beside=_ALL,
        on="gift",
    ),
    *bad_rows.wrong(
        "payments",
        "must cover what is given away: 0.01",
        *({"cash": 60.01}, {"card": 60, "voucher": 0.01}),
        key="payments.other",
        beside=_ALL,
        on="gift_paid_in_advance",
    ),
    *bad_rows.wrong(
        "payments",
        "276.97 was paid by a corporate card",
        *({"cash": 58.99}, {"card": 58.99}, {"voucher": 58, "cash": 0.99}),
        on="on_card",
    ),
    *bad_rows.wrong("advanceSpecification", "refund of an advance only", {"Е": 58.99}, {"Ђ": 1}),
    bad_rows.Bad(
        "items", REFUNDING["items"], "not allowed on the refund of an advance", on="advance"
    ),
    *bad_rows.wrong(
        "payments", "must be greater than 0", {}, {"card": 0}, beside=_ADVANCE, on="advance"
    ),
    bad_rows.Bad(
        "payments",
        {"card": 100.01},
        "exceed what is paid in advance: 100.00",
        beside=_ADVANCE,
        on="advance",
    ),
    bad_rows.Bad(
        "advanceSpecification",
        {"Е": 49},
        "must add up to the payments",
        beside=_ADVANCE,
        on="advance",
    ),
    bad_rows.Bad(
        "advanceSpecification.Ђ", 50, "a label that no item has", beside=_ADVANCE, on="advance"
    ),
    bad_rows.Bad(
        "advanceSpecification.Ђ",
        50,
        "exceeds what is left of it: 40.00",
        beside=_ADVANCE,
        on="unknown_two_labels",
    ),
    bad_rows.Bad(
        "advanceSpecification",
        bad_rows.MISSING,
        "is required when",
        beside=_ADVANCE,
        on="unknown_two_labels",
    ),
]

# --- operations on receipts of another kind -----------------------------------------------------

NOT_AN_ADVANCE, IS_COPY, IS_REFUND = "is not an advance", "is a copy", "is a refund"
CLOSED, GIVEN_BACK = "is closed already", "nothing of it is left"
ELSEWHERE = "belongs to an advance that began elsewhere"

WRONG_KIND = {
    "advance": {
        **dict.fromkeys(
            ("sale", "refund", "proforma", "training", "closing", "copy", "copy_of_refund"),
            NOT_AN_ADVANCE,
        ),
        **dict.fromkeys(("closed", "closed_refund"), CLOSED),
        "given_back": GIVEN_BACK,
        "foreign_refund": ELSEWHERE,
    },
    "close": {
        **dict.fromkeys(
            ("sale", "refund", "proforma", "training", "closing", "copy", "copy_of_refund"),
            NOT_AN_ADVANCE,
        ),
        **dict.fromkeys(("closed", "closed_refund"), CLOSED),
        "given_back": GIVEN_BACK,
        "foreign_refund": ELSEWHERE,
    },
    "copy": {"copy": IS_COPY, "copy_of_refund": IS_COPY},
    "refund": {
        **dict.fromkeys(("refund", "closed_refund", "foreign_refund"), IS_REFUND),
        **dict.fromkeys(("copy", "copy_of_refund"), IS_COPY),
        "closed": "refund the sale of its closing",
        **dict.fromkeys(("returned", "given_back"), GIVEN_BACK),
    },
}
"""Operation -> receipt -> the reason for the refusal; each is a fault of the path's `Id`."""

OPERATIONS: dict[str, tuple[dict[str, Any], str, list[bad_rows.Bad]]] = {
    "advance": (PAYMENT, "advance", ADVANCE),
    "close": (CLOSING, "unknown_two_labels", CLOSE),
    "copy": (COPYING, "sale", COPY),
    "refund": (REFUNDING, "sale", REFUND),
}
"""Operation -> good body, the receipt that it suits, the faults to try."""
