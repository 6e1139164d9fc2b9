"""A store (sales location) and the layout of its payment window.

Sources: platform-api.md (Store), platform-contract.md 2.5 (defaults) and 4
(paymentMethodsOrder).
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum

from pos_app.characters import is_blank
from pos_app.domain.money.payment import PaymentMethod
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

PaymentOrder = tuple[tuple[str | int | Decimal, ...], ...]
"""Rows of names as they were given: unknown names are stored and sent back, never shown."""

USUAL_ROWS: tuple[tuple[PaymentMethod, ...], ...] = (
    (PaymentMethod.CASH, PaymentMethod.CARD),
    (PaymentMethod.WIRE_TRANSFER, PaymentMethod.MOBILE_MONEY),
    (PaymentMethod.CHECK, PaymentMethod.VOUCHER, PaymentMethod.OTHER),
)
"""The payment window of a store without an order of its own."""


class ReceiptLanguage(StrEnum):
    """The script in which receipts are issued."""

    CYRILLIC = "sr-Cyrl-RS"
    LATIN = "sr-Latn-RS"


class PickerType(StrEnum):
    LIST = "list"
    GRID = "grid"


@dataclass(frozen=True, slots=True)
class PrintMethod:
    thermal: bool = False
    a4: bool = False
    email: bool = False


ALL_METHODS = PrintMethod(thermal=True, a4=True, email=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A store, with the defaults of the contract. Raises Invalid for an empty name.

    id: uuid. print_method is None where it was not given, which means all three.
    payment_methods_order is None where it was not given.
    """

    id: str
    name: str
    address: str | None = None
    city: str | None = None
    zip: str | None = None
    gln: str | None = None
    phone: str | None = None
    language: ReceiptLanguage = ReceiptLanguage.CYRILLIC
    print_method: PrintMethod | None = None
    print_bank_accounts: bool = False
    print_discounts: bool = False
    payment_methods_order: PaymentOrder | None = None
    product_picker_type: PickerType = PickerType.GRID
    is_sound_enabled: bool = True
    default_unknown_amount_advance: bool = False

    def __post_init__(self) -> None:
        if is_blank(self.name):
            raise Invalid("empty.store", field="name")

    @property
    def handed_over_by(self) -> PrintMethod:
        return self.print_method or ALL_METHODS


def payment_rows(store: Store) -> tuple[tuple[PaymentMethod, ...], ...]:
    """The buttons of the payment window, row by row: each of the seven methods exactly once.

    Unknown and repeated names are dropped, and rows left empty; the missing methods follow as
    one last row in the order of PaymentMethod.
    [["card", "cash"], ["bitcoin"]] -> card cash / check mobilemoney wiretransfer voucher other.
    """
    if not store.payment_methods_order:
        return USUAL_ROWS
    missing = list(PaymentMethod)
    rows = []
    for given in store.payment_methods_order:
        row = []
        for name in given:
            method = next((method for method in missing if method == name), None)
            if method is not None:
                missing.remove(method)
                row.append(method)
        rows.append(tuple(row))
    return tuple(row for row in (*rows, tuple(missing)) if row)
