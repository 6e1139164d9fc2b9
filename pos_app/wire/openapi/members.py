"""The facts that the shapes leave to the domain, in the words of OpenAPI 3.0: for each member its
limits, its meaning, and whether it is our own.

The limits are those that the domain checks when a request is read; where a schema that generators
of clients take can't express them (decimals, check digits, one of two members) the words do. A
pattern is one that PHP reads byte by byte. Source: platform-api.md, platform-contract.md 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pos_app.domain.money import money
from pos_app.domain.money.payment import PaymentMethod
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt import buyer, receipt, request, server_status, states
from pos_app.wire.openapi.form import NUMBER, one_of, or_null

OURS = {"x-own-member": True}
"""Marks a member that is no part of the platform's specification."""

_AMOUNT = {**NUMBER, "minimum": 0, "maximum": money.LARGEST_AMOUNT}
_NO_CONTROL = "[^\\x00-\\x1F\\x7F]"
_FISCAL_NUMBER = "^[0-9A-Za-z]{8}-[0-9A-Za-z]{8}-[1-9][0-9]*$"
_MEANT_FOR_THE_PLATFORM = "Chooses an application on the platform; this server ignores it."

PAYMENTS: Mapping[str, Any] = {
    "type": "object",
    "minProperties": 1,
    "properties": {method.value: or_null(_AMOUNT) for method in PaymentMethod},
    "description": "Amounts by method, 2 decimals at most, the noise of a binary float apart; "
    "zeros and unknown methods count for nothing. Together at least the total; more than the total "
    "only by cash, which is change.",
    "example": {"cash": 200},
}
PAYMENTS_OR_NONE = {
    **PAYMENTS,
    "minProperties": 0,
    "description": "Amounts by method, 2 decimals at most; {} where there is nothing to pay.",
}
_SPECIFICATION = {
    "type": "object",
    "additionalProperties": _AMOUNT,
    "description": "Amounts by tax label, the Cyrillic letter as in `taxRateLabel`. Needed where "
    "the final amount is not known and more than one label is on the receipt; on the refund of an "
    "advance of this server, by issue, unless the items have just the labels that are given back.",
    "example": {label.value: 1000 for label in (TaxLabel.DJ, TaxLabel.E)},
}
_BUYER = {
    "type": "string",
    "maxLength": buyer.LONGEST_BUYER_ID,
    "pattern": f"^({'|'.join(buyer.BUYER_KINDS)}):[\\x21-\\x7E]([\\x20-\\x7E]*[\\x21-\\x7E])?$",
    "description": "Who buys: code of the codebook, colon, value. 10 is a PIB.",
    "example": "10:123456788",
}
_COST_CENTRE = {
    "type": "string",
    "maxLength": buyer.LONGEST_COST_CENTRE,
    "pattern": f"^({'|'.join(buyer.COST_CENTRE_KINDS)}):\\S({_NO_CONTROL}*\\S)?$",
    "description": "The optional buyer field, by its own codebook; only together with a buyer.",
}
_TEXT_BELOW = {
    "pattern": f"^({_NO_CONTROL}|\\r\\n|\\n|\\t)*$",
    "description": "Printed below the receipt; not signed.",
}
_DELIVERY = {
    "description": "How the receipt is handed over. At least one member, all may be false."
}
_POS_TIME = {
    "format": "date-time",
    "description": "When the wire transfer for an advance arrived, if on an earlier day. "
    "Not before e-fiscalization began (2021-11-01). Without an offset: Belgrade.",
}
_SKU = {
    "type": "integer",
    "format": "int64",
    "minimum": 1,
    "maximum": request.LARGEST_SKU,
    "description": "Article code of the shop's catalogue.",
}
_QUANTITY = {
    **NUMBER,
    "minimum": 0,
    "exclusiveMinimum": True,
    "maximum": money.LARGEST_QUANTITY,
    "description": "3 decimals at most; the noise of a binary float is none.",
}

IGNORED: Mapping[str, Any] = {
    "storeId": or_null(
        {"type": "string", "deprecated": True, "description": _MEANT_FOR_THE_PLATFORM}
    ),
    "clientId": or_null({"type": "string", "description": _MEANT_FOR_THE_PLATFORM}),
}
"""Members of the platform's specification that a local server does not use."""

_COMMON: Mapping[str, Mapping[str, Any]] = {
    "buyerId": _BUYER,
    "buyerCostCenterId": _COST_CENTRE,
    "payments": {"$ref": "#/components/schemas/Payments"},
    "advanceSpecification": _SPECIFICATION,
    "additionalText": _TEXT_BELOW,
    "receiptDelivery": _DELIVERY,
    "posTime": _POS_TIME,
}

