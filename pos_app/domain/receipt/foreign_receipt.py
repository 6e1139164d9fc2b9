"""A receipt that the till's journal does not have, read from its code.

Another system issued it, or a till with another server. No code has the amounts by tax label; a
reachable till of the same shop sends them.
Source: fiscal.md 4, 6.6.
"""

from __future__ import annotations

from dataclasses import field
from datetime import datetime

from pos_app.domain.money.money import Money
from pos_app.domain.receipt.receipt_overview import PaidBy, PaidOfLabel
from pos_app.domain.receipt.request import ReceiptKind, TransactionType
from pos_app.domain.receipt.verification import Verification
from pos_app.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ForeignReceipt:
    """number: the fiscal number. counter: the counter of its kind and the counter of all receipts,
    as on paper, "8652/11389".

    total: positive on a refund too. time: the processor's time, UTC. buyer_id: as printed, ""
    without a buyer; it may be a person's number and appears in no log. till: the name of the shop's
    till that has it, which also sent payments and gross amounts by tax label; "" where none was
    found.
    """

    number: str
    counter: str
    total: Money
    time: datetime
    kind: ReceiptKind
    buyer_id: str = field(default="", repr=False)
    till: str = ""
    payments: tuple[PaidBy, ...] = ()
    by_label: tuple[PaidOfLabel, ...] = ()

    @classmethod
    def of(cls, read: Verification) -> ForeignReceipt:
        return cls(
            number=str(read.number),
            counter=f"{read.type_counter}/{read.total_counter}",
            total=read.total,
            time=read.moment,
            kind=ReceiptKind(read.invoice_type, read.transaction_type),
            buyer_id=read.buyer_id,
        )

    @property
    def may_be_refunded(self) -> bool:
        """Whether a refund by hand can name the receipt: it must be a sale or an advance. In place
        of a copy the original is named (fiscal.md 6.4)."""
        invoice_type, transaction_type = self.kind
        return invoice_type.is_fiscal and transaction_type is TransactionType.SALE
