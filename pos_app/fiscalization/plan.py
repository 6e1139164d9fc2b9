"""From a request to the documents that a processor is to sign. Pure.

Source: fiscal.md 1 and 6, platform-contract.md 2.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pos_app.domain.buyer import check_cost_centre
from pos_app.domain.fiscal_document import FiscalDocument, FiscalLine
from pos_app.domain.instant import day_of
from pos_app.domain.money import Money
from pos_app.domain.payment import PaymentMethod
from pos_app.domain.pricing import PricedLine, PricedRequest, price
from pos_app.domain.request import (
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    TransactionType,
)
from pos_app.errors import Invalid

_RECEIPTS = uuid.UUID("6f1d3c0e-6a39-4a0b-9f0e-5b1c9a0e4d52")
"""The namespace of receipt ids; with another one every kept id would change."""


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who signs: the ESIR's number and the processor's own spelling of tax labels."""

    esir_number: str | None = None
    label_map: Mapping[str, str] = field(default_factory=dict)


def check(request: IssueRequest, *, now: datetime) -> None:
    """Contradictions between the fields of an issue request. Raises Invalid naming the field."""
    if request.transaction_type is TransactionType.REFUND:
        raise Invalid(
            '"transactionType" refund is issued by the refund operation of a receipt',
            field="transactionType",
        )
    _check_advance_fields(request, now)
    _check_reference(request)
    try:
        check_cost_centre(
            request.cost_centre, buyer=request.buyer, payments=request.payments, refund=False
        )
    except Invalid as error:
        raise Invalid(f'"buyerCostCenterId" {error.what}', field="buyerCostCenterId") from error


def _check_advance_fields(request: IssueRequest, now: datetime) -> None:
    is_advance = request.invoice_type is InvoiceType.ADVANCE
    if request.unknown_amount_advance and not is_advance:
        raise Invalid(
            '"unknownAmountAdvance" is allowed on an advance only', field="unknownAmountAdvance"
        )
    if request.pos_time is None:
        return
    wired = request.payments.amount(PaymentMethod.WIRE_TRANSFER)
    if not is_advance or not wired:
        raise Invalid(
            '"posTime" is allowed only on an advance paid by wire transfer', field="posTime"
        )
    if day_of(request.pos_time) >= day_of(now):
        raise Invalid('"posTime" must be of an earlier day', field="posTime")


def _check_reference(request: IssueRequest) -> None:
    if request.referent_time is not None and request.referent_number is None:
        raise Invalid(
            '"referentDocumentDT" is allowed only with "referentDocumentNumber"',
            field="referentDocumentDT",
        )
    if request.referent_number and request.referent_time is None:
        raise Invalid(
            '"referentDocumentDT" is required: the number is not in this journal',
            field="referentDocumentDT",
        )
    if request.referent_number and request.invoice_type is not InvoiceType.NORMAL:
        raise Invalid(
            '"referentDocumentNumber" is allowed only on a normal sale',
            field="referentDocumentNumber",
        )


def with_facts(request: IssueRequest, facts: Sequence[FrozenArticle | None]) -> IssueRequest:
    """The request with what the catalogue said for items that came by sku alone."""
    items = tuple(
        replace(item, article=item.article or fact)
        for item, fact in zip(request.items, facts, strict=True)
    )
    return replace(request, items=items)


def priced(request: IssueRequest) -> PricedRequest:
    """The request's price; sums beyond 12 digits are told of "items"."""
    try:
        return price(request)
    except Invalid as error:
        if error.field:
            raise
        raise Invalid(f'"items" {error.what}', field="items") from error


def issue_document(
    request: IssueRequest, worth: PricedRequest, *, cashier: str, issuer: Issuer
) -> FiscalDocument:
    """The one document of an issue request whose items all know their article."""
    payments = request.payments.by_method or ((PaymentMethod.CASH, Money.ZERO),)
    return FiscalDocument(
        invoice_type=request.invoice_type,
        transaction_type=request.transaction_type,
        lines=tuple(_fiscal_line(line, issuer) for line in worth.lines),
        payments=payments,
        cashier=cashier,
        esir_number=issuer.esir_number,
        buyer=str(request.buyer) if request.buyer else None,
        cost_centre=str(request.cost_centre) if request.cost_centre else None,
        referent_number=request.referent_number,
        referent_time=request.referent_time,
        pos_time=request.pos_time,
    )


def _fiscal_line(line: PricedLine, issuer: Issuer) -> FiscalLine:
    return FiscalLine(
        name=line.name,
        labels=(issuer.label_map.get(line.label.value, line.label.value),),
        quantity=line.quantity,
        unit_price=line.unit_price,
        total=line.total,
        gtin=line.gtin,
    )


def receipt_id(*, origin: str, key: str) -> str:
    """The id of what a key asks for: derived, so that it can be told when nothing can be read."""
    return str(uuid.uuid5(_RECEIPTS, f"{len(origin)} {origin} {key}"))


def pfr_request_id(*, origin: str, key: str, child: int, body_hash: bytes) -> str:
    """RequestId: 32 hex digits derived from what it is for, so that it survives a lost row."""
    parts = (origin.encode(), key.encode(), str(child).encode(), body_hash)
    digest = hashlib.sha256(b"\0".join(len(part).to_bytes(4, "big") + part for part in parts))
    return digest.hexdigest()[:32]
