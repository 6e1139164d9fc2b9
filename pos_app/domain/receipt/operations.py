"""Operations on an existing receipt: add an advance payment, close an advance, copy, refund.

Source: platform-api.md ("the four operations on a receipt"), platform-contract.md 2.19.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from pos_app.domain.money.money import Money, Quantity
from pos_app.domain.money.payment import Payments
from pos_app.domain.money.tax import TaxLabel
from pos_app.domain.receipt.buyer import BuyerId, CostCentre
from pos_app.domain.receipt.request import IssueRequest, ReceiptDelivery, RequestedItem
from pos_app.lazy_dataclass import dataclass


class Operation(StrEnum):
    ISSUE = "issue"
    ADVANCE = "advance"
    CLOSE = "close"
    COPY = "copy"
    REFUND = "refund"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvancePayment:
    """A further payment on an advance. pos_time: the instant at which a wire transfer arrived."""

    payments: Payments
    delivery: ReceiptDelivery
    buyer: BuyerId | None = None
    cost_centre: CostCentre | None = None
    pos_time: datetime | None = None
    specification: Mapping[TaxLabel, Money] = field(default_factory=dict)
    additional_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The end of an advance. items: the goods sold, if the final amount was unknown."""

    payments: Payments
    delivery: ReceiptDelivery
    items: tuple[RequestedItem, ...] = ()
    buyer: BuyerId | None = None
    cost_centre: CostCentre | None = None
    additional_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copying:
    """A copy of a receipt: only its delivery can be chosen."""

    delivery: ReceiptDelivery


@dataclass(frozen=True, slots=True)
class RefundedItem:
    """A quantity of one line of a receipt. The sku names the line or, without a sku, `line` does:
    the index in the receipt, from 0."""

    quantity: Quantity
    sku: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refunding:
    """items: if there are none, all that is left of the receipt is refunded."""

    payments: Payments
    delivery: ReceiptDelivery
    buyer: BuyerId
    items: tuple[RefundedItem, ...] = ()
    cost_centre: CostCentre | None = None
    specification: Mapping[TaxLabel, Money] = field(default_factory=dict)
    additional_text: str = ""


OperationRequest = IssueRequest | AdvancePayment | Closing | Copying | Refunding
