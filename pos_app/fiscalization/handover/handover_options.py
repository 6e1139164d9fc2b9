"""Checks, before anything is signed, that the store offers the deliveries that a request asks for.

Source: platform-contract.md 2.14.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from pos_app.domain.receipt.receipt import ReceiptWarning, WarningCode, Warnings
from pos_app.domain.receipt.request import ReceiptDelivery
from pos_app.domain.receipt.states import JobMethod
from pos_app.domain.text.email_address import checked_address
from pos_app.errors import Invalid
from pos_app.lazy_dataclass import dataclass

_EMAIL = "receiptDelivery.email"


class PrintMethods(Protocol):
    """The methods that the store's settings allow."""

    def print_methods(self) -> frozenset[str]: ...


class StoreRules(PrintMethods, Protocol):
    """The methods that the store offers, and the rule for mail that can't be sent."""

    @property
    def refuses_without_mail(self) -> bool:
        """Whether a request for mail that can't be sent is refused; else the receipt is signed,
        with a warning."""
        ...


@dataclass(frozen=True, slots=True)
class AvailableHandover:
    """Implements StoreRules: the methods that the store offers and this server can carry out. here:
    the methods for which it has devices."""

    store: PrintMethods
    here: frozenset[JobMethod]
    refuses_without_mail: bool = False

    def print_methods(self) -> frozenset[str]:
        return self.store.print_methods() & {method.value for method in self.here}


def settled_delivery(
    asked: ReceiptDelivery, store: StoreRules, *, of_till: bool
) -> tuple[ReceiptDelivery, Warnings]:
    """The part of a delivery that can be carried out, and warnings about the rest.

    A printer that is not offered is refused. Mail that can't be sent is refused only if the store's
    settings say so, because programs send an address with each order and never repeat a refused
    order. Raises Invalid, naming the field.

    of_till: the till asks, and offered these ways when the customer paid. It is refused nothing: a
    paper that nothing prints any more is a job that fails, which Attention tells.
    """
    offered = store.print_methods()
    for method, member, wanted in (
        ("thermal", "thermalPrinter", asked.thermal),
        ("a4", "a4Printer", asked.a4),
    ):
        if wanted and method not in offered and not of_till:
            raise _not_offered(f"receiptDelivery.{member}")
    if asked.email is None:
        return asked, ()
    try:
        _check_email(asked.email, offered)
    except Invalid as error:
        if store.refuses_without_mail and not of_till:
            raise
        message = f"The receipt is signed and not sent by mail: {error.what}"
        warning = ReceiptWarning(WarningCode.EMAIL_NOT_SENT, message, _EMAIL)
        return replace(asked, email=None), (warning,)
    return asked, ()


def _check_email(address: str, offered: frozenset[str]) -> None:
    if "email" not in offered:
        raise _not_offered(_EMAIL)
    try:
        checked_address(address)
    except Invalid as error:
        raise Invalid("valid_email", field=_EMAIL) from error


def _not_offered(field: str) -> Invalid:
    return Invalid("not_offered", field=field)
