"""Reads the bytes of a request as an Invoice, or raises a Refusal that names all faults at once.

The codes of faults are public knowledge about accredited processors. Where nothing is known, the
code's wording decided our choice (gtin 2801/2802, surplus decimals 2806).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal

from pos_app.pfr_emulator import json_text
from pos_app.pfr_emulator.amounts import money
from pos_app.pfr_emulator.codes import Code, Refusal
from pos_app.pfr_emulator.fields import Fields, NumberRule, TextRule
from pos_app.pfr_emulator.invoice import (
    Invoice,
    InvoiceType,
    Item,
    Payment,
    PaymentType,
    TransactionType,
)
from pos_app.pfr_emulator.options import Options
from pos_app.pfr_emulator.rates import TaxLabel

LabelsAt = Callable[[datetime | None], Mapping[str, TaxLabel]]
"""The labels in force at an instant, or now with None."""

_CASHIER = TextRule(50, Code.WRONG_LENGTH)
_ITEM_NAME = TextRule(2048, Code.WRONG_LENGTH)
_BUYER_ID = TextRule(20)
_COST_CENTER = TextRule(50)
_ESIR_NUMBER = TextRule(60)
_REFERENT_NUMBER = TextRule(50)
_GTIN = TextRule(14)
_GTIN_SHORTEST = 8
_MONEY = NumberRule(Decimal(0), Decimal("999999999999.99"), 2)
_QUANTITY = NumberRule(Decimal("0.001"), Decimal("999999999999.999"), 3)
_FLAGS = ("0", "1")
_SIGNED_NUMBER = re.compile(r"[0-9A-Z]{8}-[0-9A-Za-z]{8}-(\d+)")
_FOREIGN_NUMBER = re.compile(r"X{8}-X{8}-(.+)")
"""Receipts from before e-fiscalization have their old number after the letters X."""


def parse(body: bytes) -> dict[str, object]:
    """Return the JSON object of a request body. Raises Refusal."""
    try:
        document = json_text.decode(body) if body.strip() else None
    except ValueError as error:
        raise Refusal.of(Code.INVALID_FORMAT) from error
    if document is None:
        raise Refusal.of(Code.REQUIRED)
    if not isinstance(document, dict):
        raise Refusal.of(Code.INVALID_VALUE)
    return document


def read_invoice(
    document: Mapping[str, object], *, labels_at: LabelsAt, options: Options
) -> Invoice:
    """Read an invoice. Raises Refusal with all faults."""
    top = Fields(document)
    kind = top.choice("invoiceType", InvoiceType)
    direction = top.choice("transactionType", TransactionType)
    goes_back = kind is InvoiceType.COPY or direction is TransactionType.REFUND
    referent_time = top.instant("referentDocumentDT", required=goes_back)
    # Refunds and copies are taxed as on the day of the receipt that they refer to.
    labels = labels_at(referent_time if goes_back else None)
    flags = _flags(top)
    invoice = Invoice(
        kind=kind or InvoiceType.NORMAL,
        direction=direction or TransactionType.SALE,
        items=tuple(
            _item(line, labels, options) for line in top.objects("items", most=options.most_items)
        ),
        payments=tuple(
            _payment(part, options) for part in top.objects("payment", most=options.most_payments)
        ),
        cashier=top.text("cashier", _CASHIER),
        buyer_id=top.text("buyerId", _BUYER_ID),
        buyer_cost_center_id=top.text("buyerCostCenterId", _COST_CENTER),
        esir_number=top.text("invoiceNumber", _ESIR_NUMBER),
        esir_time=top.instant("dateAndTimeOfIssue"),
        referent_number=_referent_number(top, required=goes_back),
        referent_time=referent_time,
        with_qr=not flags["omitQRCodeGen"],
        with_journal=not flags["omitTextualRepresentation"],
    )
    if top.problems:
        raise Refusal(problems=top.problems)
    return invoice


def _flags(top: Fields) -> dict[str, bool]:
    given = top.given("options", required=False)
    if given is not None and not isinstance(given, Mapping):
        top.refuse("options", Code.INVALID_VALUE)
    fields = Fields(given if isinstance(given, Mapping) else {}, "options", top.problems)
    return {name: _flag(fields, name) for name in ("omitQRCodeGen", "omitTextualRepresentation")}


def _flag(fields: Fields, name: str) -> bool:
    value = fields.given(name, required=False)
    if value is not None and value not in _FLAGS:
        fields.refuse(name, Code.INVALID_VALUE)
    return value == "1"


def _referent_number(top: Fields, *, required: bool) -> str | None:
    number = top.text("referentDocumentNumber", _REFERENT_NUMBER, required=required)
    if number is None:
        return None
    match = _SIGNED_NUMBER.fullmatch(number) or _FOREIGN_NUMBER.fullmatch(number)
    if match is None:
        top.refuse("referentDocumentNumber", Code.INVALID_FORMAT)
    elif match[1].startswith("0"):
        top.refuse("referentDocumentNumber", Code.OUT_OF_RANGE)
    return number


def _item(line: Fields, labels: Mapping[str, TaxLabel], options: Options) -> Item:
    exact = options.surplus_decimals == "refuse"
    return Item(
        name=line.text("name", _ITEM_NAME, required=True) or "",
        quantity=line.number("quantity", _QUANTITY, exact=True) or Decimal(1),
        unit_price=money(line.number("unitPrice", _MONEY, exact=exact) or Decimal(0)),
        total=money(line.number("totalAmount", _MONEY, exact=exact) or Decimal(0)),
        labels=_labels(line, labels),
        gtin=_gtin(line),
    )


def _labels(line: Fields, known: Mapping[str, TaxLabel]) -> tuple[str, ...]:
    labels: list[str] = []
    for index, label in enumerate(line.array("labels", most=len(known))):
        where = f"labels[{index}]"
        if not isinstance(label, str):
            line.refuse(where, Code.INVALID_VALUE)
        elif len(label) != 1:
            line.refuse(where, Code.WRONG_LENGTH)
        elif label not in known or label in labels:
            line.refuse(where, Code.INVALID_LABELS)
        else:
            labels.append(label)
    return tuple(labels)


def _gtin(line: Fields) -> str | None:
    gtin = line.text("gtin", _GTIN)
    if gtin is None:
        return None
    if len(gtin) < _GTIN_SHORTEST:
        line.refuse("gtin", Code.TOO_SHORT)
    elif not (gtin.isascii() and gtin.isdigit()):
        line.refuse("gtin", Code.INVALID_FORMAT)
    return gtin


def _payment(part: Fields, options: Options) -> Payment:
    exact = options.surplus_decimals == "refuse"
    return Payment(
        amount=money(part.number("amount", _MONEY, exact=exact) or Decimal(0)),
        method=part.choice("paymentType", PaymentType) or PaymentType.OTHER,
    )