REQUESTS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "ArticleShape": {
        "name": {
            "pattern": f"^{_NO_CONTROL}*\\S{_NO_CONTROL}*$",
            "description": "Printed on the receipt.",
            "example": "Сто",
        },
        "taxRateLabel": one_of(TaxLabel) | {"description": "The Cyrillic letter of its tax rate."},
        "unit": {"pattern": f"^{_NO_CONTROL}*$", "description": "Printed after the name."},
        "gtin": {"pattern": "^[0-9]{8,14}$", "description": "Bar code."},
    },
    "ItemShape": {
        "sku": _SKU | {"description": "Article code. It or `article` is needed."},
        "quantity": _QUANTITY,
        "unitPrice": _AMOUNT
        | {
            "description": "With tax, with as many decimals as you have: the line is rounded half "
            "up, not its price. The receipt shows 2 of them."
        },
        "article": OURS
        | {"description": "What is printed and taxed; without it the catalogue says so by `sku`."},
        "totalAmount": OURS
        | _AMOUNT
        | {"description": "The line's final total, discounts in it, taken as it is."},
    },
    "DeliveryShape": {
        "thermalPrinter": {"description": "Print it on the receipt printer."},
        "a4Printer": {"description": "Print it on the page printer."},
        "email": {
            "description": "Mail it to this address. Where the shop sends no mail, or mail can't "
            "take the address, the receipt is signed with a warning, or refused by the setting "
            "mail.when_missing.",
            "example": "kupac@example.rs",
        },
        "pdf": {"description": "Answer a link to its PDF, which lives 10 minutes."},
        "base64pdf": {"description": "Answer the PDF itself."},
    },
    "IssueShape": {
        **_COMMON,
        "invoiceType": one_of(
            kind for kind in request.InvoiceType if kind != request.InvoiceType.COPY
        ),
        "transactionType": one_of(request.TransactionType)
        | {"description": "For a refund of a receipt that was issued here use its own operation."},
        "referentDocumentNumber": {
            "pattern": _FISCAL_NUMBER.replace("^", "^\\s*").replace("$", "\\s*$"),
            "description": "Only to refer to a receipt by hand.",
        },
        "referentDocumentDT": {
            "format": "date-time",
            "description": "Only with `referentDocumentNumber`: not in the future, and not "
            "before receipts of its kind existed. Without an offset: Belgrade.",
        },
        "items": {"description": f"The lines, {request.MOST_ITEMS} at most."},
        "unknownAmountAdvance": {
            "description": "An advance whose final amount is not known yet: payments on it are "
            "not limited."
        },
        "discount": {
            "minimum": 0,
            "maximum": 100,
            "description": "Percent off each line that has no `totalAmount`, each rounded on its "
            "own; 4 decimals at most, 0 is none.",
        },
        "totalAmount": OURS
        | _AMOUNT
        | {"description": "What you make it: a total that differs from ours is refused."},
    },
    "AdvanceShape": _COMMON,
    "CloseShape": {
        **_COMMON,
        "payments": {"$ref": "#/components/schemas/PaymentsOrNone"},
        "items": {"description": "What is sold, where the final amount was not known."},
    },
    "CopyShape": {"receiptDelivery": _DELIVERY},
    "RefundedItemShape": {
        "sku": _SKU | {"description": "Article code of a line of the receipt."},
        "line": OURS
        | {
            "type": "integer",
            "format": "int32",
            "minimum": 0,
            "maximum": request.MOST_ITEMS - 1,
            "description": "Place of the line on the receipt, from 0. It or `sku` is needed.",
        },
        "quantity": _QUANTITY,
    },
    "RefundShape": {
        **_COMMON,
        "payments": {
            "$ref": "#/components/schemas/PaymentsOrNone",
            "description": "What is given back, by method; exactly the refunded total.",
        },
        "items": {"description": "What is given back; without it all that is left."},
    },
}
"""Shape -> member -> the addition to the shape's own schema."""

