"""The payment as far as it has come: it outlives the widgets that show it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from pos_app.cashier.payment.model import PaymentModel
from pos_app.errors import PosError
from pos_app.selling.receipt_drafts import FaultPlace
from pos_app.selling.unusual_amounts import Unusual


@dataclass(frozen=True, slots=True)
class PaymentNews:
    """What just happened, for good or ill; without words the head gives its quiet hint."""

    words: str = ""
    is_trouble: bool = False


QUIET = PaymentNews()


class KeysPageShown(Enum):
    SHOWN = auto()


Page = FaultPlace | Unusual | PosError | KeysPageShown | None
"""What stands over the payment: a form, a question about an amount, why it can't be confirmed, the
keys; None for nothing."""


@dataclass
class OpenPayment:
    """model: the payment under way, with all that was typed. is_open: the payment is shown instead
    of the sale. straight_to: the page that was opened from the sale; a step back from it is the
    sale. error: what is wrong where an amount is typed, in words. shows_numbers: the folded pad is
    open.
    """

    model: PaymentModel | None = None
    is_open: bool = False
    page: Page = None
    straight_to: FaultPlace | None = None
    news: PaymentNews = QUIET
    error: str = ""
    shows_numbers: bool = False
