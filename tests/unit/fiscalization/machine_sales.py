"""The few sales of every history: they differ only in the name of their article.

Their totals are equal, so that only the counter and the RequestId tell them apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from pos_app.domain.money.money import Money, Quantity, UnitPrice
from pos_app.domain.money.payment import PaymentMethod, Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.fiscal_document import FiscalDocument
from pos_app.domain.receipt.request import (
    FrozenArticle,
    InvoiceType,
    IssueRequest,
    ReceiptDelivery,
    RequestedItem,
    TransactionType,
)
from pos_app.fiscalization.outcomes.pfr_request_id import pfr_request_id
from pos_app.fiscalization.plans.basis import Basis
from pos_app.fiscalization.plans.chain import Chain
from pos_app.fiscalization.plans.issue import plan_issue
from pos_app.fiscalization.plans.shop_choices import USUAL
from pos_app.fiscalization.service import IncomingRequest, IssuerSettings, body_hash

ORIGIN = "the till"
CASHIER = "Мика"
ISSUER = IssuerSettings("1234/3.2.0", rules=USUAL)
KEYS = 4
VARIANTS = 2


@dataclass(frozen=True, slots=True)
class Body:
    """The request of one key in one variant. request_id: derived as the server must derive it."""

    key: str
    variant: int
    incoming: IncomingRequest
    body_hash: bytes
    document: FiscalDocument
    request_id: str

    @property
    def total(self) -> Money:
        return self.document.total


@cache
def body(key: int, variant: int) -> Body:
    """Sale number `key`, from 1; a variant above 0 is a corrected body under the same key."""
    name = f"{key:032x}"
    total = Money(100)
    article = FrozenArticle(f"{key}/{variant}", TaxLabel.E)
    item = RequestedItem(Quantity.ONE, UnitPrice(total.amount), article=article)
    request = IssueRequest(
        invoice_type=InvoiceType.NORMAL,
        transaction_type=TransactionType.SALE,
        items=(item,),
        payments=Payments.of({PaymentMethod.CASH: total}),
        delivery=ReceiptDelivery(),
    )
    text = f"{key}/{variant}".encode()
    digest = body_hash(text)
    return Body(
        key=name,
        variant=variant,
        incoming=IncomingRequest(text, digest, lambda: request),
        body_hash=digest,
        document=_document(request),
        request_id=pfr_request_id(origin=ORIGIN, key=name, child=0, body_hash=digest),
    )


def _document(request: IssueRequest) -> FiscalDocument:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    basis = Basis(now=now, cashier=CASHIER, esir_number=ISSUER.esir_number, rules=ISSUER.rules)
    (planned,) = plan_issue(request=request, referent=None, chain=Chain(()), basis=basis)
    return planned.document


def body_of(document: FiscalDocument) -> Body:
    """The sale of a document."""
    key, variant = document.lines[0].name.split("/")
    return body(int(key), int(variant))