ANSWERS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "IssuedShape": {
        "id": OURS | {"format": "uuid", "description": "Our id of the receipt."},
        "requestedBy": {"description": "Secure element that asked for the signature."},
        "sdcDateTime": {"format": "date-time", "description": "When it was issued."},
        "invoiceCounter": {"example": "1/1ПП"},
        "invoiceCounterExtension": {"example": "ПП"},
        "invoiceNumber": {
            "pattern": _FISCAL_NUMBER,
            "description": "The fiscal receipt number.",
            "example": "U7X75A79-U7X75A79-1",
        },
        "verificationUrl": {"description": "Where the tax administration shows the receipt."},
        "verificationQRCode": {"description": "That address as a QR code: a GIF in base64."},
        "journal": {"description": "The receipt as text, 40 columns, lines ended by CR LF."},
        "messages": {"description": "Words of the fiscal processor."},
        "signedBy": {"description": "Secure element that signed."},
        "totalCounter": {"type": "integer", "format": "int64"},
        "transactionTypeCounter": {"type": "integer", "format": "int64"},
        "taxGroupRevision": {"type": "integer", "format": "int64"},
        "tin": {"description": "The shop's tax number."},
        "mrc": {"description": "The processor's own registration."},
        "copy": OURS
        | {
            "description": "Of a cash refund by issue: the copy that was signed behind it, which "
            "the customer signs; absent otherwise."
        },
        "warnings": OURS
        | {
            "minItems": 1,
            "description": "What is not as it was asked, though the receipt is signed; absent "
            "where all is.",
        },
    },
    "NamedCopyShape": {
        "id": {"format": "uuid", "description": "Look it up by this, or by its number."},
        "invoiceNumber": {"pattern": _FISCAL_NUMBER},
    },
    "WarningShape": {
        "code": one_of(receipt.WarningCode)
        | {
            "description": "unknown_member: a member was ignored that looks misspelt or "
            "misplaced; email_not_sent: nothing is mailed; pdf_not_made: the link or file is null; "
            "glyph: a box stands for a sign that no font has."
        },
        "message": {"description": "Words for a person; they may change."},
        "field": {"description": "Path of the member of the request.", "example": "discount"},
    },
    "TaxItemShape": {
        "categoryType": {"type": "integer", "format": "int64"},
        "rate": {"description": "Percent."},
        "amount": {"description": "Tax in dinars, 4 decimals at most."},
    },
    "ReceiptPageShape": {
        "next": {"description": "The `after` of the next page; null on the last one."},
        "unreadable": {
            "format": "int32",
            "minimum": 0,
            "description": "Receipts of the whole journal that can't be read and are in no page.",
        },
    },
    "ListedReceiptShape": {
        "id": {"format": "uuid", "description": "Look it up by this, or by its number."},
        "invoiceNumber": {"pattern": _FISCAL_NUMBER},
        "sdcDateTime": {"format": "date-time", "description": "When it was issued, UTC."},
        "invoiceType": one_of(request.InvoiceType),
        "transactionType": one_of(request.TransactionType),
        "totalAmount": {"description": "Positive, on a refund too."},
        "referentDocumentNumber": {"description": "The receipt that it refers to."},
        "buyerId": {"description": "Of a natural person only the code."},
        "program": {"description": "Who asked for it: a till, or another program."},
        "payments": {
            "$ref": "#/components/schemas/PaymentsOrNone",
            "description": "The money that stays with the shop: cash is without the change, and a "
            "closing has what was paid with it. Null, as `taxItems` and `items`, where this can't "
            "be read now.",
        },
    },
    "ListedItemShape": {
        "sku": {"type": "integer", "format": "int64"},
        "name": {"description": "The name with the unit, as it is printed."},
        "totalAmount": {"description": "Discounts included."},
    },
    "Waiting": {
        "receiptId": {"format": "uuid", "description": "Look it up again by this."},
        "state": one_of(sorted(states.LOOKED_UP))
        | {
            "description": "reversed: ended, what was asked for is not done and never will be "
            "under this key. restored: this journal does not know the key and can't deny it; send "
            "the same key and body, what is signed for it is found then, or a person is asked. "
            "Every other one: ask again."
        },
        "signed": {"description": "Of a pair: the numbers of its receipts that are signed."},
    },
    "Health": {
        "service": {"description": "Always pos-app-server."},
        "installId": {"description": "Which installation answers."},
        "synchronisation": {
            "description": "Of a server that no till started, where a platform is set up."
        },
        "publicMode": {"description": "Only where public mode is on."},
        "catalogue": {
            "type": "string",
            "enum": ["newer"],
            "description": "Only where a newer version wrote the catalogue. Items with an "
            "`article` are sold; those by `sku` as long as this version can read the articles.",
        },
        "proof": {"type": "string", "description": "Only for a caller that sent a nonce."},
    },
    "PublicModeAnswer": {
        "state": one_of(sorted(server_status.PublicModeState))
        | {
            "description": "not_configured: the clientId, or something of the settings or secrets,"
            " is missing. away: the platform is not reached; tried again. refused: it does not let"
            " this server in; tried again."
        },
        "code": {"description": "What is wrong, in a word; may be empty."},
        "words": {"description": "The same in English."},
    },
    "JournalMark": {"rows": {"format": "int64", "minimum": 0}},
    "Synchronisation": {
        "state": {
            "description": "How the last one ended. to_decide: a person has to decide something. "
            "away: the platform was not reached, or refuses; tried again. failed: this machine or "
            "its settings; tried again."
        },
        "at": {"format": "date-time", "description": "When the last one ended."},
        "doneAt": {"format": "date-time", "description": "The last one that was answered."},
        "code": {"description": "What was wrong, in a word."},
        "words": {"description": "The same in English."},
    },
}
"""Shape -> member -> the addition, for answers."""
