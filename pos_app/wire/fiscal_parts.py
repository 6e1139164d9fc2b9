"""The parts that bodies of several receipt operations share, from JSON to the domain.

Source: platform-api.md (fiscal receipt request building blocks), platform-contract.md 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

from pos_app.domain.money import Money, Quantity, UnitPrice
from pos_app.domain.payment import PaymentMethod, Payments
from pos_app.domain.receipt_number import FiscalNumber
from pos_app.domain.request import (
    FrozenArticle,
    InvoiceType,
    ReceiptDelivery,
    RequestedItem,
    TransactionType,
    is_sku,
)
from pos_app.domain.tax import TaxLabel
from pos_app.errors import Invalid
from pos_app.wire.issue_shape import ArticleShape, DeliveryShape, ItemShape
from pos_app.wire.labels import latin_letter, tax_label
from pos_app.wire.reading import at

T = TypeVar("T")
V = TypeVar("V")
E = TypeVar("E", bound=StrEnum)


def payments_from_json(members: Mapping[str, object], *, may_be_empty: bool = False) -> Payments:
    """Payments by method in the order given; other members are ignored.

    One must be there, but where nothing may remain to be paid (closing an advance).
    """
    known = {method.value for method in PaymentMethod}
    amounts = {
        PaymentMethod(name): at(f"payments.{name}", _amount, value)
        for name, value in members.items()
        if name in known
    }
    if not amounts and not may_be_empty:
        raise Invalid('"payments" must have at least 1 key', field="payments")
    payments = Payments.of(amounts)
    at("payments", lambda paid: paid.total, payments)  # each may fit where their sum does not
    return payments


def _amount(value: object) -> Money:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise Invalid("must be a number")
    return Money.without_float_noise(value)


def optional(path: str, build: Callable[[V], T], value: V | None) -> T | None:
    """`build(value)` told of its field; None for a member that is absent."""
    return None if value is None else at(path, build, value)


def invoice_type(text: str) -> InvoiceType:
    """A kind that a caller may ask for; a copy has an operation of its own."""
    return _one_of(text, [kind for kind in InvoiceType if kind is not InvoiceType.COPY])


def transaction_type(text: str) -> TransactionType:
    return _one_of(text, list(TransactionType))


def _one_of(text: str, kinds: list[E]) -> E:
    for kind in kinds:
        if kind.value == text:
            return kind
    raise Invalid(f"must be one of [{', '.join(kind.value for kind in kinds)}]")


def referent_number(text: str) -> str:
    """A receipt's number in its one spelling."""
    return str(FiscalNumber.parse(text))


def requested_item(item: ItemShape, path: str) -> RequestedItem:
    """One line of what is sold. Raises Invalid naming its member."""
    sku, article = item.sku, item.article
    if sku is None and article is None:
        raise Invalid(f'"{path}.sku" is required', field=f"{path}.sku")
    return RequestedItem(
        quantity=at(f"{path}.quantity", Quantity.without_float_noise, item.quantity),
        unit_price=at(f"{path}.unitPrice", UnitPrice, item.unit_price),
        sku=None if sku is None else at(f"{path}.sku", sku_of, sku),
        article=None if article is None else _article(article, f"{path}.article"),
        total=optional(f"{path}.totalAmount", not_negative, item.total_amount),
    )


def not_negative(value: Decimal) -> Money:
    amount = Money.without_float_noise(value)
    if amount < Money.ZERO:
        raise Invalid("must be greater than or equal to 0")
    return amount


def sku_of(value: Decimal) -> int:
    """An article code: a whole number from 1."""
    if value != value.to_integral_value() or not is_sku(value):
        raise Invalid("must be a positive integer")
    return int(value)


def _article(article: ArticleShape, path: str) -> FrozenArticle:
    return FrozenArticle(
        name=article.name,
        label=at(f"{path}.taxRateLabel", tax_label, article.tax_rate_label),
        unit=article.unit,
        gtin=optional(f"{path}.gtin", _gtin, article.gtin),
    )


def _gtin(text: str) -> str:
    if not (text.isascii() and text.isdecimal() and 8 <= len(text) <= 14):
        raise Invalid("must be 8 to 14 digits")
    return text


def specification(members: Mapping[str, Decimal] | None) -> dict[TaxLabel, Money]:
    """Amounts by tax label, zeros left out. Raises Invalid naming the member."""
    amounts: dict[TaxLabel, Money] = {}
    for name, value in (members or {}).items():
        path = f"advanceSpecification.{name}"
        try:
            label = TaxLabel(name)
        except ValueError:
            words = f'"{path}" is not allowed{latin_letter(name)}'
            raise Invalid(words, field=path) from None
        if amount := at(path, not_negative, value):
            amounts[label] = amount
    return amounts


def receipt_delivery(given: DeliveryShape) -> ReceiptDelivery:
    """How the receipt is handed over; one member must be there, all may be false.

    The address is taken as it was told: whether mail takes it is asked where mail is set up.
    """
    if not given.model_fields_set:
        raise Invalid('"receiptDelivery" must have at least 1 key', field="receiptDelivery")
    return ReceiptDelivery(
        thermal=bool(given.thermal_printer),
        a4=bool(given.a4_printer),
        email=given.email,
        pdf=bool(given.pdf),
        base64_pdf=bool(given.base64pdf),
    )
